"""Whatever stands in the columns of a table, a figure is drawn or the error is ours."""

from contextlib import suppress

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.plot.checked_table import checked_table

NODES = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
CELLS = {"algorithm": "tabu", "gamma": [0.5, 1.0], "order": 0, "valid": True, "arcs": [90, 60]}
PATHS = {"path": ["X1 → X2", "X1 ← X3"], "nodes": [("X1", "X2"), ("X1", "X3")], "share": [0.5, -0.2]}
CLASSES = {"forecast": [0.1, 0.9], "observed": [0.2, 0.8], "count": [90, 10]}
AHEAD = {"mean": [0.0, 0.1], "low": [-0.1, 0.0], "high": [0.1, 0.2]}
LEADS = {"lead": [0, 1], **AHEAD}
MONTHS = pd.date_range("2000-01-01", periods=2, freq="MS")
RANKS = {"setting": "BIC", "measure": "speed", "algorithm": ["tabu", "mmhc"], "small": [1.0, 2.0], "large": [2.0, 1.0]}
SIMULATIONS = {"network": "ALARM", "algorithm": "tabu", "size": ["small", "large"], "calls": [1e3, 1e4]}
DRAWN = {
    "support": (cb.plot.support, {"source": ["X1", "X2"], "target": ["X40", "X41"], "support": [0.9, 0.1]}),
    "study_panels": (cb.plot.study_panels, {**CELLS, "loglik": -9.0, "calls": 9, "vstructure_ratio": [0.2, 0.1]}),
    "side_by_side": (lambda t: cb.plot.side_by_side({"one": t}, measures={"arcs": "arcs"}), CELLS),
    "quadrants": (cb.plot.quadrants, {**SIMULATIONS, "scaled_shd": [0.9, 0.8]}),
    "rank_shift": (cb.plot.rank_shift, {**RANKS, "correlation": 0.5}),
    "paths": (lambda t: cb.plot.paths(t, NODES), PATHS),
    "reliability": (cb.plot.reliability, CLASSES),
    "delayed_answer": (lambda t: cb.plot.delayed_answer({"here": t}), LEADS),
    "plume": (lambda t: cb.plot.plume(pd.Series([0.5, 0.7], MONTHS), t), {**AHEAD, "time": MONTHS}),
    "goodness": (cb.plot.goodness, {"arcs": [0, 1], "seen": [-3.0, -2.0], "held_out": [-3.1, -2.2]}),
    "skill": (cb.plot.skill, {"model": ["network", "lim"], "lead": [1, 1], "correlation": [0.9, 0.8]}),
    "strength_distance": (cb.plot.strength_distance, {"km": [1000.0, 9000.0], "strength": [300.0, 5.0]}),
}
WRONG = (None, np.nan, np.inf, -1, 0, 10**400, "text", 1j, b"x", pd.NaT, pd.NA, pd.Timestamp("2000"), (1, 2), object())
EVERYWHERE = ("text", None, 0)  # also in every row


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def draw(name, table):
    function, _ = DRAWN[name]
    figure = (lambda t: function(t, NODES)) if name == "support" else function
    return figure(table)


@pytest.mark.parametrize("name", DRAWN)
def test_wrong_values_in_a_column_are_drawn_or_refused_in_words(name):
    right = pd.DataFrame(DRAWN[name][1])
    draw(name, right)
    draw(name, right.astype(dict.fromkeys(set(right) - {"time"}, object)))
    for column in right:
        for wrong in WRONG:
            for rows in (1, 2) if any(wrong is every for every in EVERYWHERE) else (1,):
                values = [wrong] * rows + right[column].astype(object).tolist()[rows:]
                with suppress(ClimateBNError):
                    draw(name, right.assign(**{column: pd.Series(values, dtype=object)}))
                plt.close("all")


@pytest.mark.parametrize("name", DRAWN)
def test_columns_that_are_not_there_or_twice_are_named(name):
    right = pd.DataFrame(DRAWN[name][1])
    for column in set(right):
        with pytest.raises(ClimateBNError, match=f"no column {column}"):
            draw(name, right.drop(columns=column))
        with pytest.raises(ClimateBNError, match=f"the column {column} more than once"):
            draw(name, pd.concat([right, right[[column]]], axis=1))
    with pytest.raises(ClimateBNError, match="must be a pandas DataFrame"):
        draw(name, right.to_dict())


def test_arcs_whose_support_is_no_number_are_refused():
    arcs = pd.DataFrame({"source": ["X1", "X2"], "target": ["X40", "X41"], "support": [0.9, "high"]})
    with pytest.raises(ClimateBNError, match="the column support of arcs must hold real numbers; got 'high'"):
        cb.plot.support(arcs, NODES)


def test_cells_without_gamma_are_refused():
    table = pd.DataFrame({**CELLS, "loglik": -9.0, "calls": 9, "vstructure_ratio": 0.2, "gamma": [0.5, None]})
    with pytest.raises(ClimateBNError, match="the column gamma of table has no finite number in 1 of 2 rows"):
        cb.plot.study_panels(table)


def test_a_clean_table_has_only_what_was_asked_for():
    given = pd.DataFrame({"km": [1, True], "name": ["a", "b"], "more": 5, "left": 3}, index=[7, 7])
    clean = checked_table(given, "table", texts=["name"], numbers=["km"], optional=["left", "absent"])
    assert clean.to_dict("list") == {"name": ["a", "b"], "km": [1.0, 1.0], "left": [3.0, 3.0]}
    assert clean.index.tolist() == [0, 1]
