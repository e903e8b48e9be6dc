"""The simulation study: who finds a known network again, from how much data, at what cost (Scutari et al. 2019).

Every cell draws a sample of a reference network (n observations, n a multiple of its number of parameters |Θ|),
learns from it, and compares. All algorithms and criteria see the same samples. Scaled SHD is the number of node pairs
whose edge differs between the CPDAGs, divided by the true arcs. A learned graph that is no valid CPDAG has no DAG to
take a CPDAG of: it is compared as it is, edge by edge.
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from climatebn.criterion import find as find_criterion
from climatebn.criterion.protocols import Stats
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import unknown
from climatebn.graph import shd
from climatebn.jobs.config import require
from climatebn.jobs.study import Key, Record, Study
from climatebn.jobs.table import read_results
from climatebn.learning import learn
from climatebn.learning.registry import ALGORITHMS, variant
from climatebn.network import reference_network
from climatebn.network.reference import DISCRETE, GAUSSIAN
from climatebn.provenance import array_hash
from climatebn.rng import generator
from climatebn.study.simulation.panels import PAIRS, asked_by_paper, in_paper
from climatebn.study.warm_up import compile_kernels

LEVEL = 0.01  # of the tests that the paper has not
TESTS = {"g2": "nominal", "g2_adjusted": "adjusted"}  # criteria that are tests, with their degrees of freedom
CRITERIA = (*PAIRS, *TESTS)
COMPILING = {"annealing": 30.0, "pc_stable": 25.0, "ges": 20.0, "grow_shrink": 15.0}  # seconds on a new machine
SLOW = {"grow_shrink": 3.0, "inter_iamb": 3.0, "pc_stable": 2.0, "mmhc": 2.0, "rsmax2": 2.0, "h2pc": 2.0}  # beside tabu


@dataclass(frozen=True)
class SimulationConfig:
    """Settings of the simulation study; the defaults are the paper's.

    Attributes
    ----------
    criteria : "bic" (BIC; as a test G²_BIC) and "posterior" (log P(G|D), that is BDeu or BGe with the prior vsp; as a
        test the log Bayes factor). Beyond the paper, for discrete networks and algorithms that test: "g2" and
        "g2_adjusted", G² at the level 0.01 with nominal or adjusted degrees of freedom (hybrids search by BIC).
    algorithms : the paper's by default; others, such as "boss", "best" or "pc_stable:strongest" (PC-Stable with
        ``orient="strongest"``), are in the table and in no claim.
    ratios : sizes of the samples, n / |Θ|.
    samples : samples of each size.
    samples_of : another number of samples for some networks, e.g. ``{munin1 = 5}``.
    variance : of BIC for Gaussian data: "ml" makes score and test exactly matched, "unbiased" is bnlearn's.
    paper_pairs : only the pairs of the paper: annealing with BIC, GES with BDeu; false for every algorithm with both.
        Cells that the paper has not are in the table and in no claim.
    max_seconds : time budget of a cell.
    """

    networks: tuple[str, ...] = DISCRETE + GAUSSIAN
    algorithms: tuple[str, ...] = (
        "pc_stable", "grow_shrink", "inter_iamb", "tabu", "annealing", "ges", "mmhc", "rsmax2", "h2pc",
    )  # fmt: skip
    criteria: tuple[str, ...] = PAIRS
    ratios: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
    samples: int = 20
    samples_of: dict[str, int] = field(default_factory=dict)
    seed: int = 1
    variance: str = "ml"
    paper_pairs: bool = True
    max_seconds: float = 600.0

    def __post_init__(self) -> None:
        known = {"networks": ("network", DISCRETE + GAUSSIAN), "criteria": ("criterion", CRITERIA)}
        for key in ("networks", "algorithms", "criteria"):
            values = getattr(self, key)
            require(len(values) == len(set(values)) > 0, key, "one or more different names", values)
            for name in values:
                if key == "algorithms":
                    variant(name)
                elif name not in known[key][1]:
                    raise unknown(known[key][0], name, known[key][1])
        require(len(self.ratios) == len(set(self.ratios)) > 0, "ratios", "one or more different numbers", self.ratios)
        require(all(ratio > 0 for ratio in self.ratios), "ratios", "more than 0", self.ratios)
        require(self.samples >= 1, "samples", "1 or more", self.samples)
        for name, count in self.samples_of.items():
            if name not in self.networks:
                raise unknown("network in samples_of", name, self.networks)
            require(count >= 1, f"samples_of.{name}", "1 or more", count)
        require(self.variance in ("ml", "unbiased"), "variance", '"ml" or "unbiased"', self.variance)
        require(self.max_seconds > 0, "max_seconds", "more than 0", self.max_seconds)


def cells(config: SimulationConfig) -> list[Key]:
    """(network, criterion, algorithm, ratio, sample), network by network."""
    return [
        (network, criterion, algorithm, ratio, sample)
        for network in config.networks
        for criterion in config.criteria
        for algorithm in config.algorithms
        if _has_cells(config, network, criterion, algorithm)
        for ratio in config.ratios
        for sample in range(1, config.samples_of.get(network, config.samples) + 1)
    ]


def _has_cells(config: SimulationConfig, network: str, criterion: str, algorithm: str) -> bool:
    """Tests alone are for discrete data and those who test; of the rest, what is the paper's, or was asked for."""
    if criterion in TESTS:
        return network in DISCRETE and ALGORITHMS[variant(algorithm)[0]].kind != "score"
    return not config.paper_pairs or in_paper(network, criterion, algorithm) or not asked_by_paper(criterion, algorithm)


def run_cell(config: SimulationConfig, key: Key) -> Record:
    """Draw, learn, compare."""
    network, criterion, named, ratio, sample = key
    algorithm, options = variant(str(named))
    score = criterion_for(str(criterion), str(network), config.variance)
    if criterion in TESTS and ALGORITHMS[algorithm].kind == "hybrid":
        score, options = criterion_for("bic", str(network), config.variance), {**options, "test": score}
    compile_kernels(algorithm, score, "discrete" if network in DISCRETE else "gaussian")
    stats = draw(str(network), float(ratio), int(sample), config.seed)
    result = learn(
        stats,
        algorithm,
        score,
        seed=config.seed,
        max_seconds=config.max_seconds,
        progress=False,
        **options,
    ).uninterrupted()
    if result.stopped == "time":
        return Record({}, ended=False)
    true = reference(str(network)).dag
    distance = shd(result.dag or result.graph, true)
    measures = {
        "arcs": len(result.graph.numbered_skeleton),
        "calls": result.calls,
        "calls_bnlearn": result.calls_bnlearn,
        "n": stats.n,
        "scaled_shd": distance / len(true.arcs),
        "shd": distance,
        "valid": result.valid,
    }
    arrays = {"directed": result.graph.numbered_arcs, "undirected": result.graph.numbered_undirected}
    return Record(measures, {k: np.array(v, dtype=np.int32).reshape(-1, 2) for k, v in arrays.items()})


@lru_cache(maxsize=2)
def draw(network: str, ratio: float, sample: int, seed: int) -> Stats:
    """One sample as statistics; the same in every cell that asks for it."""
    bn = reference(network)
    n = max(round(ratio * bn.parameters), 3)
    rng = generator(seed, "simulation", network, f"{ratio:g}", sample)
    if network in DISCRETE:
        stats: Stats = bn.sample_stats(n, rng)
        return stats
    return GaussianStats.of(bn.sample(n, rng).to_numpy(), bn.names)


@cache
def reference(network: str) -> Any:
    """The network that is to be found."""
    return reference_network(network)


def criterion_for(name: str, network: str, variance: str = "ml") -> Any:
    """The score of a criterion for the kind of data that a network gives; constraint-based learning takes its test."""
    if name in TESTS:
        return find_criterion("G2")(LEVEL, df=TESTS[name])
    if name == "bic":
        return find_criterion("BIC")(variance=variance)
    return find_criterion("BDeu" if network in DISCRETE else "BGe")(prior="vsp")


def cost(config: SimulationConfig, key: Key) -> float:
    """Seconds, very roughly: counting goes with observations × pairs of nodes (Gaussian data is read once), annealing
    with the nodes. One cell of each algorithm and kind of data may have to compile: such cells come early and are
    unlike each other, so that workers do not compile the same at the same time."""
    network, _, algorithm, ratio, _ = key
    bn, discrete = reference(str(network)), network in DISCRETE
    counting = 1e6 + (float(ratio) * bn.parameters if discrete else 100.0) * len(bn.names) ** 2
    annealing = (0.05 if discrete else 0.01) * len(bn.names) if algorithm == "annealing" else 0.0
    compiling = COMPILING.get(str(algorithm), 10.0) if _first_of_its_kind(config, key) else 0.0
    return 5e-9 * counting * SLOW.get(str(algorithm), 1.0) + annealing + compiling


def _first_of_its_kind(config: SimulationConfig, key: Key) -> bool:
    """Whether this is the one cell of its algorithm and kind of data that others leave the compiling to."""
    network, criterion, algorithm, ratio, sample = key
    if sample != 1 or ratio != max(config.ratios):
        return False
    if network != next(name for name in config.networks if (name in DISCRETE) == (network in DISCRETE)):
        return False
    return criterion == next(name for name in config.criteria if _has_cells(config, str(network), name, str(algorithm)))


def inputs(config: SimulationConfig) -> dict[str, str]:
    """The hash of each network's parameters."""
    return {name: array_hash(*numbers(reference(name))) for name in config.networks}


def numbers(bn: Any) -> list[np.ndarray]:
    """All parameters of a network, with its arcs."""
    if hasattr(bn, "tables"):
        return [bn.dag.numbered_arcs, *bn.tables]
    return [bn.dag.numbered_arcs, bn.arc_coefficients, bn.intercepts, bn.residual_variances]


def finish(config: SimulationConfig, table: Any, records: Any, folder: Path) -> str:
    """Claims, figures, summary: all from the table."""
    return from_table(folder / "results.csv", folder)


def from_table(path: Path, folder: Path) -> str:
    """Claims and figures of a table of results, compressed or not, into ``folder``; returns the summary."""
    from climatebn.study.simulation.report import write_report

    return write_report(read_results(path), folder)


study = Study(
    name="simulation",
    axes=("network", "criterion", "algorithm", "ratio", "sample"),
    default=SimulationConfig(),
    quick=SimulationConfig(
        networks=("child", "water", "alarm", "hailfinder", "hepar2", "win95pts", *GAUSSIAN),
        ratios=(0.2, 0.5, 2.0, 5.0),
        samples=2,
        max_seconds=60.0,
    ),
    cells=cells,
    run_cell=run_cell,
    finish=finish,
    cost=cost,
    inputs=inputs,
    from_table=from_table,
)
