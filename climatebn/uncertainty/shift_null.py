r"""A null for distant links: how many long arcs are found when no distant link exists.

The places are parted into regions, and each region's months are shifted circularly by a random number of whole years.
All that is local stays (variances, seasons, persistence, correlations within a region); what joins distant regions in
the same month is gone. Arcs between regions whose shifts differ by three years or more are due to chance; their number
is scaled by all pairs over eligible pairs of places that far apart. Links across the borders of regions are cut too and
come back as longer ones, so the count is an upper bound of what chance gives (about 30 % above at γ = 0.5).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from climatebn.analysis.arcs import TELECONNECTION_KM, teleconnections
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import MANY, ClimateBNError, number, public, real_array, unknown
from climatebn.ingest.nodes.lags import in_time, whole_lags
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.season import year_blocks
from climatebn.ingest.nodes.whitening import whiten as innovations
from climatebn.jobs.runner import stored_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.rng import generator
from climatebn.uncertainty.partition import partition
from climatebn.uncertainty.relearning import chosen_executor

APART = 3  # years that two regions' shifts differ by at least, circularly, to be counted
Whiten = bool | Mapping[str, Any]


@public
@dataclass(frozen=True)
class DistantNull:
    """Long arcs found, and long arcs expected without any distant link.

    Attributes
    ----------
    real : number of arcs longer than ``min_km``.
    null : the same in each draw, scaled to all pairs of places.
    table : the arcs of the data, the strongest first, with km, strength and fdr.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> found = cb.distant_null(tropics, "hill_climbing", cb.BIC(gamma=1), draws=2, regions=6, progress=False)
    >>> found.real == (found.table["km"] > 5000).sum(), len(found.null)
    (np.True_, 2)
    """

    real: int
    null: np.ndarray
    min_km: float
    table: pd.DataFrame = field(repr=False)
    strengths: tuple[np.ndarray, ...] = field(repr=False)  # of the arcs counted in each draw
    scales: np.ndarray = field(repr=False)
    label: str = ""
    lags: tuple[np.ndarray, ...] = field(default=(), repr=False)  # of the arcs counted in each draw

    @property
    def by_lag(self) -> pd.DataFrame:
        """The count of each lag: lag, real, expected and sd over draws; lag 0 alone for networks of one month."""
        known = np.unique(np.concatenate([self.table["lag"], *self.lags]).astype(int))
        counts = [np.array([(own == lag).sum() for own in self.lags]) * self.scales for lag in known]
        real = [int((self.table["lag"] == lag).sum()) for lag in known]
        spread = [float(each.std(ddof=1)) if len(each) > 1 else float("nan") for each in counts]
        return pd.DataFrame({"lag": known, "real": real, "expected": [each.mean() for each in counts], "sd": spread})

    @property
    def expected(self) -> float:
        """Mean over draws of the number of arcs that chance gives: an upper bound."""
        return float(self.null.mean())

    @property
    def sd(self) -> float:
        """Standard deviation over draws; missing with one draw."""
        return float(self.null.std(ddof=1)) if len(self.null) > 1 else float("nan")

    @property
    def share(self) -> float:
        """Expected share of false ones among the arcs found, at most 1; 0 where none is found."""
        return min(1.0, self.expected / self.real) if self.real else 0.0

    def at_least(self, strength: Any) -> np.ndarray:
        """(draw × strength) number of arcs of each draw that are at least as strong, scaled.

        Parameters
        ----------
        strength : loss of BIC, in nats; one or several.

        Returns
        -------
        array (draw × strength).

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> found = cb.distant_null(tropics, "hill_climbing", cb.BIC(gamma=1), draws=2, regions=6, progress=False)
        >>> found.at_least([0.0, 10.0]).shape
        (2, 2)
        """
        levels = real_array("strength", strength).ravel()
        counts = [len(found) - np.searchsorted(np.sort(found), levels) for found in self.strengths]
        return np.array(counts) * self.scales[:, None]

    def fdr(self, strength: Any) -> np.ndarray:
        """Expected share of false ones among the arcs of the data that are at least as strong as each of these.

        It never falls with falling strength: an arc has the least share of all sets of strongest arcs that hold it.

        Parameters
        ----------
        strength : loss of BIC, in nats; one or several.

        Returns
        -------
        array of shares, 0 … 1.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> found = cb.distant_null(tropics, "hill_climbing", cb.BIC(gamma=1), draws=2, regions=6, progress=False)
        >>> weak, strong = found.fdr([0.0, 1000.0])
        >>> bool(weak >= strong)
        True
        """
        asked = real_array("strength", strength).ravel()
        levels = np.sort(self.table["strength"].to_numpy())[::-1]
        if not len(levels):
            return np.ones(len(asked))
        share = np.minimum(self.at_least(levels).mean(axis=0) / np.arange(1, len(levels) + 1), 1.0)
        least = np.minimum.accumulate(share[::-1])[::-1]
        place = np.searchsorted(-levels, -asked, side="right") - 1  # weakest level that is still as strong as asked
        return least[np.clip(place, 0, len(levels) - 1)]

    def __repr__(self) -> str:
        spread = f" ± {self.sd:.0f}" if len(self.null) > 1 else ""
        return (
            f"DistantNull({self.label}: {self.real} arcs over {self.min_km:g} km; at most {self.expected:.3g}{spread} "
            "expected without any distant link)"
        )


@dataclass(frozen=True)
class Task:
    """What a draw needs."""

    data: NodeData
    algorithm: str
    criterion: Any
    min_km: float
    regions: int
    whiten: Whiten
    seed: int
    rows: np.ndarray
    year: int
    options: dict[str, Any]
    lags: tuple[int, ...] = ()


@public
def distant_null(
    data: NodeData,
    algorithm: str = "tabu",
    criterion: Any = None,
    *,
    min_km: float = TELECONNECTION_KM,
    draws: int = 20,
    regions: int = 20,
    whiten: Whiten = False,
    lags: Sequence[int] | None = None,
    seed: int = 0,
    workers: int | Executor | None = None,
    progress: bool = True,
    **options: Any,
) -> DistantNull:
    """How many arcs longer than ``min_km`` are found, and how many chance alone would give.

    Parameters
    ----------
    data : NodeData of anomalies; of years beyond whole ones the null leaves out the last months.
    algorithm, criterion, options : as for `learn`.
    min_km : great-circle length in km of the arcs that are counted.
    draws : number of networks learned from shifted regions, each with a new partition.
    regions : number of regions of the sphere (k-means of the places).
    whiten : whiten the data, and each draw after its shift; a mapping gives arguments of `climatebn.whiten`, of which
        ``{"order": 0}`` divides by the standard deviation of each calendar month and leaves persistence.
    lags : of a network in time, as for `learn`: regions are shifted first, then the past is joined to each month. The
        table then has the column lag, and ``by_lag`` the counts of each.
    workers : number of processes or an executor; this machine's threads when None.
    progress : show a progress bar.
    seed : names the random partitions and shifts.

    Returns
    -------
    `DistantNull` with ``real``, ``null`` (one count a draw), ``expected``, ``share`` and ``fdr`` by strength; give it
    to `teleconnections` (``null=``) and to `plot.null`. The expected number is an upper bound: links across the borders
    of regions are cut with the shifts, and come back as longer ones.

    Notes
    -----
    The places are parted into regions, and the months of each region are shifted round the record by whole years, so
    that all that is local stays and nothing distant is left. With found_d long arcs of draw d between regions whose
    shifts differ by three years or more, and P_d of all P pairs of places that far apart between such regions::

        expected = mean over draws of found_d · P / P_d

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep().isel(lat=slice(0, None, 3), lon=slice(0, None, 3))))
    >>> cb.distant_null(data, "hill_climbing", cb.BIC(gamma=0.5), draws=3, regions=10, progress=False).real
    124
    """
    if not isinstance(data, NodeData):
        raise ClimateBNError(f"data must be NodeData, months at known places; got {type(data).__name__}")
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or not 1 <= draws <= MANY:
        raise ClimateBNError(f"draws must be a whole number ≥ 1 (at most {MANY}); got {draws!r}")
    min_km = number("min_km", min_km, least=0)
    _checked(whiten)
    partition(data.nodes, regions, generator(seed, "null", 0))  # refuses a wrong number before anything is learned
    rows, year = _whole_years(data)
    months = () if lags is None or whole_lags(lags) == (0,) else whole_lags(lags)
    task = Task(data, algorithm, criterion, float(min_km), int(regions), whiten, int(seed), rows, year, options, months)
    keys: list[Key] = [(draw,) for draw in range(int(draws) + 1)]
    with chosen_executor(workers) as executor:
        records = stored_cells(learn_draw, task, keys, None, executor, name="null", progress=progress)
    found = [records[key] for key in keys]
    scales = np.array([float(record.measures["scale"] or 0) for record in found[1:]])
    strengths = tuple(record.arrays["strength"] for record in found[1:])
    null = np.array([len(values) for values in strengths]) * scales
    table = pd.DataFrame({name: found[0].arrays[name] for name in ("source", "target", "km", "strength", "lag")})
    past = [lag for lag in months if lag]
    names = np.array(data.nodes.with_past(past).names, dtype=object)
    table["source"], table["target"] = names[table["source"]], names[table["target"]]
    table = table.sort_values("strength", ascending=False, kind="stable", ignore_index=True)
    label = f"{algorithm}, {criterion!r}{_prepared(whiten, data)}"
    held = tuple(record.arrays["lag"] for record in found[1:])
    result = DistantNull(len(table), null, float(min_km), table, strengths, scales, label, held)
    table["fdr"] = result.fdr(table["strength"])
    return result


def _checked(whiten: Any) -> None:
    """Refuse what is no answer to whether, and how, to whiten."""
    if isinstance(whiten, bool):
        return
    if not isinstance(whiten, Mapping):
        raise ClimateBNError(f"whiten must be True, False or arguments of whiten, e.g. {{'order': 1}}; got {whiten!r}")
    known = ("order", "max_order", "monthly_sd")
    for name in whiten:
        if name not in known:
            raise unknown("argument of whiten", name, known)


def _prepared(whiten: Whiten, data: NodeData) -> str:
    """In words, what was made of the anomalies."""
    if data.whitening is None and isinstance(whiten, Mapping) and whiten.get("order") == 0:
        return ", divided by the sd of each calendar month" if whiten.get("monthly_sd", True) else ""
    return ", innovations" if whiten or data.whitening is not None else ""


def learn_draw(task: Task, key: Key) -> Record:
    """The long arcs of the data (draw 0), or those between shifted regions."""
    draw = int(key[0])
    data, apart = task.data, None
    if draw:
        random = generator(task.seed, "null", draw)
        labels = partition(data.nodes, task.regions, random)
        years = len(task.rows) // task.year
        shifts = random.integers(years, size=task.regions)
        values = shifted(data.values[task.rows], labels, shifts * task.year)
        data = NodeData(values, data.nodes, data.time[task.rows], data.units, whitening=data.whitening)
        apart = _apart(shifts, years)[labels][:, labels]
    if task.whiten:
        data = innovations(data, **(task.whiten if isinstance(task.whiten, Mapping) else {}))
    size = len(data.names)
    table, months = in_time(data, task.lags or None)
    stats = GaussianStats.of(table.values, table.names)
    result = learn(
        stats, task.algorithm, task.criterion, lags=months or None, progress=False, **task.options
    ).uninterrupted()
    long = teleconnections(result, table, min_km=task.min_km)
    source, target = (table.nodes.positions(long[end]) for end in ("source", "target"))
    counted, scale = np.ones(len(long), dtype=bool), 1.0
    if apart is not None:
        counted = apart[source % size, target % size]
        far = data.distances() > task.min_km
        if not (far & apart).any():
            raise ClimateBNError(f"no two places over {task.min_km:g} km apart lie in regions with different shifts")
        scale = float(far.sum() / (far & apart).sum())
    arrays = {"source": source, "target": target, "lag": table.nodes.lag[source]}
    arrays |= {name: long[name].to_numpy() for name in ("km", "strength")}
    return Record({"scale": scale}, {name: array[counted] for name, array in arrays.items()})


def shifted(values: np.ndarray, labels: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The columns of each region rolled by its number of rows."""
    result = np.empty_like(values)
    for region, steps in enumerate(rows):
        inside = labels == region
        result[:, inside] = np.roll(values[:, inside], int(steps), axis=0)
    return result


def _apart(shifts: np.ndarray, years: int) -> np.ndarray:
    """Whether each two regions' shifts differ by `APART` years or more, circularly."""
    difference = np.abs(shifts[:, None] - shifts[None, :])
    far: np.ndarray = np.minimum(difference, years - difference) >= APART
    return far


def _whole_years(data: NodeData) -> tuple[np.ndarray, int]:
    """Rows of whole years (12 months from the first on, or whole seasons), and the rows in a year."""
    labels = year_blocks(data)
    _, counts = np.unique(labels, return_counts=True)
    year = int(counts.max(initial=0))
    if year == 12:
        rows = np.arange(len(data) // 12 * 12)
    else:
        rows = np.flatnonzero(np.isin(labels, np.unique(labels)[counts == year]))
    if len(rows) // max(year, 1) < 2 * APART + 1:
        raise ClimateBNError(
            f"distant_null needs {2 * APART + 1} whole years or more, to shift regions {APART} years apart; "
            f"the data has {len(rows) // max(year, 1)}"
        )
    return rows, year
