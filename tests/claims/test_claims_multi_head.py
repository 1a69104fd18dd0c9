"""Claims of lesson 10: several heads (§15, §17) and their concatenation (§18)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask, multi_head, softmax
from helpers.example import HEADS, TOKENS, X, projections
from helpers.explorers import explore_heads
from helpers.tiny_model import TinyModel, corpus, train

W_Q, W_K, W_V, W_O = projections()
M = causal_mask(len(X))
H = len(HEADS)
SINGLE = [attention(X @ Q, X @ K, X @ V, M) for Q, K, V, _ in (projections(name) for name in HEADS)]  # one at a time
A_TOKEN, FLUFFY, BLUE, CREATURE, ROAMED, THE, VERDANT, FOREST = map(TOKENS.index, TOKENS[:8])


def heads_of(H, W_Q=W_Q, W_K=W_K):
    return multi_head(X, W_Q, W_K, W_V, W_O, H, mask=M).heads


def blocks(V, O):
    """W_V W_O of each head."""
    return [V[:, h:h + 3] @ O[h:h + 3] for h in range(0, 12, 3)]


def ranks(V, O):
    """The rank of each head's value map, and of all together."""
    maps = blocks(V, O)
    return [np.linalg.matrix_rank(m) for m in maps], np.linalg.matrix_rank(np.vstack(maps))


def test_four_heads_at_once_are_four_heads_one_at_a_time():
    heads = heads_of(H)
    for h, single in enumerate(SINGLE):
        assert np.allclose(heads.A[h], single.A) and np.allclose(heads.O[h], single.O)


def test_each_head_has_its_own_pattern():
    adjectives, subject, previous, determiner = (single.A.round(2) for single in SINGLE)
    assert adjectives[CREATURE, [FLUFFY, BLUE]].tolist() == [0.5, 0.5]
    assert subject[ROAMED, CREATURE] == 0.98 and previous[CREATURE, BLUE] == 0.92
    assert determiner[CREATURE, A_TOKEN] == 0.98 and determiner[FOREST, THE] == 0.97
    assert previous[1:].argmax(axis=1).tolist() == list(range(8))


def test_a_head_whose_question_does_not_apply_spreads():
    row = SINGLE[0].A[ROAMED]
    assert np.isclose(row.sum(), 1) and row.max() < 0.33
    assert row[[BLUE, CREATURE]].round(2).tolist() == [0.32, 0.32]


def test_reshape_without_transpose_has_the_shape_and_not_the_numbers():
    Q, K, V = (X @ W for W in (W_Q, W_K, W_V))
    wrong = attention(*(Z.reshape(H, 9, 3) for Z in (Q, K, V)), M)
    assert wrong.A.shape == (H, 9, 9)
    assert np.array_equal(Q.reshape(H, 9, 3)[0, 1], Q[0, 3:6])  # token 0's columns of head 1
    assert wrong.A[0, CREATURE].round(2).tolist() == [0.25] * 4 + [0] * 5


def test_in_one_row_one_question_grows_at_the_expense_of_the_other():
    adjectives, determiner = (SINGLE[h].S_masked[CREATURE, :4] for h in (0, 3))
    rows = np.array([softmax(adjectives + loud * determiner) for loud in np.linspace(0, 3, 61)])
    first, both = rows[:, A_TOKEN], rows[:, [FLUFFY, BLUE]].sum(axis=1)
    assert (np.diff(first) > 0).all() and (np.diff(both) < 0).all() and (first + both <= 1 + 1e-12).all()
    assert softmax(adjectives)[[FLUFFY, BLUE]].sum().round(2) + softmax(determiner)[A_TOKEN].round(2) == 1.98
    assert both[[0, 10, 20, 30, 40]].round(2).tolist() == [1, 0.97, 0.76, 0.22, 0.02]


def test_one_head_with_all_columns_adds_the_scores_of_the_four():
    one = attention(X @ W_Q, X @ W_K, X @ W_V, M)
    assert np.allclose(one.S, sum(single.S for single in SINGLE))


def test_concatenated_and_multiplied_is_the_sum_over_heads():
    result = multi_head(X, W_Q, W_K, W_V, W_O, H, mask=M)
    alone = [single.O @ projections(name)[3] for name, single in zip(HEADS, SINGLE, strict=True)]
    assert np.allclose(result.concat, np.hstack([single.O for single in SINGLE]))
    assert result.concat.shape == (9, 12) and np.allclose(result.result, sum(alone))


def test_W_O_is_the_value_up_matrices_below_one_another():
    assert np.array_equal(W_O, np.vstack([projections(name)[3] for name in HEADS]))


def test_where_a_head_looks_does_not_tell_what_it_does():
    assert SINGLE[2].A[CREATURE, BLUE] > 0.9 and not SINGLE[2].O.any() and not W_O[6:9].any()


def test_what_each_head_adds_to_creature():
    adds = np.array([single.O[CREATURE] @ W_O[3 * h:3 * h + 3] for h, single in enumerate(SINGLE)]).round(2)
    assert adds[:, 5:10].tolist() == [[1, 1, 0, 0, 0], [0, 0, 0, 0.19, 0], [0] * 5, [0, 0, 0, 0, -0.98]]


@pytest.mark.parametrize("seed", range(5))
def test_identical_heads_write_in_d_v_directions_and_different_ones_in_all(seed):
    rng = np.random.default_rng(seed)
    V, O = np.tile(rng.normal(size=(12, 3)), 4), np.tile(rng.normal(size=(3, 12)), (4, 1))
    assert ranks(V, O) == ([3] * 4, 3)
    assert ranks(np.tile(W_V[:, :3], 4), np.tile(W_O[:3], (4, 1))) == ([3] * 4, 3)
    assert ranks(*rng.normal(size=(2, 12, 12))) == ([3] * 4, 12)


def test_identical_heads_have_one_pattern_and_four_times_one_update():
    Q, K, V = (np.tile(W[:, :3], 4) for W in (W_Q, W_K, W_V))
    copies = multi_head(X, Q, K, V, np.tile(W_O[:3], (4, 1)), H, mask=M)
    assert np.allclose(copies.heads.A, SINGLE[0].A)
    assert np.allclose(copies.result, SINGLE[0].O @ (4 * W_O[:3]))  # as one head writes it


def test_our_heads_write_in_five_directions():
    assert ranks(W_V, W_O) == ([3, 1, 0, 1], 5)


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 12])
def test_parameters_and_multiplications_do_not_depend_on_H_and_scores_do(heads):
    result = multi_head(X, W_Q, W_K, W_V, W_O, heads, mask=M).heads
    d_k = 12 // heads
    assert heads * (3 * 12 * d_k + d_k * 12) == sum(W.size for W in (W_Q, W_K, W_V, W_O)) == 576
    assert result.S.size == heads * 81 and result.S.size * d_k == 972


def test_only_four_heads_cut_where_the_matrices_were_joined():
    built = np.array([single.A for single in SINGLE])
    for heads in (1, 2, 3, 4, 6, 12):
        same = [np.allclose(A, B, atol=0.005) for A in heads_of(heads).A for B in built]
        assert any(same) == (heads == 4)
    narrow = heads_of(12).A[0]
    assert narrow[CREATURE, [FLUFFY, BLUE]].round(2).tolist() == [0.5, 0.5]
    assert narrow[FOREST, [FLUFFY, BLUE, VERDANT]].round(2).tolist() == [0.33] * 3


def test_an_orthogonal_matrix_leaves_the_sum_of_scores_and_no_clean_head():
    built = np.array([single.A for single in SINGLE])
    for seed in range(100):
        R, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(12, 12)))
        turned = heads_of(H, W_Q @ R, W_K @ R)
        assert np.allclose(turned.S.sum(axis=0), sum(single.S for single in SINGLE))
        assert np.abs(turned.A[:, None] - built).max(axis=(2, 3)).min() > 0.25
        if seed == 0:
            assert turned.A[:, CREATURE, A_TOKEN].max().round(2) == 0.11
            result = multi_head(X, W_Q @ R, W_K @ R, W_V, W_O, H, mask=M).result
            assert result[CREATURE, 5:7].round(2).tolist() == [0.01, 0.32]


def test_the_explorer_shows_the_last_head_for_one_that_is_missing_and_says_so():
    explorer = explore_heads()
    for count in (1, 4):
        *asked, words = explorer.views(**{**explorer.default, "H": count, "head": 11})
        *last, _ = explorer.views(**{**explorer.default, "H": count, "head": count - 1})
        assert [view.text() for view in asked] == [view.text() for view in last]
        assert "There is no head 11" in words.text() and f"head {count - 1} is the last" in words.text()


@pytest.mark.parametrize("equal", [True, False])
def test_heads_that_start_equal_stay_equal_in_training(equal):
    """Slopes of the two heads at the start, and their matrices after 30 steps; without the copy both differ."""
    model, ids = TinyModel(H=2, dtype=np.float64), corpus(64, seed=10).ids

    def heads(arrays):
        return [np.split(arrays[f"{name}0"], 2, axis=0 if name == "W_O" else 1) for name in ("W_Q", "W_K", "W_V", "W_O")]

    start = [first.copy() for first, _ in heads(model.parameters)]
    if equal:
        for first, second in heads(model.parameters):
            second[:] = first
    slopes = heads(model.gradients(ids)[1])
    train(model, ids, steps=30, label="")
    trained = heads(model.parameters)
    assert all(not np.allclose(first, before) for (first, _), before in zip(trained, start, strict=True))
    assert [np.allclose(*pair) for pair in slopes + trained] == [equal] * 8
