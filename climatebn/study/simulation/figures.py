"""Figures of the simulation study, as in the paper: accuracy against speed, and ranks on small and large networks."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.files import write_figure
from climatebn.study.simulation.panels import Panels
from climatebn.study.simulation.questions import mean_ranks

TITLES = {"bic": "(BIC, G²_BIC)", "posterior": "(log P(G|D), log BF)"}
SHORT = {"bic": "BIC", "posterior": "log P"}
COLUMNS = 4
DPI = 140


def write_figures(rows: pd.DataFrame, panels: Panels, folder: Path) -> None:
    """A figure of quadrants for each criterion pair and kind of network, and one of ranks."""
    (folder / "figures").mkdir(exist_ok=True)
    ended = rows[rows["ended"].astype(bool)].drop(columns="calls").rename(columns={"calls_bnlearn": "calls"})
    for (criterion, kind), part in ended.groupby(["criterion", "kind"], sort=False):
        height = -(-len(part.drop_duplicates(["network", "size"])) // COLUMNS)
        figure = Figure(figsize=(11.2, 1.6 + 2.3 * height), layout="constrained")  # of no window, so none is left open
        plot.quadrants(part, figure, columns=COLUMNS)
        figure.suptitle(f"{str(kind).capitalize()} networks, {TITLES[str(criterion)]}", fontsize=11)
        write_figure(folder / "figures" / f"{str(kind).lower()}_{criterion}.png", figure, DPI)
    ranks = rank_table(panels)
    if len(ranks):
        wide = ranks["setting"].nunique()
        figure = Figure(figsize=(1.2 + 2.6 * wide, 6.6), layout="constrained")
        plot.rank_shift(ranks, figure)
        write_figure(folder / "figures" / "ranks.png", figure, DPI)


def rank_table(panels: Panels) -> pd.DataFrame:
    """Mean ranks by setting, measure and algorithm, where a setting has small and large networks."""
    columns = ["setting", "measure", "algorithm", "small", "large", "correlation"]
    rows = [
        (f"{r.kind}, {SHORT[r.criterion]}", r.measure, name, r.small[name], r.large[name], r.correlation)
        for r in mean_ranks(panels)
        if len(r.small) and len(r.large)
        for name in r.small.index
    ]
    return pd.DataFrame(rows, columns=columns)
