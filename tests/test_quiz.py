"""quiz.py: every choice has its reason, the text gives nothing away, and a damaged file is named."""

import copy
import gc
import html
import itertools
import json
import re
from functools import cache

import ipywidgets as widgets
import pytest
from ipywidgets.widgets import widget as registry

from helpers import data_files
from helpers.frame import WIDGET
from helpers.quiz import Choice, Question, Quiz, quiz

NAMES = ["review", "transfer"]
CONTENT = json.loads((data_files.FOLDER / "quiz.json").read_text(encoding="utf-8"))
every = pytest.mark.parametrize("name", NAMES)


def small():
    return Quiz("Two of <these>", [
        Question("1 & 1?", [Choice("<2>", "because <b>", True), Choice("3", "too many", False)]),
        Question("2 + 2?", [Choice("5", "no", False), Choice("4", "yes", True), Choice("6", "never", False)])])


def live(one):
    """The buttons of each question, where its feedback stands, and the score."""
    _, score, rows = one.widget().children
    buttons, feedback = zip(*(question.children for question in rows.children), strict=True)
    return buttons, feedback, score


# What is asked


@every
def test_nine_questions_each_with_one_right_choice(name):
    questions = quiz(name).questions
    assert len(questions) == 9
    assert all(sum(choice.right for choice in question.choices) == 1 for question in questions)
    assert all(3 <= len(question.choices) <= 4 for question in questions)
    assert all(len({choice.words for choice in question.choices}) == len(question.choices) for question in questions)
    assert all(question.words.strip() and choice.words.strip() for question in questions for choice in question.choices)


@every
def test_every_choice_has_a_reason_of_its_own(name):
    reasons = [choice.feedback for question in quiz(name).questions for choice in question.choices]
    assert len(set(reasons)) == len(reasons)
    assert all(40 < len(reason) < 260 and reason.endswith((".", ".)")) for reason in reasons)


@every
def test_a_number_stands_in_a_lesson_that_the_reason_names(name):
    """7.41 (lesson 04) is shown in lesson 04."""
    for choice in itertools.chain.from_iterable(question.choices for question in quiz(name).questions):
        numbers = re.findall(r"(?<![\d.])\d+\.\d\d+", choice.feedback)
        named = re.findall(r"\d\d", " ".join(re.findall(r"lessons? ([\d, ]+)", choice.feedback)))
        for number in numbers:
            assert any(number in shown_in(lesson) for lesson in named), f"{number}: {choice.feedback}"


@cache
def shown_in(lesson):
    """Everything that is written in a lesson and in its outputs."""
    [path] = (data_files.FOLDER.parent / "notebooks").glob(f"{lesson}_*.ipynb")
    return path.read_text(encoding="utf-8")


@every
def test_the_right_choice_is_not_given_away(name):
    """Neither by its place nor by its length."""
    questions = quiz(name).questions
    places = [[choice.right for choice in question.choices].index(True) for question in questions]
    assert max(map(places.count, places)) <= 4
    longest = [max(question.choices, key=lambda choice: len(choice.words)).right for question in questions]
    assert sum(longest) <= 4


@every
def test_the_text_holds_questions_and_choices_and_no_answer(name):
    one = quiz(name)
    text = " ".join(one.text().split())
    for number, question in enumerate(one.questions, start=1):
        assert f"{number}. {question.words} a) " in text
        for choice in question.choices:
            assert choice.words in text and choice.feedback not in text
    assert max(map(len, one.text().splitlines())) <= 100


def test_the_text_is_the_same_whatever_is_right():
    one = small()
    other = Quiz(one.title, [Question(q.words, [c._replace(right=not c.right) for c in q.choices])
                             for q in one.questions])
    assert one.text() == other.text() == (
        "Two of <these>\n\n1. 1 & 1?\n   a) <2>\n   b) 3\n\n2. 2 + 2?\n   a) 5\n   b) 4\n   c) 6")


# The live quiz


def test_nothing_is_chosen_at_first():
    buttons, feedback, score = live(small())
    assert [b.value for b in buttons] == [None, None]
    assert [f.value for f in feedback] == ["", ""]
    assert "0 of 2 answered right" in score.value


def test_buttons_carry_the_question_as_label_and_every_choice():
    buttons, _, _ = live(small())
    assert [b.description for b in buttons] == ["1. 1 & 1?", "2. 2 + 2?"]
    assert list(buttons[1]._options_labels) == ["5", "4", "6"]
    assert all(isinstance(b, widgets.ToggleButtons) for b in buttons)


@every
def test_each_choice_shows_its_verdict_in_words_and_its_reason(name):
    one = quiz(name)
    for button, shown, question in zip(*live(one)[:2], one.questions, strict=True):
        for choice in question.choices:
            button.value = choice
            assert html.escape(choice.feedback) in shown.value
            assert ("Right." in shown.value, "Not so." in shown.value) == (choice.right, not choice.right)


def test_feedback_stands_under_its_own_question_and_is_escaped():
    one = small()
    buttons, feedback, _ = live(one)
    buttons[0].value = one.questions[0].choices[0]
    assert "because &lt;b&gt;" in feedback[0].value and feedback[1].value == ""
    assert "Two of &lt;these&gt;" in one.widget().children[0].value


def test_feedback_stands_below_the_choice_that_is_pressed():
    """The style sheet gives the choices the orders 0, 1, 2, 3; of two with the same order the feedback comes second."""
    one = small()
    buttons, feedback, _ = live(one)
    for place, choice in enumerate(one.questions[1].choices):
        buttons[1].value = choice
        assert feedback[1].layout.order == str(place)


def test_taking_a_choice_back_empties_the_feedback():
    one = small()
    buttons, feedback, score = live(one)
    buttons[0].value = one.questions[0].choices[0]
    buttons[0].value = None
    assert feedback[0].value == "" and "0 of 2" in score.value


def test_the_score_counts_what_stands_right_now():
    one = small()
    buttons, _, score = live(one)
    counts = []
    for place, choice in [(0, 1), (0, 0), (1, 1), (1, 2)]:
        buttons[place].value = one.questions[place].choices[choice]
        counts.append(int(score.value.split(">")[1].split()[0]))
    assert counts == [0, 1, 2, 1]


def test_the_bundle_holds_the_widget_and_a_text_that_does_not_move():
    one = small()
    before = one._repr_mimebundle_(include=None, exclude=None)
    live(one)[0][0].value = one.questions[0].choices[0]
    after = one._repr_mimebundle_()
    assert set(before) == {WIDGET, "text/plain"}
    assert before[WIDGET]["model_id"] == one.widget().model_id
    assert before["text/plain"] == after["text/plain"] == one.text()


def test_shown_twice_no_further_models_are_made():
    one = small()
    one._repr_mimebundle_()
    gc.collect()
    models = len(registry._instances)
    assert one._repr_mimebundle_() == one._repr_mimebundle_()
    assert len(registry._instances) == models


def test_two_quizzes_share_nothing():
    one, other = quiz("review"), quiz("review")
    live(one)[0][0].value = one.questions[0].choices[0]
    assert live(other)[0][0].value is None


# A wrong name, a damaged file


@pytest.mark.parametrize("unknown", ["exam", "", None, 3, ["review"]], ids=repr)
def test_an_unknown_name_lists_the_names(unknown):
    with pytest.raises(ValueError, match=r"quiz: unknown name .*; expected one of review, transfer"):
        quiz(unknown)


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """Writes another data/quiz.json."""
    def write(text):
        (tmp_path / "quiz.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(data_files, "FOLDER", tmp_path)
    return write


def test_a_missing_file_is_named(damaged):
    with pytest.raises(FileNotFoundError, match=r"data/quiz.json is missing\. Take it again"):
        quiz("review")


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps(CONTENT)[:-2]], ids=["empty", "cut", "list", "cut late"])
def test_what_is_no_object_is_damaged(text, damaged):
    damaged(text)
    with pytest.raises(ValueError, match=r"data/quiz.json is damaged: .*Take it again"):
        quiz("review")


CHANGES = {
    "no title": lambda c: c["review"].pop("title"),
    "no questions": lambda c: c["review"].pop("questions"),
    "a text": lambda c: c.update(review="x"),
    "no question": lambda c: c["review"]["questions"][2].pop("question"),
    "no choices": lambda c: c["review"]["questions"][2].pop("choices"),
    "no reason": lambda c: c["review"]["questions"][2]["choices"][1].pop("feedback"),
    "another name": lambda c: c["review"]["questions"][2]["choices"][1].update(answer="x"),
    "no object": lambda c: c["review"]["questions"][2]["choices"].insert(1, "x"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_damaged_part_names_the_file(change, damaged):
    content = copy.deepcopy(CONTENT)
    change(content)
    damaged(json.dumps(content))
    with pytest.raises(ValueError, match=r"data/quiz.json is damaged: review: .*Take it again"):
        quiz("review")


def test_a_quiz_that_the_file_lacks_is_told_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("helpers.data_files.FOLDER", tmp_path)
    (tmp_path / "quiz.json").write_text("{}")
    with pytest.raises(ValueError, match=r"^data/quiz\.json is damaged: it has no 'review'"):
        quiz("review")
