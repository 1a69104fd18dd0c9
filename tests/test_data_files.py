"""data_files.py: a missing or damaged file in data/ is named, with what to do."""

import importlib.util
import json
import re
import shutil
import unicodedata

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


def places(part, path=()):
    """The paths to everything in a JSON object, down to words and numbers."""
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def replaced(whole, path, value):
    """A copy of the object with another value at the path."""
    copied = json.loads(json.dumps(whole))
    part = copied
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return copied


@pytest.mark.parametrize("odd", [None, [[]], {"x": {}}, "eleph ant", float("inf")], ids=str)
def test_whatever_a_hand_edit_breaks_the_file_is_named(file, name, odd):
    """An edit that the module cannot read is told with the file's name; others leave a module that works."""
    whole, named = json.loads(file.read_bytes()), 0
    for path in [path for path in places(whole) if path[0] != "vocabulary" or path[1:2] in ((), ("a",), ("une",), ("pad",))]:
        file.write_text(json.dumps(replaced(whole, path, odd)), encoding="utf-8")
        try:
            module = import_again(name)
        except ValueError as error:
            assert re.search(rf"^data/{name} is damaged: .*" + cured(name), str(error))
            named += 1
        else:
            assert module.encode()[0] and len(module.projections()) >= 3
    assert named > 20


@pytest.mark.parametrize(("file_name", "path", "value", "reason"), [
    ("example.json", ("vocabulary", "cat", "alife"), 1, "embeddings: 'cat': unknown feature 'alife'; expected one of det, adj"),
    ("example.json", ("vocabulary", "cat", "alive"), "1", "embeddings: 'cat': alive must be a real number, got '1'"),
    ("example.json", ("vocabulary", "cat"), ["alive"], r"embeddings: 'cat': expected numbers by feature, got \['alive'\]"),
    ("example.json", ("sentence",), "A fluffy zebra.", "tokenize: unknown word 'zebra'"),
    ("example.json", ("heads", 1, "seeks"), {"verbs": 8}, "Head 'subject': unknown feature 'verbs'"),
    ("example.json", ("heads", 1), {"name": "subject"}, "it has no 'question'"),
    ("example.json", ("mole", "vocabulary", "shrew", "plant"), 1, "embeddings: 'shrew': unknown feature 'plant'"),
    ("translation.json", ("sentences", "Spanish"), "La criatura.", "tokenize: unknown word 'criatura'"),
    ("translation.json", ("vocabulary", "chat", "feline"), 1, "embeddings: 'chat': unknown feature 'feline'"),
    ("translation.json", ("head", "reads"), ["gender"], "head: unknown features gender; expected some of det"),
    ("translation.json", ("head", "strength"), "12", "head: strength must be a real number, got '12'"),
])
def test_a_slip_in_an_entry_is_told_with_its_place(tmp_path, monkeypatch, file_name, path, value, reason):
    whole = json.loads((data_files.FOLDER / file_name).read_bytes())
    monkeypatch.setattr(data_files, "FOLDER", tmp_path)
    (tmp_path / file_name).write_text(json.dumps(replaced(whole, path, value)), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"^data/{file_name} is damaged: {reason}.*" + cured(file_name)):
        import_again(file_name)


def test_a_file_typed_on_another_machine_is_the_same(file, name):
    file.write_text(unicodedata.normalize("NFD", file.read_text(encoding="utf-8")), encoding="utf-8")
    assert import_again(name).VOCABULARY == MODULES[name].VOCABULARY
