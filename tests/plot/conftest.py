import matplotlib
import numpy as np
import pytest
import xarray as xr

matplotlib.use("Agg")


@pytest.fixture
def world():
    """A smooth 10° field without symmetry between hemispheres or around the date line."""
    lat, lon = np.arange(-85.0, 90, 10), np.arange(-175.0, 180, 10)
    values = np.cos(np.radians(lat))[:, None] * np.sin(np.radians(lon + 20)) + lat[:, None] / 200
    attrs = {"long_name": "temperature anomaly", "units": "K"}
    return xr.DataArray(values, coords={"lat": lat, "lon": lon}, dims=("lat", "lon"), name="air", attrs=attrs)
