"""axe-core, all of its rules, on every page in both themes with everything opened."""

import pytest
from lesson_pages import ALL
from visits import NODE, OPEN

# What the theme does, and a page of ours cannot mend.
FAULTS_OF_THE_THEME = {
    ("search.html", "page-has-heading-one"): "furo writes the heading of the search page by a script, as an h2, with the results",
}
QUICK = ["index.html", "lessons/03_scores.html"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in ALL])
def test_axe_finds_nothing(opened, name, theme):
    page = opened(name, color_scheme=theme, reduced_motion="reduce")
    page.evaluate(OPEN)
    page.evaluate("document.querySelectorAll('.attn-question details:first-of-type').forEach(choice => choice.open = true)")
    page.evaluate((NODE / "axe-core/axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {preload: false})")
    wrong = {(rule["id"], rule["impact"], node["html"][:200]) for rule in found["violations"] for node in rule["nodes"]
             if (name, rule["id"]) not in FAULTS_OF_THE_THEME}
    assert wrong == set()
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}, "axe has seen the page"
