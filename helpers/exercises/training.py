"""Exercises on training: what is to be predicted, and the loss."""

import numpy as np

from .checking import Exercise

EDGES = [("no padding", [2, 1, 3, 1], 1), ("padding in front", [0, 0, 3, 1], 1), ("one position counts", [2, 0, 0, 0], 1),
         ("all scores are equal", [1, 3, 0, 0], 0)]


def next_token_targets(ids):
    """Say what is read and, for each token read, what must be predicted: ids (n, T) give inputs and targets (n, T - 1)."""
    return ids[:, :-1], ids[:, 1:]    # (n, T - 1) each


check_next_token_targets = Exercise(
    next_token_targets, lambda rng, sizes: (rng.integers(1, 50, size=(sizes.T_q, sizes.T_k)),), ("inputs", "targets"),
    edges=lambda rng: {"one sentence": (rng.integers(1, 50, size=(1, 4)),), "two tokens": (rng.integers(1, 50, size=(3, 2)),)},
    slips=[
        ("ids, ids", "There is no shift: the model is asked for the token it is reading, and learns to copy. Ask for the next."),
        (("ids[:, :-1], ids[:, :-1]", "ids[:, 1:], ids[:, 1:]"),
         "One token is cut off, but nothing is shifted: the target is the token being read. Targets lack the first, ids[:, 1:]."),
        ("ids[:, 1:], ids[:, :-1]",
         "Shifted the other way: each target is the token before. The inputs lose their last token, the targets their first."),
        ("ids, ids[:, 1:]", "One input too many: nothing follows the last token, so it is not read. Inputs are ids[:, :-1]."),
        ("ids[:, :-1], ids", "One target too many: the first token follows nothing, so nobody predicts it. Use ids[:, 1:]."),
        (("ids, np.roll(ids, -1, axis=1)", "ids, np.roll(ids, 1, axis=1)"),
         "np.roll brings a token round from the other end. Nothing follows the last token: cut it off."),
        ("ids[:-1], ids[1:]", "This shifts the sentences: each is to predict the one below. Tokens are axis 1: ids[:, 1:]."),
        (("ids[:, :-1], ids[:, -1:]", "ids[:, :-1], ids[:, -1]"),
         "One prediction a sentence, the last. The mask allows one at every position: targets are ids[:, 1:]."),
        (("ids[:, 0], ids[:, 1]", "ids[:, :1], ids[:, 1:2]"),
         "One prediction a sentence, the first. The mask allows one at every position: targets are ids[:, 1:]."),
        (("ids[:, :-2], ids[:, 2:]", "ids[:, :-1], ids[:, 2:]"), "The targets lie two tokens ahead. Shift by one: ids[:, 1:]."),
        ("ids[:, 1:]", "ids[:, 1:].T", "The targets come as their transpose. Sentences stay rows, as in the inputs."),
    ])


def mean_loss(logits, targets):
    """Average the loss, in nats, where the target is not 0, padding: logits (T, words), targets (T,) give one number."""
    shifted = logits - logits.max(axis=1, keepdims=True)                      # (T, words)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))      # (T, words)
    each = -log_p[np.arange(len(targets)), targets]                           # (T,)
    return each[targets != 0].mean()                                          # one number


def _logits_and_targets(rng, sizes):
    targets = rng.integers(1, sizes.T_k, size=sizes.T_q)
    targets[-int(rng.integers(1, max(2, sizes.T_q - 1))):] = 0
    return 2 * rng.normal(size=(sizes.T_q, sizes.T_k)), targets


check_mean_loss = Exercise(
    mean_loss, _logits_and_targets, "loss",
    edges=lambda rng: {edge: (scale * rng.normal(size=(4, 5)), np.array(targets)) for edge, targets, scale in EDGES},
    slips=[
        ("[targets != 0]", "", "Padding is counted: where the target is 0 there is nothing to predict. Keep only targets != 0."),
        ("[targets != 0].mean()", ("[targets != 0].sum() / len(targets)", "[targets != 0].sum() / logits.shape[1]"),
         "The sum leaves padding out, but it is divided by all positions, or words. Divide by the number counted."),
        (".mean()", ".sum()", "This is the sum, so long sentences look worse than short ones. Divide by how many count."),
        (".mean()", ("[0]", "[-1]"), "Only the first position is in it, or the last: a return inside the loop, or = for +=."),
        (".mean()", "", "These are the losses at each position. The mean is missing: one number for the sentence."),
        ("= -log_p", "= log_p", "The sign is missing: the logarithm of a probability is negative, a loss is positive."),
        (".mean()", (".mean() / np.log(2)", ".mean() / np.log(10)"),
         "This is in bits, from a logarithm with base 2 (or base 10). Nats need the natural logarithm, np.log."),
        ("axis=1", "axis=0", "The softmax runs down the positions. The words of one position share the probability: axis=1."),
        ("-np.log(np.exp(-each)[targets != 0].mean())",
         "This is the logarithm of the mean probability. Take the logarithm at each position, then the mean."),
        ("1 - np.exp(-each)[targets != 0].mean()", "This is the mean of 1 − p. The loss is −log p, which has no upper end."),
        ("np.exp(-each)[targets != 0].mean()", "This is the mean probability of the right words. The loss is the mean −log p."),
        ("np.exp(each[targets != 0].mean())",
         "This is the perplexity, e to the loss: among how many words it hesitates. The loss is its logarithm."),
        ("-log_p[", "-logits[", "These are the scores themselves: the softmax is missing."),
        ("-log_p[targets != 0].mean()",
         "This averages over all words. Take the probability of the target alone, at each position."),
        (("-log_p[:, targets].mean()", "-log_p[:, targets].mean(axis=1)[targets != 0].mean()"),
         "log_p[:, targets] takes all targets from each row. Row t needs its own alone: log_p[np.arange(T), targets]."),
        ("(logits.argmax(axis=1) == targets)[targets != 0].mean() + 0.0",
         "This is the accuracy, the share of right guesses. The loss also asks how sure they were: −log p."),
        ("[targets != 0].mean()", "[:np.flatnonzero(targets == 0)[0]].mean()",
         "This looks for the first padding; there may be no padding, or it may stand in front. Ask each: targets != 0."),
    ],
    product="logits is (T, words): one row a position; pick one entry of each row, table[np.arange(T), targets].")
