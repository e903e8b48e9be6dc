"""The climate study of Scutari et al. (2019): fields × schemes × algorithms × γ × column orders.

Every cell learns one network of temperature anomalies with BIC_γ, or with its test G²_BICγ, and measures it: with
matched criteria, and with those of the paper's own networks (see `schemes`). Cells with ``months = "training"`` learn
without the last years and are measured on those years too (``heldout_loglik``); with ``months = "resampled"`` they are
members of an ensemble (see `members`).
"""

from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from climatebn.errors import unknown
from climatebn.ingest import NodeData, anomalies, load_ncep, open_field, to_nodes
from climatebn.ingest.field.datasets import NCEP_FILES
from climatebn.jobs.config import read_config, require
from climatebn.jobs.folder import StudyFolder
from climatebn.jobs.study import Key, Record, Study
from climatebn.learning import LearnResult, learn
from climatebn.learning.registry import variant
from climatebn.provenance import array_hash
from climatebn.study.climate.measures import Months, arrays_of, measure, result_of
from climatebn.study.climate.members import RESAMPLED, learn_resampled, shown_gammas
from climatebn.study.climate.schemes import SCHEMES, Criteria, criteria_of, scheme_of
from climatebn.study.warm_up import compile_kernels

COSTS = {"tabu": 0.7, "hill_climbing": 0.7, "pc_stable": 1.0, "grow_shrink": 4.0, "mmhc": 1.2, "h2pc": 5.0}


@dataclass(frozen=True)
class ClimateConfig:
    """Settings of the climate study; the defaults are the paper's with fewer γ.

    Attributes
    ----------
    fields : "regular", "paper", "paper_linear", the embedded fields (10° area means; the authors' points by nearest
        values and by linear interpolation), or files of temperatures.
    criteria : schemes of criteria: "matched", "as_run".
    algorithms : the paper's by default. Others, such as "boss", "best" or "pc_stable:strongest" (PC-Stable with
        ``orient="strongest"``), are in the table and the figures, and in no claim.
    not_at_zero : algorithms that are not run at γ = 0, where they would take for ever.
    orders : column orders: 1 is the original one, any other number the seed of a shuffle. The paper has these five, and
        γ = 50, 48, … 2, 1.5, 1, 0.5, 0.2, 0.
    variance : of BIC: "ml" makes score and test exactly matched, "unbiased" is what bnlearn uses in scores.
    held_out_years : last years left out by the cells that measure likelihood on them; 0 for no such cells.
    members : networks of resampled years behind the interval of each answer on the maps (tabu γ = 0.5, H2PC γ = 0.2);
        0 for no such cells, and then claims 4a and 4b are undetermined.
    max_seconds : time budget of a cell.
    """

    fields: tuple[str, ...] = ("regular", "paper", "paper_linear")
    criteria: tuple[str, ...] = SCHEMES
    algorithms: tuple[str, ...] = ("pc_stable", "grow_shrink", "tabu", "hill_climbing", "mmhc", "h2pc")
    gammas: tuple[float, ...] = (
        50.0, 40.0, 30.0, 24.0, 20.0, 16.0, 14.0, 12.0, 10.0, 8.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.0,
    )  # fmt: skip
    not_at_zero: tuple[str, ...] = ("pc_stable", "grow_shrink", "h2pc")
    orders: tuple[int, ...] = (1, 2, 3, 4, 5)
    variance: str = "ml"
    held_out_years: int = 10
    members: int = 10
    max_seconds: float = 120.0

    def __post_init__(self) -> None:
        for name in (*self.algorithms, *self.not_at_zero):
            variant(name)
        for name in self.criteria:
            if name not in SCHEMES:
                raise unknown("scheme of criteria", name, SCHEMES)
        for name in ("fields", "criteria", "algorithms", "gammas", "orders"):
            values = getattr(self, name)
            require(len(values) == len(set(values)) > 0, name, "one or more different values", values)
        require(all(gamma >= 0 for gamma in self.gammas), "gammas", "0 or more", self.gammas)
        require(all(order >= 1 for order in self.orders), "orders", "1 (the original order) or more", self.orders)
        require(self.variance in ("ml", "unbiased"), "variance", '"ml" or "unbiased"', self.variance)
        require(self.held_out_years >= 0, "held_out_years", "0 or more", self.held_out_years)
        require(self.members == 0 or self.members > 1, "members", "0, or 2 or more", self.members)
        require(self.max_seconds > 0, "max_seconds", "more than 0", self.max_seconds)
        for name in self.fields:
            known = name in NCEP_FILES or Path(name).exists()
            require(known, "fields", f"each of {', '.join(NCEP_FILES)} or the path of a file", name)


def cells(config: ClimateConfig) -> list[Key]:
    """(field, scheme, algorithm, γ, order, months); what is the same in both schemes is there once."""
    months = [(order, "all") for order in config.orders]
    months += [(config.orders[0], "training")] if config.held_out_years else []
    keys = [
        (field, scheme_of(name, gamma, scheme), name, gamma, *rest)
        for field in config.fields
        for name in config.algorithms
        for gamma in config.gammas
        if gamma > 0 or name not in config.not_at_zero
        for scheme in config.criteria
        for rest in months
    ]
    keys += [
        (field, scheme_of(name, gamma, scheme), name, gamma, number, RESAMPLED)
        for field in config.fields
        for name, gamma in shown_gammas(config.algorithms, config.gammas).items()
        for scheme in config.criteria
        for number in range(1, config.members + 1)
    ]
    return list(dict.fromkeys(keys))


def run_cell(config: ClimateConfig, key: Key) -> Record:
    """Learn one network and measure it."""
    field, _, named, _, order, months = key
    algorithm, options = variant(str(named))
    data = load_months(str(field), config.held_out_years if months == "training" else 0)
    criterion, test = criteria(config, key)
    compile_kernels(algorithm, criterion, "gaussian")
    if months == RESAMPLED:
        return learn_resampled(data.learned, algorithm, Criteria(criterion, test), int(order), config.max_seconds)
    result = learn(
        data.learned,
        algorithm,
        criterion,
        test=test,
        order=None if order == 1 else int(order),
        max_seconds=config.max_seconds,
        progress=False,
        **options,
    ).uninterrupted()
    if result.stopped == "time":
        return Record({}, ended=False)
    return Record(measure(result, data), arrays_of(result))


def criteria(config: ClimateConfig, key: Key) -> Criteria:
    """The score and the test of a cell."""
    return criteria_of(str(key[1]), str(key[2]), float(key[3]), config.variance)


def read_networks(folder: str | PathLike[str]) -> dict[Key, LearnResult]:
    """Every network of a study folder by (field, scheme, algorithm, γ, order, months); the scheme is "both" where it
    makes no difference. Cells that did not end and those of resampled years are left out.
    """
    config = read_config(study.default, Path(folder) / "config.toml")
    found = StudyFolder(folder, study, config).records(cells(config))
    return {
        key: network_of(config, key, record) for key, record in found.items() if record.ended and key[5] != RESAMPLED
    }


def network_of(config: ClimateConfig, key: Key, record: Record) -> LearnResult:
    """What a cell has learned."""
    return result_of(key, record, criteria(config, key), load_months(str(key[0])).learned.names)


def load_temperature(field: str) -> Any:
    """The field in its own units."""
    return load_ncep(field) if field in NCEP_FILES else open_field(field)


@lru_cache(maxsize=6)
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
    """The hash of the anomalies of each field."""
    return {field: array_hash(load_months(field).learned.values) for field in config.fields}


def cost(config: ClimateConfig, key: Key) -> float:
    """Denser networks take longer; very roughly seconds."""
    return 0.5 + COSTS.get(str(key[2]), 1.0) / (0.2 + float(key[3]))


def finish(config: ClimateConfig, table: Any, records: Any, folder: Path) -> str:
    """Claims, figures, summary."""
    from climatebn.study.climate.report import write_report

    return write_report(config, table, records, folder)


study = Study(
    name="climate",
    axes=("field", "scheme", "algorithm", "gamma", "order", "months"),
    default=ClimateConfig(),
    quick=ClimateConfig(
        gammas=(50.0, 20.0, 10.0, 2.0, 0.5, 0.2, 0.0), orders=(1,), held_out_years=0, members=4, max_seconds=60.0
    ),
    cells=cells,
    run_cell=run_cell,
    finish=finish,
    cost=cost,
    inputs=inputs,
)
