# Everything runs in .venv, which the first call makes from the lock files.
# Another Python: make lab PYTHON=python3.12. Further options: make lab ARGS=--no-browser

export JUPYTER_CONFIG_PATH := $(CURDIR)/.jupyter$(if $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))
export PIP_DISABLE_PIP_VERSION_CHECK := 1

run := .venv/bin/python -m

.PHONY: help lab test refresh lint lock bench base tests

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

lab: base ## open the lessons in JupyterLab
	$(run) jupyterlab --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb \
		$(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

test: tests ## run every test; SLOW=1 adds the slow ones
	$(run) pytest $(if $(SLOW),-m "") $(ARGS)

refresh: base ## run the notebooks again and save them; LESSON=03 runs one
	$(run) tools.refresh $(LESSON)

lint: tests ## check the style of code and notebooks
	$(run) ruff check .

lock: base ## write the lock files from the .in files; ARGS=--upgrade takes new versions
	$(run) pip install --quiet uv
	$(lock) requirements.in -o requirements.txt
	$(lock) tests/requirements.in -o tests/requirements.txt

lock := UV_CUSTOM_COMPILE_COMMAND="make lock" $(run) uv pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --no-strip-extras $(ARGS)

bench: tests ## measure how fast the explorers answer
	$(run) tools.bench

# A copy of each lock file in .venv says what has been installed completely.
base:
	@.venv/bin/python -c "" 2>/dev/null && cmp -s requirements.txt .venv/base.txt || { \
	$(new_venv) \
	echo "Installing requirements.txt into .venv (this takes minutes the first time)"; \
	$(run) pip install --quiet -r requirements.txt && cp requirements.txt .venv/base.txt; }

tests: base
	@cmp -s tests/requirements.txt .venv/tests.txt || { \
	echo "Installing tests/requirements.txt into .venv"; \
	$(run) pip install --quiet -r tests/requirements.txt && cp tests/requirements.txt .venv/tests.txt; }

# Keeps a .venv that works; otherwise makes one with the first Python that will do.
define new_venv
$(run) pip --version >/dev/null 2>&1 || { \
good=; seen="none was found; install one from your system's packages or python.org"; \
for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11); do \
	version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		seen="$$python is $$version; install a newer one from your system's packages or python.org"; continue; }; \
	"$$python" -c "import ensurepip, venv" 2>/dev/null && { good=$$python; break; }; \
	seen="$$python ($$version) lacks venv or ensurepip; on Debian and Ubuntu: apt install python3-venv"; \
done; \
[ "$$good" ] || { echo "Python 3.11 or newer with venv is needed, but $$seen (another: PYTHON=/path/to/python)" >&2; exit 1; }; \
"$$good" -m venv --clear .venv || exit 1; };
endef
