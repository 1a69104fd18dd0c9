"""data_files.py: a missing or damaged file in data/ is named, with what to do."""

import importlib.util
import json
import shutil

import pytest

from helpers import data_files, example, translation

MODULES = {"example.json": example, "translation.json": translation}


@pytest.fixture(params=MODULES)
def name(request):
    return request.param


@pytest.fixture
def file(name, tmp_path, monkeypatch):
    """A copy of the file that a test may damage."""
    shutil.copy(data_files.FOLDER / name, tmp_path)
    monkeypatch.setattr(data_files, "FOLDER", tmp_path)
    return tmp_path / name


def import_again(name):
    """Run the module that reads the file once more, beside the one that is loaded."""
    spec = importlib.util.spec_from_file_location(MODULES[name].__name__ + "_again", MODULES[name].__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cured(name):
    return rf".*\(`git checkout -- data/{name}`\); data/README\.md says where it comes from\.$"


def test_a_whole_file_is_read(file, name):
    assert vars(MODULES[name])["VOCABULARY"] == import_again(name).VOCABULARY == json.loads(file.read_bytes())["vocabulary"]


def test_a_missing_file_is_named(file, name):
    file.unlink()
    with pytest.raises(FileNotFoundError, match=rf"^data/{name} is missing\." + cured(name)):
        import_again(name)


@pytest.mark.parametrize(("damage", "reason"), [
    (lambda content: b"", "Expecting value"),
    (lambda content: content[:len(content) // 2], "line [0-9]+ column [0-9]+"),
    (lambda content: content.replace(b'"', b"\xff", 1), "utf-8"),
    (lambda content: b"[" + content + b"]", "it should hold an object, got list"),
], ids=["empty", "cut off", "not UTF-8", "a list"])
def test_a_damaged_file_is_named(file, name, damage, reason):
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match=rf"^data/{name} is damaged: .*{reason}" + cured(name)):
        import_again(name)


def test_a_file_without_one_of_its_parts_is_named(file, name):
    whole = json.loads(file.read_bytes())
    for part in whole:
        file.write_text(json.dumps({key: whole[key] for key in whole if key != part}), encoding="utf-8")
        with pytest.raises(ValueError, match=rf"^data/{name} is damaged: it has no '{part}'\." + cured(name)):
            import_again(name)
