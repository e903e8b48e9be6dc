"""The fourteen reference networks of the simulation study, embedded (data/README.md credits their sources).

Each is one file of gzipped JSON: names, then for a discrete network its levels, parents and tables (flat, parents
first, own levels fastest), for a Gaussian one its arcs [from, to, coefficient], intercepts and variances.
"""

import gzip
import json
from typing import Any

import numpy as np

from climatebn.errors import public, unknown
from climatebn.graph import Dag
from climatebn.ingest.field.datasets import data_path
from climatebn.network.discrete_bn import DiscreteBN
from climatebn.network.gaussian_bn import GaussianBN

DISCRETE = (
    "alarm",
    "andes",
    "child",
    "hailfinder",
    "hepar2",
    "munin1",
    "pathfinder",
    "pigs",
    "water",
    "win95pts",
)
GAUSSIAN = ("arth150", "ecoli70", "magic-irri", "magic-niab")


@public
def reference_network(name: str) -> DiscreteBN | GaussianBN:
    """One of the networks that structure learning is measured on.

    Parameters
    ----------
    name : discrete alarm, andes, child, hailfinder, hepar2, munin1, pathfinder, pigs, water, win95pts;
        Gaussian arth150, ecoli70, magic-irri, magic-niab. Capitals are the same.

    Returns
    -------
    DiscreteBN or GaussianBN.

    Notes
    -----
    From the Bayesian Network Repository of bnlearn by M. Scutari (https://www.bnlearn.com/bnrepository); the paper of
    each network is named in data/README.md.

    Examples
    --------
    >>> network = reference_network("alarm")
    >>> len(network.names), len(network.dag.arcs), network.parameters
    (37, 46, 509)
    """
    if name.lower() not in DISCRETE + GAUSSIAN:
        raise unknown("reference network", name, DISCRETE + GAUSSIAN)
    name = name.lower()
    with gzip.open(data_path(f"networks/{name}.json.gz"), "rt", encoding="utf-8") as file:
        record = json.load(file)
    return _discrete(record) if name in DISCRETE else _gaussian(record)


def _discrete(record: dict[str, Any]) -> DiscreteBN:
    levels, parents = record["levels"], record["parents"]
    shapes = [[len(levels[i]) for i in (*own, node)] for node, own in enumerate(parents)]
    arcs = [(parent, node) for node, own in enumerate(parents) for parent in own]
    tables = [np.reshape(values, shape) for values, shape in zip(record["tables"], shapes, strict=True)]
    return DiscreteBN(Dag.from_arcs(record["names"], arcs), levels, tables)


def _gaussian(record: dict[str, Any]) -> GaussianBN:
    names = tuple(record["names"])
    coefficients = {(names[a], names[b]): value for a, b, value in record["arcs"]}
    numbers = (dict(zip(names, record[key], strict=True)) for key in ("intercepts", "variances"))
    return GaussianBN.from_parameters(names, coefficients, *numbers)
