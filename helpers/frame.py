"""What stands around everything live: title, style, and the script that makes controls usable in a notebook."""

import html
from pathlib import Path

import ipywidgets as widgets

from . import style
from .views.labels import formula_html

WIDGET = "application/vnd.jupyter.widget-view+json"
_SCRIPT, _STYLE = ((Path(__file__).parent / f"frame.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))


def frame(title, *parts):
    """Widgets below one another under a title.

    Parameters
    ----------
    title : str
    *parts : ipywidgets widget
        The script names the controls inside each part of the class ``attn-controls``.

    Returns
    -------
    VBox of the class ``attn``
    """
    script = html.escape(_SCRIPT, quote=True)  # a <script> set by a widget never runs; a style's onload does
    head = widgets.HTML(f'<style onload="{script}">{style.CSS}{_STYLE}</style><div class="attn-title">{formula_html(title)}</div>'
                        '<p class="attn-lost" role="status"></p><p class="attn-heard" role="status"></p>')
    return widgets.VBox([head, *parts], layout=widgets.Layout(overflow="visible")).add_class("attn")
