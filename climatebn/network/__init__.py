"""Networks with parameters: fit, likelihood, exact conditioning, samples, files."""

from climatebn.lazy import attributes

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
__getattr__ = attributes(__name__, _HOMES)
