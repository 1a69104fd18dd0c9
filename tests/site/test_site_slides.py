"""The slides in a browser, from their files with the network cut: `visit` asserts that no deck asks another host."""

import re
from contextlib import contextmanager
from html.parser import HTMLParser

import pytest
import slides
from lesson_pages import NAMES, explorers_of
from playwright.sync_api import expect
from series import ROOT
from test_site_explorers import CHOOSE, SAME, SHOWN, check_view, drawn_states
from visits import NODE, visit

DECKS = [name.removeprefix("lessons/") for name in NAMES]
QUICK = "03_scores.html"
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in DECKS if name != QUICK]
every_deck = pytest.mark.parametrize("name", [QUICK, *SLOW])
SMALLEST_TEXT, SMALLEST_CODE, SMALLEST_PICTURE = 24, 14, .9  # pixels, pixels, and how much a picture is reduced

SLIDES = """() => Reveal.getSlides().map(slide => [Reveal.getIndices(slide).h, Reveal.getIndices(slide).v ?? 0])"""
STEPS = """() => Math.max(-1, ...[...Reveal.getCurrentSlide().querySelectorAll('.fragment')]
  .map(part => Number(part.dataset.fragmentIndex)))"""
# What can be seen and reaches beyond the slide, or into the line below it where its number stands.
BEYOND = """() => [...Reveal.getCurrentSlide().querySelectorAll('*')].filter(part => {
  const box = part.getBoundingClientRect();
  if (!box.width || !box.height || part.closest('.notes, noscript, datalist, select, .katex-mathml, .katex svg')) return false;
  return box.left < 0 || box.top < 0 || box.right > 1280 - 30 || box.bottom > 720 - 24;
}).map(part => `${part.tagName} ${part.className} ${part.textContent.trim().slice(0, 40)}`)"""
# Boxes in which something is hidden.
CUT_OFF = """() => [...Reveal.getCurrentSlide().querySelectorAll('*')].filter(part => part.clientWidth
  && getComputedStyle(part).overflowX !== 'visible' && !part.closest('.notes, .katex, svg, select')
  && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1))
  .map(part => part.outerHTML.slice(0, 120))"""
SIZES = """() => {
  const slide = Reveal.getCurrentSlide(), size = part => parseFloat(getComputedStyle(part).fontSize);
  const of = name => [...slide.querySelectorAll(name)].filter(part => !part.closest('.attn, .notes'));
  return {text: of('p, li, td').map(size), code: of('pre').map(size), explorer: slide.querySelector('.attn-frozen') !== null,
          pictures: [...slide.querySelectorAll('.result > .attn')].map(picture => Number(picture.style.zoom))};
}"""
SEEN = """() => ['context', 'question', 'code', 'result', 'reading'].filter(name => {
  const part = Reveal.getCurrentSlide().querySelector(`.${name}`);
  return part && getComputedStyle(part).visibility === 'visible';
}).join(' ')"""
BLOCKS = """() => [...document.querySelectorAll('.slides :is(p, li, td, pre, caption, figcaption)')]
  .filter(part => !part.closest('.notes, noscript')).map(part => part.textContent)"""


@pytest.fixture
def deck(decks, browser):
    """A function that opens a deck."""

    @contextmanager
    def opened(name, place="", **options):
        with visit(browser, decks, name, height=720, **options) as page:
            page.wait_for_function("() => window.Reveal?.isReady()")
            if place:
                page.evaluate("place => { location.hash = `/${place}`; }", place)
                page.wait_for_function("place => Reveal.getCurrentSlide().id === place", arg=place)
            yield page

    return opened


def every_slide(page):
    """Go through a deck, each slide with all that waits for a key."""
    for place in page.evaluate(SLIDES):
        page.evaluate("place => Reveal.slide(...place)", place)
        for step in range(page.evaluate(STEPS) + 1):
            page.evaluate("([place, step]) => Reveal.slide(...place, step)", [place, step])
        yield page.evaluate("Reveal.getCurrentSlide().id || Reveal.getCurrentSlide().textContent.slice(0, 60)")


@every_deck
def test_every_slide_fits_and_can_be_read_from_the_back(deck, name):
    with deck(name) as page:
        number = 0
        for slide in every_slide(page):
            number += 1
            assert page.evaluate(BEYOND) == [], slide
            assert page.evaluate(CUT_OFF) == [], slide
            sizes = page.evaluate(SIZES)
            assert all(size >= SMALLEST_TEXT for size in sizes["text"]), slide
            assert all(size >= SMALLEST_CODE for size in sizes["code"]), slide
            assert sizes["explorer"] or all(zoom >= SMALLEST_PICTURE for zoom in sizes["pictures"]), slide
        assert number > 15


def test_a_stop_stays_with_its_formula():
    html = slides.Texts().html("by $c^2$. And ($x$), no $y$ here")
    assert re.findall(r'<span class="together">(.*?)<span .*?</span>(.*?)</span>', html) == [("", "."), ("(", "),")]


@pytest.mark.slow
@pytest.mark.parametrize("name", DECKS)
def test_nothing_is_lost_where_slides_are_divided(deck, decks, browser, name):
    with deck(name) as page, visit(browser, decks, name, java_script_enabled=False) as file:
        assert set(page.evaluate(BLOCKS)) == set(file.evaluate(BLOCKS))


def test_the_test_sees_what_does_not_fit(deck):
    with deck(QUICK) as page:
        page.evaluate("document.querySelector('#title .context').style.fontSize = '200px'")
        assert page.evaluate(BEYOND) != []
        page.evaluate("document.querySelector('#title .context').style = 'overflow: hidden; height: 20px'")
        assert page.evaluate(CUT_OFF) != []


@every_deck
def test_explorers_move_show_the_numbers_of_python_and_stay_on_the_slide(deck, name):
    with deck(name) as page:
        boxes, made = page.locator(".attn-frozen").all(), explorers_of(f"lessons/{name}")
        assert [box.locator(".attn-title").text_content() for box in boxes] == [explorer.caption for explorer in made]
        for box, explorer in zip(boxes, made, strict=True):
            box.evaluate("box => { const {h, v} = Reveal.getIndices(box.closest('section')); Reveal.slide(h, v, 9); }")
            for places, state in drawn_states(explorer, seed=name):
                box.evaluate(CHOOSE, places)
                for shown, view in zip(box.evaluate(SHOWN), explorer.views(**state), strict=True):
                    check_view(shown, view)
                assert page.evaluate(SAME, [box.element_handle(), explorer.html(**state)]), f"{explorer.caption} {state}"
                assert page.evaluate(BEYOND) == [], f"{explorer.caption} {state}"


def test_question_code_result_and_reading_come_one_after_another(deck):
    steps = {"not-symmetric": ["context", "context question", "context question code", "context question code result",
                               "context question code result reading"],
             "place-alone-products": ["question", "question code", "question result", "question result reading"]}
    for place, wanted in steps.items():
        with deck(QUICK, place) as page:
            for seen in wanted:
                assert page.evaluate(SEEN) == seen
                page.keyboard.press("Space")
            assert page.evaluate("Reveal.getCurrentSlide().id") != place


def test_keys_on_a_control_move_it_and_not_the_slide(deck):
    with deck(QUICK, "explore-score") as page:
        slider, place = page.locator("[type=range]").first, page.evaluate("Reveal.getState()")
        slider.focus()
        for key in ("ArrowRight", "ArrowDown", "End", "Home", "PageUp", "PageDown", "Space", "o", "s", "b", "n"):
            page.keyboard.press(key)
            assert page.evaluate("Reveal.getState()") == place, key
        before = slider.input_value()
        page.keyboard.press("ArrowRight")
        assert int(slider.input_value()) == int(before) + 1
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement === document.body && !Reveal.isOverview()")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("Reveal.getState()") != place, "after Escape keys turn slides again"


@pytest.mark.slow
def test_keys_on_buttons_menus_and_choices_do_not_turn_the_slide(deck):
    for name, place, fields in [("00_start_here.html", "explore-head", "select, [type=radio]:checked"),
                                ("16_review.html", "quiz-review-1", "summary")]:
        with deck(name, place) as page:
            state = page.evaluate("Reveal.getState()")
            for field in page.locator(f"#{place} :is({fields})").all():
                field.focus()
                for key in ("ArrowRight", "ArrowDown", "Space", "Enter", "PageDown"):
                    page.keyboard.press(key)
                    assert page.evaluate("Reveal.getState()") == state, f"{place} {key}"


@pytest.mark.slow
def test_every_reason_of_a_quiz_fits(deck):
    with deck("16_review.html") as page:
        asked = page.locator(".attn-asked").all()
        assert len(asked) > 15
        for question in asked:
            question.evaluate("box => { const {h, v} = Reveal.getIndices(box.closest('section')); Reveal.slide(h, v); }")
            for choice in question.locator("details").all():
                choice.evaluate("choice => { choice.open = true; }")
                assert page.evaluate(BEYOND) == [], question.text_content()


@pytest.mark.slow
def test_the_speakers_window_shows_the_notes_and_turns_the_slides(deck):
    with deck(QUICK, "not-symmetric") as page:
        with page.context.expect_page() as opened:
            page.keyboard.press("s")
        notes = opened.value
        said = notes.locator(".speaker-controls-notes")
        expect(said).to_contain_text("should fluffy give creature the same?")
        expect(said).to_contain_text("one word can ask for one thing and offer another")
        notes.keyboard.press("ArrowRight")
        page.wait_for_function("() => Reveal.getState().indexf === 0")


@pytest.mark.slow
def test_d_is_for_a_dark_room(deck):
    with deck(QUICK) as page:
        look = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector('h2')).color"
        light = page.evaluate(look)
        assert light.startswith("rgb(255, 255, 255)")
        page.keyboard.press("d")
        assert page.evaluate(look).startswith("rgb(17, 17, 17)")
        page.keyboard.press("d")
        assert page.evaluate(look) == light


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_slide(deck, theme):
    with deck(QUICK) as page:
        page.evaluate((NODE / "axe-core/axe.min.js").read_text(encoding="utf-8"))
        if theme == "dark":
            page.keyboard.press("d")
        for slide in every_slide(page):
            found = page.evaluate("axe.run(document, {preload: false})")
            assert [(rule["id"], node["html"][:120]) for rule in found["violations"] for node in rule["nodes"]] == [], slide
            assert "color-contrast" in {rule["id"] for rule in found["passes"]}, "axe has seen the slide"


# What stands in the files


class Notes(HTMLParser):
    """The notes of each slide, and what a deck loads and links to."""

    def __init__(self, path):
        super().__init__()
        self.slide, self.inside, self.notes, self.addresses = None, False, {}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.slide = attrs.get("id") if tag == "section" else self.slide
        self.inside = self.inside or tag == "aside"
        self.addresses += [attrs[name] for name in ("src", "href") if name in attrs]

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "aside"

    def handle_data(self, data):
        if self.inside:
            self.notes[self.slide] = self.notes.get(self.slide, "") + data


def test_the_notes_of_a_cell_named_in_a_plan_hold_its_question_answers_and_minutes(decks):
    notes = {name: Notes(decks / name).notes for name in DECKS}
    checked = 0
    for line in (ROOT / "TEACHING.md").read_text(encoding="utf-8").splitlines():
        if not re.match(r"\| \d\d \|", line):
            continue
        _, cells, minutes, question, answers, *_ = (entry.strip() for entry in line.strip("|").split(" | "))
        for lesson, cell in re.findall(r"`(\w+): ([\w-]+)`", cells):
            said = notes[f"{lesson}.html"][cell]
            assert minutes in said
            for words in (question, answers):
                for plain in re.findall(r"[\w ,;?’']{12,}", re.sub(r"\$[^$]*\$|\[`.*?\)", "$", words.replace("*", ""))):
                    assert plain.strip() in said, cell
                    checked += 1
    assert checked > 300


def test_what_a_slide_leaves_out_of_a_reading_stands_in_its_notes(decks):
    assert "One sum asks what and where." in Notes(decks / "03_scores.html").notes["one-score-products"]


@pytest.mark.parametrize("name", [*DECKS, "index.html"])
def test_decks_load_and_link_to_files_in_their_own_folder(decks, name):
    for address in Notes(decks / name).addresses:
        if not address.startswith(("https://", "#")):
            assert (decks / address).exists() and ".." not in address, address
    assert not re.search(r'<(?:script|link|img)\b[^>]*"(?:https?:)?//', (decks / name).read_text(encoding="utf-8"))


def test_the_index_leads_to_every_deck(decks):
    assert set(DECKS) <= set(Notes(decks / "index.html").addresses)


def test_slides_are_small(decks):
    files = [path for path in decks.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 6e6
