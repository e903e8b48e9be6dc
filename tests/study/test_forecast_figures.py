"""The maps of the months ahead: one scale for all, on which also a month far ahead has something to see."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.collections import QuadMesh

from climatebn.study.forecasting import figures


def test_months_far_ahead_have_classes_of_their_own():
    """Anomalies fade to a twelfth in nine months, and polar ones are eight times those of the tropics."""
    lat, lon, leads = np.arange(-85.0, 90, 10), np.arange(-175.0, 180, 10), [1, 3, 6, 9]
    wave = np.sin(np.deg2rad(lon)) * (1 + 7 * (np.abs(lat) > 60))[:, None] * 0.9
    mean = np.array([wave * fade for fade in (1, 0.5, 0.2, 0.08)])
    coords = {"lead": leads, "lat": lat, "lon": lon, "time": ("lead", pd.date_range("2026-01-01", periods=4))}
    maps = {name: (("lead", "lat", "lon"), mean + shift) for name, shift in (("mean", 0), ("low", -1), ("high", 1))}
    outlook = xr.Dataset(maps, coords=coords)
    outlook["mean"].attrs["units"] = "K"
    figure = figures.outlook_figure(SimpleNamespace(outlook=outlook))
    meshes = [one for ax in figure.axes[:8] for one in ax.collections if isinstance(one, QuadMesh)][0::2]
    assert len(meshes) == 4
    classes = [len(np.unique(mesh.norm(np.ma.compressed(mesh.get_array())))) for mesh in meshes]
    assert min(classes) >= 5
    borders = meshes[0].norm.boundaries
    assert all(np.array_equal(mesh.norm.boundaries, borders) for mesh in meshes)
    np.testing.assert_allclose(borders, [-8, -4, -2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2, 4, 8])
    plt.close(figure)
