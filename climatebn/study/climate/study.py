"""The climate study of Scutari et al. (2019): algorithms × γ × column orders on monthly temperature anomalies.

Every cell learns one network with BIC_γ, or with its matched test G²_BICγ, and measures it. Cells with
``months = "training"`` learn without the last years and are measured on those years too (``heldout_loglik``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from climatebn.analysis import vstructures
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.links import links
from climatebn.criterion import find as find_criterion
from climatebn.errors import unknown
from climatebn.graph import Pdag
from climatebn.graph.extension import extension
from climatebn.ingest import NodeData, anomalies, load_ncep, open_field, to_nodes
from climatebn.jobs.config import read_config, require
from climatebn.jobs.folder import StudyFolder
from climatebn.jobs.study import Key, Record, Study, Value
from climatebn.learning import LearnResult, learn
from climatebn.learning.problem import Conflict
from climatebn.network import fit
from climatebn.plot.style import ALGORITHM_STYLES
from climatebn.provenance import array_hash

EMBEDDED = ("regular", "paper")
QUANTILES = {"km_median": 0.5, "km_90": 0.9, "km_max": 1.0}
COSTS = {"tabu": 0.7, "hill_climbing": 0.7, "pc_stable": 1.0, "grow_shrink": 4.0, "mmhc": 1.2, "h2pc": 5.0}
SIMULATIONS = 10  # random graphs behind the simulated baseline of v-structures


@dataclass(frozen=True)
class ClimateConfig:
    """Settings of the climate study; the defaults are the paper's.

    Attributes
    ----------
    field : "regular" or "paper", the embedded fields (10° area means; the authors' points), or a file of temperatures.
    not_at_zero : algorithms that are not run at γ = 0, where they would take for ever.
    orders : column orders: 1 is the original one, any other number the seed of a shuffle.
    variance : of BIC: "ml" makes score and test exactly matched, "unbiased" is what bnlearn uses in scores.
    held_out_years : last years left out by the cells that measure likelihood on them; 0 for no such cells.
    max_seconds : time budget of a cell.
    """

    field: str = "regular"
    algorithms: tuple[str, ...] = ("pc_stable", "grow_shrink", "tabu", "hill_climbing", "mmhc", "h2pc")
    gammas: tuple[float, ...] = (*(float(gamma) for gamma in range(50, 0, -2)), 1.5, 1.0, 0.5, 0.2, 0.0)
    not_at_zero: tuple[str, ...] = ("pc_stable", "grow_shrink", "h2pc")
    orders: tuple[int, ...] = (1, 2, 3, 4, 5)
    variance: str = "ml"
    held_out_years: int = 10
    max_seconds: float = 120.0

    def __post_init__(self) -> None:
        for name in (*self.algorithms, *self.not_at_zero):
            if name not in ALGORITHM_STYLES:
                raise unknown("algorithm", name, ALGORITHM_STYLES)
        for name in ("algorithms", "gammas", "orders"):
            values = getattr(self, name)
            require(len(values) == len(set(values)) > 0, name, "one or more different values", values)
        require(all(gamma >= 0 for gamma in self.gammas), "gammas", "0 or more", self.gammas)
        require(all(order >= 1 for order in self.orders), "orders", "1 (the original order) or more", self.orders)
        require(self.variance in ("ml", "unbiased"), "variance", '"ml" or "unbiased"', self.variance)
        require(self.held_out_years >= 0, "held_out_years", "0 or more", self.held_out_years)
        require(self.max_seconds > 0, "max_seconds", "more than 0", self.max_seconds)
        known = self.field in EMBEDDED or Path(self.field).exists()
        require(known, "field", '"regular", "paper" or the path of a file', self.field)


class Months(NamedTuple):
    """What a cell learns from, and the months it has not seen."""

    learned: NodeData
    held_out: NodeData | None


def cells(config: ClimateConfig) -> list[Key]:
    """(algorithm, γ, order, months), algorithm by algorithm."""
    grids = {
        name: [gamma for gamma in config.gammas if gamma > 0 or name not in config.not_at_zero]
        for name in config.algorithms
    }
    keys: list[Key] = [(name, g, order, "all") for name in grids for g in grids[name] for order in config.orders]
    if config.held_out_years:
        keys += [(name, g, config.orders[0], "training") for name in grids for g in grids[name]]
    return keys


def run_cell(config: ClimateConfig, key: Key) -> Record:
    """Learn one network and measure it."""
    algorithm, _, order, months = key
    data = load_months(config.field, config.held_out_years if months == "training" else 0)
    result = learn(
        data.learned,
        str(algorithm),
        _criterion(config, key),
        order=None if order == 1 else int(order),
        max_seconds=config.max_seconds,
        progress=False,
    )
    if result.stopped == "time":
        return Record({}, ended=False)
    return Record(measure(result, data), arrays_of(result))


def measure(result: LearnResult, data: Months) -> dict[str, Value]:
    """All numbers of one network; a graph that is not valid has no likelihood."""
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
        "vstructures": found.unshielded,
        "vstructure_ratio": found.ratio if found.pairs else None,
        "vstructure_baseline": found.paper_baseline,
        "vstructure_simulated": found.simulated_mean if found.pairs else None,
        "long_arcs": int((km > TELECONNECTION_KM).sum()),
        "long_share": float((km > TELECONNECTION_KM).mean()) if len(km) else None,
        **{name: float(np.quantile(km, q)) if len(km) else None for name, q in QUANTILES.items()},
    }


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


def result_of(key: Key, record: Record, config: ClimateConfig, names: Sequence[str]) -> LearnResult:
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
        algorithm=str(key[0]),
        criterion=repr(_criterion(config, key)),
        conflicts=tuple(Conflict(tuple(names[i] for i in nodes if i >= 0), why) for nodes, why in conflicts),
    )


def read_networks(folder: str | PathLike[str]) -> dict[Key, LearnResult]:
    """Every network of a study folder by (algorithm, γ, order, months); cells that did not end are left out."""
    config = read_config(study.default, Path(folder) / "config.toml")
    found = StudyFolder(folder, study, config).records(cells(config))
    names = load_months(config.field).learned.names
    return {key: result_of(key, record, config, names) for key, record in found.items() if record.ended}


def _criterion(config: ClimateConfig, key: Key) -> Any:
    return find_criterion("BIC")(gamma=float(key[1]), variance=config.variance)


def load_temperature(field: str) -> Any:
    """The field in its own units."""
    return load_ncep(field) if field in EMBEDDED else open_field(field)


@lru_cache(maxsize=2)
def load_months(field: str, held_out_years: int = 0) -> Months:
    """Anomalies of the field; with held-out years, from the climatology of the others."""
    temperature = load_temperature(field)
    cut = len(temperature.time) - 12 * held_out_years
    first, last = (str(temperature.time.values[i])[:7] for i in (0, cut - 1))
    data = to_nodes(anomalies(temperature, base=(first, last) if held_out_years else None))
    if not held_out_years:
        return Months(data, None)
    parts = (NodeData(data.values[s], data.nodes, data.time[s], data.units) for s in (slice(cut), slice(cut, None)))
    return Months(*parts)


def inputs(config: ClimateConfig) -> dict[str, str]:
    """The hash of the anomalies."""
    return {"anomalies": array_hash(load_months(config.field).learned.values)}


def cost(config: ClimateConfig, key: Key) -> float:
    """Denser networks take longer; very roughly seconds."""
    return 0.5 + COSTS.get(str(key[0]), 1.0) / (0.2 + float(key[1]))


def finish(config: ClimateConfig, table: Any, records: Any, folder: Path) -> str:
    """Claims, figures, summary."""
    from climatebn.study.climate.report import write_report

    return write_report(config, table, records, folder)


study = Study(
    name="climate",
    axes=("algorithm", "gamma", "order", "months"),
    default=ClimateConfig(),
    quick=ClimateConfig(gammas=(50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.2), orders=(1, 2), max_seconds=20.0),
    cells=cells,
    run_cell=run_cell,
    finish=finish,
    cost=cost,
    inputs=inputs,
)
