"""How algorithms are shown: the paper's colours, in hues that differ in lightness too, and a mark for each class."""

from typing import Literal, NamedTuple

from climatebn.errors import unknown


class AlgorithmStyle(NamedTuple):
    """``line`` tells the class, for readers who see few colours: solid score, dashed constraint, dotted hybrid."""

    label: str
    colour: str
    line: Literal["-", "--", ":"]


ALGORITHM_STYLES = {
    "tabu": AlgorithmStyle("tabu", "#cc2211", "-"),
    "hill_climbing": AlgorithmStyle("hill climbing", "#f58a1f", "-"),
    "annealing": AlgorithmStyle("annealing", "#d4a800", "-"),
    "ges": AlgorithmStyle("GES", "#8a6d00", "-"),
    "pc_stable": AlgorithmStyle("PC-Stable", "#1b1f6b", "--"),
    "grow_shrink": AlgorithmStyle("Grow-Shrink", "#3a74d8", "--"),
    "inter_iamb": AlgorithmStyle("Inter-IAMB", "#7cc4ee", "--"),
    "mmhc": AlgorithmStyle("MMHC", "#4caf50", ":"),
    "rsmax2": AlgorithmStyle("RSMAX2", "#a6c926", ":"),
    "h2pc": AlgorithmStyle("H2PC", "#0b5d2a", ":"),
}


def style_of(algorithm: str) -> AlgorithmStyle:
    """Label, colour and line of an algorithm."""
    if algorithm not in ALGORITHM_STYLES:
        raise unknown("algorithm", algorithm, ALGORITHM_STYLES)
    return ALGORITHM_STYLES[algorithm]
