"""What the paper claims about climate networks, computed from the results: numbers, whether it holds, and why not.

Each claim has a rule with fixed numbers. Nothing is forced: a claim that fails is reported as failing, with the
numbers that stand against it.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from climatebn.jobs.study import Records
from climatebn.study.climate.claim_cells import (
    CONSTRAINT,
    HYBRID,
    SCORE,
    Cells,
    Claim,
    compared,
    gammas,
    numbers,
    shared_arcs,
)

TURN = 10.0  # the γ at which the paper sees the classes change places
WARM = 0.05  # a mean rise in probability that counts as warming, as on the maps
ABOUT = 1.1  # "about 500 arcs" are up to 550

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
    shared = shared_arcs(cells, "tabu", "hill_climbing")
    yield Claim(
        "1a",
        "tabu and hill climbing give almost the same networks",
        "half of the pairs of networks (same γ, same order) share 90 % of their arcs or more",
        f"shared arcs: median {shared.median():.1%}, least {shared.min():.1%}" if len(shared) else "no pair",
        bool(shared.median() >= 0.9) if len(shared) else None,
        gammas(shared.groupby(level=0).median() >= 0.9, "below that at").lstrip("; ") if len(shared) else "",
    )
    others = CONSTRAINT + HYBRID
    yield compared(cells, "1b", "tabu and hill climbing have the most arcs for γ < 10", "arcs", SCORE, others, 0, TURN)
    yield compared(
        cells, "1c", "tabu and hill climbing have the highest likelihood for γ < 10", "loglik", SCORE, others, 0, TURN
    )
    arcs = cells.means("arcs").filter(list(SCORE)).dropna(how="all")
    mean = arcs.mean(axis=1)
    at = [gamma for gamma in (0.5, 0.2, 0.0) if gamma in arcs.index]
    yield Claim(
        "1d",
        "tabu and hill climbing have 2127 arcs at γ = 0.5, more than 2500 for γ ≤ 0.2, about 7860 at γ = 0",
        "within 10 % of 2127 at γ = 0.5 and of 7860 at γ = 0, and more than 2500 for γ ≤ 0.2",
        "; ".join(f"γ = {gamma:g}: {numbers(arcs.loc[gamma])}" for gamma in at) or "no such cell",
        None
        if len(at) < 3
        else bool(abs(mean[0.5] / 2127 - 1) <= 0.1 and abs(mean[0.0] / 7860 - 1) <= 0.1 and mean[0.2] > 2500),
        f"2127 arcs come closest at γ = {(mean - 2127).abs().idxmin():g}, 7860 at γ = {(mean - 7860).abs().idxmin():g}"
        if len(mean)
        else "",
    )


def _constraint(cells: Cells) -> Iterator[Claim]:
    small, large = cells.some(CONSTRAINT, 0, TURN), cells.some(CONSTRAINT, TURN)
    valid = small[small["valid"].astype(bool)]
    where = valid.groupby("algorithm")["gamma"].min()
    yield Claim(
        "2a",
        "PC-Stable and Grow-Shrink give no valid CPDAG for γ < 10",
        "no cell with γ < 10 is valid",
        f"{len(valid)} of {len(small)} cells are valid; for γ ≥ 10: {large['valid'].sum()} of {len(large)}",
        bool(valid.empty) if len(small) else None,
        "; ".join(f"{name} is valid from γ = {gamma:g} on" for name, gamma in where.items()),
    )
    most = large.groupby("gamma")["arcs"].max()
    yield Claim(
        "2b",
        "PC-Stable and Grow-Shrink have at most about 500 arcs for γ ≥ 10",
        f"no cell with γ ≥ 10 has more than {500 * ABOUT:.0f} arcs",
        f"at most {most.max():.0f} arcs" if len(most) else "no cell",
        bool(most.max() <= 500 * ABOUT) if len(most) else None,
        f"below {500 * ABOUT:.0f} arcs from γ = {most.index[most <= 500 * ABOUT].min():g} on",
    )
    yield Claim(
        "2c",
        "PC-Stable and Grow-Shrink have no teleconnection for γ ≥ 10",
        "no cell with γ ≥ 10 has an arc longer than 5000 km",
        f"{(large['long_arcs'] > 0).sum()} of {len(large)} cells have one",
        bool((large["long_arcs"] == 0).all()) if len(large) else None,
        f"at most {large['long_arcs'].max():.0f} in a network",
    )
    yield compared(
        cells, "2d", "PC-Stable and Grow-Shrink have the highest likelihood for γ ≥ 10", "loglik",
        CONSTRAINT, SCORE + HYBRID, TURN,
    )  # fmt: skip


def _hybrid(cells: Cells) -> Iterator[Claim]:
    rows, dense, score = cells.some(HYBRID), cells.some(HYBRID, 0.2), cells.some(SCORE, 0.2)
    yield Claim(
        "3a",
        "MMHC and H2PC stay valid",
        "every cell is valid",
        f"{rows['valid'].astype(bool).sum()} of {len(rows)} cells are valid",
        bool(rows["valid"].astype(bool).all()) if len(rows) else None,
    )
    most = dense.groupby("algorithm")["arcs"].max()
    yield Claim(
        "3b",
        "MMHC and H2PC have at most about 1121 arcs (H2PC at γ = 0.2)",
        f"no cell with γ ≥ 0.2 has more than {1121 * ABOUT:.0f} arcs",
        f"at most {numbers(most)}" if len(most) else "no cell",
        bool(most.max() <= 1121 * ABOUT) if len(most) else None,
        f"beside score-based networks with up to {score['arcs'].max():.0f}",
    )
    share, other = (part["long_arcs"].sum() / max(part["arcs"].sum(), 1) for part in (dense, score))
    yield Claim(
        "3c",
        "MMHC and H2PC have few teleconnections",
        "long arcs are at most half as large a share of all arcs as in score-based networks (γ ≥ 0.2)",
        f"{share:.2%} of the arcs, against {other:.2%}; at most {dense['long_arcs'].max():.0f} in a network",
        bool(share <= other / 2) if len(dense) and len(score) else None,
    )
    yield compared(
        cells, "3d", "MMHC and H2PC have the poorest likelihood for γ ≥ 10", "loglik", SCORE + CONSTRAINT, HYBRID, TURN
    )


def _propagation(indian_ocean: Responses) -> Iterator[Claim]:
    for number, name, words, warm in (
        ("4a", "tabu", "with X81 = 2 sd the tabu network (γ = 0.5) warms the Indian Ocean", True),
        ("4b", "h2pc", "with X81 = 2 sd the H2PC network (γ = 0.2) does not warm the Indian Ocean", False),
    ):
        gamma, response = indian_ocean.get(name, (0.0, None))
        yield Claim(
            number,
            words,
            f"the mean rise of P(X ≥ 1 sd) over 45–100°E, 25°S–20°N is {'above' if warm else 'at most'} {WARM}",
            f"{response:+.3f} (γ = {gamma:g})" if response is not None else "no such network",
            bool((response > WARM) == warm) if response is not None else None,
        )


def _calls(cells: Cells) -> Claim:
    paper = "score-based search needs fewer calls than the other two classes"
    claim = compared(cells, "5", paper, "calls", CONSTRAINT + HYBRID, SCORE)
    means = cells.means("calls")
    search = means.filter(list(SCORE)).max(axis=1)
    fewer = {name: (search < means[name])[means[name].notna()] for name in CONSTRAINT + HYBRID if name in means}
    counts = ", ".join(f"{name} at {flags.sum()} of {len(flags)} γ" for name, flags in fewer.items())
    return claim._replace(
        found=f"fewer than {counts}" if fewer else claim.found,
        why=claim.why
        and f"{claim.why}. A search asks for all pairs once and then for N − 1 differences at each step, so "
        "its calls grow with its arcs; others ask again only about pairs that are still joined",
    )


def _vstructures(cells: Cells) -> Iterator[Claim]:
    for number, words, names, low, high, more in (
        ("6a", "dense networks have more unshielded v-structures than random ones", SCORE, 0.0, 1.1, True),
        (
            "6b",
            "sparse networks have fewer unshielded v-structures than random ones",
            SCORE + HYBRID,
            TURN,
            np.inf,
            False,
        ),
        ("6c", "PC-Stable at large γ has more than random ones", ("pc_stable",), TURN, np.inf, True),
    ):
        rows = cells.some(names, low, high)
        rows = rows[rows["vstructure_ratio"].notna()]
        ratio, paper, random = (rows[f"vstructure_{name}"] for name in ("ratio", "baseline", "simulated"))
        side, beside_random = ((ratio > base) == more for base in (paper, random))
        span = f"γ ≤ {high - 0.1:g}" if np.isfinite(high) else f"γ ≥ {low:g}"
        yield Claim(
            number,
            words,
            f"nine cells in ten ({', '.join(names)}; {span}) lie {'above' if more else 'below'} the paper's baseline",
            f"{side.mean():.0%} of {len(rows)} cells (mean ratio {ratio.mean():.3f}, baseline {paper.mean():.3f}); "
            f"beside random DAGs ({random.mean():.3f}): {beside_random.mean():.0%}"
            if len(rows)
            else "no cell",
            bool(side.mean() >= 0.9) if len(rows) else None,
            gammas(side.groupby(rows["gamma"]).mean() < 0.9, "it does hold at").lstrip("; "),
        )
