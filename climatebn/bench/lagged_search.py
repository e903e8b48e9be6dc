"""What searches with lags cost on whole fields: CPU seconds and peak memory, each in a fresh process."""

import multiprocessing
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import climatebn as cb

LONG, SHORT = ("1950", "2024"), ("1981", "2010")


class Search(NamedTuple):
    """One search to its end; ``lagged`` of its arcs come from months before, ``memory`` is the peak in GB."""

    algorithm: str
    places: int
    lags: tuple[int, ...]
    months: int
    gamma: float
    arcs: int
    lagged: int
    seconds: float
    memory: float


def searches(field: Path | None = None) -> Iterator[Search]:
    """Tabu on 75 years and boss on 30 of the embedded field; tabu on 5° cells where the original file is given."""
    asked: list[tuple[Any, ...]] = [("tabu", (0, 1, 2), LONG), ("boss", (0, 1, 2), SHORT)]
    if field is not None:
        asked.append(("tabu", (1,), LONG, field))
    context = multiprocessing.get_context("spawn")
    for one in asked:
        with ProcessPoolExecutor(1, mp_context=context) as executor:
            yield executor.submit(search, *one).result()


def search(
    algorithm: str, lags: tuple[int, ...], period: tuple[str, str], field: Path | None = None, gamma: float = 1.0
) -> Search:
    """One search on the anomalies of a period, after a small one that loads the compiled code."""
    if field is None:
        values = cb.load_ncep(period="long").sel(time=slice(*period))
    else:
        values = cb.regrid(cb.open_field(field).sel(time=slice(*period)), cb.Grid.regular(5))
    data = cb.to_nodes(cb.anomalies(values))
    options: dict[str, Any] = {"lags": lags, "seed": 1, "progress": False}
    cb.learn(data.values[:, :25], algorithm, cb.BIC(gamma=gamma), **options).uninterrupted()
    started = time.process_time()
    found = cb.learn(data, algorithm, cb.BIC(gamma=gamma), **options).uninterrupted()
    seconds = time.process_time() - started
    assert found.dag is not None
    past = sum("@" in source for source, _ in found.dag.arcs)
    memory = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)
    arcs = len(found.dag.arcs)
    return Search(algorithm, len(data.names), lags, len(data), gamma, arcs, past, round(seconds, 3), memory)
