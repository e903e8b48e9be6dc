"""Plausible mistakes get our sentence: which argument, the rule, what came."""

import numpy as np
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError, ClimateBNWarning, number, whole
from climatebn.ingest.field.chunking import in_chunks

DATA = np.random.default_rng(0).normal(size=(60, 4)) @ (np.eye(4) + np.eye(4, k=1))
STATS = cb.GaussianStats.of(DATA)


@pytest.fixture(scope="module")
def bn():
    return cb.fit(cb.Dag.from_arcs(STATS.names, [("X1", "X2")]), DATA)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"knowledge": {"a": 1}}, "knowledge must be a Knowledge"),
        ({"knowledge": cb.Knowledge([("X1",)])}, r"must be \(from, to\) pairs of nodes"),
        ({"knowledge": cb.Knowledge(max_parents="2")}, "max_parents must be a whole number, 0 or more; got '2'"),
        ({"order": 1.5}, "order must be a permutation of 0 … 3, or a seed; got 1.5"),
        ({"order": "abc"}, "order must be a permutation"),
        ({"order": -1}, "order must be a whole number, 0 or more; got -1"),
        ({"seed": -1}, "seed must be a whole number, 0 or more; got -1"),
        ({"seed": "a"}, "seed must be a whole number"),
        ({"max_seconds": "1"}, "max_seconds must be a number, 0 or more; got '1'"),
        ({"max_seconds": float("nan")}, "max_seconds must be a number, 0 or more; got nan"),
        ({"threads": "2"}, "threads must be a whole number, 1 … 1024; got '2'"),
        ({"start": 5}, r"arcs must be \(from, to\) pairs of nodes"),
        ({"max_iter": 1.5}, "max_iter must be a whole number"),
    ],
)
def test_options_of_learn(options, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.learn(DATA, "tabu", progress=False, **options)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cb.BIC("0.5"), "gamma must be a number; got '0.5'"),
        (lambda: cb.BGe("1"), "iss_mu must be a number, above 0; got '1'"),
        (lambda: cb.BGe(iss_w="1"), "iss_w must be a number"),
        (lambda: cb.BDeu("1"), "iss must be a number, above 0; got '1'"),
        (lambda: cb.G2("0.05"), "alpha must be a number, above 0 and below 1; got '0.05'"),
        (lambda: cb.Grid.regular("10"), "degrees must be a number; got '10'"),
        (lambda: cb.region_mean(cb.load_ncep(), 5, (0, 1)), "lat must be two numbers"),
        (lambda: cb.Dag.from_arcs("abc", [(0.5, 1)]), "a node must be a name or a column number; got 0.5"),
        (lambda: cb.Dag.from_arcs("abc", 5), r"arcs must be \(from, to\) pairs of nodes"),
        (lambda: cb.GaussianBN.from_parameters(("a", "b"), {}, {"a": 0.0}, {"a": 1.0, "b": 1.0}), "none for b"),
        (lambda: cb.regrid(cb.load_ncep().isel(time=[0]) * np.inf, cb.Grid.regular(30)), "648 infinite values"),
        (lambda: cb.anomalies(5), "field must be an xarray DataArray; got int"),
        (lambda: in_chunks(cb.load_ncep(), {"time": 0}), r"chunks\['time'\] must be a whole number, 1 or more; got 0"),
        (lambda: cb.BIC().local(STATS, 0, [10**7]), "a node must be a column number 0 … 3; got 10000000"),
        (lambda: cb.BIC().local(STATS, -1, []), "a node must be a column number 0 … 3; got -1"),
        (lambda: cb.FisherZ().evidence(STATS, 0, 10**9, [1]), "a node must be a column number 0 … 3; got 1000000000"),
    ],
)
def test_other_calls(call, words):
    with pytest.raises(ClimateBNError, match=words):
        call()


RAGGED = [[1, 2], [3]]
PLACES = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
TIERS = cb.Knowledge(tiers=[["a"], ["b"]]).numbered(["a", "b"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PLACES.to_xarray(RAGGED), r"values must be an array of real numbers; got \[\[1, 2\], \[3\]\]"),
        (lambda: PLACES.to_xarray(xr.Dataset()), "values must be an array of real numbers; got <xarray.Dataset>"),
        (lambda: PLACES.nodes.to_xarray(xr.Dataset({"a": 1.0})), "values must be an array of real numbers"),
        (lambda: cb.open_field(np.array(5.0)), "source must be a path.*got ndarray"),
        (lambda: TIERS.directions(RAGGED), r"edges must be pairs of column numbers; got \[\[1, 2\], \[3\]\]"),
        (lambda: TIERS.barred_table(10**12), "size must be a whole number, 2 … 100000; got 1000000000000"),
        (lambda: cb.learn(DATA, "tabu", max_losses=10**7), "max_losses must be a whole number, 0 … 100000"),
        (lambda: cb.plot.field(cb.load_ncep()[0], levels=5_000_000), "levels must be a whole number, 1 … 256"),
        (
            lambda: cb.DiscreteBN(cb.Dag.from_arcs("a", []), [("u", "v")], [[{0.5}, 0.5]]),
            "the table of a must be an array of real numbers",
        ),
    ],
)
def test_tables_and_sizes_that_cannot_be(call, words):
    with pytest.raises(ClimateBNError, match=words):
        call()


def test_calls_of_a_network(bn):
    with pytest.raises(ClimateBNError, match="threshold must be a number, 0 or more; got '1'"):
        cb.propagate(bn, {"X1": 1.0}, threshold="1")
    with pytest.raises(ClimateBNError, match="n must be a whole number, 1 or more; got '5'"):
        bn.sample("5")


@pytest.mark.parametrize("value", [True, "1", None, 1j, float("nan"), float("inf"), 10**400, [1]])
def test_what_is_no_number(value):
    with pytest.raises(ClimateBNError, match=r"x must be a (finite )?number; got"):
        number("x", value)
    with pytest.raises(ClimateBNError, match="x must be a whole number, 0 … 5; got"):
        whole("x", value, 0, 5)


def test_what_is_a_number():
    assert number("x", np.float32(0.5), least=0.5, most=0.5) == 0.5
    assert number("x", float("inf"), finite=False) == float("inf")
    assert whole("x", np.int64(3)) == 3


def test_warnings_name_the_line_of_the_caller():
    field = cb.load_ncep().sel(lat=[-5, 5])
    data, once = cb.to_nodes(field), cb.anomalies(field)
    for call in (
        lambda: cb.learn(data, "hill_climbing", cb.BIC(gamma=5), progress=False),
        lambda: cb.anomalies(once),
    ):
        with pytest.warns(ClimateBNWarning) as found:
            call()
        assert {one.filename for one in found if issubclass(one.category, ClimateBNWarning)} == {__file__}
