"""What lesson 13 claims about learning, on other corpora and other seeds than the lesson's."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

from helpers.explorers import explore_training
from helpers.tiny_model import TinyModel, corpus, decode, encode, generate, is_grammatical, train

LEARNING, FRESH = corpus(4000, seed=10), corpus(500, seed=11)
IDS = encode("a fluffy blue creature roamed the verdant forest .")[:, :9]
CREATURE, FOREST, FLUFFY, BLUE, VERDANT = 4, 8, 2, 3, 7
SEEDS = (5, 6)


@cache
def trained(steps=300, seed=SEEDS[0], **options):
    model = TinyModel(seed=seed, **options)
    train(model, LEARNING.ids, steps=steps, seed=seed, label="")
    return model


def verb_accuracy(model, causal=None):
    logits = model.forward(FRESH.ids[:, :-1], causal)[0]
    right = [row[noun].argmax() == ids[noun + 1] for row, ids, noun in zip(logits, FRESH.ids, FRESH.places[:, 0], strict=True)]
    return np.mean(right)


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
    before, after = (model.weights(IDS)[0, 0] for model in (TinyModel(seed=seed), trained(seed=seed)))
    assert after[CREATURE, [FLUFFY, BLUE]].sum() > 0.65 > before[CREATURE, [FLUFFY, BLUE]].sum()
    assert after[FOREST, VERDANT] > 0.6 > before[FOREST, VERDANT]


def test_nouns_and_places_find_their_adjectives_in_new_sentences():
    A, n = trained().weights(FRESH.ids[:, :-1])[:, 0], np.arange(len(FRESH.ids))
    noun, one, other, place, adjective = FRESH.places.T
    assert (A[n, noun, one] + A[n, noun, other]).mean() > 0.9
    assert A[n, place, adjective].mean() > 0.6


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


def test_every_start_finds_its_own_way():
    models = [trained(seed=seed) for seed in SEEDS]
    one, other = (model.weights(IDS)[0, 0] for model in models)
    assert np.abs(one - other)[[CREATURE, FOREST]].max() > 0.1
    assert models[0].loss(FRESH.ids)[0] == pytest.approx(models[1].loss(FRESH.ids)[0], abs=0.02)


def test_two_heads_can_divide_the_work():
    learning = corpus(4000, seed=0).ids
    model = TinyModel(H=2, seed=4)
    train(model, learning, seed=4, label="")
    A = model.weights(IDS)[0, :, CREATURE]
    assert A[0, FLUFFY] > 0.8 and A[1, BLUE] > 0.9


def test_without_mask_the_loss_is_below_the_floor():
    model = trained(H=2, causal=False)
    assert model.loss(FRESH.ids)[0] < 0.01 < FRESH.floor
    assert model.loss(FRESH.ids, causal=True)[0] > np.log(49)
    assert verb_accuracy(model, causal=True) < 0.5
    A = model.weights(IDS)[0]
    assert max(np.mean([a[t, t + 1] for t in range(8)]) for a in A) > 0.7


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
