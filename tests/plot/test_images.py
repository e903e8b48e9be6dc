"""A few small pictures beside stored ones: letters may move by a pixel with matplotlib, but nothing may be lost.

After a wanted change: CLIMATEBN_UPDATE_IMAGES=1 python -m pytest tests/plot/test_images.py, then look at the pictures.
"""

import io
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr
from matplotlib.image import imread

import climatebn as cb

IMAGES = Path(__file__).parent / "images"
TOLERANCE = 0.006  # mean difference of red, green and blue between 0 and 1


def picture(figure):
    """The figure as red, green and blue (rows × columns × 3)."""
    stored = io.BytesIO()
    figure.savefig(stored, dpi=60)
    stored.seek(0)
    return imread(stored)[..., :3]


def difference(one, other):
    """Mean absolute difference of colours on blocks of 2 × 2 pixels; pictures of other sizes differ wholly."""
    if one.shape != other.shape:
        return 1.0
    rows, columns = (size // 2 * 2 for size in one.shape[:2])
    apart = (one - other)[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2, 3)
    return float(np.abs(apart.mean(axis=(1, 3))).mean())


def stored_difference(figure, name):
    return difference(picture(figure), imread(IMAGES / f"{name}.png")[..., :3])


def check(figure, name):
    if os.environ.get("CLIMATEBN_UPDATE_IMAGES"):
        figure.savefig(IMAGES / f"{name}.png", dpi=60)
    assert stored_difference(figure, name) < TOLERANCE


@pytest.fixture(scope="module")
def places():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


ARCS = [(f"X{i}", f"X{i + 19}") for i in range(1, 629, 7)] + [("X81", "X441"), ("X640", "X30"), ("X10", "X333")]


def network_figure(places, arcs=ARCS):
    figure = plt.figure(figsize=(6, 3.6), layout="constrained")
    cb.plot.network(cb.Dag.from_arcs(places.names, arcs), cb.plot.map_axes(figure=figure), nodes=places)
    return figure


def without_coastline(figure):
    next(artist for artist in figure.axes[0].collections if artist.get_label() == "coastline").remove()
    return figure


def without_legend(figure):
    figure.axes[0].get_legend().remove()
    return figure


def test_propagation_map(world):
    spread = world / float(abs(world).max())
    mask = xr.zeros_like(world, dtype=bool)
    mask.loc[{"lat": -5, "lon": -135}] = True
    attrs = {
        "tail": "both",
        "evidence": '{"X81": 2.0}',
        "given": "X81 = 2 sd",
        "threshold": 1.0,
        "threshold_units": "sd",
    }
    both = {"difference_upper": 0.8 * spread, "difference_lower": -0.5 * spread, "evidence": mask}
    post = xr.Dataset(both, attrs=attrs)
    check(cb.plot.propagation(post).figure, "propagation")
    assert stored_difference(without_coastline(cb.plot.propagation(post).figure), "propagation") > TOLERANCE


def test_network_map(places):
    check(network_figure(places), "network")


@pytest.mark.parametrize(
    "poorer",
    [
        lambda places: without_coastline(network_figure(places)),
        lambda places: without_legend(network_figure(places)),
        lambda places: network_figure(places, ARCS[-1:]),
    ],
    ids=["without coastline", "without legend", "one arc"],
)
def test_what_is_lost_from_a_picture_is_noticed(places, poorer):
    assert stored_difference(poorer(places), "network") > TOLERANCE


def test_the_measure_is_of_colours_not_of_grey():
    red, blue = np.zeros((2, 8, 8, 3))
    red[..., 0] = blue[..., 2] = 1.0
    assert difference(red, blue) == pytest.approx(2 / 3)
    assert difference(red, red) == 0.0
    assert difference(red, blue[:4]) == 1.0
