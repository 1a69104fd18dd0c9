"""A running hub on loopback, and a learner who logs in and works in their own server as a browser would."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager
from urllib.parse import urlsplit

import psutil
import requests
import websocket
from series import ROOT

from classroom.jupyterhub.reach import closed_to_learners

CONFIG = ROOT / "classroom" / "jupyterhub" / "jupyterhub_config.py"
PATIENCE = 300    # seconds for a start or a cell, on a machine that is busy


@contextmanager
def hub(folder, **environment):
    """The address of a hub that keeps everything in a folder."""
    port = three_free_ports()
    environment = os.environ | {"HUB_FOLDER": str(folder), "HUB_PORT": str(port), "JUPYTERHUB_CRYPT_KEY": ""} | environment
    with open(folder / "hub.log", "w") as log:
        process = subprocess.Popen([sys.executable, "-m", "jupyterhub", "-f", CONFIG], cwd=folder, env=environment, stdout=log,
                                   stderr=log, start_new_session=True)
        address = f"http://127.0.0.1:{port}"
        try:
            until(lambda: requests.get(f"{address}/hub/api", timeout=5).ok, process)
            yield address
        except Exception as error:
            raise RuntimeError(f"{error}\n{(folder / 'hub.log').read_text()[-5000:]}") from error
        finally:
            process.terminate()
            process.wait(60)
            for left in processes_below(folder):
                left.kill()


def processes_below(folder):
    """Processes that work in a folder or below it."""
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(f"{folder}{os.sep}"):
                yield process
        except psutil.Error:
            pass


def three_free_ports():
    """The first of three free ports in a row."""
    while True:
        with socket.socket() as one, socket.socket() as two, socket.socket() as three:
            one.bind(("127.0.0.1", 0))
            try:
                two.bind(("127.0.0.1", one.getsockname()[1] + 1))
                three.bind(("127.0.0.1", one.getsockname()[1] + 2))
            except (OSError, OverflowError):
                continue
            return one.getsockname()[1]


def until(condition, process=None):
    """Wait until something holds; connections that fail count as not yet."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and (process is None or process.poll() is None):
        try:
            if found := condition():
                return found
        except requests.RequestException:
            pass
        time.sleep(0.3)
    raise TimeoutError("the hub has ended" if process and process.poll() is not None else f"nothing within {PATIENCE} s")


class HubLearner:
    """A learner with a name, a password, cookies, and, once `start` has been called, a server."""

    def __init__(self, address, name, password="a password"):
        self.address, self.name = address, name
        self.web = requests.Session()
        page = self.web.get(f"{address}/hub/login", timeout=60)
        answer = self.web.post(page.url, timeout=60, data={
            "username": name, "password": password, "_xsrf": self.token("/hub/")})
        self.logged_in = "/hub/login" not in answer.url and answer.status_code != 403

    def token(self, path):
        """What shows a server that a request comes from its own page."""
        return next((cookie.value for cookie in self.web.cookies if cookie.name == "_xsrf" and cookie.path == path), "")

    def start(self):
        """Start the learner's server, or go back to it, and wait for it; the seconds that took."""
        begun = time.monotonic()
        self.web.get(f"{self.address}/hub/spawn", timeout=PATIENCE)

        def ready():
            page = self.web.get(f"{self.address}/user/{self.name}/lab", timeout=60)
            if page.status_code == 500:
                raise RuntimeError(f"the server of {self.name} did not start")
            if page.status_code == 424:    # "the server is not running", and the page's button leads here
                self.web.get(f"{self.address}/hub/spawn", timeout=PATIENCE)
            return page.ok and urlsplit(page.url).path.startswith(f"/user/{self.name}/")
        until(ready)
        return time.monotonic() - begun

    def api(self, method, path, owner=None, **options):
        """A request to the API of a server: the learner's own, or another's."""
        headers = {"X-XSRFToken": self.token(f"/user/{self.name}/")}
        url = f"{self.address}/user/{owner or self.name}/api/{path}"
        return self.web.request(method, url, headers=headers, timeout=PATIENCE, **options)

    def read(self, path):
        """A notebook, as the server gives it."""
        return self.api("GET", f"contents/{path}").json()["content"]

    def save(self, path, notebook):
        """Save a notebook."""
        answer = self.api("PUT", f"contents/{path}", json={"type": "notebook", "format": "json", "content": notebook})
        assert answer.ok, answer.text

    def open(self, path):
        """Start a kernel for a notebook, as the page of the notebook does."""
        answer = self.api("POST", "sessions", json={"path": path, "type": "notebook", "name": "", "kernel": {"name": "python3"}})
        assert answer.ok, answer.text
        kernel = answer.json()["kernel"]["id"]
        prefix = f"/user/{self.name}/"
        cookies = "; ".join(f"{one.name}={one.value}" for one in self.web.cookies if prefix.startswith(one.path))
        url = f"{self.address.replace('http', 'ws')}{prefix}api/kernels/{kernel}/channels?_xsrf={self.token(prefix)}"
        self.socket = websocket.create_connection(url, cookie=cookies, timeout=PATIENCE)

    def run(self, source):
        """Run a cell in the open notebook; its outputs, without what a browser would draw itself."""
        identity, outputs = uuid.uuid4().hex, []
        self.socket.send(json.dumps({
            "channel": "shell", "header": {"msg_id": identity, "msg_type": "execute_request", "username": "", "session": "test",
                                           "version": "5.3", "date": ""},
            "parent_header": {}, "metadata": {}, "content": {"code": source, "silent": False, "allow_stdin": False}}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("parent_header", {}).get("msg_id") != identity or message.get("channel") != "iopub":
                continue
            kind, content = message["msg_type"], message["content"]
            if kind in ("display_data", "execute_result"):
                outputs.append(content["data"].get("text/plain", ""))
            elif kind == "stream":
                outputs.append(content["text"])
            elif kind == "error":
                raise RuntimeError(f"{content['ename']}: {content['evalue']}")
            elif kind == "status" and content["execution_state"] == "idle":
                return "".join(outputs)


def missing():
    """What the tests of the hub lack, in words; None if nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "the hub keeps learners apart by user ids, which only root on Linux can give"
    if shutil.which("configurable-http-proxy") is None:
        return "no configurable-http-proxy (npm install -g configurable-http-proxy)"
    closed = closed_to_learners(sys.executable) or closed_to_learners(ROOT)
    return f"learners could not pass {closed}, where Python or the project lies" if closed else None
