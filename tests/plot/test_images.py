"""A few small pictures, at one and two columns of a journal, beside stored ones.

Letters may move by a pixel with matplotlib, but nothing may be lost: a picture without its coastline, without its
legend or with one arc alone is told apart. Matplotlib sets text anew from 3.11 on, other widths of letters give maps
another room, so pictures of earlier versions have a folder of their own. After a wanted change run
CLIMATEBN_UPDATE_IMAGES=1 python -m pytest tests/plot/test_images.py with both, then look at the pictures.
"""

import io
import os
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr
from matplotlib.image import imread

import climatebn as cb

IMAGES = Path(__file__).parent / ("images" if mpl.__version_info__ >= (3, 11) else "images_before_3.11")
TOLERANCE = 0.006  # mean difference of red, green and blue between 0 and 1
WIDTHS = {"one_column": (8.5 / 2.54, 90), "two_columns": (17 / 2.54, 60)}  # inches, dots per inch
ARCS = [(f"X{i}", f"X{i + 19}") for i in range(1, 629, 7)] + [("X81", "X441"), ("X640", "X30"), ("X10", "X333")]


def png(figure, dpi):
    stored = io.BytesIO()
    figure.savefig(stored, dpi=dpi)
    return stored.getvalue()


def difference(one, other):
    """Mean absolute difference of red, green and blue on blocks of 2 × 2 pixels, in the quarter (from the top down)
    where it is largest; other sizes differ wholly."""
    one, other = (imread(io.BytesIO(stored))[..., :3] for stored in (one, other))
    if one.shape != other.shape:
        return 1.0
    rows, columns = (size // 2 * 2 for size in one.shape[:2])
    apart = (one - other)[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2, 3)
    quarters = np.array_split(np.abs(apart.mean(axis=(1, 3))), 4)
    return max(float(quarter.mean()) for quarter in quarters)


def stored_difference(draw, name, width):
    inches, dpi = WIDTHS[width]
    figure = plt.figure(figsize=(inches, 0.68 * inches), layout="constrained")
    draw(cb.plot.map_axes(figure=figure))
    now = png(figure, dpi)
    path = IMAGES / f"{name}_{width}.png"
    if os.environ.get("CLIMATEBN_UPDATE_IMAGES") and draw in (propagation, network, field):
        path.write_bytes(now)
    return difference(now, path.read_bytes())


def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


def world():
    lat, lon = np.arange(-85.0, 90, 10), np.arange(-175.0, 180, 10)
    values = np.cos(np.radians(lat))[:, None] * np.sin(np.radians(lon + 20)) + lat[:, None] / 200
    return xr.DataArray(values, coords={"lat": lat, "lon": lon}, dims=("lat", "lon"))


def propagation(ax):
    spread = world() / 1.4
    mask = xr.zeros_like(spread, dtype=bool)
    mask.loc[{"lat": -5, "lon": -135}] = True
    attrs = {"tail": "both", "evidence": '{"X81": 2.0}', "threshold": 1.0, "threshold_units": "sd", "data_units": "K"}
    both = {"difference_upper": 0.8 * spread, "difference_lower": -0.5 * spread, "evidence": mask}
    cb.plot.propagation(xr.Dataset(both, attrs=attrs), ax, title="answer to the evidence")


def field(ax):
    attrs = {"long_name": "temperature anomaly", "units": "K"}
    cb.plot.field(world().where(world().lon < 100).assign_attrs(attrs), ax, title="a field with missing cells")


def network(ax, arcs=ARCS):
    known = data()
    return cb.plot.network(cb.Dag.from_arcs(known.names, arcs), ax, nodes=known)


def propagation_without_coastline(ax):
    propagation(ax)
    drop_coastline(ax)


def network_without_coastline(ax):
    network(ax)
    drop_coastline(ax)


def network_without_legend(ax):
    network(ax)
    ax.get_legend().remove()


def network_of_one_arc(ax):
    network(ax, ARCS[-1:])


def drop_coastline(ax):
    next(artist for artist in ax.collections if artist.get_label() == "coastline").remove()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("draw", [propagation, network, field])
def test_pictures_are_as_they_were(draw, width):
    assert stored_difference(draw, draw.__name__, width) < TOLERANCE


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "draw",
    [network_without_coastline, network_without_legend, network_of_one_arc, propagation_without_coastline],
)
def test_what_is_lost_from_a_picture_is_noticed(draw, width):
    assert stored_difference(draw, draw.__name__.split("_")[0], width) > TOLERANCE


def test_the_measure_is_of_colours_not_of_grey():
    def plain(colour, inches=1.0):
        return png(plt.figure(figsize=(inches, 1), facecolor=colour), 20)

    assert difference(plain((1, 0, 0)), plain((0, 0, 1))) == pytest.approx(2 / 3)
    assert difference(plain((1, 0, 0)), plain((1, 0, 0))) == 0.0
    assert difference(plain((1, 0, 0)), plain((1, 0, 0), 2.0)) == 1.0
