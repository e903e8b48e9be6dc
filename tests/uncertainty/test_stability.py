"""Stability: blocks of months, the threshold, the averaged network, and what is counted."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.rng import generator
from climatebn.uncertainty.averaging import averaged, data_driven_threshold
from climatebn.uncertainty.bootstrap import block_rows


@pytest.fixture(scope="module")
def chain():
    """a → b → c and d apart, 240 months."""
    noise = np.random.default_rng(3).normal(size=(240, 4))
    a = noise[:, 0]
    b = a + noise[:, 1]
    c = b + noise[:, 2]
    return np.column_stack([a, b, c, noise[:, 3]])


@given(st.integers(24, 400), st.integers(1, 24), st.integers(0, 5))
def test_a_resample_keeps_the_calendar_and_the_blocks(n, block, seed):
    rows = block_rows(n, block, generator(seed))
    assert len(rows) == n
    assert ((rows - np.arange(n)) % 12 == 0).all()
    whole = n // 12 * 12
    inside = np.arange(1, n) % block != 0
    assert ((np.diff(rows) % whole) == 1)[inside].all()


def test_all_months_are_equally_likely():
    counts = np.zeros(60)
    for seed in range(600):
        np.add.at(counts, block_rows(60, 7, generator(seed)), 1)
    assert abs(counts / 600 - 1).max() < 5 / np.sqrt(600)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60))
def test_the_threshold_minimises_the_distance_to_an_ideal_network(counts):
    p = np.sort(np.array(counts) / 20)
    x = (np.arange(40_000) + 0.5) / 40_000
    cdf = np.searchsorted(p, x, side="right") / len(p)

    def distance(t):
        return np.abs(cdf - t).mean()

    share_of_zeros = (p <= data_driven_threshold(p)).mean()
    assert distance(share_of_zeros) <= min(distance(t) for t in np.linspace(0, 1, 101)) + 1e-9


def test_an_arc_that_would_close_a_cycle_is_turned():
    dag = averaged(("a", "b", "c"), [("a", "b"), ("b", "c"), ("c", "a")])
    assert dag.arcs == [("a", "b"), ("a", "c"), ("b", "c")]


def test_frequencies_of_a_chain(chain):
    found = cb.stability(chain, "hill_climbing", resamples=20, orders=2, progress=False)
    assert found.runs == 40
    top = found.table.iloc[:2]
    assert {tuple(sorted(pair)) for pair in top[["source", "target"]].to_numpy()} == {("X1", "X2"), ("X2", "X3")}
    assert (top["frequency"] == 1).all()
    assert top["direction"].tolist() == [0.5, 0.5]  # the chain has no v-structure: no direction is known
    assert found.dag.skeleton == [("X1", "X2"), ("X2", "X3")]


def test_the_executor_does_not_matter_and_the_seed_does(chain):
    arguments = {"resamples": 8, "progress": False}
    here = cb.stability(chain, "hill_climbing", **arguments).table
    with ThreadPoolExecutor(2) as threads:
        assert cb.stability(chain, "hill_climbing", executor=threads, **arguments).table.equals(here)
    assert not cb.stability(chain, "hill_climbing", seed=2, **arguments).table.equals(here)


def test_orders_alone_keep_the_months(chain):
    found = cb.stability(chain, "hill_climbing", resamples=0, orders=3, progress=False)
    assert found.runs == 3
    assert set(found.table["frequency"]) == {1.0}  # all orders find one equivalence class here
    assert isinstance(found.dag, Dag)


def test_teleconnections_need_places(chain):
    found = cb.stability(chain, "hill_climbing", resamples=2, progress=False)
    with pytest.raises(ClimateBNError, match="places of the nodes are not known"):
        found.teleconnections()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"resamples": 1}, "two runs or more; got resamples=1, orders=1"),
        ({"block_months": 241}, "block_months must be 1 … 240"),
        ({"threshold": 1.0}, "threshold must be 0 or more and below 1"),
    ],
)
def test_wrong_arguments(chain, arguments, message):
    with pytest.raises(ClimateBNError, match=message):
        cb.stability(chain, "hill_climbing", **arguments)


def test_too_few_months(chain):
    with pytest.raises(ClimateBNError, match="two years of months or more; got 20"):
        cb.stability(chain[:20], "hill_climbing")
