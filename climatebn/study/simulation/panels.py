"""Panels: network × sample-size group × criterion pair, and the mean of each algorithm in each.

All comes from the table of results. Only the paper's cells count. In a panel with cells that did not end, algorithms
are compared on the samples that all of them ended on; such a panel is named.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError
from climatebn.network import reference_network
from climatebn.network.reference import DISCRETE, GAUSSIAN

CONSTRAINT = ("pc_stable", "grow_shrink", "inter_iamb")
HYBRID = ("mmhc", "rsmax2", "h2pc")
SCORE = ("tabu", "annealing", "ges")
PAIRS = ("bic", "posterior")  # of score and test
SMALL_NETWORK = 50  # fewer nodes
SPARSE = 0.2  # of the true arcs
MEASURES = ["shd", "arcs", "sparse", "speed", "speed_once"]
AXES = ["network", "kind", "criterion", "size"]
CELL = ("network", "criterion", "algorithm")
NEEDED = (*CELL, "ratio", "sample", "ended", "arcs", "scaled_shd", "calls_bnlearn", "calls")


@dataclass(frozen=True)
class Panels:
    """Means of each algorithm (columns) in each panel (rows: network, kind, criterion, size).

    ``shd`` and ``arcs`` as shares of the true arcs; ``sparse``: the share of networks with few arcs; ``speed``: log10
    of calls as bnlearn counts them; ``speed_once``: with each test counted once. ``unended``: panels not whole.
    """

    shd: pd.DataFrame
    arcs: pd.DataFrame
    sparse: pd.DataFrame
    speed: pd.DataFrame
    speed_once: pd.DataFrame
    unended: tuple[str, ...] = ()

    def some(self, **where: str) -> "Panels":
        """The panels of one kind, criterion or size; algorithms that none of them has are left out."""
        kept = np.ones(len(self.shd), dtype=bool)
        for axis, value in where.items():
            kept &= self.shd.index.get_level_values(axis) == value
        return self._changed(lambda frame: frame[kept].dropna(axis=1, how="all"))

    def of_one_setting(self) -> "Panels":
        """The same with rows named by network and size alone."""
        return self._changed(lambda frame: frame.droplevel(["kind", "criterion"]))

    def counted_once(self) -> "Panels":
        """The same with each test counted once."""
        return replace(self, speed=self.speed_once)

    def lacking(self, algorithms: Sequence[str]) -> list[str]:
        """Those of ``algorithms`` that no panel has."""
        return [name for name in algorithms if name not in self.shd or self.shd[name].isna().all()]

    def _changed(self, change: Callable[[pd.DataFrame], pd.DataFrame]) -> "Panels":
        shd, arcs, sparse = change(self.shd), change(self.arcs), change(self.sparse)
        return Panels(shd, arcs, sparse, change(self.speed), change(self.speed_once), self.unended)


def values(frame: pd.DataFrame, algorithms: Sequence[str]) -> pd.Series:
    """All values of some algorithms, one after the other."""
    return pd.concat([frame[name] for name in algorithms if name in frame] or [pd.Series(dtype=float)])


def to_panels(table: pd.DataFrame) -> Panels:
    """The panels of a table of results."""
    rows = simulations(table)
    whole, unended = _paired(rows)
    groups = whole.groupby([*AXES, "algorithm"], sort=False)
    means = groups[MEASURES].mean().unstack("algorithm")
    kept = whole.drop_duplicates(AXES).set_index(AXES).index
    shd, arcs, sparse, speed, once = (pd.DataFrame(means[name]).loc[kept] for name in MEASURES)
    return Panels(shd, arcs, sparse, speed, once, tuple(unended))


def simulations(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's cells, one row each, with their panel and what is measured, in the units of the claims."""
    lost = [name for name in NEEDED if name not in table]
    if lost:
        raise ClimateBNError(f"the table has no column {', '.join(lost)}; it must be results.csv of a simulation study")
    rows = table[[in_paper(*cell) for cell in table[list(CELL)].itertuples(index=False)]]
    true = rows["network"].map(lambda name: size_of(name)[1])
    arcs = rows["arcs"].astype(float) / true
    return rows.assign(
        kind=np.where(rows["network"].isin(DISCRETE), "discrete", "Gaussian"),
        size=np.where(rows["ratio"] < 1, "small", "large"),
        shd=rows["scaled_shd"].astype(float),
        arcs=arcs,
        sparse=(arcs < SPARSE).astype(float),
        speed=np.log10(rows["calls_bnlearn"].astype(float)),
        speed_once=np.log10(rows["calls"].astype(float)),
    )


def in_paper(network: str, criterion: str, algorithm: str) -> bool:
    """Whether the paper has such cells: annealing with BIC only, GES with log P(G|D) on discrete networks only."""
    if network not in DISCRETE + GAUSSIAN or not asked_by_paper(criterion, algorithm):
        return False
    if algorithm == "annealing":
        return criterion == "bic"
    return algorithm != "ges" or (criterion == "posterior" and network in DISCRETE)


def asked_by_paper(criterion: str, algorithm: str) -> bool:
    """Whether the paper has such an algorithm and such a criterion at all."""
    return algorithm in CONSTRAINT + HYBRID + SCORE and criterion in PAIRS


@cache
def size_of(network: str) -> tuple[int, int]:
    """Nodes and arcs of a reference network."""
    bn = reference_network(network)
    return len(bn.names), len(bn.dag.arcs)


def _paired(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The samples on which every algorithm of their panel ended, and the panels that are not whole, in words."""
    ended = rows["ended"].astype(bool)
    sample = [rows[name] for name in (*AXES, "ratio", "sample")]
    paired = ended.groupby(sample, sort=False).transform("all")
    said = []
    for key, part in rows[~ended].groupby(AXES, sort=False):
        panel = np.logical_and.reduce([rows[axis] == value for axis, value in zip(AXES, key, strict=True)])
        left = paired[panel]
        counts = ", ".join(f"{name} {n}" for name, n in part["algorithm"].value_counts(sort=False).items())
        judged = f"judged on {left.mean():.0%} of its samples" if left.any() else "not judged"
        network, _, criterion, size = key
        said.append(f"{network}, {criterion}, {size} samples: {judged} (cells that did not end: {counts})")
    return rows[paired], said
