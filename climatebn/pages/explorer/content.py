"""All that the page knows, as one object for JSON: models, places, sample, colours, limits, words."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np

from climatebn.analysis.correlation import CorrelationNetwork
from climatebn.errors import ClimateBNError, short
from climatebn.ingest.field.units import temperature_unit
from climatebn.network.discrete_bn import DiscreteBN
from climatebn.network.dynamic_bn import DynamicBN
from climatebn.network.evidence import JOINT_LIMIT, SINGLE_LIMIT, SINGULAR
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.pages.explorer.models import Model, described, packed
from climatebn.pages.explorer.packing import numbers
from climatebn.pages.explorer.places import places
from climatebn.pages.explorer.sample import unit_root, unit_rows
from climatebn.plot.colour_scale import DIVERGING, SEQUENTIAL
from climatebn.plot.propagation_map import BLANK, STEP
from climatebn.plot.stippling import AGREE
from climatebn.uncertainty.answers import TOLD, WIDTH
from climatebn.uncertainty.ensemble_model import Ensemble

KINDS = (GaussianBN, Ensemble, CorrelationNetwork)
FIT = "Fit a learned structure with climatebn.fit(result, data); open a file with climatebn.load_network"
OTHERS = {
    DiscreteBN: "The page has no answers for classes: ask .condition of the network itself",
    DynamicBN: "The page has one map and no time: ask climatebn.propagate(network, evidence, horizon=…)",
}


def named_models(given: Any, names: Sequence[str] = ()) -> dict[str, Model]:
    """The models by their labels, checked: of the right kind, with the same nodes.

    ``names`` are used where models call themselves the same; numbers when left out.
    """
    if isinstance(given, Mapping):
        models = {str(label): model for label, model in given.items()}
    else:
        several = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        models = _labelled([_checked(model) for model in several], names)
    if not models:
        raise ClimateBNError("networks is empty; give a fitted network, several, or an ensemble")
    first = next(iter(map(_checked, models.values())))
    for label, model in models.items():
        if _checked(model).names != first.names:
            raise ClimateBNError(f"all networks of one page need the same nodes in the same order; {label} has others")
    return models


def content(models: Mapping[str, Model], data: Any = None, served: bool = False) -> dict[str, Any]:
    """The content of a page; of a page that is ``served``, without the algebra."""
    several = list(models.values())
    first = several[0]
    nodes = next((model.nodes for model in several if model.nodes is not None), None)
    warm = temperature_unit(first.units) is not None
    return {
        "served": served,
        "names": list(first.names),
        "models": [packed(model, factors=not served) | {"label": label} for label, model in models.items()],
        "places": None if nodes is None else places(nodes),
        "sample": None if served else _sample(several, data),
        "colours": {"diverging": _ramp(DIVERGING), "sequential": _ramp(SEQUENTIAL), "blank": BLANK, "step": STEP},
        "limits": {"single": SINGLE_LIMIT, "joint": JOINT_LIMIT, "singular": SINGULAR},
        "ensemble": {"width": WIDTH, "told": TOLD, "agree": AGREE},
        "high": "warm" if warm else "high",
        "low": "cold" if warm else "low",
    }


def _sample(models: list[Model], data: Any) -> dict[str, Any] | None:
    """The sample's rows, or the number of the correlation network that holds them."""
    held = next((i for i, model in enumerate(models) if isinstance(model, CorrelationNetwork)), None)
    if data is None:
        return None if held is None else {"model": held}
    rows = unit_rows(models[0].names, data)
    if held is not None:
        own = models[held]
        assert isinstance(own, CorrelationNetwork)
        same = unit_root(own.rows)
        if same.shape == rows.shape and np.allclose(same, rows, atol=1e-9):
            return {"model": held}
    return {"rows": numbers(rows, 1)}


def _checked(model: Any) -> Model:
    if not isinstance(model, KINDS):
        advice = next((words for kind, words in OTHERS.items() if isinstance(model, kind)), FIT)
        raise ClimateBNError(
            "networks must be fitted Gaussian networks, ensembles or correlation networks; got "
            f"{type(model).__name__}: {short(model)}. {advice}"
        )
    if isinstance(model, Ensemble):
        _ = model.joint  # an error where no member is valid
    return model


def _labelled(models: list[Model], names: Sequence[str]) -> dict[str, Model]:
    labels = [described(model)["label"] for model in models]
    if len(set(labels)) < len(labels):
        labels = list(names) or labels
    if len(set(labels)) < len(labels):
        labels = [f"{i + 1}: {label}" for i, label in enumerate(labels)]
    return dict(zip(labels, models, strict=True))


def _ramp(name: str) -> str:
    """The 256 colours of a colour map, six hexadecimal digits each."""
    return "".join(mpl.colors.to_hex(colour)[1:] for colour in mpl.colormaps[name](np.arange(256)))
