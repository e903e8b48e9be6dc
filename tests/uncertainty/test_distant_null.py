"""The null of distant links: what a shift keeps, what is counted, and what it says of arcs one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_data import chain, node_data

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.rng import generator
from climatebn.uncertainty.partition import partition
from climatebn.uncertainty.shift_null import shifted

QUIET = {"progress": False}


@settings(deadline=None)
@given(st.integers(2, 30), st.integers(0, 99))
def test_a_shift_keeps_the_correlations_of_each_region(regions, seed):
    values = chain(120, 72, seed)
    labels = partition(node_data(values).nodes, regions, generator(seed))
    assert set(labels) <= set(range(regions))
    moved = shifted(values, labels, 12 * generator(seed).integers(10, size=regions))
    for region in set(labels):
        inside = labels == region
        before, after = (np.atleast_2d(np.cov(table[:, inside].T)) for table in (values, moved))
        np.testing.assert_allclose(after, before, atol=1e-13)
    months = np.arange(120) % 12
    for month in range(12):  # each place keeps the values of its calendar month
        np.testing.assert_allclose(np.sort(moved[months == month], 0), np.sort(values[months == month], 0))


def test_regions_are_compact_and_differ_from_draw_to_draw():
    nodes = node_data(np.zeros((12, 324))).nodes
    first, second = (partition(nodes, 12, generator(seed)) for seed in (1, 2))
    assert not np.array_equal(first, second)
    km = nodes.distances()
    together = first[:, None] == first
    assert km[together].mean() < km[~together].mean() / 3


def test_independent_data_has_as_many_long_arcs_as_its_null():
    data = node_data(np.random.default_rng(1).normal(size=(240, 100)))
    found = cb.distant_null(data, "hill_climbing", cb.BIC(), draws=8, regions=12, **QUIET)
    assert found.real > 30
    assert abs(found.real - found.expected) < 4 * found.sd + 4
    assert found.share > 0.6


def test_a_true_distant_link_stands_out_and_the_null_goes_with_teleconnections():
    values = np.random.default_rng(2).normal(size=(240, 100))
    values[:, 50] += 2 * values[:, 3]
    data = node_data(values)
    found = cb.distant_null(data, "hill_climbing", cb.BIC(), min_km=3000, draws=6, regions=12, **QUIET)
    assert found.table.loc[0, "fdr"] == 0
    assert set(found.table.loc[0, ["source", "target"]]) == {"X4", "X51"}
    assert (np.diff(found.table["fdr"]) >= 0).all()
    assert found.table["fdr"].iloc[-1] <= 1
    result = cb.learn(data, "hill_climbing", cb.BIC(), **QUIET)
    long = cb.teleconnections(result, data, min_km=3000, null=found)
    assert len(long) == found.real
    by_strength = long.sort_values("strength", ascending=False)["fdr"].to_numpy()
    np.testing.assert_allclose(by_strength, found.table["fdr"], atol=1e-12)
    assert "at most" in repr(found)


def test_the_false_share_is_a_ratio_of_counts():
    data = node_data(np.random.default_rng(1).normal(size=(240, 60)))
    found = cb.distant_null(data, "hill_climbing", cb.BIC(), draws=4, regions=10, **QUIET)
    weakest = found.table["strength"].min()
    assert found.at_least(weakest - 1).mean() == pytest.approx(found.expected)
    assert found.fdr(weakest)[0] <= max(found.share, 1)
    assert len(found.null) == 4


def test_whitening_comes_after_the_shift_and_workers_do_not_matter():
    data = node_data(np.cumsum(np.random.default_rng(3).normal(size=(240, 40)), axis=0) * 0.1 + chain(240, 40, 1))
    asked = {"draws": 2, "regions": 8, "seed": 1, **QUIET}
    plain = cb.distant_null(data, "hill_climbing", cb.BIC(), **asked)
    white = cb.distant_null(data, "hill_climbing", cb.BIC(), whiten={"order": 1, "monthly_sd": False}, **asked)
    assert white.real < plain.real
    km = data.distances()
    arcs = cb.learn(cb.whiten(data, 1, monthly_sd=False), "hill_climbing", cb.BIC(), **QUIET).dag.numbered_arcs
    assert white.real == (km[arcs[:, 0], arcs[:, 1]] > 5000).sum()
    again = cb.distant_null(data, "hill_climbing", cb.BIC(), workers=1, **asked)
    assert (again.null == plain.null).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"regions": 41}, "regions must be 2 … 40, the number of places; got 41"),
        ({"draws": 0}, "draws must be a whole number ≥ 1"),
        ({"min_km": -1}, "min_km must be a finite number, 0 or more; got -1"),
        ({"min_km": "far"}, "min_km must be a number, 0 or more; got 'far'"),
        ({"whiten": "yes"}, "whiten must be True, False or arguments of whiten"),
        ({"whiten": {"ordr": 1}}, "unknown argument of whiten 'ordr'; did you mean 'order' or 'max_order'"),
        ({"min_km": 50_000}, "no two places over 50000 km"),
    ],
)
def test_wrong_arguments(arguments, message):
    data = node_data(np.random.default_rng(1).normal(size=(120, 40)))
    with pytest.raises(ClimateBNError, match=message):
        cb.distant_null(data, "hill_climbing", cb.BIC(), **{"regions": 8, "draws": 1, **QUIET, **arguments})


def test_what_has_no_years_or_places():
    with pytest.raises(ClimateBNError, match="needs 7 whole years or more"):
        cb.distant_null(node_data(np.random.default_rng(1).normal(size=(72, 30))), "hill_climbing", regions=5)
    with pytest.raises(ClimateBNError, match="data must be NodeData"):
        cb.distant_null(np.zeros((120, 3)))


def test_the_figure_has_the_data_and_every_draw(monkeypatch):
    data = node_data(np.random.default_rng(1).normal(size=(240, 60)))
    found = cb.distant_null(data, "hill_climbing", cb.BIC(), draws=3, regions=10, **QUIET)
    ax = cb.plot.null(found)
    assert len(ax.lines) == 3 + 2
    assert np.nanmax(ax.lines[-1].get_ydata()) == found.real
    assert "5000 km" in ax.get_ylabel()
    monkeypatch.setattr(type(found), "expected", 1267.4)
    assert cb.plot.null(found).lines[3].get_label() == "chance, at most: 1267 in all"


def test_a_null_by_lag():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep().isel(lat=slice(0, None, 4), lon=slice(0, None, 4))))
    null = cb.distant_null(
        data, "hill_climbing", cb.BIC(gamma=0.25), draws=2, regions=6, lags=(0, 1), seed=1, progress=False
    )
    table = null.by_lag
    assert table["lag"].tolist() == [0, 1]
    assert table["real"].sum() == null.real
    assert table["expected"].sum() == pytest.approx(null.expected)
    result = cb.learn(data, "hill_climbing", cb.BIC(gamma=0.25), lags=(0, 1), progress=False)
    real = cb.teleconnections(result, data)
    assert table["real"].tolist() == [int((real["lag"] == lag).sum()) for lag in (0, 1)]


def test_the_recipe_of_the_page_on_forecasts():
    """Divided by the deviation of the calendar month, own past required: 78 and 98 arcs, chance about 55."""
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    own = cb.Knowledge(required=[(f"{name}@-1", name) for name in data.names])
    recipe = {"lags": (0, 1), "whiten": {"order": 0}, "knowledge": own, "draws": 2}
    null = cb.distant_null(data, "tabu", cb.BIC(gamma=1), **recipe, **QUIET)
    table = null.by_lag
    assert null.label.endswith("divided by the sd of each calendar month")
    assert table["real"].tolist() == [78, 98]
    np.testing.assert_allclose(table["expected"], [57, 50], atol=20)
