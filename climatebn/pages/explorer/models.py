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
        return facts | {"kind": "ensemble", "members": len(model), **_factor(_together(model), 4, factors)}
    size = len(model.names)
    if isinstance(model, CorrelationNetwork):
        first, second = model.graph.numbered_undirected.T
        order = np.lexsort((first, second))
        facts |= {"kind": "correlation", "arcs": arcs(size, first[order], second[order])}
        facts |= {"weights": numbers(model.correlations[order]), "strength": numbers(model.arc_loglik[order], 2)}
        return facts | ({"rows": numbers(unit_root(model.rows), 3)} if factors else {})
    factor = sd_factor(model)
    facts |= {"kind": "network", **_factor(factor, 8, factors)}
    if model.arc_loglik is not None:
        parent, child = model.dag.numbered_arcs.T
        facts["strength"] = numbers(model.arc_loglik[np.lexsort((parent, child))], 2)
    return facts | ({"mean": numbers(factor.mean), "variances": numbers(factor.variances)} if factors else {})


def _together(model: Ensemble) -> SdFactor:
    """The factors of all members one after the other: children go on counting, parents begin anew."""
    size, each = len(model.names), [one.factor() for one in model.members]
    children = [one.child + number * size for number, one in enumerate(each)]
    parts = {name: np.concatenate([getattr(one, name) for one in each]) for name in ("parent", "weights")}
    residual = np.concatenate([one.residual_variances for one in each])
    parts |= {"child": np.concatenate(children), "residual_variances": residual}
    return SdFactor(mean=np.zeros_like(residual), variances=np.ones_like(residual), **parts)


def _factor(factor: SdFactor, width: int, factors: bool) -> dict[str, Any]:
    size = len(factor.residual_variances)
    drawn = {"arcs": arcs(size, factor.parent, factor.child)}
    drawn["weights"] = numbers(factor.weights, width if factors else 1)  # type: ignore[assignment]
    return drawn | ({"residual": numbers(factor.residual_variances, width)} if factors else {})


def _called(algorithm: str, criterion: str) -> str:
    """The algorithm and what its criterion was, e.g. tabu, BIC γ = 0.5."""
    known = ALGORITHMS.get(algorithm)
    name = algorithm if known is None else known.label
    kind, _, settings = criterion.removesuffix(")").partition("(")
    told = [one for one in settings.split(", ") if one and one not in ("variance='ml'", "weight=1.0")]
    words = " ".join([kind, *(one.replace("gamma=", "γ = ") for one in told)])
    return ", ".join(filter(None, (name, words))) or "Network"
