"""Networks with parameters: fit, likelihood, exact conditioning, samples, files."""

from importlib import import_module
from typing import Any

_HOMES = {
    "fit": "fitting",
    "GaussianBN": "gaussian_bn",
    "Conditional": "condition",
    "load_network": "store",
    "DiscreteBN": "discrete_bn",
    "read_bif": "bif",
    "write_bif": "bif",
    "reference_network": "reference",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
