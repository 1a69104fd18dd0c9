"""Exercises on training: what is to be predicted, and the loss."""

import numpy as np

from .checking import Exercise, Mistake


def next_token_targets(ids):
    """Say what the model reads and, for each token it reads, what it must predict."""
    return ids[:, :-1], ids[:, 1:]    # (n, T - 1) each


NEXT_TOKEN_TARGETS = Exercise(
    next_token_targets,
    inputs=lambda rng, sizes: (rng.integers(1, 50, size=(sizes.T_q, sizes.T_k)),),
    returns=("inputs", "targets"),
    mistakes=(
        Mistake(lambda ids: (ids, ids),
                "There is no shift: at each position the model is asked for the token that it is reading, "
                "and learns to copy. The target is the next one."),
        Mistake(lambda ids: (ids[:, :-1], ids[:, :-1]),
                "One token is cut off, but nothing is shifted: each target is the token that is being read. "
                "The targets start at 1."),
        Mistake(lambda ids: (ids[:, 1:], ids[:, :-1]),
                "Shifted the other way: each target is the token before. The inputs lose their last token, "
                "the targets their first."),
        Mistake(lambda ids: (ids, ids[:, 1:]),
                "One input too many: nothing follows the last token, so it is not read. Inputs are ids[:, :-1]."),
        Mistake(lambda ids: (ids, np.roll(ids, -1, axis=1)),
                "np.roll brings the first token back as the last target. Nothing follows the last token: cut it off."),
        Mistake(lambda ids: (ids[:-1], ids[1:]),
                "This shifts the sentences: each one is to predict the sentence below. Tokens are axis 1: ids[:, 1:]."),
        Mistake(lambda ids: (ids[:, :-1], ids[:, -1:]),
                "One prediction a sentence, the last. The mask allows one at every position: targets are ids[:, 1:]."),
        Mistake(lambda ids: (ids[:, :-2], ids[:, 2:]),
                "The targets lie two tokens ahead. Shift by one."),
    ),
    hint="ids has two axes, sentences and tokens; both results are cut along the second.",
)


def check_next_token_targets(next_token_targets):
    """Check a function that cuts sentences into inputs and targets.

    Parameters
    ----------
    next_token_targets : function (ids) -> (n, T - 1), (n, T - 1)
        ids is (n, T), integers. The results are inputs and targets.

    Examples
    --------
    >>> check_next_token_targets(lambda ids: (ids[:, :-2], ids[:, 2:]))
    The targets lie two tokens ahead. Shift by one.
    """
    NEXT_TOKEN_TARGETS.check(next_token_targets)


def mean_loss(logits, targets):
    """Average the loss over the positions that have something to predict."""
    shifted = logits - logits.max(axis=1, keepdims=True)                      # (T, words)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))      # (T, words)
    each = -log_p[np.arange(len(targets)), targets]                           # (T,)
    return each[targets != 0].mean()                                          # one number


def _logits_and_targets(rng, sizes):
    targets = rng.integers(1, sizes.T_k, size=sizes.T_q)
    targets[-int(rng.integers(1, max(2, sizes.T_q - 1))):] = 0
    return 2 * rng.normal(size=(sizes.T_q, sizes.T_k)), targets


def _log_p(logits, axis=1):
    return logits - np.log(np.exp(logits).sum(axis=axis, keepdims=True))


def _at(table, targets):
    return table[np.arange(len(targets)), targets]


def _counted(table, targets):
    return _at(table, targets)[targets != 0]


MEAN_LOSS = Exercise(
    mean_loss,
    inputs=_logits_and_targets,
    returns=("loss",),
    mistakes=(
        Mistake(lambda logits, targets: -_at(_log_p(logits), targets).mean(),
                "Padding is counted: where the target is 0 there is nothing to predict. Keep only targets != 0."),
        Mistake(lambda logits, targets: -_counted(_log_p(logits), targets).sum() / len(targets),
                "The sum leaves padding out, but it is divided by all positions. Divide by the number counted."),
        Mistake(lambda logits, targets: -_counted(_log_p(logits), targets).sum(),
                "This is the sum, so long sentences look worse than short ones. Divide by the number of counted positions."),
        Mistake(lambda logits, targets: _counted(_log_p(logits), targets).mean(),
                "The sign is missing: the logarithm of a probability is negative, a loss is positive."),
        Mistake(lambda logits, targets: -_counted(_log_p(logits), targets).mean() / np.log(2),
                "This is in bits, from a logarithm with base 2. Nats need the natural logarithm, np.log."),
        Mistake(lambda logits, targets: -_counted(_log_p(logits), targets).mean() / np.log(10),
                "This uses the logarithm with base 10. Nats need the natural logarithm, np.log."),
        Mistake(lambda logits, targets: -_counted(_log_p(logits, axis=0), targets).mean(),
                "The softmax runs down the positions. The words of one position share the probability: axis=1."),
        Mistake(lambda logits, targets: -np.log(np.exp(_counted(_log_p(logits), targets)).mean()),
                "This is the logarithm of the mean probability. Take the logarithm at each position, then the mean."),
        Mistake(lambda logits, targets: 1 - np.exp(_counted(_log_p(logits), targets)).mean(),
                "This is the mean of 1 − p. The loss is −log p, which has no upper end."),
        Mistake(lambda logits, targets: -_counted(logits, targets).mean(),
                "These are the scores themselves: the softmax is missing."),
        Mistake(lambda logits, targets: -_log_p(logits)[targets != 0].mean(),
                "This averages over all words. Take only the probability of the target at each position."),
    ),
    hint="logits is (T, words): one row a position; pick one entry of each row, table[np.arange(T), targets].",
)


def check_mean_loss(mean_loss):
    """Check a function that computes the mean loss in nats.

    Parameters
    ----------
    mean_loss : function (logits, targets) -> float
        logits is (T, words), targets (T,) holds the id of the right word, or 0 for padding, which does not count.

    Examples
    --------
    >>> check_mean_loss(lambda logits, targets: -logits[np.arange(len(targets)), targets][targets != 0].mean())
    These are the scores themselves: the softmax is missing.
    """
    MEAN_LOSS.check(mean_loss)
