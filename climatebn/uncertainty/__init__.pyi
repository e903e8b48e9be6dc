from .ensemble_model import Ensemble
from .region_links import RegionLinks
from .relearning import ensemble

__all__ = [
    "Ensemble",
    "RegionLinks",
    "ensemble",
]
