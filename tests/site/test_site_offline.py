"""Opened from a file, with the network cut, the site does everything; `visit` asserts that no page asks another host."""

from playwright.sync_api import expect


def test_the_search_finds_lessons(opened):
    page = opened("index.html")
    page.locator(".sidebar-search").fill("hull")
    page.keyboard.press("Enter")
    page.locator("#search-results a", has_text="07 ·").wait_for()


def test_one_page_leads_to_the_next(opened):
    page = opened("lessons/03_scores.html")
    page.locator(".next-page").click()
    expect(page).to_have_title("04 · Divide the scores by √d_k - Attention, opened up")


def test_the_theme_changes_the_page_and_its_pictures(opened):
    page = opened("lessons/03_scores.html", color_scheme="light")
    colours = """() => [document.body, ...document.querySelectorAll('caption, caption b')].slice(0, 3)
        .map(part => getComputedStyle(part).color + getComputedStyle(part).backgroundColor)"""
    light = page.evaluate(colours)
    page.locator(".theme-toggle").last.click()
    page.wait_for_function("() => document.body.dataset.theme === 'dark'")
    assert all(one != other for one, other in zip(light, page.evaluate(colours), strict=True))


def test_a_quiz_answers_and_counts(opened):
    page = opened("lessons/16_review.html")
    quiz = page.locator(".attn-quiz").first
    score, questions = quiz.locator(".attn-score"), quiz.locator(".attn-question").all()
    expect(score).to_have_text(f"0 of {len(questions)} answered right.")
    for question in questions:
        for choice in question.locator("summary").all():
            choice.focus()
            page.keyboard.press("Enter")
            assert question.locator("details[open]").count() == 1, "one choice of a question at a time"
            assert question.locator("[open] .attn-verdict").is_visible()
        question.locator("details:has([data-right=True])").evaluate("right => right.open = true")
    expect(score).to_have_text(f"{len(questions)} of {len(questions)} answered right.")


def test_a_quiz_answers_without_a_script(opened):
    page = opened("lessons/16_review.html", java_script_enabled=False)
    question = page.locator(".attn-question").first
    question.locator("summary").nth(1).click()
    assert question.locator("[open] .attn-verdict").is_visible()


def test_a_printed_page_shows_results_and_solutions(opened):
    page = opened("lessons/03_scores.html", color_scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("article details table").first.is_visible()
    assert page.get_by_text("return Q @ K.T").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert not page.locator(".attn-controls").first.is_visible()
