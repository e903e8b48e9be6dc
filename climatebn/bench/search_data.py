"""The data of `bench search`: samples of reference networks, and the embedded field of temperature anomalies.

Networks are also measured on data that they were not learned from: a fresh sample where the truth is known; the last
ten years of the field, of which climatology and network know nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import climatebn as cb
from climatebn.criterion.protocols import Stats
from climatebn.graph import Dag
from climatebn.network.reference import DISCRETE
from climatebn.rng import generator

HELD_OUT_MONTHS = 120
OBSERVATIONS = 5000  # of a discrete sample
REFERENCES = ("alarm", "hailfinder", "win95pts", "magic-niab", "magic-irri", "ecoli70", "arth150")
FIELDS = {"ncep72": (0.0,), "field200": (0.0, 0.5), "field648": (0.0, 0.5)}
NAMES = (*REFERENCES, *FIELDS)


@dataclass(frozen=True, eq=False)
class Task:
    """Data to learn from with BIC_γ, as ``stats`` and as the ``matrix`` that other packages read.

    ``training`` and ``unseen``: what a network is fitted to, and measured on, for its likelihood of other data; without
    a known ``truth`` the training data is a part of the whole, and the network is learned again from it.
    """

    data: str
    gamma: float
    stats: Stats
    matrix: np.ndarray = field(repr=False)
    training: Any = field(repr=False)
    unseen: Any = field(repr=False)
    truth: Dag | None = None


def tasks(names: Sequence[str], seed: int = 1) -> Iterator[Task]:
    """The tasks of some data, one after the other."""
    for name in names:
        if name in FIELDS:
            yield from field_tasks(name)
        else:
            yield reference_task(name, seed)


def reference_task(name: str, seed: int) -> Task:
    """A sample of a reference network: 5000 rows if discrete, else five for each of its parameters."""
    bn: Any = cb.reference_network(name)
    seeds = generator(seed, "bench search", name), generator(seed, "bench search, unseen", name)
    if name in DISCRETE:
        sample, unseen = (bn.sample_stats(OBSERVATIONS, rng) for rng in seeds)
        return Task(name, 0.0, sample, sample.codes, sample, unseen, bn.dag)
    n = 5 * (2 * len(bn.names) + len(bn.dag.numbered_arcs))
    sample, unseen = (bn.sample(n, rng) for rng in seeds)
    return Task(name, 0.0, cb.GaussianStats.of(sample.to_numpy(), bn.names), sample.to_numpy(), sample, unseen, bn.dag)


def field_tasks(name: str) -> Iterator[Task]:
    """72 tropical places, 200 all over the world, or all 648 of the 10° field."""
    temperature = cb.load_ncep()
    if name == "ncep72":
        temperature = temperature.sel(lat=abs(temperature.lat) < 10)
    first, last = (str(temperature.time.values[i])[:7] for i in (0, -HELD_OUT_MONTHS - 1))
    whole = cb.to_nodes(cb.anomalies(temperature)).values
    apart = cb.to_nodes(cb.anomalies(temperature, base=(first, last))).values
    if name == "field200":
        places = np.linspace(0, whole.shape[1] - 1, 200).round().astype(int)
        whole, apart = whole[:, places], apart[:, places]
    stats = cb.GaussianStats.of(whole)
    for gamma in FIELDS[name]:
        yield Task(name, gamma, stats, whole, apart[:-HELD_OUT_MONTHS], apart[-HELD_OUT_MONTHS:])
