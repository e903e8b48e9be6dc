"""Networks on grids for the explorer, fitted or made up without any learning."""

from dataclasses import replace
from functools import cache

import numpy as np

import climatebn as cb
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.uncertainty.member import Member


@cache
def field_data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


def neighbours_dag(data, more=0, seed=1):
    """Each node has its two neighbours to the south and west as parents, and some have a distant one."""
    number = len(data.names)
    arcs = {(i - step, i) for i in range(number) for step in (1, 18) if i >= step}
    rng = np.random.default_rng(seed)
    arcs |= {tuple(sorted(pair)) for pair in rng.integers(number, size=(more, 2)).tolist() if pair[0] != pair[1]}
    return cb.Dag.from_arcs(data.names, [(data.names[a], data.names[b]) for a, b in sorted(arcs)])


@cache
def world(more=300, scale="sd"):
    """A network of the embedded field, 648 places."""
    data = field_data()
    return cb.fit(neighbours_dag(data, more), data, scale=scale)


@cache
def worlds(members=6):
    """An ensemble of networks of resampled years."""
    data = field_data()
    rng = np.random.default_rng(2)
    found = []
    for number in range(members):
        years = rng.integers(30, size=30)
        rows = (12 * years[:, None] + np.arange(12)).ravel()
        again = replace(data, values=data.values[rows])
        found.append(Member.of(cb.fit(neighbours_dag(data, 300, number), again, scale="sd")))
    return cb.Ensemble(
        names=data.names,
        members=tuple(found),
        graphs=tuple((one.edges, np.zeros((0, 2), dtype=np.int32)) for one in found),
        single=None,
        centre=data.values.mean(axis=0),
        spread=data.values.std(axis=0, ddof=1),
        algorithm="tabu",
        criterion="BIC(gamma=0.5)",
        single_criterion="BIC(gamma=0.5)",
        invalid=0,
        unended=0,
        n=len(data),
        nodes=data.nodes,
        units=data.units,
    )


def made_up(degrees, arcs, seed=3):
    """A network on a regular grid with random parameters: (180/degrees) × (360/degrees) places."""
    grid = cb.Grid.regular(degrees)
    lat, lon = np.tile(grid.lat, grid.lon.size), np.repeat(grid.lon, grid.lat.size)
    names = tuple(f"X{i + 1}" for i in range(lat.size))
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(lat.size, size=(arcs, 2)).tolist() if pair[0] != pair[1]}
    pairs |= {(i - 1, i) for i in range(1, lat.size)}
    weights = {(names[a], names[b]): float(rng.normal() * 0.3) for a, b in sorted(pairs)}
    bn = cb.GaussianBN.from_parameters(names, weights, dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.5))
    return replace(bn, nodes=Nodes(names, lat, lon, grid.lat, grid.lon))
