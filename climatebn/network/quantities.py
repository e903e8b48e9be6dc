r"""What can be asked of a network or given to it: a node, the mean of a region, or any linear combination Σ w_i X_i.

Weights are for values in the units of the data. A quantity with one node of weight 1 is that node.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.grid.region import Region
from climatebn.ingest.grid.region_table import regions
from climatebn.ingest.nodes.lags import split_name
from climatebn.ingest.nodes.node_weights import node_at, region_weights
from climatebn.ingest.nodes.nodes import Nodes


@public
@dataclass(frozen=True)
class Combination:
    """A weighted sum of nodes, places and regions, e.g. an index that is a difference of two means.

    Parameters
    ----------
    parts : weight of each node name, place (lat, lon) or region, for values in the units of the data.
    name : how answers call it.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.Combination({"dipole_west": 1, "dipole_east": -1}, name="dipole")
    Combination({'dipole_west': 1.0, 'dipole_east': -1.0}, name='dipole')
    """

    parts: Any
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.parts, Mapping) or not self.parts:
            raise ClimateBNError(f"parts must map nodes, places or regions to weights; got {self.parts!r}")
        try:
            pairs = tuple((key, float(weight)) for key, weight in self.parts.items())
        except (TypeError, ValueError):
            raise ClimateBNError(f"weights of a combination must be numbers; got {self.parts!r}") from None
        if not np.isfinite([weight for _, weight in pairs]).all():
            raise ClimateBNError(f"weights of a combination must be finite; got {self.parts!r}")
        object.__setattr__(self, "parts", pairs)

    def __str__(self) -> str:
        if self.name:
            return self.name
        words = " ".join(f"{weight:+g}·{key}" for key, weight in self.parts)
        return words.replace("-", "−")

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"Combination({dict(self.parts)!r}{name})"


@dataclass(frozen=True)
class Quantity:
    """Column numbers and weights of a quantity, and how answers call it; ``node`` where it is one node."""

    label: str
    numbers: tuple[int, ...]
    weights: tuple[float, ...]

    @property
    def node(self) -> int | None:
        """The number of the node that it is; None for a mean or a combination."""
        return self.numbers[0] if self.weights == (1.0,) else None


def quantity(key: Any, names: Sequence[str], nodes: Nodes | None, what: str = "evidence") -> Quantity:
    """The quantity of a key: the name of a node, of a region where no node has it, a place, region or combination.

    ``slp:nino34`` is a region of one of several fields, ``nino34@-1`` a region of the month before.
    """
    number = _numbers(tuple(names))
    weights = _weights(key, number, nodes, what)
    if len(weights) == 1 and next(iter(weights.values())) == 1.0:
        name = next(iter(weights))
        return Quantity(name, (number[name],), (1.0,))
    return Quantity(str(key), tuple(number[name] for name in weights), tuple(weights.values()))


@lru_cache(maxsize=4)
def _numbers(names: tuple[str, ...]) -> dict[str, int]:
    """The column number of each name; kept, for a field of evidence asks once for every node."""
    return {name: i for i, name in enumerate(names)}


def _weights(key: Any, number: Mapping[str, int], nodes: Nodes | None, what: str) -> dict[str, float]:
    """Names with their weights; a node's name goes before a region's."""
    if isinstance(key, str):
        if key in number:
            return {key: 1.0}
        whole, lag = split_name(key)
        variable, _, region = whole.rpartition(":")
        if lag and whole in number:
            raise ClimateBNError(f"{what} on {key}: the network does not reach back to {lag} months before the present")
        fields = [name for name in number if ":" in name and name.split(":", 1)[1] == key]
        if fields:
            raise ClimateBNError(f"{what} on {key}: several fields have it; give {' or '.join(map(repr, fields))}")
        if region not in regions or (variable and nodes is not None and variable not in nodes.fields):
            raise unknown(
                what if what == "node" else f"{what} node", key, number if nodes is None else (*number, *regions)
            )
        return region_weights(regions[region], nodes, what, variable or None, lag)
    if isinstance(key, Region):
        return region_weights(key, nodes, what)
    if not isinstance(key, Combination):
        return {node_at(key, nodes, what): 1.0}
    total: dict[str, float] = {}
    for part, weight in key.parts:
        for name, share in _weights(part, number, nodes, what).items():
            total[name] = total.get(name, 0.0) + weight * share
    kept = {name: weight for name, weight in total.items() if weight}
    if not kept:
        raise ClimateBNError(f"{what}: the weights of {key} cancel; nothing is left of it")
    return kept


def node_name(key: Any, names: Sequence[str], nodes: Nodes | None, what: str = "node") -> str:
    """The name of the one node that a name, a place or a point means."""
    found = quantity(key, names, nodes, what)
    if found.node is None:
        raise ClimateBNError(f"{what} must be one node, by name or place (lat, lon); {key} has {len(found.numbers)}")
    return found.label
