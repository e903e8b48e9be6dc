"""What claims are judged on: the cells of one field and scheme as means over orders, and comparisons of classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from climatebn.jobs.study import Records
from climatebn.study.claims.claim import Part
from climatebn.study.climate.schemes import BOTH

WORDS = {"arcs": "no fewer arcs", "loglik": "no lower likelihood", "calls_bnlearn": "no fewer calls"}
SCORE, CONSTRAINT, HYBRID = ("tabu", "hill_climbing"), ("pc_stable", "grow_shrink"), ("mmhc", "h2pc")


class Cells:
    """The cells of one field and scheme that learned from all months and ended."""

    def __init__(self, table: pd.DataFrame, records: Records, field: str, scheme: str) -> None:
        of_scheme = table["scheme"].isin((scheme, BOTH)) & (table["field"] == field)
        self.table = table[of_scheme & (table["months"] == "all") & table["ended"]]
        self.records = {
            key[2:]: record
            for key, record in records.items()
            if key[0] == field and key[1] in (scheme, BOTH) and key[5] == "all" and record.ended
        }

    def some(self, algorithms: Sequence[str], low: float = 0.0, high: float = np.inf) -> pd.DataFrame:
        """The rows of some algorithms with low ≤ γ < high."""
        return self.table[self.table["algorithm"].isin(algorithms) & self.table["gamma"].between(low, high, "left")]

    def means(self, measure: str, low: float = 0.0, high: float = np.inf) -> pd.DataFrame:
        """Mean over orders: a row for each γ, a column for each algorithm; empty where none has the measure."""
        rows = self.some(SCORE + CONSTRAINT + HYBRID, low, high).assign(value=lambda t: t[measure].astype(float))
        return rows.groupby(["gamma", "algorithm"])["value"].mean().unstack()


def compared(
    cells: Cells, measure: str, above: Sequence[str], below: Sequence[str], low: float = 0.0, high: float = np.inf
) -> tuple[str, Part]:
    """The rule in words, and whether each of ``above`` has no less than each of ``below`` at each γ that has both."""
    means = cells.means(measure, low, high)
    least, most = means.filter(list(above)).min(axis=1), means.filter(list(below)).max(axis=1)
    told = least.notna() & most.notna()
    holds = (least >= most - 1e-9 * most.abs())[told]  # the same network, summed in another order, is no difference
    span = f"γ ≥ {low:g}" if low else f"γ < {high:g}" if np.isfinite(high) else "γ"
    rule = f"{', '.join(above)}: each has {WORDS[measure]} than each of {', '.join(below)}, at every {span}"
    found = f"at {holds.sum()} of {len(holds)} γ{gammas(holds, 'not at')}{gammas(told, 'undetermined at')}"
    why = "" if holds.all() else _why_not(cells, measure, holds, means)
    return rule, Part(found, bool(holds.all()) if len(holds) else None, why)


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
