"""Goodness of fit by the number of arcs: the log-likelihood of seen and held-out months along the steps of a search."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError, public
from climatebn.graph.numbering import node_numbers
from climatebn.kernels.constants import COLLINEAR
from climatebn.learning.result import LearnResult
from climatebn.network.columns import aligned
from climatebn.network.fitting import regress, standardise


@public
def goodness(result: LearnResult, seen: Any, held_out: Any) -> pd.DataFrame:
    """Mean log-likelihood of a month, in the units of the data, after each step of a score-based search.

    Parameters
    ----------
    result : LearnResult with a trace (hill_climbing, tabu, hybrid algorithms).
    seen, held_out : months that it was learned from, and others, with the same nodes.

    Returns
    -------
    DataFrame with step (0 is the start), arcs, seen, held_out: nats a month.

    Raises
    ------
    ClimateBNError where the algorithm leaves no trace.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> early, late = tropics.sel(time=slice("1981", "2000")), tropics.sel(time=slice("2001", "2010"))
    >>> result = cb.learn(early, "hill_climbing", cb.BIC(gamma=1), progress=False)
    >>> table = cb.analysis.goodness(result, early, late)
    >>> table.columns.tolist(), bool(table["held_out"].iloc[-1] > table["held_out"].iloc[0])
    (['step', 'arcs', 'seen', 'held_out'], True)
    """
    if not len(result.trace):
        raise ClimateBNError(f"goodness needs the trace of a search; {result.algorithm} has none")
    names = result.graph.names
    learned, other = aligned(names, seen).values, aligned(names, held_out).values
    sample = standardise(learned, names)
    fresh = (other - sample.mean) / sample.sd

    def node(child: int, parents: set[int]) -> np.ndarray:
        """Mean log-density of one node in the seen and in the held-out months."""
        columns = sorted(parents)
        weights, _ = regress(sample.rows[:, child], sample.rows[:, columns])
        squares = [np.mean((rows[:, child] - rows[:, columns] @ weights) ** 2) for rows in (sample.rows, fresh)]
        variance = max(squares[0], COLLINEAR)
        constant = np.log(2 * np.pi * variance * sample.sd[child] ** 2)
        return -(constant + np.array(squares) / variance) / 2

    parents = _start(result, names)
    terms = np.array([node(child, found) for child, found in enumerate(parents)])
    rows = [(0, sum(map(len, parents)), *terms.sum(axis=0))]
    for number, step in enumerate(result.trace, start=1):
        for child in _apply(parents, step, names):
            terms[child] = node(child, parents[child])
        rows.append((number, sum(map(len, parents)), *terms.sum(axis=0)))
    table = pd.DataFrame(rows, columns=["step", "arcs", "seen", "held_out"])
    words = {"seen": "log-likelihood of a month learned from", "held_out": "log-likelihood of a month not learned from"}
    table.attrs = {"units": {"arcs": "1", "seen": "nat", "held_out": "nat"}, "long_name": words}
    return table


def _apply(parents: list[set[int]], step: Any, names: Sequence[str]) -> list[int]:
    """Change the parents as the step does; the nodes that it concerns."""
    [(source, target)] = node_numbers(names, [(step.source, step.target)])
    if step.move == "add":
        parents[target].add(source)
        return [target]
    parents[target].remove(source)
    if step.move == "reverse":
        parents[source].add(target)
        return [source, target]
    return [target]


def _start(result: Any, names: Sequence[str]) -> list[set[int]]:
    """Parents before the first step: required arcs, which no step added."""
    parents: list[set[int]] = [set() for _ in names]
    seen: set[tuple[str, str]] = set()
    for step in result.trace:
        arc = (step.source, step.target)
        if step.move != "add" and arc not in seen:
            parents[names.index(arc[1])].add(names.index(arc[0]))
        seen |= {arc, arc[::-1]} if step.move == "reverse" else {arc}
    for arc in result.dag.arcs if result.dag is not None else ():
        if arc not in seen:
            parents[names.index(arc[1])].add(names.index(arc[0]))
    return parents
