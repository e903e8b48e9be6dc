"""Rules that real data hardly ever call for: ties, guards against cycles. The answers of the tests are scripted."""

from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

import climatebn as cb
from climatebn.criterion.blanket import blanket
from climatebn.criterion.bound_test import Separation
from climatebn.learning.constraint.neighbours import neighbourhood
from climatebn.learning.constraint.run import start
from climatebn.learning.problem import Problem


class Scripted:
    """Dependent exactly where the script says so: (x, y, set)."""

    kinds: ClassVar = frozenset({"gaussian"})

    def __init__(self, *script):
        self.script = {(x, y, frozenset(given)) for x, y, given in script}

    def evidence(self, stats, x, y, given):
        return 1.0 if self.dependent(stats, x, y, given) else -1.0

    def dependent(self, stats, x, y, given):
        return (x, y, frozenset(given)) in self.script

    def log_p(self, stats, x, y, given):
        return -np.inf if self.dependent(stats, x, y, given) else 0.0


def test_inter_iamb_leaves_a_cycle_of_blankets():
    """The blanket of node 0 would go {1}, {2}, {3}, {1}, … for ever; 1 is barred when it comes back."""
    test = Scripted((0, 1, []), (0, 2, [1]), (0, 3, [2]), (0, 1, [3]))
    result = cb.learn(cb.GaussianStats(50, np.eye(4)), "inter_iamb", test, progress=False)
    assert not result.graph.skeleton
    assert result.calls == (3 + 3 + 3 + 3 + 2) + 3 * 3


class Asked:
    """A session that answers `around` by the members and keeps the questions."""

    log_alpha = -1.0

    def __init__(self, dependent):
        self.dependent, self.asked = dependent, []

    def full(self, members):
        return False

    def around(self, target, ys, members):
        self.asked.append(list(members))
        return np.array([1.0 if y in self.dependent[frozenset(members)] else -1.0 for y in ys])

    def log_p(self, evidences, *_):
        return np.where(evidences > 0, -np.inf, 0.0)


def test_hpc_keeps_the_member_it_has_just_added():
    session = Asked({frozenset({1, 2}): {1, 2, 3}, frozenset({1, 2, 3}): {1, 2}})
    assert blanket(session, 0, [0, 1, 2, 3], [1, 2]) == [1, 2, 3]
    assert session.asked == [[1, 2], [1, 2, 3]]


def test_hpc_does_not_take_back_the_member_it_has_just_removed():
    session = Asked({frozenset({1, 2}): {2}, frozenset({2}): {1, 2}})
    assert blanket(session, 0, [0, 1, 2], [1, 2]) == [2]
    assert session.asked == [[1, 2], [2]]


def test_hpc_undoes_the_last_change_for_good_when_a_blanket_comes_back():
    """{1, 2} gains 3, loses 1, loses 3, gains 1: as at the start, so 1 goes and stays out."""
    script = {
        frozenset({1, 2}): {1, 2, 3},
        frozenset({1, 2, 3}): {2, 3},
        frozenset({2, 3}): {2},
        frozenset({2}): {1, 2},
    }
    session = Asked(script)
    assert blanket(session, 0, [0, 1, 2, 3], [1, 2]) == [2]
    assert session.asked == [[1, 2], [1, 2, 3], [2, 3], [2], [2]]


@pytest.mark.parametrize(("mine", "theirs", "drawn"), [([2], [3], [3]), ([2], [3, 4], [2]), ([2, 3], [4], [4])])
def test_the_smaller_list_gives_the_sets_and_a_tie_takes_the_others(mine, theirs, drawn):
    pools = []

    def search(x, y, fixed, pool, *_, **__):
        pools.append(list(pool))
        return Separation(None, 1.0)

    session = SimpleNamespace(search=search)
    stats = cb.GaussianStats(50, np.eye(5))
    run = start(Problem(stats, None, cb.G2(), cb.Knowledge().numbered(stats.names)), None)
    assert neighbourhood(run, session, 0, [[1, *mine], [0, *theirs], [], [], []], own=False)[0] == 1
    assert pools[0] == drawn
