"""The paper's single claims D1–D11 (discrete networks) and G1–G6 (Gaussian ones): what is counted in each panel."""

import pandas as pd

from climatebn.study.claims.claim import Part, counted, ranged
from climatebn.study.simulation.panels import CONSTRAINT, HYBRID, Panels, values
from climatebn.study.simulation.questions import COMPARABLE, below, comparable, mean_of

SIX = CONSTRAINT + HYBRID
FASTEST = ("pc_stable", "rsmax2")


def by_size(flags: pd.Series, small: float, large: float) -> list[Part]:
    """Counts of small and of large samples, beside the paper's shares."""
    level = flags.index.get_level_values("size")
    return [counted(flags[level == size], paper, size) for size, paper in (("small", small), ("large", large))]


def lowest(frame: pd.DataFrame, name: str) -> pd.Series:
    """Where no other algorithm has less; a tie counts."""
    return frame[name] <= frame.min(axis=1)


def highest(frame: pd.DataFrame, name: str) -> pd.Series:
    """Where no other algorithm has more; a tie counts."""
    return frame[name] >= frame.max(axis=1)


def quadrant(panels: Panels, name: str, *, slow: bool, inaccurate: bool) -> pd.Series:
    """Where an algorithm lies in one quadrant: they meet at the means over all algorithms."""
    right = panels.speed[name] > panels.speed.mean(axis=1)
    above = panels.shd[name] > panels.shd.mean(axis=1)
    return (right == slow) & (above == inaccurate)


def fastest_two(frame: pd.DataFrame) -> pd.Series:
    """Where PC-Stable and RSMAX2 are the two fastest."""
    ranks = frame.rank(axis=1, method="max")
    return (ranks[list(FASTEST)] <= len(FASTEST)).all(axis=1)


def d1(panels: Panels) -> list[Part]:
    """Annealing is the slowest; who is slower is named."""
    slowest = highest(panels.speed, "annealing")
    others = panels.speed[~slowest]
    networks = others.index.get_level_values("network")
    slower = zip(networks, others.to_numpy().argmax(axis=1) if len(others) else [], strict=True)
    names = ", ".join(f"{others.columns[place]} on {network}" for network, place in slower)
    return [*by_size(slowest, 0.9, 0.9), Part(f"exceptions: {names or 'none'}", True)]


def d2(panels: Panels) -> list[Part]:
    return by_size(highest(panels.shd, "annealing"), 0.7, 0.4)


def d3(panels: Panels) -> list[Part]:
    return [counted(quadrant(panels, "annealing", slow=True, inaccurate=True), 14 / 20)]


def d4(panels: Panels) -> list[Part]:
    return by_size(lowest(panels.shd, "tabu"), 0.4, 1.0)


def d5(panels: Panels) -> list[Part]:
    return [counted(quadrant(panels, "tabu", slow=False, inaccurate=False), 16 / 20)]


def comparable_everywhere(panels: Panels) -> list[Part]:
    """D6 and G2."""
    return [counted(comparable(panels), 1.0)]


def d7(panels: Panels) -> list[Part]:
    small, large = (panels.some(size=size) for size in ("small", "large"))
    sparse = values(small.sparse, SIX)
    share = float(sparse.mean()) if len(sparse) else None
    return [
        ranged(values(small.shd, SIX), *COMPARABLE, "small: median SHD/|A|"),
        Part("sparse: none", None, "no small sample")
        if share is None
        else Part(f"{share:.0%} sparse", abs(share - 0.75) <= 0.25, f"{share:.0%} have fewer than 0.2|A| arcs"),
        ranged(values(large.shd, SIX), 0.8, 1.0, "large: median SHD/|A|"),
    ]


def d8(panels: Panels) -> list[Part]:
    small, large = panels.some(size="small"), panels.some(size="large")
    parts = []
    for some, paper, words in ((small, 0.7, "small"), (large, 1.0, "large")):
        if some.shd.empty or some.lacking(("tabu", "annealing", *CONSTRAINT)):
            parts.append(counted(pd.Series(dtype=bool), paper, words))
        elif words == "small":
            ratio = mean_of(some.shd, CONSTRAINT) / mean_of(some.shd, ("tabu", "annealing"))
            parts.append(counted(ratio <= COMPARABLE[1], paper, words))
        else:
            parts.append(counted(below(some.shd["tabu"], mean_of(some.shd, CONSTRAINT)), paper, words))
    return parts


def d9(panels: Panels) -> list[Part]:
    six = list(SIX)
    return [
        counted(fastest_two(panels.speed[six]), 15 / 20, "PC-Stable and RSMAX2 fastest"),
        counted(lowest(panels.shd[six], "h2pc"), 13 / 20, "H2PC smallest SHD"),
    ]


def d10(panels: Panels) -> list[Part]:
    slow = panels.speed.rank(axis=1, ascending=False, method="min")["tabu"] <= 2
    return [*by_size(lowest(panels.shd, "tabu"), 0.9, 0.8), counted(slow, 15 / 20, "among the two slowest")]


def d11(panels: Panels) -> list[Part]:
    return [
        counted(below(panels.speed["ges"], panels.speed["tabu"]), 1.0, "faster"),
        counted(below(panels.shd["tabu"], panels.shd["ges"]), 18 / 20, "higher SHD"),
    ]


def g1(panels: Panels) -> list[Part]:
    six, two = list(SIX), ["tabu", "annealing"]
    worse = panels.shd[two].min(axis=1) > panels.shd[six].max(axis=1)
    parts = [counted(worse, 1.0)]
    for names, words, spans in (
        (two, "tabu and annealing", {"small": (2, 10), "large": (1, 2)}),
        (six, "the others", {"small": (0.1, 0.8), "large": (0.5, 1)}),
    ):
        for size, span in spans.items():
            arcs = values(panels.some(size=size).arcs, names)
            parts.append(ranged(arcs, span[0], span[1], f"arcs/|A| of {words}, {size}"))
    return parts


def g3(panels: Panels) -> list[Part]:
    parts = []
    for names, words, low, high in (
        (SIX, "constraint-based and hybrid", 0.30, 0.50),
        (("tabu", "annealing"), "tabu and annealing", 0.50, 0.66),
    ):
        shd = (panels.some(size=size).shd.reindex(columns=list(names)) for size in ("small", "large"))
        means = [float(mean_of(part, names).mean()) for part in shd]
        if any(pd.isna(mean) for mean in means):
            parts.append(Part(f"{words} –", None, "small and large samples are both needed"))
            continue
        fall = 1 - means[1] / means[0]
        holds = low - 0.05 <= fall <= high + 0.05
        parts.append(Part(f"{words} {fall:.0%}", bool(holds), f"{words}: from {means[0]:.2f} to {means[1]:.2f}"))
    return parts


def g4(panels: Panels) -> list[Part]:
    every = fastest_two(panels.speed)
    return [
        counted(fastest_two(panels.speed[list(SIX)]), 7 / 8, "of constraint-based and hybrid"),
        Part(f"of all {every.sum()}/{len(every)}", True),
    ]


def g5(panels: Panels) -> list[Part]:
    return [
        counted(quadrant(panels, "tabu", slow=False, inaccurate=False), 7 / 8, "fast, accurate"),
        counted(lowest(panels.shd, "tabu"), 7 / 8, "lowest SHD"),
    ]


def g6(panels: Panels) -> list[Part]:
    ranks = panels.speed[list(SIX)].rank(axis=1, method="min")
    return [counted(ranks["pc_stable"] <= 2, 1.0, "PC-Stable"), counted(ranks["rsmax2"] <= 2, 0.5, "RSMAX2")]
