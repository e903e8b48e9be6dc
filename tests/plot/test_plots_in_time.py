"""Networks in time on maps: lags as colours, leads as panels, the answer of a region by lead."""

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def network():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 3))))
    return cb.fit(cb.learn(data, "hill_climbing", cb.BIC(gamma=1), lags=(0, 1, 2), progress=False), data, scale="sd")


def test_teleconnections_know_their_lag(network):
    table = cb.teleconnections(network, min_km=0)
    own = [name.partition("@-")[2] for name in table["source"]]
    assert table["lag"].tolist() == [int(lag or 0) for lag in own]
    assert set(table["lag"]) == {0, 1, 2}
    assert all("@" not in name for name in table["target"])


def test_arcs_are_coloured_by_lag_or_drawn_for_one(network):
    drawn = cb.plot.network(network, min_km=0)
    assert set(np.unique(drawn.get_array())) <= {0.0, 1.0, 2.0}
    assert "lag" in drawn.get_label()
    assert [text.get_text() for text in drawn.colorbar.ax.get_xticklabels()] == ["0", "1", "2"]
    one = cb.plot.network(network, lag=1, min_km=0)
    assert "coefficient" in one.get_label()
    lagged = [(a, b) for a, b in network.dag.arcs if a.endswith("@-1") and not a.startswith(f"{b}@")]
    legend = "".join(text.get_text() for text in one.axes.get_legend().get_texts())
    assert str(len(lagged)) in legend
    with pytest.raises(ClimateBNError, match="lag must be one of the network's, 0, 1, 2"):
        cb.plot.network(network, lag=7)


def test_leads_are_panels(network):
    post = cb.propagate(network, {(-5, -145): 2.0}, horizon=3)
    drawn = cb.plot.propagation(post)
    assert [mesh.axes.get_title() for mesh in drawn][:3] == ["the same month", "1 month later", "2 months later"]
    assert len({id(mesh.norm) for mesh in drawn}) == 1
    with pytest.raises(ClimateBNError, match="one month"):
        cb.plot.propagation(post, drawn[0].axes)
    table = pd.DataFrame({"lead": [0, 1], "mean": [0.0, 0.1], "low": [-0.1, 0.0], "high": [0.1, 0.2]})
    axes = cb.plot.delayed_answer({"in time": table, "same month": table[:1]})
    assert len(axes.lines) >= 2
    with pytest.raises(ClimateBNError, match="the table of x has no column low, high"):
        cb.plot.delayed_answer({"x": table[["lead", "mean"]]})


def test_counts_by_lag_stand_beside_chance():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 2))))
    how = {"lags": (0, 1), "draws": 2, "regions": 6, "progress": False}
    found = cb.distant_null(data, "hill_climbing", cb.BIC(gamma=0.5), **how)
    axes = cb.plot.null_by_lag({"a": found, "b": found})
    heights = [bar.get_height() for bar in axes.patches]
    table = found.by_lag
    assert heights == pytest.approx([*table["real"], *table["real"], *table["expected"], *table["expected"]])
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", "1", "0", "1"]
    assert [text.get_text() for text in axes.get_xticklabels(minor=True)] == ["a", "b"]
    with pytest.raises(ClimateBNError, match="found is empty"):
        cb.plot.null_by_lag({})


def test_a_variable_is_drawn_on_its_own_grid():
    field = cb.load_ncep()
    fine, coarse = field.sel(lat=[-5, 5]), field.sel(lat=[-45, -15, 15, 45]).isel(lon=slice(None, None, 3))
    data = cb.to_nodes({"tas": cb.anomalies(fine), "slp": cb.anomalies(coarse)})
    bn = cb.fit(cb.learn(data, "hill_climbing", cb.BIC(gamma=2), progress=False), data, scale="sd")
    post = cb.propagate(bn, {"slp:X20": 2.0})
    assert dict(post.sizes) == {"variable": 2, "lat": 6, "lon": 36}
    drawn = cb.plot.propagation(post.sel(variable="slp"))
    assert "no data" not in drawn.get_label()
    assert "no data" not in cb.plot.field(post["mean"].sel(variable="tas")).get_label()
