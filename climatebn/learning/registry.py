"""Every algorithm, one line each: its class and where it lives. Loaded on first use."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal

from climatebn.errors import ClimateBNError, unknown
from climatebn.learning.problem import Outcome

Kind = Literal["constraint", "score", "hybrid"]


@dataclass(frozen=True)
class Algorithm:
    """``kind`` is constraint, score or hybrid; ``module`` holds a function of the algorithm's own name.

    ``label`` is its name in figures and reports. ``directs`` is False where only neighbours are found, without asking
    for directions.
    """

    kind: Kind
    module: str
    summary: str
    label: str
    directs: bool = True


ALGORITHMS = {
    "pc_stable": Algorithm("constraint", "constraint.pc_stable", "PC with neighbours frozen per level", "PC-Stable"),
    "grow_shrink": Algorithm("constraint", "constraint.grow_shrink", "Grow-Shrink Markov blankets", "Grow-Shrink"),
    "inter_iamb": Algorithm("constraint", "constraint.inter_iamb", "interleaved IAMB Markov blankets", "Inter-IAMB"),
    "mmpc": Algorithm("constraint", "constraint.mmpc", "max-min parents and children", "MMPC", directs=False),
    "hpc": Algorithm("constraint", "constraint.hpc", "hybrid parents and children", "HPC", directs=False),
    "si_hiton_pc": Algorithm(
        "constraint",
        "constraint.si_hiton_pc",
        "semi-interleaved HITON-PC",
        "SI-HITON-PC",
        directs=False,
    ),
    "hill_climbing": Algorithm("score", "score.hill_climbing", "greedy search over DAGs", "hill climbing"),
    "tabu": Algorithm("score", "score.tabu", "greedy search that may step down and never returns", "tabu"),
    "annealing": Algorithm("score", "score.annealing", "simulated annealing over topological orderings", "annealing"),
    "boss": Algorithm("score", "score.boss", "best order score search over orderings", "BOSS"),
    "best": Algorithm("score", "score.best", "tabu, BOSS, tabu again while it pays; exact where nodes are few", "best"),
    "exact": Algorithm("score", "score.exact", "the optimum by dynamic programming, up to 20 nodes", "exact"),
    "ges": Algorithm("score", "score.ges", "greedy equivalence search over CPDAGs", "GES"),
    "mmhc": Algorithm("hybrid", "hybrid.restrict_maximise", "MMPC, then hill climbing", "MMHC"),
    "rsmax2": Algorithm("hybrid", "hybrid.restrict_maximise", "any restriction, then any score search", "RSMAX2"),
    "h2pc": Algorithm("hybrid", "hybrid.restrict_maximise", "HPC, then hill climbing", "H2PC"),
}


def directing() -> list[str]:
    """The algorithms whose networks have directions, which studies can compare."""
    return [name for name, entry in ALGORITHMS.items() if entry.directs]


def variant(name: str) -> tuple[str, dict[str, Any]]:
    """An algorithm and the options in its name: studies know ``pc_stable:strongest`` as pc_stable, orient="strongest".

    >>> variant("pc_stable:strongest"), variant("tabu")
    (('pc_stable', {'orient': 'strongest'}), ('tabu', {}))
    """
    algorithm, _, orient = name.partition(":")
    if algorithm not in directing():
        raise unknown("algorithm", name, directing())
    if not orient:
        return algorithm, {}
    if "orient" not in option_names(find(algorithm)[1]):
        raise ClimateBNError(
            f"algorithm:rule names how v-structures are directed, which {algorithm} does not do; got {name!r}"
        )
    from climatebn.learning.constraint.collider_rules import RULES

    if orient not in RULES:
        raise unknown("orient", orient, RULES)
    return algorithm, {"orient": orient}


def find(name: str) -> tuple[Algorithm, Callable[..., Outcome]]:
    """The registered algorithm and its function ``name(problem, **options) -> Outcome``."""
    if name not in ALGORITHMS:
        raise unknown("algorithm", name, ALGORITHMS)
    entry = ALGORITHMS[name]
    return entry, getattr(import_module(f"climatebn.learning.{entry.module}"), name)


@cache
def option_names(function: Callable[..., Outcome]) -> tuple[str, ...]:
    """The options that an algorithm's function takes beside its problem."""
    return tuple(option for option in inspect.signature(function).parameters if option != "problem")


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
