from .bif import read_bif, write_bif
from .condition import Conditional
from .discrete_bn import DiscreteBN
from .dynamic_bn import DynamicBN
from .fitting import fit
from .gaussian_bn import GaussianBN
from .quantities import Combination
from .reference import reference_network
from .separation import d_separated
from .store import load_network

__all__ = [
    "Combination",
    "Conditional",
    "DiscreteBN",
    "DynamicBN",
    "GaussianBN",
    "d_separated",
    "fit",
    "load_network",
    "read_bif",
    "reference_network",
    "write_bif",
]
