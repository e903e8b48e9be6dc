"""Evidence: values or an interval of nodes, places, regions or combinations, checked before anything is computed.

A single value may lie up to 8 standard deviations from its mean. Values that contradict each other are refused when
one of them is more than 1000 conditional standard deviations from what the others imply: neighbours on a grid can
correlate above 0.999, where a pair set by hand is easily 30 away and still has an answer that means something.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.evidence_field import node_values
from climatebn.network.quantities import Quantity, quantity

Interval = tuple[float | None, float | None]
Evidence = Mapping[Any, Any] | xr.DataArray  # keys as in `quantity`; values are numbers, one may be an Interval

SINGLE_LIMIT = 8.0
JOINT_LIMIT = 1000.0
SINGULAR = 1e-12  # eigenvalues of the correlation of evidence below this are rounding errors


class Observation(NamedTuple):
    """A quantity that lies between ``low`` and ``high``, as the user wrote it; both are the same for a value."""

    quantity: Quantity
    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether it is a value, not an interval."""
        return self.low == self.high

    def stated(self) -> float | Interval:
        """As the user wrote it."""
        if self.exact:
            return self.low
        return self.low if np.isfinite(self.low) else None, self.high if np.isfinite(self.high) else None

    def words(self, units: str) -> str:
        """X81 = 2 sd; X81 ≥ 1 sd; 1 sd ≤ X81 ≤ 2 sd."""
        label = self.quantity.label
        low, high = (f"{end:g} {units}".rstrip().replace("-", "−") for end in (self.low, self.high))
        if self.exact:
            return f"{label} = {low}"
        if np.isinf(self.high):
            return f"{label} ≥ {low}"
        return f"{label} ≤ {high}" if np.isinf(self.low) else f"{low} ≤ {label} ≤ {high}"


def observations(
    evidence: Evidence, names: Sequence[str], nodes: Nodes | None, what: str = "evidence"
) -> list[Observation]:
    """Evidence, read: each quantity once, with a finite value or an interval that is open on one side at most."""
    if isinstance(evidence, xr.DataArray):
        evidence = node_values(evidence, names, nodes)
    if not isinstance(evidence, Mapping):
        raise ClimateBNError(f"{what} must map nodes to values, e.g. {{'X81': 2.0}}; got {evidence!r}")
    found: list[Observation] = []
    seen: set[tuple[tuple[int, ...], tuple[float, ...]]] = set()
    for key, value in evidence.items():
        about = quantity(key, names, nodes, what)
        if (about.numbers, about.weights) in seen:
            kind = "node " if about.node is not None else ""
            raise ClimateBNError(f"{what} gives {kind}{about.label} more than one value; give one")
        seen.add((about.numbers, about.weights))
        found.append(Observation(about, *_ends(about.label, value, what)))
    return found


def locate(evidence: Evidence, names: Sequence[str], nodes: Nodes | None, why: str) -> tuple[list[int], np.ndarray]:
    """Column numbers and values of evidence that must be on single nodes; ``why`` says who cannot take more."""
    found = observations(evidence, names, nodes)
    for one in found:
        if one.quantity.node is None or not one.exact:
            kind = "an interval" if not one.exact else "a mean or combination of nodes"
            raise ClimateBNError(f"evidence on {one.quantity.label} is {kind}; {why}")
    return [one.quantity.numbers[0] for one in found], np.array([one.low for one in found], dtype=np.float64)


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


def _ends(label: str, value: Any, what: str) -> tuple[float, float]:
    """The value twice, or the two ends of the interval."""
    between = isinstance(value, tuple | list)
    try:
        if between:
            low, high = value
            ends = -np.inf if low is None else float(low), np.inf if high is None else float(high)
        else:
            ends = float(value), float(value)
    except (TypeError, ValueError):
        raise ClimateBNError(
            f"values of {what} must be numbers or intervals (low, high), None for an open end; {label} has {value!r}"
        ) from None
    if np.isnan(ends).any() or (not between and not np.isfinite(ends).all()):
        raise ClimateBNError(f"{what} must be finite; the value of {label} is not")
    if between and not (ends[0] < ends[1] and np.isfinite(ends).any()):
        raise ClimateBNError(f"an interval of {what} is (low, high) with low < high, one end at least; got {value!r}")
    return ends
