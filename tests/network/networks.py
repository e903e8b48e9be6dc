"""Random Gaussian networks and their moments by dense algebra, for the tests of this folder."""

import numpy as np
from hypothesis import strategies as st

import climatebn as cb
from climatebn.ingest.nodes.nodes import Nodes


def random_network(seed: int, size: int, density: float = 0.4) -> cb.GaussianBN:
    """A random DAG whose topological order is not the column order, with moderate coefficients."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(size)
    names = tuple(f"X{i + 1}" for i in range(size))
    arcs = {
        (names[order[a]], names[order[b]]): float(rng.uniform(-1, 1))
        for a in range(size)
        for b in range(a + 1, size)
        if rng.random() < density
    }
    numbers = [dict(zip(names, values, strict=True)) for values in (rng.normal(size=size), rng.uniform(0.3, 2, size))]
    return cb.GaussianBN.from_parameters(names, arcs, *numbers)


def placed_network(seed: int, scale: str = "sd") -> cb.GaussianBN:
    """A network fitted to 60 random months of a 4 × 6 grid from 30°S to 60°N."""
    rng = np.random.default_rng(seed)
    lat, lon = np.array([-30.0, 0, 30, 60]), np.arange(-180.0, 180, 60)
    names = tuple(f"X{i + 1}" for i in range(24))
    nodes = Nodes(names, np.tile(lat, 6), np.repeat(lon, 4), lat, lon)
    values = rng.normal(size=(60, 24)) @ rng.normal(size=(24, 24)) + 10 * rng.normal(size=24)
    arcs = [(names[a], names[b]) for a in range(24) for b in range(a + 1, 24) if rng.random() < 0.25]
    time = np.arange("2000-01", "2005-01", dtype="datetime64[M]")
    return cb.fit(cb.Dag.from_arcs(names, arcs), cb.NodeData(values, nodes, time, "K"), scale=scale)


def dense(bn: cb.GaussianBN) -> tuple[np.ndarray, np.ndarray]:
    """μ and Σ = (I − Bᵀ)⁻¹ D (I − B)⁻¹ by plain inverses, in the network's own units."""
    inverse = np.linalg.inv(np.eye(len(bn.names)) - bn.coefficients.toarray().T)
    return inverse @ bn.intercepts, inverse @ np.diag(bn.residual_variances) @ inverse.T


def dense_in_data_units(bn: cb.GaussianBN) -> tuple[np.ndarray, np.ndarray]:
    """μ and Σ in the units of the data."""
    mean, covariance = dense(bn)
    if bn.scale == "none":
        return mean, covariance
    return mean * bn.spread + bn.centre, covariance * np.outer(bn.spread, bn.spread)


networks = st.builds(random_network, st.integers(0, 10_000), st.integers(2, 12), st.floats(0, 1))
