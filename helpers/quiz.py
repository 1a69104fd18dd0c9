"""Multiple choice with a reason for every choice. The questions are in data/quiz.json."""

import html
import textwrap
from typing import NamedTuple

import ipywidgets as widgets

from .data_files import damaged, read_json
from .frame import WIDGET, frame

FILE, NAMES = "quiz.json", ("review", "transfer")
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
            score = widgets.HTML().add_class("attn-score")

            def count(_=None):
                right = sum(button.value is not None and button.value.right for button in buttons)
                score.value = f'<p class="attn-note">{right} of {len(buttons)} answered right.</p>'

            for button in buttons:
                button.observe(count, "value")
            count()
            rows = widgets.VBox([_with_feedback(button) for button in buttons])
            rows.add_class("attn-controls").add_class("attn-questions")
            self._box = frame(self.title, score, rows).add_class("attn-quiz")
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
    if name in NAMES and name not in quizzes:
        raise damaged(FILE, f"it has no {name!r}")
    if not isinstance(name, str) or name not in quizzes:
        raise ValueError(f"quiz: unknown name {name!r}; expected one of {', '.join(quizzes or NAMES)}")
    try:
        return Quiz(quizzes[name]["title"], [_question(**entry) for entry in quizzes[name]["questions"]])
    except (KeyError, TypeError) as error:
        raise damaged(FILE, f"{name}: {error}") from None


def _question(question, choices):
    return Question(question, [_choice(**entry) for entry in choices])


def _choice(choice, feedback, right=False):
    return Choice(choice, feedback, right)


def _buttons(number, question):
    options = [(choice.words, choice) for choice in question.choices]
    return widgets.ToggleButtons(options=options, value=None, description=f"{number}. {question.words}")


def _with_feedback(buttons):
    """A question, with the reason for the choice that is pressed below that choice."""
    feedback = widgets.HTML().add_class("attn-feedback")

    def show(_=None):
        feedback.value = buttons.value.html() if buttons.value else ""
        feedback.layout.order = str(len(buttons.options) if buttons.index is None else buttons.index)

    show()
    buttons.observe(show, "value")
    return widgets.VBox([buttons, feedback], layout=widgets.Layout(overflow="visible")).add_class("attn-question")


def _wrapped(mark, words):
    return textwrap.wrap(words, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark))
