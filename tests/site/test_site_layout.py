"""Every page from a file with the network cut, with everything opened: on a wide screen, a phone, and zoomed."""

import pytest
from lesson_pages import ALL, quick
from visits import OPEN, visit

SIZES = {"very wide": (1700, 1000), "wide": (1280, 900), "phone": (390, 844), "200 %": (640, 450)}
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# What reaches beyond the page to the right, unless it stands in a box that scrolls or is drawn for screen readers only.
CUT_OFF = """() => [...document.querySelectorAll('article *')].filter(part => {
  const box = part.getBoundingClientRect();
  if (!box.width || box.right <= innerWidth + 1 || part.closest('.katex-mathml') || part.ownerSVGElement) return false;
  for (let around = part.parentElement; around.tagName !== 'ARTICLE'; around = around.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) return false;
  return true;
}).map(part => `${part.tagName} ${part.className} ${part.textContent.trim().slice(0, 40)}`)"""
# Controls that are not where a finger finds them, and scrolling boxes that the keyboard does not reach.
OUT_OF_REACH = """() => {
  const lost = [...document.querySelectorAll('.attn-controls :is(input, select, button)')].filter(field => {
    field.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = field.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.left < 0 || box.right > innerWidth || !(hit === field || field.contains(hit));
  });
  const boxes = [...document.querySelectorAll('article *')].filter(box => box.scrollWidth > box.clientWidth + 1
    && box.clientWidth && box.checkVisibility({visibilityProperty: true})
    && ['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.tabIndex !== 0);
  return [...lost, ...boxes].map(part => part.outerHTML.slice(0, 120));
}"""

# Stops that begin a line although a formula stands before them.
LOST_STOPS = """() => [...document.querySelectorAll('.katex')].filter(formula => {
  let part = formula;
  while (!part.nextSibling && part.parentElement) part = part.parentElement;
  const next = part.nextSibling, range = document.createRange();
  if (!formula.checkVisibility() || next?.nodeType !== 3 || !/^[.,;:?!)]/.test(next.data)) return false;
  range.setStart(next, 0); range.setEnd(next, 1);
  const last = [...formula.querySelectorAll('.base')].at(-1).getBoundingClientRect();
  return range.getBoundingClientRect().width && range.getBoundingClientRect().top > last.bottom - 6;
}).map(formula => formula.parentElement.parentElement.textContent.slice(0, 60))"""


@pytest.fixture(scope="module", params=quick(ALL))
def page(request, site, browser):
    with visit(browser, site, request.param) as opened:
        opened.evaluate(OPEN)
        yield opened


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_and_every_control_is_in_reach(page, size):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWN)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page itself does not scroll sideways"
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OUT_OF_REACH) == []
    assert page.evaluate(LOST_STOPS) == []


@pytest.mark.parametrize("width", [1265, 1366, 1521, 1700], ids="{} pixels".format)
def test_two_matrices_of_nine_tokens_stand_side_by_side(opened, width):
    page = opened("lessons/09_single_head.html", width=width)
    page.locator(".attn-control", has_text="step shown").get_by_text("scale").click()
    first, second = (page.locator(".attn-frozen .attn-views table").nth(place).bounding_box() for place in (0, 1))
    assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]
    assert page.locator("article").bounding_box()["width"] > 990


def test_a_marked_column_comes_into_view_on_a_phone(opened):
    page = opened("lessons/05_causal_mask.html", width=390)
    page.locator(".attn-control", has_text="changed token").locator("input").press("End")
    column = page.locator(".attn-frozen .attn-views thead th[data-marked]").bounding_box()
    assert column["x"] >= 0 and column["x"] + column["width"] <= 390


def test_a_line_is_named_above_a_chart_on_a_phone(opened):
    page = opened("lessons/13_training.html", width=390)
    key = page.locator(".attn-frozen .attn-views .attn-key")
    assert key.is_visible() and "floor" in key.inner_text()
    page.set_viewport_size({"width": 1280, "height": 900})
    assert not key.is_visible()


def test_a_word_that_was_searched_for_can_be_read_in_a_drawing(opened):
    page = opened("lessons/03_scores.html")
    page.evaluate("localStorage.setItem('sphinx_highlight_terms', 'creature')")
    page.reload()
    page.wait_for_selector("rect.highlighted", state="attached")
    fills = page.evaluate("[...document.querySelectorAll('rect.highlighted')].map(part => getComputedStyle(part).fill)")
    assert set(fills) == {"rgb(221, 238, 255)"}


def test_all_fonts_are_beside_the_page(page):
    assert page.evaluate("document.fonts.ready.then(fonts => [...fonts].filter(font => font.status === 'error').length)") == 0


def test_nothing_moves_by_itself_for_those_who_ask_for_less_motion(page):
    page.emulate_media(reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll('*')].filter(part => {
      const {transitionDuration, animationName, scrollBehavior} = getComputedStyle(part);
      return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth';
    }).map(part => part.tagName + '.' + part.className)"""
    assert page.evaluate(moving) == []
    page.emulate_media(reduced_motion="no-preference")


def test_the_layout_test_sees_what_is_cut_off(opened):
    page = opened("lessons/03_scores.html", width=390)
    page.evaluate("""() => { const wide = document.createElement('p'); wide.textContent = 'wide'; wide.style.width = '900px';
        document.querySelector('article').append(wide); }""")
    assert page.evaluate(CUT_OFF) == ["P  wide"]
    assert page.evaluate(LOST_STOPS) == []
    page.evaluate("""() => { const formula = document.querySelector('.together .katex');
        const apart = document.createElement('p'); apart.style.width = `${formula.offsetWidth + 1}px`;
        apart.append(formula.cloneNode(true), '.'); document.querySelector('article').append(apart); }""")
    assert len(page.evaluate(LOST_STOPS)) == 1


IN_VIEW = """() => [...document.querySelectorAll('.attn-views > div')].filter(box => box.scrollWidth > box.clientWidth + 20)
.map(box => {
  const {left, right} = box.getBoundingClientRect();
  box.scrollLeft = box.scrollWidth;
  return [...box.querySelectorAll('caption > span, figcaption, tbody th')].every(name => {
    const place = name.getBoundingClientRect();
    return place.left >= left - 1 && place.right <= right + 1;
  });
})"""


@pytest.mark.parametrize("name", ["lessons/01_embeddings.html", "lessons/09_single_head.html", "lessons/12_cost.html"])
def test_on_a_phone_captions_and_names_stay_while_a_wide_picture_scrolls(opened, name):
    page = opened(name, width=390, height=844)
    page.evaluate(OPEN)
    seen = page.evaluate(IN_VIEW)
    assert len(seen) >= 3 and all(seen)
    assert page.evaluate("""() => [...document.querySelectorAll('.attn-views svg')].every(
        drawing => drawing.getBoundingClientRect().width > 0.849 * drawing.viewBox.baseVal.width)"""), "letters stay readable"


def test_a_place_is_kept_for_the_largest_state(opened):
    page = opened("lessons/14_kv_cache.html")
    height = "document.querySelector('.attn-frozen').getBoundingClientRect().height"
    before, slider = page.evaluate(height), page.locator(".attn-frozen [type=range]")
    for key in ("End", "Home"):
        slider.press(key)
        assert page.evaluate(height) == before
