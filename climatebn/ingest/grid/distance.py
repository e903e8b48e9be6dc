r"""Great-circle distance by the haversine formula on a sphere of 6371 km.

d = 2R asin √( sin²(Δφ/2) + cos φ₁ cos φ₂ sin²(Δλ/2) )
"""

from typing import Any

import numpy as np

from climatebn.errors import alike, public

EARTH_RADIUS_KM = 6371.0


@public
def great_circle(lat1: Any, lon1: Any, lat2: Any, lon2: Any) -> np.ndarray:
    """Distance in km between places in degrees; arrays broadcast.

    Parameters
    ----------
    lat1, lon1, lat2, lon2 : degrees north and east.

    Returns
    -------
    km on a sphere of 6371 km radius.

    Examples
    --------
    >>> round(float(great_circle(0, 0, 0, 180)))
    20015
    """
    lat1, lon1, lat2, lon2 = alike(lat1=lat1, lon1=lon1, lat2=lat2, lon2=lon2)
    phi1, phi2 = np.deg2rad(lat1), np.deg2rad(lat2)
    half = np.sin((phi2 - phi1) / 2) ** 2
    half = half + np.cos(phi1) * np.cos(phi2) * np.sin((np.deg2rad(lon2) - np.deg2rad(lon1)) / 2) ** 2
    distance: np.ndarray = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    return distance
