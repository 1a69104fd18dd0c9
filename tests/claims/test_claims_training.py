"""What lesson 13 claims about learning, on other corpora and other seeds than the lesson's."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

from helpers.explorers import explore_training
from helpers.tiny_model import TinyModel, corpus, decode, encode, generate, is_grammatical, train
from helpers.tiny_model.grammar import ID, TEXTURES, VERBS

LEARNING, FRESH = corpus(4000, seed=10), corpus(500, seed=11)
IDS = encode("a fluffy blue creature roamed the verdant forest .")[:, :9]
SEEDS = (5, 6)
N = np.arange(len(FRESH.ids))
NOUN, FIRST, SECOND, PLACE, PLACE_ADJECTIVE = FRESH.places.T
TEXTURE, COLOUR = np.where(np.isin(FRESH.ids[N, FIRST], [ID[word] for word in TEXTURES]), (FIRST, SECOND), (SECOND, FIRST))


@cache
def trained(steps=300, seed=SEEDS[0], **options):
    model = TinyModel(seed=seed, **options)
    train(model, LEARNING.ids, steps=steps, seed=seed, label="")
    return model


def verb_accuracy(model, causal=None):
    logits = model.forward(FRESH.ids[:, :-1], causal)[0]
    return (logits[N, NOUN].argmax(axis=1) == FRESH.ids[N, NOUN + 1]).mean()


def weights(model):
    """Of all test sentences: (n, H, T, T)."""
    return model.weights(FRESH.ids[:, :-1])


def divided(model):
    """The share of sentences in which each of two heads gives more than half to another adjective."""
    half = weights(model) > 0.5
    return np.mean((half[N, 0, NOUN, FIRST] & half[N, 1, NOUN, SECOND]) | (half[N, 1, NOUN, FIRST] & half[N, 0, NOUN, SECOND]))


def test_the_verb_follows_from_both_adjectives():
    followers = {}
    for ids, (noun, one, other, _, _) in zip(LEARNING.ids, LEARNING.places, strict=True):
        for known in ((one,), (other,), (one, other)):
            followers.setdefault(frozenset(ids[list(known)].tolist()), set()).add(ids[noun + 1])
    assert {len(known): len(verbs) for known, verbs in followers.items()} == {1: 4, 2: 1}


def test_a_pass_predicts_at_every_position():
    model = TinyModel(dtype=np.float64)
    logits = model.forward(IDS)[0]
    assert logits.shape[:2] == IDS.shape
    assert all(np.allclose(logits[0, t], model.forward(IDS[:, :t + 1])[0][0, t]) for t in range(IDS.shape[1]))
    assert not np.allclose(logits, model.forward(IDS, causal=False)[0])


def test_no_chances_lose_less_than_the_true_ones():
    true = np.array([0.25] + 8 * [0.75 / 8])
    entropy = -(true * np.log(true)).sum()
    rng = np.random.default_rng(1)
    others = np.vstack([rng.dirichlet(np.ones(9), size=2000), rng.dirichlet(1000 * true, size=2000)])  # far from it, and near
    assert (-np.log(others) @ true > entropy).all()
    after_article = np.where(np.isin(FRESH.ids[:, 1], [ID["a"], ID["the"]]), 1, 2)
    surprise = FRESH.surprise[N, after_article]
    assert abs(surprise.mean() - entropy) < 4 * surprise.std() / np.sqrt(len(N))
    assert np.exp(entropy) == pytest.approx(8.3, abs=0.05) and np.exp(FRESH.floor) == pytest.approx(3.1, abs=0.05)


def test_the_slope_of_the_loss_is_p_less_one_at_the_word_that_came():
    def loss(z):
        return np.log(np.exp(z).sum()) - z[2]
    z = np.random.default_rng(2).normal(size=6)
    nudged = [(loss(z + step) - loss(z - step)) / 2e-5 for step in 1e-5 * np.eye(6)]
    p = np.exp(z) / np.exp(z).sum()
    assert np.allclose(p - np.eye(6)[2], nudged)


def test_the_residual_hands_the_slope_on_unchanged():
    model = TinyModel(dtype=np.float64)
    whole = encode("a fluffy blue creature roamed the verdant forest .")
    model.parameters["W_O0"][:] = 0  # nothing comes back through the head
    _, gradients = model.gradients(whole)
    logits, _ = model.forward(whole[:, :9])
    p = np.exp(logits[0]) / np.exp(logits[0]).sum(axis=1, keepdims=True)
    p[np.arange(9), whole[0, 1:10]] -= 1
    assert np.allclose(gradients["P"][:9], p / 9 @ model.parameters["U"].T)


def test_the_first_step_of_adam_has_one_size():
    model, start = TinyModel(dtype=np.float64), TinyModel(dtype=np.float64)
    train(model, LEARNING.ids, steps=1, label="")
    for name in ("W_Q0", "W_O0", "U"):
        moved = np.abs(model.parameters[name] - start.parameters[name])
        assert np.median(moved) == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_training_comes_close_to_the_floor(seed):
    model = trained(seed=seed)
    assert FRESH.floor < model.loss(FRESH.ids)[0] < FRESH.floor + 0.03
    assert verb_accuracy(model) > 0.99


@pytest.mark.parametrize("seed", SEEDS)
def test_a_noun_finds_its_adjectives_by_itself(seed):
    before, after = (weights(model)[:, 0] for model in (TinyModel(seed=seed), trained(seed=seed)))
    for A, finds in ((before, False), (after, True)):
        to_both = A[N, NOUN, FIRST] + A[N, NOUN, SECOND]
        assert (to_both.mean() > 0.65) == (A[N, PLACE, PLACE_ADJECTIVE].mean() > 0.6) == finds


def test_nouns_and_places_find_their_adjectives_in_new_sentences():
    A = weights(trained())[:, 0]
    assert (A[N, NOUN, FIRST] + A[N, NOUN, SECOND]).mean() > 0.9
    assert A[N, PLACE, PLACE_ADJECTIVE].mean() > 0.6


def test_stopped_early_a_model_is_of_use():
    def stop(step, model):
        if step == 100:
            raise KeyboardInterrupt
    model = TinyModel(seed=SEEDS[0])
    train(model, LEARNING.ids, seed=SEEDS[0], on_step=stop, label="")
    assert model.loss(FRESH.ids)[0] < FRESH.floor + 0.3
    assert verb_accuracy(model) > 0.6


def test_a_loss_below_the_floor_can_be_learned_by_heart():
    model, few = TinyModel(seed=SEEDS[0]), LEARNING.ids[:16]
    train(model, few, steps=100, batch=16, label="")
    assert model.loss(few)[0] < FRESH.floor / 2
    assert model.loss(FRESH.ids)[0] > np.log(49)


def test_without_attention_the_verb_is_a_guess():
    def without(name):
        model = deepcopy(trained())
        model.parameters[name][:] = 0
        return verb_accuracy(model)
    assert without("W_O0") < 0.12
    assert without("W_O0") + 0.2 < without("W_Q0") < verb_accuracy(trained()) - 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_uniform_attention_can_learn_the_verbs(seed):
    model = TinyModel(seed=seed)
    for name in ("W_Q0", "W_K0"):
        model.parameters[name][:] = 0
    train(model, LEARNING.ids, seed=seed, label="")
    assert not model.parameters["W_Q0"].any() and not model.parameters["W_K0"].any()
    assert verb_accuracy(model) > 0.99
    assert trained(seed=seed).loss(FRESH.ids)[0] < model.loss(FRESH.ids)[0] < FRESH.floor + 0.05


@cache
def two_heads(seed):
    """Trained as in the lesson."""
    model = TinyModel(H=2, seed=seed)
    train(model, corpus(4000, seed=0).ids, seed=seed, label="")
    return model


def test_every_start_finds_its_own_way():
    models = [two_heads(0), two_heads(7)]
    assert verb_accuracy(models[0]) == verb_accuracy(models[1]) == 1
    assert models[0].loss(FRESH.ids)[0] == pytest.approx(models[1].loss(FRESH.ids)[0], abs=0.01)
    assert divided(models[0]) > 0.8 and divided(models[1]) < 0.4


def test_two_heads_can_divide_the_work():
    A = weights(two_heads(0))
    assert A[N, 0, NOUN, COLOUR].mean() > 0.7 > 0.3 > A[N, 0, NOUN, TEXTURE].mean()
    assert A[N, 1, NOUN, TEXTURE].mean() > 0.7 > 0.3 > A[N, 1, NOUN, COLOUR].mean()
    assert divided(two_heads(0)) > 0.8
    creature = two_heads(0).weights(IDS)[0, :, 4, 2:4]  # the explorer's sentence is one of the others
    assert (creature > 0.35).all() and (creature < 0.65).all()


def test_a_head_switched_off_takes_its_adjective_with_it():
    due = FRESH.ids[N, NOUN + 1] - ID[VERBS[0]]
    for head, kept, lost in ((0, lambda verb: verb // 4, lambda verb: verb % 4),
                             (1, lambda verb: verb % 4, lambda verb: verb // 4)):
        model = deepcopy(two_heads(0))
        model.parameters["W_O0"].reshape(2, 16, -1)[head] = 0
        logits = model.forward(FRESH.ids[:, :-1])[0][N, NOUN, ID[VERBS[0]]: ID[VERBS[0]] + 16]
        guess = logits.argmax(axis=1)
        assert (kept(guess) == kept(due)).mean() > 0.95
        assert (lost(guess) == lost(due)).mean() < 0.55


def test_without_mask_the_loss_is_below_the_floor():
    model = trained(H=2, causal=False)
    assert model.loss(FRESH.ids)[0] < 0.01 < FRESH.floor
    assert model.loss(FRESH.ids, causal=True)[0] > np.log(49)
    assert verb_accuracy(model, causal=True) < 0.5


def test_without_mask_a_head_copies_the_next_token():
    A = weights(trained(H=2, causal=False))
    sentence, before = np.nonzero(FRESH.ids[:, 2:])
    to_next = A[sentence, :, before + 1, before + 2].mean(axis=0)
    assert to_next.max() > 0.6
    honest = weights(trained(H=2))
    assert not honest[sentence, :, before + 1, before + 2].any()


def test_without_mask_the_texts_are_broken():
    texts = {causal: [decode(ids) for ids in generate(trained(H=2, causal=causal), 200)] for causal in (True, False)}
    assert np.mean([is_grammatical(words) for words in texts[True]]) > 0.85
    assert not any(is_grammatical(words) for words in texts[False])


@pytest.mark.parametrize("seed", SEEDS)
def test_unscaled_learns_worse_at_large_d_k(seed):
    scaled, unscaled = (trained(steps=200, seed=seed, d_k=64, scaled=scaled) for scaled in (True, False))
    assert scaled.loss(FRESH.ids)[0] < unscaled.loss(FRESH.ids)[0]
    assert verb_accuracy(unscaled) < 0.9 < verb_accuracy(scaled)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_start_replaces_most_of_the_scale(seed):
    scaled, unscaled = (trained(steps=200, seed=seed, d_k=64, scaled=scaled) for scaled in (True, False))
    model = TinyModel(seed=seed, d_k=64, scaled=False)
    model.parameters["W_Q0"] /= 8
    assert np.allclose(model.weights(IDS), TinyModel(seed=seed, d_k=64).weights(IDS), atol=1e-6)
    train(model, LEARNING.ids, steps=200, seed=seed, label="")
    loss, best, worst = (one.loss(FRESH.ids)[0] for one in (model, scaled, unscaled))
    assert best < loss < (best + worst) / 2
    assert verb_accuracy(model) > 0.9


def test_colour_comes_first():
    """What the lesson reads in its explorer."""
    roamed, read = IDS[0, 5], {}

    def look(step, model):
        logits, trace = model.forward(IDS)
        A, p = trace[0][4].A[0, 0], np.exp(logits[0, 4] - logits[0, 4].max())
        read[step] = A[4, 2], A[4, 3], p[roamed] / p.sum()

    model = TinyModel()
    train(model, corpus(4000, seed=0).ids, on_step=look, label="")
    assert np.allclose(read[60][1:], (0.78, 0.22), atol=0.02)
    assert [read[step][0] for step in (90, 100)] == pytest.approx([0.18, 0.45], abs=0.02)
    assert [read[step][2] for step in (90, 100, 150)] == pytest.approx([0.28, 0.41, 0.92], abs=0.02)


def test_the_explorer_shows_the_steps_that_all_runs_have():
    models = [TinyModel(seed=seed) for seed in range(3)]
    whole = dict(zip((0, 10, 20), models, strict=True))
    shown = explore_training({"whole": whole, "stopped": {0: models[0], 10: models[1]}})
    assert list(shown.controls["step"].options) == [0, 10]
    for runs in ({}, {"one": {0: models[0]}}):
        with pytest.raises(ValueError, match="explore_training: runs need snapshots at two steps or more"):
            explore_training(runs)
    with pytest.raises(ValueError, match="unknown word 'zebra'"):
        explore_training({"one": {0: models[0], 1: models[1]}}, "a zebra")
