"""Figures as journals print them: at 8.5 and 17 cm, alone and as four panels, no letter is cut off or hidden.

Texts are measured as they are drawn: each lies within the figure, and no two of them lie on each other.
"""

from itertools import combinations
from types import SimpleNamespace

import cartopy.crs as ccrs
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.text import Text

import climatebn as cb
from climatebn.uncertainty.gamma_choice import GammaChoice
from climatebn.uncertainty.shift_null import DistantNull

CM = 1 / 2.54
WIDTHS = (8.5 * CM, 17 * CM)
LONG_NAME = "monthly mean air temperature at the surface of the Earth, as the model of the reanalysis has it"


@pytest.fixture(scope="module")
def things():
    """One small input for every function."""
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    arcs = [(f"X{i}", f"X{i + 1 + (i * 37) % 300}") for i in range(1, 340, 3)]
    bn = cb.fit(cb.Dag.from_arcs(data.names, arcs), data, scale="sd")
    table = cb.teleconnections(bn, min_km=0)
    post = cb.propagate(bn, {"X81": 2.0}, tail="both")
    field = data.to_xarray(data.values[204]).assign_attrs(long_name=LONG_NAME, units="degrees_Celsius")
    steps = pd.DataFrame({"arcs": [0, 500, 3000], "seen": [-900.0, -700, -600], "held_out": [-900.0, -720, -780]})
    counts = cb.vstructures(bn.dag, simulations=3)
    north = table[(table["source_lat"] > 10) & (table["target_lat"] > 10) & (table["km"] > 5000)].iloc[0]
    paths = bn.paths(north["source"], north["target"])
    region_paths = pd.concat([paths, paths.assign(share=-paths["share"] / 3)], ignore_index=True)
    region_paths.attrs = {**paths.attrs, "source": "tropical_north_atlantic", "target": "dipole_west"}
    return SimpleNamespace(
        bn=bn, data=data, post=post, upper=cb.propagate(bn, {"X81": 2.0}), field=field, table=table, steps=steps,
        counts={"tabu (γ = 0.5)": counts, "H2PC (γ = 0.2)": counts},
        support=table.assign(support=np.linspace(0.3, 1.0, len(table))),
        paths=paths, region_paths=region_paths, null=found_and_expected(table), choice=gammas(), **forecasts(),
    )  # fmt: skip


def forecasts():
    """Scores of six models over nine months, a reliability table, a series and what comes after it."""
    models = ("network", "persistence", "damped_persistence", "damped_by_month", "climatology", "lim")
    skill = pd.DataFrame(
        [(model, lead, 0.2 + 0.05 * lead + 0.02 * i) for i, model in enumerate(models) for lead in range(1, 10)],
        columns=["model", "lead", "rmse"],
    )
    skill.attrs["units"] = {"rmse": "K"}
    reliable = pd.DataFrame({"forecast": [0.1, 0.5, 0.9], "observed": [0.2, 0.5, 0.8], "count": [900, 90, 9]})
    months = pd.date_range("2021-01", periods=69, freq="MS")
    wave = np.sin(np.arange(69) / 6)
    ahead = pd.DataFrame({"time": months[60:], "mean": wave[60:], "low": wave[60:] - 1, "high": wave[60:] + 1})
    past, delayed = pd.Series(wave[:60], months[:60]), ahead.assign(lead=range(9))
    return {"skill": skill, "reliable": reliable, "past": past, "ahead": ahead, "delayed": delayed}


def found_and_expected(table):
    """As `distant_null` gives it: the arcs of the data, and the strengths of three draws."""
    draws = tuple(np.linspace(1, 40, count) for count in (30, 40, 35))
    null, scales = np.array([30.0, 40, 35]), np.ones(3)
    lags = tuple(np.arange(len(one)) % 2 for one in draws)
    held = table.assign(fdr=0.5, lag=np.arange(len(table)) % 2)
    return DistantNull(len(table), null, 5000.0, held, draws, scales, "tabu, BIC(gamma=1.0)", lags)


def gammas():
    """As `choose_gamma` gives it."""
    table = pd.DataFrame({"gamma": [0.0, 0.5, 1, 2, 5], "score": [-259.0, -191, -186, -199, -241]})
    table = table.assign(
        se=9.0, behind=table["score"].max() - table["score"], behind_se=4.0, arcs=[9000, 4200, 2500, 1300, 500]
    )
    return GammaChoice(1.0, 1.0, "likelihood", table)


MAPS = {
    "field": lambda t, ax: cb.plot.field(t.field.where(t.field.lat < 60), ax, title="January 1998"),
    "network": lambda t, ax: cb.plot.network(t.bn, ax, title="a network with a title that is long for a panel"),
    "propagation": lambda t, ax: cb.plot.propagation(t.post, ax, title="both tails"),
    "upper": lambda t, ax: cb.plot.propagation(t.upper, ax, title="upper tail"),
    "support": lambda t, ax: cb.plot.support(t.support, t.data, ax, title="support"),
    "paths": lambda t, ax: cb.plot.paths(t.paths, t.bn, ax, title="paths"),
    "paths of regions": lambda t, ax: cb.plot.paths(t.region_paths, t.bn, ax, title="paths"),
}
CURVES = {
    "strength_distance": lambda t, ax: cb.plot.strength_distance(t.table, ax, title="tabu"),
    "vstructures": lambda t, ax: cb.plot.vstructures(t.counts, ax, title="v-structures"),
    "goodness": lambda t, ax: cb.plot.goodness(t.steps, ax, title="held out"),
    "null": lambda t, ax: cb.plot.null(t.null, ax, title="long arcs"),
    "null_by_lag": lambda t, ax: cb.plot.null_by_lag(t.null, ax, title="long arcs"),
    "gamma_choice": lambda t, ax: cb.plot.gamma_choice(t.choice, ax, title="γ by held-out years"),
}
FORECASTS = {
    "skill": lambda t, ax: cb.plot.skill(t.skill, "rmse", ax, title="Niño 3.4"),
    "reliability": lambda t, ax: cb.plot.reliability(t.reliable, ax, title="six months ahead"),
    "delayed_answer": lambda t, ax: cb.plot.delayed_answer({"warm, first month": t.delayed, "one": t.delayed}, ax),
    "plume": lambda t, ax: cb.plot.plume(t.past, t.ahead, ax, label="anomaly [K]", title="Niño 3.4"),
}
PROJECTIONS = {"Pacific": ccrs.Robinson(180), "north": ccrs.NorthPolarStereo(), "plain": ccrs.PlateCarree(0)}


def panel(figure, position, name, projection):
    shape = {"projection": projection} if name in MAPS else {}
    return figure.add_subplot(*position, **shape)


def texts(figure):
    """(words, box) of every text of a figure that is drawn."""
    figure.canvas.draw()
    panels = figure.findobj(Axes)
    ticks = {id(text) for ax in panels for axis in (ax.xaxis, ax.yaxis) for text in axis.findobj(Text)}
    drawn = [text for text in figure.findobj(Text) if id(text) not in ticks]
    for ax in panels:
        for axis in (ax.xaxis, ax.yaxis):
            drawn += (
                [axis.label, *(tick.label1 for tick in axis._update_ticks())]
                if ax.axison and axis.get_visible()
                else []
            )
    shown = [text for text in drawn if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent()) for text in shown]


def faults(figure):
    """What a referee would mark: texts cut off by the figure, and texts on each other."""
    said, whole = texts(figure), figure.bbox
    cut = [
        words
        for words, box in said
        if box.x0 < -1 or box.y0 < -1 or box.x1 > whole.width + 1 or box.y1 > whole.height + 1
    ]
    crossed = [(a, b) for (a, one), (b, other) in combinations(said, 2) if _overlap(one, other)]
    return cut + crossed


def _overlap(one, other):
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    return across > 1 and down > 1


@pytest.mark.parametrize("width", WIDTHS, ids=("8.5cm", "17cm"))
@pytest.mark.parametrize("name", [*MAPS, *CURVES, *FORECASTS])
def test_alone(things, name, width):
    figure = plt.figure(figsize=(width, 0.75 * width), layout="constrained")
    (MAPS | CURVES | FORECASTS)[name](things, panel(figure, (1, 1, 1), name, PROJECTIONS["Pacific"]))
    assert faults(figure) == []


@pytest.mark.parametrize(
    ("projection", "width"),
    [("Pacific", WIDTHS[0]), ("Pacific", WIDTHS[1]), ("north", WIDTHS[0]), ("plain", WIDTHS[1])],
    ids=("Pacific 8.5cm", "Pacific 17cm", "north 8.5cm", "plain 17cm"),
)
@pytest.mark.parametrize(
    "names",
    [("field", "network", "propagation", "support"), ("paths", "propagation", "paths of regions", "paths of regions")],
    ids=("maps", "paths"),
)
def test_four_maps(things, names, projection, width):
    figure = plt.figure(figsize=(width, 1.3 * width), layout="constrained")
    for place, name in enumerate(names, start=1):
        MAPS[name](things, panel(figure, (2, 2, place), name, PROJECTIONS[projection]))
    assert faults(figure) == []
    widths = [ax.bbox.width for ax in figure.axes if ax.name == "cartopy.geoaxes"]
    assert min(widths) > 0.25 * figure.bbox.width  # letters leave room for the maps


@pytest.mark.parametrize("width", WIDTHS, ids=("8.5cm", "17cm"))
def test_curves_beside_a_map(things, width):
    figure = plt.figure(figsize=(width, 2.4 * width), layout="constrained")
    for place, name in enumerate((*CURVES, "upper"), start=1):
        (MAPS | CURVES)[name](things, panel(figure, (4, 2, place), name, PROJECTIONS["Pacific"]))
    assert faults(figure) == []


@pytest.mark.parametrize("names", [("γ = 1", "γ = 1.5"), ("tabu, as it is", "after whitening, γ = 1.25")], ids=str)
@pytest.mark.parametrize("width", [4 * CM, *WIDTHS], ids=("4cm", "8.5cm", "17cm"))
def test_several_nulls_by_lag(things, names, width):
    figure, ax = plt.subplots(figsize=(width, 0.9 * width), layout="constrained")
    drawn = cb.plot.null_by_lag(dict.fromkeys(names, things.null), ax, title="long arcs")
    assert faults(figure) == []
    assert [text.get_text().replace("\n", " ") for text in drawn.get_xticklabels(minor=True)] == list(names)


def test_the_panels_of_a_study_fit_two_columns():
    rows = [
        {"algorithm": name, "gamma": gamma, "order": order, "calls": 1000.0 * (2 + gamma + order), "valid": order < 2,
         "loglik": -2e5 - 1e3 * gamma, "arcs": 3000 / (1 + gamma), "vstructure_ratio": 0.25 - 0.002 * gamma}
        for name in ("tabu", "hill_climbing", "mmhc", "h2pc", "pc_stable", "grow_shrink")
        for gamma in (0, 0.2, 0.5, 1, 2, 10, 50) for order in (1, 2)
    ]  # fmt: skip
    figure = cb.plot.study_panels(
        pd.DataFrame(rows), plt.figure(figsize=(WIDTHS[1], 0.8 * WIDTHS[1]), layout="constrained")
    )
    assert faults(figure) == []


@pytest.mark.parametrize("width", WIDTHS, ids=("8.5cm", "17cm"))
def test_a_shared_bar_is_one_call_and_fits(things, width):
    figure = plt.figure(figsize=(width, 0.5 * width), layout="constrained")
    axes = [panel(figure, (1, 2, place), "field", PROJECTIONS["Pacific"]) for place in (1, 2)]
    maps = [cb.plot.propagation(post, ax) for post, ax in zip((things.post, 0.3 * things.post), axes, strict=True)]
    bar = cb.plot.shared_colorbar(maps)
    assert faults(figure) == []
    assert maps[0].norm is maps[1].norm
    assert bar.ax in figure.axes
    assert len(figure.axes) == 3


def test_the_check_itself_finds_what_is_wrong():
    figure = plt.figure(figsize=(2, 2))
    figure.text(0.9, 0.5, "beyond the edge")
    figure.text(0.1, 0.2, "one")
    figure.text(0.12, 0.2, "two")
    assert faults(figure) == ["beyond the edge", ("one", "two")]


def test_text_of_a_file_is_no_formula(things):
    """A dollar sign in a name would begin a formula, and a wrong formula would stop the drawing."""
    nasty = things.field.assign_attrs(long_name=r"$\frac{$ of it $", units="$^{$")
    mesh = cb.plot.field(nasty)
    mesh.figure.canvas.draw()
    assert r"\$\frac{\$" in mesh.colorbar.ax.get_xlabel()
    post = things.post.assign_attrs(given=r"$\frac{$ = 2 sd")
    cb.plot.propagation(post).figure.canvas.draw()
    cb.plot.vstructures({r"$\frac{$": things.counts["tabu (γ = 0.5)"]}).figure.canvas.draw()


def test_letters_dots_and_heads_follow_the_panel(things):
    small, large = (
        cb.plot.network(things.bn, plt.figure(figsize=(width, width)).add_subplot(projection=ccrs.Robinson(180)))
        for width in WIDTHS
    )
    assert max(small.get_linewidths()) < max(large.get_linewidths())
    title, larger = (drawn.axes.get_legend().get_texts()[0].get_fontsize() for drawn in (small, large))
    assert 6 <= title < larger <= 9
    dots, larger = (drawn.axes.lines[0].get_markersize() for drawn in (small, large))
    assert dots < larger


def shown(ax):
    return np.array([*ax.get_xlim(), *ax.get_ylim()])


def test_a_polar_map_shows_its_hemisphere(things):
    for projection, pole in ((ccrs.NorthPolarStereo(), 1), (ccrs.SouthPolarStereo(), -1)):
        ax = plt.figure().add_subplot(projection=projection)
        cb.plot.field(things.field, ax)
        _, equator = projection.transform_point(0, 0, ccrs.PlateCarree())
        assert shown(ax) == pytest.approx(np.array([-1, 1, -1, 1]) * abs(equator), rel=1e-6)
        assert projection.transform_point(0, 90 * pole, ccrs.PlateCarree()) == pytest.approx((0, 0), abs=1e-3)


def test_a_regional_network_frames_its_region_on_any_axes_that_show_all(things):
    names = [n for n, lat, lon in zip(things.data.names, things.data.lat, things.data.lon, strict=True)
             if abs(lat) < 30 and 150 < lon % 360 < 250]  # fmt: skip
    part = things.data.select(names)
    dag = cb.Dag.from_arcs(names, [(names[0], names[1])])
    projection = ccrs.PlateCarree(180)
    ax = plt.figure().add_subplot(projection=projection)
    cb.plot.network(dag, ax, nodes=part)
    assert shown(ax) == pytest.approx([-33, 73, -31.8, 31.8], abs=0.1)  # 150–250°E, 30°S–30°N and a margin
    zoomed = plt.figure().add_subplot(projection=projection)
    zoomed.set_xlim(-10, 10)
    before = shown(zoomed)
    cb.plot.network(dag, zoomed, nodes=part)
    assert shown(zoomed).tolist() == before.tolist()
    under = plt.figure().add_subplot(projection=projection)
    cb.plot.field(things.field, under)
    before = shown(under)
    cb.plot.network(dag, under, nodes=part)
    assert shown(under).tolist() == before.tolist()


def test_an_extent_is_shown_across_the_date_line(things):
    mesh = cb.plot.field(things.field, cb.plot.map_axes(projection=ccrs.PlateCarree(180)), extent=(120, -70, -30, 30))
    assert shown(mesh.axes) == pytest.approx([-65.1, 115.1, -31.8, 31.8], abs=0.4)
    for wrong in ((0, 10, 20), (0, 10, 50, 20), (0, 10, "a", 20)):
        with pytest.raises(cb.errors.ClimateBNError, match=r"extent must be \(west, east, south, north\)"):
            cb.plot.field(things.field, extent=wrong)


def test_missing_cells_are_hatched_and_said(things):
    whole = cb.plot.field(things.field)
    assert not any(artist.get_label() == "no data" for artist in whole.axes.collections)
    mesh = cb.plot.field(things.field.where(things.field.lat != 5))
    (hatched,) = [artist for artist in mesh.axes.collections if artist.get_label() == "no data"]
    assert hatched.get_hatch()
    low, high = hatched.get_paths()[0].get_extents().intervaly
    edges = mesh.axes.projection.transform_points(ccrs.PlateCarree(), np.zeros(2), np.array([0.0, 10.0]))[:, 1]
    assert (low, high) == pytest.approx(edges, rel=1e-6)
    assert "hatched: no data" in mesh.colorbar.ax.get_xlabel()


def test_colours_pass_through_as_in_xarray(things):
    from matplotlib.colors import BoundaryNorm, LogNorm

    mesh = cb.plot.field(things.field, levels=[-4, -2, -1, 1, 2, 4], cmap="PuOr")
    assert isinstance(mesh.norm, BoundaryNorm)
    assert (mesh.cmap.name, mesh.colorbar.extend) == ("PuOr", "both")
    assert np.allclose(mesh.cmap(mesh.norm(0.0))[:3], 0.97, atol=0.04)  # the middle class is the middle colour
    assert cb.plot.field(things.field, vmin=-1, vmax=1).colorbar.extend == "both"
    assert cb.plot.field(things.field, levels=5, extend="neither").colorbar.extend == "neither"
    log = LogNorm(0.1, 10)
    assert cb.plot.field(abs(things.field) + 0.1, norm=log).norm is log
    with pytest.raises(cb.errors.ClimateBNError, match="leave out vmin, vmax and levels"):
        cb.plot.field(things.field, norm=log, vmin=3)
    with pytest.raises(cb.errors.ClimateBNError, match="rising borders"):
        cb.plot.field(things.field, levels=[3, 2])
    mesh = cb.plot.propagation(things.post, levels=[-0.5, -0.1, 0.1, 0.5], cmap="PuOr")
    assert mesh.norm.boundaries.tolist() == [-0.5, -0.1, 0.1, 0.5]


def test_signed_quantities_are_centred_on_zero():
    grid = {"lat": np.arange(-85.0, 90, 10), "lon": np.arange(-175.0, 180, 10)}
    values = xr.DataArray(np.linspace(-1, 3, 648).reshape(18, 36), coords=grid, dims=("lat", "lon"))
    for name, units, centred in (("correlation", "1", True), ("u", "m s-1", True), ("air", "degC", False)):
        norm = cb.plot.field(values.rename(name).assign_attrs(units=units)).norm
        assert (norm.vmin == -norm.vmax) == centred
    assert cb.plot.field((values + 2).rename("precipitation")).norm.vmin == 1.0


def test_maps_with_other_levels_share_no_bar(things):
    maps = [cb.plot.field(things.field, levels=levels) for levels in ([-1, 0, 1], [-2, 0, 2])]
    with pytest.raises(cb.errors.ClimateBNError, match="same norm or levels"):
        cb.plot.shared_colorbar(maps)
    with pytest.raises(cb.errors.ClimateBNError, match="drawn must be"):
        cb.plot.shared_colorbar([])
