"""From the cells of a lesson to the beats of its slides: question, code, result, reading. By rule, the same for all lessons."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from lessons import HOW_TO_SOLVE, LEFT_OUT

from classroom.class_copy import reads
from helpers.exercises.checking import EXERCISES, solution
from tools.minutes import DEEPER, GENERATED, PREDICTION, SHORT_PATH_ENDS, SITE_LINE

LEFT_OUT_IDS = {*GENERATED, SHORT_PATH_ENDS, "setup"}
CHECK_YOURSELF = "*Check yourself:*"
CHECK = re.compile(r"^check_(\w+)\(", re.MULTILINE)
HEADING = re.compile(r"#+ (.*)\n*")
ANSWER = re.compile(r"<details>\s*<summary>.*?</summary>\s*(.*?)\s*</details>", re.DOTALL)
SENTENCE_ENDS = re.compile(r"(?<=[.?!])[)\"”*]*\s+(?=[^\sa-z])")
TO_BE_SEEN = re.compile(r"\$\$|^\||^(?:[-*]|\d+\.) ", re.MULTILINE)  # formulas, tables and lists are not only said


@dataclass
class Beat:
    """What belongs together on the wall: texts in Markdown, the code, what it gives."""

    title: str
    name: str                   # the id of its code cell, or of its text
    cells: list                 # the ids of all cells it is made of
    context: str = ""
    question: str = ""
    code: str = ""
    outputs: list = field(default_factory=list)
    solution: str = ""          # the code that solves an exercise, in place of outputs
    reading: str = ""
    deeper: bool = False


def beats(cells):
    """The beats of a lesson, in their order.

    Parameters
    ----------
    cells : list of notebook cells
        As they have been run.

    Returns
    -------
    list of Beat
    """
    found, title, deeper = [], "", False
    cells = [cell for cell in cells if cell.id not in LEFT_OUT_IDS and LEFT_OUT not in cell.metadata.get("tags", [])]
    open_beat = None            # has its text, and waits for code
    for before, cell, after in zip([None, *cells], cells, [*cells[1:], None], strict=False):
        if cell.cell_type == "code":
            last = open_beat or Beat(title, cell.id, [], question=_still_open(found, before), deeper=deeper)
            found += [] if open_beat else [last]
            _run(last, cell)
            open_beat = None
            continue
        source = HOW_TO_SOLVE.sub("", SITE_LINE.sub("", cell.source))
        if heading := HEADING.match(source):
            deeper, title, source = source.startswith(DEEPER), heading[1], source[heading.end():]
        reading = ""
        if reads(cell, before):
            reading, source = _reading(source, after)
            found[-1].reading, found[-1].cells = reading, [*found[-1].cells, cell.id]
        if source.strip():
            found += _asking(title, cell.id, source, deeper)
            open_beat = found[-1]
    return [one for beat in found for one in _with_rest(beat)]


def _with_rest(beat):
    """A beat; when its reading goes on with a formula, a list or a table, a second one that shows this."""
    yield beat
    if beat.code and TO_BE_SEEN.search(condensed(beat.reading)[1]):
        yield Beat(beat.title, f"{beat.name}-more", [], context=condensed(beat.reading)[1], deeper=beat.deeper)


def _still_open(found, before):
    """The question that the next code answers too, when no text has read a result since."""
    return found[-1].question if before is not None and before.cell_type == "code" and found else ""


def _run(beat, cell):
    """Put a code cell into a beat."""
    check = CHECK.search(cell.source)
    beat.name, beat.cells = cell.id, [*beat.cells, cell.id]
    beat.code, beat.outputs = cell.source, [] if check else cell.outputs
    beat.solution = solution(EXERCISES[check[1]].reference) if check else ""


def _asking(title, name, source, deeper):
    """What begins with a text: a beat with what comes before its question and the question; a recap's has one of its own."""
    if CHECK_YOURSELF in source:
        recap, question = source.split(CHECK_YOURSELF)
        answer, question = ANSWER.search(question)[1], ANSWER.sub("", question).strip()
        return [Beat(title, name, [name], recap.strip(), deeper=deeper),
                Beat("Check yourself", f"{name}-check", [name], question=question[:1].upper() + question[1:],
                     reading=answer, deeper=deeper)]
    context, asks, question = source.partition(PREDICTION)
    return [Beat(title, name, [name], context.strip(), asks + question, deeper=deeper)]


def _reading(source, after):
    """A text below a result in two: what reads the result, and what leads to the next one."""
    reading, asks, question = source.partition(PREDICTION)
    if asks or after is None or after.cell_type != "code":
        return reading.strip(), asks + question
    blocks = source.strip().split("\n\n")
    keep = len(blocks) - (2 if blocks[-1].startswith("$$") else 1)
    if keep > 0:
        return "\n\n".join(blocks[:keep]), "\n\n".join(blocks[keep:])
    parts = sentences(source.strip())
    return (" ".join(parts[:-1]), parts[-1]) if len(parts) > 1 else (source.strip(), "")


def sentences(text):
    """The sentences of a paragraph; what stands in quotation marks, brackets, bold type or a formula is not cut.

    >>> sentences("It is $a. B$. **One. Two.** (Three. Four.) Five: Six.")
    ['It is $a. B$.', '**One. Two.**', '(Three. Four.)', 'Five: Six.']
    """
    places = [end.end() for end in SENTENCE_ENDS.finditer(text) if _closed(text[:end.end()])]
    return [text[one:other].strip() for one, other in pairwise([0, *places, len(text)])]


def _closed(text):
    return (all(text.count(mark) % 2 == 0 for mark in ("**", "`", "$", '"'))
            and text.replace("**", "").count("*") % 2 == 0 and text.count("(") == text.count(")"))


def condensed(reading):
    """A reading in two: what stands beside the result, its first sentence, and the rest.

    >>> condensed("It grows. Twice as fast.")
    ('It grows.', 'Twice as fast.')
    """
    first, *blocks = reading.split("\n\n")
    if TO_BE_SEEN.search(first):
        return reading, ""
    said, *more = sentences(first)
    if not more and said.endswith(":") and blocks:
        return "\n\n".join([said, blocks[0]]), "\n\n".join(blocks[1:])
    return said, "\n\n".join(filter(None, [" ".join(more), *blocks]))
