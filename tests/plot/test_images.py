"""A few small pictures beside stored ones: the look may drift a little with matplotlib, but not change.

After a wanted change: CLIMATEBN_UPDATE_IMAGES=1 python -m pytest tests/plot/test_images.py, then look at the pictures.
"""

import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr
from matplotlib.image import imread

import climatebn as cb

IMAGES = Path(__file__).parent / "images"
TOLERANCE = 0.03  # mean difference of grey values between 0 and 1, on blocks of 4 × 4 pixels: letters may move


def blocks(image):
    grey = image[..., :3].mean(axis=-1)
    rows, columns = (size // 4 * 4 for size in grey.shape)
    return grey[:rows, :columns].reshape(rows // 4, 4, columns // 4, 4).mean(axis=(1, 3))


def check(figure, name, tmp_path):
    figure.set_dpi(60)
    stored = IMAGES / f"{name}.png"
    if os.environ.get("CLIMATEBN_UPDATE_IMAGES"):
        figure.savefig(stored, dpi=60)
    figure.savefig(tmp_path / "now.png", dpi=60)
    now, expected = imread(tmp_path / "now.png"), imread(stored)
    assert now.shape == expected.shape
    assert np.abs(blocks(now) - blocks(expected)).mean() < TOLERANCE


def test_propagation_map(world, tmp_path):
    spread = world / float(abs(world).max())
    mask = xr.zeros_like(world, dtype=bool)
    mask.loc[{"lat": -5, "lon": -135}] = True
    attrs = {"tail": "both", "evidence": '{"X81": 2.0}', "threshold": 1.0, "threshold_units": "sd"}
    both = {"difference_upper": 0.8 * spread, "difference_lower": -0.5 * spread, "evidence": mask}
    check(cb.plot.propagation(xr.Dataset(both, attrs=attrs)).figure, "propagation", tmp_path)


def test_network_map(tmp_path):
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    arcs = [(f"X{i}", f"X{i + 19}") for i in range(1, 629, 7)] + [("X81", "X441"), ("X640", "X30"), ("X10", "X333")]
    figure = plt.figure(figsize=(6, 3.6), layout="constrained")
    cb.plot.network(cb.Dag.from_arcs(data.names, arcs), cb.plot.map_axes(figure=figure), nodes=data)
    check(figure, "network", tmp_path)


def test_a_changed_picture_is_noticed(world, tmp_path):
    figure = cb.plot.field(world, title="not this one").figure
    figure.set_size_inches(6, 3.6)
    with pytest.raises(AssertionError):
        check(figure, "network", tmp_path)
