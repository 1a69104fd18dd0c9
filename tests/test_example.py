"""example.py: the numbers that the lessons speak of, and sentences of the reader's own."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import example
from helpers.attention import attention, causal_mask, multi_head
from helpers.example import FEATURES, HEADS, TOKENS, VOCABULARY, E, P, X

F = {feature: FEATURES.index(feature) for feature in FEATURES}
KINDS = ["det", "adj", "noun", "verb", "end"]
SETTINGS = settings(max_examples=60, deadline=None, derandomize=True)
sentences = st.lists(st.sampled_from(sorted(VOCABULARY)), min_size=1, max_size=12)


def head(name, X=X, mask="causal"):
    W_Q, W_K, W_V, W_O = example.projections(name)
    return attention(X @ W_Q, X @ W_K, X @ W_V, causal_mask(len(X)) if mask == "causal" else None), W_O


def at(word):
    return TOKENS.index(word)


# ---------------------------------------------------------------- the sentence


def test_the_sentence_as_a_matrix():
    assert TOKENS == ["a", "fluffy", "blue", "creature", "roamed", "the", "verdant", "forest", "."]
    assert X.shape == E.shape == P.shape == (9, 12)
    assert np.array_equal(X, E + P)
    assert FEATURES == [
        "det",
        "adj",
        "noun",
        "verb",
        "end",
        "fluffy",
        "blue",
        "green",
        "alive",
        "definite",
        "cos",
        "sin",
    ]


def test_features_of_the_sentence():
    kinds = [KINDS[i] for i in E[:, : len(KINDS)].argmax(1)]
    assert kinds == ["det", "adj", "adj", "noun", "verb", "det", "adj", "noun", "end"]
    assert (E[:, : len(KINDS)].sum(1) == 1).all()
    assert not E[:, [F["cos"], F["sin"]]].any() and not P[:, : F["cos"]].any()


def test_token_i_stands_at_thirty_degrees_times_i_plus_one():
    angles = np.rad2deg(np.arctan2(P[:, F["sin"]], P[:, F["cos"]])) % 360
    assert np.allclose(angles, 30 * np.arange(1, 10))


def test_shared_arrays_are_read_only():
    for array in (X, E, P):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 9


# ---------------------------------------------------------------- scores (lessons 02, 03)


def test_what_creature_asks_and_fluffy_answers():
    W_Q, W_K, _, _ = example.projections("adjectives")
    assert (X @ W_Q)[3].round(2).tolist() == [8, 1.29, 4.83]
    assert (X @ W_K)[1].round(2).tolist() == [1, 0.5, 0.87]


def test_scores_of_the_adjectives_head():
    S = head("adjectives")[0].S
    assert S[[3, 1, 3], [1, 3, 6]].round(2).tolist() == [12.83, -1.29, 4.46]
    assert S[3].round(2).tolist() == [3.54, 12.83, 12.83, 3.54, 1.29, -1.29, 4.46, -4.83, -4.83]
    assert round(S[3].sum(), 2) == 27.54
    assert (S < 0).any() and not np.allclose(S, S.T)


def test_a_score_from_place_alone():
    """A word of another kind at the place of fluffy scores what place gives: 12.83 less the match of 8."""
    assert round(head("adjectives")[0].S[3, 1] - 8, 2) == 4.83


# ---------------------------------------------------------------- patterns (lessons 08, 10)


@pytest.mark.parametrize(
    ("name", "target", "source", "share"),
    [
        ("adjectives", "creature", "fluffy", 0.50),
        ("adjectives", "creature", "blue", 0.50),
        ("subject", "roamed", "creature", 0.98),
        ("previous", "roamed", "creature", 0.92),
        ("determiner", "creature", "a", 0.98),
        ("determiner", "forest", "the", 0.97),
    ],
)
def test_patterns_of_the_heads(name, target, source, share):
    assert head(name)[0].A[at(target), at(source)] == pytest.approx(share, abs=0.006)


def test_the_previous_head_looks_one_place_back():
    A = head("previous")[0].A
    assert A[0, 0] == 1
    assert (A[1:].argmax(1) == np.arange(8)).all()
    assert A[2:].max(1) == pytest.approx(0.92, abs=0.01)


def test_weights_are_shares():
    for name in HEADS:
        A = head(name)[0].A
        assert np.allclose(A.sum(1), 1) and np.array_equal(A, np.tril(A))


def test_what_the_adjectives_head_writes():
    result, W_O = head("adjectives")
    update = result.O @ W_O
    assert update[at("creature"), [F["fluffy"], F["blue"], F["green"]]] == pytest.approx([1, 1, 0], abs=0.05)
    assert update[at("forest"), F["green"]] == pytest.approx(1.89, abs=0.005)
    others = [i for feature, i in F.items() if feature not in ("fluffy", "blue", "green")]
    assert not update[:, others].any()


def test_there_is_no_way_to_attend_nowhere():
    """Roamed and blue are written to as well: a row of weights sums to 1."""
    result, W_O = head("adjectives")
    written = np.abs(result.O @ W_O).max(1)
    assert written[at("roamed")] > 0.5 and written[at("blue")] > 0.5


def test_the_ranks_of_what_the_heads_write():
    ranks = [np.linalg.matrix_rank(h.W_V() @ h.W_O()) for h in HEADS.values()]
    assert dict(zip(HEADS, ranks, strict=True)) == {"adjectives": 3, "subject": 1, "previous": 0, "determiner": 1}
    W_V, W_O = example.projections()[2:]
    assert np.linalg.matrix_rank(W_V @ W_O) == sum(ranks) == 5


def test_four_heads_at_once_are_the_heads_one_by_one():
    together = multi_head(X, *example.projections(), H=4, mask=causal_mask(9))
    alone = [head(name) for name in HEADS]
    assert np.allclose(together.heads.A, [result.A for result, _ in alone])
    assert np.allclose(together.result, sum(result.O @ W_O for result, W_O in alone))


def test_projections_put_heads_side_by_side():
    assert [W.shape for W in example.projections()] == [(12, 12)] * 4
    assert [W.shape for W in example.projections("subject", "previous")] == [(12, 6), (12, 6), (12, 6), (6, 12)]
    for whole, part in zip(example.projections("subject", "adjectives"), example.projections("adjectives"), strict=True):
        assert np.array_equal(whole[3:] if whole.shape == (6, 12) else whole[:, 3:], part)
    with pytest.raises(ValueError, match="projections: unknown head 'adjectiv'; expected one of adjectives, subject"):
        example.projections("adjectiv")


@pytest.mark.parametrize("name", HEADS)
def test_matrices_follow_from_the_description(name):
    h = HEADS[name]
    for feature in KINDS:
        assert h.W_Q()[F[feature], 0] == h.seeks.get(feature, 0)
        assert h.W_K()[F[feature], 0] == h.offers.get(feature, 0)
    place = [F["cos"], F["sin"]]
    i, j = np.mgrid[:9, :9]
    from_place = (X[:, place] @ h.W_Q()[place, 1:]) @ (X[:, place] @ h.W_K()[place, 1:]).T
    assert np.allclose(from_place, h.place * np.cos(np.deg2rad(30) * (i - j - h.tokens_back)))
    assert h.question.endswith("?")


@SETTINGS
@given(st.floats(-720, 720), st.floats(-720, 720))
def test_rotation_turns_back(a, b):
    point = lambda degrees: np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])  # noqa: E731
    assert np.allclose(point(a) @ example.rotation(b), point(a - b))


# ---------------------------------------------------------------- twelve places on a circle


@pytest.mark.parametrize("name", ["adjectives", "subject", "previous", "determiner"])
def test_the_score_of_place_depends_on_the_distance_modulo_twelve(name):
    """Unmasked, looking 10 or 11 places ahead is the same as 2 or 1 back."""
    W_Q, W_K, _, _ = example.projections(name)
    places = example.positions(12)
    S = (places @ W_Q) @ (places @ W_K).T
    assert np.allclose(
        [S[i, j] for i in range(12) for j in range(12)], [S[(i - j) % 12, 0] for i in range(12) for j in range(12)]
    )


def test_unmasked_a_noun_at_0_finds_adjectives_at_10_and_11():
    tokens, X = example.encode("creature saw the old hill . a cat roamed . fluffy blue")
    free, _ = head("adjectives", X, mask=None)
    assert (tokens[10], tokens[11]) == ("fluffy", "blue")
    assert free.A[0, [10, 11]] == pytest.approx([0.5, 0.5], abs=0.01)
    causal, _ = head("adjectives", X)
    assert causal.A[0, 0] == 1


def test_up_to_six_tokens_no_distance_repeats():
    """Two distances between T tokens fall on the same place of the circle from T = 7 on."""
    for T in range(1, 13):
        distances = np.arange(-(T - 1), T)
        assert (len({d % 12 for d in distances.tolist()}) == len(distances)) == (T <= 6)


# ---------------------------------------------------------------- three moles (lesson 01)


def moles():
    words = [phrase.lower().split() for phrase in example.MOLE_PHRASES]
    rows = [example.embeddings(w, example.MOLE_VOCABULARY, example.MOLE_FEATURES) for w in words]
    with_place = [row + example.positions(len(row), example.MOLE_FEATURES) for row in rows]
    index = [w.index("mole") for w in words]
    return (
        index,
        np.array([r[i] for r, i in zip(rows, index, strict=True)]),
        np.array([r[i] for r, i in zip(with_place, index, strict=True)]),
    )


def test_three_moles_start_equal_to_the_last_bit():
    _, E, _ = moles()
    assert E.tobytes() == 3 * E[0].tobytes()
    assert len(example.MOLE_FEATURES) == 5 + 2


def test_with_positions_two_moles_stay_equal():
    index, _, X = moles()
    assert index == [2, 1, 1]
    assert X[1].tobytes() == X[2].tobytes() and X[0].tobytes() != X[1].tobytes()


def test_the_phrases_are_in_their_vocabulary():
    for phrase in example.MOLE_PHRASES:
        assert example.tokenize(phrase, example.MOLE_VOCABULARY) == phrase.lower().split()
    assert all(set(word) <= set(example.MOLE_FEATURES) for word in example.MOLE_VOCABULARY.values())


# ---------------------------------------------------------------- the reader's own sentence


def test_the_vocabulary():
    assert len(VOCABULARY) >= 40
    for word, features in VOCABULARY.items():
        assert word == word.lower() and re.fullmatch(r"\w+|[^\w\s]", word)
        assert set(features) <= set(FEATURES) - {"cos", "sin"}
        assert sum(kind in features for kind in KINDS) == 1, word
        assert all(-1 <= value <= 1 for value in features.values())
    assert set(TOKENS) <= set(VOCABULARY)
    assert all(any(kind in features for features in VOCABULARY.values()) for kind in KINDS)


@SETTINGS
@given(sentences)
def test_any_words_of_the_vocabulary_make_a_sentence(words):
    tokens, X = example.encode(" ".join(words))
    assert tokens == words
    assert X.shape == (len(words), 12) and X.dtype == np.float64
    assert np.array_equal(X, example.embeddings(words) + example.positions(len(words)))
    for i, word in enumerate(words):
        assert all(X[i, F[feature]] == VOCABULARY[word].get(feature, 0) for feature in FEATURES[:-2])
        assert X[i, -2:] == pytest.approx([np.cos(np.pi / 6 * (i + 1)), np.sin(np.pi / 6 * (i + 1))])
    for name in HEADS:
        A = head(name, X)[0].A
        assert np.allclose(A.sum(1), 1)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("THE CAT", ["the", "cat"]),
        ("the cat.", ["the", "cat", "."]),
        ("The cat!?", ["the", "cat", "!", "?"]),
        ("  the\n\tcat  ", ["the", "cat"]),
        ("a", ["a"]),
        ("the cat . the dog .", ["the", "cat", ".", "the", "dog", "."]),
    ],
)
def test_tokenize(sentence, tokens):
    assert example.tokenize(sentence) == tokens


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_words_of_your_own_vocabulary_may_be_composed_or_not(form):
    own = {unicodedata.normalize(form, "Café"): {"noun": 1}, "the": {"det": 1}}
    for sentence in ("The caf\u00e9", "the cafe\u0301"):
        tokens = example.tokenize(sentence, own)
        assert tokens == ["the", "caf\u00e9"]
        assert example.embeddings(tokens, own)[:, [F["det"], F["noun"]]].tolist() == [[1, 0], [0, 1]]
    assert example.embeddings(["Cafe\u0301"], own)[0, F["noun"]] == 1


def test_no_token_gives_no_row():
    assert example.embeddings([]).shape == (0, 12)


def test_a_feature_without_a_column_is_named():
    with pytest.raises(ValueError, match=r"^embeddings: 'cat': unknown feature 'purrs'; expected one of det, adj, noun"):
        example.embeddings(["cat"], {"cat": {"noun": 1, "purrs": 1}})
    with pytest.raises(ValueError, match=r"^Head 'odd': unknown feature 'purrs'; expected one of det, adj, noun"):
        HEADS["previous"]._replace(name="odd", seeks={"purrs": 1}).W_Q()
    with pytest.raises(ValueError, match=r"^positions: features must hold 'cos' and 'sin', got \['noun'\]"):
        example.positions(2, ["noun"])


@pytest.mark.parametrize("sentence", ["", "   ", "\n"])
def test_an_empty_sentence(sentence):
    with pytest.raises(ValueError, match="tokenize: sentence is empty; expected 1 to 12 words"):
        example.encode(sentence)


def test_twelve_tokens_are_the_most():
    assert len(example.encode("the cat " * 6)[0]) == 12
    with pytest.raises(ValueError, match="tokenize: sentence has 13 tokens, expected at most 12: positions stand 30"):
        example.encode("the cat " * 6 + ".")


@pytest.mark.parametrize("sentence", [None, 3, ["the", "cat"], b"the cat"])
def test_a_sentence_is_a_string(sentence):
    with pytest.raises(TypeError, match=f"tokenize: sentence must be a string, got {type(sentence).__name__}"):
        example.encode(sentence)


@pytest.mark.parametrize(
    ("sentence", "word", "nearest"),
    [
        ("the creatures", "creatures", "creature"),
        ("a verdent forest", "verdent", "verdant"),
        ("the cat, a dog", ",", None),
        ("the zzz", "zzz", None),
        ("the 고양이", "고양이", None),
    ],
)
def test_an_unknown_word_is_named_with_those_near_it_and_all_known(sentence, word, nearest):
    with pytest.raises(ValueError, match="tokenize: unknown word") as caught:
        example.encode(sentence)
    message = str(caught.value)
    assert repr(word) in message
    assert ("Nearest: " in message) == (nearest is not None)
    if nearest:
        assert message.split("Nearest: ")[1].startswith(nearest)
    assert message.split("Known words: ")[1].split() == sorted(VOCABULARY)


@SETTINGS
@given(st.text(max_size=40))
def test_any_text_encodes_or_says_why(text):
    try:
        tokens, X = example.encode(text)
    except ValueError as error:
        assert str(error).startswith("tokenize: ")
    else:
        assert len(tokens) == len(X) <= 12 and set(tokens) <= set(VOCABULARY)


@pytest.mark.parametrize("T", [0, 13, -1])
def test_positions_know_their_limits(T):
    with pytest.raises(ValueError, match=f"positions: T must be 1 to 12, got {T}"):
        example.positions(T)


def test_no_two_places_are_equal():
    places = example.positions(12)[:, -2:]
    apart = np.linalg.norm(places[:, None] - places, axis=-1) + 9 * np.eye(12)
    assert apart.min() == pytest.approx(2 * np.sin(np.pi / 12))


@pytest.mark.parametrize(("tokens", "named"), [(["a", "zebra"], "zebra"), ("creature", "c")])
def test_embeddings_name_an_unknown_token(tokens, named):
    with pytest.raises(ValueError, match=f"embeddings: unknown token '{named}'"):
        example.embeddings(tokens)


@pytest.mark.parametrize("T", [2.5, "3", None, True, ["a"]], ids=str)
def test_positions_need_an_integer(T):
    with pytest.raises(TypeError, match=r"positions: T must be an integer, got "):
        example.positions(T)


def test_projections_take_names_not_a_list_of_them():
    with pytest.raises(ValueError, match=r"projections: unknown head \['adjectives'\]; expected one of adjectives, "):
        example.projections(["adjectives"])
