"""Every claim of the simulation study: its setting, the paper's figure, the rule, and the algorithms that it needs.

A claim on speed is judged by calls as the paper's software counts them, and shown with each test counted once beside.
"""

from collections.abc import Callable
from typing import NamedTuple

from climatebn.study.claims.claim import Claim, Part, joined
from climatebn.study.simulation import questions as q
from climatebn.study.simulation import single_claims as s
from climatebn.study.simulation.panels import CONSTRAINT, HYBRID, Panels

SIX = CONSTRAINT + HYBRID
ALL: dict[str, str] = {}
DISCRETE_BIC = {"kind": "discrete", "criterion": "bic"}
DISCRETE_POSTERIOR = {"kind": "discrete", "criterion": "posterior"}
GAUSSIAN_BIC = {"kind": "Gaussian", "criterion": "bic"}
GAUSSIAN_POSTERIOR = {"kind": "Gaussian", "criterion": "posterior"}
PAIRS = {"bic": "BIC", "posterior": "log P"}
COUNT = "the share on the same side of one half as the paper's and within 0.25 of it"


class Rule(NamedTuple):
    """How one claim is judged; ``speed``: by calls, so that both ways of counting are shown."""

    id: str
    where: dict[str, str]
    claim: str
    paper: str
    rule: str
    needs: tuple[str, ...]
    judge: Callable[[Panels], list[Part]]
    speed: bool = False


RULES = (
    Rule(
        "Q1", ALL, "constraint-based algorithms are less accurate than tabu, and more than other score-based ones",
        "less accurate than tabu with small and large samples; more accurate than the others in many settings",
        "tabu's SHD below the mean of the three constraint-based ones in more than half of all panels, of the small "
        "and of the large ones; the constraint-based mean below annealing or GES in at least a third of their panels",
        ("tabu", "annealing", "ges", *CONSTRAINT), q.accuracy,
    ),
    Rule(
        "Q2", ALL, "tabu is often faster than most constraint-based and hybrid algorithms", "often",
        "in at least half of the panels tabu makes fewer calls than more than half of the six others",
        ("tabu", *SIX), q.speed, True,
    ),
    Rule(
        "Q3", ALL, "hybrid algorithms are no more accurate",
        "no systematic difference to constraint-based; less than tabu",
        "hybrid and constraint-based mean SHD within 0.9 … 1.1 in at least two thirds of the panels; tabu below the "
        "hybrid mean in more than half", ("tabu", *SIX), q.hybrid_accuracy,
    ),
    Rule(
        "Q4", ALL, "hybrid algorithms are no faster", "not overall; no consistent ordering",
        "the hybrid mean of log10 calls below the constraint-based one in at most two thirds of the panels, and below "
        "tabu's in at most two thirds", ("tabu", *SIX), q.hybrid_speed, True,
    ),
    Rule(
        "Q5", ALL, "rankings do not differ between small and large networks", "no systematic change",
        "Spearman correlation of mean ranks between networks under 50 nodes and the others at least 0.7, for each kind "
        "of network, criterion pair and measure", ("tabu", *SIX), q.sizes, True,
    ),
    Rule("D1", DISCRETE_BIC, "annealing is the slowest", "9/10 small, 9/10 large; the exception is H2PC on PATHFINDER",
         COUNT, ("tabu", "annealing", *SIX), s.d1, True),
    Rule("D2", DISCRETE_BIC, "annealing has the highest SHD", "7/10 small, 4/10 large", COUNT,
         ("tabu", "annealing", *SIX), s.d2),
    Rule("D3", DISCRETE_BIC, "annealing lies in “slow, inaccurate”", "14/20", COUNT, ("tabu", "annealing", *SIX), s.d3,
         True),
    Rule("D4", DISCRETE_BIC, "tabu has the lowest SHD", "4/10 small, 10/10 large", COUNT, ("tabu", "annealing", *SIX),
         s.d4),
    Rule("D5", DISCRETE_BIC, "tabu lies in “fast, accurate”", "16/20", COUNT, ("tabu", "annealing", *SIX), s.d5, True),
    Rule("D6", DISCRETE_BIC, "hybrid and constraint-based algorithms are comparable in SHD", "20/20",
         f"ratio of the class means within 0.9 … 1.1; {COUNT}", SIX, s.comparable_everywhere),
    Rule(
        "D7", DISCRETE_BIC, "constraint-based and hybrid algorithms learn nearly empty networks from small samples",
        "small: SHD/|A| ≈ 1, 75 % of the networks have fewer than 0.2|A| arcs; large: SHD/|A| in 0.8 … 1",
        "median over panels and algorithms in 0.9 … 1.1; sparse networks within 0.25 of 75 %; the median of large "
        "samples in 0.8 … 1", SIX, s.d7,
    ),
    Rule("D8", DISCRETE_BIC, "constraint-based comparable to or better than score-based in small samples, tabu better "
         "in large ones", "7/10 small, 10/10 large", "constraint-based at most 1.1 of the mean of tabu and annealing; "
         f"tabu below the constraint-based mean; {COUNT}", ("tabu", "annealing", *CONSTRAINT), s.d8),
    Rule("D9", DISCRETE_BIC, "of constraint-based and hybrid ones, PC-Stable and RSMAX2 are the fastest two and H2PC "
         "has the smallest SHD", "15/20 and 13/20", COUNT, SIX, s.d9, True),
    Rule("D10", DISCRETE_POSTERIOR, "tabu has the lowest SHD and is one of the two slowest",
         "9/10 small, 8/10 large; 15/20", COUNT, ("tabu", "ges", *SIX), s.d10, True),
    Rule("D11", DISCRETE_POSTERIOR, "GES is faster than tabu and has the higher SHD", "20/20 and 18/20", COUNT,
         ("tabu", "ges"), s.d11, True),
    Rule(
        "G1", GAUSSIAN_BIC, "tabu and annealing have higher SHD than every other, by too many arcs",
        "8/8; arcs 2–10 |A| small, 1–2 |A| large, against 0.1–0.8 and 0.5–1",
        f"{COUNT}; medians of arcs over panels and algorithms in these ranges", ("tabu", "annealing", *SIX), s.g1,
    ),
    Rule("G2", GAUSSIAN_BIC, "constraint-based and hybrid algorithms are comparable in SHD", "8/8",
         f"ratio of the class means within 0.9 … 1.1; {COUNT}", SIX, s.comparable_everywhere),
    Rule("G3", GAUSSIAN_BIC, "from small to large samples SHD falls less for constraint-based and hybrid ones",
         "about 40 %; tabu and annealing 50–66 %", "class means fall by 30–50 % and by 50–66 %, ± 5 points",
         ("tabu", "annealing", *SIX), s.g3),
    Rule("G4", GAUSSIAN_BIC, "PC-Stable and RSMAX2 are the two fastest", "7/8",
         f"of constraint-based and hybrid ones; {COUNT}", SIX, s.g4, True),
    Rule("G5", GAUSSIAN_POSTERIOR, "tabu lies in “fast, accurate” and has the lowest SHD", "7/8",
         f"both counts: {COUNT}", ("tabu", *SIX), s.g5, True),
    Rule("G6", GAUSSIAN_POSTERIOR, "of constraint-based and hybrid ones PC-Stable is one of the two fastest, RSMAX2 in "
         "half of the panels", "8/8, RSMAX2 4/8", f"{COUNT}; RSMAX2 within 0.25 of one half", SIX, s.g6, True),
)  # fmt: skip


def judge(panels: Panels) -> list[Claim]:
    """All claims; one whose networks or algorithms the study has not says so."""
    return [judged(rule, panels) for rule in RULES]


def judged(rule: Rule, panels: Panels) -> Claim:
    """One claim."""
    some = panels.some(**rule.where)
    setting = f"{rule.where['kind']}, {PAIRS[rule.where['criterion']]}" if rule.where else "all panels"
    lacking = some.lacking(rule.needs)
    if lacking:
        lost = f"no panel ({setting})" if some.shd.empty else f"no {', no '.join(lacking)}"
        return Claim(rule.id, setting, rule.claim, rule.paper, rule.rule, "–", None, f"the study has {lost}")
    some = some.of_one_setting() if rule.where else some
    part = joined(rule.judge(some))
    found = part.found
    if rule.speed:
        once = joined(rule.judge(some.counted_once()))
        if once.found != found:
            found += f" [each test counted once: {once.found}]"
    return Claim(rule.id, setting, rule.claim, rule.paper, rule.rule, found, part.holds, part.why)
