"""Geometry of maps as numbers: great circles, the seam of a map, the coastline, meshes."""

import cartopy.crs as ccrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path as Outline

from climatebn.ingest.grid.coastline import shores
from climatebn.ingest.grid.distance import great_circle
from climatebn.plot.geometry import great_circles, map_lines, project, seam
from climatebn.plot.mesh import cell_bounds, map_mesh

WHOLE_WORLD = [
    ccrs.Robinson(180),
    ccrs.Robinson(0),
    ccrs.PlateCarree(0),
    ccrs.PlateCarree(-135),
    ccrs.Mollweide(17),
    ccrs.EqualEarth(200),
]
PARTS = [ccrs.Orthographic(-60, 20), ccrs.NorthPolarStereo(), ccrs.RotatedPole(37, 40)]
named = pytest.mark.parametrize("projection", WHOLE_WORLD, ids=lambda p: f"{type(p).__name__}{seam(p):g}")
places = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


@given(places, places)
@settings(deadline=None, max_examples=200)
def test_great_circle_has_the_haversine_length_and_ends_where_it_should(start, end):
    (line,) = great_circles(np.array([start]), np.array([end]), np.linspace(0, 1, 50))
    steps = great_circle(line[:-1, 1], line[:-1, 0], line[1:, 1], line[1:, 0])
    assert steps.sum() == pytest.approx(great_circle(start[1], start[0], end[1], end[0]), abs=0.05)
    assert great_circle(line[[0, -1], 1], line[[0, -1], 0], [start[1], end[1]], [start[0], end[0]]).max() < 0.05


@pytest.mark.parametrize("start", [(-5.0, 35.0), (0.0, 90.0), (0.0, -90.0)])
def test_antipodes_are_joined(start):
    end = ((start[0] + 360) % 360 - 180, -start[1])
    (line,) = great_circles(np.array([start]), np.array([end]), np.linspace(0, 1, 181))
    steps = great_circle(line[:-1, 1], line[:-1, 0], line[1:, 1], line[1:, 0])
    np.testing.assert_allclose(steps, np.pi * 6371 / 180, rtol=1e-6)


@named
def test_a_line_across_the_seam_ends_on_one_edge_and_goes_on_at_the_other(projection):
    cut = seam(projection)
    line = np.column_stack([cut + np.linspace(-10, 10, 12), np.linspace(0, 4, 12)])
    line[:, 0] = (line[:, 0] + 180) % 360 - 180
    (first, second), _ = map_lines(projection, [line])
    edge = abs(project(projection, np.array([cut - 1e-6, 2.0]))[0])
    assert [first[-1, 0], second[0, 0]] == pytest.approx([edge, -edge], rel=1e-4)
    assert first[-1, 1] == pytest.approx(second[0, 1], rel=1e-6)
    assert (np.diff(first[:, 0]) > 0).all()
    assert (np.diff(second[:, 0]) > 0).all()


@named
def test_no_arc_runs_across_the_map(projection):
    rng = np.random.default_rng(5)
    start, end = (np.column_stack([rng.uniform(-180, 180, 300), rng.uniform(-80, 80, 300)]) for _ in range(2))
    lines = list(great_circles(start, end, np.linspace(0, 1, 91)))
    pieces, owner = map_lines(projection, lines)
    widest = max(np.abs(np.diff(piece[:, 0])).max() for piece in pieces)
    assert widest < 0.25 * np.ptp(projection.x_limits)
    alone = [len(map_lines(projection, [line]).pieces) for line in lines]
    crossings = sum(alone) - 300
    assert len(pieces) == 300 + crossings
    assert crossings > 50
    assert np.bincount(owner).tolist() == alone


def test_a_line_that_stays_on_one_side_is_kept_point_by_point():
    line = np.column_stack([np.linspace(-120, -60, 7), np.linspace(-30, 30, 7)])
    (piece,), _ = map_lines(ccrs.PlateCarree(), [line])
    np.testing.assert_allclose(piece, line)


def test_what_lies_behind_the_globe_is_not_drawn():
    globe = ccrs.Orthographic(0, 0)
    equator = np.column_stack([np.linspace(-179, 179, 180), np.zeros(180)])
    (piece,), _ = map_lines(globe, [equator])
    assert np.abs(piece[:, 0]).max() <= 6378137.0 * 1.0001
    assert 85 < len(piece) < 95


@pytest.mark.parametrize("projection", [*WHOLE_WORLD, *PARTS], ids=lambda p: f"{type(p).__name__}{seam(p):g}")
def test_coastline_has_no_jump_in_any_projection(projection):
    for piece in map_lines(projection, shores()).pieces:
        assert (np.abs(np.diff(piece, axis=0)) < 0.25 * np.ptp(projection.x_limits)).all()


def test_coastline_is_the_world():
    lat = np.concatenate(shores())[:, 1]
    assert (lat.min(), lat.max()) == pytest.approx((-85.6, 83.65), abs=0.1)
    longest = max(shores(), key=len)
    largest = np.column_stack([(longest[:, 0] + 30) % 360 - 30, longest[:, 1]])
    inside = Outline(largest).contains_points([(20, 5), (100, 40), (10, 50), (-25, 40), (70, -20)])
    assert inside.tolist() == [True, True, True, False, False]  # Africa, Asia and Europe; Atlantic, Indian Ocean
    on_date_line = [np.abs(line[:, 0]) > 179.98 for line in shores()]
    assert not any((at[:-1] & at[1:]).any() for at in on_date_line)  # the date line is no shore


@pytest.mark.parametrize("projection", [*WHOLE_WORLD, *PARTS], ids=lambda p: f"{type(p).__name__}{seam(p):g}")
@pytest.mark.parametrize("habit", ["as it is", "0-360", "north first", "on the poles"])
def test_each_place_shows_the_cell_it_lies_in(projection, habit):
    lat, lon = np.arange(-85.0, 90, 10), np.arange(-175.0, 180, 10)
    if habit == "0-360":
        lon = np.arange(0.0, 360, 10)  # a cell lies across the seam of every second projection
    if habit == "north first":
        lat = lat[::-1]
    if habit == "on the poles":
        lat = np.arange(-90.0, 91, 10)
    number = np.arange(lat.size * lon.size).reshape(lat.size, lon.size).astype(float)
    mesh = map_mesh(projection, lat, lon)
    colours = mesh.colours(number)
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        place = np.array([rng.uniform(-180, 180), rng.uniform(-80, 80)])
        x, y = project(projection, place)
        corners = np.stack([mesh.x, mesh.y], axis=-1)
        box_low = np.minimum.reduce([corners[:-1, :-1], corners[1:, :-1], corners[:-1, 1:], corners[1:, 1:]])
        box_high = np.maximum.reduce([corners[:-1, :-1], corners[1:, :-1], corners[:-1, 1:], corners[1:, 1:]])
        near = np.argwhere((box_low <= [x, y]).all(-1) & (box_high >= [x, y]).all(-1))
        shown = set()
        for i, j in near:
            outline = [corners[i, j], corners[i + 1, j], corners[i + 1, j + 1], corners[i, j + 1]]
            if Outline(outline).contains_point((x, y)) and not np.ma.is_masked(colours[i, j]):
                shown.add(float(colours[i, j]))
        apart = np.abs((place[0] - lon + 180) % 360 - 180)
        expected = number[np.abs(place[1] - lat).argmin(), apart.argmin()]
        on_border = np.sort(apart)[1] - apart.min() < 0.3 or np.diff(np.sort(np.abs(place[1] - lat))[:2]) < 0.3
        if shown and not on_border:
            hits += 1
            assert shown == {expected}
    assert hits > (15 if projection in PARTS else 45)


def test_cells_reach_half_way_to_their_neighbours():
    low, high = cell_bounds(np.array([0.0, 1.0, 3.0]))
    assert (low.tolist(), high.tolist()) == ([-0.75, 0.5, 2.0], [0.5, 2.0, 3.75])
    low, high = cell_bounds(np.array([350.0, 0.0, 10.0, 340.0]), 360.0)
    assert (high - low).tolist() == [10.0] * 4
