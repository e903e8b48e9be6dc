r"""Is one model better than another? The same forecasts, drawn again in blocks of months.

    Δr      correlation of the model minus that of the reference
    gain    1 − MSE(model) / MSE(reference), the share of the squared error that is saved
    Δcrps   CRPS of the reference minus that of the model

Errors of neighbouring months are much alike, so blocks of two years are drawn with replacement, for both models at once
(moving blocks round the circle; Künsch 1989). An interval that holds 0 says that the difference may be chance.
"""

import numpy as np
import pandas as pd

from climatebn.errors import MANY, ClimateBNError, number, public, whole
from climatebn.forecast.scores import correlation, crps
from climatebn.rng import generator

MEASURES = ("correlation", "squared_error_gain", "crps_gain")


@public
def block_rows(n: int, block: int, draws: int, seed: int) -> np.ndarray:
    """Row numbers of each draw (draws × n): blocks of ``block`` rows in a row, begun anywhere, round the circle.

    Parameters
    ----------
    n : number of rows.
    block : rows in a block, 1 … n.
    draws : number of resamples.
    seed : names the random beginnings.

    Returns
    -------
    array of row numbers (draws × n).

    Raises
    ------
    ClimateBNError where ``block`` is longer than the record.

    Examples
    --------
    >>> block_rows(5, 5, 1, 0).shape
    (1, 5)
    """
    whole("n", n, least=1)
    whole("block", block, least=1, most=n)
    whole("draws", draws, 1, MANY)
    starts = generator(seed, "blocks").integers(n, size=(draws, -(-n // block)))
    rows = (starts[:, :, None] + np.arange(block)) % n
    return np.asarray(rows.reshape(draws, -1)[:, :n])


@public
def differences(
    model: pd.DataFrame,
    reference: pd.DataFrame,
    *,
    block: int = 24,
    draws: int = 2000,
    level: float = 0.9,
    seed: int = 0,
) -> pd.DataFrame:
    """Differences of scores between two models on the same months, with intervals.

    Parameters
    ----------
    model, reference : forecasts of the same months in the same order, with columns forecast, sd and observed.
    block : months in a block.
    draws : resamples.
    level : of the intervals.
    seed : names the resamples.

    Returns
    -------
    DataFrame, a row a measure: measure, value, low, high, share (of the draws in which the model is ahead).

    Raises
    ------
    ClimateBNError where the two are not forecasts of the same months.

    Examples
    --------
    >>> seen = pd.DataFrame({"observed": [0.0, 1.0, 2.0, 1.0], "sd": 1.0})
    >>> good, bad = seen.assign(forecast=seen["observed"] * 0.9), seen.assign(forecast=[1.0, 0.0, 1.0, 2.0])
    >>> table = differences(good, bad, block=2, draws=20)
    >>> table["measure"].tolist(), bool((table["value"] > 0).all())
    (['correlation', 'squared_error_gain', 'crps_gain'], True)
    """
    number("level", level, above=0, below=1)
    whole("block", block, least=1)
    for name, table in (("model", model), ("reference", reference)):
        lost = [column for column in ("forecast", "sd", "observed") if column not in table]
        if lost or not len(table):
            raise ClimateBNError(f"{name} needs rows with columns forecast, sd and observed; it lacks {lost or 'rows'}")
    y = reference["observed"].to_numpy()
    if len(model) != len(reference) or not np.array_equal(model["observed"].to_numpy(), y):
        raise ClimateBNError("model and reference must be forecasts of the same months in the same order")
    rows = np.concatenate([np.arange(len(y))[None], block_rows(len(y), min(block, len(y)), draws, seed)])
    seen = y[rows].T  # month × draw; the first is the sample itself
    scores = []
    for table in (model, reference):
        mean, sd = (table[name].to_numpy() for name in ("forecast", "sd"))
        each = crps(mean, sd, y), (mean - y) ** 2
        scores.append((correlation(mean[rows].T, seen), *(one[rows].mean(axis=1) for one in each)))
    (r, c, e), (r0, c0, e0) = scores
    with np.errstate(invalid="ignore"):
        found = dict(zip(MEASURES, (r - r0, 1 - e / e0, c0 - c), strict=True))
    tail = 100 * (1 - level) / 2
    return pd.DataFrame(
        [
            (name, values[0], *np.percentile(values[1:], (tail, 100 - tail)), float((values[1:] > 0).mean()))
            for name, values in found.items()
        ],
        columns=["measure", "value", "low", "high", "share"],
    )
