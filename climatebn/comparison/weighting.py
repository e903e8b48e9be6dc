r"""Weights of models by skill and independence.

    w_i ∝ exp(−D_i² / σ_D²) / (1 + Σ_{j≠i} exp(−S_ij² / σ_S²))

D_i is the distance of model i from the reference, S_ij that between two models, σ_D and σ_S say how near is near
(Knutti et al. 2017, Geophys. Res. Lett. 44, 1909–1918; Brunner et al. 2020, Earth Syst. Dynam. 11, 995–1012). Here D²
and S² are the debiased Δ (Bhattacharyya's distance is a squared one, to second order), 0 where Δ is below 0, and σ² is
a share of the median Δ.

What these weights cannot do: they know only the dependence of the nodes on each other in the months compared, not the
mean state, trends or the response to forcing; where the order of models is not resolved, neither are their weights;
and σ is a choice, not an estimate.
"""

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError, number


def weights(excess: pd.DataFrame, reference: str, skill: float = 0.5, independence: float = 0.5) -> pd.DataFrame:
    """Skill, independence and weight of each model; see `Comparison.weights`."""
    number("skill", skill, above=0, most=1e6)
    number("independence", independence, above=0, most=1e6)
    models = [name for name in excess.index if name != reference]
    if not models:
        raise ClimateBNError("weights need one model or more beside the reference")
    square = np.maximum(excess.loc[models, models].to_numpy(dtype=float), 0.0)
    apart = np.maximum(excess.loc[models, reference].to_numpy(dtype=float), 0.0)
    if not np.isfinite(apart).all():
        lacking = [name for name, value in zip(models, apart, strict=True) if not np.isfinite(value)]
        raise ClimateBNError(
            f"weights need Δ, and so data, for each model; {', '.join(lacking[:5])} were given as networks"
        )
    near = np.exp(-apart / _square(skill, apart))
    off = square[~np.eye(len(models), dtype=bool)]
    alike = np.exp(-square / _square(independence, off))
    np.fill_diagonal(alike, 0.0)
    alone = 1 / (1 + alike.sum(axis=1))
    table = pd.DataFrame({"skill": near, "independence": alone, "weight": near * alone}, index=pd.Index(models))
    table["weight"] /= table["weight"].sum()
    return table.rename_axis("model")


def _square(share: float, values: np.ndarray) -> float:
    """σ²: (share of the median distance)², distances being √Δ."""
    middle = float(np.median(values)) if values.size else 0.0
    return share**2 * middle if middle > 0 else np.inf
