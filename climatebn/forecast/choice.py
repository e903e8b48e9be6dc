"""Choices made inside the training years: their last third is forecast from what comes before it."""

from collections.abc import Sequence

import numpy as np

from climatebn.forecast.inverse_model import EOFS, cell_areas, linear_inverse, tropics_of
from climatebn.forecast.record import Record

LEARNED_SHARE = 0.7  # of the training years; the rest of them are forecast


def inner_split(trained: int) -> int:
    """How many of so many training months come before those that a choice is made on: whole years.

    >>> inner_split(600)
    420
    """
    return 12 * round(LEARNED_SHARE * trained / 12)


def chosen_eofs(record: Record, leads: Sequence[int]) -> int:
    """The number of EOFs whose linear inverse model has the least squared error in the tropics; 0 where there are none.

    The mean over leads, and over places by area, of the error as a share of the place's variance.
    """
    tropics = tropics_of(record)
    if len(tropics) < 2:
        return 0
    cut = inner_split(record.trained)
    inner = record.until(cut)
    most = min(cut - 1, len(tropics))
    errors = {count: _error(inner, count, tropics, record.trained, leads) for count in EOFS if count <= most}
    return min(errors, key=lambda count: errors[count]) if errors else most


def _error(inner: Record, count: int, tropics: np.ndarray, end: int, leads: Sequence[int]) -> float:
    model = linear_inverse(inner, count)
    places = np.eye(len(inner.nodes))[:, tropics]
    area = cell_areas(inner)[tropics]
    shares = []
    for lead in leads:
        made = np.arange(inner.trained - 1, end - lead)
        observed = inner.values[made + lead][:, tropics]
        error = ((model.forecast(places, lead)[0][made] - observed) ** 2).mean(axis=0)
        shares.append(np.average(error / inner.values[: inner.trained, tropics].var(axis=0), weights=area))
    return float(np.mean(shares))
