"""What stands on the pages, read from their files."""

import itertools
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from lesson_pages import ALL, NAMES, PATH_OF
from series import IGNORED, READ

from helpers.exercises.checking import EXERCISES, solution

LARGEST_PAGE, LARGEST_SITE = 1.5e6, 15e6
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """What a page loads, where its links lead, and its text with the words that open what is folded."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.links, self.turns, self.ids, self.open, self.text, self.folds = [], [], {}, set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        if attrs.get(LOADED.get(tag)):
            self.loaded.append(attrs[LOADED[tag]])
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
            self.turns[attrs.get("class")] = attrs["href"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)
            if "details" in self.open and "summary" not in self.open:
                self.folds.append(data)


@pytest.fixture(scope="module")
def pages(site):
    return {name: Page(site / name) for name in ALL}


def one_line(parts):
    return " ".join("".join(parts).split())


def test_every_lesson_is_a_page_and_no_page_is_left_over(site):
    assert sorted(path.name for path in (site / "lessons").glob("*.html")) == [name.partition("/")[2] for name in NAMES]


@pytest.mark.parametrize("name", ALL)
def test_a_page_loads_only_files_beside_it_and_is_small(site, pages, name):
    total = (site / name).stat().st_size
    for address in {address.partition("?")[0] for address in pages[name].loaded}:
        assert not urlsplit(address).scheme and not address.startswith("//"), address
        total += ((site / name).parent / unquote(address)).stat().st_size if not address.startswith("#") else 0
    assert total <= LARGEST_PAGE


def test_styles_load_only_files_beside_them(site):
    for path in site.glob("_static/**/*.css"):
        for address in re.findall(r"url\(([^)]+)\)", path.read_text(encoding="utf-8")):
            assert address.strip("\"'").startswith(("data:", "fonts/")), f"{path.name}: {address}"


def test_one_short_script_moves_all_explorers(site, pages):
    lessons = [pages[name].loaded for name in NAMES]
    assert all(sum(name.partition("?")[0].endswith("_static/site.js") for name in loaded) == 1 for loaded in lessons)
    assert len((site / "_static/site.js").read_text(encoding="utf-8").splitlines()) <= 80


def test_the_whole_site_is_small(site):
    files = (path for path in site.rglob("*") if path.is_file() and "python" not in path.relative_to(site).parts[:1])
    assert sum(path.stat().st_size for path in files) <= LARGEST_SITE


@pytest.mark.parametrize("name", ALL)
def test_links_lead_somewhere(site, pages, name):
    for address in pages[name].links:
        target, _, place = address.partition("#")
        if urlsplit(address).scheme in ("http", "https") or target.startswith("../python/"):
            continue
        if target.startswith(("slides/", "python/")):  # links that are there only when these are
            assert (site / target).exists()
            continue
        page = ((site / name).parent / target).resolve().relative_to(site.resolve()).as_posix() if target else name
        assert page in pages, f"{address}"
        assert not place or place in pages[page].ids, f"{address}"


@pytest.mark.parametrize("name", NAMES)
def test_formulas_are_rendered_and_none_is_left_as_tex(site, pages, name):
    html, notebook = (site / name).read_text(encoding="utf-8"), READ[PATH_OF[name]]
    assert "katex-error" not in html
    formulas = sum(len(re.findall(r"(?<!\\)\$", cell.source)) for cell in notebook.cells if cell.cell_type == "markdown")
    assert not formulas or html.count('class="katex"') > 0
    assert "$" not in re.sub(r"<(pre|code|annotation|script)\b.*?</\1>", "", html, flags=re.DOTALL)


@pytest.mark.parametrize("name", NAMES)
def test_every_output_of_the_notebook_is_on_the_page(site, pages, name):
    """Pictures as tables and SVG, texts as they are; but for the checks of exercises, and where times are measured."""
    text, html, pictures = one_line(pages[name].text), (site / name).read_text(encoding="utf-8"), 0
    for cell in READ[PATH_OF[name]].cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "code" and "only-with-a-kernel" not in tags and not re.search("^check_", cell.source, re.MULTILINE):
            pictures += sum("image/png" in output.get("data", {}) for output in cell.outputs)
            for output in cell.outputs:
                if output.output_type == "stream" and IGNORED not in tags:
                    assert one_line(output.text) in text, cell.id
    assert html.count('class="attn-views"') == pictures
    assert html.count("<img") == 0
    quizzes = sum(cell.source.count("quiz(") for cell in READ[PATH_OF[name]].cells if cell.cell_type == "code")
    assert html.count('class="attn attn-quiz"') == quizzes


@pytest.mark.parametrize("name", NAMES)
def test_exercises_have_their_solution_folded_and_no_check(pages, name):
    source = "\n".join(cell.source for cell in READ[PATH_OF[name]].cells if cell.cell_type == "code")
    folds, text = one_line(pages[name].folds), one_line(pages[name].text)
    assert "Not yet:" not in text
    for exercise in re.findall(r"^check_(\w+)\(", source, re.MULTILINE):
        assert one_line(solution(EXERCISES[exercise].reference)) in folds


@pytest.mark.parametrize("name", NAMES)
def test_what_reads_a_prediction_is_folded(pages, name):
    """The text below a result begins with the answer; until the reader asks, neither is shown."""
    cells, folds = READ[PATH_OF[name]].cells, one_line(pages[name].folds)
    asked = False
    for before, cell in itertools.pairwise(cells):
        asked = "**Before you run it" in before.source if before.cell_type == "markdown" else asked
        reads = asked and before.cell_type == "code" and cell.cell_type == "markdown" and not cell.source.startswith("#")
        picture = any("image/png" in output.get("data", {}) for output in before.get("outputs", []))
        if reads and not ("explore_" in before.source and picture):
            words = re.match(r"[\w ,]*", cell.source)[0].strip()
            assert words in folds, f"{cell.id}: {words}"
            asked = False


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_folded(pages, name):
    for cell in READ[PATH_OF[name]].cells:
        for answer in re.findall(r"<summary>Answer</summary>\s*([\w ,]+)", cell.source):
            assert answer.strip() in one_line(pages[name].folds)


def test_what_only_a_notebook_needs_is_left_out(pages):
    text = one_line(pages["lessons/00_start_here.html"].text)
    assert "Is everything working?" not in text and "environment.check()" not in text


def test_the_first_page_has_the_computation_the_short_path_and_the_map(pages):
    start, text = pages["index.html"], one_line(pages["index.html"].text)
    assert "12.83" in text and "divided by" in text
    assert "The short path goes through lessons" in text
    assert set(NAMES) <= set(start.links[start.links.index(NAMES[0]):])
    assert "Run All" not in text and "make lab" not in text


@pytest.mark.parametrize("name", NAMES)
def test_previous_and_next_lead_through_the_lessons(pages, name):
    place, turns = NAMES.index(name), pages[name].turns
    before = f"../{NAMES[place - 1]}" if place else "../index.html"
    after = f"../{NAMES[place + 1]}" if place + 1 < len(NAMES) else None
    assert [turns.get("prev-page"), turns.get("next-page")] == [
        address and address.replace("../lessons/", "") for address in (before, after)]
