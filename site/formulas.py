"""A Sphinx extension: formulas become HTML, with MathML for screen readers, when the site is built. KaTeX makes them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes

from helpers import style

KATEX = Path(__file__).parent / "node_modules/katex"
SCRIPT = """
const katex = require('katex'), formulas = JSON.parse(require('fs').readFileSync(0));
const html = formulas.map(([tex, displayMode]) => katex.renderToString(tex, {displayMode}));
process.stdout.write(JSON.stringify(html));
"""
BEFORE, AFTER = r"\($", r"^[.,;:?!)]+"  # what must not end a line before a formula, or begin one after it
TOGETHER = '<span class="together">{}</span>'


def rendered(formulas):
    """The HTML of formulas, each a pair of TeX and whether it stands by itself.

    Raises
    ------
    ValueError
        When KaTeX cannot read one.
    """
    node = subprocess.run(["node", "-e", SCRIPT], input=json.dumps(formulas), encoding="utf-8", capture_output=True,
                          cwd=KATEX.parent)
    if node.returncode:
        raise ValueError(f"KaTeX: {node.stderr}")
    return [style.themed(html) for html in json.loads(node.stdout)]


def render_page(app, doctree, page):
    """Render all formulas of a page at once: one process of node for each page."""
    found = list(doctree.findall(lambda node: isinstance(node, nodes.math | nodes.math_block)))
    for node, html in zip(found, rendered(list(map(_formula, found))) if found else [], strict=True):
        around = node.parent.children
        place = around.index(node)
        before = _taken(BEFORE, around[place - 1]) if place else ""
        after = _taken(AFTER, around[place + 1]) if place + 1 < len(around) else ""
        node["html"] = TOGETHER.format(before + html + after) if before or after else html


def _taken(pattern, text):
    """What matches in a text, which loses it."""
    found = re.search(pattern, text) if isinstance(text, nodes.Text) else None
    if found is None:
        return ""
    text.parent.replace(text, nodes.Text(text[:found.start()] + text[found.end():]))
    return found[0]


def write_formula(translator, node):
    """The HTML of a formula; one in a heading is met in the table of contents too, before its page."""
    kind = "block" if isinstance(node, nodes.math_block) else "inline"
    html = node.get("html") or rendered([_formula(node)])[0]
    translator.body.append(f'<span class="math-{kind}">{html}</span>')
    raise nodes.SkipNode


def _formula(node):
    return node.astext(), isinstance(node, nodes.math_block)


def copy_fonts(app, _):
    """KaTeX's style and fonts, beside the pages."""
    copy_katex(Path(app.outdir) / "_static/katex")


def copy_katex(target):
    """KaTeX's style and fonts into a folder."""
    shutil.copytree(KATEX / "dist/fonts", target / "fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"), dirs_exist_ok=True)
    shutil.copy(KATEX / "dist/katex.min.css", target)


def setup(app):
    """Called by Sphinx."""
    app.add_html_math_renderer("katex", inline_renderers=(write_formula, None), block_renderers=(write_formula, None))
    app.connect("doctree-resolved", render_page)
    app.connect("build-finished", copy_fonts)
    app.add_css_file("katex/katex.min.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
