from .dynamic_ensemble import DynamicEnsemble
from .ensemble_model import Ensemble
from .gamma_choice import GammaChoice, choose_gamma
from .region_links import RegionLinks
from .relearning import ensemble
from .shift_null import DistantNull, distant_null
from .skill import held_out_skill

__all__ = [
    "DistantNull",
    "DynamicEnsemble",
    "Ensemble",
    "GammaChoice",
    "RegionLinks",
    "choose_gamma",
    "distant_null",
    "ensemble",
    "held_out_skill",
]
