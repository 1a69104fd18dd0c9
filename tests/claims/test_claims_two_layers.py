"""Claims of lesson 17: two heads in a row (beyond §17 and §18). The forward pass is written out here once more."""

from functools import cache

import numpy as np
import pytest

from helpers.attention import causal_mask, softmax
from helpers.real_head.switched_off import switched_off
from helpers.tiny_model import TinyModel, train
from helpers.tiny_model.repeats import repeats

TEST = repeats(1000, seed=1)
X, Y = TEST.ids[:, :-1], TEST.ids[:, 1:]
ROWS, PLACES = np.nonzero(TEST.certain)
AFTER_LAST = PLACES - TEST.stretch[ROWS] + 1


@cache
def trained(layers, seed=0, steps=400, **sizes):
    model = TinyModel(layers=layers, vocabulary=22, length=21, seed=seed, **sizes)
    train(model, repeats(20_000).ids, steps=steps, batch=32, seed=seed, label="")
    return model


def head(p, layer, Z, Z_keys, M):
    Q, K, V = Z @ p[f"W_Q{layer}"], Z_keys @ p[f"W_K{layer}"], Z @ p[f"W_V{layer}"]
    A = softmax(np.einsum("bik,bjk->bij", Q, K) / 4 + M)
    return A, A @ V @ p[f"W_O{layer}"]


def score(p, Z):
    chances = softmax(Z @ p["U"])
    of_answer = np.take_along_axis(chances, Y[..., None], -1)[..., 0]
    return -np.log(of_answer[TEST.certain]).mean(), (chances.argmax(-1) == Y)[TEST.certain].mean()


def passes(seed=0):
    """Parameters, the rows before and after layer 0, and both maps."""
    p, M = trained(2, seed).parameters, causal_mask(20)
    X_0 = p["E"][X] + p["P"][:20]
    A_0, update_0 = head(p, 0, X_0, X_0, M)
    A_1, update_1 = head(p, 1, X_0 + update_0, X_0 + update_0, M)
    return p, M, X_0, update_0, update_1, A_0, A_1


def test_the_rule_makes_the_repeats_certain():
    for ids, stretch in zip(TEST.ids[:, 1:], TEST.stretch, strict=True):
        assert len(set(ids[:stretch])) == stretch and np.array_equal(ids[stretch:], ids[:-stretch])
    assert set(TEST.stretch) == {5, 6, 7, 8, 9, 10}
    assert not TEST.surprise[TEST.certain].any() and (TEST.surprise[~TEST.certain][:, None] >= 0).all()


def test_the_floor_is_the_surprise_of_somebody_who_knows_the_rule():
    many = repeats(60_000, seed=5)
    at_5 = many.stretch > 5    # the sixth letter is new
    assert np.allclose(many.surprise[at_5, 5], -np.log(5 / 6 / 15)) and np.allclose(many.surprise[~at_5, 5], np.log(6))
    ends = many.stretch[many.stretch >= 7] == 7
    assert ends.mean() == pytest.approx(1 / 4, abs=0.01)    # as likely as each longer one
    first = many.ids[:, 1]
    assert np.bincount(first, minlength=22)[2:].min() > 60_000 / 20 * 0.9


@pytest.mark.parametrize("seed", [0, 1])
def test_two_layers_find_the_rule_and_one_does_not(seed):
    one, two = (score(m.parameters, m.forward(X)[1][-1]) for m in (trained(1, seed), trained(2, seed)))
    assert two[0] < 0.02 and two[1] > 0.999
    assert one[0] > 1.6 and one[1] < 0.4


def test_the_forward_pass_is_the_models():
    p, _, X_0, update_0, update_1, _, _ = passes()
    assert np.allclose((X_0 + update_0 + update_1) @ p["U"], trained(2).forward(X)[0], atol=1e-3)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_previous_token_head_and_an_induction_head(seed):
    *_, A_0, A_1 = passes(seed)
    i = np.arange(1, 20)
    before = A_0[:, i, i - 1].mean(axis=0)
    assert (before[:10] > 0.35).all() and before[11:].max() < 0.1
    assert A_1[ROWS, PLACES, AFTER_LAST].mean() == pytest.approx(0.64, abs=0.02)


@pytest.mark.parametrize("seed", [0, 1])
def test_only_the_keys_of_the_second_head_need_the_first_layer(seed):
    p, M, X_0, update_0, *_ = passes(seed)
    X_1 = X_0 + update_0
    with_keys = [score(p, Z + head(p, 1, Z, X_1, M)[1]) for Z in (X_0, X_1)]
    without = [score(p, Z + head(p, 1, Z, X_0, M)[1]) for Z in (X_0, X_1)]
    assert all(loss < 0.05 and right > 0.99 for loss, right in with_keys)
    assert all(loss > 3 and right < 0.3 for loss, right in without)


def test_each_head_switched_off_by_zero_or_by_its_mean_spoils_the_guesses():
    p, M, X_0, update_0, update_1, *_ = passes()
    for update in (0, update_0.mean(axis=0)):
        Z = X_0 + update
        loss, right = score(p, Z + head(p, 1, Z, Z, M)[1])
        assert loss > 3.5 and right < 0.25
    for update in (0, update_1.mean(axis=0)):
        loss, right = score(p, X_0 + update_0 + update)
        assert 2.8 < loss < 3.4 and right < 0.1


def test_the_late_places_of_the_first_head_have_no_use():
    p, M, X_0, update_0, *_ = passes()
    late_off = update_0.copy()
    late_off[:, 11:] = 0
    Z = X_0 + late_off
    loss, right = score(p, Z + head(p, 1, Z, Z, M)[1])
    assert loss < 0.03 and right > 0.99


def test_without_the_token_before_the_second_head_finds_the_letter_itself():
    p, M, X_0, *_ = passes()
    no_pair = M + np.where(np.eye(20, k=-1), -np.inf, 0)
    Z = X_0 + head(p, 0, X_0, X_0, no_pair)[1]
    A, update = head(p, 1, Z, Z, M)
    loss, right = score(p, Z + update)
    assert loss > 8 and right < 0.05
    once = AFTER_LAST - TEST.stretch[ROWS] < 1
    assert A[ROWS, PLACES, AFTER_LAST - 1][once].mean() > 0.5    # the same letter, one place too early


def test_the_second_head_looks_after_the_first_time_and_falls_back_on_the_later_one_in_part():
    p, M, X_0, update_0, *_ = passes()
    Z = X_0 + update_0
    S = np.einsum("bik,bjk->bij", Z @ p["W_Q1"], Z @ p["W_K1"]) / 4 + M
    after_first = [np.flatnonzero(X[n] == X[n, i])[0] + 1 for n, i in zip(ROWS, PLACES, strict=True)]
    twice = np.array([(X[n, :i] == X[n, i]).sum() > 1 for n, i in zip(ROWS, PLACES, strict=True)])
    A = softmax(S)
    assert A[ROWS, PLACES, after_first].mean() == pytest.approx(0.90, abs=0.02)
    S[ROWS, PLACES, after_first] = -np.inf
    guesses = ((Z + softmax(S) @ (Z @ p["W_V1"]) @ p["W_O1"]) @ p["U"]).argmax(-1) == Y
    assert guesses[ROWS, PLACES][twice].mean() == pytest.approx(0.64, abs=0.03)
    assert guesses[ROWS, PLACES][~twice].mean() < 0.06
    assert softmax(S)[ROWS, PLACES, AFTER_LAST][twice].mean() > 3 * A[ROWS, PLACES, AFTER_LAST][twice].mean()


def test_the_second_head_needs_no_more_than_the_pair_of_the_first():
    """Kept alone, the weight on the token before is enough."""
    p, M, X_0, _, _, A_0, _ = passes()
    update = A_0 * np.eye(20, k=-1) @ (X_0 @ p["W_V0"]) @ p["W_O0"]
    Z = X_0 + update
    loss, right = score(p, Z + head(p, 1, Z, Z, M)[1])
    assert loss == pytest.approx(0.025, abs=0.01) and right == pytest.approx(0.997, abs=0.003)


def test_without_the_first_head_the_guesses_are_letters_that_have_come():
    p, M, X_0, update_0, update_1, *_ = passes()

    def named(Z):
        said = (Z @ p["U"]).argmax(-1)[ROWS, PLACES]
        return np.mean([letter in X[n, 1: place + 1] for letter, n, place in zip(said, ROWS, PLACES, strict=True)])

    for update, share in ((0, 0.98), (update_0.mean(axis=0), 0.94)):
        Z = X_0 + update
        assert named(Z + head(p, 1, Z, Z, M)[1]) == pytest.approx(share, abs=0.02)
    for update in (0, update_1.mean(axis=0)):
        assert named(X_0 + update_0 + update) == pytest.approx(0.27, abs=0.03)
    assert np.mean(1 / TEST.stretch[ROWS]).round(2) == 0.15


def test_one_layer_from_the_middle_follows_neither_rule():
    middle = TEST.ids[TEST.stretch == 10].copy()
    starts = np.random.default_rng(7).integers(2, 7, size=len(middle))
    for ids, start in zip(middle, starts, strict=True):
        ids[11:] = np.roll(ids[1:11], -start)
    said = trained(1, 0, H=2).forward(middle[:, :14])[0][:, 11:].argmax(-1)
    longest = np.array([[max(seen := ids[1:place + 1][::-1].tolist(), key=seen.index) for place in (11, 12, 13)]
                        for ids in middle])
    assert (said == longest).mean() < 0.05


def test_keys_of_another_text_lead_nowhere():
    p, M, X_0, update_0, *_ = passes()
    Z = X_0 + update_0
    A, update = head(p, 1, Z, np.roll(Z, 1, axis=0), M)
    loss, right = score(p, Z + update)
    assert loss > 4 and right < 0.2 and A[ROWS, PLACES, AFTER_LAST].mean() < 0.1


@pytest.mark.parametrize("seed", [0, 1])
def test_only_W_O_into_W_K_stands_above_chance(seed):
    p, rng = trained(2, seed).parameters, np.random.default_rng(3)

    def size(one, other):
        return np.linalg.norm(one @ other) / np.linalg.norm(one) / np.linalg.norm(other)

    chance = [size(rng.normal(size=(16, 32)), rng.normal(size=(32, 16))) for _ in range(300)]
    sizes = {name: size(p["W_O0"], p[f"{name}1"]) for name in ("W_Q", "W_K", "W_V")}
    assert sizes["W_K"] > max(chance) and max(sizes["W_Q"], sizes["W_V"]) < min(chance)


@pytest.mark.parametrize("seed", [0, 1])
def test_queries_and_values_read_the_letter_and_keys_do_not(seed):
    p, rng = trained(2, seed).parameters, np.random.default_rng(3)
    start = TinyModel(layers=2, vocabulary=22, length=21, seed=seed).parameters

    def size(one, other):
        return np.linalg.norm(one @ other) / np.linalg.norm(one) / np.linalg.norm(other)

    of_letters = [size(rng.normal(size=(20, 32)), rng.normal(size=(32, 16))) for _ in range(300)]
    reads = {name: size(p["E"][2:], p[f"{name}1"]) for name in ("W_Q", "W_K", "W_V")}
    assert min(reads["W_Q"], reads["W_V"]) > max(of_letters) and reads["W_K"] < min(of_letters)
    of_heads = [size(rng.normal(size=(16, 32)), rng.normal(size=(32, 16))) for _ in range(300)]
    assert all(min(of_heads) < size(start["W_O0"], start[f"{name}1"]) < max(of_heads) for name in reads)


def test_the_letter_not_seen_for_longest_comes_next():
    for n, place in zip(ROWS, PLACES, strict=True):
        seen = X[n, 1: place + 1][::-1].tolist()
        assert max(seen, key=seen.index) == Y[n, place]


@pytest.mark.parametrize("seed", [0, 1])
def test_from_the_middle_only_two_layers_are_right(seed):
    middle = TEST.ids[TEST.stretch == 10].copy()
    starts = np.random.default_rng(7).integers(2, 7, size=len(middle))
    for ids, start in zip(middle, starts, strict=True):
        ids[11:] = np.roll(ids[1:11], -start)

    def right(model):
        return (model.forward(middle[:, :14])[0][:, 11:].argmax(-1) == middle[:, 12:15]).mean()

    side_by_side = trained(1, seed, H=2)
    loss, share = score(side_by_side.parameters, side_by_side.forward(X)[1][-1])
    assert 1.6 < loss < 1.8 and 0.3 < share < 0.4
    assert right(trained(2, seed)) > 0.98 and right(side_by_side) < 0.2
    large = trained(1, seed, H=4, d_model=64, d_k=32)
    assert score(large.parameters, large.forward(X)[1][-1])[1] > 0.75 and right(large) < 0.65


def test_without_the_token_before_the_guess_is_the_letter_itself():
    p, M, X_0, *_ = passes()
    no_pair = M + np.where(np.eye(20, k=-1), -np.inf, 0)
    A_0, update = head(p, 0, X_0, X_0, no_pair)
    Z = X_0 + update
    said = ((Z + head(p, 1, Z, Z, M)[1]) @ p["U"]).argmax(-1)
    i = np.arange(1, 11)
    assert A_0[:, i, i].mean() == pytest.approx(0.58, abs=0.02)
    assert (said == X)[TEST.certain].mean() == pytest.approx(0.79, abs=0.02)


def test_keys_of_another_text_are_found_there():
    p, M, X_0, update_0, *_ = passes()
    Z = X_0 + update_0
    A = head(p, 1, Z, np.roll(Z, 1, axis=0), M)[0]
    there = np.roll(X, 1, axis=0)
    weights = [A[n, i, [j for j in range(1, i + 1) if there[n, j - 1] == X[n, i]]].sum()
               for n, i in zip(ROWS, PLACES, strict=True) if X[n, i] in there[n, :i]]
    assert len(weights) / len(ROWS) == pytest.approx(0.37, abs=0.01)
    assert np.mean(weights) == pytest.approx(0.91, abs=0.02)


def test_a_real_model_has_both_kinds_of_heads():
    real = switched_off()
    t = np.arange(1, len(real.tokens))
    before = real.maps[:, :, t, t - 1].mean(axis=2)
    after = real.maps[:, :, t[11:], t[11:] - 10].mean(axis=2)
    assert before[1, 2].round(2) == 0.89 and before[11, 1].round(2) == 0.93
    assert after[18, 6].round(2) == 0.88 and after[17, 4].round(2) == 0.87
    first = min(layer for layer, _ in np.argwhere(after > 0.3))
    assert first == 17 and before[:first].max() > 0.9 and after[:17].max() < 0.1


def test_without_its_induction_heads_a_real_model_loses_the_repeats():
    real = switched_off()
    losses = {name: (each[:11].mean(), each[12:].mean()) for name, each in [("none", real.losses), *real.without.items()]}
    assert all(11.2 < first < 11.5 for first, _ in losses.values())
    second = {name: loss.round(2) for name, (_, loss) in losses.items()}
    assert second == {"none": 2.03, "induction": 5.83, "previous": 4.44, "random": 2.28}
    assert 11.27 == losses["none"][0].round(2) > np.log(49_152).round(2) == 10.80
