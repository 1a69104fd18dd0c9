"""The mechanism of an explorer: controls and a pure render function become a live widget, a picture and a text."""

import html
import itertools

import ipywidgets as widgets

from .frame import WIDGET, frame
from .views import Note, Row
from .views.view import View, mimebundle, side_by_side

PLAY_INTERVAL = 900  # milliseconds between two steps
STILL = "A still picture of the first setting. Run all cells (in the menu Run), and its controls are here again."


def values(control):
    """The finite list of values of a control.

    Raises
    ------
    TypeError
        For a control that has no finite list of values.
    """
    if isinstance(control, (widgets.IntSlider, widgets.Play)):
        return list(range(control.min, control.max + 1, control.step))
    if isinstance(control, widgets.Checkbox):
        return [False, True]
    if isinstance(control, (widgets.SelectionSlider, widgets.ToggleButtons, widgets.Dropdown)):
        options = control.options.items() if isinstance(control.options, dict) else control.options
        return [option[1] if isinstance(option, tuple) else option for option in options]
    raise TypeError(f"Explorer: {type(control).__name__} has no finite list of values; use a slider over integers, "
                    "SelectionSlider, ToggleButtons, Dropdown, Checkbox or Play")


def _player(slider):
    """A Play button that moves the slider and follows it."""
    play = widgets.Play(min=slider.min, max=slider.max, step=slider.step, value=slider.value, interval=PLAY_INTERVAL)
    widgets.link((play, "value"), (slider, "value"))
    return play


class Failed(Note):
    """Stands where a render failed: says why and leaves the controls usable."""

    caption = "This setting failed"

    def __init__(self, error):
        super().__init__(f"{type(error).__name__}: {error}")

    def html(self):
        """The message as an alert."""
        return f'<p class="attn-failed" role="alert">{html.escape(self.words)}</p>'


class Explorer:
    """Controls above views that follow them.

    Parameters
    ----------
    controls : dict of str to ipywidgets control
        Each with a finite list of values and a visible ``description`` (but for Play, which shows none).
    render : callable
        ``render(**state)`` returns a list of views. Same state, same views; nothing else is touched.
    caption : str
        The question that the explorer answers.
    play : str, optional
        Name of an IntSlider that a Play button beside it moves step by step.
    largest : dict, optional
        The state in which the views need most room, which is kept free for them, as far as it differs from the first
        state. Without it all states need as much room.

    Raises
    ------
    TypeError, ValueError
        For a control without a finite list of values or a description, or one that stands at another value; when `play`
        names no IntSlider, or `largest` a state that there is not.
    """

    def __init__(self, controls, render, caption, play=None, largest=None):
        for name, control in controls.items():
            grid = values(control)
            if control.value not in grid:
                raise ValueError(f"Explorer: control {name!r} stands at {control.value!r}, expected one of {grid}")
            if not control.description and not isinstance(control, widgets.Play):  # Play shows none
                raise ValueError(f"Explorer: control {name!r} has no description; readers need a visible label")
        if play is not None and not isinstance(controls.get(play), widgets.IntSlider):
            raise ValueError(f"Explorer: play needs the name of an IntSlider among the controls, got {play!r}")
        self.controls, self.render, self.caption, self.play = controls, render, caption, play
        self.default = {name: control.value for name, control in controls.items()}
        self.largest = self._state_of_most_room(largest)
        self._box = None

    def _state_of_most_room(self, largest):
        for name, value in (largest or {}).items():
            if name not in self.controls or value not in values(self.controls[name]):
                raise ValueError(f"Explorer: largest needs values of the controls {list(self.controls)}, "
                                 f"got {name!r} at {value!r}")
        return None if largest is None else {**self.default, **largest}

    def states(self):
        """Every combination of the controls' values, as dicts."""
        for combination in itertools.product(*map(values, self.controls.values())):
            yield dict(zip(self.controls, combination, strict=True))

    def views(self, **state):
        """The views of a state; a render that raises gives one `Failed` view."""
        try:
            return _checked(self.render(**state))
        except Exception as error:
            return [Failed(error)]

    def html(self, **state):
        """The views of a state as HTML, side by side."""
        return self._painted(lambda views: side_by_side(view.html() for view in views), state)

    def room_html(self):
        """The views of the largest state, which stand unseen in the place of the views; empty where none is named."""
        if self.largest is None:
            return ""
        return self._painted(lambda views: side_by_side((view.html() for view in views), "attn-room"), self.largest)

    def _painted(self, paint, state):
        """The views of a state, painted; one that cannot be painted gives a `Failed` view in place of all."""
        try:
            return paint(self.views(**state))
        except Exception as error:
            return paint([Failed(error)])

    def widget(self):
        """The live explorer. Shown twice, both copies stay in step."""
        if self._box is None:
            output = widgets.HTML(layout=widgets.Layout(width="100%", overflow="visible"))

            def show(_=None):
                output.value = self.html(**{name: control.value for name, control in self.controls.items()})

            for control in self.controls.values():
                control.observe(show, "value")
            show()
            shown = list(self.controls.values())
            if self.play is not None:
                shown.insert(list(self.controls).index(self.play), _player(self.controls[self.play]))
            row = widgets.HBox(shown, layout=widgets.Layout(flex_flow="row wrap"))
            row.add_class("attn-controls")
            room = [] if self.largest is None else [widgets.HTML(self.room_html()).add_class("attn-place")]
            self._box = frame(self.caption, row, *room, output)
        return self._box

    def _repr_mimebundle_(self, **_):
        data, metadata = self._painted(lambda views: mimebundle(views, self.caption, title=self.caption), self.default)
        if "text/html" in data:
            data["text/html"] += f'<p class="attn-note">{STILL}</p>'
        return {WIDGET: self.widget()._repr_mimebundle_()[WIDGET], **data}, metadata


def _checked(views):
    if not isinstance(views, (list, tuple)) or not views or not all(map(_stands_alone, views)):
        raise TypeError(f"render must return a list of views, got {views}")
    return list(views)


def _stands_alone(view):
    return isinstance(view, View) and not isinstance(view, Row)
