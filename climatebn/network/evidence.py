"""Evidence: values of some nodes by name or by place, checked before anything is computed from it.

A single value may lie up to 8 standard deviations from its mean. Values that contradict each other are refused when
one of them is more than 1000 conditional standard deviations from what the others imply: neighbours on a grid can
correlate above 0.999, where a pair set by hand is easily 30 away and still has an answer that means something.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from climatebn.errors import ClimateBNError, unknown
from climatebn.ingest.grid.distance import EARTH_RADIUS_KM, great_circle
from climatebn.ingest.nodes.nodes import Nodes

Place = tuple[float, float]
Evidence = Mapping[str | Place, float]

SINGLE_LIMIT = 8.0
JOINT_LIMIT = 1000.0
SINGULAR = 1e-12  # eigenvalues of the correlation of evidence nodes below this are rounding errors
DEGREE_KM = np.pi * EARTH_RADIUS_KM / 180


class Located(NamedTuple):
    """Column numbers of the evidence nodes and their values."""

    numbers: list[int]
    values: np.ndarray


def locate(evidence: Evidence, names: Sequence[str], nodes: Nodes | None) -> Located:
    """Find the nodes of the evidence: by name, or the one nearest to a (lat, lon)."""
    if not isinstance(evidence, Mapping):
        raise ClimateBNError(f"evidence must map nodes to values, e.g. {{'X81': 2.0}}; got {evidence!r}")
    numbers: list[int] = []
    for key in evidence:
        number = _by_name(key, names) if isinstance(key, str) else _nearest(key, names, nodes)
        if number in numbers:
            raise ClimateBNError(f"evidence gives node {names[number]} more than one value; give one")
        numbers.append(number)
    try:
        values = np.array([float(value) for value in evidence.values()])
    except (TypeError, ValueError):
        raise ClimateBNError(f"values of evidence must be numbers; got {dict(evidence)!r}") from None
    missing = [names[i] for i, value in zip(numbers, values, strict=True) if not np.isfinite(value)]
    if missing:
        raise ClimateBNError(f"evidence must be finite; the value of {', '.join(missing)} is not")
    return Located(numbers, values)


def require_possible(names: Sequence[str], deviations: np.ndarray) -> None:
    """Raise unless every single value is within ±8 standard deviations (``deviations`` from the mean, in sd)."""
    for name, deviation in zip(names, deviations, strict=True):
        if abs(deviation) > SINGLE_LIMIT:
            raise ClimateBNError(
                f"evidence on {name} is {deviation:+.1f} standard deviations from its mean; the limit is "
                f"±{SINGLE_LIMIT:g}. Check its units (units='sd' or 'data')"
            )


def inverse_root(names: Sequence[str], covariance: np.ndarray, departure: np.ndarray) -> np.ndarray:
    """W with W Wᵀ = covariance⁻¹; raises if the ``departure`` of the values from their mean is jointly impossible."""
    sd = np.sqrt(np.diag(covariance))
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(sd, sd))
    root = vectors / np.sqrt(np.maximum(eigenvalues, SINGULAR)) / sd[:, None]
    precision = root @ root.T
    conditional_sd = 1 / np.sqrt(np.diag(precision))
    pull = precision @ departure * conditional_sd  # distance of each value from what the others imply, in sd
    worst = int(np.argmax(np.abs(pull)))
    if abs(pull[worst]) > JOINT_LIMIT:
        implied = departure[worst] - pull[worst] * conditional_sd[worst]
        raise ClimateBNError(
            f"evidence is jointly impossible: the other values leave {names[worst]} at {implied:.3g} ± "
            f"{conditional_sd[worst]:.1g} from its mean, not at {departure[worst]:.3g} (in the network's units); "
            "drop one of the evidence nodes"
        )
    return root


def _by_name(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise unknown("evidence node", name, names)
    return list(names).index(name)


def _nearest(place: Any, names: Sequence[str], nodes: Nodes | None) -> int:
    try:
        lat, lon = (float(part) for part in place)
    except (TypeError, ValueError):
        raise ClimateBNError(f"evidence nodes are names or places (lat, lon); got {place!r}") from None
    if nodes is None:
        raise ClimateBNError(f"evidence at ({lat:g}, {lon:g}) needs nodes with lat and lon; this network has none")
    name = nodes.nearest(lat, lon)
    number = list(names).index(name)
    there = float(nodes.lat[number]), float(nodes.lon[number])
    steps = [np.diff(axis).max(initial=0.0) for axis in (nodes.grid_lat, nodes.grid_lon)]
    if great_circle(lat, lon, *there) > DEGREE_KM * max(np.hypot(*steps), 1.0):
        raise ClimateBNError(
            f"evidence at ({lat:g}, {lon:g}) lies outside the network: the nearest node, {name}, is at "
            f"({there[0]:g}, {there[1]:g})"
        )
    return number
