"""Nodes that no network can be learned from: constant, equal to another, or an exact combination of others."""

import numpy as np
from scipy.linalg import qr

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.kernels.constants import FREEDOM_OF_ANOMALIES, ROUNDING_OF_VALUES, ROUNDING_OF_VARIANCES
from climatebn.rng import generator

_NEAR = 1e-6  # how near equal columns lie on a direction, with rounding


def informative(values: np.ndarray, nodes: Nodes, degenerate: str) -> tuple[np.ndarray, str]:
    """Which nodes to keep, and what was dropped in words; with "raise" an error names the nodes instead."""
    keep = np.ones(len(nodes), dtype=bool)
    said = []
    spread = np.ptp(values, axis=0)
    flat = np.flatnonzero(spread <= ROUNDING_OF_VALUES * spread.max(initial=0))
    if flat.size:
        said.append(f"{flat.size} constant nodes carry no information: {_places(nodes, flat)}")
        keep[flat] = False
    pairs = [(a, b) for a, b in _repeated(values) if keep[b]]
    if pairs:
        shown = "; ".join(_places(nodes, pair, " = ") for pair in pairs[:5]) + (" …" if len(pairs) > 5 else "")
        said.append(f"{len(pairs)} nodes repeat another one exactly, or are a multiple of it: {shown}")
        keep[[b for _, b in pairs]] = False
    if said and degenerate == "raise":
        raise ClimateBNError(f"{'. '.join(said)}. Leave them out with to_nodes(…, degenerate='drop')")
    if not keep.any():
        raise ClimateBNError(f"degenerate='drop' leaves no node: {said[0]}")
    if keep.sum() <= len(values) - FREEDOM_OF_ANOMALIES:
        _collinear(values[:, keep], nodes.select([nodes.names[i] for i in np.flatnonzero(keep)]))
    return keep, "; ".join(said)


def _repeated(values: np.ndarray) -> list[tuple[int, int]]:
    """Pairs (first, repetition) of columns with correlation ±1: equal, or one a multiple of the other.

    Such columns have equal projections on any direction, so that only neighbours on one direction are compared.
    """
    scaled = values - values.mean(axis=0)
    norm = np.linalg.norm(scaled, axis=0)
    scaled /= np.where(norm > 0, norm, 1.0)
    along = np.abs(generator(0, "direction").normal(size=len(values)) @ scaled)
    order = np.argsort(along, kind="stable")
    first = np.arange(len(order))
    for place, a in enumerate(order):
        for b in order[place + 1 :]:
            if along[b] - along[a] > _NEAR:
                break
            if abs(scaled[:, a] @ scaled[:, b]) > 1 - ROUNDING_OF_VARIANCES:
                first[[a, b]] = min(first[a], first[b])
    return [(int(first[i]), int(i)) for i in np.flatnonzero(first < np.arange(len(first))) if norm[i] > 0]


def _collinear(values: np.ndarray, nodes: Nodes) -> None:
    scaled = values - values.mean(axis=0)
    scaled /= np.linalg.norm(scaled, axis=0)
    triangle, order = qr(scaled, mode="r", pivoting=True)
    rank = int((np.abs(np.diag(triangle)) > ROUNDING_OF_VALUES).sum())
    if rank == len(nodes):
        return
    node, basis = order[rank], order[:rank]
    share = np.linalg.lstsq(scaled[:, basis], scaled[:, node])[0]
    others = np.sort(basis[np.abs(share) > 1e-6])
    raise ClimateBNError(
        f"{len(nodes) - rank} nodes are exact linear combinations of others, e.g. {_places(nodes, [node])} of "
        f"{_places(nodes, others)}. Leave one of them out"
    )


def _places(nodes: Nodes, numbers: "np.ndarray | list[int] | tuple[int, ...]", between: str = ", ") -> str:
    shown = [
        nodes.names[i] + (f" (lat {nodes.lat[i]:g} lon {nodes.lon[i]:g})" if nodes.on_grid[i] else "")
        for i in numbers[:5]
    ]
    return between.join(shown) + (" …" if len(numbers) > 5 else "")
