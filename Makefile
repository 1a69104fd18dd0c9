# Everything runs in .venv, which the first call makes from the lock files.
# Another Python: make lab PYTHON=python3.12. Further options: make lab ARGS=--no-browser

export JUPYTER_CONFIG_PATH := $(CURDIR)/.jupyter$(if $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))
export PIP_DISABLE_PIP_VERSION_CHECK := 1

run := .venv/bin/python -m

.PHONY: help lab test refresh lint lock bench site slides class class-copy handouts base tests sites

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile

lab: base ## open the lessons in JupyterLab
	$(run) jupyterlab --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb \
		$(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

# Without node the tests of the site are skipped.
test: tests $(if $(shell command -v npm),sites) ## run every test; SLOW=1 adds the slow ones, ARGS=tests/test_views.py runs a part
	$(run) pytest $(if $(SLOW),-m "") $(or $(ARGS),@tests/everything.txt)

refresh: base ## run the notebooks again and save them; LESSON=03 runs one
	$(run) tools.refresh $(LESSON)

lint: tests ## check the style of code and notebooks
	$(run) ruff check .

lock: base ## write the lock files from the .in files; ARGS=--upgrade takes new versions
	$(run) pip install --quiet uv
	$(lock) requirements.in -o requirements.txt
	$(lock) tests/requirements.in -o tests/requirements.txt
	$(lock) site/requirements.in -o site/requirements.txt
	$(lock) classroom/requirements.in -o classroom/requirements.txt

lock := UV_CUSTOM_COMPILE_COMMAND="make lock" $(run) uv pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --no-strip-extras $(ARGS)

bench: tests ## measure how fast the explorers answer
	$(run) tools.bench

# PYODIDE=folder puts Pyodide's files inside; without it the lessons load Python from its public address.
site: sites ## build the site into _site/; open _site/index.html (needs node)
	.venv/bin/python site/python/build.py _site/python $(if $(PYODIDE),--pyodide "$(PYODIDE)")
	.venv/bin/python site/lessons.py
	trap 'rm -rf jupyter_execute' EXIT; $(run) sphinx -q -W --keep-going -d site/build/doctrees site _site # MyST-NB's copies
	@echo "The site is in _site/: open _site/index.html."

slides: sites ## write the lessons as slides into _site/slides/; open index.html there (needs node); a `make site` after it links to them
	.venv/bin/python site/slides.py
	@echo "The slides are in _site/slides/: open index.html there."

class: base ## run a class of N=30 learners at once on this machine; LESSON=03 gives all the same lesson
	$(run) classroom.benchmark $(or $(N),30) $(LESSON)

class-copy: base ## write the lessons for the wall into _class/: results cleared, answers folded
	$(run) classroom.class_copy

handouts: sites ## print for each lesson a page to fill in and its answers into _handouts/, as PDF (needs node and Chromium)
	$(run) classroom.handouts

# A copy of each lock file in .venv says what has been installed completely.
base:
	@.venv/bin/python -c "" 2>/dev/null && cmp -s requirements.txt .venv/base.txt || { \
	sh tools/new_venv.sh $(if $(PYTHON),"$(PYTHON)") && \
	echo "Installing requirements.txt into .venv (this takes minutes the first time)" && \
	$(run) pip install --quiet -r requirements.txt && cp requirements.txt .venv/base.txt; }

tests: base
	@cmp -s tests/requirements.txt .venv/tests.txt || { \
	echo "Installing tests/requirements.txt into .venv" && \
	$(run) pip install --quiet -r tests/requirements.txt && cp tests/requirements.txt .venv/tests.txt; }

# The kernel that runs in the browser is an extension of JupyterLite alone: JupyterLab would load it too, and fail.
sites: base
	@cmp -s site/requirements.txt .venv/site.txt || { \
	echo "Installing site/requirements.txt into .venv" && \
	$(run) pip install --quiet -r site/requirements.txt && rm -rf .venv/share/lite && \
	mv .venv/share/jupyter/labextensions/@jupyterlite .venv/share/lite && cp site/requirements.txt .venv/site.txt; }
	@command -v npm >/dev/null || { echo "The site needs node with npm, from your system's packages or nodejs.org" >&2; exit 1; }
	@cmp -s site/package-lock.json site/node_modules/installed.json || { \
	npm ci --prefix site --silent && cp site/package-lock.json site/node_modules/installed.json; }
