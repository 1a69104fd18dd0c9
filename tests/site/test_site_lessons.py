"""From a notebook to the cells of its page; explorers, quizzes and formulas as HTML."""

import base64
import gzip
import json
import re
import shutil

import ipywidgets as widgets
import lessons
import pytest
from frozen import explorer_html, packed, quiz_html, words
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from series import PATHS, ROOT
from visits import NODE

from helpers.interactive import Explorer
from helpers.quiz import Choice, Question, Quiz
from helpers.views import Matrix, Note
from tools.maps import SITE

ASK = "## A heading\n\n**Before you run it:** how many?"


def code(source, output=""):
    outputs = [new_output("stream", text=output)] if output else []
    return new_code_cell(source, outputs=outputs)


def seen(cells):
    """The cells in short: the text; > code; < output; ( and ) around what is folded."""
    short = []
    for cell in lessons.page(cells):
        if cell.source.startswith("<details"):
            short.append("(")
        elif cell.source == "</details>":
            short.append(")")
        elif cell.cell_type == "markdown":
            short.append(cell.source)
        else:
            short += [f"> {cell.source}"] * ("remove-input" not in cell.metadata.get("tags", []))
            short += [f"< {output.text}" for output in cell.outputs]
    return short


def test_a_result_and_what_reads_it_are_folded():
    assert seen([new_markdown_cell(ASK), code("2 + 2", "4"), new_markdown_cell("Four."), code("1", "1")]) == [
        ASK, "> 2 + 2", "(", "< 4", "Four.", ")", "> 1", "< 1"]


def test_each_result_of_several_cells_is_folded():
    cells = [new_markdown_cell(ASK), code("def f"), code("a", "A"), code("b", "B"), new_markdown_cell("Read.")]
    assert seen(cells) == [ASK, "> def f", "> a", "(", "< A", ")", "> b", "(", "< B", "Read.", ")"]


def test_the_next_question_is_not_folded():
    read = "It was four.\n\n**Before you run it:** and now?"
    assert seen([new_markdown_cell(ASK), code("a", "4"), new_markdown_cell(read), code("b", "5")]) == [
        ASK, "> a", "(", "< 4", "It was four.", ")", "**Before you run it:** and now?", "> b", "(", "< 5", ")"]


def test_a_heading_below_a_result_is_not_folded():
    assert seen([new_markdown_cell(ASK), code("a", "4"), new_markdown_cell("## Next")]) == [
        ASK, "> a", "(", "< 4", ")", "## Next"]


def test_an_explorer_is_never_folded():
    explorer = new_code_cell("e", outputs=[new_output("execute_result", {"text/html": '<div class="attn attn-frozen">'})])
    cells = lessons.page([new_markdown_cell(ASK), explorer])
    assert [cell.source for cell in cells] == [ASK, "e"] and cells[1].outputs == explorer.outputs


def test_an_exercise_has_its_solution_instead_of_the_check():
    shown = seen([code("def scores(Q, K):\n    ...\n\ncheck_scores(scores)", "Not yet: …")])
    assert shown[0].startswith("> def scores") and shown[1] == "(" and "return Q @ K.T" in shown[2] and shown[3:] == [")"]


def test_setup_is_folded_and_what_needs_a_kernel_is_left_out():
    setup, check = new_code_cell("import x", id="setup"), code("check", "True")
    check.metadata["tags"] = [lessons.LEFT_OUT]
    assert seen([setup, check, new_markdown_cell("← before", id="navigation")]) == ["(", "> import x", ")"]


def title():
    return [new_markdown_cell(f"# 03 · Scores\n\n*9 minutes*\n\n[This lesson with moving sliders]({SITE}/a.html) · "
                              f"[run it in your browser]({SITE}/b)\n\nAfter this lesson.")]


def test_the_link_to_the_runnable_lesson_is_there_when_that_is(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons, "PYTHON", tmp_path / "python")
    assert lessons.with_link(title(), "03_scores")[0].source == "# 03 · Scores\n\n*9 minutes*\n\nAfter this lesson."
    (tmp_path / "python").mkdir()
    link = '<a href="../python/notebooks/index.html?path=notebooks/03_scores.ipynb">Run this lesson</a>'
    assert link in lessons.with_link(title(), "03_scores")[0].source
    assert SITE not in lessons.with_link(title(), "03_scores")[0].source

@pytest.mark.slow
def test_the_site_builds_with_python_and_slides_inside(site, build, tmp_path):
    """In a copy, for the other tests have no Python inside."""
    for name in ("notebooks", "helpers", "data", "tools", "requirements.txt", "README.md"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "site", tmp_path / "site", ignore=shutil.ignore_patterns("node_modules", "doctrees"))
    (tmp_path / "site/node_modules").symlink_to(NODE)
    for folder in ("python", "slides"):
        (tmp_path / "_site" / folder).mkdir(parents=True)
        (tmp_path / "_site" / folder / "index.html").touch()
    build(tmp_path)
    for path in PATHS:
        page = (tmp_path / f"_site/lessons/{path.stem}.html").read_text(encoding="utf-8")
        assert f'<a href="../python/notebooks/index.html?path=notebooks/{path.name}">Run this lesson</a>' in page
    start = (tmp_path / "_site/index.html").read_text(encoding="utf-8")
    assert '<a href="slides/index.html">' in start and '<a href="python/index.html">' in start
    assert (tmp_path / "_site/python/index.html").exists()


def test_a_notebook_is_run_again_when_its_code_changes_and_not_for_its_text(tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(lessons, "EXECUTED", tmp_path / "executed")
    monkeypatch.setattr(lessons, "run", lambda notebook, folder: runs.append(notebook.cells[1].source))
    path = tmp_path / "01_one.ipynb"

    def executed(source, text):
        cells = [new_code_cell(source, id="code"), new_markdown_cell(text, id="text")]
        path.write_text(json.dumps(new_notebook(cells=cells)))
        return lessons.executed(path)[0].cells[1].source

    assert [executed("1", "a"), executed("1", "b"), executed("2", "b")] == ["a", "b", "b"]
    assert runs == ["1", "2"]


@pytest.fixture
def explorer():
    controls = {"row": widgets.SelectionSlider(options=[("first", 0), ("second", 1)], description="row <i>"),
                "how": widgets.ToggleButtons(options=["one", "two"], description="how"),
                "size": widgets.Dropdown(options=[4, 5], value=5, description="size"),
                "on": widgets.Checkbox(value=True, description="on"),
                "step": widgets.IntSlider(min=2, max=6, step=2, value=4, description="step")}

    def render(row, how, size, on, step):
        return [Matrix([[row, size]], highlight=0), Note(f"{how} {on} {step}")][: 1 + on]

    return Explorer(controls, render, "What <changes>?", play="step")


def test_every_kind_of_control_offers_its_words(explorer):
    assert [words(control) for control in explorer.controls.values()] == [
        ["first", "second"], ["one", "two"], ["4", "5"], ["off", "on"], ["2", "4", "6"]]
    html = explorer_html(explorer)
    assert "What &lt;changes&gt;?" in html and "row &lt;i&gt;" in html
    assert re.findall(r'data-key="(\w+)" data-count="(\d)"', html) == [
        ("row", "2"), ("how", "2"), ("size", "2"), ("on", "2"), ("step", "3")]
    assert html.count(" checked") == 2 and "<option selected>5" in html and 'value="1" aria-valuetext="4"' in html
    play = re.search(r'data-plays="([^"]+)"', html)[1]
    assert f'type="range" id="{play}"' in html


def test_packed_states_give_the_html_of_every_state_in_order(explorer):
    data = json.loads(gzip.decompress(base64.b64decode(packed(explorer))))
    states = list(explorer.states())
    for state, shown in zip(states, data["states"], strict=True):
        html = ["".join(data["pieces"][piece] for piece in data["views"][view]) for view in shown]
        assert html == [view.html() for view in explorer.views(**state)]
    assert len(data["pieces"]) < len(states) and packed(explorer) == packed(explorer)


def test_two_explorers_on_a_page_share_no_id(explorer):
    first, second = (set(re.findall(r' id="([^"]+)"', explorer_html(explorer))) for _ in range(2))
    assert len(first) == len(second) and not first & second


def test_a_quiz_opens_one_choice_of_a_question_at_a_time():
    choices = [Choice("a < b", "Yes & no", True), Choice("b", "No", False)]
    html = quiz_html(Quiz("Title", [Question("Which?", choices), Question("And?", choices)]))
    names = re.findall(r'<details name="([^"]+)">', html)
    assert len(names) == 4 and len(set(names)) == 2
    assert "a &lt; b" in html and html.count('data-right="True"') == 2


def test_a_formula_that_cannot_be_read_stops_the_build(site):
    from formulas import rendered

    assert 'color:var(--attn-query,#007FC6)' in rendered([(r"{\color{#007FC6}Q}", False)])[0]
    with pytest.raises(ValueError, match="KaTeX"):
        rendered([(r"\frac{1", True)])
