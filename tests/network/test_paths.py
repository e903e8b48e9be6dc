"""Open paths and their shares: they sum to the covariance, come strongest first, and stop where asked."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import dense, placed_network, random_network

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network.path_search import arc_partial_correlations

small = st.builds(random_network, st.integers(0, 10_000), st.integers(2, 8), st.floats(0, 1))


def simple_open_paths(bn, a, b):
    """Every path without a collider, by brute force: node sequences with the share of each."""
    weights, variances = bn.coefficients.toarray(), np.diag(dense(bn)[1])
    found = {}

    def walk(way, top, product):
        node = way[-1]
        if node == b:
            found[tuple(bn.names[i] for i in way)] = product * variances[node if top is None else top]
            return
        for other in set(range(len(bn.names))) - set(way):
            if top is None and weights[other, node]:
                walk([*way, other], None, product * weights[other, node])
            if weights[node, other]:
                walk([*way, other], node if top is None else top, product * weights[node, other])

    walk([a], None, 1.0)
    return found


@given(small)
@settings(deadline=None, max_examples=80)
def test_shares_of_all_open_paths_sum_to_the_covariance(bn):
    _, covariance = dense(bn)
    table = bn.paths("X1", "X2", top=None)
    expected = simple_open_paths(bn, 0, 1)
    assert dict(zip(table["nodes"], table["share"], strict=True)) == pytest.approx(expected)
    assert table["share"].sum() == pytest.approx(covariance[0, 1], abs=1e-10)
    assert table.attrs["complete"]
    assert table.attrs["rest"] == pytest.approx(0, abs=1e-10)
    assert table["share"].abs().is_monotonic_decreasing
    sd = np.sqrt(np.diag(covariance))
    assert table.attrs["correlation"] == pytest.approx(covariance[0, 1] / sd[0] / sd[1], abs=1e-12)
    backwards = bn.paths("X2", "X1", top=None)
    assert sorted(backwards["share"]) == pytest.approx(sorted(table["share"]))


@given(small)
@settings(deadline=None, max_examples=20)
def test_paths_are_written_with_their_arrows(bn):
    for row in bn.paths("X1", "X2", top=None).itertuples():
        words = row.path.split(" ")
        assert tuple(words[::2]) == row.nodes
        arrows = words[1::2]
        for (start, end), arrow in zip(pairwise(row.nodes), arrows, strict=True):
            assert ((start, end) if arrow == "→" else (end, start)) in bn.dag.arcs
        kinds = {("→",): "forward", ("←",): "backward"}
        assert row.kind == kinds.get(tuple(dict.fromkeys(arrows)), "common cause")
        assert "→ ←" not in " ".join(arrows)


def test_the_first_paths_are_the_strongest_and_the_rest_is_said():
    bn = random_network(4, 9, density=0.8)
    ends = bn.names[bn.dag.numbered_order[0]], bn.names[bn.dag.numbered_order[-1]]
    everything = bn.paths(*ends, top=None)
    few = bn.paths(*ends, top=5)
    assert set(few["path"]) == set(everything.nlargest(5, "strength")["path"])
    assert few["share"].abs().is_monotonic_decreasing
    assert not few.attrs["complete"]
    assert few.attrs["listed"] + few.attrs["rest"] == pytest.approx(few.attrs["covariance"])
    assert few.attrs["rest"] == pytest.approx(everything["share"].sum() - few["share"].sum())
    assert few["fraction"].sum() == pytest.approx(few.attrs["listed"] / few.attrs["covariance"])
    short = bn.paths(*ends, top=None, max_steps=12)
    assert len(short) < len(everything)
    assert not short.attrs["complete"]


def test_paths_between_regions_sum_to_the_covariance_of_their_means():
    bn = placed_network(3)
    index = cb.Combination({"X1": 1, "X2": -1}, name="index")
    table = bn.paths(index, "X12", top=None, max_steps=3_000_000)
    row = np.zeros(24)
    row[:2] = bn.spread[0], -bn.spread[1]
    _, covariance = dense(bn)
    row /= np.sqrt(row @ covariance @ row)
    assert table.attrs["covariance"] == pytest.approx(row @ covariance[:, 11], abs=1e-12)
    assert table.attrs["complete"]
    assert table["share"].sum() == pytest.approx(row @ covariance[:, 11], abs=1e-10)
    assert table["path"][0].startswith("index ← X")
    boxes = bn.paths(cb.Region(lat=(-30, 0), lon=(170, 190)), cb.Region(lat=(0, 30), lon=(170, 190)), top=3)
    assert boxes["path"].str.contains("30°S–0° 170°E–170°W ←").all()


def test_no_path_and_wrong_ends():
    bn = cb.GaussianBN.from_parameters(("a", "b"), {}, {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0})
    table = bn.paths("a", "b")
    assert len(table) == 0
    assert list(table.columns) == ["path", "share", "fraction", "strength", "kind", "nodes"]
    assert table.attrs["covariance"] == 0
    with pytest.raises(ClimateBNError, match="two different ends"):
        bn.paths("a", "a")
    with pytest.raises(ClimateBNError, match="top must be 1 or more"):
        bn.paths("a", "b", top=0)
    with pytest.raises(ClimateBNError, match="unknown path node 'c'"):
        bn.paths("a", "c")


def test_strengths_of_arcs_are_partial_correlations():
    bn = random_network(4, 6, density=0.8)
    _, covariance = dense(bn)
    found = arc_partial_correlations(bn)
    for (parent, child), value in zip(bn.dag.numbered_arcs.tolist(), found, strict=True):
        others = [i for i in bn.dag.numbered_parents[child] if i != parent]
        block = covariance[np.ix_([parent, child, *others], [parent, child, *others])]
        precision = np.linalg.inv(block)
        assert value == pytest.approx(abs(precision[0, 1]) / np.sqrt(precision[0, 0] * precision[1, 1]))
    fitted = placed_network(3)
    by_model = replace(fitted, arc_loglik=None)
    assert np.corrcoef(arc_partial_correlations(fitted), arc_partial_correlations(by_model))[0, 1] > 0.99
    table = bn.paths("X1", "X2", top=None)
    arcs = dict(zip(bn.dag.arcs, found, strict=True))
    for row in table.itertuples():
        pairs = [pair if pair in arcs else pair[::-1] for pair in pairwise(row.nodes)]
        assert row.strength == pytest.approx(np.prod([arcs[pair] for pair in pairs]))
