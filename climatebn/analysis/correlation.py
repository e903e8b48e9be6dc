r"""The network that climate scientists know: pairs of nodes with the largest |correlation|, as many as a BN has arcs.

Its own answer to evidence reaches direct neighbours only, each as in a joint normal distribution with the evidence
that it is joined to: with one node, X_j | X_i = e ~ N(r e, 1 − r²) in sd. It has no rule to go further.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, require_nodes
from climatebn.graph import Pdag
from climatebn.html import box
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.condition import Conditional
from climatebn.network.evidence import Evidence, observations
from climatebn.network.evidence_field import node_values
from climatebn.network.fitting import standardise
from climatebn.network.interval import Truncated
from climatebn.network.joint_normal import JointNormal, sample_product
from climatebn.network.linear_gaussian import Units
from climatebn.provenance import array_hash, history_line, with_history

BLOCK = 128  # rows of the correlation matrix held at once


@public
@dataclass(frozen=True, eq=False, repr=False)
class CorrelationNetwork:
    """Pairs of nodes with the largest absolute correlations; made by `correlation_network`.

    Evidence and answers are in sd unless asked in data units.

    Attributes
    ----------
    graph : the undirected edges.
    correlations : of each, in the order of ``graph.undirected``.
    threshold : the smallest absolute correlation among them.
    rows : the standardised data (observation × node).
    centre, spread : mean and standard deviation of each node, in the units of the data.
    nodes : places of the nodes; None without geometry.
    units, history : of the data.

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> x = np.random.default_rng(1).normal(size=(50, 3))
    >>> x[:, 2] += 2 * x[:, 0]
    >>> cb.analysis.correlation_network(x, arcs=1)
    CorrelationNetwork(3 nodes, 1 edges, |correlation| ≥ 0.893)
    """

    graph: Pdag
    correlations: np.ndarray
    threshold: float
    rows: np.ndarray  # standardised data
    centre: np.ndarray
    spread: np.ndarray
    nodes: Nodes | None = None
    units: str = ""
    history: str = ""

    def __repr__(self) -> str:
        edges = len(self.graph.numbered_undirected)
        return f"CorrelationNetwork({len(self.names)} nodes, {edges} edges, |correlation| ≥ {self.threshold:.3f})"

    def _repr_html_(self) -> str:
        facts = {
            "edges": len(self.graph.numbered_undirected),
            "|correlation|": f"≥ {self.threshold:.3f}",
            "observations": self.n,
            "units": self.units,
        }
        return box("CorrelationNetwork", f"{len(self.names)} nodes", facts, {"History": self.history})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return self.graph.names

    @property
    def lat(self) -> np.ndarray | None:
        """Degrees north of each node; None without geometry."""
        return None if self.nodes is None else self.nodes.lat

    @property
    def lon(self) -> np.ndarray | None:
        """Degrees east of each node; None without geometry."""
        return None if self.nodes is None else self.nodes.lon

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.rows)

    @property
    def arc_loglik(self) -> np.ndarray:
        """Log-likelihood that each edge alone is worth: −n/2 · log(1 − r²)."""
        return -self.n / 2 * np.log1p(-np.minimum(self.correlations**2, 1 - 1e-12))

    @cached_property
    def _neighbours(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.names]
        for a, b in self.graph.numbered_undirected.tolist():
            found[a].add(b)
            found[b].add(a)
        return found

    @cached_property
    def sample(self) -> JointNormal:
        """The joint normal distribution with the correlations of the data."""
        product = partial(sample_product, self.rows)
        return JointNormal(self.names, product, self.centre, self.spread, self.nodes, self.units, self.history)

    def reach(self, numbers: Sequence[int]) -> np.ndarray:
        """Whether each node is one of these (by column number) or joined to one.

        Parameters
        ----------
        numbers : column numbers of nodes.

        Returns
        -------
        array of booleans, one a node.

        Examples
        --------
        >>> x = np.random.default_rng(1).normal(size=(50, 3))
        >>> x[:, 2] += 2 * x[:, 0]
        >>> correlation_network(x, arcs=1).reach([0]).tolist()
        [True, False, True]
        """
        require_nodes(len(self.names), numbers)
        reached = np.zeros(len(self.names), dtype=bool)
        reached[[*numbers, *(node for i in numbers for node in self._neighbours[i])]] = True
        return reached

    def condition(self, evidence: Evidence, units: Units | None = None) -> Conditional:
        """Mean and sd of every node given the evidence at its direct neighbours.

        Evidence on a region or combination reaches the nodes that take part in it and those joined to one of them. An
        interval is answered where it is the only evidence.

        Parameters
        ----------
        evidence : a value for each node (by name or by place), region or combination; or a field of values.
        units : of evidence and answer, "sd" (when left out) or "data".

        Returns
        -------
        `Conditional`: mean and sd of every node.

        Raises
        ------
        ClimateBNError where an interval is not the only evidence.

        Examples
        --------
        >>> x = np.random.default_rng(1).normal(size=(50, 3))
        >>> x[:, 2] += 2 * x[:, 0]
        >>> answer = correlation_network(x, arcs=1).condition({"X1": 2.0})
        >>> answer.mean.round(2).tolist(), answer.sd.round(2).tolist()
        ([2.0, 0.0, 1.79], [0.0, 1.0, 0.45])
        """
        given = node_values(evidence, self.names, self.nodes) if isinstance(evidence, xr.DataArray) else evidence
        asked = observations(given, self.names, self.nodes)
        if len(asked) > 1 and not all(one.exact for one in asked):
            raise ClimateBNError("a correlation network answers an interval only where it is the only evidence")
        whole, before = (self.sample.condition(known, units) for known in (given, {}))
        reached = np.array([self.reach(one.quantity.numbers) for one in asked]).reshape(-1, len(self.names))
        fixed = [one.quantity.numbers[0] for one in asked if one.exact and one.quantity.node is not None]
        reached[:, fixed] = True
        mean, sd = before.mean.copy(), before.sd.copy()
        for pattern, here in _alike(reached):
            told = {key: value for (key, value), is_told in zip(given.items(), pattern, strict=True) if is_told}
            after = whole if pattern.all() else self.sample.condition(told, units)
            mean[here], sd[here] = after.mean[here], after.sd[here]
        return replace(whole, mean=mean, sd=sd, truncated=_cut(whole.truncated, before, reached))


def _alike(reached: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Which evidence reaches a node, and the nodes for which that is so; those that none reaches are left out."""
    patterns, number = np.unique(reached, axis=1, return_inverse=True)
    for i, pattern in enumerate(patterns.T):
        if pattern.any():
            yield pattern, np.ravel(number) == i


def _cut(truncated: Truncated | None, before: Conditional, reached: np.ndarray) -> Truncated | None:
    """The answer to an interval at the nodes that it reaches; elsewhere they are as before."""
    if truncated is None:
        return None
    here = reached[0]
    return replace(
        truncated,
        mean=np.where(here, truncated.mean, before.mean),
        slope=np.where(here, truncated.slope, 0.0),
        sd=np.where(here, truncated.sd, before.sd),
    )


@public
def correlation_network(data: Any, arcs: int) -> CorrelationNetwork:
    """The ``arcs`` pairs of nodes with the largest absolute correlation.

    Parameters
    ----------
    data : NodeData, DataFrame or 2-D array of numbers.
    arcs : number of pairs to keep, 1 … N(N − 1)/2.

    Returns
    -------
    `CorrelationNetwork`; it asks like a fitted network.

    Raises
    ------
    ClimateBNError where the data is discrete, or ``arcs`` is more than there are pairs.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(1).normal(size=(50, 3))
    >>> x[:, 2] += 2 * x[:, 0]
    >>> correlation_network(x, arcs=1).graph.undirected
    [('X1', 'X3')]
    """
    table = to_table(data)
    if table.levels is not None:
        raise ClimateBNError("correlation_network needs numeric data; this is discrete")
    size = len(table.names)
    if not 1 <= arcs <= size * (size - 1) // 2:
        raise ClimateBNError(f"arcs must be 1 … {size * (size - 1) // 2}, the number of pairs of nodes; got {arcs}")
    sample = standardise(table.values, table.names)
    first, second, correlation = _strongest(sample.rows, arcs)
    line = history_line("correlation_network", {"arcs": arcs}, input=array_hash(table.values))
    nodes = getattr(data, "nodes", None)
    return CorrelationNetwork(
        graph=Pdag(table.names, np.zeros((0, 2)), np.stack([first, second], axis=1)),
        correlations=correlation,
        threshold=float(np.abs(correlation).min()),
        rows=sample.rows,
        centre=sample.mean,
        spread=sample.sd,
        nodes=nodes if isinstance(nodes, Nodes) else None,
        units=getattr(data, "units", None) or "",
        history=with_history(dict(getattr(data, "attrs", None) or {}), line)["history"],
    )


def _strongest(rows: np.ndarray, arcs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs (first < second) of largest |correlation|, sorted; ties go to the smaller numbers."""
    best = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    for start in range(0, rows.shape[1], BLOCK):
        block = rows[:, start : start + BLOCK].T @ rows[:, start:] / (len(rows) - 1)
        upper = np.triu(np.ones(block.shape, dtype=bool), 1)
        if len(best[2]) == arcs:
            upper &= np.abs(block) > np.abs(best[2]).min()
        first, second = np.nonzero(upper)
        found = first + start, second + start, block[first, second]
        both = [np.concatenate(pair) for pair in zip(best, found, strict=True)]
        keep = np.argsort(-np.abs(both[2]), kind="stable")[:arcs]
        best = (both[0][keep], both[1][keep], both[2][keep])
    order = np.lexsort((best[1], best[0]))
    return best[0][order], best[1][order], best[2][order]
