"""What `make refresh` writes into the text of the lessons and the README: minutes, navigation, the table of lessons."""

import re
from pathlib import Path
from typing import NamedTuple

import nbformat

from .minutes import SHORT_PATH, SITE_LINE, Minutes, is_deeper, minutes

SITE = "https://OWNER.github.io/REPO"  # where the site is published
PAGE, RUNNABLE = "lessons/{}.html", "python/notebooks/index.html?path=notebooks/{}.ipynb"  # a lesson on it, to read and to run

MAP = "00_start_here"
README_LINE = re.compile(r"^\[Read the lessons with moving sliders\]\(.*$", re.MULTILINE)
README_START, README_END = "<!-- lessons: written by make refresh -->", "<!-- end of lessons -->"
TITLE_LINE = re.compile(r"^\*\d+ minutes?(?:, Deeper \d+ more)? · document (§.+)\*$", re.MULTILINE)
DEEPER_HEADING = re.compile(r"^(## Deeper: .*?) *(?:\((§[^()]*?)?(?:, )?(?:\d+ minutes?)?\))? *$", re.MULTILINE)


class Lesson(NamedTuple):
    """What the navigation and the tables say about a lesson."""

    path: Path
    title: str
    sections: str
    minutes: Minutes


def read_lesson(path, notebook):
    """The lesson in a file, its minutes computed."""
    first = notebook.cells[0].source
    heading, line = re.match(r"# (\d\d) · (.+)", first), TITLE_LINE.search(first)
    if not heading or not line:
        raise ValueError(f"{path.name}: the first cell needs a heading '# NN · title' and a line '*0 minutes · document §N*'")
    try:
        time = minutes(notebook.cells, heading[1])
    except SyntaxError as error:
        raise ValueError(f"{path.name}: a cell is not Python: {error}") from error
    return Lesson(path, f"{heading[1]} {heading[2].strip()}", line[1], time)


# Minutes


def set_minutes(notebook, lesson):
    """Write the minutes into the title line and the Deeper headings."""
    first = notebook.cells[0]
    first.source = TITLE_LINE.sub(title_line(lesson).replace("\\", r"\\"), first.source, count=1)
    headings = [cell for cell in notebook.cells if is_deeper(cell)]
    for cell, time in zip(headings, lesson.minutes.deeper, strict=True):
        cell.source = deeper_heading(cell.source, time)


def title_line(lesson):
    """``*19 minutes, Deeper 14 more · document §8*``."""
    deeper = sum(lesson.minutes.deeper)
    more = f", Deeper {deeper} more" if deeper else ""
    return f"*{_minutes(lesson.minutes.core)}{more} · document {lesson.sections}*"


def deeper_heading(source, time):
    """The source of a cell with the minutes in its first line: ``## Deeper: … (§8, 6 minutes)``."""
    heading, end, rest = source.partition("\n")
    words, sections = DEEPER_HEADING.fullmatch(heading).groups()
    return f"{words} ({f'{sections}, ' if sections else ''}{_minutes(time)}){end}{rest}"


def _minutes(number):
    return f"{number} minute{'s' * (number != 1)}"


# Navigation


def navigation(lesson, lessons):
    """Links to the lesson before this one, to the map of lessons and to the lesson after it."""
    place = lessons.index(lesson)
    links = [f"← {_link(other)}" for other in lessons[max(place - 1, 0) : place]]
    if lesson.path.stem != MAP:
        links += [f"[Map of lessons]({other.path.name})" for other in lessons if other.path.stem == MAP]
    links += [f"{_link(other)} →" for other in lessons[place + 1 : place + 2]]
    return " · ".join(links)


def _link(lesson, folder=""):
    return f"[{lesson.title}]({folder}{lesson.path.name})"


def set_navigation(notebook, text):
    """Make `text` the last cell, under the id `navigation`."""
    notebook.cells = [cell for cell in notebook.cells if cell.id != "navigation"]
    notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="navigation"))


# Links to the site


def site_line(lesson):
    """Links to the page of a lesson on the site, and to the lesson in a Python that runs in the browser."""
    page, runnable = (f"{SITE}/{address.format(lesson.path.stem)}" for address in (PAGE, RUNNABLE))
    return f"[This lesson with moving sliders]({page}) · [run it in your browser]({runnable})"


def set_site_line(notebook, text):
    """Write `text` into the first cell, below the line with the minutes."""
    first = notebook.cells[0]
    first.source = TITLE_LINE.sub(lambda line: f"{line[0]}\n\n{text}", SITE_LINE.sub("", first.source + "\n\n"), count=1).strip()


# Tables of the lessons


def lesson_map(lessons, folder=""):
    """The table of lessons, whose links start in `folder`, and a line on the short path."""
    times = [lesson.minutes for lesson in lessons]
    short = sum(time.short for time in times)
    rows = ["| lesson | minutes | Deeper | short path | document |", "|---|---|---|---|---|"]
    rows += [_row(_link(lesson, folder), lesson.minutes.core, sum(lesson.minutes.deeper), _short(lesson.minutes),
                  lesson.sections) for lesson in lessons]
    rows.append(_row("all", sum(time.core for time in times), sum(sum(time.deeper) for time in times), short, ""))
    return "\n".join(rows) + "\n\n" + SHORT_PATH_LINE.format(SHORT_PATH[0], SHORT_PATH[-1], _minutes(short))


SHORT_PATH_LINE = ("The **short path** goes through lessons {} to {} in {}, exercises not counted. Where it takes only the"
                   " first part of a lesson, the lesson says where to leave.")


def _row(*fields):
    return f"| {' | '.join(str(field or '') for field in fields)} |"


def _short(time):
    return f"{time.short}, first part" if time.only_first_part else time.short


def set_map(notebook, lessons):
    """Write the table of lessons into the cell with the id `map`, where there is one."""
    for cell in notebook.cells:
        if cell.id == "map":
            cell.source = f"## Map of the lessons\n\n{lesson_map(lessons)}"


def readme_with_map(text, lessons):
    """The README's text with the table of lessons between its two marks, and its line of links to the site."""
    links = f"[Read the lessons with moving sliders]({SITE}/) · [run them in your browser]({SITE}/python/)"
    before, rest = README_LINE.sub(links, text).split(README_START)
    after = rest.split(README_END)[1]
    return f"{before}{README_START}\n\n{lesson_map(lessons, 'notebooks/')}\n\n{README_END}{after}"
