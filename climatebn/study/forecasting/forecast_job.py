"""The forecast job: a field → a scored hindcast and the months ahead → figures, tables and one page."""

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.files import write_csv, write_figure, write_netcdf, write_text
from climatebn.forecast.hindcast_result import Hindcast
from climatebn.forecast.hindcasting import hindcast
from climatebn.forecast.looking_ahead import INTERVAL, outlook
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers
from climatebn.ingest.grid.region import Region, region_mean
from climatebn.ingest.nodes.anomaly import anomalies
from climatebn.provenance import versions
from climatebn.study.forecasting import figures
from climatebn.study.forecasting.forecast_page import forecast_page
from climatebn.study.showcase.output_folder import output_folder

NINO34 = Region(lat=(-10, 10), lon=(-170, -120), name="Niño 3.4 (10°S–10°N 170°W–120°W)")
REFERENCES = ("damped_by_month", "lim")
TRAINED = 2 / 3  # of the whole years, where nothing else is asked
DPI = 160

Say = Callable[[str], None]


@dataclass(frozen=True)
class ForecastResult:
    """What the forecast job found."""

    hindcast: Hindcast
    skill: pd.DataFrame
    differences: Mapping[str, pd.DataFrame]
    reliability: pd.DataFrame
    outlook: xr.Dataset
    observed: pd.Series
    region_ahead: pd.DataFrame
    region: Region
    source: str
    notes: tuple[str, ...]

    @property
    def shown_lead(self) -> int:
        """The lead of which words and the reliability tell: 6 months, or the longest that there is below it."""
        leads = self.hindcast.recipe.leads
        return max((lead for lead in leads if lead <= 6), default=min(leads))

    def within_intervals(self) -> pd.Series:
        """Share of the region's test months that lay within the 90 % intervals of their forecasts, by lead."""
        found = self.hindcast.series(self.region.lat, self.region.lon).query("model == 'network'")
        inside = (found["observed"] - found["forecast"]).abs() <= INTERVAL * found["sd"]
        return inside.groupby(found["lead"]).mean()


def run_forecast_job(
    field: xr.DataArray,
    out: Path,
    *,
    leads: int = 9,
    lags: tuple[int, ...] = (1, 2, 3),
    gamma: float = 0.25,
    members: int = 6,
    train: tuple[str, str] | None = None,
    test: tuple[str, str] | None = None,
    base: Any = "previous 30 years",
    region: Region = NINO34,
    source: str | None = None,
    seed: int = 1,
    node_options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    progress: bool = True,
    say: Say = lambda line: None,
) -> ForecastResult:
    """Hindcast, score, look ahead, and write everything into the folder ``out``.

    Parameters
    ----------
    train, test : (first, last); two thirds of the whole years and the rest when left out.
    region : whose mean is scored and drawn.
    source : the file, as the page names it.
    node_options : missing and degenerate of `to_nodes`.
    """
    from climatebn.criterion import BIC

    train, test = _periods(field, train, test)
    options = {"leads": leads, "lags": lags, "criterion": BIC(gamma=gamma), "members": members, "base": base}
    record: dict[str, Any] = {
        "data": source or "embedded NCEP/NCAR Reanalysis 1, 10°",
        "settings": {**options, "train": train, "test": test, "region": str(region), "seed": seed},
        "versions": {"python": platform.python_version(), **versions("matplotlib", "cartopy", "pandas")},
    }
    more = {"seed": seed, "workers": workers, "progress": progress, **(node_options or {})}
    with output_folder(out, record) as folder:
        say(f"learning on {train[0]} … {train[1]}, forecasting {test[0]} … {test[1]} from every month")
        tried = hindcast(field, train, test, **options, **more)
        skill = tried.skill(region.lat, region.lon)
        say("scores and block-bootstrap intervals")
        ahead_of = {
            name: tried.differences(name, region.lat, region.lon) for name in REFERENCES if name in tried.models
        }
        reliable = tried.reliability(1.0, min(6, leads))
        say("learning on all months, looking ahead from the last")
        ahead = outlook(field, **options, **more, regions=[region])
        observed, region_ahead = _region(field, ahead, region, base)
        result = ForecastResult(
            tried, skill, ahead_of, reliable, ahead, observed, region_ahead, region, str(record["data"]), ()
        )
        record["history"] = tried.history
        say("figures, tables, page")
        _write(folder, result)
    return result


def _periods(field: xr.DataArray, train: Any, test: Any) -> tuple[tuple[str, str], tuple[str, str]]:
    """Training and test years: as asked, or the first two thirds of the whole years and the rest."""
    months = month_numbers(standard(field)["time"])
    first, end = -(-int(months[0]) // 12), (int(months[-1]) + 1) // 12  # years that are whole
    if train is None:
        cut = first + int(TRAINED * (end - first))
        train = (f"{first:04d}", f"{cut - 1:04d}")
    if test is None:
        try:
            after = int(str(train[1])[:4]) + 1
        except ValueError:
            raise ClimateBNError(f"train must be (first, last) as years; got {train!r}") from None
        test = (f"{after:04d}", f"{end - 1:04d}")
    return train, test


def _region(field: xr.DataArray, ahead: xr.Dataset, region: Region, base: Any) -> tuple[pd.Series, pd.DataFrame]:
    """The region's anomalies of the last five years, and its months ahead with 90 % intervals."""
    past: Any = region_mean(anomalies(field, base=base), region.lat, region.lon).to_pandas()
    mean, sd = (ahead[f"regional_{part}"].values[0] for part in ("mean", "sd"))
    table = pd.DataFrame({"lead": ahead["lead"].values, "time": ahead["time"].values, "mean": mean, "sd": sd})
    return past.iloc[-60:], table.assign(low=mean - INTERVAL * sd, high=mean + INTERVAL * sd)


def _write(folder: Path, result: ForecastResult) -> None:
    for name, figure in figures.all_figures(result).items():
        for ending in ("png", "pdf"):
            write_figure(folder / f"{name}.{ending}", figure, DPI)
        plt.close(figure)
    write_csv(folder / "skill.csv", result.skill)
    for name, table in result.differences.items():
        write_csv(folder / f"ahead_of_{name}.csv", table)
    write_csv(folder / "reliability.csv", result.reliability)
    write_csv(folder / "region_forecast.csv", result.region_ahead)
    region = result.region
    write_csv(folder / "region_hindcast.csv", result.hindcast.series(region.lat, region.lon))
    write_netcdf(folder / "skill_maps.nc", result.hindcast.skill_map())
    write_netcdf(folder / "forecast.nc", result.outlook)
    write_text(folder / "forecast.html", forecast_page(result, folder))
