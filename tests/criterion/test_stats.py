"""Statistics from data that is something else than it seems: refused in words, or read as what it is."""

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError

RANDOM = np.random.default_rng(5)
THREE = RANDOM.normal(size=(60, 3))


def refused(words, call, *args, **options):
    with pytest.raises(ClimateBNError, match=words):
        call(*args, **options)


def test_masked_values_are_not_read():
    masked = np.ma.masked_array(THREE, mask=THREE > 2)
    assert masked.mask.any()
    refused("masked", cb.learn, masked, progress=False)
    refused("masked", cb.GaussianStats.of, masked)
    whole = np.ma.masked_array(THREE, mask=False)
    assert cb.learn(whole, progress=False).dag == cb.learn(THREE, progress=False).dag


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pd.Series(THREE[:, 0], dtype=object), "column a holds floating as Python objects"),
        (pd.Series(range(60), dtype=object), "column a holds integer as Python objects"),
        (pd.Series(pd.date_range("2000", periods=60)), "column a holds datetime64"),
        (pd.Series(pd.date_range("2000", periods=60)).dt.date, "column a holds date as Python objects"),
        (pd.Series(pd.date_range("2000", periods=60)).diff(), "column a holds timedelta64"),
        (pd.Series(pd.period_range("2000", periods=60, freq="M")), "column a holds period"),
        (pd.Series(THREE[:, 0] + 1j), "column a holds complex"),
        (pd.Series(["x", 1] * 30, dtype=object), "column a holds mixed"),
    ],
)
def test_columns_that_are_neither_numbers_nor_categories_are_refused(column, words):
    for other in (pd.Series(THREE[:, 1]), pd.Series(["u", "v"] * 30)):
        refused(words, cb.learn, pd.DataFrame({"a": column, "b": other}), progress=False)


@pytest.mark.parametrize(
    "values",
    [THREE + 1j, THREE.astype("m8[s]"), THREE.astype("M8[s]"), THREE.astype(object), THREE > 0, THREE.astype(str)],
)
def test_arrays_of_anything_but_real_numbers_are_refused(values):
    refused("real numbers", cb.learn, values, progress=False)
    if values.dtype != bool:
        refused("real numbers", cb.GaussianStats.of, values)


def test_text_and_truth_are_categories_and_nullable_numbers_are_numbers():
    frame = pd.DataFrame({"a": ["x", "y"] * 30, "b": [True, False] * 30})
    assert cb.learn(frame, progress=False).dag.skeleton == [("a", "b")]
    numbers = pd.DataFrame(THREE, columns=list("abc"))
    assert cb.learn(numbers.astype("Float64"), progress=False).dag == cb.learn(numbers, progress=False).dag
    gap = numbers.astype("Float64").mask(numbers > 2)
    refused("missing", cb.learn, gap, progress=False)


@pytest.mark.parametrize("constant", [0.1, 273.15, -1e-30, 0.0, 1e200])
def test_a_constant_column_is_constant_whatever_its_value(constant):
    values = THREE.copy()
    values[:, 1] = constant
    refused("constant nodes carry no information: X2", cb.learn, values, progress=False)


def test_a_column_that_is_nearly_constant_but_not_is_read():
    values = THREE.copy()
    values[:, 1] = 273.15 + 1e-9 * values[:, 1]
    assert cb.GaussianStats.of(values).cov[1, 1] > 0


@pytest.mark.parametrize("code", [2**32, 2**31, -1, 3])
def test_codes_outside_their_levels_are_refused_not_wrapped(code):
    codes = RANDOM.integers(0, 3, (30, 2))
    codes[4, 1] = code
    refused("codes outside 0 … levels − 1 in: X2", cb.DiscreteStats, codes, [3, 3])


def test_levels_that_no_memory_holds_are_refused_at_once():
    codes = np.zeros((10, 2), dtype=int)
    refused("too many levels: X1 has 60000 and X2 has 60000", cb.DiscreteStats, codes, [60_000, 60_000])
    refused("levels must be 1 …", cb.DiscreteStats, codes, [2**40, 2])


@pytest.mark.parametrize(
    ("cov", "words"),
    [
        ([[1.0, 2.0], [2.0, 1.0]], "X1 and X2 would have the correlation 2"),
        ([[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]], "not positive semidefinite"),
        ([[1.0, 0.0], [0.0, -1.0]], "the variance of X2 is negative"),
        ([[1.0, 0.0], [0.0, 0.0]], "constant nodes carry no information: X2"),
        ([[1.0, 0.5], [0.2, 1.0]], "symmetric"),
    ],
)
def test_a_matrix_that_is_no_covariance_is_refused_in_true_words(cov, words):
    refused(words, cb.GaussianStats, 100, cov)


@pytest.mark.parametrize("n", [2, 2.5, float("inf"), float("nan"), "9", None, True])
def test_the_number_of_observations_is_a_whole_number_from_3(n):
    refused("n, the number of observations, must be a whole number, 3 or more; got", cb.GaussianStats, n, np.eye(2))
