"""What claims are judged on: the cells of a study as means over column orders, and comparisons between classes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from climatebn.jobs.study import Records

SCORE, CONSTRAINT, HYBRID = ("tabu", "hill_climbing"), ("pc_stable", "grow_shrink"), ("mmhc", "h2pc")


class Claim(NamedTuple):
    """``holds`` is None when the study has not the cells to tell; ``why`` is what stands against a claim that fails."""

    claim: str
    paper: str
    rule: str
    found: str
    holds: bool | None
    why: str = ""


class Cells:
    """The cells that learned from all months and ended."""

    def __init__(self, table: pd.DataFrame, records: Records) -> None:
        self.table = table[(table["months"] == "all") & table["ended"]]
        self.records = {key: record for key, record in records.items() if key[3] == "all" and record.ended}

    def some(self, algorithms: Sequence[str], low: float = 0.0, high: float = np.inf) -> pd.DataFrame:
        """The rows of some algorithms with low ≤ γ < high."""
        return self.table[self.table["algorithm"].isin(algorithms) & self.table["gamma"].between(low, high, "left")]

    def means(self, measure: str, low: float = 0.0, high: float = np.inf) -> pd.DataFrame:
        """Mean over orders: a row for each γ, a column for each algorithm; empty where none has the measure."""
        rows = self.some(SCORE + CONSTRAINT + HYBRID, low, high).assign(value=lambda t: t[measure].astype(float))
        return rows.groupby(["gamma", "algorithm"])["value"].mean().unstack()


def compared(
    cells: Cells,
    number: str,
    paper: str,
    measure: str,
    above: Sequence[str],
    below: Sequence[str],
    low: float = 0.0,
    high: float = np.inf,
) -> Claim:
    """Whether each algorithm of ``above`` has more than each of ``below``, at each γ where both can be compared."""
    means = cells.means(measure, low, high)
    least, most = means.filter(list(above)).min(axis=1), means.filter(list(below)).max(axis=1)
    told = least.notna() & most.notna()
    holds = (least > most)[told]
    span = f"γ ≥ {low:g}" if low else f"γ < {high:g}" if np.isfinite(high) else "γ"
    words = {"arcs": "more arcs", "loglik": "a higher likelihood", "calls": "more calls"}[measure]
    return Claim(
        number,
        paper,
        f"{', '.join(above)}: each has {words} than each of {', '.join(below)}, at every {span}",
        f"at {holds.sum()} of {len(holds)} γ{gammas(holds, 'not at')}{gammas(told, 'cannot be told at')}",
        bool(holds.all()) if len(holds) else None,
        "" if holds.all() else _why_not(cells, measure, holds, means),
    )


def _why_not(cells: Cells, measure: str, holds: pd.Series, means: pd.DataFrame) -> str:
    """The numbers at the smallest γ where it fails; and whether likelihoods only follow the numbers of arcs."""
    gamma = holds.index[~holds].min()
    values: Any = means.loc[gamma].dropna().sort_values(ascending=False)
    said = f"at γ = {gamma:g}: {numbers(values)}"
    if measure == "loglik":
        arcs: Any = cells.means("arcs").loc[gamma][values.index]
        said += f"; arcs: {numbers(arcs)}"
        if values.rank().corr(arcs.rank()) > 0.8:
            said += ". At the same γ the classes keep different numbers of arcs, and the likelihood follows these"
    return said


def shared_arcs(cells: Cells, first: str, second: str) -> pd.Series:
    """|A ∩ B| / |A ∪ B| of the adjacent pairs of two algorithms, for each γ and order."""
    shared = {}
    for (name, *rest), record in cells.records.items():
        twin = cells.records.get((second, *rest))
        if name == first and twin is not None:
            a, b = ({tuple(sorted(arc)) for arc in r.arrays["directed"].tolist()} for r in (record, twin))
            shared[tuple(rest)] = len(a & b) / max(len(a | b), 1)
    return pd.Series(shared, dtype=float)


def numbers(values: Any) -> str:
    """E.g. `tabu 1167, pc_stable 617`."""
    return ", ".join(f"{name} {value:.0f}" for name, value in values.dropna().items())


def gammas(flags: pd.Series, words: str) -> str:
    """The γ at which a flag is not set, runs of them shortened: `; not at γ = 0.2, 10 … 20`."""
    runs: list[list[float]] = []
    before = True
    for gamma, flag in flags.sort_index().items():
        if not flag:
            if before:
                runs.append([])
            runs[-1].append(float(str(gamma)))
        before = bool(flag)
    said = [" … ".join(f"{run[end]:g}" for end in (0, -1)[: len(run)]) for run in runs]
    return f"; {words} γ = {', '.join(said)}" if said else ""
