"""Long arcs that remain after whitening, at the γ that the null chooses: each with support and share of false ones."""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from climatebn.analysis.arcs import teleconnections
from climatebn.criterion import BIC, GaussianStats
from climatebn.ingest import NodeData, whiten
from climatebn.ingest.nodes.season import calendar_months
from climatebn.learning import learn
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.gamma_choice import GammaChoice, choose_gamma
from climatebn.uncertainty.relearning import ensemble
from climatebn.uncertainty.shift_null import DistantNull

FALSE_SHARE = 0.1
REMAINING_GAMMAS = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
LEAST_SPREAD = 1e-6  # of a calendar month, in standard deviations of the place: less is rounding
NEAR_KM = 2000.0  # a single long arc hops between neighbouring cells from member to member


@dataclass(frozen=True)
class Remaining:
    """Long arcs after whitening, at the γ at which at most a tenth are expected by chance."""

    choice: GammaChoice
    links: pd.DataFrame  # source, target, places, km, strength, fdr, support, support_near
    members: int

    @property
    def null(self) -> DistantNull:
        """The null at that γ."""
        assert self.choice.null is not None
        return self.choice.null

    def false_shares(self) -> list[str]:
        """The expected share of false ones for each link; where no draw has an arc as strong, what it is at most.

        That is the share if one draw had one arc as strong, or the share of the next weaker link if that is less.
        """
        shares = self.links["fdr"].to_numpy()
        none = int((shares == 0).sum())
        one = float(self.null.scales.mean()) / (len(self.null.null) * max(none, 1))
        most = min([1.0, one, *shares[shares > 0]])
        return [f"{share:.2f}" if share else f"≤ {ceil(100 * most) / 100:.2f}" for share in shares]


def varying(data: NodeData) -> tuple[NodeData, str]:
    """Without places that do not vary in some calendar month, such as a sea under ice; and a note on them, or ""."""
    month = calendar_months(data.time)
    spread = np.array([data.values[month == each].std(axis=0) for each in np.unique(month)])
    varies = spread.min(axis=0) > LEAST_SPREAD * data.values.std(axis=0)
    if varies.all() or not varies.any():
        return data, ""
    still = [name for name, goes in zip(data.names, varies, strict=True) if not goes]
    shown = ", ".join(still[:5]) + (f" and {len(still) - 5} more" if len(still) > 5 else "")
    kept = data.select([name for name, goes in zip(data.names, varies, strict=True) if goes])
    places = "1 place does" if len(still) == 1 else f"{len(still)} places do"
    return kept, f"{places} not vary in some calendar month, left out where persistence is removed: {shown}"


def remaining(data: NodeData, algorithm: str, draws: int, members: int, run: dict[str, Any]) -> Remaining:
    """The γ by the null, the null there, and each long arc with its support and its share of false ones."""
    asked = {"draws": draws, "whiten": True, **run}
    choice = choose_gamma(data, algorithm, REMAINING_GAMMAS, by="false_arcs", share=FALSE_SHARE, **asked)
    criterion = BIC(gamma=choice.best)
    white = whiten(data)
    named = GaussianStats.of(white.values, white.names)
    learned = learn(named, algorithm, criterion, progress=False).uninterrupted()
    links = teleconnections(learned, white, null=choice.null)
    again = ensemble(white, algorithm, criterion, resamples=members, **run)
    links["support"], links["support_near"] = supports(links, again, white)
    return Remaining(choice, links.sort_values("strength", ascending=False, ignore_index=True), len(again.graphs))


def supports(links: pd.DataFrame, again: Ensemble, data: NodeData) -> tuple[np.ndarray, np.ndarray]:
    """The share of members that have each link, and of those that join places within 2000 km of both of its ends."""
    near = data.distances() <= NEAR_KM
    source, target = (data.nodes.positions(links[end]) for end in ("source", "target"))
    same, close = np.zeros(len(links)), np.zeros(len(links))
    for directed, lines in again.graphs:
        a, b = np.concatenate([directed, lines]).T
        for number, (s, t) in enumerate(zip(source, target, strict=True)):
            same[number] += bool((((a == s) & (b == t)) | ((a == t) & (b == s))).any())
            close[number] += bool(((near[s, a] & near[t, b]) | (near[t, a] & near[s, b])).any())
    count = len(again.graphs)
    return same / count, close / count
