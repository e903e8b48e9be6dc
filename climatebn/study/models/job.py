"""The comparison of models as one job: networks, tables, figures and a page in one folder, which it goes on from."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import xarray as xr

from climatebn import plot
from climatebn.comparison import compare
from climatebn.comparison.comparison import Comparison
from climatebn.errors import ClimateBNError
from climatebn.files import write_csv, write_figure, write_netcdf, write_text
from climatebn.jobs.lock import locked
from climatebn.jobs.stopping import if_stopped
from climatebn.study.models.page import comparison_page

Say = Callable[[str], None]
NINO = {"nino34": 2.0}
SHOWN = 6  # models whose maps are drawn: nearest and farthest, and the reference


def run_comparison(
    fields: Mapping[str, xr.DataArray],
    out: Path,
    *,
    reference: str,
    prepare: Mapping[str, Any],
    evidence: Mapping[Any, Any] | None = None,
    executor: Executor | None = None,
    say: Say = lambda line: None,
    **settings: Any,
) -> Comparison:
    """Compare the fields of models and write down what was found.

    Parameters
    ----------
    out : new, empty, or left behind by the same comparison: networks that are there are not learned again.
    prepare : how fields become nodes, as for `compare`.
    evidence : the question that maps answer, in standard deviations; +2 in Niño 3.4 when None, if the nodes reach it.
    settings : go to `compare` (algorithm, criterion, resamples, seed, scale, paired, progress).
    """
    found = compare(fields, reference, prepare=prepare, workers=executor, folder=out, **settings)
    out.mkdir(parents=True, exist_ok=True)
    said = (
        f"stopped while tables and figures were made; all networks are stored in {out}; "
        "the same command goes on from there"
    )
    with locked(out, "a comparison"), if_stopped(lambda: said):
        _write(found, out, evidence, say)
    return found


def _write(found: Comparison, out: Path, evidence: Mapping[Any, Any] | None, say: Say) -> None:
    """Tables, figures and the page."""
    say("tables")
    found.save_tables(out)
    write_netcdf(out / "comparison.nc", found.to_xarray())
    maps, question = _maps(found, evidence)
    say("figures")
    figures = _figures(found, maps)
    for name, figure in figures.items():
        write_figure(out / f"{name}.png", figure)
        plt.close(figure)
    agreement = None if question is None else found.answers(question)
    if agreement is not None:
        write_csv(out / "answers.csv", agreement, index=True)
    write_text(out / "comparison.html", comparison_page(found, out, tuple(figures), agreement))


def shown_models(found: Comparison) -> list[str]:
    """The reference, and the nearest and farthest of the others."""
    others = found.from_reference.index.tolist()
    near = others if len(others) < SHOWN else [*others[: SHOWN // 2], *others[-(SHOWN // 2) + 1 :]]
    return [found.reference, *near]


def _maps(found: Comparison, evidence: Mapping[Any, Any] | None) -> tuple[dict[str, xr.Dataset], Any]:
    """Answers of some models, and the question; none where nobody asked and the nodes do not reach Niño 3.4."""
    if found.networks[found.reference].nodes is None:
        return {}, None
    try:
        maps = found.answer_maps(evidence or NINO)
    except ClimateBNError:
        if evidence:
            raise
        return {}, None
    return {name: maps[name] for name in shown_models(found)}, evidence or NINO


def _figures(found: Comparison, maps: Mapping[str, xr.Dataset]) -> dict[str, Any]:
    figures = {
        "from_reference": plot.reference_distance(found).figure,
        "distances": plot.distance_matrix(found).axes.figure,
    }
    if maps:
        figures["answers"] = plot.answers(maps)
        table = found.from_reference
        for name, model in (("where_nearest", table.index[0]), ("where_farthest", table.index[-1])):
            title = f"{model} beside {found.reference}"
            figures[name] = plot.field(found.where(model), plot.map_axes(), diverging=True, title=title).figure
    return figures
