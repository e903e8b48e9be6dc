"""The embedded coastline: shores of the world as lines of longitude and latitude. Nothing is ever downloaded."""

from functools import cache

import numpy as np

from climatebn.ingest.field.datasets import data_path


@cache
def shores() -> tuple[np.ndarray, ...]:
    """The world's coastlines at 1:110 million (Natural Earth), each an array of (lon, lat) in degrees."""
    with np.load(data_path("coastline.npz"), allow_pickle=False) as stored:
        points = np.column_stack([stored["lon"], stored["lat"]]) / 100.0
        lines = np.split(points, stored["start"][1:])
    for line in lines:
        line.flags.writeable = False
    return tuple(lines)
