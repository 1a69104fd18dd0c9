"""Claims of lesson 16: four confusions (§22), shapes (§23), the flow (§24), and answers to the questions (§25)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask, multi_head, softmax, split_heads
from helpers.example import FEATURES, HEADS, TOKENS, Head, X, encode, projections
from helpers.figures import flow
from helpers.quiz import quiz

A, FLUFFY, BLUE, CREATURE = (TOKENS.index(word) for word in ("a", "fluffy", "blue", "creature"))
M = causal_mask(9)
ALL = projections()


def head(X=X, name="adjectives"):
    W_Q, W_K, W_V, _ = projections(name)
    return attention(X @ W_Q, X @ W_K, X @ W_V, causal_mask(len(X)))


def random_head(rng, T=7, d_k=3, d_v=4):
    return rng.normal(size=(T, d_k)), rng.normal(size=(T, d_k)), rng.normal(size=(T, d_v))


# §22


def test_a_source_has_one_value_and_a_weight_for_each_target():
    weights, V = head().A, X @ projections("adjectives")[2]
    assert np.ndim(weights[CREATURE, FLUFFY]) == 0 and weights[CREATURE, FLUFFY].round(2) == 0.5
    assert V[FLUFFY].tolist() == [1, 0, 0] and weights[:, FLUFFY].shape == (9,)
    output = sum(float(weights[CREATURE, j]) * V[j] for j in range(9))
    assert np.allclose(output, head().O[CREATURE])


def test_the_order_of_the_weights_is_not_the_order_of_the_effects():
    largest, length = {}, {}
    for name in HEADS:
        largest[name] = head(name=name).A[CREATURE].max().round(2)
        length[name] = np.linalg.norm(head(name=name).O[CREATURE] @ projections(name)[3]).round(2)
    assert list(largest.values()) == [0.5, 0.31, 0.92, 0.98]
    assert list(length.values()) == [1.41, 0.19, 0, 0.98]
    assert not np.any(head(name="previous").O @ projections("previous")[3])


def test_the_result_is_the_residual_path_and_all_heads_together():
    parts = {name: head(name=name).O[CREATURE] @ projections(name)[3] for name in HEADS}
    after = (X + multi_head(X, *ALL, H=4, mask=M).result)[CREATURE]
    assert np.allclose(X[CREATURE] + sum(parts.values()), after)
    noun = FEATURES.index("noun")
    assert after[noun] == X[CREATURE, noun] == 1 and not any(part[noun] for part in parts.values())


def test_a_later_layer_can_undo_what_a_head_wrote():
    after = X + multi_head(X, *ALL, H=4, mask=M).result
    undo = Head("undo", "", {}, {}, 0, 200, ["fluffy", "blue", "green"], -1)
    last = after + attention(after @ undo.W_Q(), after @ undo.W_K(), after @ undo.W_V(), M).O @ undo.W_O()
    wrote, left = (dict(zip(FEATURES, (Z - X)[CREATURE].round(2), strict=True)) for Z in (after, last))
    assert {name: value for name, value in wrote.items() if value} == {
        "fluffy": 1, "blue": 1, "alive": 0.19, "definite": -0.98}
    assert {name: value for name, value in left.items() if value} == {"alive": 0.19, "definite": -0.98}


def test_the_same_token_has_another_query_in_every_head():
    queries, keys, values = ([X[CREATURE] @ projections(name)[n] for name in HEADS] for n in range(3))
    assert len({tuple(q.round(6)) for q in queries}) == 4
    assert len({tuple(k.round(6)) for k in keys}) == 2 and len({tuple(v.round(6)) for v in values}) == 2


def test_the_same_token_has_another_value_in_the_next_layer_even_with_the_same_matrices():
    after = (X + multi_head(X, *ALL, H=4, mask=M).result)[CREATURE]
    W_Q, W_K, W_V, _ = projections("adjectives")
    assert np.allclose(X[CREATURE] @ W_Q, after @ W_Q) and np.allclose(X[CREATURE] @ W_K, after @ W_K)
    assert (X[CREATURE] @ W_V).tolist() == [0, 0, 0] and (after @ W_V).round(2).tolist() == [1, 1, 0]
    for W in np.random.default_rng(0).normal(size=(3, 12, 3)):
        assert not np.allclose(after @ W, X[CREATURE] @ W)


def test_with_three_tokens_the_wrong_product_has_the_right_shape():
    _, three = encode("a fluffy creature")
    W_Q, W_K, _, _ = projections("adjectives")
    Q, K = three @ W_Q, three @ W_K
    scores = np.array([[q @ k for k in K] for q in Q])
    as_columns = (W_K.T @ three.T).T @ (W_Q.T @ three.T)
    assert np.allclose(as_columns, scores.T) and scores[2, 1].round(2) == as_columns[1, 2].round(2) == 12.83
    assert (K.T @ Q).shape == scores.shape
    assert not np.allclose(K.T @ Q, scores) and not np.allclose(K.T @ Q, scores.T)


def test_with_tokens_as_columns_the_output_turns_as_well():
    W_Q, W_K, W_V, _ = projections("adjectives")
    scores = (W_K.T @ X.T).T @ (W_Q.T @ X.T) / np.sqrt(3) + M.T
    as_columns = np.exp(scores) / np.exp(scores).sum(axis=0)
    assert np.allclose(W_V.T @ X.T @ as_columns, head().O.T)


# §23, §24


@pytest.mark.parametrize(("T", "d_model", "d_k", "d_v", "H"), [(9, 12, 3, 2, 5), (4, 10, 6, 5, 3)])
def test_shapes_of_several_heads(T, d_model, d_k, d_v, H):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(T, d_model))
    sizes = [(d_model, H * d_k), (d_model, H * d_k), (d_model, H * d_v), (H * d_v, d_model)]
    run = multi_head(Z, *[rng.normal(size=size) for size in sizes], H, mask=causal_mask(T))
    assert (run.concat.shape, run.result.shape) == ((T, H * d_v), (T, d_model))
    assert run.heads.S_masked.shape == run.heads.A.shape == (H, T, T)
    assert run.heads.O.shape == (H, T, d_v) and (Z + run.result).shape == Z.shape


def test_the_flow_with_four_heads_names_the_concatenation():
    Q, K, V = (split_heads(X @ W, 4) for W in ALL[:3])
    run = multi_head(X, *ALL, H=4, mask=M)
    picture = flow(X, Q, K, V, run.heads.S_masked, run.heads.A, run.heads.O, run.result, X + run.result)
    lines = picture.text().splitlines()
    assert "S (4, 9, 9): scores" in lines and "O_cat W_O (9, 12): the change" in lines
    assert [name for name, shape in picture.shapes.items() if shape[-2:] == (9, 9)] == ["S", "A"]
    assert "O_cat W_O (9, 12)" in picture.html() and "O W_O (9, 12)" not in picture.html().replace("O_cat W_O", "")


def test_a_source_needs_key_and_value_and_not_its_query():
    Q, K, V = (X @ W for W in projections("adjectives")[:3])
    before = attention(Q, K, V, M).O[CREATURE]
    for moved, changes in [((1, 0, 0), False), ((0, 1, 0), True), ((0, 0, 1), True)]:
        others = [Z.copy() for Z in (Q, K, V)]
        for Z, move in zip(others, moved, strict=True):
            Z[FLUFFY] += move
        assert np.allclose(attention(*others, M).O[CREATURE], before) is not changes


# §25: what the right choices say


def right_choice(name, beginning):
    (question,) = [q for q in quiz(name).questions if q.words.startswith(beginning)]
    return next(choice.words for choice in question.choices if choice.right)


def test_equal_rows_of_A_give_equal_updates_and_different_tokens():
    Q, K, V = random_head(np.random.default_rng(0))
    Q[4] = Q[2]
    output = attention(Q, K, V).O
    Z = np.random.default_rng(1).normal(size=(7, 4))
    assert np.allclose(output[2], output[4]) and not np.allclose((Z + output)[2], (Z + output)[4])
    assert right_choice("transfer", "In one head two rows") == (
        "The same output o and the same update, each added to the token's own row.")


def test_equal_values_come_out_whatever_the_weights():
    Q, K, _ = random_head(np.random.default_rng(0))
    c = np.array([2, -1, 0.5])
    assert np.allclose(attention(Q, K, np.tile(c, (7, 1)), causal_mask(7)).O, c)
    assert right_choice("transfer", "All nine values") == "c for every target."


def test_a_fourfold_d_k_spreads_scores_twice_as_far_and_sharpens_the_rows():
    rng = np.random.default_rng(0)
    scores = {d_k: (rng.normal(size=(4000, 1, d_k)) @ rng.normal(size=(4000, d_k, 8)))[:, 0] for d_k in (16, 64)}
    assert (scores[64].std() / scores[16].std()).round(1) == 2.0
    sharpest = {d_k: softmax(S).max(axis=1).mean() for d_k, S in scores.items()}
    assert sharpest[64] > sharpest[16] + 0.05
    assert right_choice("transfer", "Nobody divides by √d_k").startswith("They spread twice as far")


def test_only_reshaped_heads_are_wrong_and_show_steps_with_our_matrices_alone():
    def pattern(W_Q, W_K, cut):
        return attention(*(cut(X @ W) for W in (W_Q, W_K, ALL[2])), M).A

    def reshaped(Z):
        return Z.reshape(4, 9, 3)

    rows = {}
    for name, matrices in [("ours", ALL[:2]), ("random", np.random.default_rng(0).normal(size=(2, 12, 12)))]:
        wrong, right = (pattern(*matrices, cut) for cut in (reshaped, lambda Z: split_heads(Z, 4)))
        assert wrong.shape == right.shape and not np.allclose(wrong, right)
        rows[name] = wrong[0, CREATURE, :4]
    assert rows["ours"].round(2).tolist() == [0.25] * 4 and np.ptp(rows["random"]) > 0.5
    assert right_choice("transfer", "Somebody splits heads").startswith("No error, the right shape")


def test_heads_with_one_pattern_can_carry_different_things():
    Q, K, V = random_head(np.random.default_rng(0))
    one, other = attention(Q, K, V), attention(Q, K, V[:, ::-1] + 1)
    assert np.array_equal(one.A, other.A) and not np.allclose(one.O, other.O)
    assert right_choice("transfer", "Two heads have the same").startswith("No: they look at the same places")


@pytest.mark.parametrize("H", [1, 2, 3, 6])
def test_twice_the_heads_keep_the_parameters_and_double_the_scores(H):
    def run(H):
        rng = np.random.default_rng(0)
        matrices = [rng.normal(size=size) for _ in range(H)
                    for size in [(12, 12 // H), (12, 12 // H), (12, 12 // H), (12 // H, 12)]]
        stacked = [np.hstack(matrices[n::4]) for n in range(3)] + [np.vstack(matrices[3::4])]
        return sum(W.size for W in matrices), multi_head(X, *stacked, H).heads.S.size
    assert run(2 * H) == (run(H)[0], 2 * run(H)[1])
    assert right_choice("transfer", "H doubles") == "The parameters stay, the number of scores doubles."


def test_a_cached_mask_without_its_offset_hides_most_of_the_past():
    assert np.isfinite(causal_mask(2, 6)).sum(axis=1).tolist() == [1, 2]
    assert np.isfinite(causal_mask(2, n_past=4)).sum(axis=1).tolist() == [5, 6]
    assert right_choice("transfer", "Four tokens are kept").startswith("The first new token sees token 0 alone")


def test_keys_of_another_sentence_make_a_rectangle():
    rng = np.random.default_rng(0)
    run = attention(rng.normal(size=(9, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 4)))
    assert run.A.shape == (9, 5) and run.O.shape == (9, 4)
    assert right_choice("transfer", "Queries come from").startswith("A is (9, 5), O is (9, d_v)")


def test_an_mlp_changes_one_row_and_attention_those_that_see_it():
    _, bald = encode("A bald blue creature roamed the verdant forest.")
    rng = np.random.default_rng(0)
    W_1, W_2 = rng.normal(size=(12, 48)), rng.normal(size=(48, 12))

    def changed(step):
        return np.flatnonzero(~np.isclose(step(X), step(bald)).all(axis=1)).tolist()
    assert changed(lambda Z: Z + np.maximum(Z @ W_1, 0) @ W_2) == [FLUFFY]
    assert changed(lambda Z: Z + multi_head(Z, *ALL, H=4, mask=M).result) == list(range(FLUFFY, 9))
