"""What the paper claims about climate networks, judged for each field and each scheme of criteria.

Each claim has a rule with fixed numbers. Nothing is forced: a claim that fails is reported as failing, with the
numbers that stand against it.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from climatebn.analysis.tails import NOTICEABLE
from climatebn.jobs.study import Records
from climatebn.study.claims.claim import Claim, Part
from climatebn.study.climate.claim_cells import (
    CONSTRAINT,
    HYBRID,
    SCORE,
    Cells,
    compared,
    gammas,
    numbers,
    shared_arcs,
)
from climatebn.study.climate.collider_claims import collider_claims

TURN = 10.0  # the γ at which the paper sees the classes change places
ABOUT = 1.1  # "at most 501 arcs" are up to 551
FIELDS = {
    "regular": "10° means",
    "paper": "the authors' points, nearest values",
    "paper_linear": "the authors' points, linear interpolation",
}

Responses = Mapping[str, tuple[float, Mapping[str, float] | None]]


def judge(table: pd.DataFrame, records: Records, field: str, scheme: str, indian_ocean: Responses) -> list[Claim]:
    """Claims (1)–(6) on one field under one scheme.

    ``indian_ocean`` has, for tabu and h2pc, the γ of the members and their ``mean`` response there to X81 = 2 sd, with
    ``low``, ``high`` and the number of ``members``; None where there is no ensemble.
    """
    cells = Cells(table, records, field, scheme)
    parts = (_search(cells), _constraint(cells), _hybrid(cells), _propagation(indian_ocean), _calls(cells))
    claims = [claim for part in parts for claim in part] + list(collider_claims(cells, TURN))
    return [claim._replace(setting=FIELDS.get(field, field), scheme=scheme) for claim in claims]


def claim(id: str, words: str, paper: str, rule: str, part: Part) -> Claim:
    """A claim with one part, its setting left open."""
    return Claim(id, "", words, paper, rule, part.found, part.holds, "" if part.holds else part.why)


def _search(cells: Cells) -> Iterator[Claim]:
    shared = shared_arcs(cells, "tabu", "hill_climbing")
    yield claim(
        "1a", "tabu and hill climbing give almost the same networks", "almost identical results",
        "half of the pairs of networks (same γ, same order) share 90 % of their arcs or more",
        Part(
            f"shared arcs: median {shared.median():.1%}, least {shared.min():.1%}" if len(shared) else "no pair",
            bool(shared.median() >= 0.9) if len(shared) else None,
            gammas(shared.groupby(level=0).median() >= 0.9, "below that at").lstrip("; ") if len(shared) else "",
        ),
    )  # fmt: skip
    others = CONSTRAINT + HYBRID
    words = "tabu and hill climbing have the most arcs for γ < 10"
    yield claim("1b", words, "the largest number", *compared(cells, "arcs", SCORE, others, 0, TURN))
    words = "tabu and hill climbing have the highest likelihood for γ < 10"
    yield claim("1c", words, "the highest", *compared(cells, "loglik", SCORE, others, 0, TURN))
    arcs = cells.means("arcs").filter(list(SCORE)).dropna(how="all")
    mean = arcs.mean(axis=1)
    at = [gamma for gamma in (0.5, 0.2, 0.0) if gamma in arcs.index]
    told = len(at) == 3
    close = told and abs(mean[0.5] / 2127 - 1) <= 0.1 and abs(mean[0.0] / 7868 - 1) <= 0.1 and mean[0.2] > 2500
    yield claim(
        "1d", "the numbers of arcs of tabu and hill climbing",
        "2127 at γ = 0.5, more than 2500 for γ ≤ 0.2, about 7868 at γ = 0",
        "within 10 % of 2127 at γ = 0.5 and of 7868 at γ = 0, and more than 2500 at γ = 0.2",
        Part(
            "; ".join(f"γ = {gamma:g}: {numbers(arcs.loc[gamma])}" for gamma in at) or "no such cell",
            bool(close) if told else None,
            f"2127 arcs come closest at γ = {(mean - 2127).abs().idxmin():g}" if len(mean) else "",
        ),
    )  # fmt: skip


def _constraint(cells: Cells) -> Iterator[Claim]:
    small, large = cells.some(CONSTRAINT, 0, TURN), cells.some(CONSTRAINT, TURN)
    valid = small[small["valid"].astype(bool)]
    where = valid.groupby("algorithm")["gamma"].min()
    yield claim(
        "2a", "PC-Stable and Grow-Shrink give no valid CPDAG for γ < 10", "none", "no cell with γ < 10 is valid",
        Part(
            f"{len(valid)} of {len(small)} cells are valid; for γ ≥ 10: {large['valid'].sum()} of {len(large)}",
            bool(valid.empty) if len(small) else None,
            "; ".join(f"{name} is valid from γ = {gamma:g} on" for name, gamma in where.items()),
        ),
    )  # fmt: skip
    kept = large[large["valid"].astype(bool)]
    most = kept.groupby("algorithm")["arcs"].max()
    yield claim(
        "2b", "valid networks of PC-Stable and Grow-Shrink are small for γ ≥ 10", "at most 501 arcs",
        f"no valid cell with γ ≥ 10 has more than {501 * ABOUT:.0f} arcs",
        Part(
            f"at most {numbers(most)}" if len(most) else "no valid cell",
            bool(most.max() <= 501 * ABOUT) if len(most) else None,
            f"{numbers(most)} arcs",
        ),
    )  # fmt: skip
    yield claim(
        "2c", "PC-Stable and Grow-Shrink have no teleconnection for γ ≥ 10", "none",
        "no valid cell with γ ≥ 10 has an arc longer than 5000 km",
        Part(
            f"{(kept['long_arcs'] > 0).sum()} of {len(kept)} valid cells have one",
            bool((kept["long_arcs"] == 0).all()) if len(kept) else None,
            f"at most {kept['long_arcs'].max():.0f} in a network",
        ),
    )  # fmt: skip
    words = "PC-Stable and Grow-Shrink have the highest likelihood for γ ≥ 10"
    yield claim("2d", words, "the highest", *compared(cells, "loglik", CONSTRAINT, SCORE + HYBRID, TURN))


def _hybrid(cells: Cells) -> Iterator[Claim]:
    rows, dense, score = cells.some(HYBRID), cells.some(HYBRID, 0.2), cells.some(SCORE, 0.2)
    yield claim(
        "3a", "MMHC and H2PC stay valid", "valid for all γ", "every cell is valid",
        Part(
            f"{rows['valid'].astype(bool).sum()} of {len(rows)} cells are valid",
            bool(rows["valid"].astype(bool).all()) if len(rows) else None,
        ),
    )  # fmt: skip
    most = dense.groupby("algorithm")["arcs"].max()
    yield claim(
        "3b", "MMHC and H2PC have few arcs", "at most 1121 (H2PC, γ = 0.2)",
        f"no cell with γ ≥ 0.2 has more than {1121 * ABOUT:.0f} arcs",
        Part(
            f"at most {numbers(most)}" if len(most) else "no cell",
            bool(most.max() <= 1121 * ABOUT) if len(most) else None,
            f"{numbers(most)} arcs, beside score-based networks with up to {score['arcs'].max():.0f}",
        ),
    )  # fmt: skip
    share, other = (part["long_arcs"].sum() / max(part["arcs"].sum(), 1) for part in (dense, score))
    yield claim(
        "3c", "MMHC and H2PC have few teleconnections", "some",
        "long arcs are at most half as large a share of all arcs as in score-based networks (γ ≥ 0.2)",
        Part(
            f"{share:.2%} of the arcs, against {other:.2%}; at most {dense['long_arcs'].max():.0f} in a network",
            bool(share <= other / 2) if len(dense) and len(score) else None,
        ),
    )  # fmt: skip
    words = "MMHC and H2PC have the poorest likelihood for γ ≥ 10"
    yield claim("3d", words, "the poorest", *compared(cells, "loglik", SCORE + CONSTRAINT, HYBRID, TURN))


def _propagation(indian_ocean: Responses) -> Iterator[Claim]:
    for id, name, words, warm in (
        ("4a", "tabu", "with X81 = 2 sd the tabu network (γ = 0.5) warms the Indian Ocean", True),
        ("4b", "h2pc", "with X81 = 2 sd the H2PC network (γ = 0.2) does not warm the Indian Ocean", False),
    ):
        gamma, rise = indian_ocean.get(name, (0.0, None))
        border = "the low end above 0" if warm else f"the high end below {NOTICEABLE}"
        rule = f"the 90 % interval of the mean rise of P(X ≥ 1 sd) over 45–100°E, 25°S–20°N in an ensemble has {border}"
        if rise is None:
            yield claim(id, words, "yes", rule, Part("no ensemble", None))
            continue
        interval = f"{rise['mean']:+.3f} [{rise['low']:+.3f}, {rise['high']:+.3f}]"
        found = f"{interval} ({rise['members']:.0f} members, γ = {gamma:g})"
        holds = rise["low"] > 0 if warm else rise["high"] < NOTICEABLE
        yield claim(id, words, "yes", rule, Part(found, bool(holds), f"the rise is {found}"))


def _calls(cells: Cells) -> Iterator[Claim]:
    rule, part = compared(cells, "calls_bnlearn", CONSTRAINT + HYBRID, SCORE)
    words = "score-based search needs fewer calls than the other two classes"
    counts = [_fewer(cells, measure) for measure in ("calls_bnlearn", "calls")]
    found = f"fewer than {counts[0]} [each test counted once: {counts[1]}]" if counts[0] else part.found
    yield claim("5", words, "fewer", f"{rule} (calls as bnlearn counts them)", part._replace(found=found))


def _fewer(cells: Cells, measure: str) -> str:
    means = cells.means(measure)
    search = means.filter(list(SCORE)).max(axis=1)
    fewer = {name: (search < means[name])[means[name].notna()] for name in CONSTRAINT + HYBRID if name in means}
    return ", ".join(f"{name} at {flags.sum()} of {len(flags)} γ" for name, flags in fewer.items())
