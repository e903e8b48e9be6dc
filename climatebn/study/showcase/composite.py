"""What was observed in the months in which the evidence was extreme, beside what an ensemble answers for such."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from climatebn.ingest.nodes.season import year_blocks
from climatebn.study.showcase.question import Question
from climatebn.uncertainty.ensemble_model import Ensemble

EXTREME = 1.5  # sd, of the months in the composite


@dataclass(frozen=True)
class Composite:
    """Mean of the months in which the evidence was extreme, or held, in sd; how many there are, ``when`` in words.

    ``pattern`` is the area-weighted correlation of both maps, ``amplitude`` the slope of the answer on what was
    observed, both without the places of the evidence; missing where only those are there.
    """

    observed: xr.DataArray
    expected: xr.DataArray
    months: int
    years: int
    when: str
    pattern: float
    amplitude: float


def composite(first: Ensemble, asked: Question) -> Composite | None:
    """Beside what is answered for evidence as far off as in these months; None where a month never has it all."""
    data, series = asked.data, asked.series()
    ends = np.array([(one.low, one.high) for one in asked.observations]).T
    values = all(one.exact for one in asked.observations)
    beyond = series * np.sign(ends[0]) > EXTREME if values else (series >= ends[0]) & (series <= ends[1])
    rows = beyond.all(axis=1)
    if not rows.any():
        return None
    when = f"the evidence was beyond {EXTREME:g} standard deviations on its side" if values else "the evidence held"
    scale = float(np.abs(series[rows]).mean() / np.abs(ends[0]).mean()) if values else 1.0
    answered = first.condition(asked.evidence).mean * scale
    seen = ((data.values - first.centre) / first.spread)[rows].mean(axis=0)
    words = {"observed mean anomaly": seen, "mean anomaly given the evidence": answered}
    observed, expected = (data.to_xarray(v).assign_attrs(long_name=name, units="sd") for name, v in words.items())
    given = [one.quantity.node for one in asked.observations if one.quantity.node is not None]
    others = np.setdiff1d(np.arange(len(data.names)), given)
    alike = _alike(seen[others], answered[others], np.cos(np.deg2rad(data.lat[others])))
    years = len(np.unique(year_blocks(data)[rows]))
    return Composite(observed, expected, int(rows.sum()), years, when, *alike)


def _alike(seen: np.ndarray, answered: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Weighted correlation of two maps, and the slope of the second on the first through the origin."""
    if len(seen) < 3:
        return float("nan"), float("nan")
    weights = np.where(np.isfinite(weights), weights, 1.0)  # nodes without a place count as one at the equator
    share = weights / weights.sum()
    a, b = seen - share @ seen, answered - share @ answered
    spread = np.sqrt((share @ a**2) * (share @ b**2))
    slope = share @ (seen * answered) / (share @ seen**2)
    return float(share @ (a * b) / spread) if spread > 0 else float("nan"), float(slope)
