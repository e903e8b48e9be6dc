"""Discrete scores: bnlearn's numbers, a plain twin of the counting, and what every score must hold."""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame, numbers
from scipy.special import gammaln

import climatebn as cb
from climatebn.criterion import discrete
from climatebn.errors import ClimateBNError, OutOfTime
from climatebn.kernels.discrete import grouping, values
from climatebn.learning.api import to_stats

SCORES = {
    "loglik": cb.LogLik(),
    "bic": cb.BIC(),
    "aic": cb.AIC(),
    "bde": cb.BDeu(),
    "bde_vsp": cb.BDeu(prior="vsp"),
}


def twin(stats, node, parents, iss=0.0):
    """Log-likelihood (iss = 0) or BDeu of a family by counting tuples in a dictionary."""
    rows = [tuple(row) for row in stats.codes[:, [*parents, node]].tolist()]
    cells, wholes = Counter(rows), Counter(row[:-1] for row in rows)
    if not iss:
        return sum(count * math.log(count / wholes[cell[:-1]]) for cell, count in cells.items())
    whole = iss / math.prod(stats.levels[list(parents)].tolist())
    part = whole / stats.levels[node]
    return sum(gammaln(part + count) - gammaln(part) for count in cells.values()) - sum(
        gammaln(whole + count) - gammaln(whole) for count in wholes.values()
    )


@st.composite
def families(draw):
    """Random discrete data, a node and parents; often far more configurations than observations."""
    size, n = draw(st.integers(2, 7)), draw(st.integers(3, 120))
    levels = draw(st.lists(st.integers(1, 9), min_size=size, max_size=size))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    stats = cb.DiscreteStats(np.column_stack([rng.integers(0, r, n) for r in levels]), levels)
    order = draw(st.permutations(range(size)))
    return stats, order[0], order[1 : draw(st.integers(2, size))]


@pytest.mark.parametrize("name", ["alarm_800", "child_600"])
@pytest.mark.parametrize("key", SCORES)
def test_scores_equal_bnlearn(name, key):
    stats = to_stats(frame(name))
    for network in numbers(name)["scores"]:
        parents = cb.Dag.from_arcs(stats.names, network["arcs"]).numbered_parents
        total = sum(SCORES[key].local(stats, i, own) for i, own in enumerate(parents))
        assert total == pytest.approx(network[key], rel=1e-9)


@given(families(), st.sampled_from([0.0, 0.5, 1.0, 40.0]))
@settings(max_examples=100, deadline=None)
def test_family_equals_its_plain_twin(family, iss):
    stats, node, parents = family
    got = discrete.local(stats, node, parents, discrete.DiscreteForm(iss=iss))
    assert got == pytest.approx(twin(stats, node, parents, iss), rel=1e-9, abs=1e-9)


@given(families(), st.sampled_from([0.0, 1.0]))
@settings(max_examples=60, deadline=None)
def test_both_ways_of_counting_agree(family, iss):
    stats, node, parents = family
    others = [i for i in range(len(stats.names)) if i != node and i not in parents]
    form = discrete.DiscreteForm(iss=iss)

    def answers(groups, cells):
        stats.memo.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grouping, "MOST_GROUPS", groups)
            patch.setattr(grouping, "FEW_WORDS", cells)
            tests = [
                discrete.statistics(stats, node, parents[:1], parents[1:], pearson=pearson)[0][0]
                for pearson in (True, False)
            ]
            gains = discrete.gains(stats, node, parents, others, form)
            return [*gains, *tests, discrete.local(stats, node, parents, form)]

    assert answers(2**12, 10**9) == answers(1, 0)


@given(families(), st.sampled_from(list(SCORES.values())))
@settings(max_examples=60, deadline=None)
def test_differences_of_a_search_are_gains_and_differences_of_locals(family, score):
    """To the last bit, so that a search meets the same ties."""
    stats, node, parents = family
    parents = sorted(parents)
    others = [i for i in range(len(stats.names)) if i != node and i not in parents]
    found = discrete.differences(stats, node, parents, np.array(others, dtype=int), score.discrete_settings(stats))
    here = score.local(stats, node, parents)
    assert found[others].tolist() == score.gains(stats, node, parents, others).tolist()
    assert found[parents].tolist() == [score.local(stats, node, [p for p in parents if p != q]) - here for q in parents]
    assert found[node] == -np.inf


@pytest.mark.parametrize("score", [cb.BIC(), cb.AIC(), cb.BDeu(), cb.BDeu(iss=7.0, prior="vsp")], ids=repr)
def test_gains_of_many_sets_are_those_of_each_bit_by_bit(score, monkeypatch):
    rng = np.random.default_rng(3)
    stats = to_stats(cb.reference_network("alarm").sample(150, 2))
    sets = [rng.permutation(37)[: rng.integers(0, 6)] for _ in range(80)]
    target = np.array([next(i for i in rng.permutation(37) if i not in parents) for parents in sets])
    which = np.sort(rng.integers(80, size=200))
    source = np.array([rng.choice(np.setdiff1d(np.arange(37), [*sets[s], target[s]])) for s in which])
    starts, items = np.cumsum([0, *map(len, sets)]), np.concatenate(sets)
    form = score.discrete_settings(stats)
    wanted = [score.gains(stats, target[s], sets[s], [x])[0] for s, x in zip(which, source, strict=True)]
    for slice_ in (discrete.SLICE, 1):  # whole, and with a look at the clock after each set
        monkeypatch.setattr(discrete, "SLICE", slice_)
        found = discrete.many_gains(stats, target, starts, items, which, source, form, lambda: False)
        assert found.tolist() == wanted
    with pytest.raises(OutOfTime):
        discrete.many_gains(stats, target, starts, items, which, source, form, lambda: True)


def test_counts_that_do_not_fit_into_a_word_equal_their_plain_twin(monkeypatch):
    """Row by row the counts of a cell stay in one word of 64 bits, unless a group has too many rows."""
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(0, levels, 70_000) for levels in (2, 4, 9, 3)])
    codes[:66_000, 3] = 0
    for few in (0, 10**9):
        monkeypatch.setattr(grouping, "FEW_WORDS", few)
        stats = cb.DiscreteStats(codes, [2, 4, 9, 3])
        for y in (1, 2):
            form = discrete.DiscreteForm()
            (got,) = discrete.gains(stats, 0, [3], [y], form)
            assert got == pytest.approx(twin(stats, 0, [3, y]) - twin(stats, 0, [3]), rel=1e-6, abs=1e-6)


def test_large_counts_equal_their_plain_twin():
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(0, 3, 5000), rng.integers(0, 2, 5000)])
    stats = cb.DiscreteStats(codes, [3, 2])
    got = cb.BDeu(iss=2.0).local(stats, 0, [1])
    assert got == pytest.approx(twin(stats, 0, [1], 2.0), rel=1e-12)


@given(families(), st.sampled_from(list(SCORES.values())))
@settings(max_examples=60, deadline=None)
def test_gains_are_differences_of_locals(family, score):
    stats, node, parents = family
    others = [i for i in range(len(stats.names)) if i != node and i not in parents]
    gains = score.gains(stats, node, parents, others)
    before = score.local(stats, node, parents)
    assert gains == pytest.approx(
        [score.local(stats, node, [*parents, x]) - before for x in others], rel=1e-9, abs=1e-8
    )


@given(families(), st.sampled_from(list(SCORES.values())))
@settings(max_examples=60, deadline=None)
def test_equivalent_dags_score_the_same(family, score):
    stats, x, (y, *given) = family
    forth = score.local(stats, x, given) + score.local(stats, y, [*given, x])
    back = score.local(stats, y, given) + score.local(stats, x, [*given, y])
    assert forth == pytest.approx(back, rel=1e-9, abs=1e-8)


@given(families(), st.sampled_from(list(SCORES.values())), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_renaming_nodes_and_levels_changes_nothing(family, score, random):
    stats, node, parents = family
    order = list(range(len(stats.names)))
    random.shuffle(order)
    codes = stats.codes[:, order].copy()
    codes[:, 0] = stats.levels[order[0]] - 1 - codes[:, 0]  # the levels of one node in reverse
    other = cb.DiscreteStats(codes, stats.levels[order])
    renamed = score.local(other, order.index(node), [order.index(p) for p in parents])
    assert renamed == pytest.approx(score.local(stats, node, parents), rel=1e-9, abs=1e-9)


def test_more_configurations_than_64_bits_cost_only_observed_ones():
    rng = np.random.default_rng(2)
    stats = cb.DiscreteStats(rng.integers(0, 9, (500, 60)), [9] * 60)  # 9^59 configurations of the parents
    everything = list(range(1, 60))
    assert (
        discrete.local(stats, 0, everything, discrete.DiscreteForm()) == 0.0
    )  # each row is a configuration of its own
    assert cb.BDeu().local(stats, 0, everything) == pytest.approx(-500 * math.log(9), rel=1e-12)
    assert cb.BIC().local(stats, 0, everything) < -1e50


def test_memory_of_a_search_is_bounded(monkeypatch):
    monkeypatch.setattr(discrete, "FAMILIES", 5)
    stats = to_stats(frame("child_600"))
    score = cb.BDeu()
    first = [score.local(stats, 0, [parent]) for parent in range(1, 20)]
    assert [score.local(stats, 0, [parent]) for parent in range(1, 20)] == first
    assert max(len(held) for held in stats.memo.values()) == 5  # the families


def test_threads_do_not_share_memory():
    """Gains asked from four threads at once are those asked alone."""
    stats = to_stats(frame("child_600"))
    others = list(range(4, 20))
    alone = [cb.BDeu().gains(stats, 0, parents, others) for parents in ([], [1], [1, 2], [3])] * 20
    with ThreadPoolExecutor(4) as pool:
        questions = [[], [1], [1, 2], [3]] * 20
        found = list(pool.map(lambda parents: cb.BDeu().gains(stats, 0, parents, others), questions))
    assert np.array_equal(found, alone)


def test_tables_of_bdeu_may_be_made_again(monkeypatch):
    """With room for four tables only, each is overwritten and made again, and nothing changes."""
    rng = np.random.default_rng(3)
    stats = cb.DiscreteStats(np.column_stack([rng.integers(0, r, 300) for r in range(2, 12)]), range(2, 12))
    score = cb.BDeu()
    free = [score.gains(stats, 0, [p], [y]) for p in range(1, 10) for y in range(1, 10) if y != p]
    monkeypatch.setattr(values, "KEPT", 4)
    stats.memo.clear()
    assert free == [score.gains(stats, 0, [p], [y]) for p in range(1, 10) for y in range(1, 10) if y != p]


def test_a_constant_column_is_worth_nothing():
    stats = cb.DiscreteStats([[0, 0], [0, 1], [0, 1]], [1, 2])
    assert cb.BIC().gains(stats, 1, [], [0]).tolist() == [0.0]


@pytest.mark.parametrize(
    ("settings_", "words"),
    [({"iss": 0}, "iss must be a finite number, above 0"), ({"prior": "vps"}, "did you mean 'vsp'")],
)
def test_wrong_settings_are_refused(settings_, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.BDeu(**settings_)
