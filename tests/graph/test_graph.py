"""Graph operations against bnlearn's numbers, brute force over small DAGs, and networkx."""

from itertools import combinations, product

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import numbers

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag, Pdag, adjacent_arc_pairs, colliders, cpdag, d_separated, extension, shd


@st.composite
def dags(draw, most=9):
    """A random DAG whose column order is not its topological order."""
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(size)))
    pairs = [(a, b) for a, b in combinations(order, 2) if draw(st.booleans())]
    return Dag.from_arcs([f"V{i}" for i in range(size)], pairs)


def all_dags(size):
    """Every DAG over ``size`` nodes."""
    names = [f"V{i}" for i in range(size)]
    pairs = list(combinations(range(size), 2))
    for choice in product((None, 0, 1), repeat=len(pairs)):
        arcs = [(a, b) if way == 0 else (b, a) for (a, b), way in zip(pairs, choice, strict=True) if way is not None]
        try:
            yield Dag.from_arcs(names, arcs)
        except ClimateBNError:
            continue


FOUR = list(all_dags(4))


def signature(graph):
    """What Markov equivalence preserves: skeleton and unshielded colliders (Verma & Pearl)."""
    return frozenset(graph.skeleton), frozenset(colliders(graph)[0])


@pytest.mark.parametrize("case", numbers("graphs"), ids=lambda case: f"{len(case['nodes'])} nodes")
def test_reference_graphs(case):
    dag, other = Dag.from_arcs(case["nodes"], case["dag"]), Dag.from_arcs(case["nodes"], case["other"])
    found = cpdag(dag)
    assert set(found.directed) == set(map(tuple, case["cpdag_directed"]))
    assert {frozenset(e) for e in found.undirected} == {frozenset(e) for e in case["cpdag_undirected"]}
    assert shd(other, dag) == shd(dag, other) == case["shd"]
    assert len(colliders(dag)[0]) == case["n_unshielded"]


def test_cpdag_is_the_union_of_its_class():
    assert len(FOUR) == 543
    classes = {}
    for dag in FOUR:
        classes.setdefault(signature(dag), []).append(dag)
    for members in classes.values():
        shared = set.intersection(*(set(dag.arcs) for dag in members))
        for dag in members:
            assert set(cpdag(dag).directed) == shared
    assert len(classes) == 185


def test_extension_exists_exactly_when_a_member_does():
    members = {}
    for dag in FOUR:
        members.setdefault(signature(dag), []).append(set(dag.arcs))
    names, pairs = FOUR[0].names, list(combinations(range(4), 2))
    for choice in product((None, 0, 1, 2), repeat=len(pairs)):
        edges = [(pair, way) for pair, way in zip(pairs, choice, strict=True) if way is not None]
        pdag = Pdag.from_edges(
            names,
            [pair if way == 0 else pair[::-1] for pair, way in edges if way < 2],
            [pair for pair, way in edges if way == 2],
        )
        if any(set(pdag.directed) <= arcs for arcs in members.get(signature(pdag), ())):
            dag = extension(pdag)
            assert signature(dag) == signature(pdag)
            assert set(pdag.directed) <= set(dag.arcs)
        else:
            with pytest.raises(ClimateBNError, match="cycle"):
                extension(pdag)


@given(dags())
def test_extension_of_a_cpdag_is_equivalent(dag):
    assert cpdag(extension(cpdag(dag))) == cpdag(dag)
    assert extension(Pdag.from_dag(dag)) == dag
    assert shd(dag, extension(cpdag(dag))) == 0


@given(dags(), st.data())
def test_d_separation_agrees_with_networkx(dag, data):
    nodes = data.draw(st.permutations(dag.names))
    if len(nodes) < 2:
        return
    x, y, *rest = nodes
    known = rest[: data.draw(st.integers(0, len(rest)))]
    graph = networkx.DiGraph()
    graph.add_nodes_from(dag.names)
    graph.add_edges_from(dag.arcs)
    assert d_separated(dag, x, y, known) == networkx.is_d_separator(graph, {x}, {y}, set(known))


@given(dags())
def test_colliders_and_pairs_by_hand(dag):
    arcs, adjacent = set(dag.arcs), set(dag.skeleton) | {(b, a) for a, b in dag.skeleton}
    triples = {
        (a, j, b) for a, j in arcs for b, other in arcs if other == j and dag.names.index(a) < dag.names.index(b)
    }
    unshielded, shielded = ({tuple(dag.names[i] for i in triple) for triple in triples} for triples in colliders(dag))
    assert unshielded == {t for t in triples if (t[0], t[2]) not in adjacent}
    assert shielded == triples - unshielded
    degree = [sum(name in pair for pair in dag.skeleton) for name in dag.names]
    assert adjacent_arc_pairs(dag) == sum(d * (d - 1) // 2 for d in degree)


@given(dags(), dags())
def test_shd_is_a_distance(a, b):
    assert shd(a, a) == 0
    if len(a) == len(b):
        assert shd(a, b) == shd(b, a) >= abs(len(a.arcs) - len(b.arcs))


@given(dags())
def test_topological_order(dag):
    place = {node: k for k, node in enumerate(dag.numbered_order)}
    assert all(place[a] < place[b] for a, b in dag.numbered_arcs.tolist())


def test_errors_name_the_trouble():
    with pytest.raises(ClimateBNError, match="cycle among: a, b"):
        Dag.from_arcs("abc", [("a", "b"), ("b", "a")])
    with pytest.raises(ClimateBNError, match="unknown node 'X80'; did you mean 'X8'"):
        Dag.from_arcs(["X8", "rain"], [("X80", "rain")])
    with pytest.raises(ClimateBNError, match="itself"):
        Dag.from_arcs("ab", [("a", "a")])
    with pytest.raises(ClimateBNError, match="more than one edge"):
        Pdag.from_edges("ab", [("a", "b")], [("b", "a")])
    with pytest.raises(ClimateBNError, match="same nodes; only in one of them: c, d"):
        cb.shd(Dag.from_arcs("abc"), Dag.from_arcs("abd"))


def test_names_outside_and_numbers_under_their_own_name():
    dag = Dag.from_arcs(["rain", "soil", "flood"], [("rain", "soil"), ("soil", "flood"), ("rain", "flood")])
    pdag = Pdag.from_edges(dag.names, [("rain", "soil")], [("flood", "soil")])
    assert dag.parents("flood") == ("rain", "soil")
    assert dag.children("rain") == ("soil", "flood")
    assert dag.arcs == [(dag.names[a], dag.names[b]) for a, b in dag.numbered_arcs.tolist()]
    assert (pdag.arcs, pdag.numbered_arcs.tolist()) == ([("rain", "soil")], [[0, 1]])
    assert (pdag.undirected, pdag.numbered_undirected.tolist()) == ([("soil", "flood")], [[1, 2]])
    with pytest.raises(ClimateBNError, match="unknown node 'flod'; did you mean 'flood'"):
        dag.parents("flod")
    with pytest.raises(ValueError, match="read-only"):
        dag.numbered_arcs[0, 0] = 2
    with pytest.raises(ClimateBNError, match=r"numbers of nodes must be 0 … 2; got 0 … 7"):
        Dag(dag.names, [(0, 7)])


@given(dags())
def test_equal_graphs_are_equal_and_print_one_short_line(dag):
    again = Dag(dag.names, dag.numbered_arcs[::-1])
    assert again == dag
    assert hash(again) == hash(dag)
    assert Pdag.from_dag(again) == Pdag.from_dag(dag) != dag
    assert len(repr(dag)) < 40
    assert repr(Pdag.from_dag(dag)).startswith(f"Pdag({len(dag)} nodes, {len(dag.arcs)} directed and 0 undirected")


@pytest.mark.parametrize("edges", [[False], range(3), [5.0]])
def test_undirected_edges_are_pairs(edges):
    with pytest.raises(ClimateBNError, match="pairs of column numbers"):
        Pdag(("a", "b", "c"), [], edges)
