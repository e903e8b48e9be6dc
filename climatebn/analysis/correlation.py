r"""The network that climate scientists know: pairs of nodes with the largest |correlation|, as many as a BN has arcs.

Its own answer to evidence reaches direct neighbours only, each as in a joint normal distribution with the evidence
nodes that it is joined to: with one, X_j | X_i = e ~ N(r e, 1 − r²) in sd. It has no rule to go further.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from climatebn.errors import ClimateBNError, unknown
from climatebn.graph import Pdag
from climatebn.html import box
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.condition import Conditional
from climatebn.network.evidence import Evidence, inverse_root, locate, require_possible
from climatebn.network.fitting import standardise
from climatebn.provenance import array_hash, history_line, with_history

BLOCK = 128  # rows of the correlation matrix held at once


@dataclass(frozen=True, eq=False, repr=False)
class CorrelationNetwork:
    """Undirected edges with their correlations; ``threshold`` is the smallest absolute correlation among them.

    ``graph.undirected`` and ``correlations`` have the same order. Evidence and answers are in sd unless asked in data
    units.
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

    def condition(self, evidence: Evidence, units: Literal["sd", "data"] | None = None) -> Conditional:
        """Mean and sd of every node given the evidence at its direct neighbours."""
        if units not in (None, "sd", "data"):
            raise unknown("units", units, ("sd", "data"))
        in_data = units == "data"
        shift, factor = (self.centre, self.spread) if in_data else (0 * self.centre, np.ones_like(self.spread))
        why = "a correlation network answers values of single nodes only"
        numbers, stated = locate(evidence, self.names, self.nodes, why)
        at, names = np.array(numbers, dtype=np.int64), [self.names[i] for i in numbers]
        values = (stated - shift[at]) / factor[at]
        require_possible(names, values)
        correlation = self.rows[:, at].T @ self.rows / (self.n - 1)  # evidence × node
        if len(at):
            inverse_root(names, correlation[:, at], values)
        mean, variance = np.zeros(len(self.names)), np.ones(len(self.names))
        for node in sorted(set().union(*(self._neighbours[i] for i in numbers)) - set(numbers)):
            joined = np.array([k for k, i in enumerate(numbers) if i in self._neighbours[node]])
            root = inverse_root([names[k] for k in joined], correlation[np.ix_(joined, at[joined])], values[joined])
            response = correlation[joined, node] @ root
            mean[node] = response @ (root.T @ values[joined])
            variance[node] = max(1 - response @ response, 0.0)
        mean[at], variance[at] = values, 0.0
        label = self.units if in_data else "sd"
        return Conditional(
            names=self.names,
            mean=mean * factor + shift,
            sd=np.sqrt(variance) * factor,
            evidence=dict(zip(names, stated.tolist(), strict=True)),
            units=label,
            nodes=self.nodes,
            given=np.isin(np.arange(len(self.names)), at),
            words=", ".join(f"{name} = {value:g} {label}".rstrip() for name, value in zip(names, stated, strict=True)),
        )


def correlation_network(data: Any, arcs: int) -> CorrelationNetwork:
    """The ``arcs`` pairs of nodes with the largest absolute correlation.

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
