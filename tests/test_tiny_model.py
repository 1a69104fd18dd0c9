"""The language, its entropy, the model's gradients, its training and its texts."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from helpers.attention import KVCache, causal_mask
from helpers.tiny_model import (
    VERBS,
    VOCABULARY,
    Adam,
    TinyModel,
    corpus,
    decode,
    encode,
    generate,
    is_grammatical,
    is_true,
    train,
)
from helpers.tiny_model.cached import forward_cached
from helpers.tiny_model.grammar import (
    ADVERBS,
    COLOURS,
    LENGTH,
    NOUNS,
    OPENERS,
    PLACE_ADJECTIVES,
    PLACES,
    TEXTURES,
)
from helpers.tiny_model.training import Progress

SMALL = {"d_model": 6, "d_k": 3, "dtype": np.float64}
SENTENCE = "a fluffy blue creature roamed the verdant forest ."


@pytest.fixture(scope="module")
def sentences():
    return corpus(2000, seed=0)


@pytest.fixture(scope="module")
def trained(sentences):
    model = TinyModel()
    return model, train(model, sentences.ids, steps=200, label="")


# ---------------------------------------------------------------- the language

def chances_of_sentences():
    """Every sentence of the language with its probability, from its description."""
    openings = [((opener, article), 0.2 * 0.5) for opener in OPENERS for article in ("a", "the")]
    openings += [((article,), 0.4 * 0.5) for article in ("a", "the")]
    pairs = [(pair, 0.5 / 16) for t, c in itertools.product(TEXTURES, COLOURS) for pair in ((t, c), (c, t))]
    for (opening, p_opening), (very, p_very), (pair, p_pair), noun in itertools.product(
            openings, (((), 0.75), (("very",), 0.25)), pairs, NOUNS):
        texture, colour = (word for words in (TEXTURES, COLOURS) for word in pair if word in words)
        verb = VERBS[4 * TEXTURES.index(texture) + COLOURS.index(colour)]
        for article, adjective, place, has_adverb in itertools.product(
                ("a", "the"), PLACE_ADJECTIVES, PLACES, (True, False)):
            adverb = (ADVERBS[PLACE_ADJECTIVES.index(adjective)],) if has_adverb else ()
            words = (*opening, *very, *pair, noun, verb, article, adjective, place, *adverb, ".")
            yield words, p_opening * p_very * p_pair / 4 / 2 / 4 / 4 / 2


@pytest.fixture(scope="module")
def chance_of_prefix():
    """The probability that a sentence begins in a given way."""
    chances = defaultdict(float)
    for words, chance in chances_of_sentences():
        for end in range(len(words) + 1):
            chances[words[:end]] += chance
    return chances


def test_surprise_is_the_exact_conditional_probability(chance_of_prefix):
    assert chance_of_prefix[()] == pytest.approx(1)
    some = corpus(300, seed=5)
    for ids, surprise in zip(some.ids, some.surprise, strict=True):
        words = tuple(decode(ids))
        exact = [-math.log(chance_of_prefix[words[:t + 1]] / chance_of_prefix[words[:t]]) for t in range(len(words))]
        assert surprise[:len(words)] == pytest.approx(exact, abs=1e-9)
        assert not surprise[len(words):].any()


def test_floor_is_the_mean_surprise(sentences):
    words = [len(decode(ids)) for ids in sentences.ids]
    assert sentences.floor == pytest.approx(sentences.surprise.sum() / sum(words))
    assert sentences.floor < math.log(len(VOCABULARY))


def test_sentences_are_valid_and_places_are_right(sentences):
    for ids, (noun, one, other, place, place_adjective) in zip(sentences.ids, sentences.places, strict=True):
        words = [VOCABULARY[i] for i in ids]
        assert words[0] == "<s>"
        assert is_true(decode(ids))
        assert words[noun] in NOUNS and words[place] in PLACES and words[place_adjective] in PLACE_ADJECTIVES
        assert {words[one] in TEXTURES, words[other] in TEXTURES} == {True, False}
        assert (words[one] in COLOURS) != (words[other] in COLOURS)
    assert (sentences.ids != 0).sum(axis=1).max() == LENGTH - 1  # one place stays free, after the longest sentence


@pytest.mark.parametrize(("change", "grammatical"), [
    (("roamed", "circled"), True), (("forest .", "forest silently ."), True), (("fluffy blue", "fluffy tiny"), False),
    ((" .", ""), False), (("creature", ""), False), (("a fluffy", "a very very fluffy"), False)])
def test_changed_sentences(change, grammatical):
    words = SENTENCE.replace(*change).split()
    assert is_true(SENTENCE.split())
    assert is_grammatical(words) == grammatical
    assert not is_true(words)


@pytest.mark.parametrize("text", [SENTENCE, SENTENCE.replace(" .", "."), "  A Fluffy blue\ncreature roamed the verdant forest ."])
def test_punctuation_and_capitals_as_people_write_them(text):
    assert np.array_equal(encode(text), encode(SENTENCE))


def test_start_and_padding_are_no_words():
    for word in ("<s>", "<pad>"):
        with pytest.raises(ValueError, match="encode: unknown word '<'"):
            encode(f"{word} a fluffy")


def test_encode_and_decode():
    ids = encode(SENTENCE)
    assert ids.shape == (1, LENGTH)
    assert " ".join(decode(ids[0])) == SENTENCE
    with pytest.raises(ValueError, match="unknown word 'zebra'"):
        encode("a zebra")
    with pytest.raises(ValueError, match=f"14 words, expected at most {LENGTH - 1}"):
        encode("very " * 14)


def test_a_seed_decides_the_corpus():
    assert np.array_equal(corpus(50, seed=3).ids, corpus(50, seed=3).ids)
    assert not np.array_equal(corpus(50, seed=3).ids, corpus(50, seed=4).ids)


# ---------------------------------------------------------------- the model

@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("H", [1, 2])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
def test_gradients_by_finite_differences(layers, H, causal, scaled, sentences):
    model, ids, by = TinyModel(H=H, layers=layers, causal=causal, scaled=scaled, seed=3, **SMALL), sentences.ids[:4], 1e-5
    loss, gradients = model.gradients(ids)
    assert loss == pytest.approx(model.loss(ids)[0])
    rng = np.random.default_rng(0)
    assert gradients.keys() == model.parameters.keys()
    for name, p in model.parameters.items():
        moved = np.argwhere(gradients[name])
        for at in map(tuple, rng.permutation(moved)[:12]):
            old, losses = p[at], []
            for p[at] in (old + by, old - by):
                losses.append(model.loss(ids)[0])
            p[at] = old
            assert gradients[name][at] == pytest.approx((losses[0] - losses[1]) / (2 * by), rel=1e-5, abs=1e-9), name


def test_only_what_is_used_has_a_gradient():
    model, ids = TinyModel(seed=1, **SMALL), encode(SENTENCE)
    _, gradients = model.gradients(ids)
    used = sorted(set(ids[0, :9].tolist()))
    assert np.flatnonzero(gradients["E"].any(axis=1)).tolist() == used
    assert np.flatnonzero(gradients["P"].any(axis=1)).tolist() == list(range(9))


def test_forward_by_hand():
    model, ids = TinyModel(seed=2, **SMALL), encode(SENTENCE)[:, :9]
    p = model.parameters
    X = p["E"][ids[0]] + p["P"][:9]
    S = (X @ p["W_Q0"]) @ (X @ p["W_K0"]).T / math.sqrt(3) + causal_mask(9)
    A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
    expected = (X + A @ X @ p["W_V0"] @ p["W_O0"]) @ p["U"]
    assert np.allclose(model.forward(ids)[0][0], expected)
    assert np.allclose(model.weights(ids)[0, 0], A)


def test_padding_changes_nothing_before_it(sentences):
    model = TinyModel(H=2, layers=2, seed=0, causal=False, **SMALL)
    ids = encode(SENTENCE)
    assert np.allclose(model.forward(ids)[0][:, :10], model.forward(ids[:, :10])[0])
    together, each = model.loss(sentences.ids[:3])
    counted = (sentences.ids[:3, 1:] != 0).sum(axis=1)
    alone = [model.loss(row[None])[0] for row in sentences.ids[:3]]
    assert together == pytest.approx(np.average(alone, weights=counted))
    assert not each[sentences.ids[:3, 1:] == 0].any()


@pytest.mark.parametrize("causal", [True, False])
def test_the_mask_makes_every_prefix_a_lesson(causal):
    model, ids = TinyModel(H=2, layers=2, seed=0, causal=causal, **SMALL), encode(SENTENCE)[:, :9]
    one_by_one = [model.forward(ids[:, :t + 1])[0][0, -1] for t in range(9)]
    assert np.allclose(model.forward(ids)[0][0], one_by_one) == causal
    assert np.allclose(model.forward(ids, causal=True)[0], TinyModel(H=2, layers=2, seed=0, **SMALL).forward(ids)[0])


@pytest.mark.parametrize(("ids", "error", "message"), [
    (np.zeros(5, int), ValueError, r"must be \(B, T\), got shape \(5,\)"),
    (np.zeros((1, LENGTH + 1), int), ValueError, "have 15 tokens, expected at most 14"),
    ([[1, 49]], ValueError, "must lie between 0 and 48, got 1 to 49"),
    ([[-1, 1]], ValueError, "must lie between 0 and 48, got -1 to 1"),
    ([[1.0, 2.0]], TypeError, "must hold integers, got dtype float64")])
def test_wrong_ids_are_named(ids, error, message):
    with pytest.raises(error, match=f"^forward: ids {message}"):
        TinyModel().forward(ids)
    with pytest.raises(error, match=r"^loss: ids "):
        TinyModel().loss(ids if np.shape(ids) != (1, 15) else np.zeros((1, 16), int))


def test_nothing_to_predict_is_named():
    for call in (TinyModel().loss, TinyModel().gradients):
        for ids in ([[1]], [[1, 0, 0]]):
            with pytest.raises(ValueError, match="ids hold no token to predict, got shape"):
                call(ids)


def test_another_vocabulary_and_length():
    model = TinyModel(vocabulary=22, length=21, **SMALL)
    ids = np.random.default_rng(0).integers(1, 22, size=(3, 22))
    assert model.forward(ids[:, :-1])[0].shape == (3, 21, 22)
    loss, gradients = model.gradients(ids)
    assert loss == pytest.approx(model.loss(ids)[0]) and gradients["P"].any(axis=1).all()
    assert {name: g.shape for name, g in gradients.items()} == {name: p.shape for name, p in model.parameters.items()}
    caches = [KVCache()]
    cached = [forward_cached(model, ids[0, start:start + 7], caches)[0] for start in (0, 7, 14)]
    np.testing.assert_allclose(np.concatenate(cached), model.forward(ids[:1, :-1])[0][0], atol=1e-12)
    with pytest.raises(ValueError, match="ids make the sentence 22 tokens long, expected at most 21"):
        forward_cached(model, [1], caches)
    with pytest.raises(ValueError, match="generate: model must know the 49 words of the tiny language, got 22"):
        generate(model, 1)


def test_a_shorter_model_writes_shorter_sentences():
    assert generate(TinyModel(length=5), 3).shape == (3, 5)


@pytest.mark.parametrize("dtype", [int, bool, complex, object, "U3", None], ids=str)
def test_a_model_holds_floats(dtype):
    with pytest.raises(TypeError, match=r"^TinyModel: dtype must be float16, float32 or float64, got "):
        TinyModel(dtype=dtype)


def test_parameters_have_their_type():
    for dtype in (np.float32, np.float64):
        model = TinyModel(H=2, dtype=dtype)
        _, gradients = model.gradients(encode(SENTENCE))
        assert {p.dtype for p in model.parameters.values()} == {g.dtype for g in gradients.values()} == {np.dtype(dtype)}


# ---------------------------------------------------------------- training

def test_adam_is_its_formula():
    rng = np.random.default_rng(0)
    parameters, w = {"w": np.ones((2, 3))}, np.ones((2, 3))
    optimiser, m, v = Adam(parameters, beta_1=0.8, beta_2=0.95), 0, 0
    for t in range(1, 6):
        g = rng.normal(size=(2, 3))
        optimiser.step({"w": g}, learning_rate=0.1)
        m, v = 0.8 * m + 0.2 * g, 0.95 * v + 0.05 * g**2
        w = w - 0.1 * (m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.95**t)) + 1e-8)
        assert np.allclose(parameters["w"], w, atol=1e-7)


def test_training_reaches_the_floor_and_no_more(trained):
    model, losses = trained
    fresh = corpus(500, seed=1)
    assert len(losses) == 200
    assert fresh.floor < model.loss(fresh.ids)[0] < fresh.floor + 0.06
    assert losses[0] > 3.5


def test_a_seed_decides_the_training(sentences):
    def run(seed):
        model = TinyModel(seed=1)
        return train(model, sentences.ids, steps=5, seed=seed, label=""), model.parameters["W_Q0"]
    (losses, W), (again, W_again), (other, _) = run(0), run(0), run(1)
    assert np.array_equal(losses, again) and np.array_equal(W, W_again)
    assert not np.array_equal(losses, other)


def test_an_interrupted_model_is_as_far_as_it_has_come(sentences, capsys):
    def stop(step, model):
        if step == 30:
            raise KeyboardInterrupt
    model, whole, kept = TinyModel(), TinyModel(), {}
    losses = train(model, sentences.ids, steps=60, on_step=stop, label="")
    assert capsys.readouterr().out == "Stopped after 30 of 60 steps; the model is as far as it has come.\n"
    uninterrupted = train(whole, sentences.ids, steps=60, label="", on_step=lambda step, model: kept.setdefault(
        step, model.parameters["E"].copy()))
    assert np.array_equal(losses, uninterrupted[:30])
    assert np.array_equal(model.parameters["E"], kept[30])
    assert model.loss(sentences.ids)[0] < losses[0] / 2


def test_progress_bar_has_a_fixed_text(sentences, capsys):
    data = Progress(max=3, description="run")._repr_mimebundle_()
    assert data["text/plain"] == "run: 3 steps"
    assert "application/vnd.jupyter.widget-view+json" in data
    train(TinyModel(), sentences.ids, steps=1, label="")
    assert capsys.readouterr().out == ""


def test_gradients_of_integers_are_not_cut_to_whole_steps():
    moved = []
    for kind in (float, int):
        parameters = {"w": np.zeros(2)}
        Adam(parameters).step({"w": np.array([3, -2], kind)}, learning_rate=0.01)
        moved.append(parameters["w"])
    assert np.array_equal(*moved) and moved[0].all()


@pytest.mark.parametrize(("parameters", "gradients", "message"), [
    ({"w": np.zeros(2, int)}, None, "Adam: parameters must be a dict of arrays of floats"),
    ({"w": [0.0]}, None, "Adam: parameters must be a dict of arrays of floats"),
    ({"w": np.zeros(2)}, {"v": np.zeros(2)}, "Adam.step: gradients must be a dict with names out of w"),
    ({"w": np.zeros(2)}, {"w": np.zeros(3)}, r"Adam.step: w must be \(2,\), got shape \(3,\)"),
    ({"w": np.array(0.0)}, {"w": np.zeros(1)}, r"Adam.step: w must be \(\), got shape \(1,\)")])
def test_what_adam_cannot_use_is_named(parameters, gradients, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Adam(parameters).step(gradients, 0.1)


# ---------------------------------------------------------------- texts

def test_texts_of_a_trained_model(trained):
    model, _ = trained
    ids = generate(model, 200, seed=0)
    texts = [decode(row) for row in ids]
    assert np.mean([is_grammatical(words) for words in texts]) > 0.8
    for row, words in zip(ids, texts, strict=True):
        assert row[0] == encode("")[0, 0]
        assert not row[1 + len(words):].any()  # nothing after the full stop
    assert np.array_equal(ids, generate(model, 200, seed=0))
    assert not np.array_equal(ids, generate(model, 200, seed=1))
    assert not any(is_grammatical(decode(row)) for row in generate(TinyModel(), 50, seed=0))


def test_texts_follow_the_probabilities():
    model = TinyModel(**SMALL)
    first = generate(model, 4000, seed=0)[:, 1]
    logits = model.forward(encode("")[:, :1])[0][0, 0]
    expected = np.exp(logits) / np.exp(logits).sum()
    assert np.bincount(first, minlength=len(VOCABULARY)) / 4000 == pytest.approx(expected, abs=0.03)


# ---------------------------------------------------------------- another implementation

@pytest.mark.parametrize("causal", [True, False])
def test_gradients_equal_torch(causal, sentences):
    torch = pytest.importorskip("torch")
    model, ids = TinyModel(H=2, layers=2, seed=1, causal=causal, **SMALL), sentences.ids[:16]
    loss, gradients = model.gradients(ids)
    p = {name: torch.tensor(value, requires_grad=True) for name, value in model.parameters.items()}
    inputs, targets = torch.tensor(ids[:, :-1]), torch.tensor(ids[:, 1:])
    n, T = inputs.shape
    visible = (inputs != 0)[:, None, None, :]
    if causal:
        visible = visible & torch.ones(T, T, dtype=torch.bool).tril()
    X = p["E"][inputs] + p["P"][:T]
    for layer in range(2):
        Q, K, V = ((X @ p[f"{name}{layer}"]).view(n, T, 2, 3).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
        O = torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=visible)
        X = X + O.transpose(1, 2).reshape(n, T, 6) @ p[f"W_O{layer}"]
    expected = torch.nn.functional.cross_entropy((X @ p["U"]).flatten(0, 1), targets.flatten(), ignore_index=0)
    expected.backward()
    assert loss == pytest.approx(expected.item())
    for name, g in gradients.items():
        assert np.allclose(g, p[name].grad.numpy(), atol=1e-10), name
