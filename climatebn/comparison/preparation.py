"""Fields of several models made comparable: one grid, one period, the same places; then anomalies, then nodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from climatebn.comparison.sources import fields
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.field.months import month_numbers, no_gaps, span
from climatebn.ingest.field.months import name as month_name
from climatebn.ingest.grid.grid import Grid
from climatebn.ingest.grid.land import mask as masked
from climatebn.ingest.grid.regridding import regrid
from climatebn.ingest.nodes.anomaly import anomalies
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.node_matrix import to_nodes
from climatebn.kernels.constants import ROUNDING_OF_VALUES

PERIODS = ("same", "common", "any")


@dataclass(frozen=True)
class Preparation:
    """How fields of models become nodes; `open_models` explains each."""

    grid: Any = None
    min_cover: float = 0.5
    period: tuple[Any, Any] | None = None
    periods: str = "same"
    mask: Any = None
    base: tuple[Any, Any] | None = None
    detrend: str | None = None
    months: Any = None
    missing: str = "raise"
    leave_out: tuple[str, ...] = ()
    polygons: Any = None

    def nodes(self, given: Mapping[str, xr.DataArray]) -> tuple[dict[str, NodeData], tuple[str, ...]]:
        """Node data by model, and what was done to make models comparable, in words."""
        if self.periods not in PERIODS:
            raise unknown("periods", self.periods, PERIODS)
        notes: list[str] = []
        timed = self._in_time(given, notes)
        placed = self._on_one_grid(timed, notes)
        if self.mask is not None:
            placed = {name: masked(field, self.mask) for name, field in placed.items()}
        if self.missing == "drop_nodes":
            placed = _common_places(placed, notes)
        return {name: _named(name, lambda one=field: self._made(one)) for name, field in placed.items()}, tuple(notes)

    def _made(self, field: xr.DataArray) -> NodeData:
        made = anomalies(field, base=self.base, detrend=self.detrend)
        polygons = self.polygons if "node" in made.dims else None
        return to_nodes(made, missing=self.missing, months=self.months, polygons=polygons)

    def _in_time(self, given: Mapping[str, xr.DataArray], notes: list[str]) -> dict[str, xr.DataArray]:
        months = {}
        for name, field in given.items():
            months[name] = _named(name, lambda one=field: _months(one))
        wanted = dict(months)
        if self.period is not None:
            ends = _ends(self.period)
            for name, own in months.items():
                wanted[name] = np.arange(ends[0], ends[1] + 1)
                lost = np.setdiff1d(wanted[name], own)
                if lost.size:
                    raise ClimateBNError(
                        f"{name}: period={self.period!r} needs {len(wanted[name])} months; it has "
                        f"{_span(own)} and lacks {span(lost)}"
                    )
        elif self.periods == "common":
            first, last = max(own[0] for own in months.values()), min(own[-1] for own in months.values())
            if last < first:
                raise ClimateBNError(f"periods='common': the models have no month in common ({_spans(months)})")
            wanted = {name: own[(own >= first) & (own <= last)] for name, own in months.items()}
            if any(len(wanted[name]) < len(own) for name, own in months.items()):
                notes.append(f"cut to the months that all have, {_span(next(iter(wanted.values())))}")
        elif self.periods == "same":
            reference, first_months = next(iter(months.items()))
            for name, own in months.items():
                if not np.array_equal(own, first_months):
                    raise ClimateBNError(
                        f"models must cover the same months; {reference} has {_span(first_months)}, "
                        f"{name} {_span(own)}. Choose period=(first, last), periods='common' for what all have, or "
                        "periods='any' to compare different times"
                    )
        return {
            name: field.isel(time=np.flatnonzero(np.isin(months[name], wanted[name]))) for name, field in given.items()
        }

    def _on_one_grid(self, given: Mapping[str, xr.DataArray], notes: list[str]) -> dict[str, xr.DataArray]:
        kinds = {name: "node" in field.dims for name, field in given.items()}
        if len(set(kinds.values())) > 1:
            one, other = (next(name for name, kind in kinds.items() if kind is which) for which in (True, False))
            raise ClimateBNError(f"{one} has values of named regions, {other} has a grid; compare like with like")
        if all(kinds.values()):
            return {
                name: field.isel(node=~np.isin(field["node"].values, self.leave_out)) for name, field in given.items()
            }
        grids = {name: Grid.of(field) for name, field in given.items()}
        target = self.grid if isinstance(self.grid, Grid) else Grid.regular(self.grid) if self.grid else None
        if target is None:
            coarsest = min(grids, key=lambda name: grids[name].lat.size * grids[name].lon.size)
            target = grids[coarsest]
            if all(_equal(grid, target) for grid in grids.values()):
                return dict(given)
            notes.append(f"regridded to the coarsest grid, that of {coarsest}: {target}")
        return {
            name: field if _equal(grids[name], target) else regrid(field, target, min_cover=self.min_cover)
            for name, field in given.items()
        }


@public
def open_models(
    source: Any, variable: str | None = None, *, open_options: Mapping[str, Any] | None = None, **how: Any
) -> dict[str, NodeData]:
    """Node data of several models, made comparable.

    Parameters
    ----------
    source : a mapping of names to files or fields; one file, Dataset or DataArray with a dimension ``model``; a list of
        files; a folder or a pattern ("cmip/tas_Amon_*.nc"). CMIP files are named by model and member, and those of one
        are joined in time.
    variable, open_options : as for `open_field` (select, monthly, units).
    **how : the settings that follow.
    grid : degrees or a `Grid` that all are regridded to; when None the coarsest of theirs, if they differ. min_cover as
        in `regrid`.
    period : (first, last) years or months that are taken of each.
    periods : "same" refuses models of different months; "common" takes the months that all have; "any" lets them
        differ.
    mask : "land" or "ocean".
    base, detrend : as for `anomalies`, of each model by itself.
    months : a season, as for `to_nodes`.
    missing : "raise", or "drop_nodes" to leave out in all models the places that one lacks.
    leave_out : names of regions that are not taken, e.g. a mean of all others.
    polygons : of regions, as for `to_nodes`.

    Returns
    -------
    dict : NodeData by name of the model; calendars may differ.

    Examples
    --------
    >>> import climatebn as cb
    >>> field = cb.load_ncep().sel(lat=[-5, 5])
    >>> models = cb.comparison.open_models({"fine": field, "shifted": field + 1}, period=("1991", "2000"))
    >>> {name: len(data) for name, data in models.items()}
    {'fine': 120, 'shifted': 120}
    """
    return Preparation(**how).nodes(fields(source, variable, **(open_options or {})))[0]


def _months(field: xr.DataArray) -> np.ndarray:
    months = month_numbers(field["time"])
    no_gaps(months, season=True)
    return months


def _common_places(given: Mapping[str, xr.DataArray], notes: list[str]) -> dict[str, xr.DataArray]:
    """All fields missing where one of them is, or is constant."""
    there = []
    for field in given.values():
        spread = field.max("time") - field.min("time")
        there.append((field.notnull().all("time") & (spread > ROUNDING_OF_VALUES * spread.max())).values)
    every = np.logical_and.reduce(there)
    if not every.any():
        raise ClimateBNError("missing='drop_nodes' leaves no place that all models have")
    if any((own & ~every).any() for own in there):
        notes.append(f"{int(every.sum())} places that all models have are compared")
    return {name: field.where(xr.DataArray(every, dims=field.dims[1:])) for name, field in given.items()}


def _named(name: str, make: Any) -> Any:
    try:
        return make()
    except ClimateBNError as error:
        raise ClimateBNError(f"{name}: {error}") from None


def _ends(period: tuple[Any, Any]) -> tuple[int, int]:
    try:
        found = []
        for text, month in zip(period, (1, 12), strict=True):
            year, _, own = str(text).partition("-")
            found.append(int(year) * 12 + int(own or month) - 1)
    except (TypeError, ValueError):
        raise ClimateBNError(f'period must be (first, last) as years or "YYYY-MM"; got {period!r}') from None
    if found[1] < found[0]:
        raise ClimateBNError(f"period must begin before it ends; got {period!r}")
    return found[0], found[1]


def _span(months: np.ndarray) -> str:
    return f"{month_name(months[0])} … {month_name(months[-1])}"


def _equal(a: Grid, b: Grid) -> bool:
    return all(x.size == y.size and np.allclose(x, y, atol=1e-3) for x, y in ((a.lat, b.lat), (a.lon, b.lon)))


def _spans(months: Mapping[str, np.ndarray]) -> str:
    return ", ".join(f"{name} {_span(own)}" for name, own in list(months.items())[:4])
