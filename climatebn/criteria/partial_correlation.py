"""What all tests of partial correlations share: their compiled form, and one test made with it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.criteria.stats import GaussianStats
from climatebn.errors import ClimateBNError
from climatebn.kernels import conditioning, evidence
from climatebn.kernels.evidence import EvidenceForm
from climatebn.kernels.form import GaussianForm


def require_level(alpha: Any) -> None:
    """Raise an error unless alpha is a significance level."""
    if not 0 < alpha < 1:
        raise ClimateBNError(f"alpha must lie between 0 and 1; got {alpha!r}")


def squared_quantile(alpha: float) -> float:
    """z² with P(χ²₁ > z²) = α."""
    from scipy.special import ndtri

    return float(ndtri(alpha / 2) ** 2)


def form_of(kind: int, stats: GaussianStats, critical: float, spared: int) -> EvidenceForm:
    """The form of a test that needs ``spared`` observations beyond the size of the conditioning set."""
    bare = EvidenceForm(kind, stats.cov, float(stats.n), critical, np.empty(0), *[np.empty(0)] * 3)
    largest = max(min(stats.n - spared, len(stats.names)), 0)
    return bare._replace(squares=np.array([evidence.square_at(bare, k, 0.0) for k in range(largest + 1)]))


def form_of_gain(form: GaussianForm, stats: GaussianStats) -> EvidenceForm:
    """The form of the sign of a score's gain."""
    a, b, c = (np.pad(table, (0, 2), mode="edge") for table in (form.a, form.b, form.c))
    return EvidenceForm(evidence.GAIN, form.matrix, float(stats.n), 0.0, np.zeros(len(form.a)), a, b, c)


def measure(form: EvidenceForm, x: int, y: int, given: Sequence[int]) -> float:
    """Evidence of one test."""
    if len(given) >= len(form.squares):
        raise ClimateBNError(
            f"a test given {len(given)} nodes is not possible with n = {form.n:.0f} observations; "
            f"the largest conditioning set has {len(form.squares) - 1}"
        )
    return float(conditioning.single(form, x, y, np.array(given, dtype=np.int64)))


def log_p(form: EvidenceForm, x: int, y: int, given: Sequence[int]) -> float:
    """log p of one test."""
    return float(evidence.log_p(form, measure(form, x, y, given)))
