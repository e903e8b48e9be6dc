"""Hill climbing and tabu against brute force, knowledge, hard data, interrupts, and scores that users write."""

import signal
from dataclasses import dataclass
from itertools import permutations, product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.problem import Budget, Problem
from climatebn.learning.registry import find
from climatebn.progress import Progress

SEARCHES = ("hill_climbing", "tabu")
SCORES = [cb.BIC(), cb.BIC(0.5, variance="unbiased"), cb.AIC(), cb.BGe(), cb.BGe(prior="vsp")]
TAU = 1.49e-8

both = pytest.mark.parametrize("algorithm", SEARCHES)
every_score = pytest.mark.parametrize("score", SCORES, ids=repr)
seeds = st.integers(0, 10**6)
some = settings(max_examples=15, deadline=None)


def acyclic(arcs, nodes):
    adjacent = np.zeros((nodes, nodes), dtype=int)
    for x, y in arcs:
        adjacent[x, y] = 1
    return not np.linalg.matrix_power(adjacent + np.eye(nodes, dtype=int), nodes).trace() > nodes


def all_networks(nodes):
    """Every DAG as a set of arcs."""
    pairs = [(x, y) for x in range(nodes) for y in range(x)]
    choices = product(*[[(), ((x, y),), ((y, x),)] for x, y in pairs])
    networks = [frozenset(sum(arcs, ())) for arcs in choices]
    return [arcs for arcs in networks if acyclic(arcs, nodes)]


FOUR = all_networks(4)


def gaussian(seed, nodes=4, n=40):
    """A random covariance, dense, with scales of its own for each node."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, nodes)) @ (rng.normal(size=(nodes, nodes)) * rng.integers(0, 2, (nodes, nodes)))
    return cb.GaussianStats.of((values + rng.normal(size=(n, nodes))) * 10.0 ** rng.integers(-2, 3, nodes))


def learn(data, algorithm, score=None, **arguments):
    return cb.learn(data, algorithm, score or cb.BIC(), progress=False, **arguments)


def edges(dag):
    return frozenset(map(tuple, dag.numbered_arcs.tolist()))


def total(score, stats, arcs):
    return sum(score.local(stats, node, sorted(x for x, y in arcs if y == node)) for node in range(len(stats.names)))


def replayed(result, arcs=frozenset()):
    """The networks of a walk, from the trace alone."""
    place = {name: number for number, name in enumerate(result.graph.names)}
    networks = [frozenset(arcs)]
    for step in result.trace:
        x, y = place[step.source], place[step.target]
        assert ((x, y) in networks[-1]) == (step.move != "add")
        networks.append((networks[-1] ^ {(x, y)}) | ({(y, x)} if step.move == "reverse" else set()))
    return networks


def test_all_dags_of_four_nodes():
    assert len(FOUR) == len(set(FOUR)) == 543


@both
@every_score
@given(seed=seeds, n=st.integers(8, 200))
@some
def test_brute_force_over_all_dags_of_four_nodes(algorithm, score, seed, n):
    stats = gaussian(seed, n=n)
    scores = {arcs: total(score, stats, arcs) for arcs in FOUR}
    result = learn(stats, algorithm, score)
    found = edges(result.dag)
    claimed = scores[frozenset()] + max(np.cumsum([0.0, *(step.gain for step in result.trace)]))
    assert claimed == pytest.approx(scores[found], abs=1e-6)
    assert claimed <= max(scores.values()) + 1e-6
    assert claimed >= max(scores[arcs] for arcs in FOUR if is_move(arcs ^ found)) - 1e-6


def is_move(changed):
    """One arc more or less, or one turned round."""
    return len(changed) == 1 or (len(changed) == 2 and len({frozenset(arc) for arc in changed}) == 1)


@given(seed=seeds)
@some
def test_tabu_is_never_worse_than_hill_climbing(seed):
    stats = gaussian(seed, nodes=7)
    climbed, searched = (total(cb.BIC(), stats, edges(learn(stats, algorithm).dag)) for algorithm in SEARCHES)
    assert searched >= climbed - TAU


@both
@given(seed=seeds, arcs=st.sampled_from(FOUR))
@some
def test_a_start_network_is_where_the_walk_begins(algorithm, seed, arcs):
    stats = gaussian(seed)
    result = learn(stats, algorithm, start=sorted(arcs))
    walk = replayed(result, arcs)
    assert edges(result.dag) in walk
    assert total(cb.BIC(), stats, edges(result.dag)) >= total(cb.BIC(), stats, arcs) - TAU
    by_names = learn(stats, algorithm, start=cb.Dag.from_arcs(stats.names, sorted(arcs)))
    assert by_names.trace == result.trace
    again = learn(stats, "hill_climbing", start=result.dag)
    assert algorithm == "tabu" or (again.dag, again.trace) == (result.dag, ())


def test_a_start_network_keeps_its_names_under_another_column_order():
    stats = gaussian(3, nodes=6)
    start = [("X5", "X2"), ("X2", "X4")]
    result = learn(stats, "hill_climbing", start=start, order=[4, 2, 0, 5, 1, 3], max_iter=0)
    assert set(result.dag.arcs) == set(start)


@given(seed=seeds, restarts=st.integers(1, 6))
@some
def test_restarts_are_never_worse_and_follow_the_seed(seed, restarts):
    stats = gaussian(seed, nodes=8)
    once = learn(stats, "hill_climbing")
    more, same = (learn(stats, "hill_climbing", restarts=restarts, seed=seed) for _ in range(2))
    assert total(cb.BIC(), stats, edges(more.dag)) >= total(cb.BIC(), stats, edges(once.dag)) - TAU
    assert more.calls > once.calls
    assert (same.trace, same.dag) == (more.trace, more.dag)


@both
def test_max_iter_cuts_the_walk_and_says_so(algorithm):
    stats = gaussian(1, nodes=9, n=200)
    whole = learn(stats, algorithm)
    assert (whole.notes, whole.stopped) == ((), "")
    for most in (0, 1, 5):
        part = learn(stats, algorithm, max_iter=most)
        assert part.trace == whole.trace[:most]
        assert edges(part.dag) == replayed(part)[-1]
        assert part.notes == (f"stopped after max_iter = {most} steps",)
        assert part.stopped == "max_iter"


@st.composite
def knowledge(draw, nodes=6):
    """Required arcs along an order, at most two into a node, and forbidden arcs that are not among them."""
    order = draw(st.permutations(range(nodes)))
    arcs = [(x, y) for place, x in enumerate(order) for y in order[place + 1 : place + 3]]
    required = draw(st.lists(st.sampled_from(arcs), max_size=4, unique=True))
    forbidden = draw(st.lists(st.sampled_from(list(permutations(range(nodes), 2))), max_size=20, unique=True))
    most = draw(st.sampled_from([None, 2, 3]))
    return cb.Knowledge(required, [arc for arc in forbidden if arc not in required], most)


@both
@given(seed=seeds, known=knowledge(), score=st.sampled_from(SCORES))
@settings(max_examples=30, deadline=None)
def test_knowledge_holds_all_the_way(algorithm, seed, known, score):
    stats = gaussian(seed, nodes=6)
    result = learn(stats, algorithm, score, knowledge=known)
    for arcs in replayed(result, known.required):
        assert set(known.required) <= arcs
        assert not arcs & set(known.forbidden)
        assert max(sum(y == node for _, y in arcs) for node in range(6)) <= (known.max_parents or 5)
        assert acyclic(arcs, 6)


@both
@given(seed=seeds, allowed=st.lists(st.booleans(), min_size=36, max_size=36))
@some
def test_only_candidates_are_asked_for(algorithm, seed, allowed):
    stats = gaussian(seed, nodes=6)
    candidates = np.array(allowed).reshape(6, 6)
    result = learn(stats, algorithm, candidates=candidates)
    known = cb.Knowledge(forbidden=[(x, y) for x, y in permutations(range(6), 2) if not candidates[x, y]])
    assert all(candidates[x, y] for x, y in edges(result.dag))
    forbidden = learn(stats, algorithm, knowledge=known)
    assert (result.trace, result.calls) == (forbidden.trace, forbidden.calls)


@both
@given(seed=seeds, order=st.permutations(range(7)), score=st.sampled_from(SCORES))
@some
def test_column_order_matters_only_between_equivalent_moves(algorithm, seed, order, score):
    """With one direction of each pair forbidden no two moves are equally good."""
    stats = gaussian(seed, nodes=7)
    known = cb.Knowledge(forbidden=[(stats.names[x], stats.names[y]) for x in range(7) for y in range(x)])
    here = learn(stats, algorithm, score, knowledge=known)
    there = learn(stats.permuted(np.array(order)), algorithm, score, knowledge=known)
    assert set(there.dag.arcs) == set(here.dag.arcs)
    assert there.calls == here.calls


@every_score
@given(seed=seeds, others=st.sets(st.integers(1, 5)))
@some
def test_adding_and_deleting_an_arc_are_opposite(score, seed, others):
    """Only the arc 6 → 0 is free; the other parents of node 0 are required."""
    stats = gaussian(seed, nodes=7)
    free = np.zeros((7, 7), dtype=bool)
    free[6, 0] = True
    known = cb.Knowledge(required=[(x, 0) for x in sorted(others)])
    steps = [
        learn(stats, "tabu", score, knowledge=known, candidates=free, start=start, max_iter=1).trace[0]
        for start in ([], [(6, 0)])
    ]
    assert [step.move for step in steps] == ["add", "delete"]
    wanted = score.local(stats, 0, sorted([*others, 6])) - score.local(stats, 0, sorted(others))
    assert [steps[0].gain, -steps[1].gain] == pytest.approx([wanted, wanted], rel=1e-9, abs=1e-7)


def hard_data(noise, n, nodes, seed):
    """Half of the columns repeat the other half up to noise, one is nearly the mean of all."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, nodes // 2)).cumsum(axis=1)
    twins = values + noise * rng.normal(size=values.shape)
    twins[:, 0] = values.mean(axis=1) + noise * rng.normal(size=n)
    return cb.GaussianStats.of(np.column_stack([values, twins]))


@both
@pytest.mark.parametrize("noise", [1e-3, 1e-5, 1e-7, 1e-9, 0.0])
@pytest.mark.parametrize(("n", "nodes"), [(200, 16), (10, 40)])
@pytest.mark.parametrize("score", [cb.BIC(), cb.BIC(variance="unbiased"), cb.BIC(50), cb.BGe()], ids=repr)
def test_nearly_collinear_data_and_few_observations_end_with_finite_scores(algorithm, noise, n, nodes, score):
    """`learn` names exact repetition in an error; the search itself stands it."""
    stats = hard_data(noise, n, nodes, seed=int(n + nodes))
    outcome = find(algorithm)[1](Problem(stats, score, None, cb.Knowledge()))
    assert acyclic(outcome.directed, nodes)
    assert all(np.isfinite(step.gain) for step in outcome.trace)
    reached, empty = (total(score, stats, arcs) for arcs in (outcome.directed, ()))
    assert np.isfinite(reached)
    assert reached >= empty
    if isinstance(score, cb.BIC):
        parents = np.bincount([y for _, y in outcome.directed], minlength=nodes)
        assert parents.max() <= n - 3


def test_few_observations_limit_the_parents_and_it_is_said():
    result = learn(gaussian(1, nodes=40, n=10), "hill_climbing")
    assert max(map(len, result.dag.numbered_parents)) == 7
    assert result.notes[0].startswith("10 observations allow 7 parents; reached by X")


@both
@every_score
def test_same_bits_on_a_second_run_and_with_two_threads(algorithm, score):
    first, second, threaded = (learn(frame("gauss60"), algorithm, score, threads=threads) for threads in (1, 1, 2))
    assert len(first.trace) > 60
    for other in (second, threaded):
        assert (other.trace, other.dag, other.calls) == (first.trace, first.dag, first.calls)


@dataclass(frozen=True)
class ByHand:
    """A score as a user would write it: BIC by numpy, with nothing but what the protocol asks for."""

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    equivalent: ClassVar[bool] = True

    def local(self, stats, node, parents):
        inside = [*parents, node]
        left = np.linalg.det(stats.cov[np.ix_(inside, inside)]) / np.linalg.det(stats.cov[np.ix_(parents, parents)])
        likelihood = -stats.n / 2 * (np.log(2 * np.pi * left * (stats.n - 1) / stats.n) + 1)
        return likelihood - (len(parents) + 2) * np.log(stats.n) / 2


@dataclass(frozen=True)
class Interrupting(ByHand):
    """Ctrl-C is pressed while the score is asked for the ``last`` time."""

    last: int
    asked: ClassVar[list[int]] = []

    def local(self, stats, node, parents):
        self.asked.append(node)
        if len(self.asked) == self.last:
            signal.raise_signal(signal.SIGINT)
        return super().local(stats, node, parents)


@both
def test_a_score_in_python_finds_what_the_compiled_one_finds(algorithm):
    for data in (frame("gauss8"), frame("gauss25")):
        plain, fast = learn(data, algorithm, ByHand()), learn(data, algorithm, cb.BIC())
        assert plain.dag == fast.dag
        assert plain.calls == fast.calls
        assert [step[:3] for step in plain.trace] == [step[:3] for step in fast.trace]
        assert [step.gain for step in plain.trace] == pytest.approx([step.gain for step in fast.trace], abs=1e-6)


@dataclass(frozen=True)
class Broken(ByHand):
    def local(self, stats, node, parents):
        return float("nan")


def test_a_score_that_gives_no_number_is_named():
    with pytest.raises(ClimateBNError, match=r"Broken\(\) gives no number for V8"):
        learn(frame("gauss8"), "hill_climbing", Broken())


def assert_best_so_far(result, whole, score, stats):
    """A walk that was cut short is the beginning of the whole one, and the best of it is returned."""
    assert 0 < len(result.trace) < len(whole.trace)
    assert [step[:3] for step in result.trace] == [step[:3] for step in whole.trace[: len(result.trace)]]
    best = max(total(score, stats, arcs) for arcs in replayed(result))
    assert total(score, stats, edges(result.dag)) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    ("algorithm", "last"), [("hill_climbing", 3), ("tabu", 3), ("hill_climbing", 200), ("tabu", 200), ("tabu", 800)]
)
def test_ctrl_c_in_a_score_gives_the_best_network_so_far(algorithm, last):
    Interrupting.asked.clear()
    stats = gaussian(5, nodes=12, n=100)
    result = learn(stats, algorithm, Interrupting(last))
    assert result.notes == ("interrupted: this is the best network so far",)
    assert result.stopped == "interrupted"
    if last == 3:  # in the first sweep
        assert (result.trace, edges(result.dag)) == ((), frozenset())
    else:
        assert_best_so_far(result, learn(stats, algorithm, ByHand()), ByHand(), stats)
    if last == 800:  # among losing steps
        assert edges(result.dag) != replayed(result)[-1]


@both
def test_ctrl_c_between_slices_gives_the_best_network_so_far(algorithm, monkeypatch):
    stats, score = cb.GaussianStats.of(frame("ncep72").to_numpy()), cb.BIC(0.5)
    whole = learn(stats, algorithm, score)
    monkeypatch.setattr(Progress, "update", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    result = learn(stats, algorithm, score)
    assert result.notes == ("interrupted: this is the best network so far",)
    assert result.stopped == "interrupted"
    assert_best_so_far(result, whole, score, stats)


@both
@pytest.mark.parametrize("looks", [1, 2, 3])
def test_time_over_gives_the_best_network_so_far(algorithm, looks, monkeypatch):
    """Time is over at the given look at the clock; the first is after the first sweep."""
    stats, score, left = cb.GaussianStats.of(frame("ncep72").to_numpy()), cb.BIC(0.5), iter(range(looks - 1))
    whole = learn(stats, algorithm, score)
    monkeypatch.setattr(Budget, "spent", lambda _: next(left, None) is None)
    result = learn(stats, algorithm, score, max_seconds=9.0)
    assert result.notes == ("stopped after max_seconds = 9.0: this is the best network so far",)
    assert result.stopped == "time"
    if looks == 1:
        assert result.trace == ()
    elif len(result.trace) < len(whole.trace):
        assert_best_so_far(result, whole, score, stats)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"restarts": -1}, "restarts must be a whole number, 0 or more; got -1"),
        ({"restarts": 2, "workers": 0}, "workers must be a whole number, 1 or more; got 0"),
        ({"restarts": 1.5}, r"restarts must be a whole number, 0 or more; got 1\.5"),
        ({"max_iter": -2}, "max_iter must be a whole number, 0 or more; got -2"),
        ({"candidates": np.ones((3, 3))}, r"candidates must be a 4 × 4 table; its shape is \(3, 3\)"),
        ({"start": [("X1", "X2"), ("X2", "X1")]}, "arcs form a cycle among: X1, X2"),
        ({"start": [("X1", "X9")]}, "unknown node 'X9'"),
        (
            {"start": [("X1", "X2")], "knowledge": cb.Knowledge(forbidden=[("X1", "X2")])},
            "start holds the arc X1 → X2, which is not allowed",
        ),
        (
            {"start": [("X1", "X3"), ("X2", "X3")], "knowledge": cb.Knowledge(max_parents=1)},
            "start gives X3 2 parents; at most 1 are allowed",
        ),
    ],
)
def test_what_cannot_be_done_is_said(arguments, words):
    with pytest.raises(ClimateBNError, match=words):
        learn(gaussian(1), "hill_climbing", **arguments)


@pytest.mark.parametrize(("option", "rule"), [("list_size", "0 or more"), ("max_losses", "0 … 100000")])
def test_options_of_tabu_are_whole_numbers(option, rule):
    with pytest.raises(ClimateBNError, match=f"{option} must be a whole number, {rule}; got -1"):
        learn(gaussian(1), "tabu", **{option: -1})


@both
def test_a_single_node_has_nothing_to_ask(algorithm):
    result = learn(cb.GaussianStats(10, [[2.0]]), algorithm)
    assert (result.dag.arcs, result.calls, result.trace, result.notes) == ([], 0, (), ())


def test_two_nodes_are_asked_for_once_before_and_once_after_their_arc():
    result = learn(cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]), "hill_climbing")
    assert result.dag.arcs == [("X1", "X2")]
    assert result.calls == 2
    assert result.trace[0].gain == pytest.approx(12.081519, abs=1e-6)
