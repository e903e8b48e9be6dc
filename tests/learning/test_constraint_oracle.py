"""With a test that never errs, constraint-based algorithms find the true CPDAG or its skeleton."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.errors import ClimateBNError

ORIENTING = ["pc_stable", "grow_shrink", "inter_iamb"]
NEIGHBOURS = ["mmpc", "hpc", "si_hiton_pc"]


@st.composite
def sparse_dags(draw, largest=30):
    """Random DAGs of about one arc a node, at most three parents each, columns in no special order."""
    size = draw(st.integers(2, largest))
    order = draw(st.permutations(range(size)))
    parents = [draw(st.sets(st.integers(0, i - 1), max_size=draw(st.integers(0, 3)))) for i in range(1, size)]
    arcs = [(order[p], order[i]) for i, some in enumerate(parents, start=1) for p in some]
    return cb.Dag.from_arcs([f"X{i + 1}" for i in range(size)], arcs)


def learn(dag, algorithm, **options):
    stats = cb.GaussianStats(100, np.eye(len(dag)), dag.names)
    return cb.learn(stats, algorithm, cb.DSeparation(dag), progress=False, **options)


@pytest.mark.parametrize("algorithm", ORIENTING)
@given(dag=sparse_dags())
@settings(max_examples=15, deadline=None)
def test_orienting_algorithms_find_the_cpdag(algorithm, dag):
    result = learn(dag, algorithm)
    assert result.graph == cb.cpdag(dag)
    assert result.valid
    assert not result.conflicts


@pytest.mark.parametrize("algorithm", ORIENTING)
@pytest.mark.parametrize("rule", ["strongest", "majority", "conservative", "maxp"])
@given(dag=sparse_dags(12))
@settings(max_examples=6, deadline=None)
def test_every_rule_for_colliders_finds_the_cpdag(rule, algorithm, dag):
    result = learn(dag, algorithm, orient=rule)
    assert result.graph == cb.cpdag(dag)
    assert not result.conflicts


def test_an_unknown_rule_for_colliders_is_refused():
    with pytest.raises(ClimateBNError, match="unknown orient 'strong'; did you mean 'strongest'"):
        learn(cb.Dag.from_arcs(["a", "b"], []), "pc_stable", orient="strong")


@pytest.mark.parametrize("algorithm", ORIENTING)
@given(dag=sparse_dags(), data=st.data())
@settings(max_examples=15, deadline=None)
def test_keeping_separate_nodes_apart_changes_nothing(algorithm, dag, data):
    """Pairs that are not adjacent in truth, forbidden both ways and hence never tested."""
    apart = [p for p in combinations(dag.names, 2) if p not in dag.skeleton]
    pairs = data.draw(st.lists(st.sampled_from(apart), unique=True)) if apart else []
    forbidden = [arc for a, b in pairs for arc in ((a, b), (b, a))]
    result = learn(dag, algorithm, knowledge=cb.Knowledge(forbidden=forbidden))
    assert result.graph == cb.cpdag(dag)
    assert not result.conflicts


@pytest.mark.parametrize("algorithm", NEIGHBOURS)
@given(dag=sparse_dags())
@settings(max_examples=15, deadline=None)
def test_neighbour_finders_find_the_skeleton(algorithm, dag):
    result = learn(dag, algorithm)
    assert result.graph.skeleton == dag.skeleton
    assert not result.graph.directed
    assert learn(dag, algorithm, orient=True).graph == cb.cpdag(dag)


@pytest.mark.parametrize("algorithm", ORIENTING)
def test_without_orientation_the_skeleton(algorithm):
    dag = cb.Dag.from_arcs("abcd", [("a", "b"), ("c", "b"), ("b", "d")])
    graph = learn(dag, algorithm, orient=False).graph
    assert graph.undirected == dag.skeleton
    assert not graph.directed


def test_pc_looks_at_pairs_of_which_one_neighbour_is_shared():
    """a separates x and y only together with b, which is a neighbour of y alone."""
    dag = cb.Dag.from_arcs("xaby", [("x", "a"), ("b", "a"), ("a", "y"), ("b", "y")])
    assert learn(dag, "pc_stable").graph == cb.cpdag(dag)
