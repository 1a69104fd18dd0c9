"""The hub for one machine: ten log in at once, each works in a server of their own, one is killed; nobody reads another's."""

import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from series import IGNORED, READ, ROOT

pytestmark = pytest.mark.slow
LESSON = "notebooks/03_scores.ipynb"
STUB, LINE = "    ...                              # your line here", "    return Q @ K.T"
NAMES = [f"learner-{number}" for number in range(10)]


@pytest.fixture(scope="module")
def tools():
    """The module with hub and learner; without its packages the tests are skipped, or fail where they must run."""
    try:
        import firstuseauthenticator  # noqa: F401
        import hub
        import jupyterhub  # noqa: F401
        why = hub.missing()
    except ImportError as error:
        why = f"{error}; pip install -r classroom/requirements.txt"
    if why and os.environ.get("REQUIRE_HUB"):
        pytest.fail(why, pytrace=False)
    if why:
        pytest.skip(why)
    return hub


@pytest.fixture
def folder():
    """A folder that learners may pass through, as /srv is."""
    path = Path(tempfile.mkdtemp(prefix="hub-", dir="/tmp"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def cells():
    """Id, source and result of each code cell of the lesson; the exercise is solved."""
    for cell in READ[ROOT / LESSON].cells:
        if cell.cell_type == "code":
            text = "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
            yield cell.id, cell.source, text, IGNORED in cell.metadata.get("tags", [])


def work(learner, stop_after=None):
    """Run the learner's copy of lesson 03 to the end, or so many cells of it; ids of cells with other results."""
    learner.open(LESSON)
    other = []
    code = [cell for cell in learner.read(LESSON)["cells"] if cell["cell_type"] == "code"]
    for cell, (name, _, text, ignored) in zip(code[:stop_after], cells(), strict=stop_after is None):
        assert cell["id"] == name
        found = learner.run(cell["source"])
        if found != text and not ignored:
            other.append((name, found))
    return other


def solve(learner):
    """Write the line of the exercise into the learner's copy, and save it."""
    notebook = learner.read(LESSON)
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace(STUB, LINE) if cell["id"] == "exercise-all-scores" else cell["source"]
    learner.save(LESSON, notebook)


def of(folder, name):
    """The processes of a learner: the server and its kernels."""
    uid = (folder / "learners" / name).stat().st_uid
    return [process for process in psutil.process_iter(["uids"]) if process.info["uids"] and process.info["uids"].real == uid]


def refused(learner, code):
    """Whether the system refuses the learner's kernel this."""
    return learner.run(f"try:\n    {code}\n    print('allowed')\nexcept PermissionError:\n    print('refused')") == "refused\n"


def test_ten_at_once(tools, folder):
    right = ("exercise-all-scores", "Right: (5, 7) scores, equal to the reference on 6 random inputs and 2 edge cases.\n")
    with tools.hub(folder) as address, ThreadPoolExecutor(len(NAMES)) as pool:
        def whole(name):
            learner = tools.HubLearner(address, name)
            waited = learner.start()
            solve(learner)
            if name == NAMES[0]:
                work(learner, stop_after=5)
                for process in of(folder, name):
                    process.kill()
                waited = learner.start()    # the same browser, the same login
                assert LINE in str(learner.read(LESSON))
            other = work(learner)
            return learner, waited, other
        done = list(pool.map(whole, NAMES))
        assert {name: other for name, (_, _, other) in zip(NAMES, done, strict=True)} == {name: [right] for name in NAMES}
        print(f"\nslowest start {max(waited for _, waited, _ in done):.0f} s; memory a learner, server and kernels (PSS):",
              *sorted(round(sum(p.memory_full_info().pss for p in of(folder, name)) / 2**20) for name in NAMES), "MiB")
        learners = [learner for learner, _, _ in done]
        nobody_reads_anothers(folder, address, *learners[1:3])
        kernels_meet_their_server_at_no_port(folder)
        too_much_memory_is_refused(learners[3])
        names_belong_to_who_came_first(tools, address)
    assert [name for name in NAMES if of(folder, name)] == []


def nobody_reads_anothers(folder, address, one, other):
    """Neither by files, nor by processes, nor through the hub; and the project is read-only for all."""
    theirs = folder / "learners" / other.name
    kernel = next(process for process in of(folder, other.name) if "ipykernel_launcher" in " ".join(process.cmdline()))
    sockets = [path for path in theirs.rglob("*") if path.is_socket()]
    assert sockets
    for code in (f"open({str(theirs / LESSON)!r})", f"import os; os.listdir({str(theirs)!r})",
                 f"import os; os.listdir({str(theirs.parent)!r})", f"open({str(theirs / 'new')!r}, 'w')",
                 f"open({str(folder / 'state' / 'hub.sqlite')!r})", f"import os; os.listdir({str(folder / 'state')!r})",
                 f"open('/proc/{kernel.pid}/environ').read()", f"import os; os.kill({kernel.pid}, 9)",
                 f"import socket; socket.socket(socket.AF_UNIX).connect({str(sockets[0])!r})",
                 f"open({str(ROOT / 'helpers' / 'new.py')!r}, 'w')", f"open({str(ROOT / LESSON)!r}, 'a')",
                 "open('../helpers/example.py', 'a')"):
        assert refused(one, code), code
    assert not refused(one, "open('03_scores.ipynb', 'a')")
    assert one.api("GET", f"contents/{LESSON}").ok
    answer = one.api("GET", f"contents/{LESSON}", owner=other.name)
    assert answer.status_code in (403, 404) or "/user/" not in answer.url
    assert "cells" not in answer.text


def kernels_meet_their_server_at_no_port(folder):
    """So there is none to race for, and none at which another learner could listen in.

    The one port that is left takes what a process started by the kernel prints. The kernel binds it itself, gives nothing
    out there, and reads only what carries its secret.
    """
    kernels = [process for name in NAMES for process in of(folder, name) if "ipykernel_launcher" in " ".join(process.cmdline())]
    assert len(kernels) >= len(NAMES)
    ports = [[one for one in process.net_connections("inet") if one.status == "LISTEN"] for process in kernels]
    assert max(map(len, ports)) <= 1


def too_much_memory_is_refused(learner):
    """The kernel goes on after it."""
    assert learner.run("kept = bytes(200_000_000); print(len(kept))") == "200000000\n"
    assert "MemoryError" in learner.run("try:\n    bytes(2**30)\nexcept MemoryError:\n    print('MemoryError')")
    assert learner.run("print(len(kept))") == "200000000\n"


def names_belong_to_who_came_first(tools, address):
    """A password is set at the first login; names that could leave their folder do not exist."""
    assert tools.HubLearner(address, NAMES[0]).logged_in
    assert not tools.HubLearner(address, NAMES[0], "another password").logged_in
    for name in ("..", "a/b", "../learner-1", "", "A B", "x" * 40):
        assert not tools.HubLearner(address, name).logged_in, name


def test_an_idle_server_ends_and_its_files_stay(tools, folder):
    with tools.hub(folder, HUB_IDLE="5") as address:
        learner = tools.HubLearner(address, "learner-0")
        learner.start()
        solve(learner)
        end = time.monotonic() + 120
        while of(folder, "learner-0") and time.monotonic() < end:
            time.sleep(1)
        assert of(folder, "learner-0") == []
        learner.start()
        assert LINE in str(learner.read(LESSON))
