"""The minutes, as `make refresh` writes them, and how long a lesson may be."""

from series import LESSONS, READ, ROOT

from tools.maps import deeper_heading, lesson_map, readme_with_map, title_line
from tools.minutes import SHORT_PATH, is_deeper

CORE, LONG_CORES = 20, {"13_training": 30, "15_real_head": 30, "16_review": 30}  # minutes, at most
WHOLE_SHORT_PATH = 100


def test_title_says_the_minutes(path, notebook):
    expected = title_line(LESSONS[path])
    assert expected in notebook.cells[0].source.splitlines(), f"{path.stem}, {notebook.cells[0].id}: expected {expected!r}"


def test_deeper_headings_say_the_minutes(path, notebook):
    headings = [cell for cell in notebook.cells if is_deeper(cell)]
    for cell, time in zip(headings, LESSONS[path].minutes.deeper, strict=True):
        expected = deeper_heading(cell.source, time)
        assert cell.source == expected, f"{path.stem}, {cell.id}: expected {expected.splitlines()[0]!r}"


def test_core_is_short(path):
    core, longest = LESSONS[path].minutes.core, LONG_CORES.get(path.stem, CORE)
    assert core <= longest, f"{path.stem}: the core takes {core} minutes; at most {longest} are right"


def test_short_path_is_short():
    times = {path.stem: lesson.minutes.short for path, lesson in LESSONS.items() if lesson.minutes.short}
    assert [stem[:2] for stem in times] == SHORT_PATH
    assert sum(times.values()) <= WHOLE_SHORT_PATH, f"{sum(times.values())} minutes: {times}"


def test_map_of_lessons_is_current():
    start = READ[ROOT / "notebooks" / "00_start_here.ipynb"]
    (cell,) = [cell for cell in start.cells if cell.id == "map"]
    assert lesson_map(list(LESSONS.values())) in cell.source, "00_start_here, map: `make refresh` writes it"


def test_readme_has_the_map():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == readme_with_map(readme, list(LESSONS.values())), "the table of lessons: `make refresh` writes it"
