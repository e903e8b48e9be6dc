from .ensemble_model import Ensemble
from .region_links import RegionLinks
from .relearning import ensemble
from .shift_null import DistantNull, distant_null

__all__ = [
    "DistantNull",
    "Ensemble",
    "RegionLinks",
    "distant_null",
    "ensemble",
]
