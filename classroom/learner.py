"""A learner without a browser: a kernel of its own that runs a lesson, and messages like those of moved controls."""

import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from jupyter_client import AsyncKernelManager

CONTROLS = {"SelectionSliderModel", "IntSliderModel", "ToggleButtonsModel", "DropdownModel", "CheckboxModel"}
PICTURES = {"text/html", "image/png", "application/vnd.jupyter.widget-view+json"}
MOVES = 3         # of each control
PAUSE = 0.5       # seconds between two moves
PATIENCE = 900    # seconds for one cell or one answer


@dataclass
class Seen:
    """What a learner has met; times in seconds since the start of the class."""

    lesson: str
    first_picture: float = None
    finished: float = None
    answers: list = field(default_factory=list)
    new_pictures: int = 0    # how many moves have brought one
    memory: int = 0
    processor: float = 0.0
    failures: list = field(default_factory=list)


class Learner:
    """One kernel in the folder of a lesson.

    Parameters
    ----------
    path : Path
        The lesson's notebook.
    start : float
        When the class began, by `time.perf_counter`.
    step : callable
        Called after each cell and each move.
    """

    def __init__(self, path, start, step):
        self.path, self.start, self.step = path, start, step
        self.cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        self.seen, self.widgets, self.pictures = Seen(path.stem), {}, 0
        self.sockets = tempfile.TemporaryDirectory(prefix="k-")    # ports are raced for by kernels that start at once
        self.manager = AsyncKernelManager(
            kernel_name="python3", transport="ipc", connection_file=str(Path(self.sockets.name) / "kernel.json"))

    async def work(self):
        """Run the lesson, move each control of its explorers, and note what the kernel needs; the kernel stays up."""
        try:
            await self.manager.start_kernel(cwd=str(self.path.parent), extra_arguments=["--IPKernelApp.log_level=ERROR"])
            self.client = self.manager.client()
            self.client.start_channels()
            await self.client.wait_for_ready(timeout=PATIENCE)
            for cell in self.cells:
                await self.until_idle(self.client.execute(cell.source))
                self.step()
            await self.move_all()
            self.seen.finished = time.perf_counter() - self.start
        except Exception as error:    # whatever stops one learner must not stop the class
            self.seen.failures.append(f"{type(error).__name__}: {error}")

    def measure(self):
        """Note the memory, as proportional set size in bytes, and the seconds of processor time of the kernel."""
        try:
            process = psutil.Process(self.manager.provisioner.pid)
            self.seen.memory = process.memory_full_info().pss
            self.seen.processor = sum(process.cpu_times()[:2])
        except (psutil.Error, AttributeError) as error:
            self.seen.failures.append(f"the kernel is gone ({type(error).__name__})")

    async def leave(self):
        """End the kernel."""
        if self.manager.has_kernel:
            self.client.stop_channels()
            await self.manager.shutdown_kernel(now=True)
        self.sockets.cleanup()

    async def move_all(self):
        """Give each control other values, as a browser does, and note how long each answer takes."""
        controls = {name: state for name, state in self.widgets.items() if state.get("_model_name") in CONTROLS}
        for name, state in controls.items():
            for change in changes(state):
                before, pictures = time.perf_counter(), self.pictures
                await self.until_idle(self.send(name, change))
                self.seen.answers.append(time.perf_counter() - before)
                self.seen.new_pictures += self.pictures > pictures
                self.step()
                await asyncio.sleep(PAUSE)

    def send(self, name, change):
        """The message of a moved control; its id."""
        data = {"method": "update", "state": change, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": name, "data": data})
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    async def until_idle(self, identity):
        """Read what the kernel says until it has done with a message."""
        while True:
            message = await self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == identity:
                self.read(message["msg_type"], message["content"])
                if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                    return

    def read(self, kind, content):
        """Note what matters in a message."""
        if kind == "comm_open":
            self.widgets[content["comm_id"]] = content["data"].get("state", {})
        elif kind == "comm_msg":
            state = content["data"].get("state", {})
            self.widgets.setdefault(content["comm_id"], {}).update(state)
            self.pictures += "value" in state and self.widgets[content["comm_id"]].get("_model_name") == "HTMLModel"
        elif kind == "error":
            self.seen.failures.append(f"{content['ename']}: {content['evalue']}")
        elif kind in ("display_data", "execute_result") and PICTURES & set(content["data"]) and self.seen.first_picture is None:
            self.seen.first_picture = time.perf_counter() - self.start


def changes(state):
    """Values of a control other than its own, each as a change of its state.

    >>> list(changes({"_model_name": "DropdownModel", "index": 1, "_options_labels": ["a", "b", "c"]}))
    [{'index': 0}, {'index': 2}]
    """
    if state["_model_name"] == "CheckboxModel":
        return [{"value": not state["value"]}, {"value": state["value"]}]
    name, values = "index", range(len(state.get("_options_labels", [])))
    if state["_model_name"] == "IntSliderModel":
        name, values = "value", range(state["min"], state["max"] + 1, state["step"])
    others = [value for value in values if value != state[name]]
    return [{name: value} for value in others[::max(1, len(others) // MOVES)][:MOVES]]
