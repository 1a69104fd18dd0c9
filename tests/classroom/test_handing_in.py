"""From the checks of a lesson to the teacher's summary: what is written, when, and what is made of many such files."""

import io
import json
import random
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import nbformat.v4 as v4
import numpy as np
import pytest
from answers import RIGHT_ANSWERS, WRONG_ANSWERS
from PIL import Image
from series import ROOT

import helpers.exercises
from classroom import summary
from classroom.handed_in import UnusableError, places, read_folders, read_report
from helpers.attention import softmax
from helpers.example import FEATURES
from helpers.exercises import handing_in, report
from helpers.exercises.checking import EXERCISES
from tools.refresh import kernel

STUB = "..."


@pytest.fixture
def session(monkeypatch, tmp_path):
    """A new session in a folder of its own, as after a start of the kernel; gives what begins another in that folder."""
    monkeypatch.chdir(tmp_path)

    def begin(name="exercises-00000001.json"):
        monkeypatch.setattr(handing_in, "NAME", name)
        handing_in.TRIES.clear()
    begin()
    yield begin
    handing_in.TRIES.clear()


def answer(name, body):
    """Check a function with this body."""
    names = {"np": np, "FEATURES": FEATURES, "softmax": softmax}
    exec(f"def {name}({', '.join(EXERCISES[name].parameters)}):\n{textwrap.indent(body, '    ')}\n", names)
    getattr(helpers.exercises, f"check_{name}")(names[name])


def written(folder=Path(".")):
    """The exercises in the only report of a folder, by name."""
    (path,) = folder.glob("exercises-*.json")
    return {entry["exercise"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["exercises"]}


def unwrapped(text):
    """What a check printed, in one line."""
    return " ".join(text.split())


# What is written


def test_nothing_is_written_before_the_report_is_asked_for(session, tmp_path):
    answer("scores", "return K @ Q.T")
    assert list(tmp_path.iterdir()) == []
    report()
    assert [path.name for path in tmp_path.iterdir()] == [handing_in.NAME]


def test_without_a_check_there_is_nothing_to_report(session, tmp_path, capsys):
    report()
    assert capsys.readouterr().out.startswith("Nothing to report")
    assert list(tmp_path.iterdir()) == []


def test_a_report_holds_verdict_mistakes_and_tries_and_nothing_else(session, capsys):
    said = []
    for body in (STUB, "return K @ Q.T", "return K @ Q.T", "return Q @ K", "return Q @ K.T", "return Q.T"):
        answer("scores", body)
        said.append(unwrapped(capsys.readouterr().out))
    answer("one_score", STUB)
    report()
    found = written()
    assert found["scores"].pop("seconds") == found["one_score"].pop("seconds") == 0
    product = "Stopped with an error; " + said[3].rpartition("; ")[2]
    assert found == {
        "scores": {"exercise": "scores", "verdict": "right", "mistakes": {said[1]: 2, product: 1}, "tries": 4},
        "one_score": {"exercise": "one_score", "verdict": "not yet", "mistakes": {}, "tries": 0},
    }


@pytest.mark.parametrize("name", ["lookup", "scores", "masked", "head_shapes", "shape_table", "rotate"])
def test_what_the_check_names_stands_in_the_report(name, session, capsys):
    bodies = [body for body, _ in WRONG_ANSWERS[name]]
    for body in bodies:
        answer(name, body)
    said = unwrapped(capsys.readouterr().out)
    report()
    found = written()[name]
    unread = said.count("Not yet: ")
    assert found["verdict"] != "right" and found["tries"] == len(bodies) - unread
    assert found["mistakes"]
    for mistake, times in found["mistakes"].items():
        assert said.count(mistake.rpartition("; ")[2]) >= times


def test_an_error_with_a_name_in_it_leaves_no_name(session, tmp_path):
    answer("scores", "raise ValueError('Alice was here')")
    answer("one_score", "return alice")
    report()
    assert "alice" not in (tmp_path / handing_in.NAME).read_text().lower()
    assert [entry["verdict"] for entry in written().values()] == ["stopped", "stopped"]


def test_the_code_is_written_when_asked_for(session):
    def scores(Q, K):
        return Q @ K.T
    helpers.exercises.check_scores(scores)
    report()
    assert "code" not in written()["scores"]
    report(code=True)
    assert textwrap.dedent(written()["scores"]["code"]) == "def scores(Q, K):\n    return Q @ K.T\n"


def test_verdicts_by_kind(session):
    for name, body in {"scores": "return 3 * Q @ K.T", "one_score": "return 0 * Q[i] @ K[j] + 1.7", "outputs": "return V[5000]",
                       "masked": "return S * 0 + np.tri(*S.shape)", "lookup": STUB}.items():
        answer(name, body)
    report()
    assert {name: entry["verdict"] for name, entry in written().items()} == {
        "scores": "factor", "one_score": "other", "outputs": "stopped", "masked": "mistake", "lookup": "not yet"}


def test_seconds_run_from_the_first_check_to_the_verdict(session, monkeypatch):
    moments = iter([10, 70, 100, 400])
    monkeypatch.setattr(handing_in, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    for body in (STUB, "return K @ Q.T", "return Q @ K.T", "return Q @ K.T"):
        answer("scores", body)
    report()
    assert written()["scores"]["seconds"] == 90


@pytest.mark.parametrize("hindrance", ["a browser without a drive", "a folder that cannot be written"])
def test_where_no_file_can_be_kept_the_report_is_printed(hindrance, session, monkeypatch, tmp_path, capsys):
    answer("scores", "return Q @ K.T")
    capsys.readouterr()
    if hindrance.startswith("a browser"):
        monkeypatch.setattr(handing_in, "sys", SimpleNamespace(platform="emscripten"))
    else:
        (tmp_path / handing_in.NAME).mkdir()
    report()
    head, text = capsys.readouterr().out.split("\n\n", 1)
    assert handing_in.NAME in head
    assert not any(path.is_file() for path in tmp_path.iterdir())
    (tmp_path / "copied.json").write_text(text, encoding="utf-8")
    assert read_report(tmp_path / "copied.json")["scores"].verdict == "right"


def test_in_a_browser_with_a_drive_a_file_is_written(session, monkeypatch, tmp_path):
    monkeypatch.setattr(handing_in, "sys", SimpleNamespace(platform="emscripten"))
    monkeypatch.setattr(handing_in, "DRIVE", tmp_path)
    answer("scores", "return Q @ K.T")
    report()
    assert written()["scores"]["verdict"] == "right"


# Many files


def test_two_kernels_of_one_learner_write_two_files_that_belong_together(tmp_path):
    learner = tmp_path / "notebooks"
    shutil.copytree(ROOT / "helpers", tmp_path / "helpers", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", tmp_path / "data")
    learner.mkdir()
    setup = 'import sys; sys.path.insert(0, "..")\nfrom helpers.exercises import check_scores, report'
    for answers in (["K @ Q.T"], ["Q @ K", "Q @ K.T"]):
        cells = [setup, *[f"check_scores(lambda Q, K: {one})" for one in answers], "report(code=True)"]
        notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        with kernel(notebook, learner) as client:
            for index, cell in enumerate(notebook.cells):
                client.execute_cell(cell, index)
        assert "Written: " in notebook.cells[-1].outputs[0].text
    files = list(learner.glob("exercises-*.json"))
    assert len(files) == 2
    assert all("lambda Q, K" in path.read_text() for path in files)
    learners, skipped = read_folders([tmp_path])
    work = learners["notebooks"]["scores"]
    assert not {path for path in skipped if path in files}
    assert (work.verdict, work.tries, sum(work.mistakes.values())) == ("right", 3, 2)


RIGHT = {"format": handing_in.FORMAT, "exercises": [
    {"exercise": "scores", "verdict": "mistake", "mistakes": {"It is turned.": 2}, "tries": 3, "seconds": 60}]}


def changed(**fields):
    """The report with other fields in its exercise."""
    return json.dumps(RIGHT | {"exercises": [RIGHT["exercises"][0] | fields]})


DAMAGED = {
    "empty": "", "half": json.dumps(RIGHT)[:60], "text": "Dear teacher", "list": "[]", "number": "3", "null": "null",
    "foreign": '{"cells": [], "nbformat": 4}', "older": json.dumps(RIGHT | {"format": "attention exercises 0"}),
    "no exercises": json.dumps({"format": handing_in.FORMAT}), "a text": json.dumps(RIGHT | {"exercises": "scores"}),
    "exercise is a list": json.dumps(RIGHT | {"exercises": [["scores"]]}), "unknown": changed(exercise="scoring"),
    "unhashable": changed(exercise=["scores"]), "verdict": changed(verdict="brilliant"), "no verdict": changed(verdict=None),
    "tries": changed(tries=-1), "half a try": changed(tries=1.5), "true": changed(tries=True),
    "text for tries": changed(tries="3"),
    "huge": changed(tries=10**30), "NaN": changed(seconds=float("nan")), "infinite": changed(seconds=float("inf")),
    "mistakes": changed(mistakes=["It is turned."]), "times": changed(mistakes={"It is turned.": "twice"}),
    "deep": "[" * 100_000, "bytes": b"\xff\xfe\x00{", "zeros": b"\0" * 100, "long": " " * 1_000_001,
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_or_foreign_file_is_named_and_skipped(content, tmp_path, capsys):
    for name in ("ada", "bo"):
        (tmp_path / name).mkdir()
    (tmp_path / "ada" / "exercises-1.json").write_text(json.dumps(RIGHT))
    bad = tmp_path / "bo" / "exercises-1.json"
    bad.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnusableError):
        read_report(bad)
    summary.main([str(tmp_path), "--picture", str(tmp_path / "summary.png")])
    out = capsys.readouterr().out
    skipped = [line for line in out.splitlines() if line.startswith("skipped ")]
    assert len(skipped) == 1 and str(bad) in skipped[0] and len(skipped[0]) < len(str(bad)) + 200
    assert re.search(r"^ada +0  03 scores: mistake, 3 tries$", out, re.MULTILINE)
    assert not re.search(r"^bo ", out, re.MULTILINE)


def test_a_folder_or_a_link_in_the_place_of_a_file_is_skipped(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "missing")
    (tmp_path / "circle.json").symlink_to(tmp_path / "circle.json")
    learners, skipped = read_folders([tmp_path])
    assert not learners and len(skipped) == 3


def test_names_cannot_move_the_cursor(tmp_path, capsys):
    folder = tmp_path / "\x1b[2Jeve"
    folder.mkdir()
    text = json.dumps(RIGHT).replace("It is turned.", "\\u001b[31mred\\nline")
    (folder / "exercises-1.json").write_text(text)
    (folder / "exercises-2.json").write_text("{")
    summary.main([str(tmp_path), "--picture", str(tmp_path / "summary.png")])
    out = capsys.readouterr().out
    assert "\x1b" not in out and "[31mred line" in out and "[2Jeve" in out


def test_nothing_found_says_how_to_make_one(tmp_path):
    with pytest.raises(SystemExit, match=r"report\(\)"):
        summary.main([str(tmp_path)])


def test_equal_names_in_two_groups_stay_two_learners_and_in_one_folder_are_one(tmp_path):
    for group in ("monday", "tuesday"):
        (tmp_path / group / "ada").mkdir(parents=True)
        for number in (1, 2):
            (tmp_path / group / "ada" / f"exercises-{number}.json").write_text(json.dumps(RIGHT))
    learners, _ = read_folders([tmp_path / "monday", tmp_path / "tuesday"])
    assert [Path(name).parts[-2:] for name in learners] == [("monday", "ada"), ("tuesday", "ada")]
    assert {works["scores"].tries for works in learners.values()} == {6}
    once, _ = read_folders([tmp_path / "monday", tmp_path / "monday"])
    assert {works["scores"].tries for works in once.values()} == {6}


def test_files_side_by_side_are_a_learner_each(tmp_path):
    for name in ("ada", "bo"):
        (tmp_path / f"{name}.json").write_text(json.dumps(RIGHT))
    assert set(read_folders([tmp_path])[0]) == {"ada", "bo"}


# A class


def simulated(folder, session, learners=30):
    """A class that works with the real checks; gives for each learner what was right and how often each mistake was met."""
    rng = random.Random(0)
    chosen = ["lookup", "scores", "scaled_scores", "masked", "weights"]
    truth = {}
    for number in range(learners):
        name = f"learner-{number:02}"
        session(f"exercises-{number:08x}.json")
        right = set()
        for exercise in chosen[:rng.randint(1, len(chosen))]:
            answer(exercise, STUB)
            for _ in range(rng.randint(0, 4)):
                answer(exercise, rng.choice(WRONG_ANSWERS[exercise])[0])
            if rng.random() < 0.6:
                answer(exercise, RIGHT_ANSWERS[exercise][0])
                right.add(exercise)
        report()
        (folder / name).mkdir()
        shutil.move(handing_in.NAME, folder / name)
        truth[name] = right
    return truth


def test_thirty_learners(session, tmp_path, capsys):
    handed_in = tmp_path / "handed in"
    handed_in.mkdir()
    truth = simulated(handed_in, session)
    capsys.readouterr()
    learners, skipped = read_folders([handed_in])
    assert not skipped
    assert {name: {e for e, work in works.items() if work.verdict == "right"} for name, works in learners.items()} == truth
    summary.main([str(handed_in), "--picture", "summary.png"])
    out = capsys.readouterr().out
    for exercise in ("lookup", "scores", "scaled_scores", "masked", "weights"):
        row = re.search(rf"^{places()[exercise]} +(\d+) +(\d+) +(\d+)", out, re.MULTILINE)
        works = [works[exercise] for works in learners.values() if exercise in works]
        right = sum(exercise in done for done in truth.values())
        assert [int(number) for number in row.groups()] == [
            len(works), right, sum(work.tries > 0 and work.verdict != "right" for work in works)]
    assert len(re.findall(r"^learner-\d\d ", out, re.MULTILINE)) == 30
    rows = summary.frequent(learners)
    assert rows == sorted(rows, key=lambda row: (-row[0], -row[1], list(places()).index(row[2]), row[3]))
    stuck, met, exercise, mistake = rows[0]
    having = [works[exercise] for works in learners.values() if exercise in works and mistake in works[exercise].mistakes]
    assert (stuck, met) == (sum(work.verdict != "right" for work in having), len(having))
    first = " ".join(re.search(r"^1\. (.*?)^2\. ", out, re.MULTILINE | re.DOTALL)[1].split())
    assert first == f"{places()[exercise]}: met by {met}, {stuck} not yet beyond it. {mistake}"
    image = np.asarray(Image.open(io.BytesIO(Path("summary.png").read_bytes())).convert("RGB"))
    green = (image == [0x00, 0x9E, 0x73]).all(axis=2)
    assert green.sum() > 500 * sum(map(len, truth.values()))


def test_every_exercise_has_its_lesson():
    assert set(places()) == set(EXERCISES)
    assert all(re.match(r"\d\d ", name) for name in places().values())


def test_the_summary_runs_from_anywhere(tmp_path):
    (tmp_path / "ada.json").write_text(json.dumps(RIGHT))
    command = [sys.executable, ROOT / "classroom" / "summary.py", tmp_path]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "ada" in done.stdout and (tmp_path / "summary.png").exists(), done.stderr
