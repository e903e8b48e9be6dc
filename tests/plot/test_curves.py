"""Figures of the studies and of arc strength: every row is there, filled marks are what they should be."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.plot.style import shown_order, style_of


@pytest.fixture
def cells():
    rows = [
        {"algorithm": name, "gamma": gamma, "order": order, "calls": 1000.0 + order, "arcs": 10 * order,
         "loglik": np.nan if name == "pc_stable" and gamma < 10 else -5.0 * order, "vstructure_ratio": 0.1 * order,
         "valid": not (name == "pc_stable" and gamma < 10)}
        for name in ("pc_stable", "tabu") for gamma in (0.5, 10.0) for order in (1, 2, 3)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def marks(ax, colour):
    """(x, y, filled) of every mark of a colour."""
    found = []
    for artist in ax.collections:
        if isinstance(artist, PathCollection) and np.allclose(artist.get_edgecolors()[0][:3], to_rgba(colour)[:3]):
            face = artist.get_facecolors()
            filled = len(face) > 0 and np.allclose(face[0][:3], to_rgba(colour)[:3])
            found += [(*point, filled) for point in np.asarray(artist.get_offsets()).tolist()]
    return found


def test_each_cell_is_a_point_and_each_mean_a_diamond(cells):
    figure = cb.plot.study_panels(cells)
    calls, loglik, arcs, ratio = figure.axes
    tabu = marks(arcs, style_of("tabu").colour)
    assert sorted(tabu) == sorted(
        [(gamma, 10.0 * order, False) for gamma in (0.5, 10.0) for order in (1, 2, 3)]
        + [(0.5, 20.0, False), (10.0, 20.0, False)]
    )
    assert [y for _, y, _ in marks(calls, style_of("tabu").colour)] == pytest.approx([3.0] * 8, abs=0.01)
    assert calls.get_ylabel().startswith("log10")
    assert {x for x, y, _ in marks(loglik, style_of("pc_stable").colour) if np.isfinite(y)} == {10.0}
    assert {(x, filled) for x, _, filled in marks(ratio, style_of("pc_stable").colour)} == {(0.5, True), (10.0, False)}
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)


def test_the_random_baseline_is_drawn_when_it_is_known(cells):
    lines = len(cb.plot.study_panels(cells).axes[3].lines)
    assert len(cb.plot.study_panels(cells.assign(vstructure_baseline=0.25)).axes[3].lines) == lines + 1


def test_schemes_stand_beside_each_other_on_the_same_scales(cells):
    tables = {"as run": cells.assign(arcs=3 * cells["arcs"], vstructure_baseline=0.25), "matched": cells}
    tables["matched"] = cells.assign(vstructure_baseline=0.25)
    figure = cb.plot.side_by_side(tables, measures={"arcs": "number of arcs", "vstructure_ratio": "ratio"})
    left, right, below, _ = figure.axes
    assert [left.get_title(), right.get_title()] == ["as run", "matched"]
    assert left.get_ylim() == right.get_ylim()
    assert max(y for _, y, _ in marks(left, style_of("tabu").colour)) == 90.0
    assert max(y for _, y, _ in marks(right, style_of("tabu").colour)) == 30.0
    assert [0.25] * 2 in [line.get_ydata().tolist() for line in below.lines]


def test_quadrants_meet_at_the_means_one_panel_a_network_and_size():
    rows = [
        {"network": network, "algorithm": name, "size": size, "scaled_shd": shd, "calls": calls}
        for network in ("alarm", "child")
        for size in ("small", "large")
        for name, shd, calls in (("tabu", 1.0, 1e3), ("tabu", 0.6, 1e5), ("mmhc", 0.4, 1e2))
    ]
    figure = cb.plot.quadrants(pd.DataFrame(rows[:-3]), columns=2)
    shown = [ax for ax in figure.axes if ax.axison]
    assert [ax.get_title() for ax in shown] == ["ALARM, n < |Θ|", "ALARM, n ≥ |Θ|", "CHILD, n < |Θ|"]
    assert len(figure.axes) == 4
    vertical, horizontal = shown[0].lines
    assert (vertical.get_xdata()[0], horizontal.get_ydata()[0]) == pytest.approx((3.0, 0.6))  # of the two means
    found = marks(shown[0], style_of("tabu").colour)
    assert [(x, y) for x, y, _ in found] == [(3.0, 1.0), (5.0, 0.6)]
    diamonds = [artist.get_offsets().tolist() for artist in shown[0].collections if artist.get_zorder() == 3]
    assert diamonds[0] == [pytest.approx((4.0, 0.8))]


def test_ranks_on_the_line_are_the_same_for_small_and_large_networks():
    rows = [("BIC", "speed", "tabu", 1.0, 2.0, 0.5), ("BIC", "speed", "mmhc", 2.0, 1.5, 0.5)]
    ranks = pd.DataFrame(rows, columns=["setting", "measure", "algorithm", "small", "large", "correlation"])
    (ax,) = cb.plot.rank_shift(ranks).axes
    assert [(x, y) for x, y, _ in marks(ax, style_of("mmhc").colour)] == [(2.0, 1.5)]
    assert ax.get_title() == "BIC: speed\nSpearman 0.50"


def test_next_to_nothing_does_not_look_like_much():
    row = {"network": "ALARM", "algorithm": "tabu", "size": "small", "calls": 1e3}
    figure = cb.plot.quadrants(pd.DataFrame([{**row, "scaled_shd": 0.990}, {**row, "scaled_shd": 0.991}]))
    low, high = figure.axes[0].get_ylim()
    assert high - low == pytest.approx(0.1)
    assert low < 0.990 < 0.991 < high


def test_strength_against_distance_parts_long_arcs():
    arcs = pd.DataFrame({"km": [1000.0, 4000.0, 9000.0], "strength": [300.0, 20.0, 5.0]})
    ax = cb.plot.strength_distance(arcs)
    (points,) = ax.collections
    assert points.get_offsets().tolist() == arcs.to_numpy().tolist()
    red, _, blue = points.get_facecolors()[:, :3].T
    assert (red > blue).tolist() == [False, False, True]
    assert (ax.get_yscale(), ax.get_xlabel()) == ("log", "arc length [1000 km]")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["2 arcs up to 5000 km", "1 over 5000 km"]
    assert cb.plot.strength_distance(arcs.assign(strength=[3.0, 2.0, -1.0])).axes.get_yscale() == "symlog"


def test_tables_that_cannot_be_drawn_are_refused_in_words(cells):
    with pytest.raises(ClimateBNError, match="table has no column arcs"):
        cb.plot.study_panels(cells.drop(columns="arcs"))
    with pytest.raises(ClimateBNError, match="no rows"):
        cb.plot.study_panels(cells.iloc[:0])
    with pytest.raises(ClimateBNError, match="did you mean 'tabu'"):
        cb.plot.study_panels(cells.replace({"algorithm": {"tabu": "tabo"}}))
    with pytest.raises(ClimateBNError, match="it has no column strength; it has km"):
        cb.plot.strength_distance(pd.DataFrame({"km": [1.0]}))


def test_cells_that_did_not_end_leave_columns_of_mixed_kinds(cells):
    mixed = cells.astype({"valid": object, "loglik": object})
    mixed.loc[mixed.index[0], ["valid", "loglik"]] = [np.nan, None]
    assert len(cb.plot.study_panels(mixed).axes) == 4
    mixed.loc[mixed.index[1], "loglik"] = "many"
    with pytest.raises(ClimateBNError, match="the column loglik of table must hold real numbers"):
        cb.plot.study_panels(mixed)


def test_numbers_in_columns_of_objects_are_drawn_as_numbers():
    table = pd.DataFrame({"forecast": [0.1, 0.9, 0.5], "observed": [0.2, 0.8, np.nan], "count": [90, 10, 0]})
    plain, mixed = (cb.plot.reliability(each).collections[0] for each in (table, table.astype(object)))
    assert mixed.get_sizes().tolist() == plain.get_sizes().tolist() == pytest.approx([156, 28])
    assert mixed.get_offsets().tolist() == plain.get_offsets().tolist()


def test_colours_of_algorithms_differ_in_lightness_within_a_class():
    """Two algorithms with the same line must differ for readers who see no colour."""
    for line in ("-", "--", ":"):
        light = sorted(
            np.dot(to_rgba(style.colour)[:3], (0.2126, 0.7152, 0.0722))
            for style in map(style_of, shown_order())
            if style.line == line
        )
        assert np.diff(light).min() > 0.04


def test_vstructure_bars_stand_beside_both_baselines():
    dag = cb.Dag.from_arcs("abcde", [("a", "b"), ("c", "b"), ("b", "d"), ("e", "d")])
    counts = cb.vstructures(dag, simulations=5)
    ax = cb.plot.vstructures({"one": counts, "two": counts})
    assert [bar.get_width() for bar in ax.patches] == [counts.ratio] * 2
    assert ax.lines[0].get_xdata().tolist() == [counts.paper_baseline] * 2
    assert [label.get_text().split("\n")[0] for label in ax.get_yticklabels()] == ["one", "two"]
    with pytest.raises(ClimateBNError, match=r"what climatebn\.vstructures gives"):
        cb.plot.vstructures(0.25)


def test_goodness_is_drawn_as_it_is():
    steps = pd.DataFrame({"arcs": [0, 1, 2], "seen": [-3.0, -2.0, -1.5], "held_out": [-3.1, -2.2, -2.3]})
    seen, held_out = cb.plot.goodness(steps).lines
    assert seen.get_ydata().tolist() == [-3.0, -2.0, -1.5]
    assert held_out.get_ydata().tolist() == [-3.1, -2.2, -2.3]
    with pytest.raises(ClimateBNError, match="no column held_out"):
        cb.plot.goodness(steps.drop(columns="held_out"))
