"""Which models lie near each other: hierarchical clustering of a matrix of distances (average linkage, scipy)."""

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from climatebn.errors import ClimateBNError, whole


def tree(distances: pd.DataFrame) -> np.ndarray:
    """The merges of average linkage (scipy's form), leaves ordered so that neighbours lie near each other."""
    if len(distances) < 2:
        raise ClimateBNError("clustering needs two models or more")
    condensed = squareform(distances.to_numpy(), checks=False)
    merged: np.ndarray = optimal_leaf_ordering(linkage(condensed, "average"), condensed)
    return merged


def leaves(distances: pd.DataFrame) -> list[str]:
    """The models in the order of the leaves of the tree."""
    return [str(distances.index[i]) for i in leaves_list(tree(distances))]


def clusters(distances: pd.DataFrame, k: int) -> pd.Series:
    """The number (1 … k) of the cluster of each model, counted along the leaves of the tree."""
    whole("k", k, 1, len(distances))
    found = fcluster(tree(distances), k, "maxclust")
    by_leaf = dict.fromkeys(found[leaves_list(tree(distances))].tolist())
    renumbered = {label: number for number, label in enumerate(by_leaf, start=1)}
    return pd.Series([renumbered[label] for label in found], index=distances.index, name="cluster")
