"""`compare`: networks of several models learned alike, all distances, and which of them are more than chance."""

from collections.abc import Mapping
from concurrent.futures import Executor
from os import PathLike
from typing import Any, Literal

import numpy as np

from climatebn.comparison.comparison import Comparison
from climatebn.comparison.excess import excess
from climatebn.comparison.half_networks import Task, half_networks
from climatebn.comparison.halves import halves
from climatebn.comparison.preparation import Preparation
from climatebn.comparison.records import Record, aligned, equal_lengths, record
from climatebn.comparison.sources import fields, is_source
from climatebn.comparison.tables import distances, logliks, tables
from climatebn.comparison.whole_networks import whole_networks
from climatebn.criterion import BIC
from climatebn.errors import MANY, ClimateBNError, public, short, unknown, whole
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.provenance import array_hash, history_line

SCALES = ("sd", "none")


@public
def compare(
    models: Any,
    reference: str = "obs",
    algorithm: str = "tabu",
    criterion: Any = None,
    *,
    resamples: int = 20,
    seed: int = 1,
    scale: Literal["sd", "none"] = "sd",
    paired: bool = False,
    block: int | None = None,
    variable: str | None = None,
    prepare: Mapping[str, Any] | None = None,
    workers: int | Executor | None = None,
    folder: str | PathLike[str] | None = None,
    max_seconds: float | None = None,
    progress: bool = True,
    **options: Any,
) -> Comparison:
    """Compare the networks of several models with each other and with a reference.

    Parameters
    ----------
    models : a mapping of names to NodeData, DataFrames or arrays (learned from here), fitted networks, fields or files;
        or what `climatebn.comparison.open_models` takes: a file with a dimension ``model``, a list, a folder, a
        pattern. All need the same nodes. Records of unequal length are cut to the shortest, and the notes say so.
    reference : the name of one of them.
    algorithm, criterion, options : as for `learn`; BIC(gamma=0.5) when left out.
    resamples : for standard errors: years of each half of a record are drawn anew so many times. Fewer than four give
        none, fewer than ten say little.
    scale : "sd" compares in the standard deviations of each node in its own record, so that only the dependence between
        nodes counts; "none" in the units of the data. If only networks are given, they are compared as `distance` does.
    paired : True for records of the same weather, e.g. two reanalyses: the same years are drawn in both, and halves of
        the same months are not compared with each other.
    block : rows drawn together where rows have no dates; 1 when left out. With dates, whole years.
    variable, prepare : of files and fields: the variable, and how they are made comparable (grid, period, periods,
        mask, base, detrend, months, missing, leave_out, polygons; see `climatebn.comparison.open_models`).
    seed : names the resampled years.
    workers : number of processes, or any executor (Dask included); this machine's threads when None.
    folder : where finished networks are kept; the same call goes on from there.
    max_seconds : for each network.
    progress : show a progress bar.

    Returns
    -------
    `Comparison` : distances, excess (Δ) and se, from_reference, order, loglik, clusters, weights, answers.

    Notes
    -----
    With A₁, A₂ and B₁, B₂ the halves of two records and D Bhattacharyya's distance between the networks learned from
    them, the excess is 0 on average for records of one climate::

        Δ(A, B) = mean_ij D(A_i, B_j) − ½ [D(A₁, A₂) + D(B₁, B₂)]

    Halves get their own climatology, and their own trend where the data was detrended. `climatebn.comparison.excess`
    says how its standard error comes about, and how often its intervals held.

    Examples
    --------
    >>> import climatebn as cb
    >>> field = cb.load_ncep().sel(lat=[-5, 5])
    >>> decade = lambda year: cb.to_nodes(cb.anomalies(field.sel(time=slice(str(year), str(year + 9)))))
    >>> decades = {f"{year}s": decade(year) for year in (1981, 1991, 2001)}
    >>> found = cb.compare(decades, reference="1981s", criterion=cb.BIC(gamma=1), resamples=5, progress=False)
    >>> found.from_reference.index.tolist(), found.distances.shape
    (['1991s', '2001s'], (3, 3))
    """
    if scale not in SCALES:
        raise unknown("scale", scale, SCALES)
    whole("resamples", resamples, 0, MANY)
    criterion = BIC(gamma=0.5) if criterion is None else criterion
    for name in options.keys() & Preparation.__annotations__.keys():
        right = f"prepare={{'{name}': {short(options[name])}}}"
        raise ClimateBNError(f"{name} is about making fields comparable: give it as {right}")
    given, notes = _given(models, variable, prepare)
    if reference not in given:
        raise unknown("reference", reference, given)
    if len(given) < 2:
        raise ClimateBNError(f"compare needs two models or more; got {', '.join(given)} alone")
    ready = {name: one if isinstance(one, GaussianBN) else record(name, one) for name, one in given.items()}
    ready = dict(aligned(ready, reference))
    records, cut = equal_lengths({name: one for name, one in ready.items() if isinstance(one, Record)})
    networks, doubts = whole_networks(ready, records, algorithm, criterion, scale, seed, max_seconds, options, progress)
    notes += [cut] * bool(cut) + doubts + _different_periods(records)
    apart = distances(networks)
    names = tuple(networks)
    found = None
    if len(records) > 1:
        order = next(iter(records.values())).names
        pairs = {name: halves(one, block) for name, one in records.items()}
        task = Task(pairs, order, algorithm, criterion, scale, paired, int(seed), max_seconds, options)
        learned = half_networks(task, int(resamples), workers, folder, progress)
        found = excess(tuple(records), learned, len(order), int(resamples), paired, progress)
    if len(records) < len(names):
        lacking = [name for name in names if name not in records]
        notes.append(f"given without data, so that distances cannot be compared with chance: {', '.join(lacking[:5])}")
    line = history_line(
        "compare",
        {"reference": reference, "algorithm": algorithm, "resamples": resamples, "scale": scale, "paired": paired},
        input=array_hash(*(one.values for one in records.values())),
        criterion=criterion,
        seed=seed,
    )
    made = tables(names, tuple(records), reference, apart, found, logliks(networks, records, scale))
    rows = len(next(iter(records.values())).values) if records else None
    return Comparison(
        reference, networks, **made, resamples=int(resamples), rows=rows, notes=tuple(notes), history=line
    )


def _given(models: Any, variable: str | None, prepare: Mapping[str, Any] | None) -> tuple[dict[str, Any], list[str]]:
    """Data and networks by name; fields and files are opened and prepared together."""
    if isinstance(models, Mapping):
        sources = {str(name): one for name, one in models.items() if is_source(one)}
        ready = {str(name): one for name, one in models.items() if not is_source(one)}
        for name, one in ready.items():
            if isinstance(one, Mapping) or one is None or np.isscalar(one):
                raise ClimateBNError(f"{name} must be data, a network, a field or a file; got {short(one)}")
        if sources and ready:
            raise ClimateBNError(
                f"files and fields ({next(iter(sources))}) cannot stand beside prepared data ({next(iter(ready))}): "
                "open all with climatebn.comparison.open_models"
            )
        if ready:
            if prepare:
                raise ClimateBNError("prepare is for files and fields; this data is prepared")
            return ready, []
        models = sources
    try:
        how = Preparation(**(prepare or {}))
    except TypeError:
        known = Preparation.__annotations__
        raise unknown("key of prepare", next(key for key in prepare or {} if key not in known), known) from None
    data, notes = how.nodes(fields(models, variable))
    return dict(data), list(notes)


def _different_periods(records: Mapping[str, Record]) -> list[str]:
    months = {name: one.months for name, one in records.items() if one.months is not None}
    first = next(iter(months.values()), np.zeros(0))
    if all(np.array_equal(own, first) for own in months.values()):
        return []
    shown = ", ".join(f"{name} {records[name].period}" for name in list(months)[:4])
    return [f"models cover different months: {shown}{' …' if len(months) > 4 else ''}"]
