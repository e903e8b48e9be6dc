"""Real calls: maps, diagrams, pages, and the machinery of long work."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from made_objects import Made
from real_call import Call, Fresh, call

import climatebn as cb

AXES = Fresh(lambda: plt.figure(figsize=(3, 2)).add_subplot())
MAP = Fresh(lambda: cb.plot.map_axes(figure=plt.figure(figsize=(3, 2))))
FIGURE = Fresh(lambda: plt.figure(figsize=(4, 3), layout="constrained"))


def calls(made: Made) -> list[Call]:
    return [*_maps(made), *_diagrams(made), *_pages(made), *_jobs(made)]


def _maps(made: Made) -> list[Call]:
    plot, shown, post = cb.plot, made.anomaly.isel(time=0), made.answer
    drawn = Fresh(lambda: [plot.field(shown, MAP.make())])
    return [
        call(plot.map_axes, position=111, figure=FIGURE, centre=200.0),
        call(plot.coastline, ax=MAP),
        call(plot.field, da=shown, ax=MAP, vmin=-1.0, vmax=1.0, levels=5, extent=(-180, 180, -30, 30), title="t"),
        call(plot.field, da=shown, ax=MAP, diverging=True, cmap="RdBu_r", extend="both", label="K"),
        call(plot.network, graph=made.network, ax=MAP, top=10, min_km=1000.0, title="arcs"),
        call(plot.network, graph=made.dynamic_network, ax=MAP, lag=1, show_short=False),
        call(plot.propagation, post=post, ax=MAP, reach=(-0.5, 0.5), title="answer"),
        call(plot.evidence_boxes, ax=MAP, mask=post["mean"] > 0),
        call(plot.paths, table=made.network.paths("X3", "X9", top=5), nodes=made.data, ax=MAP, top=3),
        call(plot.support, arcs=made.ensemble.arcs(), nodes=made.data, ax=MAP, top=10),
        call(plot.shared_colorbar, drawn=drawn, label="K"),
        call(plot.answers, maps={"one": post, "two": post}, figure=FIGURE, columns=2, title="t"),
    ]


def _diagrams(made: Made) -> list[Call]:
    plot, table = cb.plot, made.study_table
    counts = cb.vstructures(made.result, simulations=2)
    links = cb.teleconnections(made.network, min_km=0)
    leads = pd.DataFrame({"lead": [0, 1], "mean": [0.0, 0.1], "low": [-0.1, 0.0], "high": [0.1, 0.2]})
    steps = pd.DataFrame({"arcs": [0, 1, 2], "seen": [-3.0, -2.0, -1.5], "held_out": [-3.1, -2.2, -2.3]})
    classes = pd.DataFrame({"forecast": [0.1, 0.9], "observed": [0.2, 0.8], "count": [90, 10]})
    observed = pd.Series(np.arange(4.0), pd.date_range("2000-01", periods=4, freq="MS"))
    ahead = pd.DataFrame({"time": pd.date_range("2000-05", periods=2, freq="MS"), "mean": 1.0, "low": 0.5, "high": 2.0})
    return [
        call(plot.quadrants, table=made.simulations, figure=FIGURE, columns=2),
        call(plot.rank_shift, ranks=made.ranks, figure=FIGURE),
        call(plot.study_panels, table=table, figure=FIGURE),
        call(
            plot.side_by_side, tables={"one": table, "two": table}, figure=FIGURE, measures={"arcs": "number of arcs"}
        ),
        call(plot.vstructures, counts=counts, ax=AXES, title="t"),
        call(plot.distance_matrix, comparison=made.comparison, figure=FIGURE, cmap="viridis", title="t"),
        call(plot.reference_distance, comparison=made.comparison, ax=AXES, title="t"),
        call(plot.gamma_choice, choice=made.choice, ax=AXES, title="t"),
        call(plot.goodness, table=steps, ax=AXES, title="t"),
        call(plot.delayed_answer, tables={"here": leads}, ax=AXES, label="sd"),
        call(plot.null, found=made.null, ax=AXES, title="t"),
        call(plot.null_by_lag, found=made.lagged_null, ax=AXES, title="t"),
        call(plot.plume, observed=observed, forecast=ahead, ax=AXES, label="K", title="t"),
        call(plot.skill, table=made.hindcast.skill(), measure="rmse", ax=AXES, title="t"),
        call(plot.reliability, table=classes, ax=AXES, title="t"),
        call(plot.strength_distance, table=links, ax=AXES, min_km=5000.0, title="t"),
    ]


def _pages(made: Made) -> list[Call]:
    pages = cb.pages
    frame = pd.DataFrame({"place": ["X1"], "km": [5123.4], "why": ["far"]})
    return [
        call(pages.page, title="Winter", sections=[pages.section("Arcs", "few")], lead="DJF", notes=["one"], script=""),
        call(pages.section, title="Arcs", key="arcs"),
        call(pages.note, text="stopped"),
        call(pages.link, address="a.html", words="here"),
        call(pages.bullets, items=["one", "two"]),
        call(pages.listing, text="code"),
        call(pages.paragraph),
        call(pages.figure, picture=FIGURE, caption="a map", alt="map"),
        call(pages.table, frame=frame, headings={"km": "length"}, formats={"km": ".0f"}, meaning="why", empty="None."),
    ]


@dataclass(frozen=True)
class Settings:
    """Of the study below."""

    numbers: tuple[int, ...] = (1, 2)
    samples: int = 1
    max_seconds: float = 60.0


def _cells(config: Settings) -> list[tuple[int, ...]]:
    return [(number,) for number in config.numbers]


def _square(config: Settings, key: tuple[int, ...]) -> cb.jobs.Record:
    return cb.jobs.Record({"square": key[0] ** 2})


def _finish(config: Settings, table: pd.DataFrame, records: object, folder: object) -> str:
    return f"{len(table)} rows"


def _jobs(made: Made) -> list[Call]:
    jobs = cb.jobs
    study = jobs.Study("squares", ("number",), Settings(), Settings(), _cells, _square, _finish)
    done = made.folder / "study"
    jobs.run_study(study, done, progress=False)
    one = Fresh(lambda: ThreadPoolExecutor(1))
    return [
        call(
            jobs.run_study, study=study, folder=Fresh(made.new_folder), config=Settings(), executor=one, progress=False
        ),
        call(
            jobs.run_cells,
            run_cell=_square,
            config=Settings(),
            keys=[(1,), (2,)],
            executor=one,
            name="s",
            progress=False,
        ),
        call(jobs.read_config, default=Settings(), path=made.files / "settings.toml"),
        call(jobs.read_table, folder=done),
        call(jobs.open_executor, workers=1, scheduler=None),
        call(cb.study.find, name="climate"),
    ]
