"""From the cells of a lesson to the beats of its slides, and from the guide for teachers to their notes."""

import pytest
from beats import beats, condensed
from lessons import LEFT_OUT, executed
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from notes import notes
from series import PATHS
from slides import Texts, sections

ASK = "## A heading\n\nSome context.\n\n**Before you run it:** how many?"


def code(source, output="", name=None):
    return new_code_cell(source, outputs=[new_output("stream", text=output)] if output else [], **({"id": name} if name else {}))


def text(source, name="text"):
    return new_markdown_cell(source, id=name)


def squeezed(words):
    """A text without its spaces."""
    return "".join(words.split())


def seen(*cells):
    """Of each beat what it holds, in short."""
    found = [(beat.title, beat.context, beat.question, beat.code, beat.reading) for beat in beats(cells)]
    return [[part for part in parts if part] for parts in found]


def test_a_beat_is_question_code_result_and_reading():
    (beat,) = beats([text(ASK, "ask"), code("2 + 2", "4", "sum"), text("There are four. As always.", "read")])
    assert (beat.title, beat.context, beat.question) == ("A heading", "Some context.", "**Before you run it:** how many?")
    assert (beat.code, beat.outputs[0].text, beat.reading) == ("2 + 2", "4", "There are four. As always.")
    assert (beat.name, beat.cells) == ("sum", ["ask", "sum", "read"])


def test_the_next_question_begins_a_beat():
    assert seen(text(ASK), code("a", "4"), text("Four.\n\n**Before you run it:** and now?"), code("b", "5"), text("Five.")) == [
        ["A heading", "Some context.", "**Before you run it:** how many?", "a", "Four."],
        ["A heading", "**Before you run it:** and now?", "b", "Five."]]


def test_what_leads_to_the_next_code_belongs_to_it():
    one, two = code("a", "1"), code("b", "2")
    assert seen(one, text("One. It grows.\n\nNow twice:"), two) == [["a", "One. It grows."], ["Now twice:", "b"]]
    assert seen(one, text("One. It grows. Now twice:"), two) == [["a", "One. It grows."], ["Now twice:", "b"]]
    assert seen(one, text("One.\n\nWritten:\n\n$$x$$"), two) == [["a", "One."], ["Written:\n\n$$x$$", "b"]]


def test_a_question_stays_until_a_text_has_read_a_result():
    asked = "**Before you run it:** how many?"
    assert seen(text(ASK), code("def f"), code("f()", "4"), text("Four."), code("g()", "5")) == [
        ["A heading", "Some context.", asked, "def f"], ["A heading", asked, "f()", "Four."], ["A heading", "g()"]]


def test_an_exercise_has_its_solution_and_no_word_of_how_to_print_it():
    task = text('## Exercise\n\nWrite `scores(Q, K)`. (`show_solution("scores")`, from `helpers.exercises`, prints one way.)')
    (beat,) = beats([task, code("def scores(Q, K):\n    ...\n\ncheck_scores(scores)", "Not yet")])
    assert beat.context == "Write `scores(Q, K)`." and "return Q @ K.T" in beat.solution and beat.outputs == []


def test_what_is_not_for_the_wall_is_left_out():
    check = code("check")
    check.metadata["tags"] = [LEFT_OUT]
    assert seen(code("import x", name="setup"), check, text("← before", "navigation"), text("## Only a heading")) == []


def test_a_recap_asks_for_itself():
    recap = "## Recap\n\n- One.\n\n*Check yourself:* why?\n\n<details>\n<summary>Answer</summary>\n\nBecause.\n\n</details>"
    assert seen(text(recap)) == [["Recap", "- One."], ["Check yourself", "Why?", "Because."]]


def test_deeper_begins_with_its_heading():
    assert [beat.deeper for beat in beats([text(ASK), code("a"), text("## Deeper: more\n\nMore."), code("b")])] == [False, True]


def test_beside_a_result_stands_the_first_sentence_and_a_formula_gets_a_slide():
    assert condensed("It is **a. b.** Then more.\n\nAnd more.") == ("It is **a. b.**", "Then more.\n\nAnd more.")
    assert condensed("It is:\n\n$$x$$\n\nMore.") == ("It is:\n\n$$x$$", "More.")
    assert seen(code("a", "1"), text("One. Two.\n\n$$x$$"))[1:] == [["Two.\n\n$$x$$"]]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_word_of_a_lesson_is_lost(site, path):
    """Every text is on a slide or in the notes; but for set-up, navigation, and the line that prints a solution."""
    cells = [cell for cell in executed(path)[0].cells if LEFT_OUT not in cell.metadata.get("tags", [])]
    made = beats(cells)
    kept = squeezed("".join(beat.context + beat.question + beat.reading for beat in made))
    for cell in cells:
        if cell.cell_type == "markdown" and cell.id not in ("navigation", "map", "short-path-ends", "title"):
            for line in cell.source.splitlines():
                words = line.removeprefix("*Check yourself:* ")[1:]
                assert line.startswith(("#", "<")) or "show_solution" in line or squeezed(words) in kept, cell.id
    wanted = [cell.source for cell in cells if cell.cell_type == "code" and cell.id != "setup"]
    assert [beat.code for beat in made if beat.code] == wanted


def test_notes_are_the_rows_that_name_a_cell():
    guide = """# Guide

## Plan A

| lesson | cells | min | ask | skip |
|---|---|---|---|---|
| 03 | [`03_scores: one`](x), [`03_scores: two`](y) | 9 | "Why?" as in [`03_scores: three`](z) | [`03_scores: four`](w) |

### First half

| you hear | cell that shows it |
|---|---|
| it is symmetric | [`03_scores: two`](y) |
"""
    found = notes(guide)
    row = {"min": "9", "ask": '"Why?" as in three', "skip": "four"}
    assert found == {("03_scores", "one"): [("Plan A", row)],
                     ("03_scores", "two"): [("Plan A", row), ("Plan A, First half", {"you hear": "it is symmetric"})]}


def test_a_quiz_is_a_slide_for_each_question():
    from frozen import quiz_html

    from helpers.quiz import Choice, Question, Quiz

    choices = [Choice("a", "Yes", True), Choice("b", "No", False)]
    cell = code("quiz()", name="quiz")
    cell.outputs = [new_output("execute_result", {"text/html": quiz_html(Quiz("Title", [Question("Which?", choices)] * 3))})]
    (beat,) = beats([text("## Quiz\n\nThree questions."), cell])
    html = sections(beat, Texts(), [])
    assert html.count("<section") == 4 and html.count("attn-question") == 3 and "<pre" not in html


def test_a_row_that_does_not_fit_its_table_is_shown():
    with pytest.raises(ValueError, match=r"a row has 2 fields, the head of its table 3: \| 03 \| x \|"):
        notes("| lesson | cells | min |\n|---|---|---|\n| 03 | x |\n")
