"""Answers as readers write them: the body of the function; it may use np, FEATURES and the helper softmax.

To each wrong one belongs what the check must speak of, a pattern in the line that it prints. None: the check need not know
it, and says where the numbers differ.
"""

WRONG_ANSWERS = {
    "lookup": [
        ("return table[ids - 1]", "from 1"),
        ("return table[ids + 1]", "one too|from 1|bounds"),
        ("return table[np.sort(ids)]", "order"),
        ("return [table[i] for i in sorted(set(ids))]", "only once"),
        ("return table[:, ids]", "columns"),
        ("return table[ids].T", "transpose"),
        ("return [table[i] for i in range(len(ids))]", "first rows"),
        ("rows = []\nfor i in ids:\n    rows.append(table[i])\n    return rows", "return"),
        ("for i in ids:\n    row = table[i]\nreturn row", "last"),
        ("return table[ids[0]]", "first"),
        ("return table[ids].mean(axis=0)", "mean"),
        ("one_hot = np.eye(len(table))[ids]\nreturn table @ one_hot", "one_hot @ table|inner|meet"),
    ],
    "with_position": [
        ("return np.concatenate([E, P], axis=1)", "beside"),
        ("return np.concatenate([E, P])", "below"),
        ("return E * P", "multipl"),
        ("return E - P", "subtract"),
        ("return (E + P) / 2", "factor 1/2|mean"),
        ("return E", "alone"),
        ("return P", "alone"),
        ("return E @ P.T", "product"),
        ("return E + P[0]", "first"),
        ("E += P\nreturn E", "changes its input E"),
        ("X = np.zeros_like(E)\nfor i in range(len(E)):\n    X[i] = E[i] + P[i]\n    return X", "return"),
        ("return E + P.T", "spread|shapes|entry by entry"),
        ("return (E + P).round(2)", "[Rr]ounded"),
        ("return E + P[::-1]", "opposite order"),
    ],
    "project": [
        ("return X @ W_K, X @ W_Q", "exchanged"),
        ("return W_Q.T @ X.T, W_K.T @ X.T", "transpose"),
        ("return X @ W_Q, (X @ W_K).T", "transpose"),
        ("return X @ W_Q, X @ W_Q", "W_Q makes both"),
        ("return X @ W_K, X @ W_K", "W_K makes both"),
        ("return X @ W_Q", "Expected 2 results"),
        ("return W_Q @ X, W_K @ X", "inner|meet"),
        ("return X[0] @ W_Q, X[0] @ W_K", "first"),
        ("return X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K / np.sqrt(W_K.shape[1])", "√d_k"),
        ("Q = []\nK = []\nfor x in X:\n    Q.append(x @ W_Q)\n    K.append(x @ W_K)\n    return Q, K", "return"),
        ("Q = X @ W_Q\nK = Q @ W_K\nreturn Q, K", "inner|meet"),
        ("return W_Q, W_K", "handed over"),
        ("Q = X @ W_Q\nK = X @ W_K", "Not yet"),
    ],
    "query_matrix": [
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), place * np.sin(a)
W[FEATURES.index("sin"), 1:] = -place * np.sin(a), place * np.cos(a)
return W""", "other way|ahead"),
        ("""a = 30 * tokens_back
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "radians"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("adj"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "adj"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = np.cos(a), -np.sin(a)
W[FEATURES.index("sin"), 1:] = np.sin(a), np.cos(a)
return W""", "place is missing"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3), dtype=int)
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "whole numbers|integers"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("noun")] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "whole row|all three|every column"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "strength|match"),
        ("""a = np.deg2rad(30 * 1.5)
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = 8
W[FEATURES.index("cos"), 1:] = 5 * np.cos(a), -5 * np.sin(a)
W[FEATURES.index("sin"), 1:] = 5 * np.sin(a), 5 * np.cos(a)
return W""", r"\(8, 1.5, 5\)|fixed"),
        ("""a = np.deg2rad(30 * (tokens_back + 1))
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "one more|one too|off by one"),
        ("""a = np.deg2rad(tokens_back)
W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1:] = place * np.cos(a), -place * np.sin(a)
W[FEATURES.index("sin"), 1:] = place * np.sin(a), place * np.cos(a)
return W""", "30"),
        ("""W = np.zeros((12, 3))
W[FEATURES.index("noun"), 0] = strength
W[FEATURES.index("cos"), 1] = place
W[FEATURES.index("sin"), 2] = place
return W""", "not turned|turn|rotation"),
        ("""a = np.deg2rad(30 * tokens_back)
W = np.zeros((3, 12))
W[0, FEATURES.index("noun")] = strength
W[1:, FEATURES.index("cos")] = place * np.cos(a), -place * np.sin(a)
W[1:, FEATURES.index("sin")] = place * np.sin(a), place * np.cos(a)
return W""", "transpose"),
    ],
    "one_score": [
        ("return Q[j] @ K[i]", "exchanged"),
        ("return Q[i] @ K.T", "whole row"),
        ("return Q @ K[j]", "whole column"),
        ("return Q @ K.T", "all the scores"),
        ("return Q[i] * K[j]", "entry by entry"),
        ("return (Q[i] * K[j]).mean()", "mean|1/d_k|d_k"),
        ("return Q[i] @ K[j] / np.sqrt(Q.shape[1])", "√d_k"),
        ("return Q[i - 1] @ K[j - 1]", "from 1"),
        ("return Q[i] @ Q[j]", "from Q|queries meet queries"),
        ("return K[i] @ K[j]", "from K|keys meet keys"),
        ("return Q[i] @ K[i]", r"twice|i for both|K\[j\]"),
        ("for q, k in zip(Q[i], K[j]):\n    total = 0\n    total += q * k\nreturn total", "last"),
        ("total = 0\nfor q, k in zip(Q[i], K[j]):\n    total += q * k\n    return total", "return|first"),
        ("total = 0\nfor c in range(Q.shape[1] - 1):\n    total += Q[i, c] * K[j, c]\nreturn total", "last"),
        ("return Q[i].sum() * K[j].sum()", "two sums"),
        ("return (Q[i] + K[j]).sum()", "adds"),
        ("return np.dot(Q[i], K[j]) / (np.linalg.norm(Q[i]) * np.linalg.norm(K[j]))", "cosine"),
        ("return Q[:, i] @ K[:, j]", "inner|meet|bounds"),
        ("return softmax(Q @ K.T)[i, j]", "softmax"),
        ("return int(Q[i] @ K[j])", "whole number|integer|rounded"),
        ("return np.linalg.norm(Q[i] - K[j])", "distance"),
    ],
    "scores": [
        ("return K @ Q.T", "transpose"),
        ("return Q @ K", "inner|meet"),
        ("return Q.T @ K", "inner|meet"),
        ("return Q @ K.T / Q.shape[1]", "1/d_k"),
        ("return Q @ K.T / np.sqrt(Q.shape[1])", "√d_k"),
        ("return Q @ K.T / np.sqrt(len(K))", "√T|tokens|keys"),
        ("return Q @ Q.T", "queries meet queries"),
        ("return K @ K.T", "keys meet keys"),
        ("return Q * K", "entry by entry"),
        ("return Q[:, None] * K[None]", "entry by entry"),
        ("return np.mean(Q[:, None] * K, axis=-1)", "d_k"),
        ("return softmax(Q @ K.T)", "softmax"),
        ("return np.tril(Q @ K.T)", "future|mask"),
        ("""S = np.zeros((len(Q), len(K)))
for i in range(len(Q)):
    for j in range(len(K)):
        S[i, j] = Q[i] @ K[j]
    return S""", "return"),
        ("S = []\nfor q in Q:\n    row = []\n    for k in K:\n        row.append(q @ k)\nS.append(row)\nreturn S", "last"),
        ("""S = np.zeros((len(Q), len(K)), dtype=int)
for i in range(len(Q)):
    for j in range(len(K)):
        S[i, j] = Q[i] @ K[j]
return S""", "whole numbers|integers"),
        ("return np.round(Q @ K.T, 2)", "[Rr]ounded"),
        ("return np.abs(Q @ K.T)", "sign"),
        ("return (Q[:, None] + K).sum(axis=-1)", "adds"),
        ("return np.linalg.norm(Q[:, None] - K, axis=-1)", "distance"),
        ("n = np.linalg.norm\nreturn Q @ K.T / n(Q, axis=1)[:, None] / n(K, axis=1)", "cosine"),
    ],
    "scaled_scores": [
        ("return X @ W_Q @ (X @ W_K).T", "raw"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T / Q.shape[1]", "by d_k"),
        ("Q = X @ W_Q / np.sqrt(W_Q.shape[1])\nK = X @ W_K / np.sqrt(W_Q.shape[1])\nreturn Q @ K.T", "twice|by d_k"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T / np.sqrt(X.shape[1])", "√d_model"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T / np.sqrt(len(Q))", "√T"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T / len(Q)", "T"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T * np.sqrt(Q.shape[1])", "multiplies"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn K @ Q.T / np.sqrt(Q.shape[1])", "transpose"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn softmax(Q @ K.T / np.sqrt(Q.shape[1]))", "softmax"),
        ("Q = X @ W_Q\nreturn Q @ Q.T / np.sqrt(Q.shape[1])", "W_Q makes both|queries meet queries"),
        ("K = X @ W_K\nreturn K @ K.T / np.sqrt(K.shape[1])", "W_K makes both|keys meet keys"),
        ("return X @ X.T / np.sqrt(X.shape[1])", None),
        ("Q = X @ W_Q\nK = X @ W_K\nS = Q @ K.T\nreturn S / S.std()", "standard deviation|std"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K.T / np.sqrt(3)", "another one in each input|fixed"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q @ K / np.sqrt(Q.shape[1])", "inner|meet"),
        ("Q = X @ W_Q\nK = X @ W_K\nreturn Q.T @ K / np.sqrt(Q.shape[1])", "QᵀK|Q.T @ K|tokens"),
    ],
    "tokens_looked_at": [
        ("return np.exp(-(a * np.log(a)).sum())", "share of 0|0 · |0 times"),
        ("a = a[a > 0]\nreturn -(a * np.log(a)).sum()", "entropy"),
        ("a = a[a > 0]\nreturn np.exp((a * np.log(a)).sum())", "sign"),
        ("return np.count_nonzero(a)", "counts every"),
        ("return len(a)", "all tokens|every token|number of tokens"),
        ("return 1 / a.max()", "largest"),
        ("return 1 / (a ** 2).sum()", "squares"),
        ("a = a[a > 0]\nreturn np.exp(-(a * np.log2(a)).sum())", "base"),
        ("a = a[a > 0]\nreturn 2 ** -(a * np.log(a)).sum()", "base"),
        ("a = a[a > 0]\nreturn -(a * np.log2(a)).sum()", "bits"),
        ("a = a[a > 0]\nreturn np.exp(-np.log(a).mean())", "plain mean|by its share"),
        ("a = a[a > 0]\nreturn np.exp(-(a * np.log(a)).mean())", "mean"),
        ("a = np.sort(a)[1:]\nreturn np.exp(-(a * np.log(a)).sum())", "smallest|several|no share"),
        ("a = np.delete(a, a.argmin())\nreturn np.exp(-(a * np.log(a)).sum())", "smallest|several|no share"),
        ("total = 0\nfor x in a:\n    if x > 0:\n        total -= x * np.log(x)\n        return np.exp(total)", "return"),
        ("a[a == 0] = 1\nreturn np.exp(-(a * np.log(a)).sum())", "changes its input"),
    ],
    "masked": [
        ("i, j = np.indices(S.shape)\nreturn np.where(j < i, S, -np.inf)", "itself"),
        ("i, j = np.indices(S.shape)\nreturn np.where(j <= i + 1, S, -np.inf)", "one token ahead|one ahead"),
        ("i, j = np.indices(S.shape)\nreturn np.where(j >= i, S, -np.inf)", "past"),
        ("i, j = np.indices(S.shape)\nreturn np.where(j > i, S, -np.inf)", "inverted|past"),
        ("return np.tril(S)", "score 0"),
        ("return np.where(np.tril(S) == 0, -np.inf, S)", "exactly 0"),
        ("T = np.tril(S)\nT[T == 0] = -np.inf\nreturn T", "exactly 0"),
        ("return S + np.tril(np.ones(S.shape))", "1 and 0"),
        ("return S * np.where(np.tri(*S.shape), 0, -np.inf)", "multipl"),
        ("return np.where(np.tri(*S.shape), 0, -np.inf)", "alone"),
        ("return S + np.where(np.tri(*S.shape), 0, -1e9)", "1e9|-1e9|−1e9"),
        ("return np.where(np.tri(*S.shape), S, -1e9)", "1e9"),
        ("return np.where(np.tri(*S.shape), S, -100)", "not −∞|−100"),
        ("return S", "[Nn]othing is masked"),
        ("return S + np.triu(np.ones(S.shape), 1) * -np.inf", "NaN|Zero times"),
        ("return S + np.where(np.tri(len(S)), 0, -np.inf)", "square|shapes|entry by entry"),
        ("return S + np.triu(np.full(S.shape, -np.inf), S.shape[1] - S.shape[0] + 1)", "last|corner|end"),
        ("return np.tri(*S.shape, dtype=bool)", "True and False|truth"),
        ("return np.where(np.tri(*S.shape), S, np.inf)", "sign|plus"),
        ("return np.where(np.tri(*S.shape), S, np.nan)", "NaN|nan"),
        ("S[np.triu_indices_from(S, 1)] = -np.inf\nreturn S", "changes its input"),
        ("return softmax(np.where(np.tri(*S.shape), S, -np.inf))", "softmax"),
        ("""M = S.copy()
for i in range(S.shape[0]):
    for j in range(i, S.shape[1]):
        M[i, j] = -np.inf
return M""", "itself"),
    ],
    "masked_weights": [
        ("return softmax(np.where(M == 0, S, 0))", "score 0"),
        ("return softmax(S * (M == 0))", "score 0"),
        ("return softmax(S) * (M == 0)", "after the softmax"),
        ("A = softmax(S) * (M == 0)\nreturn A / A.sum(axis=1, keepdims=True)", "after|too late"),
        ("E = np.exp(S) * (M == 0)\nreturn E / E.sum(axis=1, keepdims=True)", "exponential"),
        ("E = np.exp(S - S.max(axis=1, keepdims=True) + M)\nreturn E / E.sum(axis=1, keepdims=True)", "maximum"),
        ("return softmax(S) + M", "added after"),
        ("return softmax(S * M)", "multipl"),
        ("return softmax(S)", "not used|missing"),
        ("return softmax(np.where(M == 0, S, -100))", "−100|not −∞|-100"),
        ("return softmax(np.where(M == 0, S, -20))", "not −∞"),
        ("return softmax(S + M, axis=0)", "columns"),
        ("return S + M", "softmax of each row is missing"),
        ("E = np.exp(S + M)\nreturn E / E.sum(axis=1)", "keepdims"),
        ("E = np.exp(S + M)\nreturn E / E.sum()", "together"),
        ("return 1 / (1 + np.exp(-(S + M)))", "sigmoid"),
        ("return np.eye(S.shape[1])[(S + M).argmax(axis=1)]", "largest"),
        ("return np.exp(S + M)", "exponential"),
        ("return softmax(S - M)", "sign|subtract"),
        ("return softmax(S + np.tri(*S.shape))", "1 and 0"),
        ("E = np.exp(S) * (M == 0)\nreturn E / np.exp(S).sum(axis=1, keepdims=True)", "hidden|future|after"),
        ("i, j = np.indices(S.shape)\nreturn softmax(np.where(j <= i, S, -np.inf))", "Right on 3 of|M"),
    ],
    "row_softmax": [
        ("E = np.exp(scores)\nreturn E / E.sum(axis=1, keepdims=True)", "overflow"),
        ("E = np.exp(scores - scores.max())\nreturn E / E.sum(axis=1, keepdims=True)", "whole matrix"),
        ("E = np.exp(scores - scores.max(axis=0))\nreturn E / E.sum(axis=1, keepdims=True)", "maximum of each column"),
        ("E = np.exp(scores)\nreturn E / E.sum(axis=0)", "column"),
        ("E = np.exp(scores)\nreturn E / sum(E)", "column"),
        ("E = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn E / E.sum(axis=0)", "column"),
        ("E = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn E / E.sum()", "together"),
        ("E = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn E / E.sum(axis=1)", "keepdims"),
        ("E = np.exp(scores - scores.max(axis=1))\nreturn E / E.sum(axis=1, keepdims=True)", "keepdims"),
        ("E = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn E / E.max(axis=1, keepdims=True)", "largest"),
        ("return np.exp(scores - scores.max(axis=1, keepdims=True))", "sum"),
        ("return np.exp(scores)", "division"),
        ("return scores / scores.sum(axis=1, keepdims=True)", "scores themselves"),
        ("return scores ** 2 / (scores ** 2).sum(axis=1, keepdims=True)", "square"),
        ("E = np.exp(-(scores - scores.max(axis=1, keepdims=True)))\nreturn E / E.sum(axis=1, keepdims=True)", "sign|minus"),
        ("""low = np.where(scores == -np.inf, 0, scores).mean(axis=1, keepdims=True)
E = np.exp(scores - low)
return E / E.sum(axis=1, keepdims=True)""", "overflow|mean|largest"),
        ("return 1 / (1 + np.exp(-scores))", "sigmoid"),
        ("return np.eye(scores.shape[1])[scores.argmax(axis=1)]", "largest"),
        ("""E = 2 ** (scores - scores.max(axis=1, keepdims=True))
return E / E.sum(axis=1, keepdims=True)""", "2 to the|base 2|powers of 2"),
        ("E = np.exp(scores - scores.max(axis=1, keepdims=True))\nreturn np.log(E / E.sum(axis=1, keepdims=True))", "logarithm"),
        ("for row in scores:\n    E = np.exp(row - row.max())\n    return E / E.sum()", "return|first"),
        ("for row in scores:\n    E = np.exp(row - row.max())\n    A = E / E.sum()\nreturn A", "last"),
        ("E = np.exp(np.clip(scores, -700, 700))\nreturn E / E.sum(axis=1, keepdims=True)", "limit"),
    ],
    "weights": [
        ("return softmax(Q @ K.T + M)", "scale is missing"),
        ("return softmax(Q @ K.T / Q.shape[1] + M)", "by d_k"),
        ("return softmax(Q @ K.T / np.sqrt(len(K)) + M)", "√T|tokens"),
        ("return softmax(Q @ K.T / np.sqrt(len(Q)) + M)", "√T|tokens"),
        ("return softmax(Q @ K.T + M) / np.sqrt(Q.shape[1])", "too late"),
        ("return softmax(Q @ K.T * np.sqrt(Q.shape[1]) + M)", "multipl"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1]))", "mask is"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1]) * M)", "multipl"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1])) * (M == 0)", "after the softmax|too late"),
        ("A = softmax(Q @ K.T / np.sqrt(Q.shape[1])) * (M == 0)\nreturn A / A.sum(axis=1, keepdims=True)", "after|too late"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1])) + M", "after|too late"),
        ("return softmax(np.where(M == 0, Q @ K.T / np.sqrt(Q.shape[1]), 0))", "score 0"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1]) + M, axis=0)", "columns"),
        ("return softmax(Q @ K.T / np.sqrt(Q.shape[1]) + M).T", "transpose"),
        ("return Q @ K.T / np.sqrt(Q.shape[1]) + M", "softmax of each row is missing"),
        ("E = np.exp(Q @ K.T / np.sqrt(Q.shape[1]) + M)\nreturn E / E.sum(axis=1)", "keepdims"),
        ("E = np.exp(Q @ K.T / np.sqrt(Q.shape[1]) + M)\nreturn E / E.sum()", "together"),
        ("return np.exp(Q @ K.T / np.sqrt(Q.shape[1]) + M)", "exponential"),
        ("S = Q @ K.T / np.sqrt(Q.shape[1]) + M\nreturn 1 / (1 + np.exp(-S))", "sigmoid"),
        ("S = Q @ K.T / np.sqrt(Q.shape[1]) + M\nreturn np.eye(len(K))[S.argmax(axis=1)]", "largest"),
        ("return softmax(K @ Q.T / np.sqrt(Q.shape[1]) + M)", "shapes|spread|entry by entry"),
        ("return softmax(Q @ K / np.sqrt(Q.shape[1]) + M)", "inner|meet"),
        ("return np.round(softmax(Q @ K.T / np.sqrt(Q.shape[1]) + M), 2)", "[Rr]ounded"),
        ("return softmax(np.where(M == 0, Q @ K.T / np.sqrt(Q.shape[1]), -20))", "not −∞"),
        ("return softmax(np.where(M == 0, Q @ K.T / np.sqrt(Q.shape[1]), -100))", "not −∞"),
    ],
    "one_output": [
        ("return V.mean(axis=0)", "plain mean"),
        ("return V.sum(axis=0)", "without weights"),
        ("return A[:, i] @ V", "column i|inner|meet"),
        ("o = 0\nfor j in range(len(V)):\n    o += A[j, i] * V[j]\nreturn o", "column i"),
        ("return A[i][:, None] * V", "products"),
        ("return V[A[i].argmax()]", "largest"),
        ("return A @ V", "all targets"),
        ("return A[i - 1] @ V", "from 1"),
        ("return A[i + 1] @ V", "one too|next|after"),
        ("return softmax(A[i]) @ V", "softmax too much"),
        ("return V[i]", "token i"),
        ("for j in range(len(V)):\n    o = A[i, j] * V[j]\nreturn o", "last"),
        ("o = np.zeros(V.shape[1])\nfor j in range(len(V)):\n    o = o + A[i, j] * V[j]\n    return o", "return"),
        ("o = np.zeros(V.shape[1])\nfor j in range(i + 1):\n    o = o + A[i, j] * V[j]\nreturn o", r"up to|future|i \+ 1"),
        ("o = np.zeros(V.shape[1])\nfor j in range(len(V) - 1):\n    o = o + A[i, j] * V[j]\nreturn o", "last"),
        ("return A[i] * V", r"\[:, None\]"),
        ("return A[i] @ V.sum(axis=1)", "one number|meet|inner"),
        ("return (A[i][:, None] * V).mean(axis=0)", "number of sources|mean"),
        ("return (A[i][:, None] * V).sum()", "axis"),
        ("return A[i, i] * V[i]", "token i"),
    ],
    "outputs": [
        ("return V.T @ A.T", "transpose"),
        ("return A.T @ V", "inner|meet"),
        ("return V @ A", "inner|meet"),
        ("return softmax(A) @ V", "softmax too much"),
        ("return A / A.sum(axis=0) @ V", "columns of A"),
        ("return A[:, :, None] * V", "products"),
        ("return V[A.argmax(axis=1)]", "largest"),
        ("return np.tile(V.mean(axis=0), (len(A), 1))", "same plain mean"),
        ("return A @ V / len(V)", "mean"),
        ("return (A[:, :, None] * V).mean(axis=1)", "number of sources|mean"),
        ("O = []\nfor a in A:\n    O.append(a @ V)\n    return O", "return"),
        ("for a in A:\n    O = a @ V\nreturn O", "last"),
        ("""O = np.zeros((len(A), V.shape[1]))
for i in range(len(A)):
    for j in range(len(V)):
        O[i] = A[i, j] * V[j]
return O""", "last"),
        ("return A * V", "entry by entry|shapes|spread"),
        ("return A @ V.T", "inner|meet"),
        ("""O = np.zeros((len(A), V.shape[1]), dtype=int)
for i in range(len(A)):
    O[i] = A[i] @ V
return O""", "whole numbers|integers"),
        ("return np.tril(A) @ V", "mask|future"),
        ("return A @ V @ V.T", None),
    ],
    "residual": [
        ("return O @ W_O", "update alone"),
        ("return X - O @ W_O", "subtract"),
        ("return X + O", "shapes|spread|entry by entry|W_O"),
        ("return O @ W_O.T + X", "inner|meet"),
        ("return X + W_O @ O", "inner|meet"),
        ("return X + W_O.T @ O.T", "shapes|spread|entry by entry"),
        ("return X", "X alone|unchanged|not used"),
        ("return (X + O @ W_O) / 2", "mean|half"),
        ("return X * (O @ W_O)", "multipl"),
        ("return np.concatenate([X, O @ W_O], axis=1)", "beside"),
        ("X_new = X.copy()\nX_new[:, :O.shape[1]] += O\nreturn X_new", "fill|zeros"),
        ("X += O @ W_O\nreturn X", "changes its input"),
        ("return X @ W_O.T + O", None),
        ("X_new = X.copy()\nfor i in range(len(X)):\n    X_new[i] = X[i] + O[i] @ W_O\n    return X_new", "return"),
        ("return X + O @ W_O + O @ W_O", "twice"),
        ("return (X + O @ W_O).T", "transpose"),
        ("Y = X + O @ W_O\nreturn Y / np.linalg.norm(Y, axis=1, keepdims=True)", "length|normalis"),
    ],
    "value_map": [
        ("return W_O @ W_V", "W_V first"),
        ("return W_O.T @ W_V.T", "transpose"),
        ("return W_V @ W_V.T", "W_V turned"),
        ("return W_V * W_O.T", "entry by entry"),
        ("return W_V * W_O", "entry by entry|shapes|spread"),
        ("return np.eye(len(W_V)) + W_V @ W_O", "token itself"),
        ("return W_V + W_O.T", "adds the two"),
        ("return W_O.T @ W_O", "W_O turned|W_O twice|W_V"),
        ("return W_V @ W_O / np.sqrt(W_V.shape[1])", "factor|√d_v"),
        ("return W_V @ W_O.T", "inner|meet"),
        ("return np.linalg.inv(W_V @ W_O)", None),
        ("return np.round(W_V @ W_O, 2)", "[Rr]ounded"),
    ],
    "single_head": [
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
return X + softmax(Q @ K.T + np.triu(np.full((len(X), len(X)), -np.inf), 1)) @ V @ W_O""", "scale is missing"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(X.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "√d_model"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / Q.shape[1]
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "by d_k"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(V.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "√d_v"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(len(X))
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "√T"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
return X + softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V @ W_O""", "mask is missing|mask is not"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = np.tril(Q @ K.T / np.sqrt(Q.shape[1]))
return X + softmax(S) @ V @ W_O""", "score 0|0 in place"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
A = np.tril(softmax(Q @ K.T / np.sqrt(Q.shape[1])))
return X + A @ V @ W_O""", "after the softmax|too late"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
A = np.tril(softmax(Q @ K.T / np.sqrt(Q.shape[1])))
A /= A.sum(axis=1, keepdims=True)
return X + A @ V @ W_O""", "after|too late"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X))] = -np.inf
return X + softmax(S) @ V @ W_O""", "itself"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.tril_indices(len(X), -1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "past|turned round|transposed"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S, axis=0) @ V @ W_O""", "columns"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
E = np.exp(S)
return X + E / E.sum(axis=1) @ V @ W_O""", "keepdims"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = K @ Q.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "exchanged"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return softmax(S) @ V @ W_O""", "Add it to X|residual|in place of the token"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return softmax(S) @ V""", "stops at O|W_O"),
        ("""Q, K = X @ W_Q, X @ W_Q
V = X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ V @ W_O""", "queries meet queries|W_Q makes both"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + 1 / (1 + np.exp(-S)) @ V @ W_O""", "sigmoid"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + np.eye(len(X))[S.argmax(axis=1)] @ V @ W_O""", "largest"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return X + softmax(S) @ K @ W_O""", "inner|meet"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -20
return X + softmax(S) @ V @ W_O""", "not −∞|−∞"),
        ("""Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
return V + softmax(S) @ V""", None),
    ],
    "head_shapes": [
        ("return [(T, d_k), (T, d_k), (T, d_k), (T, d_v), (T, d_model)]", "pair of tokens"),
        ("return [(T, d_k), (d_k, d_k), (d_k, d_k), (T, d_v), (T, d_model)]", "Q.T @ K|sums over the tokens"),
        ("return [(T, d_k), (T, T), (T, T), (T, d_k), (T, d_model)]", "O mixes values"),
        ("return [(T, d_k), (T, T), (T, T), (T, d_model), (T, d_model)]", "W_O"),
        ("return [(T, d_k), (T, T), (T, T), (T, d_v), (T, d_v)]", "d_model"),
        ("return [(T, d_model), (T, T), (T, T), (T, d_v), (T, d_model)]", "W_Q"),
        ("return [(d_k, T), (T, T), (T, T), (d_v, T), (d_model, T)]", "columns"),
        ("return [(T, d_k), (T, T), (T, d_k), (T, d_v), (T, d_model)]", r"\bA\b"),
        ("return [(T, d_k), (T, T), (T, T), (T, d_v)]", "5 results|five"),
        ("return [(d_model, d_k), (T, T), (T, T), (T, d_v), (T, d_model)]", "shape of W_Q|W_Q is|Q is"),
        ("return [(T, d_k), (T, T), (T, T), (T, d_v), (d_model,)]", "X′ is"),
        ("return [(T, d_k), (T, T), (T, T), (T, T), (T, d_model)]", r"\bO\b"),
    ],
    "split_heads": [
        ("return Q.reshape(H, len(Q), -1)", "reshape alone"),
        ("return Q.reshape(len(Q), H, -1)", "stand in front"),
        ("return Q.reshape(len(Q), H, -1).transpose(0, 2, 1)", "last axis"),
        ("return Q.reshape(len(Q), H, -1).transpose(1, 2, 0)", "turned"),
        ("return Q.reshape(len(Q), H, -1).T", "turned|reverses|order of|last axis"),
        ("return Q.reshape(len(Q), -1, H).transpose(2, 0, 1)", "every H-th"),
        ("return Q.T.reshape(H, -1, len(Q))", "turned"),
        ("return Q.T.reshape(H, len(Q), -1)", "Q.T"),
        ("return np.array_split(Q, H, axis=0)", "rows|tokens|equal length|different lengths"),
        ("d_k = Q.shape[1] // H\nreturn [Q[:, h:h + d_k] for h in range(H)]", r"overlap|h \* d_k|h · d_k"),
        ("d_k = Q.shape[1] // H\nfor h in range(H):\n    head = Q[:, h * d_k:(h + 1) * d_k]\nreturn head", "last"),
        ("d_k = Q.shape[1] // H\nreturn Q[:, :d_k]", "first"),
        ("d_k = Q.shape[1] / H\nreturn Q.reshape(len(Q), H, d_k).transpose(1, 0, 2)", "float|integer"),
        ("return np.tile(Q, (H, 1, 1))", "all columns"),
        ("return [Q[:, h::H] for h in range(H)]", "every H-th"),
    ],
    "project_heads": [
        ("H, T, d_v = outputs.shape\nreturn outputs.reshape(T, H * d_v) @ W_O", "reshape alone"),
        ("return np.concatenate(outputs, axis=0) @ W_O", "inner|meet"),
        ("return outputs.sum(axis=0) @ W_O[:outputs.shape[2]]", "same rows of W_O|same block"),
        ("return outputs.mean(axis=0) @ W_O[:outputs.shape[2]]", "averages the heads"),
        ("d_v = outputs.shape[2]\nreturn sum(o @ W_O[:d_v] for o in outputs)", "same rows of W_O|same block"),
        ("H, T, d_v = outputs.shape\nreturn outputs.transpose(1, 2, 0).reshape(T, H * d_v) @ W_O", "interleaved"),
        ("return W_O.T @ np.concatenate(list(outputs), axis=1).T", "turned|transpose"),
        ("return W_O @ np.concatenate(list(outputs), axis=1)", "inner|meet"),
        ("d_v = outputs.shape[2]\nreturn [o @ W_O[h * d_v:(h + 1) * d_v] for h, o in enumerate(outputs)]", "Add over the heads"),
        ("""d_v = outputs.shape[2]
return np.mean([o @ W_O[h * d_v:(h + 1) * d_v] for h, o in enumerate(outputs)], axis=0)""", "mean"),
        ("return np.concatenate(list(outputs), axis=1)", "step is missing|O_cat"),
        ("return np.concatenate(list(outputs)[::-1], axis=1) @ W_O", "opposite order|reverse"),
        ("""d_v = outputs.shape[2]
result = 0
for h, o in enumerate(outputs):
    result = o @ W_O[h * d_v:(h + 1) * d_v]
return result""", "last"),
        ("d_v = outputs.shape[2]\nreturn outputs[0] @ W_O[:d_v]", "first|head 0"),
        ("return outputs @ W_O", "inner|meet"),
        ("d_v = outputs.shape[2]\nreturn sum(o @ W_O[h:h + d_v] for h, o in enumerate(outputs))", r"overlap|h \* d_v|h · d_v"),
    ],
    "cross_attention": [
        ("""Q = X_source @ W_Q
K = X_source @ W_K
V = X_source @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "looks at itself|queries come from"),
        ("""Q = X_target @ W_Q
K = X_target @ W_K
V = X_target @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "self-attention"),
        ("""Q = X_source @ W_Q
K = X_target @ W_K
V = X_target @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "exchanged"),
        ("""Q = X_target @ W_K
K = X_source @ W_Q
V = X_source @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "exchanged"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_target @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "inner|meet|V"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S = np.where(np.tri(*S.shape), S, -np.inf)
return softmax(S) @ V""", "causal"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V""", "targets|columns"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nV = X_source @ W_V\nreturn Q @ K.T / np.sqrt(Q.shape[1]) @ V", "softmax"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nV = X_source @ W_V\nreturn softmax(Q @ K.T) @ V", "scale is missing"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
return softmax(Q @ K.T / np.sqrt(X_target.shape[1])) @ V""", "√d_model"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nV = X_source @ W_V\nreturn softmax(Q @ K.T / Q.shape[1]) @ V", "by d_k"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nV = X_source @ W_V\nreturn softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V", "√d_v"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nV = X_source @ W_V\nreturn softmax(Q @ K.T / np.sqrt(len(K))) @ V", "√T"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nreturn softmax(Q @ K.T / np.sqrt(Q.shape[1]))", "weights"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nreturn softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ X_source", "values|W_V"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
return X_target + softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V""", "shapes|spread|entry by entry"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
E = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
return E / E.sum(axis=1) @ V""", "keepdims"),
        ("Q = X_target @ W_Q\nK = X_source @ W_K\nreturn softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ K", "[Kk]ey"),
        ("Q = X_target @ W_Q\nK = X_source @ W_Q\nV = X_source @ W_V\nreturn softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V", "W_Q"),
        ("""Q = X_target @ W_Q
K = X_source @ W_K
V = X_source @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
return V[S.argmax(axis=1)]""", "largest"),
    ],
    "padded_weights": [
        ("R = S.copy()\nR[n_words:] = -np.inf\nreturn softmax(R)", "rows"),
        ("""R = S.copy()
R[n_words:] = -np.inf
E = np.exp(R - R.max(axis=1, keepdims=True))
return E / E.sum(axis=1, keepdims=True)""", "rows"),
        ("R = S.copy()\nR[:, n_words:] = 0\nreturn softmax(R)", "score 0"),
        ("A = softmax(S)\nA[:, n_words:] = 0\nreturn A", "after the softmax"),
        ("A = softmax(S)\nA[:, n_words:] = 0\nreturn A / A.sum(axis=1, keepdims=True)", "after|too late"),
        ("R = S.copy()\nR[:, :n_words] = -np.inf\nreturn softmax(R)", "inverted"),
        ("R = S.copy()\nR[:, n_words + 1:] = -np.inf\nreturn softmax(R)", "still visible"),
        ("R = S.copy()\nR[:, n_words - 1:] = -np.inf\nreturn softmax(R)", "last word"),
        ("return softmax(S)", "[Nn]othing is masked|mask is missing"),
        ("return softmax(S[:, :n_words])", "cut off"),
        ("R = S.copy()\nR[:, n_words:] = -np.inf\nreturn softmax(R, axis=0)", "columns"),
        ("R = S.copy()\nR[:, n_words:] = -np.inf\nreturn R", "softmax of each row is missing"),
        ("R = S.copy()\nR[:, n_words:] = -20\nreturn softmax(R)", "not −∞|−20"),
        ("R = S.copy()\nR[:, n_words:] = -100\nreturn softmax(R)", "not −∞|−100"),
        ("R = S.copy()\nR[:, -(S.shape[1] - n_words):] = -np.inf\nreturn softmax(R)", "no padding"),
        ("S[:, n_words:] = -np.inf\nreturn softmax(S)", "changes its input"),
        ("A = np.zeros(S.shape)\nfor i in range(len(S)):\n    A[i, :n_words] = softmax(S[i, :n_words])\n    return A", "return"),
        ("R = S.copy()\nR[:, n_words:] = -np.inf\nE = np.exp(R)\nreturn E / E.sum(axis=1)", "keepdims"),
        ("A = np.zeros(S.shape)\nA[:, :n_words] = 1 / n_words\nreturn A", "equal|same share|scores"),
        ("M = np.where(np.arange(len(S)) < n_words, 0, -np.inf)\nreturn softmax(S + M)", "shapes|spread|entry by entry"),
    ],
    "score_multiplications": [
        ("return T**2 * d_k", "one head"),
        ("return H * T * d_k", "T²"),
        ("return H * T**2", "d_k products"),
        ("return H * T**2 * H * d_k", "d_model"),
        ("return 2 * H * T**2 * d_k", "additions"),
        ("return H * T**2 * (2 * d_k - 1)", "additions"),
        ("return H * T * d_k**2", "exchanged"),
        ("return H * T * (T + 1) / 2 * d_k", "causal"),
        ("return H * 2 * T * d_k", "adds T|T and T"),
        ("return H * T**2 * d_k + H * T**2 * d_k", "additions|values"),
        ("return H * T**2 * (d_k - 1)", "additions"),
        ("return (H * T)**2 * d_k", "heads"),
        ("return T**2 * d_k / H", "H"),
        ("return H + T**2 * d_k", "added"),
        ("return H * T**2 * d_k / 1e6", "million|factor"),
    ],
    "online_step": [
        ("new = max(m, s)\ne = np.exp(s - new)\nreturn new, total + e, o + e * v", "rescaled"),
        ("new = max(m, s)\ne = np.exp(s - new)\nk = np.exp(m - new)\nreturn new, total + e, o * k + e * v", "old sum"),
        ("new = max(m, s)\ne = np.exp(s - new)\nk = np.exp(m - new)\nreturn new, total * k + e, o + e * v", "old mixture"),
        ("e = np.exp(s - m)\nreturn m, total + e, o + e * v", "never renewed"),
        ("k = np.exp(m - s)\nreturn s, total * k + 1, o * k + v", "always becomes"),
        ("new = max(m, s)\ne = np.exp(s - new)\nk = np.exp(new - m)\nreturn new, total * k + e, o * k + e * v", "upside down"),
        ("new = max(m, s)\ne = np.exp(s)\nk = np.exp(m - new)\nreturn new, total * k + e, o * k + e * v", r"e\^s"),
        ("new = max(m, s)\ne = np.exp(s - m)\nk = np.exp(m - new)\nreturn new, total * k + e, o * k + e * v", "old maximum"),
        ("new = max(m, s)\ne = np.exp(s - new)\nk = np.exp(m - new)\nreturn new, total * k + e, o * k + v", "weight 1"),
        ("""new = max(m, s)
e = np.exp(s - new)
k = np.exp(m - new)
total = total * k + e
return new, total, (o * k + e * v) / total""", "divided"),
        ("""if s > m:
    k = np.exp(m - s)
    return s, total * k + 1, o * k + v
elif s < m:
    e = np.exp(s - m)
    return m, total + e, o + e * v""", "equal"),
        ("""total = total * np.exp(m) + np.exp(s)
o = o * np.exp(m) + np.exp(s) * v
m = max(m, s)
return m, total / np.exp(m), o / np.exp(m)""", "overflow|infinite|NaN"),
        ("new = max(m, s)\ne = np.exp(s - new)\nk = np.exp(m - new)\nreturn total * k + e, o * k + e * v", "3 results"),
        ("""new = max(m, s)
e = np.exp(s - new)
k = np.exp(m - new)
return total * k + e, new, o * k + e * v""", "order|exchanged"),
        ("m = max(m, s)\ne = np.exp(s - m)\nk = np.exp(m - m)\nreturn m, total * k + e, o * k + e * v", "rescaled"),
        ("""new = min(m, s)
e = np.exp(s - new)
k = np.exp(m - new)
return new, total * k + e, o * k + e * v""", "smaller|minimum"),
        ("""o *= np.exp(m - max(m, s))
new = max(m, s)
e = np.exp(s - new)
return new, total * np.exp(m - new) + e, o + e * v""", "changes its input"),
    ],
    "next_token_targets": [
        ("return ids, ids", "no shift"),
        ("return ids[:, :-1], ids[:, :-1]", "nothing is shifted"),
        ("return ids[:, 1:], ids[:, :-1]", "other way"),
        ("return ids, ids[:, 1:]", "[Oo]ne input too many"),
        ("return ids, np.roll(ids, -1, axis=1)", "roll"),
        ("return ids[:, :-1], np.roll(ids, -1, axis=1)[:, :-1] + 0 * ids[:, 1:] + 1", None),
        ("return ids[:-1], ids[1:]", "sentences"),
        ("return ids[:, :-1], ids[:, -1:]", "the last"),
        ("return ids[:, :-1], ids[:, -1]", "the last"),
        ("return ids[:, :-2], ids[:, 2:]", "two"),
        ("return ids[:, 1:]", "Expected 2 results"),
        ("return ids[:, :-1], ids[:, 1:].T", "transpose"),
        ("""inputs = []
targets = []
for row in ids:
    inputs.append(row[:-1])
    targets.append(row[1:])
    return inputs, targets""", "return"),
        ("return ids[:, 1:], ids[:, 1:]", "nothing is shifted|same"),
        ("return ids[:, :-1], ids[:, :-1] + 1", None),
        ("return ids[:, 0], ids[:, 1]", "first|column"),
    ],
    "mean_loss": [
        ("p = softmax(logits)\neach = -np.log(p[np.arange(len(targets)), targets])\nreturn each.mean()", "[Pp]adding is counted"),
        ("""p = softmax(logits)
each = -np.log(p[np.arange(len(targets)), targets])
return each[targets != 0].sum() / len(targets)""", "divided by all"),
        ("p = softmax(logits)\neach = -np.log(p[np.arange(len(targets)), targets])\nreturn each[targets != 0].sum()", "the sum"),
        ("p = softmax(logits)\neach = np.log(p[np.arange(len(targets)), targets])\nreturn each[targets != 0].mean()", "sign"),
        ("p = softmax(logits)\neach = -np.log2(p[np.arange(len(targets)), targets])\nreturn each[targets != 0].mean()", "bits"),
        ("""p = softmax(logits)
each = -np.log10(p[np.arange(len(targets)), targets])
return each[targets != 0].mean()""", "base 10"),
        ("""p = softmax(logits, axis=0)
each = -np.log(p[np.arange(len(targets)), targets])
return each[targets != 0].mean()""", "positions"),
        ("p = softmax(logits)\nreturn -np.log(p[np.arange(len(targets)), targets][targets != 0].mean())", "mean probability"),
        ("p = softmax(logits)\nreturn 1 - p[np.arange(len(targets)), targets][targets != 0].mean()", "1 − p"),
        ("return -logits[np.arange(len(targets)), targets][targets != 0].mean()", "softmax is missing"),
        ("p = softmax(logits)\nreturn -np.log(p[targets != 0]).mean()", "all words"),
        ("p = softmax(logits)\nreturn -np.log(p[:, targets]).mean()", "every|all|each row|pairs"),
        ("""p = softmax(logits)
each = -np.log(p[np.arange(len(targets)), targets])
return each[targets != 0]""", "each position|mean is missing|positions"),
        ("""E = np.exp(logits)
p = E / E.sum(axis=1)
return -np.log(p[np.arange(len(targets)), targets][targets != 0]).mean()""", "keepdims"),
        ("p = softmax(logits)\nreturn p[np.arange(len(targets)), targets][targets != 0].mean()", "probabilit"),
        ("""p = softmax(logits)
keep = targets[targets != 0]
return -np.log(p[:len(keep)][np.arange(len(keep)), keep]).mean()""", None),
        ("""E = np.exp(logits)
p = E / E.sum(axis=1, keepdims=True)
each = -np.log(p[np.arange(len(targets)), targets])
n = np.flatnonzero(targets == 0)[0]
return each[:n].mean()""", "no padding|bounds"),
        ("right = logits.argmax(axis=1) == targets\nreturn right[targets != 0].mean()", "accuracy|share of right|how often"),
        ("""total = 0
for row, t in zip(softmax(logits), targets):
    if t != 0:
        total -= np.log(row[t])
    return total""", "first position"),
    ],
    "cached_step": [
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
return softmax(S) @ V""", "mask is missing|[Nn]othing is masked"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape), S, -np.inf)
return softmax(S) @ V""", "starts at|token 0|n_past|offset"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n - 1), S, -np.inf)
return softmax(S) @ V""", "itself"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n + 1), S, -np.inf)
return softmax(S) @ V""", "one token ahead|one ahead"),
        ("""new = X[len(K_kept):]
S = new @ W_Q @ K_kept.T / np.sqrt(W_Q.shape[1])
return softmax(S) @ V_kept""", "kept ones alone"),
        ("""new = X[len(K_kept):]
K = new @ W_K
V = new @ W_V
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape), S, -np.inf)
return softmax(S) @ V""", "one another|not used"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([new @ W_K, K_kept])
V = np.vstack([new @ W_V, V_kept])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "before the kept"),
        ("""n = len(K_kept)
K = np.vstack([K_kept, X[n:] @ W_K])
V = np.vstack([V_kept, X[n:] @ W_V])
S = X @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape), S, -np.inf)
return softmax(S) @ V""", "every token"),
        ("""n = len(K_kept)
new = X[n:]
K = X @ W_K
V = X @ W_V
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "anew"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S, axis=0) @ V""", "columns"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "scale is missing"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(X.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "√d_model"),
        ("""n = len(K_kept)
new = X[-1:]
K = np.vstack([K_kept, X[n:] @ W_K])
V = np.vstack([V_kept, X[n:] @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
return softmax(S) @ V""", "last|one new"),
        ("""new = X[-3:]
n = len(K_kept)
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", None),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
E = np.exp(S)
return E / E.sum(axis=1) @ V""", "keepdims|shapes"),
        ("""n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ K""", "[Kk]ey"),
        ("""n = len(K_kept)
new = X[n + 1:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "first new token|one too"),
        ("""n = len(K_kept)
new = X[n - 1:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
S = new @ W_Q @ K.T / np.sqrt(K.shape[1])
S = np.where(np.tri(*S.shape, n), S, -np.inf)
return softmax(S) @ V""", "last kept|one too"),
    ],
    "cache_megabytes": [
        ("return layers * H_kv * (d_model // H) * T * bytes_each / 1e6", "factor 2"),
        ("return 2 * layers * H * (d_model // H) * T * bytes_each / 1e6", "query heads"),
        ("return 2 * layers * d_model * T * bytes_each / 1e6", "query heads"),
        ("return 2 * layers * H_kv * d_model * T * bytes_each / 1e6", "d_model for the width"),
        ("return 2 * H_kv * (d_model // H) * T * bytes_each / 1e6", "one layer"),
        ("return 2 * layers * H_kv * (d_model // H) * bytes_each / 1e6", "one token"),
        ("return 2 * layers * H_kv * (d_model // H) * T / 1e6", "bytes_each"),
        ("return 2 * layers * H_kv * (d_model // H) * T * bytes_each", "[Tt]hese are bytes"),
        ("return 2 * layers * H_kv * (d_model // H) * T * bytes_each / 2**20", r"2\*\*20"),
        ("return 2 * layers * H_kv * (d_model // H) * T * bytes_each / 1e9", "giga|factor"),
        ("return 2 * layers * H_kv * (d_model // H_kv) * T * bytes_each / 1e6", "width|H_kv"),
        ("return 2 * layers * (d_model // H) * T * bytes_each / 1e6", "one head|heads"),
        ("return 3 * layers * H_kv * (d_model // H) * T * bytes_each / 1e6", "[Qq]ueries"),
        ("return 2 * layers * H_kv * (d_model // H) * T * T * bytes_each / 1e6", "T²|T × T|twice|row a token"),
        ("return 2 * layers * H_kv * (d_model // H) * T * bytes_each * 8 / 1e6", "bits"),
        ("return 2 * layers * H_kv * (d_model // H) * T * bytes_each / 1024", r"1024|kilobytes|2\*\*10"),
    ],
    "rotate": [
        ("""a = position * 100000 ** (-np.arange(0, len(q), 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) + q[1::2] * np.sin(a)
r[1::2] = -q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "wrong way"),
        ("""h = len(q) // 2
a = position * 100000 ** (-np.arange(h) / h)
x, y = q[:h], q[h:]
return np.concatenate([x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)])""", "pairs"),
        ("""a = position * 10000 ** (-np.arange(0, len(q), 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "10,000"),
        ("""a = (position + 1) * 100000 ** (-np.arange(0, len(q), 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "one too high"),
        ("""a = position
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "same angle"),
        ("""a = position * 100000 ** (-np.arange(len(q) // 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "2 is missing|too slowly"),
        ("""a = position * 100000 ** (-2 * np.arange(0, len(q), 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "too fast|twice|counted twice"),
        ("""a = position * 100000 ** (np.arange(0, len(q), 2) / len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "minus|grow|sign"),
        ("""a = np.deg2rad(position * 100000 ** (-np.arange(0, len(q), 2) / len(q)))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", "degrees"),
        ("return q", "not been turned|not turned"),
        ("""a = position * 100000 ** (-np.arange(0, len(q), 2) / len(q))
x = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
y = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return np.concatenate([x, y])""", "behind one another|interleave|halves"),
        ("""a = position * 100000 ** (-np.arange(0, len(q), 2) / len(q))
r = q.copy()
r[0::2] = r[0::2] * np.cos(a) - r[1::2] * np.sin(a)
r[1::2] = r[0::2] * np.sin(a) + r[1::2] * np.cos(a)
return r""", "already"),
        ("""a = position * 100000 ** (-np.arange(0, len(q), 2) / len(q))
q[0::2], q[1::2] = (q[0::2] * np.cos(a) - q[1::2] * np.sin(a),
    q[0::2] * np.sin(a) + q[1::2] * np.cos(a))
return q""", "changes its input"),
        ("""r = np.empty(len(q))
for c in range(len(q) // 2):
    a = position * 100000 ** (-2 * c / len(q))
    r[2 * c] = q[2 * c] * np.cos(a) - q[2 * c + 1] * np.sin(a)
    r[2 * c + 1] = q[2 * c] * np.sin(a) + q[2 * c + 1] * np.cos(a)
    return r""", None),
        ("a = position * 100000 ** (-np.arange(len(q)) / len(q))\nreturn q * np.cos(a)", None),
        ("""a = position * 100000 ** (-np.arange(0, len(q), 2) // len(q))
r = np.empty(len(q))
r[0::2] = q[0::2] * np.cos(a) - q[1::2] * np.sin(a)
r[1::2] = q[0::2] * np.sin(a) + q[1::2] * np.cos(a)
return r""", None),
    ],
    "attend_heads": [
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(Q.shape[2])
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "One bug.*right where all keys are 0"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "One bug.*even with one head"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).reshape(len(Q), T, -1)""", "One bug.*weights are not to blame"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).reshape(len(Q), T, -1)""", "Two bugs"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(Q.shape[2])
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "Two bugs"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(Q.shape[2])
A = softmax(np.where(see, S, -np.inf))
return (A @ v).reshape(len(Q), T, -1)""", "Two bugs"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(Q.shape[2])
A = softmax(np.where(see, S, -np.inf))
return (A @ v).reshape(len(Q), T, -1)""", "all three"),
        ("""T, T_k = Q.shape[1], K.shape[1]
scale = 1 / np.sqrt(Q.shape[2])
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
S = np.where(see, q @ k.swapaxes(2, 3) * scale, -np.inf)
A = np.exp(S - S.max(axis=3, keepdims=True))
A = A / A.sum(axis=3, keepdims=True)
return (A @ v).reshape(len(Q), T, -1)""", "all three"),
        ("""T, T_k = Q.shape[1], K.shape[1]
Q, K, V = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
scale = 1 / np.sqrt(Q.shape[2])
see = np.tri(T, T_k, dtype=bool) & keep[:, None, None]
A = softmax(np.where(see, Q @ K.swapaxes(2, 3) * scale, -1e30))
return (A @ V).reshape(len(Q), T, -1)""", "Below the cut"),
        ("""T, T_k = Q.shape[1], K.shape[1]
Q, K, V = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
scale = 1 / np.sqrt(Q.shape[2])
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
A = softmax(np.where(see, Q @ K.swapaxes(2, 3) * scale, -1e30))
return (A @ V).swapaxes(1, 2).reshape(len(Q), T, -1)""", "Below the cut"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T - T_k, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "wrong sign"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool)
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "padding is looked at"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "future"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / d
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "√d_k|d_k"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / 1
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "scale is missing"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T + 1, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", None),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(3)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "√3"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(T)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "√T"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(T_k)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "√T_k"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return (A @ v).transpose(0, 2, 3, 1).reshape(len(Q), T, -1)""", "interleaved"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf), axis=2)
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", None),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, 0))
return (A @ v).swapaxes(1, 2).reshape(len(Q), T, -1)""", "number"),
        ("""T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
see = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None]
S = q @ k.swapaxes(2, 3) / np.sqrt(d)
A = softmax(np.where(see, S, -np.inf))
return A @ v""", None),
    ],
    "induction_score": [
        ("""scores = []
for i in range(len(ids) - 1):
    same = np.flatnonzero(ids[:i + 1] == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return np.mean(scores)""", "row itself counts"),
        ("""scores = []
for i in range(len(ids)):
    same = np.flatnonzero(ids[:i + 1] == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return np.mean(scores)""", "row itself or a later time"),
        ("""scores = []
for i in range(len(ids)):
    same = np.flatnonzero(ids == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return np.mean(scores)""", "row itself or a later time"),
        ("""scores = []
for i in range(len(ids)):
    same = np.flatnonzero(ids[:-1] == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return np.mean(scores) if scores else 0""", "Later times are counted"),
        ("""scores = []
for i in range(len(ids)):
    same = np.flatnonzero(ids[:i] == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return np.mean(scores)""", "[Rr]eturn 0 there"),
        ("""scores = []
for i in range(len(ids)):
    same = np.flatnonzero(ids[:i] == ids[i])
    if len(same):
        scores.append(A[i, same[-1] + 1])
return sum(scores) / len(scores)""", "[Rr]eturn 0 there"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1]])
return sum(scores) / len(scores) if scores else 0""", "earlier time itself"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1] - 1])
return sum(scores) / len(scores) if scores else 0""", "before the earlier"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[0] + 1])
return sum(scores) / len(scores) if scores else 0""", "first earlier time"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, [j + 1 for j in before]].sum())
return sum(scores) / len(scores) if scores else 0""", "all earlier times"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, i - 1])
return sum(scores) / len(scores) if scores else 0""", "previous-token"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[before[-1] + 1, i])
return sum(scores) / len(scores) if scores else 0""", "[Rr]ow and column"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i].argmax() == before[-1] + 1)
return sum(scores) / len(scores) if scores else 0""", "largest weight"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1] + 1])
return sum(scores)""", "sum of the weights"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1] + 1])
return sum(scores) / len(ids)""", "all rows"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1] + 1])
return np.mean(scores)""", "[Rr]eturn 0 there"),
        ("""scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i, before[-1] + 1])
return scores""", None),
        ("""return np.mean([A[i, i - 1] for i in range(1, len(ids))])""", None),
    ],
    "repeat_heads": [
        ("return np.tile(K, (H // len(K), 1, 1))", "tile"),
        ("return np.repeat(K, H, axis=0)", "H or H_kv times"),
        ("return np.repeat(K, H // len(K), axis=1)", "tokens are repeated"),
        ("return np.repeat(K, H // len(K), axis=2)", "columns of each key"),
        ("return np.repeat(K, H // len(K))", "flatten"),
        ("return [K[0]] * H", "head 0"),
        ("return [K.mean(axis=0)] * H", "mean of the key heads"),
        ("return np.concatenate([K] * (H // len(K)))", "tile"),
        ("return [K[h % len(K)] for h in range(H)]", "tile"),
        ("return [K[h // len(K)] for h in range(H)]", r"H // len|len\(K\)|bounds"),
        ("return K", "unchanged|not repeated|H_kv heads"),
        ("return K.reshape(H, K.shape[1], -1)", "cut|reshape|split"),
        ("return np.repeat(K, len(K), axis=0)", "H / H_kv|H_kv times"),
        ("return np.repeat(K[:, None], H // len(K), axis=1)", "reshape|axis of its own|four axes|merge"),
        ("heads = []\nfor k in K:\n    for _ in range(H // len(K)):\n        heads.append(k)\n    return heads", "return|head 0"),
    ],
    "shape_table": [
        ("""return [
         (T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, d_v), (T, d_model), (T, d_model)]""",
         "one head"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (H * T, d_v), (T, d_model), (T, d_model)]""",
         "below"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_k), (T, d_model), (T, d_model)]""",
         "H·d_k"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, d_model), (T, d_model), (T, d_model)]""",
         "usual choice"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, d_k), (T, d_k), (T, d_v), (T, H * d_v), (T, d_model), (T, d_model)]""",
         "pair of tokens"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (H, T, T), (H, T, T), (T, d_v), (T, H * d_v), (T, d_model), (T, d_model)]""",
         "one head"),
        ("""return [(T, d_model), (H, T, d_k), (H, T, d_k), (H, T, d_v), (H, T, T), (H, T, T), (H, T, d_v), (T, H * d_v),
    (T, d_model), (T, d_model)]""", "one head"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_k), (T, H * d_v), (T, d_model), (T, d_model)]""",
         "O mixes"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, H * d_v), (T, d_model)]""",
         "W_O"),
        ("""return [(T, d_model), (T, H * d_k), (T, H * d_k), (T, H * d_v), (T, T), (T, T), (T, d_v), (T, H * d_v),
    (T, d_model), (T, d_model)]""", "all heads"),
        ("""\
return [(d_model, T), (d_k, T), (d_k, T), (d_v, T), (T, T), (T, T), (d_v, T), (H * d_v, T), (d_model, T), (d_model, T)]""",
         "columns"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_k), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, d_model), (T, d_model)]""",
         r"\bV\b"),
        ("""\
return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, d_model), (T, 2 * d_model)]""",
         "concatenation"),
        ("""return [(T, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v),
    (T, d_model), (T, d_model)]""", "matrices|W_Q"),
        ("""return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, d_model), ...]""",
         "Not yet"),
        ("""return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, d_model)]""",
         "10 results|ten"),
    ],
}

RIGHT_ANSWERS = {
    "query_matrix": [
        """turn = np.exp(1j * np.deg2rad(-30 * tokens_back))
W = [[0, 0, 0] for _ in FEATURES]
W[FEATURES.index("noun")][0] = strength
W[FEATURES.index("cos")][1:] = place * turn.real, place * turn.imag
W[FEATURES.index("sin")][1:] = -place * turn.imag, place * turn.real
return W""",
    ],
    "lookup": [
        "return np.eye(len(table))[ids] @ table",
        "return [table[i] for i in ids]",
        "return np.take(table, ids, axis=0)",
    ],
    "with_position": [
        "return [[e + p for e, p in zip(*rows)] for rows in zip(E, P)]",
    ],
    "project": [
        "return np.stack([X @ W_Q, X @ W_K])",
        "return [X @ W_Q, X @ W_K]",
        "return [x @ W_Q for x in X], [x @ W_K for x in X]",
    ],
    "one_score": [
        "return sum(q * k for q, k in zip(Q[i], K[j]))",
        "return (Q @ K.T)[i, j]",
        "return np.float32(Q[i] @ K[j])",
    ],
    "scores": [
        "return [[q @ k for k in K] for q in Q]",
        "return np.einsum('id,jd->ij', Q, K)",
        "return (K @ Q.T).T",
        "return np.inner(Q, K)",
    ],
    "scaled_scores": [
        "d_k = W_Q.shape[-1]\nreturn (X @ W_Q / d_k**0.5) @ (X @ W_K).T",
    ],
    "tokens_looked_at": [
        "return np.exp(-np.nansum(a * np.log(a)))",
        "return np.exp(-(a * np.log(a + 1e-12)).sum())",
        "return 2 ** -sum(x * np.log2(x) for x in a if x > 0)",
        "return np.exp(-np.where(a > 0, a * np.log(a), 0).sum())",
        "return np.prod(a ** -a)",
    ],
    "masked": [
        "return np.where(np.tri(*S.shape) == 1, S, -np.inf)",
        "M = S.copy()\nM[np.triu_indices_from(M, 1)] = -np.inf\nreturn M",
        "return [[S[i, j] if j <= i else -np.inf for j in range(S.shape[1])] for i in range(len(S))]",
        "return S + np.triu(np.full(S.shape, -np.inf), 1)",
    ],
    "masked_weights": [
        "return softmax(S + M)",
        "E = np.exp(S + M)\nreturn E / E.sum(axis=1, keepdims=True)",
        "return softmax(np.where(M == 0, S, -1e9))",
        "return softmax(S + np.where(M == 0, 0, -1e9))",
        "return [softmax(s + m) for s, m in zip(S, M)]",
    ],
    "row_softmax": [
        "return softmax(scores)",
        "return [softmax(row) for row in scores]",
        "log = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)\nreturn np.exp(log)",
    ],
    "weights": [
        "E = np.exp(Q @ K.T / np.sqrt(Q.shape[1]) + M)\nreturn E / E.sum(axis=1, keepdims=True)",
        "return softmax(np.where(M == 0, Q @ K.T / np.sqrt(Q.shape[1]), -1e9))",
    ],
    "one_output": [
        "return A[i] @ V",
        "return (A @ V)[i]",
        "return np.average(V, axis=0, weights=A[i])",
    ],
    "outputs": [
        "return [[sum(a * v for a, v in zip(row, column)) for column in V.T] for row in A]",
    ],
    "residual": [
        "return O @ W_O + X",
        "return np.array([x + o @ W_O for x, o in zip(X, O)])",
    ],
    "value_map": [
        "return (W_O.T @ W_V.T).T",
    ],
    "single_head": [
        """Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = Q @ K.T / np.sqrt(Q.shape[1])
S[np.triu_indices(len(X), 1)] = -np.inf
E = np.exp(S)
return X + E / E.sum(axis=1, keepdims=True) @ V @ W_O""",
        """Q, K, V = X @ W_Q, X @ W_K, X @ W_V
rows = []
for i in range(len(X)):
    s = K[:i + 1] @ Q[i] / np.sqrt(Q.shape[1])
    rows.append(X[i] + softmax(s) @ V[:i + 1] @ W_O)
return rows""",
    ],
    "head_shapes": [
        "return ((T, d_k), (T, T), (T, T), (T, d_v), (T, d_model))",
        "return np.array([[T, d_k], [T, T], [T, T], [T, d_v], [T, d_model]])",
    ],
    "split_heads": [
        "return np.split(Q, H, axis=1)",
        "return np.moveaxis(Q.reshape(len(Q), H, -1), 1, 0)",
    ],
    "project_heads": [
        "return np.hstack(list(outputs)) @ W_O",
        "d_v = outputs.shape[2]\nreturn sum(o @ W_O[h * d_v:(h + 1) * d_v] for h, o in enumerate(outputs))",
    ],
    "cross_attention": [
        """E = np.exp((X_target @ W_Q) @ (X_source @ W_K).T / np.sqrt(W_K.shape[1]))
return E / E.sum(axis=1, keepdims=True) @ (X_source @ W_V)""",
    ],
    "padded_weights": [
        "A = np.zeros(S.shape)\nA[:, :n_words] = softmax(S[:, :n_words])\nreturn A",
        "R = S.copy()\nR[:, n_words:] = -1e9\nreturn softmax(R)",
        "R = S.copy()\nR[:, n_words:] = -np.inf\nE = np.exp(R)\nreturn E / E.sum(axis=1, keepdims=True)",
    ],
    "score_multiplications": [
        "return sum(d_k for _ in range(H) for _ in range(T) for _ in range(T))",
        "return float(H * T * T * d_k)",
    ],
    "online_step": [
        """if s > m:
    k = np.exp(m - s)
    return s, total * k + 1, o * k + v
e = np.exp(s - m)
return m, total + e, o + e * v""",
        """new = np.maximum(m, s)
return [new, total * np.exp(m - new) + np.exp(s - new), o * np.exp(m - new) + np.exp(s - new) * v]""",
    ],
    "next_token_targets": [
        "return [row[:-1] for row in ids], [row[1:] for row in ids]",
        "return ids.T[:-1].T, np.delete(ids, 0, axis=1)",
    ],
    "mean_loss": [
        "p = softmax(logits)\neach = -np.log(p[np.arange(len(targets)), targets])\nreturn each[targets != 0].mean()",
        "each = [-np.log(softmax(row)[t]) for row, t in zip(logits, targets) if t]\nreturn sum(each) / len(each)",
    ],
    "cached_step": [
        """n = len(K_kept)
new = X[n:]
K = np.vstack([K_kept, new @ W_K])
V = np.vstack([V_kept, new @ W_V])
rows = []
for i, q in enumerate(new @ W_Q):
    E = np.exp(K[:n + i + 1] @ q / np.sqrt(len(q)))
    rows.append(E / E.sum() @ V[:n + i + 1])
return rows""",
    ],
    "cache_megabytes": [
        "return 2 * T * layers * (d_model / H * H_kv) * bytes_each / 1_000_000",
    ],
    "rotate": [
        """z = q[0::2] + 1j * q[1::2]
z = z * np.exp(1j * position * 100000 ** (-np.arange(0, len(q), 2) / len(q)))
return np.stack([z.real, z.imag], axis=1).ravel()""",
    ],
    "attend_heads": [
        """T, T_k = Q.shape[1], K.shape[1]
d = Q.shape[2] // H
q, k, v = (M.reshape(len(M), M.shape[1], H, -1).swapaxes(1, 2) for M in (Q, K, V))
rows = []
for i in range(T):
    see = (np.arange(T_k) <= i + T_k - T) & keep
    a = softmax(np.where(see[:, None], np.einsum("bhd,bhjd->bhj", q[:, :, i], k) / np.sqrt(d), -np.inf))
    rows.append(np.einsum("bhj,bhjd->bhd", a, v).reshape(len(Q), -1))
return np.stack(rows, axis=1)""",
    ],
    "induction_score": [
        """scores = []
for i in range(len(ids)):
    before = [j for j in range(i) if ids[j] == ids[i]]
    if before:
        scores.append(A[i][before[-1] + 1])
return sum(scores) / len(scores) if scores else 0""",
    ],
    "repeat_heads": [
        "return np.repeat(K, H / len(K), axis=0)",
        "return [K[h * len(K) // H] for h in range(H)]",
    ],
    "shape_table": [
        "return [(T, d_model), (T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, H * d_v), (T, d_model), (T, d_model)]",
    ],
}
