r"""`hindcast`: learn on some years, forecast later ones from every month, and score what came out.

A forecast made in month t for month t + h knows the months up to t, and models of the training years. The climatology
of a month is that of the years before it; scale, slopes and components are those of the training years.
"""

import itertools
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import xarray as xr

from climatebn.errors import ClimateBNError, public, whole
from climatebn.forecast.hindcast_result import Hindcast, Stage
from climatebn.forecast.models import fitted, recipe
from climatebn.forecast.record import period, prepared, refuse_hindsight
from climatebn.ingest.field.months import name
from climatebn.provenance import history_line, input_hash


@public
def hindcast(
    field: xr.DataArray,
    train: tuple[Any, Any] = ("1950", "1999"),
    test: tuple[Any, Any] = ("2000", "2024"),
    leads: Sequence[int] | int = (1, 3, 6),
    lags: Sequence[int] = (1, 2, 3),
    algorithm: str = "hill_climbing",
    criterion: Any = None,
    members: int = 6,
    base: Any = "previous 30 years",
    seed: int = 1,
    *,
    relearn: int | None = None,
    missing: str = "raise",
    degenerate: str = "raise",
    workers: int | Executor | None = None,
    progress: bool = True,
) -> Hindcast:
    """Forecast past months as if they were still to come, from every month of the test years, and score it.

    Parameters
    ----------
    field : monthly absolute values with dimensions time, lat, lon, without gaps; anomalies are taken here.
    train, test : (first, last) as years or "YYYY-MM"; the test follows the training.
    leads : months ahead, 1 … 12; a number stands for 1 … that number.
    lags : months before that a forecast may read; with 0, arcs within a month are learned too.
    algorithm, criterion : as for `learn`; BIC(gamma=0.25) when left out.
    members : networks, each learned on resampled training years; their coefficients are averaged.
    base : of the climatology, as in `anomalies`; a fixed one must lie in the training years (None: all of them).
    seed : of the resampled years.
    relearn : learn again every so many years of the test, from all that is past by then; once when left out.
    missing, degenerate : as for `to_nodes`, of the training years.
    workers : processes or an executor for the members; this machine's threads when None.
    progress : show a progress bar.

    Returns
    -------
    `Hindcast`, with the network beside persistence, damped persistence (over the year, and by calendar month),
    climatology and a linear inverse model of the tropics (``lim``), whose number of EOFs is chosen inside the training
    years. `Hindcast.skill` scores a region, `skill_map` every place, `differences` says what may be chance.

    Notes
    -----
    With z the anomalies divided by the standard deviation of their calendar month in the training years, A_l and c the
    means of the members' coefficients, and Q the covariance of the errors of one month out of bag::

        z_t = c + Σ_l A_l z_{t−l} + e_t,      e_t ~ N(0, Q)

    Nothing of a forecast knows what comes after the month in which it is made: climatology, scale, network and all
    other models are of the past (a test holds it).

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5])
    >>> tried = cb.hindcast(tropics, test=("2000", "2009"), leads=(1, 6), lags=(1,), members=2, progress=False)
    >>> table = tried.skill(lat=(-10, 10), lon=(-170, -120))
    >>> table.columns.tolist()
    ['model', 'lead', 'correlation', 'rmse', 'crps']
    """
    how = recipe(leads, lags, algorithm, criterion, members, seed)
    every = None if relearn is None else whole("relearn", relearn, 1)
    refuse_hindsight(field)
    record = prepared(field, train, base, missing=missing, degenerate=degenerate)
    first, last = period("test", test, record.months)
    trained = record.trained
    if first < record.months[trained - 1] + 1:
        raise ClimateBNError(
            f"test={test!r} must begin after the training years, which end in {name(record.months[trained - 1])}"
        )
    start, end = record.row(first), record.row(last)
    begin = max(start - max(how.leads), trained - 1)
    ends = [trained] if every is None else list(range(trained, end + 1, 12 * every))
    borders = [begin, *(one - 1 for one in ends[1:] if one - 1 > begin), end]
    stages = []
    for made_from, made_to in itertools.pairwise(borders):
        known = max(one for one in ends if one - 1 <= made_from)
        models = fitted(record.until(known), how, workers, progress)
        stages.append(Stage(made_from, made_to, models))
    asked = {
        "train": train, "test": test, "leads": how.leads, "lags": how.lags, "algorithm": algorithm,
        "criterion": how.criterion, "members": members, "base": base, "relearn": relearn,
    }  # fmt: skip
    line = history_line("hindcast", asked, input=input_hash(field), seed=seed)
    return Hindcast(record, how, tuple(stages), start, end, line)
