from .accuracy import quadrants, rank_shift
from .answers_beside import answers
from .axes import coastline, map_axes
from .beside import side_by_side
from .colliders import vstructures
from .curves import study_panels
from .distances_map import distance_matrix
from .field_map import field
from .forecast_plume import plume
from .forecast_skill import skill
from .from_reference import reference_distance
from .gamma_choices import gamma_choice
from .heldout import goodness
from .lead_panels import delayed_answer
from .network_map import network
from .nulls import null
from .nulls_by_lag import null_by_lag
from .path_map import paths
from .propagation_map import evidence_boxes, propagation
from .reliability_diagram import reliability
from .shared_bar import shared_colorbar
from .strength import strength_distance
from .supports import support

__all__ = [
    "answers",
    "coastline",
    "delayed_answer",
    "distance_matrix",
    "evidence_boxes",
    "field",
    "gamma_choice",
    "goodness",
    "map_axes",
    "network",
    "null",
    "null_by_lag",
    "paths",
    "plume",
    "propagation",
    "quadrants",
    "rank_shift",
    "reference_distance",
    "reliability",
    "shared_colorbar",
    "side_by_side",
    "skill",
    "strength_distance",
    "study_panels",
    "support",
    "vstructures",
]
