"""Maps: what is drawn, what the colours mean, and what is refused in words."""

import re
import socket
from types import SimpleNamespace

import cartopy.crs as ccrs
import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError

GRID = np.arange(648)
NODES = SimpleNamespace(names=[f"X{i + 1}" for i in GRID], lat=-85.0 + 10 * (GRID % 18), lon=-175.0 + 10 * (GRID // 18))


def posterior(world, tail="upper", **fields):
    mask = xr.zeros_like(world, dtype=bool)
    mask.loc[{"lat": -5, "lon": -135}] = True
    attrs = {"tail": tail, "evidence": '{"X81": 2.0}', "given": "X81 = 2 sd", "threshold": 1.0, "threshold_units": "sd"}
    return xr.Dataset({**fields, "evidence": mask}, attrs=attrs)


def test_maps_need_no_network(monkeypatch, tmp_path, world):
    def refuse(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    mesh = cb.plot.field(world)
    cb.plot.network(cb.Dag.from_arcs(NODES.names, [("X81", "X300")]), mesh.axes, nodes=NODES)
    for ending in ("png", "pdf"):
        mesh.figure.savefig(tmp_path / f"map.{ending}")
        assert (tmp_path / f"map.{ending}").stat().st_size > 5000


def test_a_map_is_pacific_centred_and_has_one_coastline(world):
    ax = cb.plot.field(world).axes
    assert ax.projection.proj4_params["lon_0"] == 180
    cb.plot.field(world, ax)
    assert sum(artist.get_label() == "coastline" for artist in ax.collections) == 1


def test_anomalies_are_centred_on_zero_and_other_fields_are_not(world):
    mesh = cb.plot.field(world)
    largest = float(abs(world).max())
    assert (mesh.norm.vmin, mesh.norm.vmax) == pytest.approx((-largest, largest))
    assert mesh.colorbar.ax.get_xlabel() == "temperature anomaly [K]"
    absolute = (world + 14).assign_attrs(long_name="mean temperature", units="degC").rename("air")
    mesh = cb.plot.field(absolute)
    assert (mesh.norm.vmin, mesh.norm.vmax) == pytest.approx((float(absolute.min()), float(absolute.max())))
    assert mesh.colorbar.ax.get_xlabel() == "mean temperature [°C]"


def test_a_field_is_not_edited_and_its_orientation_does_not_matter(world):
    before = world.copy(deep=True)
    picture = cb.plot.field(world).get_array()
    xr.testing.assert_identical(world, before)
    turned = world.assign_coords(lon=world.lon % 360).sortby("lon").sortby("lat", ascending=False).transpose()
    np.testing.assert_allclose(cb.plot.field(turned).get_array().filled(9), picture.filled(9))


def test_plain_axes_and_other_shapes_are_refused_in_words(world):
    with pytest.raises(ClimateBNError, match=r"map axes .* got Axes.*map_axes"):
        cb.plot.field(world, plt.figure().add_subplot())
    with pytest.raises(ClimateBNError, match="choose one value of time"):
        cb.plot.field(world.expand_dims(time=3))
    with pytest.raises(ClimateBNError, match="no finite value"):
        cb.plot.field(world * np.nan)
    with pytest.raises(ClimateBNError, match="no 'difference'"):
        cb.plot.propagation(xr.Dataset({"air": world}))


def colour_at(mesh, value):
    return mesh.cmap(mesh.norm(value))[:3]


def test_propagation_leaves_small_changes_blank_and_centres_on_zero(world):
    mesh = cb.plot.propagation(posterior(world, difference=0.8 * world / float(world.max())))
    assert colour_at(mesh, 0.049) == colour_at(mesh, -0.049) == (1, 1, 1)
    for small, large in ((0.06, 0.75), (-0.06, -0.75)):
        red, _, blue = np.array(colour_at(mesh, small))
        assert (red > blue) == (small > 0)
        assert sum(colour_at(mesh, large)) < sum(colour_at(mesh, small)) < 3
    labels = [tick.get_text() for tick in mesh.colorbar.ax.get_xticklabels()]
    assert {"−0.15", "0.05", "0.65"} <= set(labels)
    assert mesh.colorbar.ax.get_xlabel() == "P(X ≥ 1 sd | X81 (5°S 135°W) = 2 sd) − P(X ≥ 1 sd)"


def test_cold_extremes_are_blue_alone_and_beside_warm_ones(world):
    cold = cb.plot.propagation(posterior(world, "lower", difference=world * 0 + 0.5))
    red, _, blue = colour_at(cold, 0.5)
    assert blue > red
    both = posterior(world, "both", difference_upper=world * 0 + 0.3, difference_lower=(world > 0) * 0.6)
    mesh = cb.plot.propagation(both)
    assert set(np.unique(mesh.get_array().compressed())) == {0.3, -0.6}
    assert "−" not in "".join(tick.get_text() for tick in mesh.colorbar.ax.get_xticklabels())


def test_warm_and_cold_are_words_for_temperatures_alone(world):
    both = posterior(world, "both", difference_upper=world, difference_lower=-world)
    said = cb.plot.propagation(both).colorbar.ax.get_xlabel()
    assert "low, X ≤ −1 sd" in said
    assert "high, X ≥ 1 sd" in said
    said = cb.plot.propagation(both.assign_attrs(data_units="K")).colorbar.ax.get_xlabel()
    assert "cold, X ≤ −1 sd" in said
    assert "warm, X ≥ 1 sd" in said


def test_evidence_of_any_kind_is_said_under_the_map():
    tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    bn = cb.fit(cb.Dag.from_arcs(tropics.names, [("X1", "X2")]), tropics, scale="sd")
    for evidence, words in (
        ({"X1": (1, None)}, "X1 (5°S 175°W) ≥ 1 sd"),
        ({"nino34": (None, -1)}, "Niño 3.4 ≤ −1 sd"),
        ({"X1": (0, 1), "X2": 2}, "0 sd ≤ X1 ≤ 1 sd, X2 = 2 sd"),
    ):
        drawn = cb.plot.propagation(cb.propagate(bn, evidence, tail="both"))
        said = " ".join(drawn.colorbar.ax.get_xlabel().split())
        assert f"rise of the probability given {words}" in said


def test_evidence_is_boxed_where_it_is(world):
    ax = cb.plot.propagation(posterior(world, difference=world)).axes
    (box,) = next(artist for artist in ax.collections if artist.get_label() == "evidence").get_paths()
    corners = ccrs.PlateCarree().transform_points(ax.projection, *box.vertices.T)[:, :2]
    assert (corners.min(axis=0).round(3).tolist(), corners.max(axis=0).round(3).tolist()) == ([-140, -10], [-130, 0])


def test_cells_of_evidence_side_by_side_have_one_outline(world):
    """Also across the date line and around a hole; cells that touch at a corner alone stay closed."""
    ax = cb.plot.map_axes()

    def outlines(*boxes, projection=None):
        mask = xr.zeros_like(world, dtype=bool)
        for (south, north), lons in boxes:
            mask.loc[{"lat": slice(south, north), "lon": list(lons)}] = True
        own = ax if projection is None else plt.figure().add_subplot(projection=projection)
        to_degrees = ccrs.PlateCarree().transform_points
        paths = cb.plot.evidence_boxes(own, mask).get_paths()
        return [to_degrees(own.projection, *path.vertices.T)[:, :2] for path in paths]

    (box,) = outlines(((-5, 5), (-165, -155, -145)))
    assert (box.min(axis=0).round(3).tolist(), box.max(axis=0).round(3).tolist()) == ([-170, -10], [-140, 10])
    assert not ((box[:, 0].round(3) == -160) & (np.abs(box[:, 1]) < 9)).any()  # no line between two cells
    assert box[0] == pytest.approx(box[-1])
    (across,) = outlines(((-5, -5), (175, -175)))
    east = across[:, 0] % 360
    assert (east.min().round(3), east.max().round(3)) == (170, 190)
    assert not ((east.round(3) == 180) & (across[:, 1].round(3) > -10) & (across[:, 1].round(3) < 0)).any()
    assert len(outlines(((-5, 5), (5, 35)), ((-5, -5), (15, 25)), ((5, 5), (15, 25)))) == 1
    assert len(outlines(((-15, 15), (5, 15, 25)))) == 1
    ring = outlines(((-15, -15), (5, 15, 25)), ((15, 15), (5, 15, 25)), ((-5, 5), (5, 25)))
    assert len(ring) == 2  # the outside and the hole
    cut = outlines(((-5, -5), (175, -175)), projection=ccrs.Robinson(0))
    assert all(np.nanmin(np.abs(piece[:, 0])) > 169 for piece in cut if np.isfinite(piece).any())
    assert sum(len(piece) for piece in outlines(((-5, -5), (5,)), ((5, 5), (15,)))) == 8 * 8


def test_one_reach_gives_several_maps_one_scale(world):
    meshes = [cb.plot.propagation(posterior(world, difference=f * world), reach=(-0.3, 0.85)) for f in (0.1, 0.7)]
    assert meshes[0].norm.boundaries.tolist() == meshes[1].norm.boundaries.tolist()
    assert meshes[0].norm.boundaries[[0, -1]].tolist() == [-0.35, 0.85]


def words(drawn):
    return [text.get_text() for text in drawn.axes.get_legend().get_texts()]


def test_short_and_long_arcs_are_counted_apart():
    arcs = [("X81", "X82"), ("X82", "X83"), ("X81", "X99"), ("X81", "X441")]
    drawn = cb.plot.network(cb.Dag.from_arcs(NODES.names, arcs), nodes=NODES)
    assert len(drawn.get_paths()) == 4
    assert words(drawn) == ["1 arc over 5000 km", "3 arcs up to 5000 km"]
    drawn = cb.plot.network(cb.Dag.from_arcs(NODES.names, arcs), nodes=NODES, show_short=False)
    assert len(drawn.get_paths()) == 1
    assert words(drawn) == ["1 arc over 5000 km", "not drawn: 3 arcs up to 5000 km"]


@pytest.fixture(scope="module")
def fitted():
    """A fitted network with 100 arcs of 3000 to 8000 km, the data, and the DAG."""
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    dag = cb.Dag.from_arcs(data.names, [(f"X{i}", f"X{i + 74}") for i in range(1, 500, 5)])
    return SimpleNamespace(bn=cb.fit(dag, data, scale="sd"), raw=cb.fit(dag, data), data=data, dag=dag)


def test_the_strongest_arcs_are_drawn_and_coloured_by_their_coefficients(fitted):
    projection = ccrs.PlateCarree(0)  # X181 and more lie east of its edge: each arc is one line there
    strongest = np.argsort(fitted.bn.arc_loglik)[::-1][:7]
    drawn = cb.plot.network(fitted.bn, cb.plot.map_axes(projection=projection), top=7, min_km=20100)
    assert sorted(set(np.round(drawn.get_array(), 6))) == sorted(np.round(fitted.bn.arc_coefficients[strongest], 6))
    assert words(drawn) == ["7 strongest of 100 arcs up to 20100 km"]
    widths = dict(zip(np.round(drawn.get_array(), 6), drawn.get_linewidths(), strict=True))
    by_strength = [widths[value] for value in np.round(fitted.bn.arc_coefficients[strongest], 6)]
    assert by_strength == sorted(by_strength, reverse=True)
    assert drawn.colorbar.ax.get_xlabel() == "coefficient of the arc [sd per sd]"
    with pytest.raises(ClimateBNError, match="top must be a whole number"):
        cb.plot.network(fitted.bn, top=-1)


def test_all_ways_to_a_network_look_the_same(fitted):
    """Fitted in sd, fitted in data units, and a learned graph with its data."""
    learned = SimpleNamespace(graph=cb.Pdag.from_dag(fitted.dag), dag=fitted.dag, conflicts=())
    pictures = [
        cb.plot.network(fitted.bn, top=20),
        cb.plot.network(fitted.raw, top=20),
        cb.plot.network(learned, nodes=fitted.data, top=20),
    ]
    for other in pictures[1:]:
        np.testing.assert_allclose(other.get_array(), pictures[0].get_array(), atol=1e-8)
        np.testing.assert_allclose(other.get_linewidths(), pictures[0].get_linewidths())
    unknown = cb.plot.network(fitted.dag, nodes=NODES, top=20, min_km=20100)
    assert words(unknown) == ["20 longest of 100 arcs up to 20100 km"]
    assert unknown.colorbar is None


def test_not_more_arcs_than_the_eye_can_follow():
    arcs = [(f"X{i}", f"X{i + 1}") for i in range(1, 648)] + [(f"X{i}", f"X{i + 324}") for i in range(1, 200)]
    drawn = cb.plot.network(cb.Dag.from_arcs(NODES.names, arcs), nodes=NODES)
    long, short = (re.match(r"(\d+) longest of (\d+) arcs", said).groups() for said in words(drawn))
    assert (long[0], short[0]) == ("60", "240")
    assert int(long[1]) + int(short[1]) == len(arcs)


def test_nodes_without_a_place_are_said_and_not_drawn():
    index = SimpleNamespace(names=["X1", "X2", "nino34"], lat=[0.0, 0.0, np.nan], lon=[0.0, 10.0, np.nan])
    dag = cb.Dag.from_arcs(index.names, [("X1", "X2"), ("nino34", "X1")])
    drawn = cb.plot.network(dag, nodes=index)
    assert len(drawn.get_paths()) == 1
    assert words(drawn) == ["1 arc up to 5000 km", "not on the map: 1 arcs of nodes without a place"]


def test_arrowheads_point_at_the_child_from_the_side_the_arc_comes():
    dag = cb.Dag.from_arcs(NODES.names, [("X81", "X99"), ("X640", "X10")])  # eastwards; across the date line
    ax = cb.plot.map_axes(projection=ccrs.PlateCarree(0))
    cb.plot.network(dag, ax, nodes=NODES)
    heads = next(artist for artist in ax.collections if type(artist).__name__ == "Quiver")
    np.testing.assert_allclose(sorted(heads.XY.tolist()), [[-175, 5], [-125, -5]], atol=0.05)
    assert (heads.U > 0).all()
    np.testing.assert_allclose(heads.V / heads.U, 0, atol=0.1)


def test_a_graph_that_is_not_valid_shows_its_conflicts():
    graph = cb.Pdag.from_edges(NODES.names, directed=[("X81", "X82"), ("X83", "X82")], undirected=[("X85", "X86")])
    result = SimpleNamespace(graph=graph, conflicts=[SimpleNamespace(nodes=("X83", "X82"), why="cycle")])
    drawn = cb.plot.network(result, nodes=NODES)
    assert len(drawn.get_paths()) == 3
    assert words(drawn) == [f"1 {kind} up to 5000 km" for kind in ("arc", "arc without direction", "arc in conflict")]
    assert sum(red > 2 * max(green, blue) for red, green, blue, _ in drawn.get_color()) == 1


def test_nodes_without_places_are_refused_in_words():
    dag = cb.Dag.from_arcs(["X1", "Y"], [("X1", "Y")])
    with pytest.raises(ClimateBNError, match="the graph does not know where its nodes are; give nodes="):
        cb.plot.network(dag)
    with pytest.raises(ClimateBNError, match="no place for 1 nodes of the graph: Y"):
        cb.plot.network(dag, nodes=NODES)
    with pytest.raises(ClimateBNError, match="got str"):
        cb.plot.network("tabu")


def test_the_room_shows_functions_alone_before_and_after_use(world):
    for _ in range(2):
        assert all(callable(getattr(cb.plot, name)) for name in dir(cb.plot))
        cb.plot.field(world)
