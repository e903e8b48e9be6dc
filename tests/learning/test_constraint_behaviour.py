"""Constraint-based algorithms around their rules: threads, order, time, knowledge, conflicts, any test."""

import signal
import sys
import threading
import time
from typing import ClassVar

import numpy as np
import pytest
from references import frame

import climatebn as cb
from climatebn.criterion import bound_test, compiled_bound_test
from climatebn.errors import ClimateBNError
from climatebn.kernels import orientation as kernel
from climatebn.learning.api import to_stats
from climatebn.learning.constraint.neighbours import symmetric
from climatebn.learning.constraint.orientation import Collider, directed
from climatebn.learning.constraint.run import start
from climatebn.learning.problem import Budget, Problem

ALGORITHMS = ["pc_stable", "grow_shrink", "inter_iamb", "mmpc", "hpc", "si_hiton_pc"]
each = pytest.mark.parametrize("algorithm", ALGORITHMS)


@pytest.fixture(scope="module")
def tropics():
    return to_stats(frame("ncep72"))


def learn(stats, algorithm, criterion=None, **options):
    return cb.learn(stats, algorithm, criterion or cb.BIC(0.5), progress=False, **options)


def chain(n=300, nodes=6, seed=0):
    """X1 → X2 → … → X6."""
    values = np.random.default_rng(seed).normal(size=(n, nodes))
    for i in range(1, nodes):
        values[:, i] += values[:, i - 1]
    return cb.GaussianStats.of(values)


@each
def test_threads_change_nothing(tropics, algorithm, monkeypatch):
    monkeypatch.setattr(compiled_bound_test, "CHUNK", 16)
    one, three = (learn(tropics, algorithm, threads=threads) for threads in (1, 3))
    assert (three.graph, three.calls, three.conflicts) == (one.graph, one.calls, one.conflicts)


@pytest.mark.parametrize("gamma", [0.2, 2.0])
def test_skeleton_of_pc_does_not_depend_on_column_order(tropics, gamma):
    skeletons = {
        frozenset(map(frozenset, learn(tropics, "pc_stable", cb.BIC(gamma), order=order).graph.skeleton))
        for order in (None, 1, 2, 3)
    }
    assert len(skeletons) == 1


@each
@pytest.mark.parametrize("criterion", [cb.G2(0.01), cb.FisherZ(0.01), cb.StudentT(0.01), cb.BGe(), cb.BIC()], ids=repr)
def test_every_criterion_finds_a_chain(algorithm, criterion):
    assert learn(chain(), algorithm, criterion).graph.skeleton == [(f"X{i}", f"X{i + 1}") for i in range(1, 6)]


@each
def test_a_test_written_by_the_user(algorithm):
    class Correlated:
        """The least that a test needs: evidence, and what the protocol asks for besides."""

        kinds: ClassVar = frozenset({"gaussian"})

        def evidence(self, stats, x, y, given):
            block = np.linalg.inv(stats.cov[np.ix_([x, y, *given], [x, y, *given])])
            return abs(block[0, 1]) / np.sqrt(block[0, 0] * block[1, 1]) - 0.2

        def dependent(self, stats, x, y, given):
            return self.evidence(stats, x, y, given) > 0

        def log_p(self, stats, x, y, given):
            return -np.inf if self.dependent(stats, x, y, given) else 0.0

    assert learn(chain(), algorithm, Correlated()).graph.skeleton == [(f"X{i}", f"X{i + 1}") for i in range(1, 6)]


@each
def test_more_nodes_than_the_data_can_condition_on(algorithm):
    """n = 8 observations of 12 nodes: sets stay testable, nothing is NaN, and a note tells."""
    values = np.random.default_rng(1).normal(size=(8, 12)) + np.random.default_rng(2).normal(size=(8, 1)) * 3
    result = learn(cb.GaussianStats.of(values), algorithm, cb.G2(0.3))
    assert result.calls > 0
    if any("conditioning sets" in note for note in result.notes):
        assert any("at most 4 nodes" in note for note in result.notes)


@each
@pytest.mark.parametrize("n", [3, 4, 5, 6])
@pytest.mark.parametrize("criterion", [cb.G2(0.9), cb.StudentT(0.9), cb.BIC(), cb.BGe()], ids=repr)
def test_hardly_any_observations(algorithm, n, criterion):
    values = np.random.default_rng(n).normal(size=(n, 7)) + np.random.default_rng(2).normal(size=(n, 1)) * 3
    result = learn(cb.GaussianStats.of(values), algorithm, criterion)
    assert result.calls >= 7
    if result.graph.skeleton and n < 5 and not isinstance(criterion, cb.BGe):  # no set can be conditioned on
        assert result.notes[0] == "conditioning sets were kept to at most 0 nodes"


def test_small_samples_leave_a_note():
    values = np.random.default_rng(1).normal(size=(8, 12)) + np.random.default_rng(2).normal(size=(8, 1)) * 3
    result = learn(cb.GaussianStats.of(values), "grow_shrink", cb.G2(0.3))
    assert result.notes[0] == "conditioning sets were kept to at most 4 nodes"


@each
def test_max_condset_limits_the_sets(tropics, algorithm):
    free, limited = learn(tropics, algorithm), learn(tropics, algorithm, max_condset=1)
    assert limited.calls != free.calls
    assert "conditioning sets were kept to at most 1 nodes" in limited.notes
    assert not free.notes


@each
def test_time_limit_ends_with_what_is_known(tropics, algorithm):
    result = learn(tropics, algorithm, max_seconds=0)
    assert result.notes
    assert all("cut short" in note or "out of time" in note for note in result.notes)


def test_time_limit_within_a_level(tropics, monkeypatch):
    """Pairs that were not examined stay adjacent and are counted in the note."""
    full = learn(tropics, "pc_stable", cb.BIC())
    monkeypatch.setattr(compiled_bound_test, "CHUNK", 64)
    asked = []

    def spent(self):
        asked.append(1)
        return len(asked) > 100

    monkeypatch.setattr(Budget, "spent", spent)
    cut = learn(tropics, "pc_stable", cb.BIC())
    assert cut.notes[0].startswith("level 1: out of time, ")
    assert set(cut.graph.skeleton) > set(full.graph.skeleton)


@pytest.mark.parametrize(
    ("algorithm", "question"), [("grow_shrink", "first_dependent"), ("hpc", "row"), ("pc_stable", "level")]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_ends_with_what_is_known(tropics, algorithm, question, threads, monkeypatch):
    answer, asked = getattr(compiled_bound_test.CompiledSession, question), []

    def interrupted(self, *arguments):
        asked.append(1)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return answer(self, *arguments)

    monkeypatch.setattr(compiled_bound_test.CompiledSession, question, interrupted)
    result = learn(tropics, algorithm, threads=threads)
    assert any("cut short" in note or "interrupted" in note for note in result.notes)
    assert result.stopped == "interrupted"


def test_an_interrupt_ends_a_search_that_would_not_end(monkeypatch):
    """The thread that searches learns of it at its next look at the clock."""
    monkeypatch.setattr(compiled_bound_test, "SLICE", 1)
    stats = to_stats(frame("ncep72"))
    run = start(Problem(stats, None, cb.G2(0.5), cb.Knowledge().numbered(stats.names)), None)

    def work(session, node):
        if node == 1:
            run.stopped = "interrupted"
        return session.search(node, 60, (), range(20, 40))

    assert any(answer is None for answer in run.each_node("searches", work))
    assert run.notes[0].startswith("searches: cut short, ")


def test_sigterm_ends_the_threads_that_search():
    """The main thread, which the signal raises in, would else wait for all nodes to be done."""
    stats = to_stats(frame("ncep72"))
    run = start(Problem(stats, None, cb.G2(0.5), cb.Knowledge().numbered(stats.names)), None)
    begun = []

    def work(session, node):
        begun.append(node)
        if node == 0:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)
        time.sleep(0.05)

    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    try:
        with pytest.raises(SystemExit):
            run.each_node("searches", work)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(begun) < run.size


def test_an_unfinished_node_takes_what_others_say_of_it():
    from climatebn.learning.constraint.neighbours import completed

    assert completed([[1, 2], None, [0]]) == [[1, 2], [0], [0]]


def test_symmetry_keeps_the_order_unless_it_has_to_change():
    assert symmetric([[2, 1], [0], [0]]) == [[2, 1], [0], [0]]
    assert symmetric([[1, 2, 3], [0], [0], []]) == [[2, 1], [0], [0], []]


@each
def test_required_arcs_are_there(algorithm):
    knowledge = cb.Knowledge(required=[("X1", "X5"), ("X3", "X2")])
    result = learn(chain(), algorithm, knowledge=knowledge, orient=True)
    assert {("X1", "X5"), ("X3", "X2")} <= set(result.graph.directed)
    assert {("X1", "X5"), ("X2", "X3")} <= set(
        learn(chain(), algorithm, knowledge=knowledge, orient=False).graph.skeleton
    )


@each
def test_forbidden_arcs_are_not_there(algorithm):
    """Both ways: no edge. One way: directed the other way."""
    knowledge = cb.Knowledge(forbidden=[("X1", "X2"), ("X2", "X1"), ("X3", "X4")])
    result = learn(chain(), algorithm, knowledge=knowledge, orient=True)
    assert ("X1", "X2") not in result.graph.skeleton
    assert ("X4", "X3") in result.graph.directed


@pytest.mark.parametrize("algorithm", ["pc_stable", "grow_shrink", "inter_iamb"])
def test_the_ends_of_a_chain_kept_apart_make_no_collider(algorithm):
    knowledge = cb.Knowledge(forbidden=[("X1", "X3"), ("X3", "X1")])
    free, bound = (learn(chain(), algorithm, knowledge=known) for known in (None, knowledge))
    assert bound.graph == free.graph
    assert not bound.graph.directed


def test_ends_of_a_collider_kept_apart_leave_it_one():
    values = np.random.default_rng(0).normal(size=(500, 3))
    values[:, 1] += values[:, 0] + values[:, 2]
    knowledge = cb.Knowledge(forbidden=[("X1", "X3"), ("X3", "X1")])
    result = learn(cb.GaussianStats.of(values), "pc_stable", knowledge=knowledge)
    assert result.graph.directed == [("X1", "X2"), ("X3", "X2")]
    short = learn(cb.GaussianStats.of(values), "pc_stable", knowledge=knowledge, max_seconds=0)
    assert not short.graph.directed
    assert ("X1", "X3") not in short.graph.skeleton


@each
@pytest.mark.parametrize("orient", [False, True])
def test_the_dag_is_as_known(algorithm, orient):
    """Also where the graph itself is left undirected."""
    knowledge = cb.Knowledge(required=[("X5", "X4")], forbidden=[("X1", "X2"), ("X2", "X4"), ("X4", "X2")])
    for order in (None, 3):
        result = learn(chain(), algorithm, knowledge=knowledge, orient=orient, order=order)
        assert result.valid
        assert ("X5", "X4") in result.dag.arcs
        assert ("X2", "X1") in result.dag.arcs
        assert ("X2", "X4") not in result.dag.skeleton


@each
@pytest.mark.parametrize("orient", [False, True])
def test_tiers(algorithm, orient):
    """No arc from a later tier to an earlier one: X4 … X6 before X1 … X3."""
    backwards = [(f"X{a}", f"X{b}") for a in (1, 2, 3) for b in (4, 5, 6)]
    result = learn(chain(), algorithm, knowledge=cb.Knowledge(forbidden=backwards), orient=orient)
    assert result.valid
    assert ("X4", "X3") in result.dag.arcs
    assert not set(backwards) & set(result.dag.arcs)


def test_a_skeleton_that_cannot_be_directed_as_known_is_not_valid():
    values = np.random.default_rng(0).normal(size=(300, 3)) + np.random.default_rng(1).normal(size=(300, 1))
    knowledge = cb.Knowledge(forbidden=[("X2", "X1"), ("X3", "X2"), ("X1", "X3")])
    result = learn(cb.GaussianStats.of(values), "mmpc", cb.G2(0.05), knowledge=knowledge)
    assert len(result.graph.undirected) == 3
    assert not result.valid
    assert result.reason


def test_knowledge_that_closes_a_cycle_is_a_conflict():
    """X1 – X2 – X3 – X1 with every edge forced round: the last one stays undirected."""
    values = np.random.default_rng(0).normal(size=(300, 3)) + np.random.default_rng(1).normal(size=(300, 1))
    knowledge = cb.Knowledge(forbidden=[("X2", "X1"), ("X3", "X2"), ("X1", "X3")])
    result = learn(cb.GaussianStats.of(values), "pc_stable", cb.G2(0.05), knowledge=knowledge)
    assert len(result.graph.directed) == 2
    assert [conflict.why for conflict in result.conflicts] == ["cycle"]


def test_what_constraint_based_algorithms_refuse():
    with pytest.raises(ClimateBNError, match="max_parents has no meaning"):
        learn(chain(), "pc_stable", knowledge=cb.Knowledge(max_parents=2))
    for wrong in (0, -1, 1.5):
        with pytest.raises(ClimateBNError, match="threads must be a whole number"):
            learn(chain(), "hpc", threads=wrong)
    for wrong in (-1, 1.5, "two"):
        with pytest.raises(ClimateBNError, match="max_condset must be a whole number"):
            learn(chain(), "mmpc", max_condset=wrong)


def test_dense_climate_fields_give_invalid_graphs_with_named_conflicts(tropics):
    result = learn(tropics, "pc_stable", cb.BIC(0.5))
    assert not result.valid
    assert result.dag is None
    assert result.reason.startswith("not valid")
    assert {len(conflict.nodes) for conflict in result.conflicts} == {2, 3}
    whys = {conflict.why for conflict in result.conflicts}
    assert whys <= {"cycle", "contradicting v-structures", "cycle or new v-structure", "new v-structure either way"}
    assert "contradicting v-structures" in whys
    for conflict in result.conflicts:
        if len(conflict.nodes) == 2:  # a frozen edge stays undirected
            assert tuple(sorted(conflict.nodes, key=result.graph.names.index)) in result.graph.undirected


def oriented(size, edges, colliders):
    """Direct a skeleton with colliders (y, x, z), strongest first."""
    stats = cb.GaussianStats(10, np.eye(size))
    run = start(Problem(stats, None, cb.G2(), cb.Knowledge().numbered(stats.names)), None)
    neighbours = [[b for a, b in (*edges, *((b, a) for a, b in edges)) if a == i] for i in range(size)]
    return directed(run, neighbours, [Collider(*triple, -place) for place, triple in enumerate(colliders)])


def test_the_stronger_of_two_contradicting_colliders_wins():
    outcome = oriented(4, [(0, 1), (1, 2), (2, 3)], [(0, 1, 2), (1, 2, 3)])
    assert set(outcome.directed) == {(0, 1), (2, 1)}
    assert list(map(tuple, outcome.conflicts)) == [((1, 2, 3), "contradicting v-structures")]


def test_colliders_that_close_a_cycle_are_skipped():
    """0 → 1 → 2 is there; 2 → 0 ← 3 would close the cycle."""
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5)]
    outcome = oriented(6, edges, [(0, 1, 4), (1, 2, 5), (2, 0, 3)])
    assert ((2, 0, 3), "cycle") in list(map(tuple, outcome.conflicts))
    assert (2, 0) not in outcome.directed


def test_meek_rules():
    """Away from a collider; along a directed path; into joined parents; past a chain."""
    assert set(oriented(4, [(0, 1), (2, 1), (1, 3)], [(0, 1, 2)]).directed) == {(0, 1), (2, 1), (1, 3)}
    assert (0, 3) in oriented(4, [(0, 1), (2, 1), (1, 3), (0, 3)], [(0, 1, 2)]).directed
    assert (0, 3) in oriented(4, [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)], [(1, 3, 2)]).directed
    state = np.zeros((4, 4), dtype=np.int8)
    for a, b in [(0, 1), (0, 2), (0, 3)]:
        state[a, b] = state[b, a] = kernel.OPEN
    reach = np.zeros((4, 1), dtype=np.uint64)
    for a, b in [(1, 2), (2, 3)]:
        kernel.direct(state, reach, a, b)
    starts, items = np.array([0, 3, 5, 8, 10]), np.array([1, 2, 3, 0, 2, 0, 1, 3, 0, 2])
    kernel.propagate(state, reach, starts, items)
    assert state[0, 3] == kernel.OUT
    assert state[0, 1] == kernel.OPEN


def test_plain_sessions_stop_when_time_is_over():
    session = bound_test.Session(cb.G2(), chain(), lambda: True)
    session.calls = 255
    with pytest.raises(bound_test.OutOfTime):
        session.evidence(0, 1, ())
