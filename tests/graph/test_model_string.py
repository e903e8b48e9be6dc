"""Model strings of bnlearn: both ways, and what cannot be read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climatebn as cb
from climatebn.errors import ClimateBNError


@given(st.integers(0, 10_000), st.integers(0, 9), st.floats(0, 1))
def test_round_trip(seed, size, density):
    rng = np.random.default_rng(seed)
    order = rng.permutation(size)
    arcs = [(order[i], order[j]) for i in range(size) for j in range(i + 1, size) if rng.random() < density]
    dag = cb.Dag.from_arcs([f"N {i}" for i in range(size)], arcs)
    assert cb.Dag.from_string(dag.to_string()) == dag


def test_as_bnlearn_writes_it():
    asia = "[asia][smoke][tub|asia][lung|smoke][bronc|smoke][dysp|bronc:either][either|tub:lung][xray|either]"
    dag = cb.Dag.from_string(asia)
    assert dag.parents("either") == ("tub", "lung")
    assert dag.to_string() == asia
    assert cb.Dag.from_string(" [A] [B|A]\n") == cb.Dag.from_arcs("AB", [("A", "B")])


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("[A][B|A", r"got '\[B\|A'"),
        ("A", "repeated; got 'A'"),
        ("[A][A]", "'A' comes twice"),
        ("[A|B]", "there is none for B"),
        ("[A|B][B|A]", "cycle"),
        ("[A|]", "repeated"),
        (3, "got 3"),
    ],
)
def test_what_cannot_be_read_is_said(model, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.Dag.from_string(model)


def test_names_that_cannot_be_written_are_said():
    with pytest.raises(ClimateBNError, match=r"cannot hold names.*'a:b'"):
        cb.Dag.from_arcs(["a:b"]).to_string()
