"""One list of slips. Each changes one step, and belongs to every exercise that has this step.

A step is recognised by how it is written in the reference (or in one of the exercise's `ways`): "Q @ K.T",
"softmax(...)", "j <= i". So all references write a step in the same way.
"""

import re
from typing import NamedTuple

import numpy as np

from helpers.attention import softmax


class Slip(NamedTuple):
    """A piece of a reference, what is written in its place, and what is wrong with that.

    In `right` "…" stands for any text, in `wrong` for the same text again. Several `wrong` pieces are one slip
    made in several ways.
    """

    right: str
    wrong: str | tuple
    why: str

    @classmethod
    def of_all(cls, wrong, why):
        """The slip that returns something else."""
        wrongs = (wrong,) if isinstance(wrong, str) else wrong
        return cls("return …", tuple(f"return {wrong}" for wrong in wrongs), why)

    def changes(self, source):
        """The source with each of the wrong pieces; none where it lacks the step."""
        pattern = "(.*?)".join(map(re.escape, self.right.split("…"))) + ("(?m:$)" if self.right.endswith("…") else "")
        if not re.search(pattern, source):
            return []
        wrongs = (self.wrong,) if isinstance(self.wrong, str) else self.wrong
        return [re.sub(pattern, lambda found, wrong=wrong: wrong.replace("…", "".join(found.groups())), source)
                for wrong in wrongs]


COLUMNS = "The softmax runs down the columns, so targets compete for a source. Each row must sum to 1: axis=1."
MULTIPLIED = ("The mask multiplies the scores: a score times 0 is 0, and a negative one times −∞ is +∞. "
              "A mask of 0 and −∞ is added.")
TOO_LATE = ("The mask comes too late: hidden scores are in the row's maximum, or in a sum it was divided by. Right on paper; "
            "but where one is far ahead, the others underflow to 0, and 0/0 is NaN. Add M first.")
AFTER = ("The mask comes too late, after the softmax: the rows no longer sum to 1, and the sum they were divided by "
         "knows the hidden scores. Add M before.")
PLUS = "The sign is wrong: what should be hidden gets +∞. The mask, 0 or −∞, is added, not subtracted."
NUMBER = ("What is hidden gets a number that is not −∞, so it is a score like the others, and where it lies ahead it wins. "
          "Use −∞: -np.inf.")
LARGEST = "Each target gets its largest weight alone, as 1. Attention takes from all, in proportion: softmax, not argmax."
EQUAL = "All sources get equal shares, so every target gets the same plain mean of the values. The scores say who gets how much."
SOFTMAX_TOO_MUCH = ("A softmax too much, or once more: it flattens what are shares already, or makes shares of what should stay "
                    "as it is.")
FIRST = "Only the first term of the sum is there: a return inside the loop ends it after one turn. Move the return to the left."
LAST = "Only the last term of the sum is there: the loop writes over what it had, or begins again at 0. Add to it: +=."
MEAN = "This is the mean of the products: their sum is divided by how many there are. Only the sum is asked for."

NAIVE, STABLE, TILTED = (f"np.exp({S}) / np.exp({S}).sum({{}})" for S in ("…", "… - (…).max(axis=1, keepdims=True)",
                                                                         "… - (…).max(axis=1)"))

SLIPS = [
    # the scale
    Slip(" / np.sqrt(…)", "", "The scale is missing: raw scores grow with the length of a query. Divide them by √d_k."),
    Slip(" / np.sqrt(…)", " / …",
         "This divides by d_k (or by √d_k twice), so the shares become almost equal. The scale is its root, √d_k."),
    Slip(" / np.sqrt(…)", (" / (…)**0.25", " / (…)**2"),
         "This divides by another power of d_k. The scale is its square root, √d_k."),
    Slip(" / np.sqrt(…)", " * np.sqrt(…)", "This multiplies by √d_k, so the scores spread further still. Divide."),
    Slip("np.sqrt(…)", ("np.sqrt(X.shape[1])", "np.sqrt(X_target.shape[1])", "X.shape[1]", "X_target.shape[1]"),
         "This divides by √d_model or d_model. A score is a sum of d_k products, one for each entry of a query: √d_k."),
    Slip("np.sqrt(…)", "np.sqrt(V.shape[1])", "This divides by √d_v. A score is made of queries and keys, both d_k long: √d_k."),
    Slip("np.sqrt(…)", ("np.sqrt(len(K))", "np.sqrt(len(Q))", "len(K)", "len(Q)"),
         "This divides by √T or T. The number of tokens decides how many scores there are, not how large one is: √d_k."),
    Slip("softmax(S_scaled…)", "softmax(S…) / np.sqrt(K.shape[1])",
         "The scale comes too late: after the softmax it only makes the rows sum to 1/√d_k. Divide the scores."),
    # the product of queries and keys
    Slip("Q @ K.T", "K @ Q.T", "K @ Q.T is the transpose, with queries and keys exchanged: row i now belongs to key i. Queries "
                               "go in rows, so Q comes first."),
    Slip("Q @ K.T", "Q @ Q.T", "Here queries meet queries, as if W_Q made both. What a token answers is in its key: Q @ K.T."),
    Slip("Q @ K.T", "K @ K.T", "Here keys meet keys, as if W_K made both. What a token asks stands in its query: Q @ K.T."),
    Slip("Q @ K.T", "Q.T @ K", "QᵀK sums over the tokens. A score belongs to a pair of tokens and sums over d_k: Q @ K.T."),
    Slip("Q @ K.T", "(Q / np.linalg.norm(Q, axis=1, keepdims=True)) @ (K / np.linalg.norm(K, axis=1, keepdims=True)).T",
         "These are cosines, divided by the lengths of query and key. A dot product keeps them: a long query asks more."),
    Slip("Q @ K.T", "np.linalg.norm(Q[:, None] - K, axis=2)",
         "These are distances, small where query and key agree. A score is their dot product, large where they agree."),
    Slip("Q @ K.T", "(Q[:, None] + K).sum(axis=2)",
         "This adds the entries of query and key. A score multiplies them first, so that only entries which both have count."),
    # the mask
    Slip(" + M", "", "Nothing is masked, the mask is missing: what should be hidden takes part. Add M, 0 or −∞, to the scores "
                     "before the softmax."),
    Slip(" + M", " * M", MULTIPLIED),
    Slip("softmax(… + M)", "np.exp(… * M) / np.exp(… * M).sum(axis=1, keepdims=True)", MULTIPLIED),
    Slip(" + M", " - M", PLUS),
    Slip("softmax(… + M)", "np.exp(… - M) / np.exp(… - M).sum(axis=1, keepdims=True)", PLUS),
    Slip(" + M", (" + (M == 0)", " + (M != 0)", " + np.tri(*S.shape)"),
         "A mask of 1 and 0 is added, and nothing is hidden. It must be 0 where a token may look and −∞ elsewhere."),
    Slip("S… + M", "S… + (M != 0) * -np.inf",
         "Zero times −∞ is no number, so what should stay became NaN. Choose, do not multiply: np.where(hidden, -np.inf, 0)."),
    Slip("S… + M", "np.where(M == 0, S…, 0)",
         "The hidden get the score 0, and to softmax 0 is a score like any other: e^0 = 1. Only −∞ gives the share 0."),
    Slip("S… + M", tuple(f"np.where(M == 0, S…, {number})" for number in (-1, -5, -10, -20, -50, -99, -100)), NUMBER),
    Slip("S… + M", tuple(f"S… + np.where(M == 0, 0, {number})" for number in (-5, -10, -20, -50, -99, -100)), NUMBER),
    Slip("softmax(… + M)", "softmax(…) * (M == 0)", AFTER),
    Slip("softmax(… + M)", "np.exp(…) * (M == 0) / np.exp(…).sum(axis=1, keepdims=True)", AFTER),
    Slip("softmax(… + M)", "softmax(…) + M", "The mask comes too late: added after the softmax it leaves −∞ among the shares. "
                                             "Add M to the scores, before the softmax."),
    Slip("softmax(… + M)", ("softmax(…) * (M == 0) / (softmax(…) * (M == 0)).sum(axis=1, keepdims=True)",
                            "np.exp(… - (…).max(axis=1, keepdims=True) + M) / "
                            "np.exp(… - (…).max(axis=1, keepdims=True) + M).sum(axis=1, keepdims=True)"), TOO_LATE),
    Slip("softmax(… + M)", "np.exp(…) * (M == 0) / (np.exp(…) * (M == 0)).sum(axis=1, keepdims=True)",
         "Right on paper: the mask is a factor 0 after the exponential. But exp overflows above 709: ∞ · 0. Add M before."),
    Slip("return softmax(… + M)", "return softmax(… + np.where(np.tri(*M.shape), 0, -np.inf))",
         "The mask is made anew, j <= i, and M is not used. M says what is hidden, and in some inputs it is something else."),
    Slip("j <= i", "j < i", "The token itself is masked out too (off by one), so the first row may look nowhere. A row may "
                            "look at itself: j <= i."),
    Slip("j <= i", "j <= i + 1", "Each row still sees one token ahead (off by one), and that token is the answer. It may look "
                                 "as far as itself: j <= i."),
    Slip("j <= i,", "j >= i,", "The mask is turned round, transposed: it hides the past. i is the row, and j > i the future."),
    Slip("j <= i,", "j > i,", "The mask is inverted: it hides the past and the token itself. What stays is j <= i."),
    # the softmax
    Slip("softmax(…)", ("softmax(…, axis=0)", NAIVE.format("axis=0"), STABLE.format("axis=0")), COLUMNS),
    Slip("softmax(…)", (NAIVE.format(""), STABLE.format("")),
         "All entries together sum to 1. Each row must have a sum of its own: sum(axis=1, keepdims=True)."),
    Slip("softmax(…)", (*(way.format("axis=1") for way in (NAIVE, STABLE, TILTED)), TILTED.format("axis=1, keepdims=True")),
         "A sum or maximum of the rows lost its axis, and meets the columns instead. Keep the axis: keepdims=True."),
    Slip("softmax(…)", ("np.exp(…) / np.exp(…).max(axis=1, keepdims=True)", "np.exp(…) / np.exp(…).mean(axis=1, keepdims=True)"),
         "The exponentials are divided by the row's largest one, or by their mean. Only their sum makes shares: divide by it."),
    Slip("softmax(…)", "np.exp(…)",
         "These are the exponentials; the division by the row's sum is missing. Only that makes shares."),
    Slip("softmax(…)", "(…)", "The softmax of each row is missing: these are the scores (or made with them), not shares."),
    Slip("softmax(…)", "(…) / (…).sum(axis=1, keepdims=True)", "This divides the scores themselves by their sum, and −∞ or a "
                                                               "negative score gives no share. Take the exponential first."),
    Slip("softmax(…)", "(…)**2 / ((…)**2).sum(axis=1, keepdims=True)",
         "These are shares of the squares: a score of −2 counts like one of 2. Take the exponential, which keeps their order."),
    Slip("softmax(…)", "np.exp(-(…)) / np.exp(-(…)).sum(axis=1, keepdims=True)",
         "A minus sign too much: e^(−score) gives the smallest score the largest share."),
    Slip("softmax(…)", "2.0**(…) / (2.0**(…)).sum(axis=1, keepdims=True)",
         "These are powers of 2. The base of the exponential is e = 2.718…: np.exp."),
    Slip("softmax(…)", "1 / (1 + np.exp(-(…)))", "This is the sigmoid, each score by itself: the rows do not sum to 1. Softmax "
                                                 "weighs the scores of a row against one another."),
    Slip("softmax(…)", "np.eye((…).shape[1])[(…).argmax(axis=1)]", LARGEST),
    Slip("softmax(…)", "softmax(softmax(…))", SOFTMAX_TOO_MUCH),
    Slip("softmax(…)", "np.log(softmax(…))", "These are the logarithms of the shares. The shares themselves are asked for."),
    Slip("softmax(…)", "np.ones((…).shape) / (…).shape[1]", EQUAL),
    Slip("softmax(…)", ("softmax(2 * (…))", "softmax((…) / 2)", "softmax((…) / np.sqrt((…).shape[1]))"),
         "The scores have a further factor before the softmax. It makes shares sharper or flatter; take it away."),
    Slip("softmax(… + M)", ("softmax(M)", "softmax(0 * … + M)"),
         "This is the softmax of the mask alone: equal shares. The scores are not used."),
    # the mixture of values
    Slip("A @ V", "A", "These are the weights. One step is missing: they mix the values, A @ V."),
    Slip("A @ V", "A @ K", "The weights mix keys. A key says how a token is found; what it hands over is its value: A @ V."),
    Slip("A @ V", ("A @ X", "A @ X_source"),
         "The weights mix the vectors of the tokens themselves. What is handed over are values: A @ V, with V made by W_V."),
    Slip("A @ V", "A.T @ V", "A is turned round: row i holds what the others take from i. What target i takes is row i of A."),
    Slip("A @ V", "softmax(A) @ V", SOFTMAX_TOO_MUCH),
    Slip("A @ V", "V[A.argmax(axis=1)]", LARGEST),
    Slip("A @ V", "np.tile(V.mean(axis=0), (len(A), 1))", EQUAL),
    Slip("A @ V", "np.tile(V.sum(axis=0), (len(A), 1))",
         "Every target gets the plain sum of the values, without weights. Multiply each value by its weight first."),
    Slip("A @ V", "A @ V / len(V)", MEAN),
    Slip("A @ V", "A / A.sum(axis=0) @ V", "The columns of A were made to sum to 1. Its rows do already, as a target needs."),
    Slip("A @ V", "A[:, -1:] * V[-1]", LAST),
    Slip("A @ V", "A[:, :1] * V[0]", FIRST),
    Slip("A @ V", ("A[:, :-1] @ V[:-1]", "A[:, 1:] @ V[1:]"),
         "The last source is left out, or the first. There is one product for each row of V, from 0 to the end."),
    # the residual connection
    Slip("X + ", "", "This is the update alone, in place of the token. Add it to X (residual connection): the word stays."),
    Slip("X + ", "X - ", "This subtracts the update. A residual connection adds it: X + O @ W_O."),
    Slip("X + …", "X * (…)", "This multiplies token and update: where it is 0, the word is lost. A residual connection adds."),
    Slip("X + …", "(X + …) / 2", "This is the mean of token and update. The residual connection is a plain sum."),
    Slip("X + O @ W_O", "X + 2 * (O @ W_O)", "The update is added twice. Once is enough: X + O @ W_O."),
    Slip("X + O @ W_O", "X", "This is X alone, unchanged: the update is not used. Add O @ W_O."),
    Slip("X + O @ W_O", "A", "These are the weights. They mix the values, W_O leads back to d_model, and then X is added."),
    Slip("X + O @ W_O", "O", "This stops at O, d_v wide. W_O leads back to d_model, and then X is added."),
    Slip("X + O @ W_O", "np.hstack([X, O @ W_O])",
         "This sets the update beside X, so the matrix grows with each head. It is added: the shape of X stays."),
    Slip("X + O @ W_O", "X + np.pad(O, ((0, 0), (0, X.shape[1] - O.shape[1])))",
         "This fills O up with zeros until it fits X. W_O decides which features are written: O @ W_O."),
    Slip("X + O @ W_O", "X + (O @ W_O).sum(axis=0)",
         "Every token gets the updates of all tokens. Row i of O @ W_O belongs to token i alone."),
    Slip("X + O @ W_O", "X + np.eye(len(X), 1) * (O @ W_O)",
         "Only the first row is updated: a return inside the loop ends it after one turn. Move the return to the left."),
    Slip("X + …", "(X + …) / np.linalg.norm(X + …, axis=1, keepdims=True)",
         "The rows are brought to length 1. A normalisation is a step of its own; the residual connection is a plain sum."),
    # a sum
    Slip("np.sum(…, axis=", "np.mean(…, axis=", MEAN),
    Slip("np.sum(…, axis=", "np.take(…, 0, axis=", FIRST),
    Slip("np.sum(…, axis=", "np.take(…, -1, axis=", LAST),
    Slip("np.sum(…, axis=", "np.max(…, axis=", "This is the largest of the products alone. What is asked for is the sum of all."),
]

# Slips of the result R as a whole, whatever the steps; one that leaves R as it is belongs to nothing.
RESULTS = [
    (["R.T"], "This is the transpose: the rows of the result stand in its columns. Rows are tokens."),
    (["R[:1]", "R[0]", "R[0, 0]", "R[:1, :1]", "R[:1, 0]", "only(R, 0)", "only(R, (0, 0))"],
     "Only the first row is there: a return inside the loop ends it after one turn. Move the return to the left."),
    (["R[-1]", "R[-1:]", "R[-1, -1]", "only(R, -1)"],
     "Only the last row is there: the loop writes over what it had. Collect the rows, one for each turn."),
    (["R[:-1]", "R[1:]"], "The last row is missing, or the first: a loop runs from 0, and to the end."),
    (["R[::-1]"], "The rows come in the opposite order. Row i of the result belongs to row i of the input."),
    ([f"R.round({digits})" for digits in range(5)],
     "The numbers are rounded. Return them as they are, and round to print."),
    (["np.exp(R[:])", "R**2", "np.sqrt(abs(R))", "np.log(R)"],
     "A function too much, after the right numbers: exp, log, square or root."),
    (["R.astype(int)"], "The numbers are cut to whole numbers, integers. Make the result with np.zeros, which holds floats."),
    (["abs(R)", "np.maximum(R, 0)"], "The signs are lost: a negative number stays negative."),
    (["softmax(R[None])[0]", "np.exp(R) / np.exp(R).sum(axis=-1, keepdims=True)"], SOFTMAX_TOO_MUCH),
    (["np.tril(R)"], "A mask too much: what lies right of the diagonal, the future, is 0. Nothing is hidden here."),
    (["R.mean(axis=0)", "R.sum(axis=0)"],
     "This is the mean or the sum over the rows, one for all of them. Each row is asked for by itself."),
    (["R[:] / R.std()"], "The numbers are divided by their standard deviation. Divide by what the shapes say."),
]

def only(R, part):
    """Zeros with one part of the result in its place."""
    kept = np.zeros_like(R)
    kept[part] = R[part]
    return kept


NAMES = {"np": np, "softmax": softmax, "only": only}    # what slips may use
