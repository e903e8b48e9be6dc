"""Claims on v-structures, counted in two ways: unshielded colliders, and all colliders, each beside its baselines.

The paper speaks of unshielded v-structures and prints the baseline 0.25 − |A|/C(N, 2). Of all colliders, shielded ones
too, it expects 0.25. In random DAGs (a uniform order of the nodes, uniform arcs) all colliders are 1/3.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from climatebn.study.claims.claim import Claim
from climatebn.study.climate.claim_cells import HYBRID, SCORE, Cells, gammas

DENSE = 1500  # arcs; the paper's own border
SHARE = 0.9  # of the cells


def collider_claims(cells: Cells, turn: float) -> Iterator[Claim]:
    """6a–6c by unshielded v-structures, 6d–6f by all colliders, all beside the paper's baseline."""
    kinds = (("vstructure", "unshielded v-structures"), ("collider", "colliders (shielded ones too)"))
    for (measure, words), ids in zip(kinds, ("abc", "def"), strict=True):
        sets = (
            (SCORE, f"score-based networks with more than {DENSE} arcs have", 0.0, True),
            (SCORE + HYBRID, f"score-based and hybrid networks with γ ≥ {turn:g} have", turn, False),
            (("pc_stable",), f"PC-Stable with γ ≥ {turn:g} has", turn, True),
        )
        for id, (names, who, low, more) in zip(ids, sets, strict=True):
            rows = cells.some(names, low)
            rows = rows[rows[f"{measure}_ratio"].notna() & (rows["arcs"] > (DENSE if names == SCORE else 0))]
            yield _claim(rows, f"6{id}", measure, f"{who} {'more' if more else 'fewer'} {words} than random ones", more)


def _claim(rows: pd.DataFrame, id: str, measure: str, text: str, more: bool) -> Claim:
    side = "more" if more else "fewer"
    rule = f"nine cells in ten lie {'above' if more else 'below'} the paper's baseline 0.25 − |A|/C(N, 2)"
    if rows.empty:
        return Claim(id, "", text, side, rule, "no cell", None)
    ratio, paper = rows[f"{measure}_ratio"].astype(float), rows["vstructure_baseline"].astype(float)
    own = rows["collider_baseline" if measure == "collider" else "vstructure_baseline"].astype(float)
    random = rows[f"{measure}_simulated"].astype(float)
    share, own_share, random_share = (float(((ratio > base) == more).mean()) for base in (paper, own, random))
    beside = f"; beside 0.25: {own_share:.0%}" if measure == "collider" else ""
    found = (
        f"{share:.0%} of {len(rows)} cells (mean ratio {ratio.mean():.3f}, baseline {paper.mean():.3f}){beside}; "
        f"beside random DAGs ({random.mean():.3f}): {random_share:.0%}"
    )
    by_gamma = ((ratio > paper) == more).groupby(rows["gamma"]).mean() < SHARE
    why = gammas(by_gamma, "it does hold at").lstrip("; ") if not by_gamma.all() else "it holds at no γ"
    holds = bool(share >= SHARE) if np.isfinite(share) else None
    return Claim(id, "", text, side, rule, found, holds, "" if holds else f"ratio {ratio.mean():.3f}; {why}")
