"""Strength and length of arcs, teleconnections, and where long arcs end."""

import numpy as np
import pytest

import climatebn as cb
from climatebn import analysis
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.place_names import place_name

EDGES = [("X27", "X28"), ("X27", "X140"), ("X28", "X140"), ("X1", "X2"), ("X200", "X27")]


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30)))


@pytest.fixture(scope="module")
def dag(data):
    return cb.Dag.from_arcs(data.names, EDGES)


def test_strength_is_the_loss_of_the_score(data, dag):
    stats = cb.GaussianStats.of(data.values, data.names)
    criterion = cb.BIC(gamma=0.5)

    def total(arcs):
        parents = cb.Dag.from_arcs(data.names, arcs).numbered_parents
        return sum(criterion.local(stats, i, list(p)) for i, p in enumerate(parents))

    table = cb.arc_strength(dag, data, criterion)
    assert list(zip(table["source"], table["target"], strict=True)) == dag.arcs
    for arc, strength in zip(dag.arcs, table["strength"], strict=True):
        assert strength == pytest.approx(total(dag.arcs) - total([a for a in dag.arcs if a != arc]), abs=1e-7)
    assert "BIC(gamma=0.5" in table.attrs["long_name"]["strength"]


def test_a_fitted_network_knows_its_strengths(data, dag):
    bn = cb.fit(dag, data, scale="sd")
    np.testing.assert_allclose(cb.arc_strength(bn)["strength"], cb.arc_strength(dag, data)["strength"], rtol=1e-8)
    np.testing.assert_allclose(cb.arc_strength(bn, data)["strength"], cb.arc_strength(bn)["strength"], rtol=1e-8)
    with pytest.raises(ClimateBNError, match="needs data="):
        cb.arc_strength(bn, criterion=cb.AIC())
    with pytest.raises(ClimateBNError, match=r"criterion must be a score, e.g. BIC\(\); FisherZ"):
        cb.arc_strength(dag, data, cb.FisherZ())
    with pytest.raises(ClimateBNError, match="strength of arcs needs data="):
        cb.arc_strength(dag)


def test_teleconnections_are_the_long_arcs(data, dag):
    table = cb.teleconnections(cb.fit(dag, data), min_km=5000)
    km = data.distances()
    number = data.names.index
    long = {arc for arc in EDGES if km[number(arc[0]), number(arc[1])] > 5000}
    assert set(zip(table["source"], table["target"], strict=True)) == long
    assert 0 < len(long) < len(EDGES)
    assert list(table.columns[:4]) == ["source", "target", "km", "strength"]
    assert table["km"].is_monotonic_decreasing
    for row in table.to_dict("records"):
        for end in ("source", "target"):
            i = number(row[end])
            assert (row[f"{end}_lat"], row[f"{end}_lon"]) == (data.lat[i], data.lon[i])
            assert row[f"{end}_place"] == place_name(data.lat[i], data.lon[i])
        assert row["km"] == pytest.approx(km[number(row["source"]), number(row["target"])])
    assert len(cb.teleconnections(dag, data, min_km=0)) == len(EDGES)
    with pytest.raises(ClimateBNError, match="min_km"):
        cb.teleconnections(dag, data, min_km=-1)


def test_arcs_across_the_date_line_are_short(data):
    west, east = data.nearest(5, 175), data.nearest(5, -175)
    dag = cb.Dag.from_arcs(data.names, [(west, east)])
    assert analysis.arc_lengths(dag, data)["km"].item() == pytest.approx(1107.7, abs=0.1)


def test_a_graph_that_is_no_dag_has_teleconnections_too(data):
    graph = cb.Pdag.from_edges(
        data.names,
        directed=[("X1", "X90"), ("X90", "X170"), ("X170", "X1")],
        undirected=[("X5", "X95"), ("X90", "X200")],
    )
    table = cb.teleconnections(graph, data).set_index(["source", "target"])
    assert table["directed"].sum() == 3
    stats, score = cb.GaussianStats.of(data.values, data.names), cb.BIC()
    to_first = score.local(stats, 89, [0, 199]) - score.local(stats, 89, [0])  # X90 has the parent X1
    to_second = score.local(stats, 199, [89]) - score.local(stats, 199, [])
    assert to_first != pytest.approx(to_second, abs=0.1)
    assert table.loc[("X90", "X200"), "strength"] == pytest.approx(max(to_first, to_second))
    assert not table.loc[("X90", "X200"), "directed"]


def test_places_are_asked_for(dag):
    with pytest.raises(ClimateBNError, match="give data="):
        analysis.arc_lengths(dag)
    with pytest.raises(ClimateBNError, match="got int"):
        analysis.arc_lengths(3)


def test_distribution_counts_every_arc_and_every_pair(data, dag):
    table = analysis.length_distribution(dag, data, step_km=1000)
    assert table["arcs"].sum() == len(EDGES)
    assert table["pairs"].sum() == 216 * 215 // 2
    upper = data.distances()[np.triu_indices(216, 1)]
    assert table["pairs"][3] == ((upper >= 3000) & (upper < 4000)).sum()
    assert table["density"][1] == pytest.approx(table["arcs"][1] / table["pairs"][1])


def test_long_degree_and_share(data, dag):
    lengths = analysis.arc_lengths(dag, data)
    long = lengths[lengths["km"] > 5000]
    assert analysis.long_share(dag, data) == len(long) / len(EDGES)
    assert analysis.long_share(cb.Dag.from_arcs(data.names), data) == 0
    field = analysis.long_degree(dag, data)
    assert field.sum() == 2 * len(long)
    i = data.names.index("X140")
    assert field.sel(lat=data.lat[i], lon=data.lon[i]) == [*long["source"], *long["target"]].count("X140")
    assert field.attrs["units"] == "1"
