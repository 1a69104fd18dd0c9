"""Saved lessons keep pictures and text, not live controls: those exist only as long as their kernel."""

import warnings

WIDGET = "application/vnd.jupyter.widget-view+json"


def leave_out_widgets(model, **_):
    """Take the live controls out of what is written; the open page keeps them."""
    if model["type"] != "notebook":
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)


warnings.filterwarnings("ignore", "Overriding existing pre_save_hook")  # the server sets it twice and says so
c = get_config()  # noqa: F821
c.ContentsManager.pre_save_hook = leave_out_widgets
