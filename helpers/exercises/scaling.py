"""Exercises on scaling: divide by √d_k, and count the tokens that a row looks at."""

import numpy as np

from .checking import Exercise
from .inputs import tokens_and_matrices


def scaled_scores(X, W_Q, W_K):
    """Score with a variance near 1, whatever d_k: X (T, d_model), W_Q and W_K (d_model, d_k) give (T, T)."""
    Q, K = X @ W_Q, X @ W_K                  # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    return Q @ K.T / np.sqrt(Q.shape[1])     # (T, d_k) @ (d_k, T) -> (T, T)


check_scaled_scores = Exercise(
    scaled_scores, tokens_and_matrices, "scores",
    edges=lambda rng: {"one token": (rng.normal(size=(1, 4)), *rng.normal(size=(2, 4, 3))),
                       "d_k is 1": (rng.normal(size=(3, 4)), *rng.normal(size=(2, 4, 1)))},
    slips=[
        ("Q @ K.T", "X @ X.T", "The tokens meet as they are, without queries and keys. Make them first: X @ W_Q and X @ W_K."),
    ],
    product="Q and K are both (T, d_k), so one of them must be transposed.",
    factor="expected the factor 1/√d_k, with d_k = W_Q.shape[1].")


def tokens_looked_at(a):
    """Say how many tokens a row of shares looks at, e to the entropy: a (T,), with zeros in it, gives one number."""
    seen = a[a > 0]                                # a share of 0 adds nothing, and has no logarithm
    return np.exp(-(seen * np.log(seen)).sum())    # (T,) -> one number


def _shares(rng, sizes):
    a = rng.uniform(0.1, 1, size=sizes.T_k)
    a[rng.integers(sizes.T_k)] *= sizes.T_q % 2    # half of them hold a 0
    return (a / a.sum(),)


check_tokens_looked_at = Exercise(
    tokens_looked_at, _shares, "number",
    edges=lambda rng: {"no share is 0": (np.array([0.4, 0.3, 0.2, 0.1]),), "all shares are equal": (np.full(4, 0.25),),
                       "several shares are 0": (np.array([0.0, 0.6, 0.0, 0.4, 0.0]),),
                       "all on one token": (np.array([0.0, 1.0, 0.0]),), "small shares": (np.r_[0.99, 0, np.full(20, 0.0005)],)},
    slips=[
        ("a[a > 0]", "a", "A share of 0 has the logarithm −∞, and 0 · −∞ is no number. Leave those out: they add nothing."),
        ("np.exp(-(…).sum())", "-(…).sum()", "This is the entropy, a logarithm. e to this power is the number of tokens."),
        ("np.exp(-(…).sum())", "-(…).sum() / np.log(2)",
         "This is the entropy, in bits: a logarithm. 2 to this power (or e to the entropy in nats) is the number of tokens."),
        ("-(seen", "(seen", "The sign is missing: logarithms of shares are negative, so the entropy is minus their sum."),
        ("len(seen)", "This counts every token with a share above 0, small or large. Each has to count by its share."),
        ("len(a)", "This counts all tokens, also those with a share of 0. Each has to count by its share."),
        ("1 / a.max()", "This looks at the largest share alone. The entropy takes all of them."),
        ("1 / (a**2).sum()", "This is 1 over the sum of the squares, another measure of spread. Here it is e to the entropy: "
                             "shares times their logarithms."),
        ("np.exp(-(…).sum())", ("2.0**-(…).sum()", "np.exp(-(…).sum() / np.log(2))", "10.0**-(…).sum()",
                                "np.exp(-(…).sum() / np.log(10))"),
         "The bases do not fit: np.log goes with np.exp, np.log2 with 2 to the power."),
        ("(seen * np.log(seen)).sum()", ("np.log(seen).mean()", "np.log(seen).sum()"),
         "This is the plain mean (or sum) of the logarithms. Each counts by its share: multiply by a before you add."),
        (".sum()", ".mean()", "This takes the mean of the products. The shares are weights already: add the products."),
        ("a[a > 0]", ("np.sort(a)[1:]", "np.delete(a, a.argmin())"),
         "One share, the smallest, is always left out. There may be several of 0, or no share of 0 at all: ask each one, a > 0."),
        ("a[a > 0]", ("a[a > 0.001]", "a[a > 0.01]", "a[a > 0.05]"),
         "Small shares are left out as well. Only a share of exactly 0 adds nothing."),
        ("(seen * np.log(seen)).sum()", "(seen * np.log(seen))[0]",
         "Only the first share is in it: a return inside the loop ends it after one turn. Move it to the left."),
    ])
