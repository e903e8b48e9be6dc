"""What holds for every answer that a call gives, whatever it was given."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

import climatebn as cb
from climatebn.network.condition import Conditional

SHARES = {"upper", "lower", "probability", "p_upper", "p_lower", "support", "p_value", "fdr", "direction"}


def broken(answer: Any) -> str:
    """What is wrong with an answer, in words; nothing when all is well."""
    if isinstance(answer, cb.LearnResult):
        return _learned(answer)
    if isinstance(answer, cb.GaussianBN) and len(answer.names) <= 40:
        return _network(answer)
    if isinstance(answer, cb.DiscreteBN):
        return "" if all(_is_share(table) for table in answer.tables) else "tables hold no probabilities"
    if isinstance(answer, Conditional):
        fine = np.isfinite(answer.mean).all() and (np.asarray(answer.sd) >= 0).all()
        return "" if fine else "moments are not finite"
    if isinstance(answer, xr.Dataset | pd.DataFrame | dict):
        wrong = [str(name) for name in answer if str(name) in SHARES and not _is_share(answer[name])]
        return f"{wrong[0]} is outside 0 … 1" if wrong else ""
    if isinstance(answer, float) and not isinstance(answer, np.floating) and np.isnan(answer):
        return "not a number"
    return ""


def _learned(result: cb.LearnResult) -> str:
    if result.score is not None and not np.isfinite(result.score):
        return f"the score is {result.score}"
    if result.valid is not (result.dag is not None):
        return "valid and dag contradict each other"
    if result.dag is not None and len(result.dag.numbered_order) < len(result.dag):
        return "the dag has a cycle"
    return ""


def _network(bn: cb.GaussianBN) -> str:
    """Sparse solves against dense algebra."""
    inverse = np.linalg.inv(np.eye(len(bn.names)) - bn.coefficients.toarray().T)
    covariance = inverse @ np.diag(bn.residual_variances) @ inverse.T
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    if not np.isfinite(covariance).all():
        return "the covariance is not finite"
    if not np.allclose(bn.covariance() / scale, covariance / scale, atol=1e-6):
        return "covariance differs from that of dense algebra"
    return ""


def _is_share(values: Any) -> bool:
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iuf":
        return True
    known = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    return bool(((known >= -1e-9) & (known <= 1 + 1e-9)).all())
