"""What stands around everything live: title, style, and the script that makes controls usable in JupyterLab."""

import html

import ipywidgets as widgets

from . import style

WIDGET = "application/vnd.jupyter.widget-view+json"

# Runs once when the frame appears. JupyterLab's shortcuts must not reach a focused control ("dd" would delete
# the cell), and sliders must say their name and the word that stands beside them, not an index.
_SCRIPT = """
const root = this.closest('.attn');
root.addEventListener('keydown', event => {
  if (!(event.ctrlKey || event.metaKey || event.altKey || event.key === 'Escape')) event.stopPropagation();
});
const set = (element, name, value) => {
  if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
};
const playing = {'fa-play': 'play', 'fa-pause': 'pause', 'fa-stop': 'stop', 'fa-retweet': 'repeat'};
const speak = () => root.querySelectorAll('.attn-controls > *').forEach(control => {
  const label = control.querySelector('.widget-label'), readout = control.querySelector('.widget-readout');
  const name = label ? label.textContent : '';
  control.querySelectorAll('.noUi-handle, select').forEach(element => set(element, 'aria-label', name));
  control.querySelectorAll('.widget-toggle-buttons > div').forEach(element => {
    set(element, 'role', 'group'); set(element, 'aria-label', name); });
  control.querySelectorAll('.widget-toggle-button').forEach(element =>
    set(element, 'aria-pressed', String(element.classList.contains('mod-active'))));
  control.querySelectorAll('.widget-play button').forEach(element =>
    set(element, 'aria-label', playing[element.firstChild.classList[1]]));
  control.querySelectorAll('.attn-feedback > *').forEach(element => set(element, 'aria-live', 'polite'));
  if (readout) set(control.querySelector('.noUi-handle'), 'aria-valuetext', readout.textContent);
});
speak();
new MutationObserver(speak).observe(root, {childList: true, subtree: true, characterData: true, attributes: true,
  attributeFilter: ['aria-valuetext', 'class']});
"""


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
    script = html.escape(_SCRIPT, quote=True)
    head = widgets.HTML(f'<style onload="{script}">{style.CSS}</style><div class="attn-title">{html.escape(title)}</div>')
    return widgets.VBox([head, *parts], layout=widgets.Layout(overflow="visible")).add_class("attn")
