"""What TEACHING.md says of a cell, for the notes of its slide: every row of a table that names the cell."""

import re
from collections import defaultdict

HEADING = re.compile(r"#+ (.*)")
CELL = re.compile(r"\[`(\w+): ([\w-]+)`\]\([^)]*\)")
NAMING = ("cells", "cell that shows it", "explorer")  # the heads of the columns whose cells a row is about
LESSON = "lesson"


def notes(text):
    """For each cell what the rows that name it say: {(lesson, cell): [(heading, {head: words})]}.

    Parameters
    ----------
    text : str
        A guide with tables, as TEACHING.md.

    Raises
    ------
    ValueError
        For a row with more or fewer fields than its head.
    """
    found, headings, heads = defaultdict(list), {}, None
    for line in text.splitlines():
        if heading := HEADING.match(line):
            headings = {level: words for level, words in headings.items() if level < line.index(" ")}
            headings[line.index(" ")] = heading[1]
        if not line.startswith("|"):
            heads = None
        elif heads is None:
            heads = _entries(line)
        elif set(line) - set("|-: "):
            row = _row(heads, line)
            under = ", ".join(words for level, words in headings.items() if level > 1)
            said = {head: CELL.sub(r"\2", words) for head, words in row.items() if words and head not in (*NAMING, LESSON)}
            for cell in CELL.findall(" ".join(row.get(head, "") for head in NAMING)):
                found[cell].append((under, said))
    return dict(found)


def _row(heads, line):
    entries = _entries(line)
    if len(entries) != len(heads):
        raise ValueError(f"notes: a row has {len(entries)} fields, the head of its table {len(heads)}: {line[:80]}")
    return dict(zip(heads, entries, strict=True))


def _entries(line):
    return [entry.strip() for entry in line.strip().strip("|").split("|")]
