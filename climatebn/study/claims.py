"""What the paper claims about climate networks, computed from the results: numbers, and whether it holds.

Each claim has a rule that is fixed here, before any result is seen. Nothing is forced: a claim that fails is reported
as failing, and its numbers say by how much and where.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from climatebn.study.study import Records

SCORE, CONSTRAINT, HYBRID = ("tabu", "hill_climbing"), ("pc_stable", "grow_shrink"), ("mmhc", "h2pc")
TURN = 10.0  # the γ at which the paper sees the classes change places
BASELINES = ("baseline", "simulated")  # the paper's formula; random DAGs of the same size
WARM = 0.05  # a mean rise in probability that counts as warming, as on the maps


class Claim(NamedTuple):
    """``holds`` is None when the study has not the cells to tell."""

    claim: str
    paper: str
    rule: str
    found: str
    holds: bool | None


class Cells:
    """The cells that learned from all months and ended, as means over column orders."""

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


Responses = Mapping[str, tuple[float, float | None]]


def judge(table: pd.DataFrame, records: Records, indian_ocean: Responses) -> list[Claim]:
    """Claims (1)–(6) on a table of the climate study.

    ``indian_ocean`` has, for tabu and h2pc, the γ of the network and its mean response there to X81 = 2 sd.
    """
    cells = Cells(table, records)
    return [
        *_search(cells),
        *_constraint(cells),
        *_hybrid(cells),
        *_propagation(indian_ocean),
        _calls(cells),
        *_vstructures(cells),
    ]


def _search(cells: Cells) -> Iterator[Claim]:
    shared = _shared_arcs(cells)
    yield Claim(
        "1a",
        "tabu and hill climbing give almost the same networks",
        "half of the pairs of networks (same γ, same order) share 90 % of their arcs or more",
        f"shared arcs: median {shared.median():.1%}, least {shared.min():.1%}" if len(shared) else "no pair",
        bool(shared.median() >= 0.9) if len(shared) else None,
    )
    yield _above(
        cells, "1b", "arcs", SCORE, CONSTRAINT + HYBRID, 0.0, TURN, "they have the most arcs for γ < 10", "more arcs"
    )
    yield _above(
        cells, "1c", "loglik", SCORE, CONSTRAINT + HYBRID, 0.0, TURN,
        "they have the highest likelihood for γ < 10", "a higher likelihood (of networks that have one)",
    )  # fmt: skip
    arcs = cells.some(SCORE).groupby(["gamma", "algorithm"])["arcs"].mean().unstack()
    at = {gamma: arcs.loc[gamma].min() for gamma in (0.5, 0.2, 0.0) if gamma in arcs.index}
    yield Claim(
        "1d",
        "2127 arcs at γ = 0.5, more than 2500 for γ ≤ 0.2, about 7860 at γ = 0",
        "at least 2000 arcs at γ = 0.5 and more than 2500 for γ ≤ 0.2, for both",
        "; ".join(f"γ = {gamma:g}: {_numbers(arcs.loc[gamma])}" for gamma in at),
        None if len(at) < 3 else bool(at[0.5] >= 2000 and min(at[0.2], at[0.0]) > 2500),
    )


def _constraint(cells: Cells) -> Iterator[Claim]:
    small, large = cells.some(CONSTRAINT, 0.0, TURN), cells.some(CONSTRAINT, TURN)
    valid = small[small["valid"].astype(bool)]
    yield Claim(
        "2a",
        "PC-Stable and Grow-Shrink give no valid CPDAG for γ < 10",
        "no cell with γ < 10 is valid",
        f"{len(valid)} of {len(small)} cells are valid" + _where(valid),
        bool(valid.empty) if len(small) else None,
    )
    yield Claim(
        "2b",
        "they have at most about 500 arcs for γ ≥ 10",
        "no cell with γ ≥ 10 has more than 550 arcs",
        f"at most {large['arcs'].max():.0f} arcs" if len(large) else "no cell",
        bool(large["arcs"].max() <= 550) if len(large) else None,
    )
    yield Claim(
        "2c",
        "they have no teleconnection for γ ≥ 10",
        "no cell with γ ≥ 10 has an arc longer than 5000 km",
        f"{(large['long_arcs'] > 0).sum()} of {len(large)} cells have one, at most {large['long_arcs'].max():.0f} arcs"
        if len(large)
        else "no cell",
        bool((large["long_arcs"] == 0).all()) if len(large) else None,
    )
    yield _above(
        cells, "2d", "loglik", CONSTRAINT, SCORE + HYBRID, TURN, np.inf,
        "they have the highest likelihood for γ ≥ 10", "a higher likelihood (of networks that have one)",
    )  # fmt: skip


def _hybrid(cells: Cells) -> Iterator[Claim]:
    rows = cells.some(HYBRID)
    yield Claim(
        "3a",
        "MMHC and H2PC stay valid",
        "every cell is valid",
        f"{rows['valid'].astype(bool).sum()} of {len(rows)} cells are valid",
        bool(rows["valid"].astype(bool).all()) if len(rows) else None,
    )
    dense, few = cells.some(HYBRID, 0.2), cells.some(SCORE, 0.2)
    most = dense.groupby("algorithm")["arcs"].max()
    yield Claim(
        "3b",
        "they have at most about 1121 arcs (H2PC at γ = 0.2)",
        "no cell with γ ≥ 0.2 has more than 1250 arcs",
        f"at most {_numbers(most)}",
        bool(most.max() <= 1250) if len(most) else None,
    )
    hybrid, score = (part["long_arcs"].sum() / max(part["arcs"].sum(), 1) for part in (dense, few))
    yield Claim(
        "3c",
        "they have few teleconnections",
        "long arcs are at most half as large a share of all arcs as in score-based networks (γ ≥ 0.2)",
        f"{hybrid:.2%} of the arcs, against {score:.2%}; at most {dense['long_arcs'].max():.0f} in a network",
        bool(hybrid <= score / 2) if len(dense) and len(few) else None,
    )
    yield _above(
        cells, "3d", "loglik", SCORE + CONSTRAINT, HYBRID, TURN, np.inf,
        "they have the poorest likelihood for γ ≥ 10", "a higher likelihood (of networks that have one)",
    )  # fmt: skip


def _propagation(indian_ocean: Responses) -> Iterator[Claim]:
    for number, name, words, warm in (
        ("4a", "tabu", "with X81 = 2 sd the tabu network (γ = 0.5) warms the Indian Ocean", True),
        ("4b", "h2pc", "with X81 = 2 sd the H2PC network (γ = 0.2) does not", False),
    ):
        gamma, response = indian_ocean.get(name, (0.0, None))
        yield Claim(
            number,
            words,
            f"the mean rise of P(X ≥ 1) over 45–100°E, 25°S–20°N is {'above' if warm else 'below'} {WARM}",
            f"{response:+.3f} (γ = {gamma:g})" if response is not None else "no such network",
            bool((response > WARM) == warm) if response is not None else None,
        )


def _calls(cells: Cells) -> Claim:
    means = cells.means("calls")
    best, others = means.filter(list(SCORE)).max(axis=1), means.filter([*CONSTRAINT, *HYBRID]).min(axis=1)
    told = best.notna() & others.notna()
    fewer = (best < others)[told]
    return Claim(
        "5",
        "score-based search needs fewer calls than the other two classes",
        "tabu and hill climbing ask less than every other algorithm, at every γ",
        f"at {fewer.sum()} of {len(fewer)} γ" + _gammas(fewer, "not at"),
        bool(fewer.all()) if len(fewer) else None,
    )


def _vstructures(cells: Cells) -> Iterator[Claim]:
    for number, words, names, low, high, more in (
        ("6a", "dense networks have more unshielded v-structures than random ones", SCORE, 0.0, 1.1, True),
        ("6b", "sparse networks have fewer", SCORE + HYBRID, TURN, np.inf, False),
        ("6c", "PC-Stable at large γ has more", ("pc_stable",), TURN, np.inf, True),
    ):
        rows = cells.some(names, low, high)
        rows = rows[rows["vstructure_ratio"].notna()]
        mean = {name: rows[f"vstructure_{name}"].mean() for name in ("ratio", "baseline", "simulated")}
        side = {base: (rows["vstructure_ratio"] > rows[f"vstructure_{base}"]) == more for base in BASELINES}
        span = f"γ ≤ {high - 0.1:g}" if np.isfinite(high) else f"γ ≥ {low:g}"
        yield Claim(
            number,
            words,
            f"nine cells in ten ({', '.join(names)}; {span}) lie {'above' if more else 'below'} the paper's baseline",
            f"{side['baseline'].mean():.0%} of {len(rows)} cells (mean ratio {mean['ratio']:.3f}, baseline "
            f"{mean['baseline']:.3f}); beside random DAGs ({mean['simulated']:.3f}): {side['simulated'].mean():.0%}"
            if len(rows)
            else "no cell",
            bool(side["baseline"].mean() >= 0.9) if len(rows) else None,
        )


def _above(
    cells: Cells,
    number: str,
    measure: str,
    high: Sequence[str],
    low: Sequence[str],
    start: float,
    end: float,
    paper: str,
    words: str,
) -> Claim:
    """Whether every algorithm of ``high`` lies above every one of ``low``, at each γ where both can be compared."""
    means = cells.means(measure, start, end)
    least, most = means.filter(list(high)).min(axis=1), means.filter(list(low)).max(axis=1)
    told = least.notna() & most.notna()
    above = (least > most)[told]
    span = f"γ < {end:g}" if start == 0 else f"γ ≥ {start:g}"
    return Claim(
        number,
        paper,
        f"{', '.join(high)} each have {words} than each of {', '.join(low)}, at every {span}",
        f"at {above.sum()} of {len(above)} γ" + _gammas(above, "not at") + _gammas(told, "cannot be told at"),
        bool(above.all()) if len(above) else None,
    )


def _shared_arcs(cells: Cells) -> pd.Series:
    """|A ∩ B| / |A ∪ B| of the undirected arcs of tabu and hill climbing, for each γ and order."""
    shared = {}
    for (name, *rest), record in cells.records.items():
        twin = cells.records.get(("hill_climbing", *rest))
        if name == "tabu" and twin is not None:
            a, b = ({tuple(sorted(arc)) for arc in r.arrays["directed"].tolist()} for r in (record, twin))
            shared[tuple(rest)] = len(a & b) / max(len(a | b), 1)
    return pd.Series(shared, dtype=float)


def _numbers(values: Any) -> str:
    return ", ".join(f"{name} {value:.0f}" for name, value in values.dropna().items())


def _where(rows: pd.DataFrame) -> str:
    groups = rows.groupby("algorithm")["gamma"].agg(["min", "count"])
    return "".join(f"; {name}: {row['count']:.0f}, the smallest γ {row['min']:g}" for name, row in groups.iterrows())


def _gammas(flags: pd.Series, words: str) -> str:
    missed = [f"{gamma:g}" for gamma in flags.index[~flags]]
    return f"; {words} γ = {', '.join(missed)}" if missed else ""
