"""What every registered criterion promises. A new one is tested here by its line in the registry alone."""

import math
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.criterion.bridge import MatchedG2, as_test
from climatebn.criterion.protocols import IndependenceTest, Score
from climatebn.criterion.registry import CRITERIA, find

NODES = 5
TRUTH = cb.Dag.from_arcs("abcde", [("a", "b"), ("b", "c"), ("e", "c")])  # d stands alone
NEEDED = {"DSeparation": {"dag": TRUTH}}  # settings without a default
OTHERS = {  # settings worth a look beside the defaults
    "BIC": [{"gamma": 0.7, "variance": "unbiased"}, {"gamma": 0.5, "weight": 2.0}],
    "AIC": [{"variance": "unbiased"}],
    "BGe": [{"iss_mu": 3.0, "iss_w": 9.5, "prior": "vsp"}],
    "BDeu": [{"prior": "vsp"}],
}


def gaussian(seed, n=60):
    """Data of the network `TRUTH`, strong enough for every criterion to see its arcs."""
    a, b, c, d, e = np.random.default_rng(seed).normal(size=(NODES, n)) * np.array([[2], [1], [1], [9], [1]])
    b += 2 * a
    c += b - 2 * e
    return cb.GaussianStats.of(np.column_stack([a, b, c, d, e]), "abcde")


def discrete(seed, n=300):
    """The same with three levels for c and two for the others."""
    random = np.random.default_rng(seed).random((NODES, n))
    a, d, e = (random[[0, 3, 4]] < 0.5).astype(int)
    b = np.where(random[1] < 0.1, 1 - a, a)
    c = np.where(random[2] < 0.1, 0, b + e)
    return cb.DiscreteStats(np.column_stack([a, b, c, d, e]), [2, 2, 3, 2, 2], "abcde")


SAMPLES = {"gaussian": gaussian, "discrete": discrete}
CASES = [
    (find(name)(**NEEDED.get(name, {}), **settings_), kind)
    for name in CRITERIA
    for settings_ in [{}, *OTHERS.get(name, [])]
    for kind in sorted(find(name).kinds)
]
SCORES = [case for case in CASES if isinstance(case[0], Score)]
TESTS = [case for case in CASES if isinstance(case[0], IndependenceTest)]
EQUIVALENT = [case for case in SCORES if case[0].equivalent]
MATCHED = [(as_test(score), kind) for score, kind in EQUIVALENT]


def over(name, cases):
    return pytest.mark.parametrize((name, "kind"), [pytest.param(*case, id=f"{case[0]!r}-{case[1]}") for case in cases])


every = over("criterion", CASES)
every_score = over("score", SCORES)
every_test = over("test", TESTS + MATCHED)
seeds = st.integers(0, 10**6)
few = settings(max_examples=8, deadline=None)


@st.composite
def places(draw):
    """Two nodes and a set of others."""
    x, y, *rest = draw(st.permutations(range(NODES)))
    return x, y, rest[: draw(st.integers(0, NODES - 2))]


def about(wanted):
    return pytest.approx(wanted, rel=1e-8, abs=1e-7)


def total(score, stats, dag):
    return sum(score.local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))


def answers(criterion, stats, x, y, given):
    """All that a criterion tells about x, y and a set."""
    if isinstance(criterion, Score):
        return [criterion.local(stats, x, given), criterion.local(stats, x, [*given, y])]
    ask = (stats, x, y, given)
    return [criterion.evidence(*ask), criterion.log_p(*ask), float(criterion.dependent(*ask))]


def test_every_criterion_is_a_score_or_a_test():
    assert len(SCORES) + len(TESTS) == len(CASES)
    assert {type(criterion).__name__ for criterion, _ in CASES} == set(CRITERIA) == set(cb.criteria())
    assert {kind for _, kind in CASES} == set(SAMPLES)


@every
def test_settings_are_frozen_and_identify_a_criterion(criterion, kind):
    same = replace(criterion)
    assert same is not criterion
    assert {criterion: 1}[same] == 1
    assert pickle.loads(pickle.dumps(criterion)) == criterion
    for field in fields(criterion):
        assert f"{field.name}=" in repr(criterion)
        with pytest.raises(FrozenInstanceError):
            setattr(criterion, field.name, None)


@every
@given(seeds, places(), st.permutations(range(NODES)))
@few
def test_relabelling_nodes_changes_nothing(criterion, kind, seed, place, order):
    stats = SAMPLES[kind](seed)
    moved = stats.permuted(np.array(order))
    new = {node: number for number, node in enumerate(order)}
    x, y, given = place
    there = answers(criterion, moved, new[x], new[y], [new[z] for z in reversed(given)])
    assert there == about(answers(criterion, stats, x, y, given))


@every
@given(seeds, places())
@few
def test_inputs_are_not_edited(criterion, kind, seed, place):
    stats = SAMPLES[kind](seed)
    array = stats.cov if kind == "gaussian" else stats.codes
    before, given = array.copy(), list(place[2])
    first = answers(criterion, stats, place[0], place[1], given)
    assert np.array_equal(array, before)
    assert given == place[2]
    assert answers(criterion, stats, place[0], place[1], given) == first


@every_test
@given(seeds, places())
@few
def test_swapping_x_and_y_changes_nothing(test, kind, seed, place):
    stats, (x, y, given) = SAMPLES[kind](seed), place
    assert answers(test, stats, y, x, given) == about(answers(test, stats, x, y, given))


@every_test
@given(seeds, places())
@few
def test_evidence_is_positive_exactly_when_dependent(test, kind, seed, place):
    evidence, log_p, dependent = answers(test, SAMPLES[kind](seed), *place)
    assert dependent == (evidence > 0)
    assert log_p <= 0
    assert not math.isnan(evidence)


@every_test
def test_the_data_is_understood(test, kind):
    """a → b is seen, also given d; a tells nothing of c given b, nor d of b."""
    stats = SAMPLES[kind](2, n=600)
    assert test.dependent(stats, 0, 1, [])
    assert test.dependent(stats, 0, 1, [3])
    if not isinstance(test, MatchedG2) or test.score.penalty(stats) > 1:  # AIC and the likelihood keep weak arcs
        assert not test.dependent(stats, 0, 2, [1])
        assert not test.dependent(stats, 1, 3, [])


@over("score", EQUIVALENT)
@given(seeds, places())
@few
def test_reversing_a_covered_arc_changes_nothing(score, kind, seed, place):
    """Equivalent DAGs are those that such reversals lead to."""
    stats, (x, y, given) = SAMPLES[kind](seed), place
    forth = score.local(stats, x, given) + score.local(stats, y, [*given, x])
    back = score.local(stats, y, given) + score.local(stats, x, [*given, y])
    assert forth == about(back)


@over("score", EQUIVALENT)
def test_equivalent_dags_score_the_same(score, kind):
    """A chain of five nodes may have its root anywhere; a collider in it makes another class."""
    stats = SAMPLES[kind](4)
    links = list(zip("abcd", "bcde", strict=True))
    rooted = [
        cb.Dag.from_arcs("abcde", [link[::-1] if number < root else link for number, link in enumerate(links)])
        for root in range(NODES)
    ]
    totals = [total(score, stats, dag) for dag in rooted]
    assert len({dag.numbered_parents for dag in rooted}) == NODES
    assert totals == about([totals[0]] * NODES)
    collider = cb.Dag.from_arcs("abcde", [("a", "b"), ("c", "b"), ("c", "d"), ("d", "e")])
    assert abs(total(score, stats, collider) - totals[0]) > 1e-3


@every_score
def test_gains_of_a_search_sum_up_to_the_difference_of_totals(score, kind):
    stats = SAMPLES[kind](5)
    result = cb.learn(stats, "hill_climbing", score, progress=False)
    rise = total(score, stats, result.dag) - total(score, stats, cb.Dag.from_arcs("abcde"))
    assert len(result.trace) >= 3
    assert sum(step.gain for step in result.trace) == about(rise)


@over("score", [case for case in SCORES if hasattr(case[0], "gains")])
@given(seeds, places())
@few
def test_gains_are_differences_of_locals(score, kind, seed, place):
    stats, (x, y, given) = SAMPLES[kind](seed), place
    before, after = answers(score, stats, x, y, given)
    assert score.gains(stats, x, given, [y]) == about([after - before])


@every_score
@given(seeds, places())
@few
def test_the_bridge_agrees_with_the_difference_of_scores(score, kind, seed, place):
    """Evidence is the gain; of a penalised likelihood twice the gain with variances by maximum likelihood."""
    stats, (x, y, given) = SAMPLES[kind](seed), place
    test, plain = as_test(score), score
    if isinstance(test, MatchedG2):
        plain = replace(score, variance="ml")
    before, after = answers(plain, stats, x, y, given)
    share = 0.5 if isinstance(test, MatchedG2) else 1.0
    assert share * test.evidence(stats, x, y, given) == about(after - before)


@over("score", [case for case in SCORES if case[1] == "gaussian" and hasattr(case[0], "form")])
@given(seeds, places())
@few
def test_locals_are_what_the_compiled_form_says(score, kind, seed, place):
    stats, (x, _, given) = gaussian(seed), place
    matrix, a, b, c = score.form(stats)
    k, inside = len(given), matrix[np.ix_(given, given)]
    left = matrix[x, x] - matrix[x, given] @ np.linalg.solve(inside, matrix[given, x]) if k else matrix[x, x]
    plain = a[k] + b[k] * math.log(left) + c[k] * np.linalg.slogdet(inside)[1]
    assert score.local(stats, x, given) == about(plain)
    assert score.form(stats) is score.form(stats)
    assert not matrix.flags.writeable
