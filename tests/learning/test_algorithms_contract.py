"""What every registered algorithm promises. A new one is tested here by its line in the registry alone."""

from functools import cache

import pandas as pd
import pytest
from references import frame

import climatebn as cb
from climatebn.learning.registry import ALGORITHMS

DATA = {"gaussian": frame("gauss8"), "discrete": frame("child_600").iloc[:, :8]}

every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
every_kind = pytest.mark.parametrize("kind", DATA)


def learn(algorithm, kind, **arguments):
    return cb.learn(DATA[kind], algorithm, seed=7, progress=False, **arguments)


@cache
def learned(algorithm, kind):
    """The result without further arguments; also what the data looked like before."""
    before = DATA[kind].copy()
    return learn(algorithm, kind), before


@every_algorithm
@every_kind
def test_result_extends_to_a_dag_or_says_why_not(algorithm, kind):
    result, _ = learned(algorithm, kind)
    assert result.graph.skeleton
    assert result.valid == (result.dag is not None) == (result.reason == "")
    if result.valid:
        assert result.dag.skeleton == result.graph.skeleton
        assert set(result.graph.directed) <= set(result.dag.arcs)
        assert len(result.dag.numbered_order) == 8


@every_algorithm
@every_kind
def test_record_names_nodes_and_counts_calls(algorithm, kind):
    result, before = learned(algorithm, kind)
    pd.testing.assert_frame_equal(DATA[kind], before)
    assert result.graph.names == tuple(before.columns)
    assert result.calls == sum(result.phase_calls.values()) > 0
    assert (result.algorithm, result.seed, result.notes, result.stopped) == (algorithm, 7, (), "")


@every_algorithm
@every_kind
def test_same_seed_same_result(algorithm, kind):
    first, second = learned(algorithm, kind)[0], learn(algorithm, kind)
    assert first.graph == second.graph
    assert first.dag == second.dag
    assert first.phase_calls == second.phase_calls
    assert first.trace == second.trace


@every_algorithm
@every_kind
def test_nodes_that_are_kept_apart_stay_apart(algorithm, kind):
    """A pair that the algorithm joins when it is free, forbidden in both directions."""
    first, *_ = learned(algorithm, kind)[0].graph.skeleton
    result = learn(algorithm, kind, knowledge=cb.Knowledge(forbidden=[first, first[::-1]]))
    assert first not in result.graph.skeleton


@every_algorithm
@every_kind
def test_without_time_it_still_answers(algorithm, kind):
    result = learn(algorithm, kind, max_seconds=0.0)
    assert result.graph.names == tuple(DATA[kind].columns)
    assert any("stopped after max_seconds" in note or "cut short" in note for note in result.notes)
    assert result.stopped == "time"
    assert repr(result).endswith(", stopped: time)")
