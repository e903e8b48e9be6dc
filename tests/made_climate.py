"""A small made-up climate with known dynamics: a ring of tropical places driven by one slow wave, and noise."""

import numpy as np
import pandas as pd
import xarray as xr

LON = np.arange(-170.0, 180.0, 45.0)
LAT = np.array([-5.0, 5.0])


def made_climate(years=50, seed=1, start="1950-01", warming=0.0):
    """Absolute temperatures (time, lat, lon) with a seasonal cycle; a damped wave makes the next months predictable."""
    random = np.random.default_rng(seed)
    n = 12 * years
    wave = np.zeros((n, 2))
    turn = 0.97 * np.array([[np.cos(0.15), -np.sin(0.15)], [np.sin(0.15), np.cos(0.15)]])
    for t in range(1, n):
        wave[t] = turn @ wave[t - 1] + 0.2 * random.normal(size=2)
    angle = np.deg2rad(LON)
    pattern = np.stack([np.cos(angle), np.sin(angle)])
    signal = (wave @ pattern)[:, None, :] * np.array([1.0, 0.8])[None, :, None]
    noise = 0.15 * random.normal(size=(n, len(LAT), len(LON)))
    season = 25 + 2 * np.cos(2 * np.pi * np.arange(n) / 12)
    values = season[:, None, None] + signal + noise + warming * np.arange(n)[:, None, None] / 120
    return xr.DataArray(
        values,
        dims=("time", "lat", "lon"),
        coords={"time": pd.date_range(start, periods=n, freq="MS"), "lat": LAT, "lon": LON},
        name="air",
        attrs={"units": "degC", "long_name": "air temperature"},
    )
