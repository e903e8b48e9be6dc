"""What `learn` returns: the graph, whether it is valid, what it cost, and how it was made."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.files import read_text, write_text
from climatebn.graph import Dag, Pdag
from climatebn.html import box
from climatebn.learning.problem import Conflict, Step, Stopped

if TYPE_CHECKING:
    import networkx

    from climatebn.ingest.nodes.nodes import Nodes

SCHEMA = 5
PLACES = ("names", "lat", "lon", "grid_lat", "grid_lon", "on_grid", "polygons", "variable", "lag", "grids")


@public
@dataclass(frozen=True)
class LearnResult:
    """A learned network and its record.

    Attributes
    ----------
    graph : what the algorithm returned: a PDAG (all arcs directed for a search over DAGs).
    dag : the DAG: the one found, or an extension of ``graph`` in which edges run as the knowledge has it; None when
        ``graph`` is not valid (see ``reason``).
    valid : whether ``graph`` extends to a DAG without new v-structures.
    calls : score differences or tests asked for, each once; ``phase_calls`` has them by phase.
    calls_bnlearn, phase_calls_bnlearn : the same as bnlearn counts them: the first test of a subset search, on the
        empty set, counts twice there. Searches by score count alike.
    score : of ``dag``, under the score it was learned with; None where the algorithm asked tests only.
    trace : steps of a search with their gains.
    conflicts : what could not be directed, and why.
    stopped : why the run ended early: "time", "interrupted" or "max_iter"; "" when it ended by itself.
    order : the column order in which the algorithm saw the nodes.
    notes : what was cut short, and what
        the data asks for, in words.
    lags : of a network in time, the months before the present that may act on it; nothing for one month alone.
    nodes, history : places of the nodes, and the lines of the data's history and of learning.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False)
    >>> result.valid, len(result.dag.arcs), result.stopped
    (True, 255, '')
    """

    graph: Pdag
    dag: Dag | None
    valid: bool
    calls: int
    calls_bnlearn: int
    seconds: float
    algorithm: str
    criterion: str
    trace: Sequence[Step] = field(default=(), repr=False)
    conflicts: Sequence[Conflict] = field(default=(), repr=False)
    reason: str = ""
    stopped: Stopped = ""
    score: float | None = None
    notes: Sequence[str] = ()
    phase_calls: dict[str, int] = field(default_factory=dict)
    phase_calls_bnlearn: dict[str, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    order: Sequence[int] = field(default=(), repr=False)
    seed: int | None = None
    versions: dict[str, str] = field(default_factory=dict, repr=False)
    lags: Sequence[int] = ()
    history: str = field(default="", repr=False)
    nodes: "Nodes | None" = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        state = "valid" if self.valid else f"not valid, {len(self.conflicts)} conflicts"
        early = f", stopped: {self.stopped}" if self.stopped else ""
        return (
            f"LearnResult({self.algorithm}, {self.criterion}: {len(self.graph)} nodes, "
            f"{len(self.graph.numbered_skeleton)} arcs, {state}, {self.calls} calls, {self.seconds:.2f} s{early})"
        )

    def _repr_html_(self) -> str:
        facts = {
            "criterion": self.criterion,
            "arcs": f"{len(self.graph.numbered_arcs)} directed, {len(self.graph.numbered_undirected)} undirected",
            "valid": "yes" if self.valid else f"no: {self.reason}",
            "score": None if self.score is None else f"{self.score:.2f}",
            "calls": self.calls,
            "seconds": f"{self.seconds:.2f}",
            "stopped": self.stopped,
            "seed": self.seed,
        }
        sections = {"Notes": self.notes, "Options": self.options, "Versions": self.versions, "History": self.history}
        return box("LearnResult", f"{self.algorithm}, {len(self.graph)} nodes", facts, sections)

    @property
    def record(self) -> dict[str, Any]:
        """How the network was learned, for files: algorithm, criterion, options, order, seed, cost, versions."""
        facts = ("algorithm", "criterion", "options", "seed", "calls", "calls_bnlearn", "seconds", "stopped", "score")
        order = None if list(self.order) == sorted(self.order) else list(self.order)
        more: dict[str, Any] = {"lags": list(self.lags)} if self.lags else {}
        more |= {"order": order, "notes": list(self.notes), "versions": self.versions}
        return {fact: getattr(self, fact) for fact in facts} | more

    def uninterrupted(self) -> "LearnResult":
        """The result itself; raises `KeyboardInterrupt` if Ctrl-C cut the run short, for work that needs the whole.

        Returns
        -------
        LearnResult.

        Raises
        ------
        KeyboardInterrupt where ``stopped`` is "interrupted".

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False)
        >>> result.uninterrupted() is result
        True
        """
        if self.stopped == "interrupted":
            raise KeyboardInterrupt
        return self

    def to_networkx(self) -> "networkx.DiGraph":
        """A directed graph with names as nodes; an undirected edge becomes two arcs marked ``undirected=True``.

        Returns
        -------
        networkx.DiGraph.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False).to_networkx().number_of_nodes()
        72
        """
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(self.graph.names)
        graph.add_edges_from(self.graph.directed, undirected=False)
        for a, b in self.graph.undirected:
            graph.add_edges_from([(a, b), (b, a)], undirected=True)
        return graph

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result as one JSON file; `LearnResult.load` reads it back.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> from tempfile import mkdtemp
        >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False)
        >>> path = mkdtemp() + "/result.json"
        >>> result.save(path)
        >>> LearnResult.load(path).dag == result.dag
        True
        """
        plain = asdict(replace(self, nodes=None, trace=()))
        record = {
            "format": "climatebn result",
            "schema": SCHEMA,
            **{key: value for key, value in plain.items() if key not in ("graph", "dag")},
            "trace": list(self.trace),
            "names": self.graph.names,
            "directed": self.graph.numbered_arcs.tolist(),
            "undirected": self.graph.numbered_undirected.tolist(),
            "dag": None if self.dag is None else self.dag.numbered_arcs.tolist(),
            "nodes": None if self.nodes is None else {part: _plain(getattr(self.nodes, part)) for part in PLACES},
        }
        write_text(path, json.dumps(record, ensure_ascii=False))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "LearnResult":
        """Read a result that `save` wrote; what it says of itself is checked again.

        Parameters
        ----------
        path : a file that `save` wrote.

        Returns
        -------
        LearnResult.

        Raises
        ------
        ClimateBNError where the file is not there, is damaged, or is of another kind.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/result.json"
        >>> cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False).save(path)
        >>> LearnResult.load(path).algorithm
        'hill_climbing'
        """
        try:
            record = json.loads(read_text(path, "climatebn result"))
        except (json.JSONDecodeError, RecursionError) as error:
            raise ClimateBNError(f"{path} is not a climatebn result: {error}") from None
        if not isinstance(record, dict) or record.get("format") != "climatebn result":
            raise ClimateBNError(f"{path} is not a climatebn result")
        if record.get("schema") != SCHEMA:
            raise ClimateBNError(
                f"{path} has schema {record.get('schema')}; this climatebn reads schema {SCHEMA}: learn again"
            )
        try:
            names = record.pop("names")
            graph = Pdag.from_edges(names, record.pop("directed"), record.pop("undirected"))
            arcs = record.pop("dag")
            record["nodes"] = _places(record["nodes"])
            dag = None if arcs is None else Dag.from_arcs(names, arcs)
            _require_consistent(graph, dag, record["valid"])
            record["trace"] = tuple(Step(*step) for step in record["trace"])
            for name in ("notes", "order", "lags"):
                record[name] = tuple(record[name])
            record["conflicts"] = tuple(Conflict(tuple(nodes), why) for nodes, why in record["conflicts"])
            del record["format"], record["schema"]
            return cls(graph, dag, **record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ClimateBNError(f"{path} is damaged: {error}") from None


def _plain(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: [axis.tolist() for axis in axes] for name, axes in values.items()}
    return list(values) if isinstance(values, tuple) else None if values is None else values.tolist()


def _places(parts: dict[str, Any] | None) -> "Nodes | None":
    if parts is None:
        return None
    from climatebn.ingest.nodes.nodes import Nodes

    grids = {name: (np.array(lat), np.array(lon)) for name, (lat, lon) in parts["grids"].items()}
    return Nodes(**{part: parts[part] for part in PLACES} | {"grids": grids})


def _require_consistent(graph: Pdag, dag: Dag | None, valid: Any) -> None:
    """Raise an error unless a result's DAG is one of its graph, and ``valid`` says whether there is one."""
    if valid is not (dag is not None):
        raise ClimateBNError(f"valid is {valid!r}, but there is {'no' if dag is None else 'a'} dag")
    if dag is None:
        return
    arcs, wanted = (set(map(tuple, each.numbered_arcs.tolist())) for each in (dag, graph))
    if not np.array_equal(dag.numbered_skeleton, graph.numbered_skeleton) or not wanted <= arcs:
        raise ClimateBNError("its dag does not have the arcs and edges of its graph")
