r"""How many parents observations allow where some are counted more than once, as in resamples of years.

With n observations, m of them distinct, and k parents, what chance lets one more parent explain is worth about
n / (m − k − 1) · χ²/2 in log-likelihood: every parent makes the next one more welcome, until m − 1 of them explain a
node without rest, at any price of a parameter. Without repetition the same factor is n / (n − k − 1), which a price
of log(n)/2 holds in check. So a node may have one parent for each four distinct observations: members of ensembles
stay below that by themselves unless they run away (docs/forecasts.md has both kinds counted).
"""

from collections.abc import Sequence

from climatebn.criterion.protocols import Stats

PER_PARENT = 4  # distinct observations


def repeated(stats: Stats) -> bool:
    """Whether some observations are counted more than once."""
    return getattr(stats, "distinct", stats.n) < stats.n


def most_parents(stats: Stats) -> int:
    """Parents that a node may have: N − 1, or fewer where observations repeat each other.

    >>> from climatebn import GaussianStats
    >>> cov = [[1.0, 0.5, 0.1], [0.5, 2.0, 0.2], [0.1, 0.2, 1.0]]
    >>> most_parents(GaussianStats(12, cov)), most_parents(GaussianStats(12, cov, distinct=7))
    (2, 1)
    """
    most = len(stats.names) - 1
    return min(most, int(getattr(stats, "distinct", stats.n)) // PER_PARENT) if repeated(stats) else most


def limit_met(stats: Stats, most: int, full: Sequence[str]) -> list[str]:
    """In words, that observations allow ``most`` parents, and the nodes that have so many; nothing where none has."""
    if not len(full):
        return []
    which = f", {getattr(stats, 'distinct', stats.n)} of them distinct," if repeated(stats) else ""
    shown = ", ".join(full[:10]) + (f" and {len(full) - 10} more" if len(full) > 10 else "")
    return [f"{stats.n} observations{which} allow {most} parents; reached by {shown}"]
