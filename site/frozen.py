"""Explorers and quizzes without a kernel: every state is rendered when the site is built, a control only chooses one.

A kernel that has called `use` shows explorers, views and quizzes as HTML for the pages of the site. The script that moves
them is ``_static/site.js``.
"""

import base64
import gzip
import html
import itertools
import json
import re

import ipywidgets as widgets

from helpers.interactive import Explorer, values
from helpers.quiz import Quiz
from helpers.views import Row
from helpers.views.view import View, side_by_side

WITHOUT_SCRIPT = "Moving the controls needs JavaScript; this is the setting they start with."
PIECE = re.compile(r"(?=<(?:tr|svg|rect|polyline|polygon|text)\b)")  # two states often differ in a few rows or lines only
_numbers = itertools.count(1)


def use(formatter):
    """Let a kernel show everything as it stands on the site.

    Parameters
    ----------
    formatter : IPython DisplayFormatter
    """
    for kind, shown in ((View, view_html), (Explorer, explorer_html), (Quiz, quiz_html)):
        formatter.mimebundle_formatter.for_type(kind, lambda value, shown=shown: {"text/html": shown(value)})


def view_html(view):
    """A view, or the views of a Row side by side."""
    views = view.views if isinstance(view, Row) else [view]
    return f'<div class="attn">{side_by_side(view.html() for view in views)}</div>'


# Explorers


def explorer_html(explorer):
    """Native controls, the views of the first state, and all other states packed.

    Parameters
    ----------
    explorer : Explorer

    Returns
    -------
    str
    """
    name = f"explorer-{next(_numbers)}"
    controls = [_control(f"{name}-{key}", key, control) for key, control in explorer.controls.items()]
    if explorer.play is not None:
        controls.insert(list(explorer.controls).index(explorer.play),
                        f'<button type="button" data-plays="{name}-{explorer.play}">Play</button>')
    return (f'<div class="attn attn-frozen" role="group" aria-labelledby="{name}">'
            f'<p class="attn-title" id="{name}">{html.escape(explorer.caption)}</p>'
            f'<form autocomplete="off"><fieldset class="attn-controls" disabled>{"".join(controls)}</fieldset></form>'
            f'<noscript><p class="attn-note">{WITHOUT_SCRIPT}</p></noscript>'
            f'{_place_kept(explorer)}{explorer.html(**explorer.default)}'
            f'<script type="application/gzip">{packed(explorer)}</script></div>')


def _place_kept(explorer):
    return "" if explorer.largest is None else f'<div class="attn-place">{explorer.room_html()}</div>'


def packed(explorer):
    """All states as base64 of gzip of JSON: pieces of HTML, views as lists of pieces, states as lists of views.

    The states stand in the order of `Explorer.states`, so a state's place follows from the places of its values.
    """
    pieces, views = {}, {}
    states = [[_place(views, tuple(_place(pieces, piece) for piece in PIECE.split(view.html())))
               for view in explorer.views(**state)] for state in explorer.states()]
    data = {"pieces": list(pieces), "views": list(views), "states": states}
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


def _place(table, entry):
    """The place of an entry in a table, which takes up new ones at its end."""
    return table.setdefault(entry, len(table))


# Controls. The value of each is a place in the list of what it offers.


def words(control):
    """What a control offers, as its readers see it."""
    if isinstance(control, widgets.Checkbox):
        return ["off", "on"]
    options = getattr(control, "options", None) or values(control)
    return [str(option[0] if isinstance(option, tuple) else option) for option in options]


def _control(name, key, control):
    offered, chosen = [html.escape(word) for word in words(control)], values(control).index(control.value)
    make = {widgets.Checkbox: _checkbox, widgets.ToggleButtons: _buttons, widgets.Dropdown: _menu}.get(type(control), _slider)
    look = f'class="attn-control" data-key="{key}" data-count="{len(offered)}"'
    return make(look, name, html.escape(control.description or key), offered, chosen)


def _checkbox(look, name, label, offered, chosen):
    return f'<label {look}><input type="checkbox" id="{name}"{" checked" * chosen}> {label}</label>'


def _buttons(look, name, label, offered, chosen):
    buttons = (f'<label><input type="radio" name="{name}" value="{place}"{" checked" * (place == chosen)}>{word}</label>'
               for place, word in enumerate(offered))
    return f'<fieldset {look}><legend>{label}</legend>{"".join(buttons)}</fieldset>'


def _menu(look, name, label, offered, chosen):
    options = (f'<option{" selected" * (place == chosen)}>{word}</option>' for place, word in enumerate(offered))
    return f'<div {look}><label for="{name}">{label}</label><select id="{name}">{"".join(options)}</select></div>'


def _slider(look, name, label, offered, chosen):
    """A slider; the words of its places stand in a list that the browser shows as ticks."""
    ticks = "".join(f'<option value="{place}" label="{word}"></option>' for place, word in enumerate(offered))
    return (f'<div {look}><label for="{name}">{label}</label>'
            f'<input type="range" id="{name}" list="{name}-words" max="{len(offered) - 1}" value="{chosen}" '
            f'aria-valuetext="{offered[chosen]}"><datalist id="{name}-words">{ticks}</datalist>'
            f'<output for="{name}" aria-live="off" style="min-width:{max(map(len, offered))}ch">{offered[chosen]}</output></div>')


# Quizzes


def quiz_html(quiz):
    """Each choice opens on its reason, one of a question at a time, without a script; the script counts the right ones.

    Parameters
    ----------
    quiz : Quiz

    Returns
    -------
    str
    """
    name = f"quiz-{next(_numbers)}"
    questions = (_question(f"{name}-{number}", f"{number}. {html.escape(question.words)}", question.choices)
                 for number, question in enumerate(quiz.questions, start=1))
    return (f'<div class="attn attn-quiz" role="group" aria-labelledby="{name}">'
            f'<p class="attn-title" id="{name}">{html.escape(quiz.title)}</p>{"".join(questions)}'
            '<p class="attn-note attn-score" role="status"></p></div>')


def _question(name, asked, choices):
    answers = (f'<details name="{name}"><summary>{html.escape(choice.words)}</summary>{choice.html()}</details>'
               for choice in choices)
    return (f'<div class="attn-question" role="group" aria-labelledby="{name}"><p id="{name}">{asked}</p>'
            f'{"".join(answers)}</div>')
