"""Bayesian networks for gridded climate data: learn, compare under matched criteria, ask on maps."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from climatebn.lazy import attributes

__version__ = "0.1.0"

# Public name -> the module that holds it. Loaded on first use, so that `import climatebn` takes no time.
_HOMES = {
    "load_ncep": "ingest",
    "open_field": "ingest",
    "Grid": "ingest",
    "regrid": "ingest",
    "anomalies": "ingest",
    "to_nodes": "ingest",
    "NodeData": "ingest",
    "region_mean": "ingest",
    "GaussianStats": "criteria",
    "DiscreteStats": "criteria",
    "BIC": "criteria",
    "AIC": "criteria",
    "LogLik": "criteria",
    "BGe": "criteria",
    "BDeu": "criteria",
    "G2": "criteria",
    "FisherZ": "criteria",
    "StudentT": "criteria",
    "ChiSquare": "criteria",
    "DSeparation": "criteria",
    "criteria": "criteria",
    "learn": "learn",
    "LearnResult": "learn",
    "Knowledge": "learn",
    "algorithms": "learn",
    "Dag": "graph",
    "Pdag": "graph",
    "cpdag": "graph",
    "shd": "graph",
    "d_separated": "graph",
    "fit": "network",
    "GaussianBN": "network",
    "DiscreteBN": "network",
    "load_network": "network",
    "reference_network": "network",
    "read_bif": "network",
    "write_bif": "network",
    "propagate": "analysis",
    "teleconnections": "analysis",
    "vstructures": "analysis",
    "arc_strength": "analysis",
    "stability": "study",
}
_MODULES = {"errors", "graph", "ingest", "network", "analysis", "plot", "study"}

__all__ = sorted({*_HOMES, *_MODULES})
_public = attributes(__name__, _HOMES)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        """Importing the sub-packages `learn` and `criteria` must not hide the public functions of that name."""
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    return _public(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
