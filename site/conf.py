"""Sphinx's settings for the site. `make site` runs lessons.py first."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from helpers import style  # noqa: E402

project = html_title = "Attention, opened up"
author = ""
copyright = "CC BY 4.0"
extensions = ["myst_nb", "formulas"]
exclude_patterns = ["build", "node_modules", "python", "start.md", "**/.ipynb_checkpoints"]

# MyST-NB shows what lessons.py has run, and asks no other host for anything.
nb_execution_mode = "off"
nb_ipywidgets_js = {}

myst_enable_extensions = ["dollarmath"]
html_math_renderer = "katex"

html_theme = "furo"
html_theme_options = {
    "light_css_variables": style.variables("light"),
    "dark_css_variables": style.variables("dark"),
    "navigation_with_keys": False,  # the arrow keys belong to the sliders
}
pygments_style, pygments_dark_style = "a11y-light", "a11y-dark"
html_static_path = ["_static", "../helpers/style.css"]
html_css_files = ["style.css", "site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_favicon = "favicon.svg"
html_show_search_summary = False  # a page opened from a file may not read the others
html_use_index = html_copy_source = html_show_sourcelink = False
