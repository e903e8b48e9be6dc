"""`Hindcast`: forecasts of past months by several models, and every score of them, at places and for regions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.forecast.models import Model, Recipe
from climatebn.forecast.paired_differences import differences
from climatebn.forecast.record import Record
from climatebn.forecast.scores import correlation, crps, exceedance, reliability, rmse
from climatebn.html import box
from climatebn.ingest.field.months import name

Box = tuple[float, float]
WORDS = {
    "correlation": "correlation of forecast and observed anomaly",
    "rmse": "root mean squared error",
    "crps": "continuous ranked probability score",
}


@dataclass(frozen=True, eq=False)
class Stage:
    """Models of one training period, and the rows from ``first`` to before ``last`` that they forecast from."""

    first: int
    last: int
    models: Mapping[str, Model]


@public
@dataclass(frozen=True, eq=False, repr=False)
class Hindcast:
    """What `hindcast` gives: forecasts of the test years from every month, by several models.

    Attributes
    ----------
    record : the anomalies and their places.
    recipe : how the network was learned.
    stages : fitted models with the
    months that they forecast from.
    start, end : rows of the record that the test years begin and end with.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
    >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
    >>> tried.models[:3], tried.units
    (('network', 'persistence', 'damped_persistence'), 'K')
    """

    record: Record
    recipe: Recipe
    stages: tuple[Stage, ...]
    start: int
    end: int
    history: str

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self.stages[0].models)

    def skill(self, lat: Box = (-90, 90), lon: Box = (-180, 180)) -> pd.DataFrame:
        """Scores of the mean over a region, by model and lead.

        Parameters
        ----------
        lat, lon : (south, north) and (west, east) as in `region_mean`; the whole globe when left out.

        Returns
        -------
        DataFrame: model, lead (months), correlation, rmse, crps (in the units of the field). Missing: the correlation
        of climatology, which never changes; ``lim`` outside the tropics.

        Raises
        ------
        ClimateBNError where no place of the record lies in the box.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.skill(lat=(-10, 10), lon=(-180, -90)).columns.tolist()
        ['model', 'lead', 'correlation', 'rmse', 'crps']
        """
        rows = []
        for (model, lead), part in self._by_model(self.series(lat, lon)):
            f, sd, y = (part[column].to_numpy() for column in ("forecast", "sd", "observed"))
            rows.append((model, lead, float(correlation(f, y)), float(rmse(f, y)), float(crps(f, sd, y).mean())))
        table = pd.DataFrame(rows, columns=["model", "lead", "correlation", "rmse", "crps"])
        table.attrs = {"long_name": WORDS, "units": {"rmse": self.units, "crps": self.units, "lead": "months"}}
        return table

    def series(self, lat: Box = (-90, 90), lon: Box = (-180, 180)) -> pd.DataFrame:
        """Every forecast of the mean over a region, beside what came.

        Parameters
        ----------
        lat, lon : (south, north) and (west, east) in degrees; the whole globe when left out.

        Returns
        -------
        DataFrame: model, lead (months), issued, time, forecast, sd, observed (anomalies, in the units of the field).

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.series(lat=(-10, 10), lon=(-180, -90)).columns.tolist()
        ['model', 'lead', 'issued', 'time', 'forecast', 'sd', 'observed']
        """
        weights = self.record.weights(lat, lon)
        observed = (self.record.values @ weights)[:, 0]
        dates = pd.DatetimeIndex([f"{name(month)}-01" for month in self.record.months])
        parts = []
        for model in self.models:
            for lead in self.recipe.leads:
                made, mean, sd = self._forecasts(model, lead, weights)
                columns = {
                    "model": model, "lead": lead, "issued": dates[made], "time": dates[made + lead],
                    "forecast": mean[:, 0], "sd": sd[:, 0], "observed": observed[made + lead],
                }  # fmt: skip
                parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    def differences(
        self,
        reference: str = "damped_by_month",
        lat: Box = (-90, 90),
        lon: Box = (-180, 180),
        *,
        model: str = "network",
        block: int = 24,
        draws: int = 2000,
        level: float = 0.9,
    ) -> pd.DataFrame:
        """How far ahead of a reference a model is for the mean over a region, with block-bootstrap intervals.

        Parameters
        ----------
        reference : the model to compare with.
        lat, lon : (south, north) and (west, east) in degrees; the whole globe when left out.
        model : the model that is compared.
        block : months in a block of the bootstrap.
        draws : number of resamples.
        level : of the intervals.

        Returns
        -------
        DataFrame: lead, measure (correlation: difference; squared_error_gain: share of the squared error saved;
        crps_gain: CRPS saved), value, low, high, share of the draws in which the model is ahead.

        Raises
        ------
        ClimateBNError where there is no model of that name.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.differences(lat=(-10, 10), lon=(-180, -90), draws=50)["measure"].unique().tolist()
        ['correlation', 'squared_error_gain', 'crps_gain']
        """
        self._known(model)
        self._known(reference)
        series = self.series(lat, lon)
        found = []
        for lead in self.recipe.leads:
            both = [series[(series["model"] == one) & (series["lead"] == lead)] for one in (model, reference)]
            table = differences(*both, block=block, draws=draws, level=level, seed=self.recipe.seed)
            table.insert(0, "lead", lead)
            found.append(table)
        return pd.concat(found, ignore_index=True)

    def skill_map(self, model: str = "network") -> xr.Dataset:
        """Scores of one model at every place: correlation, rmse, crps with dimensions (lead, lat, lon).

        Parameters
        ----------
        model : the name of a model.

        Returns
        -------
        Dataset (lead, lat, lon) of correlation, rmse and crps, the last two in the units of the field.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.skill_map()["correlation"].dims
        ('lead', 'lat', 'lon')
        """
        places = np.eye(len(self.record.nodes))
        scores: dict[str, list[np.ndarray]] = {measure: [] for measure in WORDS}
        for lead in self.recipe.leads:
            made, mean, sd = self._forecasts(self._known(model), lead, places)
            y = self.record.values[made + lead]
            scores["correlation"].append(correlation(mean, y))
            scores["rmse"].append(rmse(mean, y))
            scores["crps"].append(crps(mean, sd, y).mean(axis=0))
        units = {"correlation": "1", "rmse": self.units, "crps": self.units}
        maps = {
            measure: self._maps(np.array(values), ("lead",), {"lead": list(self.recipe.leads)}, WORDS[measure])
            .assign_attrs(units=units[measure])
            for measure, values in scores.items()
        }  # fmt: skip
        return xr.Dataset(maps, attrs={"model": model, "history": self.history})

    def forecasts(self, model: str = "network", lead: int = 1) -> xr.Dataset:
        """All forecasts of one model and lead as maps: mean, sd, observed (issued, lat, lon), and their ``time``.

        Parameters
        ----------
        model : the name of a model.
        lead : months ahead, one of those of the hindcast.

        Returns
        -------
        Dataset (issued, lat, lon) of mean, sd and observed, in the units of the field.

        Raises
        ------
        ClimateBNError where lead or model are not there.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.forecasts(lead=6)["mean"].dims
        ('issued', 'lat', 'lon')
        """
        if lead not in self.recipe.leads:
            raise ClimateBNError(f"lead must be one of {self.recipe.leads}; got {lead!r}")
        made, mean, sd = self._forecasts(self._known(model), lead, np.eye(len(self.record.nodes)))
        dates = self.record.data.time
        coords = {"issued": dates[made], "time": ("issued", dates[made + lead])}
        parts = {"mean": mean, "sd": sd, "observed": self.record.values[made + lead]}
        maps = {
            part: self._maps(values, ("issued",), coords, part).assign_attrs(units=self.units)
            for part, values in parts.items()
        }
        return xr.Dataset(maps, attrs={"model": model, "lead": lead, "history": self.history})

    def reliability(
        self,
        threshold: float = 1.0,
        lead: int = 6,
        model: str = "network",
        lat: Box | None = None,
        lon: Box | None = None,
        bins: int = 10,
    ) -> pd.DataFrame:
        """Forecast probabilities of a tail against how often it came.

        Parameters
        ----------
        threshold : in standard deviations of the target's calendar month in the training years; the tail above it
            where it is positive, below it where it is negative.
        lead : months ahead.
        model : the name of a model.
        bins : number of classes of probability.
        lat, lon : a region whose mean is meant; every place (each month and place counts once) when left out.

        Returns
        -------
        DataFrame as `forecast.reliability` gives it.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(tropics, test=("2000", "2004"), leads=(1, 6), lags=(1,), members=2, progress=False)
        >>> tried.reliability(lead=6, bins=4).columns.tolist()
        ['low', 'high', 'forecast', 'observed', 'count']
        """
        if lead not in self.recipe.leads:
            raise ClimateBNError(f"lead must be one of {self.recipe.leads}; got {lead!r}")
        if (lat is None) != (lon is None):
            raise ClimateBNError("lat and lon belong together; give both or none")
        weights = np.eye(len(self.record.nodes)) if lat is None or lon is None else self.record.weights(lat, lon)
        made, mean, sd = self._forecasts(self._known(model), lead, weights)
        series, trained = self.record.values @ weights, self.record.trained
        calendar = self.record.months % 12
        usual = np.array([series[:trained][calendar[:trained] == m].std(axis=0, ddof=1) for m in range(12)])
        level = threshold * usual[calendar[made + lead]]
        sign = 1.0 if threshold >= 0 else -1.0
        known = np.isfinite(mean)
        p = exceedance(sign * mean, sd, sign * level)[known]
        return reliability(p, (sign * series[made + lead] > sign * level)[known], bins)

    @property
    def units(self) -> str:
        """Units of the anomalies."""
        return self.record.data.units

    def _forecasts(self, model: str, lead: int, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows in which forecasts of the test months were made, and their means and sd."""
        parts = []
        for stage in self.stages:
            rows = np.arange(stage.first, stage.last)
            rows = rows[(rows + lead >= self.start) & (rows + lead <= self.end)]
            mean, sd = stage.models[model].forecast(weights, lead)
            parts.append((rows, mean[rows], sd[rows]))
        made, mean, sd = (np.concatenate(part) for part in zip(*parts, strict=True))
        return made, mean, sd

    def _known(self, model: str) -> str:
        if model not in self.models:
            raise unknown("model", model, self.models)
        return model

    def _by_model(self, series: pd.DataFrame) -> Any:
        return series.groupby(["model", "lead"], sort=False)

    def _maps(self, values: np.ndarray, dims: tuple[str, ...], coords: Mapping[str, Any], words: str) -> xr.DataArray:
        return self.record.nodes.to_xarray(values, dims, coords, attrs={"long_name": words})

    @property
    def facts(self) -> dict[str, str]:
        """What was trained and tested on what, in words."""
        months = self.record.months
        one = self.recipe
        return {
            "trained on": f"{name(months[0])} … {name(months[self.record.trained - 1])}",
            "tested on": f"{name(months[self.start])} … {name(months[self.end])}",
            "leads": ", ".join(map(str, one.leads)),
            "network": f"{one.members} members of {one.algorithm}, lags {one.lags}, {one.criterion!r}",
            "beside": ", ".join(self.models[1:]),
        }

    def __repr__(self) -> str:
        return f"Hindcast({'; '.join(f'{key} {value}' for key, value in self.facts.items())})"

    def _repr_html_(self) -> str:
        return box("Hindcast", f"({len(self.record.nodes)} places)", self.facts, {"History": self.history})
