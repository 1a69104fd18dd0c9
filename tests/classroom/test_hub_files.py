"""What the hub gives a learner, as far as it needs neither the hub nor root; the values for a cluster name what exists."""

import os
import subprocess
import sys

import yaml
from series import PATHS, ROOT

from classroom.jupyterhub import private_copy
from classroom.jupyterhub.reach import closed_to_learners

VALUES = yaml.safe_load((ROOT / "classroom" / "jupyterhub" / "values.yaml").read_text(encoding="utf-8"))


def test_a_home_gets_the_lessons_once(tmp_path):
    private_copy.make(tmp_path)
    lessons = tmp_path / "notebooks"
    assert {path.name for path in lessons.iterdir()} == {"helpers.py", *(path.name for path in PATHS)}
    changed, gone = lessons / PATHS[0].name, lessons / PATHS[1].name
    changed.write_text("mine")
    gone.unlink()
    (tmp_path / "data").unlink()
    (tmp_path / "data").symlink_to(tmp_path / "where the project was")
    private_copy.make(tmp_path)
    assert changed.read_text() == "mine"
    assert gone.read_bytes() == PATHS[1].read_bytes()
    assert (tmp_path / "data").resolve() == ROOT / "data"


def test_the_copy_becomes_the_command(tmp_path):
    command = [sys.executable, private_copy.__file__, sys.executable, "-c", "print('the server')"]
    done = subprocess.run(command, env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True)
    assert done.stdout == "the server\n", done.stderr
    assert (tmp_path / "notebooks" / PATHS[3].name).exists()


def test_the_values_name_what_exists():
    singleuser = VALUES["singleuser"]
    _, script, server = singleuser["cmd"]
    assert (ROOT / script.removeprefix("/srv/attention/")).is_file() and server == "jupyterhub-singleuser"
    assert (ROOT / singleuser["defaultUrl"].removeprefix("/lab/tree/")).is_file()
    assert (ROOT / singleuser["extraEnv"]["JUPYTER_CONFIG_PATH"].removeprefix("/srv/attention/")).is_dir()


def test_a_closed_folder_on_the_way_is_named(tmp_path):
    place = tmp_path.resolve() / "closed" / "python"
    place.mkdir(parents=True)
    place.parent.chmod(0o700)
    found = closed_to_learners(place)
    assert found == place.parent or found in place.parent.parents    # a folder of tests may itself be closed
    assert closed_to_learners("/") is None
