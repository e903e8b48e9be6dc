r"""A discrete Bayesian network: one conditional table a node, P(x) = Π_i P(x_i | parents of i).

Maximum likelihood is n_ijk / n_ij; an imaginary sample size spreads iss/(r_i q_i) over the cells first. Parents that
never took a configuration in the data say nothing about the child there: its distribution is uniform.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.errors import ClimateBNError, public, real_array, unknown, whole
from climatebn.graph import Dag
from climatebn.html import box
from climatebn.kernels.discrete.sample import configurations, draw
from climatebn.network.levels import coded
from climatebn.provenance import array_hash, history_line
from climatebn.rng import generator

if TYPE_CHECKING:
    import xarray as xr

LARGEST = 1 << 27  # cells of one table: 1 GB


@public
@dataclass(frozen=True, eq=False)
class DiscreteBN:
    """A DAG with a table for each node.

    Parameters
    ----------
    dag : the structure.
    levels : the names of the levels of each node.
    tables : for each node an array (levels of its parents …, its own levels), parents in the order of
        ``dag.numbered_parents``; the last axis sums to 1 (within 1e-5; it is scaled to sum to 1 exactly).
    n : number of observations that the tables were fitted to, if they were.
    learned : how the structure was learned (algorithm, criterion, options, order, seed, calls, versions), if it was.

    Examples
    --------
    >>> import climatebn as cb
    >>> rain = cb.DiscreteBN(
    ...     cb.Dag.from_arcs(["rain", "wet"], [("rain", "wet")]),
    ...     [("no", "yes"), ("no", "yes")],
    ...     [[0.8, 0.2], [[0.9, 0.1], [0.0, 1.0]]],
    ... )
    >>> rain.condition({"wet": "yes"})["rain"].round(3).to_dict()
    {'no': 0.286, 'yes': 0.714}
    """

    dag: Dag
    levels: Sequence[Sequence[str]]
    tables: Sequence[Any] = field(repr=False)
    n: int | None = None
    history: str = field(default="", repr=False)
    learned: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        levels = tuple(tuple(map(str, names)) for names in self.levels)
        if not len(levels) == len(self.tables) == len(self.dag):
            raise ClimateBNError(
                f"levels and tables must have one entry a node: {len(self.dag)} nodes, "
                f"{len(levels)} level lists, {len(self.tables)} tables"
            )
        for name, own in zip(self.dag.names, levels, strict=True):
            if not own or len(set(own)) < len(own):
                raise ClimateBNError(f"levels of {name} must be one or more different names; got {own}")
        object.__setattr__(self, "levels", levels)
        tables = tuple(self._checked(node, table) for node, table in enumerate(self.tables))
        object.__setattr__(self, "tables", tables)

    def _checked(self, node: int, table: Any) -> np.ndarray:
        name = self.dag.names[node]
        array = real_array(f"the table of {name}", table)
        shape = tuple(len(self.levels[i]) for i in (*self.dag.numbered_parents[node], node))
        if array.shape != shape:
            raise ClimateBNError(f"the table of {name} must have shape {shape}; it has {array.shape}")
        sums = array.sum(axis=-1)
        if not ((array >= 0).all() and (np.abs(sums - 1) < 1e-5).all()):
            raise ClimateBNError(f"the table of {name} must hold probabilities that sum to 1 over its own levels")
        off = np.abs(sums - 1) > 1e-14  # rows that are right stay as they are, so that files round-trip
        array[off] /= sums[off, None]
        array.flags.writeable = False
        return array

    @classmethod
    def fit(cls, dag: Dag, data: Any, iss: float = 0.0) -> "DiscreteBN":
        """Tables from discrete data by maximum likelihood, or smoothed with imaginary sample size ``iss``.

        Parameters
        ----------
        dag : the structure.
        data : DataFrame of categories, or DiscreteStats; columns are found by the names of the nodes.
        iss : imaginary sample size, 0 for maximum likelihood.

        Returns
        -------
        DiscreteBN.

        Raises
        ------
        ClimateBNError where ``iss`` is below 0, or columns are missing.

        Examples
        --------
        >>> import climatebn as cb
        >>> rows = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 0]], levels=[2, 2], names="ab")
        >>> cb.DiscreteBN.fit(cb.Dag.from_arcs("ab", [("a", "b")]), rows).tables[1].tolist()
        [[1.0, 0.0], [0.5, 0.5]]
        """
        if not iss >= 0:
            raise ClimateBNError(f"iss must be 0 or more; got {iss!r}")
        codes, levels = coded(dag.names, data)
        if not len(codes):
            raise ClimateBNError("data has no rows to fit tables to")
        sizes = np.array([len(names) for names in levels])
        tables = []
        for node, parents in enumerate(dag.numbered_parents):
            shape = tuple(sizes[[*parents, node]].tolist())
            cells = float(np.prod(shape, dtype=np.float64))
            if cells > LARGEST:
                raise ClimateBNError(
                    f"the table of {dag.names[node]} would have {cells:.3g} cells; learn with fewer parents "
                    "(Knowledge(max_parents=…)) or a stricter criterion"
                )
            columns = np.array([*parents, node])
            counts = np.bincount(configurations(codes, columns, sizes[columns]), minlength=int(cells))
            weights = counts.reshape(shape) + iss / cells
            total = weights.sum(axis=-1, keepdims=True)
            seen = np.broadcast_to(total > 0, shape)
            tables.append(np.divide(weights, total, out=np.full(shape, 1 / shape[-1]), where=seen))
        line = history_line("DiscreteBN.fit", {"iss": iss}, input=array_hash(codes), arcs=len(dag.numbered_arcs))
        return cls(dag, levels, tables, len(codes), line)

    def __repr__(self) -> str:
        return f"DiscreteBN({len(self.dag)} nodes, {len(self.dag.numbered_arcs)} arcs, {self.parameters} parameters)"

    def _repr_html_(self) -> str:
        sizes = self._sizes
        facts = {
            "arcs": len(self.dag.numbered_arcs),
            "free probabilities": self.parameters,
            "levels": f"{sizes.min()} … {sizes.max()} a node" if len(sizes) else "",
            "observations": self.n,
        }
        return box("DiscreteBN", f"{len(self.dag)} nodes", facts, {"Learned": self.learned, "History": self.history})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self.dag.names

    @property
    def parameters(self) -> int:
        """Number of free probabilities, Σ (r_i − 1) q_i."""
        return sum(table.size // table.shape[-1] * (table.shape[-1] - 1) for table in self.tables)

    def loglik(self, data: Any) -> float:
        """Log-likelihood of ``data``; −inf when it holds something impossible.

        Parameters
        ----------
        data : DataFrame of categories, or DiscreteStats, with the levels of the network.

        Returns
        -------
        nats, for all rows together.

        Examples
        --------
        >>> import climatebn as cb
        >>> child = cb.reference_network("child")
        >>> child.loglik(child.sample(10, seed=1)) < 0
        True
        """
        codes, _ = coded(self.names, data, self.levels)
        total = 0.0
        for node, parents in enumerate(self.dag.numbered_parents):
            columns = np.array([*parents, node])
            numbers = configurations(codes, columns, self._sizes[columns])
            counts = np.bincount(numbers, minlength=self.tables[node].size)
            met = counts > 0
            with np.errstate(divide="ignore"):
                total += float(counts[met] @ np.log(self.tables[node].ravel()[met]))
        return total

    def sample(self, n: int, seed: int | np.random.Generator | None = None) -> pd.DataFrame:
        """``n`` independent observations, one categorical column a node.

        Parameters
        ----------
        n : number of draws.
        seed : the same seed gives the same draws.

        Returns
        -------
        DataFrame.

        Examples
        --------
        >>> import climatebn as cb
        >>> cb.reference_network("child").sample(500, seed=1).shape
        (500, 20)
        """
        codes = self._draw(n, seed)
        columns = {
            name: pd.Categorical.from_codes(codes[:, i], categories=pd.Index(self.levels[i]))
            for i, name in enumerate(self.names)
        }
        return pd.DataFrame(columns)

    def sample_stats(self, n: int, seed: int | np.random.Generator | None = None) -> DiscreteStats:
        """``n`` independent observations (3 or more) as integer codes, which is what learning reads.

        Parameters
        ----------
        n : number of draws.
        seed : the same seed gives the same draws.

        Returns
        -------
        DiscreteStats.

        Examples
        --------
        >>> import climatebn as cb
        >>> cb.reference_network("child").sample_stats(10, seed=1).codes.shape
        (10, 20)
        """
        return DiscreteStats(self._draw(n, seed), self._sizes.tolist(), self.names)

    def _draw(self, n: int, seed: int | np.random.Generator | None) -> np.ndarray:
        n = whole("n", n, least=1)
        rng = generator(seed, "sample")
        codes = np.empty((n, len(self.dag)), dtype=np.int32, order="F")
        for node in self.dag.numbered_order:
            columns = np.array(self.dag.numbered_parents[node], dtype=np.int64)
            table = self.tables[node].reshape(-1, len(self.levels[node]))
            later = np.zeros(table.shape, dtype=bool)  # whether any later level is possible
            later[:, :-1] = np.cumsum(table[:, :0:-1], axis=1)[:, ::-1] > 0
            cumulative = np.where(later, np.cumsum(table, axis=1), 2.0)  # 2 is above every uniform number
            numbers = configurations(codes, columns, self._sizes[columns])
            draw(numbers, cumulative, rng.random(n), codes[:, node])
        return codes

    def condition(self, evidence: Mapping[str, str], nodes: Sequence[str] | None = None) -> dict[str, pd.Series]:
        """Exact distribution of each node (all of them, or ``nodes``) given levels of others.

        One elimination serves all of them: ask for many nodes in one call.

        Parameters
        ----------
        evidence : a level for each given node, by name.
        nodes : names of the nodes asked for; all when left out.

        Returns
        -------
        dict of Series: the probability of each level, by node.

        Raises
        ------
        ClimateBNError where the evidence is impossible, or a name or level is not there.

        Examples
        --------
        >>> import climatebn as cb
        >>> rain = cb.DiscreteBN(
        ...     cb.Dag.from_arcs(["rain", "wet"], [("rain", "wet")]),
        ...     [("no", "yes"), ("no", "yes")],
        ...     [[0.8, 0.2], [[0.9, 0.1], [0.0, 1.0]]],
        ... )
        >>> rain.condition({"wet": "yes"}, ["rain"])["rain"].round(3).to_dict()
        {'no': 0.286, 'yes': 0.714}
        """
        from climatebn.network.inference import marginals

        wanted, fixed = self._numbered(self.names if nodes is None else nodes, evidence)
        found = marginals(self.dag, self.tables, wanted, fixed)
        return {
            self.names[i]: pd.Series(values, index=pd.Index(self.levels[i], name=self.names[i]), name="probability")
            for i, values in found.items()
        }

    def joint(self, nodes: Sequence[str], evidence: Mapping[str, str] | None = None) -> "xr.DataArray":
        """Exact joint distribution of some nodes given levels of others, by variable elimination.

        Parameters
        ----------
        nodes : names of the nodes asked for.
        evidence : a level for each given node, by name.

        Returns
        -------
        DataArray of probabilities, a dimension a node.

        Raises
        ------
        ClimateBNError where the evidence is impossible, or a name or level is not there.

        Examples
        --------
        >>> import climatebn as cb
        >>> rain = cb.DiscreteBN(
        ...     cb.Dag.from_arcs(["rain", "wet"], [("rain", "wet")]),
        ...     [("no", "yes"), ("no", "yes")],
        ...     [[0.8, 0.2], [[0.9, 0.1], [0.0, 1.0]]],
        ... )
        >>> rain.joint(["rain", "wet"]).sel(rain="no", wet="no").round(3).item()
        0.72
        """
        import xarray as xr

        from climatebn.network.inference import joint

        wanted, fixed = self._numbered(nodes, evidence or {})
        values = joint(self.dag, self.tables, wanted, fixed)
        axes = [(self.names[i], list(self.levels[i])) for i in wanted]
        return xr.DataArray(values, axes, name="probability")

    def _numbered(self, nodes: Sequence[str], evidence: Mapping[str, str]) -> tuple[list[int], dict[int, int]]:
        number = {name: i for i, name in enumerate(self.names)}
        for name in (*nodes, *evidence):
            if name not in number:
                raise unknown("node", name, self.names)
        fixed = {number[name]: self._level(number[name], level) for name, level in evidence.items()}
        return [number[name] for name in nodes], fixed

    def _level(self, node: int, level: str) -> int:
        if level not in self.levels[node]:
            raise unknown(f"level of {self.names[node]}", level, self.levels[node])
        return self.levels[node].index(level)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the network as one NetCDF file; `climatebn.load_network` reads it back.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/child.nc"
        >>> cb.reference_network("child").save(path)
        >>> len(cb.load_network(path).names)
        20
        """
        from climatebn.network.store import save

        save(self, path)

    @cached_property
    def _sizes(self) -> np.ndarray:
        return np.array([len(names) for names in self.levels], dtype=np.int64)
