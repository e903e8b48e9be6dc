"""Paths on the map: which arcs are drawn, in which colour and direction, at which width; refusals."""

import cartopy.crs as ccrs
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.plot.path_map import ADDS, TAKES

NODES = cb.ingest.Nodes(
    ("a", "b", "c", "d"), [0, 0, 20, 20], [100, 140, 100, 140], np.array([0.0, 20]), np.array([100.0, 140])
)
TABLE = pd.DataFrame(
    {
        "path": ["a → b", "a ← c → d → b", "box ← d → b"],
        "share": [0.5, -0.2, 0.1],
        "nodes": [("a", "b"), ("a", "c", "d", "b"), ("box", "d", "b")],
    }
)
DAG = cb.Dag.from_arcs("abcd", [("a", "b")])
TABLE.attrs = {"source": "a", "target": "b", "covariance": 0.4}


@pytest.mark.parametrize("centimetres", [8.5, 17])
def test_arcs_have_the_colour_and_width_of_their_largest_share(centimetres):
    figure = plt.figure(figsize=(centimetres / 2.54, centimetres / 4), layout="constrained")
    drawn = cb.plot.paths(TABLE, NODES, cb.plot.map_axes(figure=figure))
    colours = [to_rgb(colour) for colour in drawn.get_colors()]
    assert colours.count(to_rgb(ADDS)) == 1  # a → b; d → b belongs to the larger share, which is negative
    assert colours.count(to_rgb(TAKES)) == 3
    assert drawn.get_linewidths()[-1] == max(drawn.get_linewidths())
    assert {text.get_text() for text in drawn.axes.texts} == {"a", "b"}
    figure.canvas.draw()
    inside = figure.bbox.padded(1)
    legend = drawn.axes.get_legend().get_window_extent()
    assert inside.contains(legend.x0, legend.y0)
    assert inside.contains(legend.x1, legend.y1)
    plt.close(figure)


def test_top_and_legend():
    drawn = cb.plot.paths(TABLE, NODES, top=1, title="one path")
    assert len(drawn.get_paths()) == 1
    words = [text.get_text() for text in drawn.axes.get_legend().get_texts()]
    assert words == ["1 path: +0.5", "all other paths: −0.1"]
    assert drawn.axes.get_legend().get_title().get_text() == "covariance of a (0° 100°E) and b (0° 140°E): 0.4"
    assert drawn.axes.get_title() == "one path"
    plt.close(drawn.axes.figure)


def test_a_region_and_a_hemisphere_are_framed_on_axes_of_ones_own():
    own = bare()
    cb.plot.paths(TABLE, NODES, own)
    assert own.get_extent() == pytest.approx(cb.plot.network(DAG, bare(), nodes=NODES).axes.get_extent())
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    bn = cb.fit(cb.Dag.from_arcs(data.names, [("X81", "X99"), ("X99", "X300")]), data, scale="sd")
    table = bn.paths("X81", "X300")
    whole = bare(ccrs.Robinson(180))
    cb.plot.paths(table, bn, whole)
    limits = [*whole.projection.x_limits, *whole.projection.y_limits]
    assert [*whole.get_xlim(), *whole.get_ylim()] == pytest.approx(limits)
    plt.close("all")


def bare(projection=None):
    return plt.figure().add_subplot(projection=projection or ccrs.PlateCarree())


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(ClimateBNError, match="no path to draw"):
        cb.plot.paths(TABLE.head(0), NODES)
    numbers = dict.fromkeys("ab", 0.0), dict.fromkeys("ab", 1.0)
    bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
    with pytest.raises(ClimateBNError, match="has no places"):
        cb.plot.paths(bn.paths("a", "b"), bn)
    with pytest.raises(ClimateBNError, match="must be map axes"):
        cb.plot.paths(TABLE, NODES, plt.figure().add_subplot())
