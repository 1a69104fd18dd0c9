"""The recorded layer: the file, what is wrong with one, and the programs themselves where they are installed."""

import hashlib
import runpy
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers import data_files, example
from helpers.explorers import explore_dialects
from helpers.real_code import FILE, H, batch, from_flax, from_hugging_face, from_pytorch, recorded

DATA = Path(__file__).resolve().parent.parent / "data"
PARTS = ["cached", "flax", "grouped", "hugging_face", "ours", "pytorch", "sdpa"]
NEEDS = {"flax": "flax", "hugging_face": "transformers", "grouped": "transformers"}


def test_the_checksum_is_that_of_the_file():
    digest = hashlib.sha256((DATA / FILE).read_bytes()).hexdigest()
    assert f"{digest}  {FILE}" in (DATA / "SHA256SUMS").read_text().splitlines()


def test_sums_are_those_of_all_files(tmp_path):
    for file in DATA.glob("*.npz"):
        shutil.copy(file, tmp_path)
    runpy.run_path(str(DATA / "checksums.py"))["write_sums"](tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == (DATA / "SHA256SUMS").read_text()


@pytest.mark.parametrize("damage", [lambda content: content[:900], lambda content: b"", lambda content: b"PK" + content])
def test_a_damaged_file_is_named_with_a_cure(tmp_path, monkeypatch, damage):
    (tmp_path / FILE).write_bytes(damage((DATA / FILE).read_bytes()))
    monkeypatch.setattr(data_files, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=rf"^data/{FILE} is damaged: .*git checkout -- data/{FILE}"):
        recorded("pytorch")


def test_a_part_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(ValueError, match=r"^recorded: part must be one of cached, flax, grouped, .*, got 'jax'$"):
        recorded("jax")


@pytest.mark.parametrize(("part", "read"), [("pytorch", from_pytorch), ("hugging_face", from_hugging_face), ("flax", from_flax)])
def test_each_program_holds_our_layer(part, read):
    ours, theirs = recorded("ours"), read(recorded(part))
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        np.testing.assert_array_equal(theirs[name], array)


@pytest.mark.parametrize("part", PARTS)
def test_the_programs_still_give_what_was_recorded(part, monkeypatch):
    for package in {"torch", NEEDS.get(part, "torch")}:
        pytest.importorskip(package)
    monkeypatch.setattr(sys, "path", [str(DATA), *sys.path])
    made, kept = runpy.run_path(str(DATA / "record_dialects.py"))["parts"]()[part](), recorded(part)
    assert made.keys() == kept.keys()
    for name, array in kept.items():
        assert made[name].dtype == array.dtype
        np.testing.assert_allclose(made[name], array, atol=2e-5)


def test_times_are_of_equal_lengths():
    times = recorded("times")
    assert len(times["lengths"]) == len(times["seconds.numpy"]) == len(times["seconds.PyTorch"])
    assert min(times["seconds.numpy"].min(), times["seconds.PyTorch"].min()) > 0


def test_a_batch_is_padded_in_front():
    X, keep = batch(["The soft cat slept.", "Every bird!", example.SENTENCE])
    assert X.shape == (3, 9, 12) and keep.sum(axis=1).tolist() == [5, 3, 9]
    assert not X[~keep].any()
    np.testing.assert_array_equal(X[1, 6:], example.encode("Every bird!")[1])


@pytest.mark.parametrize(("sentences", "message"), [
    ([], r"^batch: sentences must be a list of at least one sentence, got \[\]"),
    ("The cat slept.", r"^batch: sentences must be a list .* got 'The cat slept\.'"),
    (["The cat sneezed."], r"unknown word 'sneezed'"), (["the " * 13], "12")])
def test_odd_batches_are_named(sentences, message):
    with pytest.raises((TypeError, ValueError), match=message):
        batch(sentences)
    with pytest.raises((TypeError, ValueError), match=message):
        explore_dialects(sentences)


def test_the_explorer_takes_four_sentences():
    explore_dialects(["The cat slept."] * 4)
    with pytest.raises(ValueError, match=r"^explore_dialects: sentences must be at most 4, got 5$"):
        explore_dialects(["The cat slept."] * 5)


def test_the_explorer_starts_at_the_truth_of_every_program():
    explorer = explore_dialects()
    for state in explorer.states():
        matrix, bars, note = explorer.views(**state)
        if (state["mask"], state["slip"]) == ("as meant", "none"):
            assert note.words.endswith("Weights and outputs are the true ones.") and not bars.values.round(4).any()
            recorded_weights = recorded("pytorch")["weights"][state["text"], state["head"]]
            np.testing.assert_allclose(matrix.values, np.nan_to_num(recorded_weights), atol=1e-5)
        elif state["mask"] == "turned over":
            assert bars.values.max() > 0.1


def test_only_some_misreadings_harm():
    explorer, harmless = explore_dialects(), set()
    for state in explorer.states():
        if state["mask"] == "as meant" and explorer.views(**state)[1].values.max() < 1e-4:
            harmless.add((state["program"], state["slip"]))
    every = {("PyTorch, function", slip) for slip in ("none", "turned wrongly", "cut by heads", "reshape only")}
    others = ("PyTorch, layer", "Hugging Face", "Flax")
    assert harmless == every | {(name, "none") for name in others} | {(name, "cut by heads") for name in others[1:]}
    assert H == 4
