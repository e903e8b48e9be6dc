"""Every algorithm, one line each: its class and where it lives. Loaded on first use."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from climatebn.errors import unknown
from climatebn.learning.problem import Outcome


@dataclass(frozen=True)
class Algorithm:
    """``kind`` is constraint, score or hybrid; ``module`` holds a function of the algorithm's own name."""

    kind: str
    module: str
    summary: str


ALGORITHMS = {
    "pc_stable": Algorithm("constraint", "constraint.pc_stable", "PC with neighbours frozen per level"),
    "grow_shrink": Algorithm("constraint", "constraint.grow_shrink", "Grow-Shrink Markov blankets"),
    "inter_iamb": Algorithm("constraint", "constraint.inter_iamb", "interleaved IAMB Markov blankets"),
    "mmpc": Algorithm("constraint", "constraint.mmpc", "max-min parents and children (neighbours only)"),
    "hpc": Algorithm("constraint", "constraint.hpc", "hybrid parents and children (neighbours only)"),
    "si_hiton_pc": Algorithm("constraint", "constraint.si_hiton_pc", "semi-interleaved HITON-PC (neighbours only)"),
    "hill_climbing": Algorithm("score", "score.hill_climbing", "greedy search over DAGs"),
    "tabu": Algorithm("score", "score.tabu", "greedy search that may step down and never returns"),
    "annealing": Algorithm("score", "score.annealing", "simulated annealing over topological orderings"),
    "boss": Algorithm("score", "score.boss", "best order score search over orderings"),
    "best": Algorithm("score", "score.best", "tabu, BOSS and tabu again while it pays; exact where nodes are few"),
    "exact": Algorithm("score", "score.exact", "the optimum by dynamic programming, up to 20 nodes"),
    "ges": Algorithm("score", "score.ges", "greedy equivalence search over CPDAGs"),
    "mmhc": Algorithm("hybrid", "hybrid.restrict_maximise", "MMPC, then hill climbing"),
    "rsmax2": Algorithm("hybrid", "hybrid.restrict_maximise", "any restriction, then any score search"),
    "h2pc": Algorithm("hybrid", "hybrid.restrict_maximise", "HPC, then hill climbing"),
}


def find(name: str) -> tuple[Algorithm, Callable[..., Outcome]]:
    """The registered algorithm and its function ``name(problem, **options) -> Outcome``."""
    if name not in ALGORITHMS:
        raise unknown("algorithm", name, ALGORITHMS)
    entry = ALGORITHMS[name]
    return entry, getattr(import_module(f"climatebn.learning.{entry.module}"), name)


def option_names(name: str) -> list[str]:
    """The options that an algorithm takes beside its problem."""
    return [option for option in inspect.signature(find(name)[1]).parameters if option != "problem"]


def described_options(name: str) -> dict[str, str]:
    """Each option of an algorithm: its type, its default, and its line of the docstring."""
    function = find(name)[1]
    words = _described(inspect.getdoc(function) or "")
    return {
        option: f"{_shown(parameter.annotation)} = {parameter.default!r}: {words.get(option, '')}"
        for option, parameter in inspect.signature(function).parameters.items()
        if option != "problem"
    }


def _shown(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else re.sub(r"\b\w+\.", "", str(annotation))


def _described(docstring: str) -> dict[str, str]:
    """The words for each name in lines ``name, name : words``, with the indented lines that follow them."""
    words: dict[str, str] = {}
    names: list[str] = []
    for line in docstring.splitlines():
        if " : " in line and not line.startswith(" "):
            before, _, after = line.partition(" : ")
            names = before.split(", ")
            words |= dict.fromkeys(names, after)
        elif line.startswith("    ") and names:
            words |= {name: f"{words[name]} {line.strip()}" for name in names}
        else:
            names = []
    return words
