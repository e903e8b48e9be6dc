"""The figures of how sure the main job is."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.plot.axes import HasPlaces
from climatebn.study.showcase.certainty import Certainty
from climatebn.study.showcase.composite import Composite
from climatebn.study.showcase.delay import Delay
from climatebn.study.showcase.remaining import Remaining
from climatebn.uncertainty.shift_null import DistantNull


def answer_figure(answer: xr.Dataset, label: str) -> Figure:
    """The answer of an ensemble, large."""
    figure = plt.figure(figsize=(6.4, 4.3), layout="constrained")
    plot.propagation(answer, plot.map_axes(figure=figure), title=label)
    return figure


def pair_figure(answers: dict[str, xr.Dataset]) -> Figure:
    """Answers side by side on one colour scale."""
    figure = plt.figure(figsize=(4.4 * len(answers), 3.1), layout="constrained")
    grid = figure.add_gridspec(1, len(answers))
    maps = []
    for column, (label, answer) in enumerate(answers.items()):
        ax = plot.map_axes(grid[0, column], figure=figure)
        maps.append(plot.propagation(answer, ax, title=f"({'ab'[column]}) {label}", colorbar=False))
    plot.shared_colorbar(maps)
    return figure


def null_figure(nulls: dict[str, DistantNull], remaining: Remaining | None) -> Figure:
    """Long arcs by strength beside what chance gives, one panel a setting."""
    if remaining is not None:
        nulls = {**nulls, f"after whitening, γ = {remaining.choice.best:g}": remaining.null}
    figure = plt.figure(figsize=(3.2 * len(nulls), 2.8), layout="constrained")
    axes = figure.subplots(1, len(nulls), squeeze=False)[0]
    for ax, (label, one) in zip(axes, nulls.items(), strict=True):
        plot.null(one, ax, title=label)
    return figure


def links_figure(remaining: Remaining, nodes: HasPlaces) -> Figure:
    """The links that remain, in the colour of their support."""
    figure = plt.figure(figsize=(6.4, 4.3), layout="constrained")
    title = f"{len(remaining.links)} links after whitening, γ = {remaining.choice.best:g}"
    plot.support(remaining.links, nodes, plot.map_axes(figure=figure), title=title)
    return figure


def composite_figure(composite: Composite) -> Figure:
    """What was observed in extreme months beside what is answered, on one scale."""
    figure = plt.figure(figsize=(8.8, 2.9), layout="constrained")
    reach = float(np.nanmax(np.abs([composite.observed.values, composite.expected.values])))
    grid = figure.add_gridspec(1, 2)
    parts = (
        (f"(a) observed, mean of {composite.months} months", composite.observed),
        ("(b) given the evidence, mean of the ensemble", composite.expected),
    )
    for column, (title, part) in enumerate(parts):
        ax = plot.map_axes(grid[0, column], figure=figure)
        plot.field(part, ax, diverging=True, vmin=-reach, vmax=reach, title=title)
    return figure


def delay_figure(delay: Delay) -> Figure:
    """The Indian Ocean month by month."""
    figure = plt.figure(figsize=(6.4, 3.8), layout="constrained")
    plot.delayed_answer(delay.tables, figure.add_subplot(), label="rise of P(X ≥ 1 sd), Indian Ocean mean")
    return figure


def drawings(found: Certainty, label: str, hybrid_label: str) -> dict[str, Any]:
    """By the name of its file, what makes each figure and what it is made of."""
    made: dict[str, Any] = {"answer": (answer_figure, (found.answer, f"{len(found.first)} members of {label}"))}
    if found.hybrid_answer is not None:
        made["contrast"] = (pair_figure, ({label: found.answer, hybrid_label: found.hybrid_answer},))
    if found.nulls or found.remaining is not None:
        made["null"] = (null_figure, (found.nulls, found.remaining))
    if found.remaining is not None and len(found.remaining.links):
        made["remaining_links"] = (links_figure, (found.remaining, found.first.nodes))
    if found.detrended is not None:
        made["trend"] = (pair_figure, ({"with the trend": found.answer, "without it": found.detrended},))
    if found.delay is not None:
        made["delayed_answer"] = (delay_figure, (found.delay,))
    if found.composite is not None:
        made["composite"] = (composite_figure, (found.composite,))
    return made
