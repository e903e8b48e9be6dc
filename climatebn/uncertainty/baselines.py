r"""Models of all places at once that need no network: what networks have to beat on held-out years.

Ledoit & Wolf (2004): (1 − ρ) S + ρ μ I, μ = tr S / N, ρ the share that minimises the expected squared error.
EOFs: the leading eigenvectors of S, and a diagonal for the rest.
"""

import numpy as np

EOFS = 10


def sample_covariance(rows: np.ndarray) -> np.ndarray:
    """S with divisor n − 1, of rows with mean 0."""
    return rows.T @ rows / (len(rows) - 1)


def ledoit_wolf(rows: np.ndarray) -> np.ndarray:
    """The covariance shrunk towards equal variances, of rows with mean 0."""
    n, size = rows.shape
    s = rows.T @ rows / n
    mean = np.trace(s) / size
    squares = float(np.sum(s**2))
    noise = float(np.sum((rows**2).T @ rows**2)) / n - squares
    distance = squares - 2 * mean * np.trace(s) + size * mean**2
    share = min(max(noise / n, 0.0), distance) / distance if distance > 0 else 1.0
    return (1 - share) * s + share * mean * np.eye(size)


def eof_covariance(rows: np.ndarray) -> np.ndarray:
    """The leading 10 EOFs, and what is left of each variance on the diagonal."""
    s = sample_covariance(rows)
    values, vectors = np.linalg.eigh(s)
    leading = vectors[:, -EOFS:] * np.sqrt(np.maximum(values[-EOFS:], 0))
    low = leading @ leading.T
    return low + np.diag(np.maximum(np.diag(s) - np.diag(low), 1e-6))


BASELINES = {"regression": sample_covariance, "ledoit_wolf": ledoit_wolf, "eof": eof_covariance}
