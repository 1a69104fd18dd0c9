"""Exercises whose answer is a table of shapes: each row is read, and its slips are known, by itself."""

from .checking import Exercise

OF_ONE = "this is the shape of all heads together. The table asks for one head"
# Of rows of the table: a wrong shape, and what is wrong with it.
SHAPES = [
    ("Q K", "(T, d_model)", "W_Q and W_K are (d_model, d_k): they make d_k entries out of the d_model of a token."),
    ("Q K", "(d_model, d_k)", "this is the shape of W_Q and W_K, the matrices. X W_Q has a row for each token: (T, d_k)."),
    ("V", "(d_model, d_v)", "this is the shape of W_V, the matrix. X W_V has a row for each token: (T, d_v)."),
    ("V", "(T, d_k)", "V is made by W_V, (d_model, d_v), so a value is d_v long. d_k is the width of queries and keys."),
    ("S A", "(T, d_k)", "There is an entry for each pair of tokens: (T, T). d_k is the axis that Q @ K.T sums over."),
    ("S A", "(d_k, d_k)", "That would be Q.T @ K, which sums over the tokens. Q @ K.T sums over d_k and is (T, T)."),
    ("O", "(T, d_k)", "O mixes values, so it is as wide as they are: d_v. The width of a query, d_k, ends in S."),
    ("O", "(T, d_model)", "O = A @ V is still d_v wide. Only W_O leads back to d_model."),
    ("X′ X+O_cat·W_O", "(T, 2 * d_model)", "The residual is a sum, not a concatenation: the result is as wide as X."),
    ("O_cat", "(T, d_v)", "O_cat is as wide as one head here. The H outputs stand side by side, so it has H·d_v columns."),
    ("O_cat", "(H * T, d_v)",
     "The heads stand below one another. They stand side by side: each token keeps one row, H·d_v long."),
    ("O_cat", "(T, H * d_k)", "O_cat is made of outputs, and an output is as long as a value: H·d_v, not H·d_k."),
    ("O_cat", "(T, d_model)", "O_cat is H·d_v wide. That this is d_model is a usual choice, not a rule: not so in the check."),
    ("Q K", "(T, H * d_k)", f"{OF_ONE}: (T, d_k)."),
    ("Q K", "(H, T, d_k)", f"{OF_ONE}: (T, d_k)."),
    ("V O", "(T, H * d_v)", f"{OF_ONE}: (T, d_v)."),
    ("V O", "(H, T, d_v)", f"{OF_ONE}: (T, d_v)."),
    ("S A", "(H, T, T)", f"{OF_ONE}: (T, T)."),
    ("S A", "(H * T, T)", f"{OF_ONE}: (T, T)."),
]
# Of each row, what it is, for any other shape.
ROWS = {
    "X": "a row of d_model entries for each token.", "Q": "W_Q makes d_k entries of each token.",
    "K": "W_K makes d_k entries of each token.", "V": "W_V makes d_v entries of each token.",
    "S": "an entry for each pair of tokens.", "A": "an entry for each pair of tokens, as in S.",
    "O": "a mixture of values for each token, as wide as they are.", "X′": "W_O leads back to d_model, as wide as X.",
    "O_cat": "the H outputs of a token, side by side, H·d_v.", "O_cat·W_O": "W_O, (H·d_v, d_model), leads back to d_model.",
    "X+O_cat·W_O": "as wide as X, d_model, or the sum would not exist.",
}


class ShapeTable(Exercise):
    """An exercise that asks for the shapes of several steps; `returns` names its rows."""

    def _found(self):
        return f"all {len(self.returns)} shapes"

    def _known(self, answers):
        """What is said about the first row that is wrong, when its slip is known."""
        if any(isinstance(answer, str) or any(row.ndim != 1 for row in answer) for answer in answers):
            return None
        for row, name in enumerate(self.returns):
            given, wanted = ([tuple(table[row].ravel()) for table in tables] for tables in (answers, self.expected))
            if given != wanted[:len(given)]:
                return self._named(name, given, wanted)
        return None

    def _named(self, name, given, wanted):
        if given == [shape[::-1] for shape in wanted[:len(given)]]:
            return f"{name} has tokens as columns here. In this series tokens are rows, so T comes first."
        sizes = [dict(zip(self.parameters, case.args, strict=True)) for case in self.cases[:len(given)]]
        for names, shape, why in SHAPES:
            known = name in names.split() and ("H" in self.parameters or "H" not in shape)
            if known and given == [eval(shape, {}, size) for size in sizes]:
                return f"{name}: {why}"
        return None

    def _problem(self, answer, expected, case):
        if isinstance(answer, str):
            return answer
        for name, got, want in zip(self.returns, answer, expected, strict=True):
            if got.ndim != 1:
                return f"{name} is no tuple of numbers here. Each row is one tuple: {ROWS[name]}"
            if got.shape != want.shape or (got != want).any():
                shapes = [f"({', '.join(f'{size:g}' for size in shape.ravel())})" for shape in (got, want)]
                return f"{name} is {shapes[0]}, expected {shapes[1]}, where {self._describe(case)}: {ROWS[name]}"
        return None
