"""Explorers on the pages: the numbers that Python computes, moved by keyboard, without a kernel."""

import random

import pytest
from lesson_pages import NAMES, explorers_of, quick

from helpers.interactive import values
from helpers.views import Matrix, Note
from helpers.views.canvas import Drawing
from helpers.views.labels import subscripts

STATES = 10
every_lesson = pytest.mark.parametrize("name", quick(NAMES))
CHOOSE = """(explorer, places) => {
  for (const [key, place] of Object.entries(places)) {
    const control = explorer.querySelector(`[data-key="${key}"]`), field = control.querySelector('select, [type=range]');
    if (field) field.type === 'range' ? field.value = place : field.selectedIndex = place;
    else control.querySelectorAll('[type=radio]')[place].checked = true;
  }
  explorer.querySelector('form').dispatchEvent(new Event('input'));
}"""
SHOWN = """explorer => [...explorer.querySelectorAll('.attn-views > div')].map(view => ({
  words: view.textContent,
  cells: [...view.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent)),
  names: [...view.querySelectorAll('tbody th')].map(name => name.textContent),
  spoken: view.querySelector('svg')?.getAttribute('aria-label'),
}))"""
SAME = """([explorer, html]) => {
  const wanted = document.createElement('div');
  wanted.innerHTML = html;
  const shown = explorer.querySelector('.attn-views').innerHTML.replaceAll(' aria-live="polite"', '');
  return shown === wanted.firstElementChild.innerHTML;
}"""


def drawn_states(explorer, seed):
    """Ten states at random: for each the places of its values, and the state."""
    grid = {key: values(control) for key, control in explorer.controls.items()}
    rng = random.Random(seed)
    for _ in range(STATES):
        places = {key: rng.randrange(len(offered)) for key, offered in grid.items()}
        yield places, {key: grid[key][place] for key, place in places.items()}


def check_view(shown, view):
    """What the page shows holds the numbers of the view."""
    if isinstance(view, Note):
        assert shown["words"] == "".join(letters + index for letters, index in subscripts(view.words))
    elif isinstance(view, Drawing):
        assert shown["spoken"] == view.spoken()
    elif isinstance(view, Matrix):
        assert shown["cells"] == [[view.cell_text(value) for value in row] for row in view.shown.values.tolist()]
        assert len(shown["names"]) == len(view.shown.rows)
        assert not view.crowded or view.below() in shown["words"]
    else:
        raise AssertionError(f"no rule for {type(view).__name__}")


@every_lesson
def test_the_numbers_of_states_at_random_are_those_that_python_computes(opened, name):
    page = opened(name)
    boxes, made = page.locator(".attn-frozen").all(), explorers_of(name)
    assert [box.locator(".attn-title").text_content() for box in boxes] == [explorer.caption for explorer in made]
    for box, explorer in zip(boxes, made, strict=True):
        for places, state in drawn_states(explorer, seed=name):
            box.evaluate(CHOOSE, places)
            for shown, view in zip(box.evaluate(SHOWN), explorer.views(**state), strict=True):
                check_view(shown, view)
            assert page.evaluate(SAME, [box.element_handle(), explorer.html(**state)]), f"{explorer.caption} {state}"


def keys_of(control):
    """Keys that reach every value of a control from the first: pairs of a target and a key."""
    slider, menu = control.locator("[type=range]"), control.locator("select")
    if slider.count():
        return [(slider, "Home"), *[(slider, "ArrowRight")] * int(slider.get_attribute("max"))]
    if menu.count():
        return [(menu, "Home"), *[(menu, "ArrowDown")] * (menu.locator("option").count() - 1)]
    return [(control.locator(":checked"), "ArrowRight")] * control.locator("[type=radio]").count()


STANDS = """control => { const field = control.querySelector('select, [type=range], :checked');
  return {place: field.selectedIndex ?? Number(field.value), spoken: field.getAttribute('aria-valuetext'),
          word: control.querySelector('output')?.value,
          picture: control.closest('.attn').querySelector('.attn-views').innerHTML}; }"""


@every_lesson
def test_every_control_moves_by_keyboard_and_says_where_it_stands(opened, name):
    page = opened(name)
    for box in page.locator(".attn-frozen").all():
        for control in box.locator(".attn-control").all():
            check_control(page, box, control)


def check_control(page, box, control):
    label, before, seen, focused = control.get_attribute("data-key"), control.evaluate(STANDS), [], None
    for target, key in keys_of(control):
        if target is not focused:
            target.focus()
            focused = target
        page.keyboard.press(key)
        seen.append(control.evaluate(STANDS))
    assert {one["place"] for one in seen} == set(range(int(control.get_attribute("data-count")))), \
        f"{label} reaches every value by keyboard"
    assert len({one["picture"] for one in seen}) > 1, f"{label} changes the picture"
    if control.locator("[type=range]").count():
        assert all(one["spoken"] and one["spoken"] == one["word"] for one in seen), label
    box.evaluate(CHOOSE, {label: before["place"]})
    assert control.evaluate(STANDS) == before, f"{label}: the old value brings the old picture back"


def test_play_steps_to_the_end_and_pauses(opened):
    page = opened("lessons/14_kv_cache.html")
    button, box = page.locator("[data-plays]"), page.locator(".attn-frozen")
    slider = box.locator(f"#{button.get_attribute('data-plays')}")
    first, picture = int(slider.input_value()), box.locator(".attn-views").inner_html()
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("([slider, first]) => slider.value > first + 1", arg=[slider.element_handle(), first])
    assert button.text_content() == "Pause" and box.locator(".attn-views").inner_html() != picture
    page.keyboard.press("Enter")
    paused = slider.input_value()
    page.wait_for_timeout(1200)
    assert (slider.input_value(), button.text_content()) == (paused, "Play")


@every_lesson
def test_the_file_holds_the_first_state(site, name):
    html = (site / name).read_text(encoding="utf-8")
    for explorer in explorers_of(name):
        assert explorer.html(**explorer.default) in html, explorer.caption


def test_without_a_script_the_first_state_is_shown_and_no_control_pretends_to_work(opened):
    box, (explorer,) = opened(NAMES[3], java_script_enabled=False).locator(".attn-frozen"), explorers_of(NAMES[3])
    for shown, view in zip(box.evaluate(SHOWN), explorer.views(**explorer.default), strict=True):
        check_view(shown, view)
    assert box.locator("fieldset.attn-controls").evaluate("controls => controls.matches(':disabled')")
    assert box.locator("noscript p").is_visible()
