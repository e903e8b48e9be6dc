"""regrid: exact overlaps on the sphere, both longitude habits, missing cells, lazy fields."""

import math
import os
import subprocess
import sys
import weakref

import dask
import dask.array
import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError


def grid_field(values, lat, lon):
    return xr.DataArray(values, dims=("lat", "lon"), coords={"lat": lat, "lon": lon})


def overlap_mean(field, south, north, west, east, half):
    """Plain loop over the cells of a regular field: Σ area(cell ∩ target)·value / Σ area(cell ∩ target)."""
    total = area = 0.0
    for i, lat in enumerate(field["lat"].values):
        low, high = max(south, lat - half, -90), min(north, lat + half, 90)
        height = max(0.0, math.sin(math.radians(high)) - math.sin(math.radians(low))) if high > low else 0.0
        for j, lon in enumerate(field["lon"].values):
            for turn in (-360, 0, 360):
                width = max(0.0, min(east, lon + half + turn) - max(west, lon - half + turn))
                total += height * width * float(field.values[i, j])
                area += height * width
    return total / area


def test_ncep_layout_to_ten_degrees_equals_a_plain_loop():
    """Rows at the poles and columns that straddle cell edges, as in the 2.5° file."""
    lat, lon = np.arange(90, -90.1, -2.5), np.arange(0, 360, 2.5)
    field = grid_field(np.random.default_rng(0).normal(size=(73, 144)), lat, lon)
    coarse = cb.regrid(field, cb.Grid.regular(10))
    assert coarse.shape == (18, 36)
    for row, column in [(0, 0), (8, 4), (17, 35), (9, 17), (12, 18)]:
        south, west = -90 + 10 * row, -180 + 10 * column
        expected = overlap_mean(field, south, south + 10, west, west + 10, 1.25)
        assert coarse.values[row, column] == pytest.approx(expected, abs=1e-12)


def test_global_mean_is_kept():
    lat, lon = np.linspace(-90, 90, 73), np.arange(0, 360, 2.5)
    field = grid_field(288 + np.random.default_rng(0).normal(size=(73, 144)), lat, lon)
    source, target = cb.Grid(lat, lon), cb.Grid.regular(10)
    assert source.area.sum() == pytest.approx(1)
    on_grid = field.values[:, np.argsort((lon + 180) % 360)]
    mean = (cb.regrid(field, target).values * target.area).sum()
    assert mean == pytest.approx((on_grid * source.area).sum(), rel=1e-12)


@st.composite
def global_fields(draw):
    """Irregular global grids: rows in either direction, columns from any start in any convention."""
    rows, columns = draw(st.integers(2, 12)), draw(st.integers(3, 14))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    lat = -90 + 180 / rows * (np.arange(rows) + 0.5) + random.uniform(-0.12, 0.12, rows) * 180 / rows
    lon = 360 / columns * (np.arange(columns) + random.uniform(-0.1, 0.1, columns)) + random.uniform(-180, 180)
    lon = (lon + 180) % 360 - 180 if draw(st.booleans()) else lon % 360
    if draw(st.booleans()):
        lat = lat[::-1]
    return grid_field(random.normal(size=(rows, columns)), lat, lon)


@settings(max_examples=25, deadline=None)
@given(global_fields(), st.sampled_from([90, 45, 30, 22.5, 10]))
def test_any_global_grid(field, degrees):
    target = cb.Grid.regular(degrees)
    coarse = cb.regrid(field, target)
    mine = field.assign_coords(lon=(field["lon"] + 180) % 360 - 180).sortby(["lat", "lon"])
    area = cb.Grid(mine["lat"].values, mine["lon"].values).area
    assert (coarse.values * target.area).sum() == pytest.approx((mine.values * area).sum(), abs=1e-9)
    other = field.assign_coords(lon=field["lon"] % 360)  # the other habit is the same field
    for method in ("mean", "linear", "nearest"):
        same = cb.regrid(field, target, method)
        xr.testing.assert_allclose(same, cb.regrid(other, target, method), atol=1e-9)
        xr.testing.assert_allclose(same, cb.regrid(mine, target, method), atol=1e-9)
        np.testing.assert_allclose(cb.regrid(field * 0 + 7, target, method), 7, rtol=1e-12)
        assert same.min() >= field.min() - 1e-9
        assert same.max() <= field.max() + 1e-9


def test_same_grid_changes_nothing():
    field = cb.load_ncep()[:3]
    for method in ("mean", "linear", "nearest"):
        np.testing.assert_allclose(cb.regrid(field, cb.Grid.regular(10), method).values, field.values, atol=1e-5)


def test_linear_and_nearest_across_the_date_line():
    lat, lon = np.array([-60.0, 0, 60]), np.array([60.0, 180, 300])
    field = grid_field(np.outer([1, 2, 3], [1.0, 10, 100]), lat, lon)
    target = cb.Grid([-80, 0, 30], [-150, 0, 170])
    linear = cb.regrid(field, target, "linear")
    assert linear.sel(lat=0, lon=-150).item() == pytest.approx(2 * (0.75 * 10 + 0.25 * 100))
    assert linear.sel(lat=0, lon=0).item() == pytest.approx(2 * (1 + 100) / 2)  # between 300 and 60
    assert linear.sel(lat=30, lon=0).item() == pytest.approx(2.5 * (1 + 100) / 2)
    assert linear.sel(lat=-80, lon=0).item() == pytest.approx((1 + 100) / 2)  # beyond the outermost row: that row
    assert cb.regrid(field, target, "nearest").sel(lat=30, lon=-150).item() == 20


def test_paper_points_hold_values_of_the_file():
    paper = cb.load_ncep(grid="paper")
    np.testing.assert_allclose(paper["lat"].values[:2], [-88.542, -78.542])
    assert cb.to_nodes(cb.anomalies(paper)).nearest(-8.542, -138.125) == "X81"


def test_missing_cells_are_left_out():
    lat, lon = np.arange(-75.0, 90, 30), np.arange(0.0, 360, 30)
    values = np.ones((6, 12))
    values[2, 3] = np.nan
    values[0, :] = np.nan
    coarse = cb.regrid(grid_field(values, lat, lon), cb.Grid.regular(60))
    np.testing.assert_allclose(coarse.values, 1)
    values[:2, :] = np.inf
    with pytest.raises(ClimateBNError, match="field holds 24 infinite values; make them missing first"):
        cb.regrid(grid_field(values, lat, lon), cb.Grid.regular(60))
    values[:2, :] = np.nan
    coarse = cb.regrid(grid_field(values, lat, lon), cb.Grid.regular(60))
    assert np.isnan(coarse.values[0]).all()
    np.testing.assert_allclose(coarse.values[1:], 1)


@pytest.mark.parametrize(("method", "west"), [("mean", 150), ("linear", 157.5), ("nearest", 157.5)])
def test_regional_field_is_missing_outside(method, west):
    field = grid_field(np.ones((5, 6)), np.arange(-20.0, 21, 10), np.array([160, 165, 170, 175, 180, -175.0]))
    coarse = cb.regrid(field, cb.Grid.regular(10), method, min_cover=0)
    inside = (abs(coarse["lat"]) < 26) & ((coarse["lon"] > west) | (coarse["lon"] < -172.5))
    assert (coarse.notnull() == inside.transpose("lat", "lon")).all()
    np.testing.assert_allclose(coarse.values[coarse.notnull().values], 1)


def test_attributes_history_and_other_dimensions():
    field = made_field().expand_dims(member=[1, 2])
    coarse = cb.regrid(field, cb.Grid.regular(45))
    assert coarse.dims == ("member", "time", "lat", "lon")
    assert coarse.attrs["units"] == "degC"
    assert "regrid(grid=Grid(4 × 8" in coarse.attrs["history"]
    assert coarse["lat"].attrs["standard_name"] == "latitude"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"grid": 10}, r"grid must be a Grid, e\.g\. Grid\.regular\(10\)"),
        ({"method": "means"}, "unknown method 'means'; did you mean 'mean'"),
        ({"field": np.zeros((3, 4))}, "field must be an xarray DataArray; got ndarray"),
        ({"field": made_field().isel(lat=[0])}, "two latitudes"),
        ({"field": made_field(lon=[0, 90, 180, 360])}, "longitude 0 and 360 are the same place"),
        ({"field": made_field(lat=[-95, 0, 95])}, "latitudes must lie within ±90°; got -95, 95"),
        ({"field": made_field(lat=[0, np.nan])}, "latitudes must be numbers"),
    ],
)
def test_refusals(change, words):
    arguments = {"field": made_field(), "grid": cb.Grid.regular(45), "method": "mean", **change}
    with pytest.raises(ClimateBNError, match=words):
        cb.regrid(**arguments)


@pytest.mark.parametrize("degrees", [7, 0, -10, 180, float("nan")])
def test_grid_must_divide_the_sphere(degrees):
    with pytest.raises(ClimateBNError, match=r"degrees must (divide 180|be a number; got nan)"):
        cb.Grid.regular(degrees)
    with pytest.raises(ClimateBNError, match="lat of a Grid must lie within"):
        cb.Grid([-100, 0], [0, 180])
    with pytest.raises(ClimateBNError, match="lon of a Grid must be two or more different"):
        cb.Grid([-10, 0], [0, 360])


def test_lazy_fields_keep_their_time_chunks():
    field = made_field(lat=np.arange(-87.5, 90, 5), lon=np.arange(0.0, 360, 5), months=24)
    field[3, 10:20, 5:9] = np.nan
    expected = cb.regrid(field, cb.Grid.regular(30))
    for chunks in ({"time": 7}, {"time": 24, "lat": 10, "lon": 20}):
        lazy = cb.regrid(field.chunk(chunks), cb.Grid.regular(30))
        assert lazy.chunks[0] == field.chunk(chunks).chunks[0]
        xr.testing.assert_allclose(lazy.compute(), expected)


def test_few_chunks_are_in_memory_at_once():
    """The whole path to anomalies and nodes reads each block and lets go of it before most others are read."""
    alive, most = set(), [0]

    def made(block_info=None):
        month = block_info[None]["array-location"][0][0]
        block = np.random.default_rng(month).normal(size=(1, 72, 144))
        weakref.finalize(block, alive.discard, month)
        alive.add(month)
        most[0] = max(most[0], len(alive))
        return block

    values = dask.array.map_blocks(made, chunks=((1,) * 120, (72,), (144,)), dtype=float, meta=np.empty((0, 0, 0)))
    field = made_field(np.arange(-88.75, 90, 2.5), np.arange(0.0, 360, 2.5), months=120).copy(data=values)
    with dask.config.set(scheduler="threads", num_workers=2):
        data = cb.to_nodes(cb.anomalies(cb.regrid(field, cb.Grid.regular(10))))
    assert data.values.shape == (120, 648)
    assert 0 < most[0] <= 12, f"{most[0]} of 120 blocks were in memory at once"


MEMORY = """
import resource, dask, dask.array, numpy as np, pandas as pd, xarray as xr, climatebn as cb
lat, lon, months = np.arange(-89.5, 90), np.arange(0.0, 360), 360
values = dask.array.map_blocks(
    lambda: np.ones((12, 180, 360)), chunks=((12,) * 30, (180,), (360,)), dtype=float, meta=np.empty((0, 0, 0))
)
time = pd.date_range("1981-01", periods=months, freq="MS")
field = xr.DataArray(values, dims=("time", "lat", "lon"), coords={"time": time, "lat": lat, "lon": lon})
cb.regrid(field[:12], cb.Grid.regular(10)).compute()  # what is loaded by then does not count
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with dask.config.set(scheduler="threads", num_workers=2):
    cb.regrid(field, cb.Grid.regular(10)).compute()
used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
assert used < field.nbytes / 3, f"{used / 2**20:.0f} MB for a field of {field.nbytes / 2**20:.0f} MB"
"""


def test_memory_stays_below_the_field():
    """178 MB of one-degree data pass through; the process grows by less than a third of that."""
    subprocess.run([sys.executable, "-c", MEMORY], check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})


@pytest.mark.parametrize("method", ["mean", "linear", "nearest"])
def test_min_cover_is_the_share_of_a_cell_with_values(method):
    values = np.ones((36, 72))
    values[:, :9] = np.nan  # 45° of longitude: a cell and a half of 30°
    field = grid_field(values, np.arange(-87.5, 90, 5), np.arange(-177.5, 180, 5))
    grid = cb.Grid.regular(30)
    kept = {cover: cb.regrid(field, grid, method, min_cover=cover).notnull().sum("lat") for cover in (0, 0.4, 0.5, 0.6)}
    if method == "mean":
        for cover, cells in ((0, 6), (0.4, 6), (0.5, 6), (0.6, 0)):
            assert kept[cover][:3].values.tolist() == [0, cells, 6], cover
    assert all((kept[0] >= kept[0.6]).values)
    assert "min_cover=0.5" in cb.regrid(field, grid, method).attrs["history"]
    for wrong in (-0.1, 1.1, "half", None):
        with pytest.raises(ClimateBNError, match="min_cover must be a share"):
            cb.regrid(field, grid, method, min_cover=wrong)


def test_min_cover_of_a_region_counts_the_whole_target_cell():
    field = grid_field(np.ones((8, 8)), np.arange(2.5, 40, 5), np.arange(2.5, 40, 5))
    coarse = cb.regrid(field, cb.Grid.regular(30))
    assert coarse.sel(lat=15, lon=15).item() == 1
    assert np.isnan(coarse.sel(lat=15, lon=45).item())  # a third of it
    assert cb.regrid(field, cb.Grid.regular(30), min_cover=0.3).sel(lat=15, lon=45).item() == 1
