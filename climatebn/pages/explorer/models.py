"""What the page knows of each model: a Gaussian network, an ensemble or a correlation network."""

from typing import Any, TypeAlias

import numpy as np

from climatebn.analysis.correlation import CorrelationNetwork
from climatebn.learning.registry import ALGORITHMS
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.sd_factor import SdFactor, sd_factor
from climatebn.pages.explorer.packing import arcs, numbers
from climatebn.pages.explorer.sample import unit_root
from climatebn.uncertainty.ensemble_model import Ensemble

ROW_STEP = 2.0**-27  # of the rows of a correlation network; answers are then right to less than 1e-6
MEMBER_STEP = 2.0**-22

Model: TypeAlias = GaussianBN | Ensemble | CorrelationNetwork


def described(model: Model) -> dict[str, Any]:
    """How the page calls a model, and which units it takes numbers in when none are said."""
    if isinstance(model, Ensemble):
        label, note = _called(model.algorithm, model.criterion), f"ensemble of {len(model)} networks"
    elif isinstance(model, CorrelationNetwork):
        edges = len(model.graph.numbered_undirected)
        label, note = "Correlation network", f"{edges} edges, |r| ≥ {model.threshold:.2f}; answers at neighbours only"
    else:
        learned = model.learned
        label = _called(str(learned.get("algorithm", "")), str(learned.get("criterion", "")))
        note = f"{model.coefficients.nnz} arcs"
    own = model.own_units if isinstance(model, GaussianBN) else "sd"
    return {"label": label, "note": note, "units": own, "dataUnits": model.units}


def packed(model: Model, factors: bool = True) -> dict[str, Any]:
    """A model as arrays; without ``factors`` only what is drawn of it, where another process does the algebra."""
    facts = described(model) | {"centre": numbers(model.centre), "spread": numbers(model.spread)}
    if isinstance(model, Ensemble):
        return facts | {"kind": "ensemble", "members": len(model), **_members(model, factors)}
    size = len(model.names)
    if isinstance(model, CorrelationNetwork):
        first, second = model.graph.numbered_undirected.T
        order = np.lexsort((first, second))
        facts |= {"kind": "correlation", "arcs": arcs(size, first[order], second[order])}
        facts |= {"weights": numbers(model.correlations[order]), "strength": numbers(model.arc_loglik[order], 2)}
        return facts | ({"rows": numbers(unit_root(model.rows), step=ROW_STEP)} if factors else {})
    factor = sd_factor(model)
    facts |= {"kind": "network", **_factor(factor, factors)}
    if model.arc_loglik is not None:
        parent, child = model.dag.numbered_arcs.T
        facts["strength"] = numbers(model.arc_loglik[np.lexsort((parent, child))], 2)
    return facts | ({"mean": numbers(factor.mean), "variances": numbers(factor.variances)} if factors else {})


def _members(model: Ensemble, factors: bool) -> dict[str, Any]:
    """The factors of all members one after the other: children go on counting, parents begin anew.

    A node that its parents nearly fix, as near the poles, needs them more exactly: with a residual variance of 4⁻ᵉ its
    weights have steps of 2⁻ᵉ, and the variance steps of 4⁻ᵉ.
    """
    size, each = len(model.names), [one.factor() for one in model.members]
    child = np.concatenate([one.child + number * size for number, one in enumerate(each)])
    weights = np.concatenate([one.weights for one in each])
    drawn = {"arcs": arcs(size * len(each), np.concatenate([one.parent for one in each]), child)}
    if not factors:
        return drawn | {"weights": numbers(weights, 1)}
    residual = np.concatenate([one.residual_variances for one in each])
    finer = np.ceil(-np.log2(np.maximum(residual, 4.0**-20)) / 2)
    return drawn | {
        "weights": numbers(weights * 2.0 ** finer[child], step=MEMBER_STEP),
        "residual": numbers(residual * 4.0**finer, step=MEMBER_STEP),
        "finer": numbers(finer, step=1.0),
    }


def _factor(factor: SdFactor, factors: bool) -> dict[str, Any]:
    size = len(factor.residual_variances)
    drawn = {"arcs": arcs(size, factor.parent, factor.child)}
    drawn["weights"] = numbers(factor.weights, 8 if factors else 1)  # type: ignore[assignment]
    return drawn | ({"residual": numbers(factor.residual_variances)} if factors else {})


def _called(algorithm: str, criterion: str) -> str:
    """The algorithm and what its criterion was, e.g. tabu, BIC γ = 0.5."""
    known = ALGORITHMS.get(algorithm)
    name = algorithm if known is None else known.label
    kind, _, settings = criterion.removesuffix(")").partition("(")
    told = [one for one in settings.split(", ") if one and one not in ("variance='ml'", "weight=1.0")]
    words = " ".join([kind, *(one.replace("gamma=", "γ = ") for one in told)])
    return ", ".join(filter(None, (name, words))) or "Network"
