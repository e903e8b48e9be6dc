r"""Two directed paths that share no node: the largest product of weights (none negative) from each pair of nodes.

Nodes stand in topological order. The path whose end is earlier goes on first; then neither can meet a node that the
other has left behind, so that "the two ends differ" is all there is to hold:

    best(a, b) = 1,   best(x, y) = max over children c ≠ y of w_xc·best(c, y)   if x comes before y (else likewise y).
"""

import numpy as np

from climatebn.kernels.jit import jit


@jit
def best_pairs(start: np.ndarray, child: np.ndarray, weight: np.ndarray, a: int, b: int) -> np.ndarray:
    """best[x, y] of paths x → … → a and y → … → b; node i has the children child[start[i]:start[i + 1]]."""
    size = len(start) - 1
    best = np.zeros((size, size), dtype=np.float32)
    for x in range(a, -1, -1):
        for y in range(b, -1, -1):
            if x == y:
                continue
            if x == a and y == b:
                best[x, y] = 1.0
            elif y == b or (x != a and x < y):
                for arc in range(start[x], start[x + 1]):
                    c = child[arc]
                    if c != y and weight[arc] * best[c, y] > best[x, y]:
                        best[x, y] = weight[arc] * best[c, y]
            else:
                for arc in range(start[y], start[y + 1]):
                    c = child[arc]
                    if c != x and weight[arc] * best[x, c] > best[x, y]:
                        best[x, y] = weight[arc] * best[x, c]
    return best


@jit
def best_tops(start: np.ndarray, child: np.ndarray, weight: np.ndarray, best: np.ndarray, a: int, b: int) -> np.ndarray:
    """The largest product of two paths down from each top that share only the top."""
    tops = np.zeros(len(best))
    for top in range(len(best)):
        for first in range(start[top], start[top + 1]):
            c = child[first]
            if top == a:
                tops[top] = max(tops[top], weight[first] * best[a, c])
            elif top == b:
                tops[top] = max(tops[top], weight[first] * best[c, b])
            else:
                for second in range(start[top], start[top + 1]):
                    tops[top] = max(tops[top], weight[first] * weight[second] * best[c, child[second]])
    return tops
