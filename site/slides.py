"""Decks of slides from the notebooks: `python site/slides.py` writes _site/slides/, which needs no file beyond itself.

A beat of a lesson makes one slide, or a few: ``deck/deck.js`` measures what fits when a deck is opened.
"""

import html
import os
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from string import Template

from beats import beats, condensed
from formulas import KATEX, TOGETHER, copy_katex, rendered
from lessons import NOTEBOOKS, ROOT, SITE, SLIDES, executed
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from notes import notes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from helpers import style

DECK, REVEAL = SITE / "deck", KATEX.parent / "reveal.js"
FILES = [REVEAL / "dist/reveal.css", REVEAL / "dist/reveal.js", REVEAL / "plugin/notes/notes.js", ROOT / "helpers/style.css",
         SITE / "_static/site.css", SITE / "_static/site.js", SITE / "favicon.svg", DECK / "deck.css", DECK / "deck.js"]
THEMES = {"light": (":root", "a11y-light"), "dark": (":root.dark", "a11y-dark")}  # their selector, and how code is coloured
LESSON_LINK = re.compile(r'(?<=href=")(\d\d_\w+)\.ipynb')
FORMULA = re.compile("\ue000(\\d+)\ue001")  # its place in the text until KaTeX has made it
INLINE = '<span class="math inline">\ue000\\d+\ue001</span>'
JOINED = re.compile(rf"\({INLINE}[.,;:?!)]*|{INLINE}[.,;:?!)]+")  # with what stays on the line of the formula
MATHML = re.compile(r"<math.*</math>", re.DOTALL)


class Texts:
    """Markdown as HTML. KaTeX makes all formulas of a deck at once, at the end."""

    def __init__(self):
        self.formulas = []
        self.parser = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, renderer=self._keep)

    def _keep(self, tex, options):
        self.formulas.append((tex.strip(), options["display_mode"]))
        return f"\ue000{len(self.formulas) - 1}\ue001"

    def html(self, text):
        """Paragraphs, lists, tables; links to lessons lead to their decks."""
        content = JOINED.sub(TOGETHER.format(r"\g<0>"), self.parser.render(text))
        return LESSON_LINK.sub(r"\1.html", content)

    def line(self, text):
        """A text without paragraphs."""
        return self.parser.renderInline(text)

    def filled(self, page):
        """A page with its formulas in place; in the notes as MathML, which needs no style."""
        made = rendered(self.formulas) if self.formulas else []
        before, *rest = re.split(r"(<aside.*?</aside>)", page, flags=re.DOTALL)
        parts = [before, *rest]
        for place, part in enumerate(parts):
            spoken = part.startswith("<aside")
            parts[place] = FORMULA.sub(
                lambda found, spoken=spoken: MATHML.search(made[int(found[1])])[0] if spoken else made[int(found[1])], part)
        return "".join(parts)


# The parts of a slide


def sections(beat, texts, said):
    """A beat as one slide; a quiz as one for each question.

    Parameters
    ----------
    beat : Beat
    texts : Texts
    said : list of (str, dict)
        What the guide for teachers says about its cells.

    Returns
    -------
    str
    """
    shown = "".join([*map(output_html, beat.outputs), *[code_html(beat.solution)] * bool(beat.solution)])
    quiz, explorer = questions(shown), "attn-frozen" in shown
    short, rest = condensed(beat.reading) if beat.code and not explorer else (beat.reading, "")
    asked = {"context": texts.html(beat.context), "question": texts.html(beat.question)}
    code = {} if quiz or explorer or not beat.code else {"code": code_html(beat.code)}
    read = {"reading": texts.html(short)}
    aside = spoken(said, beat.context if explorer else rest and beat.reading, texts)
    slides = [asked, *({"result": question} for question in quiz), read] if quiz else [{**asked, **code, "result": shown, **read}]
    names = [beat.name, *(f"{beat.name}-{number}" for number in range(1, len(slides)))]
    level = "h1" if beat.name == "title" else "h2"
    title = f"<{level}>{texts.line(beat.title)}</{level}>"
    return "".join(f'<section id="{name}">{title}{"".join(map(block, parts, parts.values()))}{aside}</section>'
                   for name, parts in zip(names, slides, strict=True) if any(parts.values()))


def block(kind, content):
    """A part of a slide; the script decides which parts wait for a key."""
    return f'<div class="{kind}">{content}</div>' if content else ""


def questions(quiz):
    """The questions of a quiz, each as HTML of its own; an empty list for everything else."""
    _, *parts = re.split(r'(?=<div class="attn-question")', quiz.partition('<p class="attn-note attn-score"')[0])
    return [f'<div class="attn attn-asked">{part}</div>' for part in parts]


def code_html(source):
    """Python in colours."""
    return highlight(source, PythonLexer(), HtmlFormatter())


def output_html(output):
    """What a cell has printed or shown."""
    data = output.get("data", {})
    if "text/html" in data:
        return data["text/html"]
    return f"<pre>{html.escape(output.get('text') or data.get('text/plain', ''))}</pre>"


def spoken(said, reading, texts):
    """The speaker's notes: what the guide says, and what a slide leaves out of a text."""
    entries = ["".join([f"<p><b>{texts.line(under)}</b></p>",
                        *(f"<p><i>{texts.line(head)}:</i> {texts.line(words)}</p>" for head, words in row.items())])
               for under, row in said]
    whole = f"<hr>{texts.html(reading)}" if reading else ""
    return f'<aside class="notes">{"".join(entries)}{whole}</aside>' if entries or whole else ""


# Decks


def deck(path):
    """Write the deck of one lesson; gives its title."""
    notebook, _ = executed(path)
    texts, said, made = Texts(), notes((ROOT / "TEACHING.md").read_text(encoding="utf-8")), beats(notebook.cells)
    made[0].context += f"\n\n{neighbours(path)}"
    core, deeper = [], {}       # each Deeper section is a stack of its own, after the recap
    for beat in made:
        rows = [row for cell in beat.cells for row in said.get((path.stem, cell), [])]
        (deeper.setdefault(beat.title, []) if beat.deeper else core).append(sections(beat, texts, rows))
    stacks = (f"<section>{''.join(stack)}</section>" for stack in deeper.values())
    write("deck.html", f"{path.stem}.html", title=made[0].title, slides=texts.filled("".join([*core, *stacks])))
    return made[0].title


def neighbours(path):
    """Links to the decks before and after, in Markdown."""
    paths = lessons()
    before, after = ([*paths, None][paths.index(path) + step] for step in (-1, 1))
    links = [before and f"[← {before.stem[:2]}]({before.stem}.html)", "[all slides](index.html)",
             after and f"[{after.stem[:2]} →]({after.stem}.html)"]
    return " · ".join(filter(None, links))


def lessons():
    """The notebooks in their order."""
    return sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))


def write(template, name, **parts):
    """Fill a template and write it among the decks."""
    page = Template((DECK / template).read_text(encoding="utf-8")).substitute(parts)
    (SLIDES / name).write_text(page, encoding="utf-8")


def write_files(folder):
    """What all decks load, beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in FILES:
        shutil.copy(path, folder)
    copy_katex(folder / "katex")
    (folder / "colours.css").write_text("".join(map(colours, THEMES)), encoding="utf-8")


def colours(theme):
    """The colours of roles and of code in a theme, as CSS."""
    selector, code = THEMES[theme]
    shades = "".join(f"--{name}: {shade}; " for name, shade in style.variables(theme).items())
    return f"{selector} {{ {shades}}}\n{HtmlFormatter(style=code).get_style_defs(f'{selector} .highlight')}\n"


def main():
    """All decks, as many at a time as there are processors, and the page from which they are opened."""
    shutil.rmtree(SLIDES, ignore_errors=True)
    write_files(SLIDES / "static")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        titles = list(pool.map(deck, lessons()))
    links = (f'<li><a href="{path.stem}.html">{html.escape(title)}</a></li>'
             for path, title in zip(lessons(), titles, strict=True))
    write("index.html", "index.html", decks="\n".join(links))


if __name__ == "__main__":
    main()
