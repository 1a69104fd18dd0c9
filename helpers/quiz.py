"""Multiple choice with a reason for every choice. The questions are in data/quiz.json."""

import html
import textwrap
from typing import NamedTuple

import ipywidgets as widgets

from .data_files import damaged, read_json
from .frame import WIDGET, frame

FILE = "quiz.json"
WIDTH = 100  # characters in a line of the text


class Choice(NamedTuple):
    """One answer to choose, and why it is right or wrong."""

    words: str
    feedback: str
    right: bool

    def html(self):
        """The feedback, with the verdict in words."""
        verdict = "✓ Right." if self.right else "✗ Not so."
        return f'<p class="attn-verdict" data-right="{self.right}"><b>{verdict}</b> {html.escape(self.feedback)}</p>'


class Question(NamedTuple):
    """A question and its choices, one of which is right."""

    words: str
    choices: list


class Quiz:
    """Questions with buttons; each choice shows its feedback at once.

    Parameters
    ----------
    title : str
    questions : list of Question
    """

    def __init__(self, title, questions):
        self.title, self.questions = title, questions
        self._box = None

    def text(self):
        """Questions and choices, without the answers."""
        lines = [self.title]
        for number, question in enumerate(self.questions, start=1):
            lines += ["", *_wrapped(f"{number}. ", question.words)]
            for letter, choice in zip("abcdefgh", question.choices, strict=False):
                lines += _wrapped(f"   {letter}) ", choice.words)
        return "\n".join(lines)

    def widget(self):
        """The live quiz. Shown twice, both copies stay in step."""
        if self._box is None:
            buttons = [_buttons(number, question) for number, question in enumerate(self.questions, start=1)]
            score = widgets.HTML()

            def count(_=None):
                right = sum(button.value is not None and button.value.right for button in buttons)
                score.value = f'<p class="attn-note">{right} of {len(buttons)} answered right.</p>'

            for button in buttons:
                button.observe(count, "value")
            count()
            rows = widgets.VBox([part for button in buttons for part in (button, _feedback(button))])
            rows.add_class("attn-controls").add_class("attn-questions")
            self._box = frame(self.title, rows, score).add_class("attn-quiz")
        return self._box

    def _repr_mimebundle_(self, **_):
        return {WIDGET: self.widget()._repr_mimebundle_()[WIDGET], "text/plain": self.text()}


def quiz(name):
    """A quiz of the series.

    Parameters
    ----------
    name : str
        "review", the nine questions of the document, or "transfer", nine cases.

    Returns
    -------
    Quiz

    Raises
    ------
    FileNotFoundError, ValueError
        For an unknown name; when data/quiz.json is missing or damaged (the message says where).

    Source: document §25.

    Examples
    --------
    >>> quiz("review").questions[0].words
    'What do query, key and value each do?'
    """
    quizzes = read_json(FILE)
    if name not in quizzes:
        raise ValueError(f"quiz: unknown name {name!r}; expected one of {', '.join(quizzes)}")
    questions = _part(quizzes[name], "questions", list, name)
    return Quiz(_part(quizzes[name], "title", str, name),
                [_question(question, f"{name}, question {n}") for n, question in enumerate(questions, start=1)])


def _buttons(number, question):
    options = [(choice.words, choice) for choice in question.choices]
    return widgets.ToggleButtons(options=options, value=None, description=f"{number}. {question.words}")


def _feedback(button):
    """The reason for the choice that is pressed."""
    feedback = widgets.HTML().add_class("attn-feedback")
    button.observe(lambda change: setattr(feedback, "value", change.new.html() if change.new else ""), "value")
    return feedback


def _wrapped(mark, words):
    return textwrap.wrap(words, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark))


def _question(entry, where):
    choices = [_choice(choice, f"{where}, choice {n}")
               for n, choice in enumerate(_part(entry, "choices", list, where), start=1)]
    right, different = sum(choice.right for choice in choices), len({choice.words for choice in choices})
    if right != 1 or different < max(2, len(choices)):
        raise damaged(FILE, f"{where} needs two or more different choices, one of them right; "
                            f"it has {different} different ones, {right} of them right")
    return Question(_part(entry, "question", str, where), choices)


def _choice(entry, where):
    words, feedback = (_part(entry, key, str, where) for key in ("choice", "feedback"))
    return Choice(words, feedback, _part({"right": False, **entry}, "right", bool, where))


def _part(entry, key, kind, where):
    """The part of an entry under this key, of this type and not empty."""
    found = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(found, kind) or found in ("", []):
        expected = {str: "a text", list: "a list", bool: "true or false"}[kind]
        raise damaged(FILE, f"{where}: {key!r} should be {expected}, got {found!r}")
    return found
