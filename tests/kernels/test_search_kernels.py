"""The parts of the search kernels, each against its plain twin."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.kernels.bitset import listed, packed
from climatebn.kernels.dag_search.reachability import (
    ABOVE,
    BELOW,
    CHILDREN,
    LOST,
    LOST_ABOVE,
    LOST_BELOW,
    PARENTS,
    cut,
    join,
)
from climatebn.kernels.dag_search.state import empty_network, residual_rows, with_room
from climatebn.kernels.gaussian.local_score import local_score
from climatebn.kernels.gaussian.logarithm import logarithms
from climatebn.kernels.gaussian.residual_rows import append, rebuild, write_gains

NODES = 70  # more than one word of 64


@numba.njit
def add_arc(network, x, y):
    join(network, x, y)


@numba.njit
def delete_arc(network, x, y):
    return cut(network, x, y)


@numba.njit
def gains_of(rows, node, parents, gain):
    rebuild(rows, node, parents)
    write_gains(rows, node, gain)


@numba.njit
def gains_with(rows, node, parent, gain):
    append(rows, node, parent)
    write_gains(rows, node, gain)


def unpacked(sets):
    return np.array([np.isin(np.arange(len(sets)), listed(words)) for words in sets])


def closure(child):
    """Who reaches whom, by repeated squaring."""
    reach = child.copy()
    while not np.array_equal(wider := reach | (reach.astype(int) @ reach.astype(int) > 0), reach):
        reach = wider
    return reach


@given(st.integers(0, 10**6), st.sampled_from([8, 70]), st.floats(0.05, 0.6))
@settings(max_examples=25, deadline=None)
def test_closure_follows_any_additions_and_deletions(seed, nodes, deletions):
    random = np.random.default_rng(seed)
    network, child = empty_network(nodes), np.zeros((nodes, nodes), dtype=bool)
    for _ in range(150):
        arcs = np.argwhere(child)
        before = closure(child)
        if len(arcs) and random.random() < deletions:
            x, y = random.choice(arcs)
            child[x, y] = False
            after = closure(child)
            lost_below, lost_above = delete_arc(network, x, y)
            lost = before & ~after
            assert sorted(network.lists[LOST_BELOW, :lost_below]) == np.flatnonzero(lost.any(axis=1)).tolist()
            assert sorted(network.lists[LOST_ABOVE, :lost_above]) == np.flatnonzero(lost.any(axis=0)).tolist()
            for node in network.lists[LOST_BELOW, :lost_below]:
                assert listed(network.sets[LOST, node]) == np.flatnonzero(lost[node]).tolist()
        else:
            x, y = random.choice(nodes, 2, replace=False)
            if not (child[x, y] or before[y, x]):
                child[x, y] = True
                add_arc(network, x, y)
    reach = closure(child)
    for kind, wanted in {CHILDREN: child, PARENTS: child.T, BELOW: reach, ABOVE: reach.T}.items():
        assert np.array_equal(unpacked(network.sets[kind]), wanted)


@given(st.integers(0, 10**6), st.integers(1, 150), st.booleans())
@settings(deadline=None)
def test_bit_sets_pack_and_unpack(seed, size, fill):
    table = np.random.default_rng(seed).random((size, size)) < 0.3
    sets = packed(table, fill=fill)
    assert np.array_equal(unpacked(sets), table)
    beyond = [member for member in listed(sets[0]) if member >= size]
    assert beyond == (list(range(size, 64 * sets.shape[1])) if fill else [])


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=50))
@settings(deadline=None)
def test_logarithms_are_those_of_numpy(values):
    given_, out = np.array(values), np.empty(len(values))
    logarithms(given_, np.empty(len(values)), out)
    assert out == pytest.approx(np.log(given_), rel=1e-15, abs=1e-15)
    assert given_.tolist() == values


def test_logarithms_near_one_keep_their_digits():
    values = 1 + np.array([-1e-3, -1e-9, 0.0, 1e-12, 1e-6])
    out = np.empty(5)
    logarithms(values, np.empty(5), out)
    assert out == pytest.approx(np.log(values), rel=1e-14, abs=0)


def nodes_in_a_row(seed, nodes=NODES, n=200):
    """Neighbours are alike, every node has a scale of its own."""
    random = np.random.default_rng(seed)
    walk = random.normal(size=(n, nodes)).cumsum(axis=1) + random.normal(size=(n, nodes))
    return cb.GaussianStats.of(walk * 10.0 ** random.integers(-3, 4, nodes))


@pytest.mark.parametrize("score", [cb.BIC(0.5), cb.BIC(variance="unbiased"), cb.AIC(), cb.BGe(prior="vsp")], ids=repr)
@given(seed=st.integers(0, 10**6), k=st.integers(0, 9))
@settings(max_examples=10, deadline=None)
def test_all_gains_of_a_node_are_differences_of_its_local_score(score, seed, k):
    stats = nodes_in_a_row(seed)
    form, random = score.form(stats), np.random.default_rng(seed)
    node, *parents = random.choice(NODES, k + 1, replace=False).tolist()
    rows, gain = residual_rows(form, capacity=12), np.empty(NODES)
    gains_of(rows, node, np.array(sorted(parents), dtype=np.int64), gain)
    here = local_score(form, node, parents)
    wanted = [local_score(form, node, set(parents) ^ {x}) - here for x in range(NODES)]
    wanted[node] = -np.inf
    assert gain == pytest.approx(np.array(wanted), rel=1e-7, abs=1e-6)


def test_appending_in_any_order_gives_the_gains_of_the_set():
    form = cb.BIC().form(nodes_in_a_row(7))
    ordered, appended = residual_rows(form, capacity=3), residual_rows(form, capacity=3)
    wanted, gain = np.empty(NODES), np.empty(NODES)
    gains_of(ordered, 5, np.array([2, 30, 61]), wanted)
    for parent in (61, 2, 30):
        gains_with(appended, 5, parent, gain)
    assert gain == pytest.approx(wanted, rel=1e-9, abs=1e-8)
    wider = with_room(appended, capacity=8)
    gains_with(wider, 5, 11, gain)
    gains_of(residual_rows(form, capacity=4), 5, np.array([2, 11, 30, 61]), wanted)
    assert gain == pytest.approx(wanted, rel=1e-9, abs=1e-8)


def test_a_parent_that_repeats_another_is_no_candidate():
    values = np.random.default_rng(1).normal(size=(50, 4))
    values[:, 3] = values[:, 0] - 2 * values[:, 1]
    form = cb.BIC().form(cb.GaussianStats.of(values))
    rows, gain = residual_rows(form, capacity=3), np.empty(4)
    gains_of(rows, 2, np.array([0, 1]), gain)
    assert gain[3] == gain[2] == -np.inf
    assert np.isfinite(gain[:2]).all()
    assert local_score(form, 2, [0, 1, 3]) < local_score(form, 2, [0, 1])
