"""What the main job leaves in its folder: figures drawn by the workers, tables meanwhile, then the page."""

import csv
import io
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import xarray as xr

from climatebn.files import write_csv, write_figure, write_netcdf, write_text
from climatebn.jobs.executors import slots
from climatebn.study.showcase import certainty_figures, figures
from climatebn.study.showcase.certainty import Certainty
from climatebn.study.showcase.explorer_page import write_explorer
from climatebn.study.showcase.report import report_page

if TYPE_CHECKING:
    from climatebn.study.showcase.main_job import MainResult

DPI = 160
ENDINGS = ("png", "pdf")
Drawing = tuple[Callable[..., Any], tuple[Any, ...]]


def write(folder: Path, field: xr.DataArray, anomaly: xr.DataArray, result: "MainResult", executor: Executor) -> None:
    """Write all of it; figures are drawn by the executor's workers."""
    learned = [item for item in result.answers if item.result is not None]
    sure = result.certainty
    drawings: dict[str, Drawing] = {
        "networks": (figures.networks_figure, (learned,)),
        "correlation_network": (figures.networks_figure, (result.answers[-1:],)),
        "field": (figures.field_figure, (field, anomaly)),
        "strength_distance": (figures.strength_figure, (learned,)),
        "vstructures": (figures.vstructure_figure, (learned,)),
    }
    if sure is None:
        drawings["answer"] = (figures.answer_figure, (learned[0],))
    else:
        drawings |= certainty_figures.drawings(sure, learned[0].label, learned[1].label)
    waiting = [(folder, name, *drawing) for name, drawing in drawings.items()]
    first = slots(executor)  # so many begin at once, and leave this process to the tables
    under_way = [executor.submit(draw, *drawing) for drawing in waiting[:first]]
    _write_tables(folder, result)
    write_explorer(folder, result)
    under_way += [executor.submit(draw, *drawing) for drawing in waiting[first:]]
    for drawn in under_way:
        drawn.result()
    write_text(folder / "report.html", report_page(result, folder))


def draw(folder: Path, name: str, make: Callable[..., Any], parts: tuple[Any, ...]) -> None:
    """Make one figure and save it for the page and for print."""
    figure = make(*parts)
    for ending in ENDINGS:
        write_figure(folder / f"{name}.{ending}", figure, DPI)
    plt.close(figure)


def _write_tables(folder: Path, result: "MainResult") -> None:
    for item in result.answers:
        write_csv(folder / f"arcs_{item.key}.csv", item.arcs)
        write_csv(folder / f"teleconnections_{item.key}.csv", item.long)
        write_netcdf(folder / f"propagation_{item.key}.nc", item.both)
        if item.result is not None:
            item.network.save(folder / f"network_{item.key}.nc")
    if result.certainty is not None:
        _write_certainty(folder, result.certainty)
    summary = io.StringIO(newline="")
    writer = csv.writer(summary)
    writer.writerow(["number", *(item.label for item in result.answers), "meaning"])
    writer.writerows([found.name, *found.values, found.meaning] for found in result.findings)
    write_text(folder / "summary.csv", summary.getvalue())


def _write_certainty(folder: Path, sure: Certainty) -> None:
    sure.first.save(folder / f"ensemble_{sure.first.algorithm}.nc")
    if sure.hybrid is not None:
        sure.hybrid.save(folder / f"ensemble_{sure.hybrid.algorithm}.nc")
    if sure.remaining is not None:
        write_csv(folder / "remaining_links.csv", sure.remaining.links)
    if sure.skill is not None:
        write_csv(folder / "skill.csv", sure.skill)
