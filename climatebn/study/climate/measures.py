"""What a cell of the climate study measures of its network, and how the network itself is kept."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from climatebn.analysis import propagate, vstructures
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.links import links
from climatebn.errors import ClimateBNError
from climatebn.graph import Pdag
from climatebn.graph.extension import extension
from climatebn.ingest import NodeData, region_mean
from climatebn.jobs.study import Key, Record, Value
from climatebn.learning import LearnResult
from climatebn.learning.problem import Conflict
from climatebn.network import GaussianBN, fit
from climatebn.study.climate.members import EVIDENCE
from climatebn.study.climate.schemes import Criteria
from climatebn.study.showcase.summary import INDIAN_OCEAN, THRESHOLD

QUANTILES = {"km_median": 0.5, "km_90": 0.9, "km_max": 1.0}
SIMULATIONS = 10  # random graphs behind the simulated baseline of v-structures
ALL_COLLIDERS = {
    "collider_baseline": 0.25,
    "collider_simulated": 1 / 3,
}  # two coin tosses; the last of three in an order


class Months(NamedTuple):
    """What a cell learns from, and the months it has not seen."""

    learned: NodeData
    held_out: NodeData | None


def measure(result: LearnResult, data: Months) -> dict[str, Value]:
    """All numbers of one network; a graph that is not valid has no likelihood.

    ``vstructure_…``: unshielded colliders as a share of the pairs of arcs that meet, beside the paper's baseline and
    random DAGs; ``collider_…``: all colliders, shielded ones too, beside theirs. ``indian_ocean``: answer to El Niño.
    """
    bn = fit(result, data.learned) if result.valid else None
    km = links(result.graph, data.learned).km()
    found = vstructures(result.graph, simulations=SIMULATIONS)
    return {
        "calls": result.calls,
        "calls_bnlearn": result.calls_bnlearn,
        "arcs": len(km),
        "directed": len(result.graph.numbered_arcs),
        "valid": result.valid,
        "conflicts": len(result.conflicts),
        "loglik": None if bn is None else bn.loglik(data.learned),
        "heldout_loglik": None if bn is None or data.held_out is None else bn.loglik(data.held_out),
        "indian_ocean": None if bn is None else indian_ocean(bn),
        "vstructures": found.unshielded,
        "vstructure_ratio": found.ratio if found.pairs else None,
        "vstructure_baseline": found.paper_baseline,
        "vstructure_simulated": found.simulated_mean if found.pairs else None,
        "colliders": found.unshielded + found.shielded,
        "collider_ratio": (found.unshielded + found.shielded) / found.pairs if found.pairs else None,
        **ALL_COLLIDERS,
        "long_arcs": int((km > TELECONNECTION_KM).sum()),
        "long_share": float((km > TELECONNECTION_KM).mean()) if len(km) else None,
        **{name: float(np.quantile(km, q)) if len(km) else None for name, q in QUANTILES.items()},
    }


def indian_ocean(bn: GaussianBN) -> float | None:
    """Mean rise of P(X ≥ 1 sd) over the Indian Ocean given El Niño; None where the field does not reach."""
    if not set(EVIDENCE) <= set(bn.names):
        return None
    try:
        return float(region_mean(propagate(bn, EVIDENCE, THRESHOLD, units="sd")["difference"], **INDIAN_OCEAN))
    except ClimateBNError:
        return None


def arrays_of(result: LearnResult) -> dict[str, np.ndarray]:
    """The graph in column numbers: directed and undirected edges, and the nodes of each conflict (−1 fills up)."""
    number = {name: i for i, name in enumerate(result.graph.names)}
    conflicts = [[number[name] for name in conflict.nodes] for conflict in result.conflicts]
    width = max(map(len, conflicts), default=0)
    return {
        "directed": np.array(result.graph.numbered_arcs, dtype=np.int32).reshape(-1, 2),
        "undirected": np.array(result.graph.numbered_undirected, dtype=np.int32).reshape(-1, 2),
        "conflicts": np.array([c + [-1] * (width - len(c)) for c in conflicts], dtype=np.int32).reshape(
            len(conflicts), width
        ),
        "reasons": np.array([conflict.why for conflict in result.conflicts], dtype=str),
    }


def result_of(key: Key, record: Record, criteria: Criteria, names: Sequence[str]) -> LearnResult:
    """What a cell has learned, as `learn` gave it (without its trace)."""
    arrays = {name: array.tolist() for name, array in record.arrays.items()}
    graph = Pdag.from_edges(names, arrays["directed"], arrays["undirected"])
    conflicts = zip(arrays["conflicts"], arrays["reasons"], strict=True)
    return LearnResult(
        graph=graph,
        dag=extension(graph) if record.measures["valid"] else None,
        valid=bool(record.measures["valid"]),
        calls=int(record.measures["calls"] or 0),
        calls_bnlearn=int(record.measures["calls_bnlearn"] or 0),
        seconds=record.seconds,
        algorithm=str(key[2]),
        criterion=criteria.said(),
        conflicts=tuple(Conflict(tuple(names[i] for i in nodes if i >= 0), why) for nodes, why in conflicts),
    )
