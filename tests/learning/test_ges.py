"""GES: its steps against all DAGs of each class, its gains against whole scores, its answers against the truth."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from references import frame, numbers

import climatebn as cb
from climatebn.bench.search_data import field_tasks
from climatebn.errors import ClimateBNError
from climatebn.kernels.bitset import packed
from climatebn.kernels.equivalence.legality import legal
from climatebn.kernels.equivalence.operators import DELETE, INSERT, KINDS, TURN, steps
from climatebn.kernels.gaussian.additions import additions
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_score
from climatebn.learning.api import to_stats
from climatebn.learning.problem import Problem
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.equivalence_class import EquivalenceClass
from climatebn.learning.score.operator_queue import OperatorQueue
from climatebn.learning.score.question_count import QuestionCount


@dataclass(frozen=True)
class Plain:
    """A score as a user may write it: nothing but ``local``."""

    of: object
    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian", "discrete"})
    equivalent: ClassVar[bool] = True

    def local(self, stats, node, parents):
        return self.of.local(stats, node, parents)


@dataclass(frozen=True)
class Unequal(Plain):
    equivalent: ClassVar[bool] = False


def total(score, stats, dag):
    return sum(score.local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))


def test_additions_equal_differences_of_local_scores_of_any_form():
    rng = np.random.default_rng(2)
    matrix = cb.GaussianStats.of(sampled(rng, 9, 30)).cov
    form = GaussianForm(matrix, *rng.normal(size=(3, 6)))
    sets = [(), (3,), (3, 5), (3, 5, 1), (3, 7), (2,), (2, 0, 8, 1, 6)]  # the last one is as large as the form tells
    starts, items = np.cumsum([0, *map(len, sets)]), np.array([i for s in sets for i in s])
    which, source = np.array([0, 0, 2, 3, 4, 4, 6]), np.array([1, 2, 8, 0, 0, 5, 7])
    gains = additions(form, np.full(len(sets), 4), starts, items, which, source)
    for s, x, gain in zip(which[:-1], source, gains, strict=False):
        assert gain == pytest.approx(local_score(form, 4, [*sets[s], x]) - local_score(form, 4, sets[s]), abs=1e-9)
    assert np.isnan(gains[-1])


def test_a_collinear_node_counts_as_in_hill_climbing():
    values = np.random.default_rng(2).normal(size=(50, 3))
    matrix = cb.GaussianStats.of(np.column_stack([values, values.sum(axis=1)])).cov
    form = GaussianForm(matrix, *np.ones((3, 4)))
    one, zero, last = np.array([0]), np.array([0]), np.array([3])
    nothing_left = additions(form, one, np.array([0, 2]), np.array([1, 2]), zero, last)  # a variance has a floor
    assert nothing_left[0] == pytest.approx(local_score(form, 0, [1, 2, 3]) - local_score(form, 0, [1, 2]))
    assert np.isnan(additions(form, last, np.array([0, 3]), np.array([0, 1, 2]), zero, one))
    assert np.isfinite(additions(form, one, np.array([0, 1]), np.array([1]), zero, last))


def test_ledger_counts_each_question_once():
    rng = np.random.default_rng(4)
    questions, seen = QuestionCount(70), set()
    for _ in range(400):
        target = rng.integers(70, size=8)
        sets = [rng.choice(70, rng.integers(4), replace=False) for _ in target]
        starts, items = np.cumsum([0, *map(len, sets)]), np.concatenate(sets).astype(int)
        which, source = np.sort(rng.integers(8, size=20)), rng.integers(70, size=20)
        asked = {(target[s], frozenset(sets[s].tolist()), x) for s, x in zip(which, source, strict=True)}
        assert questions.note(target, starts, items, which, source) == len(asked - seen)
        seen |= asked
    assert questions._sets > 1024


def random_dag(rng, nodes, density):
    order = rng.permutation(nodes)
    arcs = [(order[i], order[j]) for i in range(nodes) for j in range(i + 1, nodes) if rng.random() < density]
    return cb.Dag.from_arcs([f"X{i + 1}" for i in range(nodes)], arcs)


def covariance(rng, dag):
    """Population covariance of a linear Gaussian network, coefficients ±0.5 … ±1.5."""
    weights = np.zeros((len(dag), len(dag)))
    for parent, child in dag.numbered_arcs:
        weights[parent, child] = rng.choice([-1, 1]) * rng.uniform(0.5, 1.5)
    inverse = np.linalg.inv(np.eye(len(dag)) - weights)
    cov = inverse.T @ np.diag(rng.uniform(0.5, 1.5, len(dag))) @ inverse
    scale = 1 / np.sqrt(np.diag(cov))
    return cov * scale * scale[:, None]


def sampled(rng, nodes, n):
    return rng.multivariate_normal(np.zeros(nodes), covariance(rng, random_dag(rng, nodes, 0.5)), size=n)


def class_of(dag):
    return EquivalenceClass(len(dag), dag.numbered_arcs)


def edges(dag):
    pdag = cb.cpdag(dag)
    return tuple(map(tuple, pdag.numbered_arcs.tolist())), tuple(map(tuple, pdag.numbered_undirected.tolist()))


def all_classes(nodes):
    """Every class of equivalent DAGs, as {its CPDAG: its DAGs}."""
    pairs = list(itertools.combinations(range(nodes), 2))
    classes = {}
    for choice in itertools.product((None, 1, -1), repeat=len(pairs)):
        arcs = [pair[::way] for pair, way in zip(pairs, choice, strict=True) if way]
        try:
            dag = cb.Dag.from_arcs("abcde"[:nodes], arcs)
        except ClimateBNError:
            continue
        classes.setdefault(edges(dag), []).append(dag)
    return classes


def changed(dag, kind):
    """Every DAG that differs from ``dag`` by one arc added, deleted or turned."""
    arcs = set(map(tuple, dag.numbered_arcs.tolist()))
    for a, b in itertools.permutations(range(len(dag)), 2):
        here, back = (a, b) in arcs, (b, a) in arcs
        if (kind == INSERT and not here and not back) or (kind == DELETE and here) or (kind == TURN and back):
            try:
                yield cb.Dag.from_arcs(dag.names, arcs - {(b, a)} | {(a, b)} if kind != DELETE else arcs - {(a, b)})
            except ClimateBNError:
                continue


def reached(dag, kind):
    """Every (step, class after it) from the class of ``dag``."""
    everyone = packed(~np.eye(len(dag), dtype=bool))
    for target in range(len(dag)):
        graph = class_of(dag)
        starts, items, which, source = steps(kind, target, everyone[target], *graph.graph, len(dag))
        for c, x in zip(which, source, strict=True):
            clique = items[starts[c] : starts[c + 1]]
            graph = class_of(dag)
            if legal(kind, x, target, clique, *graph.graph[1:])[0]:
                graph.apply(kind, x, target, clique)
                yield (x, target, clique), graph


def any_legal_step(rng, graph, kind):
    """A random step, whatever it gains."""
    everyone = packed(~np.eye(len(graph.dag), dtype=bool))
    for target in rng.permutation(len(graph.dag)):
        starts, items, which, source = steps(kind, target, everyone[target], *graph.graph, len(graph.dag))
        for i in rng.permutation(len(which)):
            clique = items[starts[which[i]] : starts[which[i] + 1]]
            if legal(kind, source[i], target, clique, *graph.graph[1:])[0]:
                return source[i], target, clique
    return None


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_steps_lead_to_exactly_the_classes_one_arc_away(kind):
    for own, dags in all_classes(4).items():
        wanted = {edges(other) for dag in dags for other in changed(dag, kind)} - {own}
        assert {tuple(map(tuple, graph.edges())) for _, graph in reached(dags[0], kind)} == wanted


@pytest.mark.parametrize("phase", KINDS)
@pytest.mark.parametrize("score", [cb.BIC(), cb.BGe(), Plain(cb.BIC())], ids=repr)
def test_gain_of_every_step_is_the_difference_of_whole_scores(phase, score):
    rng = np.random.default_rng(5)
    stats = cb.GaussianStats.of(sampled(rng, 6, 50))
    problem = Problem(stats, score, None, cb.Knowledge())
    for _ in range(20):
        dag = random_dag(rng, 6, rng.uniform(0.2, 0.9))
        graph = class_of(dag)
        queue = OperatorQueue(KINDS[phase], graph, Differences(problem), packed(~np.eye(6, dtype=bool)))
        while (best := queue.best()) is not None:
            before = total(score, stats, dag)
            graph.apply(queue.kind, best.source, best.target, best.clique)
            queue.update()
            dag = cb.graph.extension(cb.Pdag.from_edges(dag.names, *graph.edges()))
            assert total(score, stats, dag) - before == pytest.approx(best.gain, abs=1e-7)


@pytest.mark.parametrize("own", [True, False], ids=["own steps", "steps of all kinds"])
@pytest.mark.parametrize("phase", KINDS)
def test_queue_kept_through_any_steps_equals_a_new_one(phase, own):
    rng = np.random.default_rng(6)
    problem = Problem(cb.GaussianStats.of(sampled(rng, 20, 40)), cb.BIC(), None, cb.Knowledge())
    allowed = packed(~np.eye(20, dtype=bool))
    for _ in range(30):
        graph = class_of(random_dag(rng, 20, 0.1))
        queue = OperatorQueue(KINDS[phase], graph, Differences(problem), allowed)
        for _ in range(15):
            queue.best()
            kind = queue.kind if own else int(rng.integers(len(KINDS)))
            step = any_legal_step(rng, graph, kind)
            if step is not None:
                graph.apply(kind, *step)
                queue.update()
        fresh = OperatorQueue(KINDS[phase], graph, Differences(problem), allowed)
        for kept, new in zip(queue._steps, fresh._steps, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(kept, new, strict=True))
        assert str(queue.best()) == str(fresh.best())


def alone_or_coming(queue):
    """How many legal steps are offered on their own, and how many come after an offered one; none is missing."""
    found = {True: 0, False: 0}
    offered = {entry[:3]: entry.woken for _, _, entry in queue._heap}
    for target, own in enumerate(queue._steps):
        coming = False
        for rank, (c, source) in enumerate(zip(own.which, own.source, strict=True)):
            alone = offered.get((target, queue._stamp[target], rank))
            coming |= alone is False
            clique = own.items[own.starts[c] : own.starts[c + 1]]
            if legal(queue.kind, source, target, clique, *queue.graph.graph[1:])[0]:
                assert alone or coming
                found[not coming] += 1
    return found


def test_a_waiting_step_is_offered_when_its_path_is_broken():
    rng = np.random.default_rng(6)
    problem = Problem(cb.GaussianStats.of(sampled(rng, 20, 40)), cb.BIC(), None, cb.Knowledge())
    woken = 0
    for _ in range(40):
        graph = class_of(random_dag(rng, 20, 0.1))
        queue = OperatorQueue(TURN, graph, Differences(problem), packed(~np.eye(20, dtype=bool)))
        for _ in range(15):
            queue.best()
            graph.apply(TURN, *any_legal_step(rng, graph, TURN))
            queue.update()
            woken += alone_or_coming(queue)[True]
    assert woken > 0


@given(seed=st.integers(0, 10**6), alternating=st.booleans())
@example(seed=3782, alternating=False)
@settings(deadline=None, max_examples=60)
def test_large_sample_limit_recovers_the_true_class(seed, alternating):
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, 12, 0.15)
    # at 10**9 the weakest arc of seed 3782 still costs more than it explains
    stats = cb.GaussianStats(10**12, covariance(rng, dag), dag.names)
    assert cb.learn(stats, "ges", deletions_first=alternating, progress=False).graph == cb.cpdag(dag)


@given(seed=st.integers(0, 10**6), nodes=st.integers(2, 8), most=st.integers(0, 3))
@settings(deadline=None, max_examples=40)
def test_result_is_a_class_and_the_limit_holds_in_it(seed, nodes, most):
    rng = np.random.default_rng(seed)
    stats = cb.GaussianStats.of(sampled(rng, nodes, 100))
    result = cb.learn(stats, "ges", cb.AIC(), knowledge=cb.Knowledge(max_parents=most), progress=False)
    assert result.valid
    assert cb.cpdag(result.dag) == result.graph
    assert max(map(len, result.dag.numbered_parents)) <= most
    gains = sum(step.gain for step in result.trace)
    empty = cb.Dag.from_arcs(stats.names)
    assert total(cb.AIC(), stats, result.dag) - total(cb.AIC(), stats, empty) == pytest.approx(gains, abs=1e-6)


def test_compiled_and_plain_scores_find_the_same():
    data = frame("gauss25")
    compiled = cb.learn(data, "ges", cb.BIC(), progress=False)
    plain = cb.learn(data, "ges", Plain(cb.BIC()), progress=False)
    assert compiled.graph == plain.graph
    assert compiled.phase_calls == plain.phase_calls


def test_start_is_never_lost():
    stats = to_stats(frame("gauss25"))
    annealed = cb.learn(stats, "annealing", seed=2, sweeps=20, progress=False).dag
    polished = cb.learn(stats, "ges", start=annealed, progress=False)
    assert total(cb.BIC(), stats, polished.dag) > total(cb.BIC(), stats, annealed)
    again = cb.learn(stats, "ges", start=polished.dag, progress=False)
    assert again.graph == polished.graph
    assert again.trace == ()


def test_few_observations_limit_the_parents_and_it_is_said():
    stats = cb.GaussianStats.of(np.random.default_rng(3).normal(size=(5, 6)))
    result = cb.learn(stats, "ges", cb.LogLik(), progress=False)
    assert max(map(len, result.dag.numbered_parents)) == 2
    assert "5 observations allow 2 parents" in result.notes[0]


def test_large_cliques_end_and_are_said():
    stats = cb.GaussianStats.of(np.random.default_rng(3).normal(size=(100, 18)))
    result = cb.learn(stats, "ges", cb.LogLik(), progress=False, phases=["forward"])
    assert len(result.graph.numbered_skeleton) > 100
    assert result.valid
    assert "not all steps were looked at" in result.notes[0]


def test_first_sweep_asks_each_pair_once():
    stats = cb.GaussianStats(100, np.eye(7))
    assert cb.learn(stats, "ges", progress=False).calls == 7 * 6 / 2


def test_discrete_data_as_good_as_hill_climbing():
    data = frame("child_600")
    stats = to_stats(data)
    result = cb.learn(data, "ges", cb.BDeu(), progress=False)
    climbed = next(run for run in numbers("child_600")["runs"] if run["algorithm"] == "hc_bde")
    assert result.valid
    assert cb.cpdag(result.dag) == result.graph
    assert total(cb.BDeu(), stats, result.dag) >= total(
        cb.BDeu(), stats, cb.Dag.from_arcs(stats.names, climbed["directed"])
    )


def test_forbidden_pairs_and_candidates_stay_apart():
    data = frame("gauss8")
    names = list(data.columns)
    free = cb.learn(data, "ges", progress=False)
    first, second = free.graph.skeleton[0]
    both = cb.Knowledge(forbidden=[(first, second), (second, first)])
    assert (first, second) not in cb.learn(data, "ges", knowledge=both, progress=False).graph.skeleton
    candidates = ~np.eye(8, dtype=bool)
    candidates[names.index(first)] = candidates[:, names.index(first)] = False
    held = cb.learn(data, "ges", candidates=candidates, progress=False)
    assert not any(first in pair for pair in held.graph.skeleton)
    assert held.graph.skeleton


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"criterion": Unequal(cb.BIC())}, "same for equivalent DAGs"),
        ({"phases": ["forwards"]}, "did you mean 'forward'"),
        ({"knowledge": cb.Knowledge(required=[("A", "B")])}, "cannot keep required arcs"),
        ({"knowledge": cb.Knowledge(forbidden=[("A", "B")])}, "A → B is forbidden, B → A is not"),
        ({"candidates": np.ones((2, 2))}, "8 × 8 table"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, words):
    data = frame("gauss8")
    data = data.rename(columns=dict(zip(data.columns, "ABCDEFGH", strict=True)))
    with pytest.raises(ClimateBNError, match=words):
        cb.learn(data, "ges", progress=False, **arguments)


def test_no_time_and_interrupts_give_the_class_so_far(monkeypatch):
    data = frame("gauss25")
    result = cb.learn(data, "ges", max_seconds=0, progress=False)
    assert "max_seconds" in result.notes[0]
    assert result.graph.skeleton == []
    whole = cb.learn(data, "ges", progress=False)
    apply = EquivalenceClass.apply
    count = itertools.count()

    def interrupted(self, *step):
        if next(count) == 10:
            raise KeyboardInterrupt
        return apply(self, *step)

    monkeypatch.setattr(EquivalenceClass, "apply", interrupted)
    broken = cb.learn(data, "ges", progress=False)
    assert "interrupted in the forward phase" in broken.notes[0]
    assert broken.stopped == "interrupted"
    assert broken.trace == whole.trace[:10]
    assert broken.valid
    assert cb.cpdag(broken.dag) == broken.graph
    assert 0 < broken.calls < whole.calls


def test_deletions_come_before_turns_before_insertions():
    stats = next(field_tasks("ncep72")).stats
    result = cb.learn(stats, "ges", deletions_first=True, progress=False)
    assert len(cb.learn(stats, "ges", start=result.dag, progress=False).trace) == 0  # no step of any kind is left
    moves = [step.move for step in result.trace]
    assert {"delete", "reverse"} <= set(moves[: len(moves) - moves[::-1].index("add")])
    assert result.phase_calls.keys() == {"forward", "backward", "turning"}
    assert result.score == pytest.approx(10139.293, abs=1e-3)  # what XGES 0.1.6 ends at without its extended search
    stopped = cb.learn(stats, "ges", deletions_first=True, max_seconds=0, progress=False)
    assert stopped.notes[0] == "stopped after max_seconds: the class reached by then"
