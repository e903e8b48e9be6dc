"""Figures: ``ax`` in, artists out. Maps need cartopy axes (`map_axes` makes them); nothing is ever downloaded."""

from climatebn.plot.accuracy import quadrants, rank_shift
from climatebn.plot.axes import coastline, map_axes
from climatebn.plot.beside import side_by_side
from climatebn.plot.colliders import vstructures
from climatebn.plot.curves import study_panels
from climatebn.plot.fields import field
from climatebn.plot.gamma_choices import gamma_choice
from climatebn.plot.heldout import goodness
from climatebn.plot.networks import network
from climatebn.plot.nulls import null
from climatebn.plot.path_map import paths
from climatebn.plot.propagation import change, evidence_boxes, propagation
from climatebn.plot.strength import strength_distance
from climatebn.plot.supports import support

__all__ = [
    "change",
    "coastline",
    "evidence_boxes",
    "field",
    "gamma_choice",
    "goodness",
    "map_axes",
    "network",
    "null",
    "paths",
    "propagation",
    "quadrants",
    "rank_shift",
    "side_by_side",
    "strength_distance",
    "study_panels",
    "support",
    "vstructures",
]


def __dir__() -> list[str]:
    """Functions only, none of the modules they live in."""
    return __all__
