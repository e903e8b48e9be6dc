"""Log-likelihood of seen and held-out months along the steps of a search."""

from types import SimpleNamespace

import numpy as np
import pytest
from references import frame

import climatebn as cb
from climatebn import analysis
from climatebn.errors import ClimateBNError
from climatebn.learning import Step

TABLE = frame("gauss25")
SEEN, HELD_OUT = TABLE.iloc[::2], TABLE.iloc[1::2]


def result(trace, arcs):
    names = tuple(TABLE.columns)
    graph = cb.Pdag.from_edges(names, arcs)
    return SimpleNamespace(graph=graph, dag=cb.Dag.from_arcs(names, arcs), trace=trace, algorithm="tabu")


def test_each_row_is_the_likelihood_of_that_network():
    a, b, c, d = TABLE.columns[:4]
    steps = [Step("add", a, b, 1.0), Step("add", b, c, 1.0), Step("reverse", a, b, 1.0), Step("delete", b, c, 1.0)]
    networks = [[(d, a)], [(d, a), (a, b)], [(d, a), (a, b), (b, c)], [(d, a), (b, a), (b, c)], [(d, a), (b, a)]]
    table = analysis.goodness(result(steps, networks[-1]), SEEN, HELD_OUT)
    assert table["arcs"].tolist() == [1, 2, 3, 3, 2]
    for row, arcs in zip(table.to_dict("records"), networks, strict=True):
        bn = cb.fit(cb.Dag.from_arcs(tuple(TABLE.columns), arcs), SEEN)
        assert row["seen"] == pytest.approx(bn.loglik(SEEN) / len(SEEN), rel=1e-10)
        assert row["held_out"] == pytest.approx(bn.loglik(HELD_OUT) / len(HELD_OUT), rel=1e-10)
    assert table.attrs["units"]["held_out"] == "nat"


def test_arcs_that_were_there_before_the_first_step():
    a, b, c = TABLE.columns[:3]
    table = analysis.goodness(result([Step("delete", a, b, 1.0), Step("add", a, b, 1.0)], [(a, b), (b, c)]), SEEN, SEEN)
    assert table["arcs"].tolist() == [2, 1, 2]
    np.testing.assert_allclose(table["seen"], table["held_out"])


def test_an_algorithm_without_trace_is_refused():
    with pytest.raises(ClimateBNError, match="goodness needs the trace"):
        analysis.goodness(result([], []), SEEN, HELD_OUT)
