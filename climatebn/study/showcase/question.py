"""The question of the main job: the evidence, how it is called, and whether it is El Niño."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.grid.region import Region
from climatebn.ingest.grid.region_table import region_titles, regions
from climatebn.network.evidence import Observation, observations, require_possible
from climatebn.network.fitting import standardise

EL_NINO: dict[Any, float] = {(-5.0, -135.0): 2.0}  # X81 of the 10° grid, two standard deviations warmer
NINO_WATERS = Region(lat=(-10, 10), lon=(160, -80))
DEVIATIONS = 2.0


@dataclass(frozen=True)
class Question:
    """Evidence in standard deviations, checked against the data; ``note`` where it was chosen for want of one."""

    evidence: Mapping[Any, Any]
    data: NodeData
    note: str = ""

    @cached_property
    def observations(self) -> list[Observation]:
        """What is given, read; an error where the data has no such node or region."""
        found = observations(self.evidence, self.data.names, self.data.nodes)
        if len(found) > 1 and not all(one.exact for one in found):
            raise ClimateBNError("an interval as evidence must be the only evidence; give values instead")
        values = {one.quantity.label: one.low for one in found if one.exact}
        require_possible(list(values), np.array(list(values.values())))
        return found

    @property
    def words(self) -> str:
        """As a reader would say it: X81 (5°S 135°W) = +2 sd; Niño 3.4 (5°S–5°N 170°W–120°W) ≥ +1 sd."""
        return ", ".join(self._said(one) for one in self.observations)

    @property
    def el_nino(self) -> bool:
        """Whether all of it is a warm (high) equatorial Pacific."""
        at = [number for one in self.observations for number in one.quantity.numbers]
        lat, lon = self.data.lat[at], self.data.lon[at]
        warm = all(one.low > 0 for one in self.observations)
        return warm and bool((NINO_WATERS.rows(lat) & NINO_WATERS.columns(lon)).all())

    def series(self) -> np.ndarray:
        """(month × quantity) what the data has of the evidence, in standard deviations."""
        columns = [
            self.data.values[:, list(one.quantity.numbers)] @ np.array(one.quantity.weights)
            for one in self.observations
        ]
        return standardise(np.stack(columns, axis=1), [one.quantity.label for one in self.observations]).rows

    def address(self) -> str:
        """The evidence in an address of the explorer; empty where it knows no such evidence."""
        parts = []
        for key, one in zip(self.evidence, self.observations, strict=True):
            known = one.quantity.label if one.quantity.node is not None else key
            if isinstance(known, Region):
                known = "/".join(f"{edge:g}" for edge in (*known.lat, *known.lon))
            if not one.exact or not isinstance(known, str):
                return ""
            parts.append(f"{quote(known, safe='/')}:{one.low:g}")
        return ",".join(parts)

    def _said(self, one: Observation) -> str:
        label, where = one.quantity.label, ""
        if one.quantity.node is not None:
            where = place_name(self.data.lat[one.quantity.node], self.data.lon[one.quantity.node])
        elif label in regions:
            where = str(Region(regions[label].lat, regions[label].lon))
        name = f"{region_titles.get(label, label)} ({where})" if where else label
        low, high = (f"{end:+g} sd".replace("-", "−") for end in (one.low, one.high))
        if one.exact:
            return f"{name} = {low}"
        if np.isinf(one.high):
            return f"{name} ≥ {low}"
        return f"{name} ≤ {high}" if np.isinf(one.low) else f"{low} ≤ {name} ≤ {high}"


def question(evidence: Mapping[Any, Any] | None, data: NodeData) -> Question:
    """What is asked: the evidence, or El Niño; where the field does not reach there, the place most like all others."""
    asked = Question(evidence or EL_NINO, data)
    try:
        asked.observations  # noqa: B018  (an error now, not after the learning)
    except ClimateBNError:
        if evidence:
            raise
        name = most_connected(data)
        place = place_name(*(float(axis[data.names.index(name)]) for axis in (data.lat, data.lon)))
        note = (
            "the field does not reach 5°S 135°W, where the evidence is when none is given: it is "
            f"+{DEVIATIONS:g} sd at {name} ({place}), the place with the largest correlations with all others"
        )
        asked = Question({name: DEVIATIONS}, data, note)
    return asked


def most_connected(data: NodeData) -> str:
    """The node with the largest mean square correlation with all others."""
    rows = standardise(data.values, data.names).rows
    share = ((rows.T @ (rows @ rows.T)) * rows.T).sum(axis=1)
    return data.names[int(np.argmax(share))]
