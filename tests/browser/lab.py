"""A real Jupyter server on a copy of the project, and a notebook open in a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
WIDGET = "application/vnd.jupyter.widget-view+json"
NO_BROWSER = "no Chromium found; install one (Debian and Ubuntu: apt install chromium) and put it on the PATH"
FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
PROGRAMS = ("lab", "notebook")
ADDRESSES = {"lab": "lab/tree/{}?reset", "notebook": "notebooks/{}?reset", "lite": "notebooks/index.html?path={}"}
SETTINGS = {"@jupyterlab/notebook-extension/tracker": '{"windowingMode": "none"}'}
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

_PANEL = "const panel = window.jupyterapp.shell.currentWidget, model = panel.content.model;"


def find_chromium():
    """Path of the browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@cache
def playwright():
    """What drives all browsers of a process: it can be started once."""
    return sync_playwright().start()


@contextmanager
def chromium(*flags):
    """A browser with a fresh profile."""
    browser = playwright().chromium.launch(
        executable_path=find_chromium(), args=["--headless=new", "--no-sandbox", *FLAGS, *flags])
    try:
        yield browser
    finally:
        browser.close()


class Server(NamedTuple):
    """A running JupyterLab: its address and the folder it shows."""

    address: str
    project: Path


@contextmanager
def jupyterlab(folder):
    """A server on a copy of the project in ``folder``, so that readers' files stay as they are."""
    project, home = folder / "project", folder / "home"
    for part in ("notebooks", "helpers", "data"):
        shutil.copytree(ROOT / part, project / part,
                        ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for name, text in SETTINGS.items():
        path = home / "settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    port = _free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--expose-app-in-browser",
               "--JupyterNotebookApp.expose_app_in_browser=True",
               f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1",
               "--IdentityProvider.token=", f"--ServerApp.root_dir={project}",
               # an interrupted test run leaves nothing behind for long
               "--MappingKernelManager.cull_idle_timeout=900", "--ServerApp.shutdown_no_activity_timeout=1800"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    address = f"http://127.0.0.1:{port}"
    with open(folder / "server.log", "w") as log:
        server = subprocess.Popen(command, cwd=project, env=_environment(home), stdout=log, stderr=log)
        try:
            _wait_for(server, address, folder / "server.log")
            yield Server(address, project)
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def _environment(home):
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
              "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
              "IPYTHONDIR": "ipython"}
    return {**os.environ, **{name: str(home / place) for name, place in places.items()},
            "JUPYTER_CONFIG_PATH": str(ROOT / ".jupyter"), "OPENBLAS_NUM_THREADS": "1"}


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(server, address, log, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/api", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start within {seconds} s:\n{log.read_text()[-3000:]}")


class Window:
    """JupyterLab, or Notebook 7, which the same server brings, in a browser window of its own.

    Parameters
    ----------
    browser : playwright Browser
    server : Server
    size : (int, int)
        Width and height of the window.
    program : str
        "lab", "notebook", or "lite" for Python in the browser.
    """

    def __init__(self, browser, server, size=(1400, 1100), program="lab"):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.problems = []
        self.page.on("console", lambda m: m.type == "error" and self.problems.append(m.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.server, self.program = server, program

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def open(self, path):
        """Show a notebook. JupyterLab, which takes seconds to load, stays loaded; Notebook 7 has a page for each."""
        if self.program == "lab" and self.page.evaluate("() => 'jupyterapp' in window"):
            self.command("docmanager:open", path=path)
        else:
            self.page.goto(f"{self.server.address}/{ADDRESSES[self.program].format(path)}")

    def close_notebook(self):
        """End its kernel and leave no document open, saved or not."""
        self.page.evaluate("""async () => { const app = window.jupyterapp;
            await app.serviceManager.sessions.shutdownAll();
            [...app.shell.widgets('main')].forEach(widget => widget.dispose()); }""")

    @contextmanager
    def resized(self, width, height):
        """Another size for a while."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": height})
        try:
            yield
        finally:
            self.page.set_viewport_size(before)

    def command(self, name, **arguments):
        """Run one of JupyterLab's commands and wait until it has finished."""
        return self.page.evaluate(
            "async ([name, args]) => { await window.jupyterapp.commands.execute(name, args); }", [name, arguments])


class Notebook:
    """A notebook open in a window.

    Parameters
    ----------
    window : Window
    path : str
        Of the notebook, from the server's folder.
    """

    def __init__(self, window, path):
        self.window, self.path = window, path
        self.page, self.problems, self.command = window.page, window.problems, window.command
        self.problems.clear()
        window.open(path)
        self.wait_until_open()

    def wait_until_open(self):
        """Wait for the notebook and its kernel, and give it the whole window."""
        self.page.wait_for_function(
            "path => window.jupyterapp?.shell?.currentWidget?.context?.path === path", arg=self.path, timeout=60_000)
        self.page.evaluate(f"async () => {{ {_PANEL} await panel.revealed; await panel.sessionContext.ready; }}")
        if self.window.program == "lab":
            self.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.window.close_notebook()

    def run_all(self):
        """Run all cells, and wait until their widgets stand on the page."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(f"""() => {{ {_PANEL}
            return panel.sessionContext.session.kernel.status === 'idle'
                && [...model.cells].every(cell => cell.type !== 'code' || cell.executionState !== 'running'); }}""")
        self.page.wait_for_function("""n => document.querySelectorAll(
            '.jp-OutputArea-output .jupyter-widgets:not(.jupyter-widgets .jupyter-widgets)').length >= n""",
            arg=self.widget_outputs())

    def widget_outputs(self):
        """How many outputs hold a live widget, according to the notebook's model."""
        return sum(WIDGET in output.get("data", {}) for cell in self.cells() for output in cell.get("outputs", []))

    def cells(self):
        """All cells as the notebook's model holds them."""
        return self.page.evaluate(f"() => {{ {_PANEL} return model.toJSON().cells; }}")

    def contents(self):
        """What a stray key could damage: type, id and source of each cell."""
        return self.page.evaluate(
            f"() => {{ {_PANEL} return [...model.cells].map(c => [c.type, c.id, c.sharedModel.getSource()]); }}")

    def explorers(self):
        """Locators of the live explorers."""
        return self.page.locator(".jp-OutputArea-output .attn:not(.attn-quiz)").all()

    def quizzes(self):
        """Locators of the live quizzes."""
        return self.page.locator(".jp-OutputArea-output .attn-quiz").all()

    def theme(self, name):
        """Show the "light" or the "dark" theme."""
        self.command("apputils:change-theme", theme=THEMES[name])
        self.page.wait_for_function("light => document.body.dataset.jpThemeLight === light",
                                    arg=str(name == "light").lower())
        self.page.wait_for_timeout(300)


class Control:
    """A control of a live explorer, moved by keyboard alone.

    Parameters
    ----------
    box : Locator
        The control with its label and readout.
    """

    FOCUSABLE = ".noUi-handle, select, button, input[type=checkbox]"

    def __init__(self, box):
        self.box, self.page = box, box.page
        self.targets = box.locator(self.FOCUSABLE).all()
        look = box.get_attribute("class")
        kinds = ("slider", "dropdown", "toggle-buttons", "checkbox", "play")
        self.kind = next(kind for kind in kinds if f"widget-{kind}" in look)

    @property
    def label(self):
        """Its visible label; Play has none."""
        if self.kind == "play":
            return ""
        kind = ".widget-label-basic" if self.kind == "checkbox" else ".widget-label"
        return self.box.locator(kind).text_content()

    def value(self):
        """What tells its values apart."""
        return self.box.evaluate("""box => [box.querySelector('.noUi-handle')?.getAttribute('aria-valuenow'),
            box.querySelector('select')?.value, box.querySelector('input[type=checkbox]')?.checked,
            [...box.querySelectorAll('button')].map(button => button.classList.contains('mod-active'))]""")

    def moves(self):
        """Keys that reach every value: a list of (place among the targets, key)."""
        if self.kind == "slider":
            low, high = (float(self.targets[0].get_attribute(f"aria-value{end}")) for end in ("min", "max"))
            return [(0, "Home"), *[(0, "ArrowRight")] * round(high - low)]
        if self.kind == "dropdown":
            return [(0, "Home"), *[(0, "ArrowDown")] * (self.box.locator("option").count() - 1)]
        if self.kind == "toggle-buttons":
            return [(place, "Space") for place in range(len(self.targets))]
        return [(0, "Space")] * 2

    def press(self, place, key):
        """Focus one of its targets and press a key."""
        self.targets[place].focus()
        self.page.keyboard.press(key)

    def walk(self):
        """Press the keys of `moves` one by one; gives the number of each press."""
        for number, move in enumerate(self.moves()):
            self.press(*move)
            yield number

    def set(self, value):
        """Walk until it has this value."""
        if self.value() != value:
            next(number for number in self.walk() if self.value() == value)


def controls(explorer):
    """The controls of an explorer."""
    return [Control(box) for box in explorer.locator(".attn-controls > *").all()]


def control_of(explorer, label):
    """The control with this label."""
    return next(control for control in controls(explorer) if control.label == label)


def picture(explorer):
    """The HTML of what an explorer shows."""
    return explorer.locator(".attn-views").evaluate("views => views.innerHTML")


def until(page, condition, seconds=5.0):
    """Wait until a condition holds; False when it never did."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(10)
    return True
