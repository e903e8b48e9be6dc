"""Maps: what is drawn, what the colours mean, and what is refused in words."""

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
    assert {"−0.05", "0.05", "0.65"} <= set(labels)
    assert mesh.colorbar.ax.get_xlabel() == "P(X ≥ 1 sd | X81 = 2 sd) − P(X ≥ 1 sd)"


def test_cold_extremes_are_blue_alone_and_beside_warm_ones(world):
    cold = cb.plot.propagation(posterior(world, "lower", difference=world * 0 + 0.5))
    red, _, blue = colour_at(cold, 0.5)
    assert blue > red
    both = posterior(world, "both", difference_upper=world * 0 + 0.3, difference_lower=(world > 0) * 0.6)
    mesh = cb.plot.propagation(both)
    assert set(np.unique(mesh.get_array().compressed())) == {0.3, -0.6}
    assert "-" not in "".join(tick.get_text() for tick in mesh.colorbar.ax.get_xticklabels())


def test_evidence_is_boxed_where_it_is(world):
    ax = cb.plot.propagation(posterior(world, difference=world)).axes
    (box,) = next(artist for artist in ax.collections if artist.get_label() == "evidence").get_paths()
    corners = ccrs.PlateCarree().transform_points(ax.projection, *box.vertices.T)[:, :2]
    assert (corners.min(axis=0).round(3).tolist(), corners.max(axis=0).round(3).tolist()) == ([-140, -10], [-130, 0])


def test_one_reach_gives_several_maps_one_scale(world):
    meshes = [cb.plot.propagation(posterior(world, difference=f * world), reach=(-0.3, 0.85)) for f in (0.1, 0.7)]
    assert meshes[0].norm.boundaries.tolist() == meshes[1].norm.boundaries.tolist()
    assert meshes[0].norm.boundaries[[0, -1]].tolist() == [-0.35, 0.85]


def paths_of(artists, kind):
    return len(artists[kind].get_paths())


def test_short_and_long_arcs_are_told_apart():
    arcs = [("X81", "X82"), ("X82", "X83"), ("X81", "X99"), ("X81", "X441")]
    artists = cb.plot.network(cb.Dag.from_arcs(NODES.names, arcs), nodes=NODES)
    assert (paths_of(artists, "directed"), paths_of(artists, "directed long")) == (3, 1)
    assert artists["directed long"].get_zorder() > artists["directed"].get_zorder()
    words = [text.get_text() for text in artists["directed"].axes.get_legend().get_texts()]
    assert words == ["3 arcs up to 5000 km", "1 arcs over 5000 km"]
    artists = cb.plot.network(cb.Dag.from_arcs(NODES.names, arcs), nodes=NODES, show_short=False, min_km=100)
    assert list(artists) == ["directed long"]


def test_arrowheads_point_at_the_child_from_the_side_the_arc_comes():
    dag = cb.Dag.from_arcs(NODES.names, [("X81", "X99"), ("X640", "X10")])  # eastwards; across the date line
    ax = cb.plot.map_axes(projection=ccrs.PlateCarree(0))
    cb.plot.network(dag, ax, nodes=NODES)
    heads = next(artist for artist in ax.collections if type(artist).__name__ == "Quiver")
    np.testing.assert_allclose(heads.XY, [[-125, -5], [-175, 5]], atol=0.05)
    assert (heads.U > 0).all()
    np.testing.assert_allclose(heads.V / heads.U, 0, atol=0.1)


def test_a_graph_that_is_not_valid_shows_its_conflicts():
    graph = cb.Pdag.from_edges(NODES.names, directed=[("X81", "X82"), ("X83", "X82")], undirected=[("X85", "X86")])
    result = SimpleNamespace(graph=graph, conflicts=[SimpleNamespace(nodes=("X83", "X82"), why="cycle")])
    artists = cb.plot.network(result, nodes=NODES)
    assert {kind: paths_of(artists, kind) for kind in artists} == {"directed": 1, "undirected": 1, "conflict": 1}
    red, green, blue, _ = artists["conflict"].get_color()[0]
    assert red > 2 * max(green, blue)


def test_nodes_without_places_are_refused_in_words():
    dag = cb.Dag.from_arcs(["X1", "Y"], [("X1", "Y")])
    with pytest.raises(ClimateBNError, match="the graph does not know where its nodes are; give nodes="):
        cb.plot.network(dag)
    with pytest.raises(ClimateBNError, match="no place for 1 nodes of the graph: Y"):
        cb.plot.network(dag, nodes=NODES)
    with pytest.raises(ClimateBNError, match="got str"):
        cb.plot.network("tabu")
