"""How algorithms are shown: the paper's colours, in hues that differ in lightness too, and a mark for each class."""

from typing import Literal, NamedTuple

from climatebn.learning.registry import ALGORITHMS, directing, variant

LINES: dict[str, Literal["-", "--", ":"]] = {"score": "-", "constraint": "--", "hybrid": ":"}
COLOURS = {
    "tabu": "#cc2211",
    "hill_climbing": "#f58a1f",
    "annealing": "#d4a800",
    "ges": "#8a6d00",
    "boss": "#f7c9a0",
    "best": "#5c0f08",
    "exact": "#1a0402",
    "pc_stable": "#1b1f6b",
    "pc_stable:strongest": "#9a3fd1",
    "grow_shrink": "#3a74d8",
    "inter_iamb": "#7cc4ee",
    "mmhc": "#4caf50",
    "rsmax2": "#a6c926",
    "h2pc": "#0b5d2a",
}
NEW = ("#7a7a7a", "#b5b5b5", "#444444")  # algorithms that have no colour of their own, in turn


class AlgorithmStyle(NamedTuple):
    """``line`` tells the class, for readers who see few colours: solid score, dashed constraint, dotted hybrid."""

    label: str
    colour: str
    line: Literal["-", "--", ":"]


def shown_order() -> list[str]:
    """Algorithms in the order of legends: the paper's first, any other as registered."""
    return [*COLOURS, *(name for name in directing() if name not in COLOURS)]


def style_of(algorithm: str) -> AlgorithmStyle:
    """Label, colour and line of an algorithm."""
    plain, options = variant(algorithm)
    entry = ALGORITHMS[plain]
    new = NEW[shown_order().index(plain) % len(NEW)]
    if options:
        return AlgorithmStyle(f"{entry.label}, {options['orient']}", COLOURS.get(algorithm, new), LINES[entry.kind])
    return AlgorithmStyle(entry.label, COLOURS.get(algorithm, new), LINES[entry.kind])
