"""The handouts: what a page asks and what its answers say, from the notebook; each is one page of paper, but for the guide."""

import re

import pytest
from series import PATHS, ROOT

from classroom import handouts
from classroom import printing as printer
from classroom.handouts import EMPTY_CELL, for_teachers, handout, lesson_pages, on_papers, page, whole_head, write
from tools.minutes import PREDICTION

QUICK = "03_scores"
every_lesson = pytest.mark.parametrize(
    "path", [path if path.stem == QUICK else pytest.param(path, marks=pytest.mark.slow) for path in PATHS],
    ids=lambda path: path.stem)
MILLIMETRES = {"a4": (210, 297), "letter": (215.9, 279.4)}
PIXELS = 96 / 25.4
# Parts that leave the margins of the page, and words that are too small.
OUTSIDE = """() => { const page = document.querySelector('main').getBoundingClientRect();
  return [...document.querySelectorAll('main *')].filter(part => {
    const box = part.getBoundingClientRect();
    return box.width && !part.closest('.katex-mathml, .katex svg')
      && (box.left < page.left + 20 || box.right > page.right - 20 || box.bottom > page.bottom - 20);
  }).map(part => part.outerHTML.slice(0, 80)); }"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('main :is(p, h1, h2, li, td, th, caption)')]
  .filter(part => part.textContent.trim()).map(part => parseFloat(getComputedStyle(part).fontSize)))"""


@pytest.fixture(scope="module")
def printing(tmp_path_factory):
    """A folder for pages that are printed."""
    return tmp_path_factory.mktemp("handouts")


def words(html):
    """The text of a page without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@every_lesson
def test_the_page_asks_what_the_lesson_asks_and_tells_no_answer(site, path):
    made = handout(path)
    asked, answered = page(made, filled=False), page(made, filled=True)
    assert 3 <= len(made.questions) <= 6 and made.formulas
    assert PREDICTION not in asked + answered
    for number, question in enumerate(made.questions, start=1):
        assert f"<b>{number}</b>" in asked and f"<b>{number}</b>" in answered
        assert question.answer not in question.context + question.words
    assert asked.count('class="lines"') == len(made.questions) and 'class="lines"' not in answered
    assert "Name:" in asked and "Name:" not in answered


@every_lesson
def test_an_empty_matrix_has_the_shape_of_the_full_one(site, path):
    grid = handout(path).grid
    for table in grid.tables if grid else []:
        empty = handouts.emptied(table)
        assert re.findall("<t[rdh]", empty) == re.findall("<t[rdh]", table)
        body, full = (part.partition("<tbody>")[2] for part in (empty, table))
        assert len(EMPTY_CELL.findall(body)) == len(re.findall("<td", body)) > 0
        assert not EMPTY_CELL.search(full)
        assert not re.search(r"\d\.\d", words(re.search("<caption>.*?</caption>", empty)[0]))


def test_an_answer_goes_on_where_its_question_does(site):
    asked = {question.words: question for question in handout(ROOT / f"notebooks/{QUICK}.ipynb").questions}
    (scores,) = [question for words, question in asked.items() if "who scores highest?" in words]
    assert scores.answer.startswith("The scores of *the* are not 0") and "It gives *creature* and *roamed*" in scores.more
    (recap,) = [question for words, question in asked.items() if "5 tokens" in words]
    assert recap.more.endswith("$S$ has the shape (9, 5).")
    assert "It gives" not in words(page(handout(ROOT / f"notebooks/{QUICK}.ipynb"), filled=False))


def test_what_leads_to_a_question_confirms_no_earlier_guess(site):
    first, *_, fourth = handout(ROOT / f"notebooks/{QUICK}.ipynb").questions[:4]
    assert "12.83" in first.words and "12.83" in first.answer
    assert "source" in fourth.context and "12.83" not in fourth.context    # the lesson goes on: "So S₃₁ = 12.83 is …"


@pytest.mark.parametrize(("caption", "kept"), [("determiner", True), ("w = 2", True), ("what it takes over", True),
                                               ("sum 12.83", False), ("three meanings, one vector", False)])
def test_an_empty_matrix_keeps_a_caption_that_only_names_it(caption, kept):
    table = f"<caption>(1, 1): {caption}</caption><tbody><tr><td>0.50</td></tr></tbody>"
    assert (caption in handouts.emptied(table)) is kept and "0.50" not in handouts.emptied(table)


def test_formulas_have_gaps_where_the_answers_have_symbols(site):
    made = handout(ROOT / f"notebooks/{QUICK}.ipynb")
    asked, answered = page(made, filled=False), page(made, filled=True)
    assert made.formulas[0] == r"s_{ij} = {\color{#007FC6}q_i} \cdot {\color{#C75800}k_j}"
    assert asked.count("fbox") == 2 + 3 and "fbox" not in answered


def test_a_lesson_without_a_formula_shows_that_of_a_head(site):
    assert handout(ROOT / "notebooks/16_review.ipynb").formulas == handout(ROOT / "notebooks/09_single_head.ipynb").formulas


def check_page(browser, file):
    """It stands on its paper, within the margins, and can be read."""
    opened = browser.new_page(viewport={"width": 1200, "height": 1200})
    opened.goto(file.as_uri())
    opened.evaluate("() => document.fonts.ready")
    opened.wait_for_timeout(100)
    main = opened.locator("main").bounding_box()
    sides, whole = MILLIMETRES[file.stem.rpartition(".")[2]], file.stem.startswith("one_page")
    expected = [side * PIXELS for side in (reversed(sides) if whole else sides)]
    assert (main["width"], main["height"]) == pytest.approx(expected, abs=1)
    assert opened.evaluate(OUTSIDE) == []
    assert opened.evaluate(SMALLEST) >= (8 if whole else 12)    # pixels; 12 are 9 points
    opened.close()


@every_lesson
def test_everything_stands_on_one_page(site, browser, printing, path):
    for file in write(printing, lesson_pages(path)):
        check_page(browser, file)


def test_the_whole_head_stands_on_one_page(site, browser, printing):
    for file in write(printing, on_papers("one_page", "A whole head", "whole", whole_head())):
        check_page(browser, file)
        assert whole_head().count('<table class="attn-matrix') == 10


def test_the_guide_goes_over_whole_pages(site, browser, printing):
    for file in write(printing, on_papers("TEACHING", "In front of a class", "guide", for_teachers())):
        opened = browser.new_page(viewport={"width": 718, "height": 1000})    # 190 mm, the narrower paper
        opened.goto(file.as_uri())
        assert opened.evaluate("() => document.documentElement.scrollWidth") <= 718
        assert "☐ Projector on" in opened.inner_text("main") and opened.locator("table").count() > 6
        opened.close()
        content = printer.printed(file, printing).read_bytes()
        assert 8 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 14


def test_without_a_browser_it_says_so(monkeypatch):
    monkeypatch.setattr(printer.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="No browser found to print with; install Chromium"):
        printer.browser()


def test_a_pdf_is_one_page_with_its_fonts(site, browser, printing):
    file = printer.printed(write(printing, lesson_pages(ROOT / f"notebooks/{QUICK}.ipynb"))[0], printing)
    check_pdf(file)


def check_pdf(file):
    content = file.read_bytes()
    assert content.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", content)) == 1, file.name
    assert b"/FontFile" in content


def test_every_lesson_has_its_pages(site, monkeypatch):
    monkeypatch.setattr(handouts, "handout", lambda path: handouts.Handout(path.stem, [], [], None))
    names = [name for path in PATHS for name, _ in lesson_pages(path)]
    assert names == [f"{path.stem}{kind}.{paper}" for path in PATHS for kind in ("", ".answers") for paper in handouts.PAPERS]


@pytest.mark.slow
def test_make_handouts(site, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(handouts, "FOLDER", tmp_path / "_handouts")
    monkeypatch.setattr(handouts, "lessons", lambda: [ROOT / f"notebooks/{QUICK}.ipynb"])
    handouts.main()
    found = sorted((tmp_path / "_handouts").iterdir())
    names = ["TEACHING", QUICK, f"{QUICK}.answers", "one_page"]
    assert [file.name for file in found] == sorted(f"{name}.{paper}.pdf" for name in names for paper in handouts.PAPERS)
    assert "8 of 8 pages printed" in capsys.readouterr().out
    for file in found:
        if not file.name.startswith("TEACHING"):
            check_pdf(file)
