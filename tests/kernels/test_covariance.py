"""Sums of products have the bits of adding row by row, whatever the tiles and the processor's BLAS."""

import os
import subprocess
import sys

import numpy as np
import pytest

import climatebn as cb
from climatebn.kernels.gaussian.covariance import least_share, products


@pytest.mark.parametrize(("n", "size"), [(3, 1), (4, 8), (7, 33), (50, 32), (61, 70)])
def test_bits_of_adding_row_by_row(n, size):
    rows = np.random.default_rng(n).normal(size=(n, size)) * np.logspace(-6, 6, size)
    expected = np.zeros((size, size))
    for row in rows:
        expected += row[:, None] * row
    assert np.array_equal(products(rows), expected)


def test_least_share_is_that_of_regression_on_the_columns_before():
    rows = np.random.default_rng(1).normal(size=(80, 6))
    rows[:, 4] = rows[:, 0] - rows[:, 2] + 1e-3 * rows[:, 4]
    rows -= rows.mean(axis=0)
    shares = [1.0]
    for k in range(1, 6):
        weights = np.linalg.lstsq(rows[:, :k], rows[:, k], rcond=None)[0]
        shares.append(np.sum((rows[:, k] - rows[:, :k] @ weights) ** 2) / np.sum(rows[:, k] ** 2))
    assert least_share(products(rows)) == pytest.approx(min(shares), rel=1e-6)
    rows[:, 5] = rows[:, 1] + rows[:, 3]
    assert least_share(products(rows)) < 1e-12


def test_the_covariance_does_not_depend_on_how_rows_lie_in_memory():
    rows = np.random.default_rng(2).normal(size=(361, 40)) + 273.15
    expected = cb.GaussianStats.of(rows).cov
    assert np.array_equal(cb.GaussianStats.of(np.asfortranarray(rows)).cov, expected)
    assert np.array_equal(cb.GaussianStats.of(np.repeat(rows, 2, axis=1)[:, ::2]).cov, expected)


def test_the_network_does_not_depend_on_the_kernels_of_blas():
    """More places than months: choices that rounding decides."""
    script = (
        "import hashlib, climatebn as cb\n"
        "data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=slice(-60, 60), time=slice('1981', '1990'))))\n"
        "found = cb.learn(data, 'hill_climbing', cb.BIC(), max_iter=600, progress=False)\n"
        "print(hashlib.sha256(cb.GaussianStats.of(data.values).cov.tobytes()).hexdigest(), found.dag.arcs, found.score)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script],
            env={**os.environ, "OPENBLAS_CORETYPE": core},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for core in ("Haswell", "Nehalem")
    }
    assert len(said) == 1
