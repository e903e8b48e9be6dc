"""Small fields for the tests of ingest."""

import numpy as np
import pandas as pd
import xarray as xr


def made_field(lat=None, lon=None, months=36, start="1981-01", seed=0, name="air"):
    """A random monthly field (time, lat, lon) in degC with a seasonal cycle, and CF coordinates."""
    lat = np.arange(-75.0, 90, 30) if lat is None else np.asarray(lat, dtype=float)
    lon = np.arange(-150.0, 180, 60) if lon is None else np.asarray(lon, dtype=float)
    time = pd.date_range(start, periods=months, freq="MS")
    noise = np.random.default_rng(seed).normal(size=(months, lat.size, lon.size))
    season = 10 * np.cos(2 * np.pi * (time.month.to_numpy() - 1) / 12)[:, None, None] * (lat / 90)[None, :, None]
    return xr.DataArray(
        noise - season + 15,
        dims=("time", "lat", "lon"),
        coords={
            "time": time,
            "lat": ("lat", lat, {"units": "degrees_north", "standard_name": "latitude"}),
            "lon": ("lon", lon, {"units": "degrees_east", "standard_name": "longitude"}),
        },
        name=name,
        attrs={"units": "degC", "long_name": "air temperature"},
    )
