"""Restrict, maximise: a constraint-based algorithm says which pairs may be adjacent, a score search directs them.

Only the skeleton passes from the first phase to the second; every edge of it may be taken in either direction.
"""

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public, short
from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.registry import find

Options = Mapping[str, Any]


@public
def mmhc(
    problem: Problem, *, restrict_options: Options | None = None, maximise_options: Options | None = None
) -> Outcome:
    """Max-min hill climbing: `mmpc`, then `hill_climbing` (Tsamardinos, Brown and Aliferis 2006).

    Parameters
    ----------
    restrict_options : options of the first phase, e.g. ``{"max_condset": 3}``.
    maximise_options : options of the second phase, e.g. ``{"max_iter": 100}``.
    """
    return _hybrid(problem, "mmpc", "hill_climbing", restrict_options, maximise_options)


@public
def h2pc(
    problem: Problem, *, restrict_options: Options | None = None, maximise_options: Options | None = None
) -> Outcome:
    """Hybrid HPC: `hpc`, then `hill_climbing` (Gasse, Aussem and Elghazel 2014).

    On discrete data `hpc` keeps some true edges that bnlearn 5.2.1 loses.

    Parameters
    ----------
    restrict_options : options of the first phase, e.g. ``{"max_condset": 3}``.
    maximise_options : options of the second phase, e.g. ``{"max_iter": 100}``.
    """
    return _hybrid(problem, "hpc", "hill_climbing", restrict_options, maximise_options)


@public
def rsmax2(
    problem: Problem,
    *,
    restrict: str = "si_hiton_pc",
    maximise: str = "hill_climbing",
    restrict_options: Options | None = None,
    maximise_options: Options | None = None,
) -> Outcome:
    """Any constraint-based algorithm, then any score search that can be restricted.

    Parameters
    ----------
    restrict : name of a constraint-based algorithm.
    maximise : name of a score search.
    restrict_options : options of the first, e.g. ``{"max_condset": 3}``.
    maximise_options : options of the second, e.g. ``{"max_iter": 100}``.
    """
    return _hybrid(problem, restrict, maximise, restrict_options, maximise_options)


def _hybrid(
    problem: Problem, restrict: str, maximise: str, restrict_options: Options | None, maximise_options: Options | None
) -> Outcome:
    for name, given in (("restrict_options", restrict_options), ("maximise_options", maximise_options)):
        if given is not None and not isinstance(given, Mapping):
            raise ClimateBNError(f"{name} must be a mapping, e.g. {{'max_iter': 100}}; got {short(given)}")
    first, find_skeleton = find(restrict)
    second, search = find(maximise)
    if first.kind != "constraint":
        raise ClimateBNError(f"restrict must be a constraint-based algorithm; {restrict} is {first.kind}-based")
    if second.kind != "score" or "candidates" not in inspect.signature(search).parameters:
        raise ClimateBNError(f"maximise must be a score search that takes candidates; {maximise} does not")
    limits = replace(problem.knowledge, max_parents=None)  # a matter of the second phase
    skeleton = find_skeleton(replace(problem, knowledge=limits), orient=False, **(restrict_options or {}))
    candidates = np.zeros((len(problem.stats.names),) * 2, dtype=np.bool_)
    for i, j in skeleton.undirected:
        candidates[i, j] = candidates[j, i] = True
    network = search(problem, candidates=candidates, **(maximise_options or {}))
    return replace(
        network,
        calls={"restrict": sum(skeleton.calls.values()), "maximise": sum(network.calls.values())},
        calls_bnlearn={"restrict": sum(skeleton.phases_bnlearn().values())},
        stopped=skeleton.stopped or network.stopped,
        notes=[
            f"{phase}: {note}" for phase, one in (("restrict", skeleton), ("maximise", network)) for note in one.notes
        ],
    )
