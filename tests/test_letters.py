"""One letter for one thing: scores have no tilde and no hat; they are S, S_scaled, S_masked."""

import re

import pytest
from series import committed_texts

MARKED = re.compile(r"\\{1,2}(?:wide)?(?:tilde|hat)\s*\{?\s*S\b|S[\u0302\u0303]|\u015c")


def test_no_marked_scores():
    found = [f"{path.name}: {match[0]}" for path, text in committed_texts() for match in MARKED.finditer(text)]
    assert found == []


@pytest.mark.parametrize(
    "text", ["@tilde S", "@hat{S}", "$@@tilde{S}_{ij}$", "@widetilde{S}", "S\u0303", "S\u0302", "\u015c"])
def test_marked_scores_are_found(text):
    assert MARKED.search(text.replace("@", "\\"))


@pytest.mark.parametrize("text", [r"S_\text{scaled}", r"\hat y", r"\hat{Sum}", r"\tilde s"])
def test_other_letters_stay(text):
    assert not MARKED.search(text)
