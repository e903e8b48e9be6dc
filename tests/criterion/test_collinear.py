"""Exact repetition is refused by name; near collinearity and N ≥ n are not."""

import numpy as np
import pytest

from climatebn.criterion import GaussianStats
from climatebn.criterion.stats import require_distinct
from climatebn.errors import ClimateBNError


def sample(n, size, seed=1):
    return np.random.default_rng(seed).normal(size=(n, size))


def test_duplicates_are_named_whatever_their_units():
    x = sample(60, 4)
    with pytest.raises(ClimateBNError, match="X5 = X2"):
        require_distinct(GaussianStats.of(np.column_stack([x, -3e5 * x[:, 1] + 7])))


def test_linear_combinations_are_named():
    x = sample(60, 5)
    with pytest.raises(ClimateBNError, match=r"exactly collinear nodes: X\d is a linear combination of X\d, X\d;"):
        require_distinct(GaussianStats.of(np.column_stack([x, x[:, 0] + 2 * x[:, 3]])))


def test_nearly_collinear_nodes_pass():
    x = sample(60, 5)
    require_distinct(GaussianStats.of(np.column_stack([x, x[:, 0] + 1e-4 * sample(60, 1, 2)[:, 0]])))


def test_more_nodes_than_observations_pass_but_not_their_duplicates():
    x = sample(20, 700)
    require_distinct(GaussianStats.of(x))
    with pytest.raises(ClimateBNError, match="X701 = X650"):
        require_distinct(GaussianStats.of(np.column_stack([x, x[:, 649]])))


def test_months_that_lost_their_climatology_are_not_collinear_nodes():
    x = sample(120, 110)
    x -= np.tile(x.reshape(10, 12, 110).mean(axis=0), (10, 1))
    require_distinct(GaussianStats.of(x))
