"""Values of named regions: nodes with places and polygons, from the file to the network and back."""

import json

import numpy as np
import pandas as pd
import pytest
import shapely
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.outlines import area, as_outline, centre, holds
from climatebn.ingest.nodes.nodes import Nodes

BOXES = {  # west, south, east, north; the last one lies across the date line, in two parts
    "AFR": shapely.box(-10, -30, 40, 30),
    "EUR": shapely.box(-10, 35, 40, 70),
    "PAC": shapely.union_all([shapely.box(150, -10, 180, 10), shapely.box(-180, -10, -90, 10)]),
}


def field(months=240, names=tuple(BOXES), dim="region", seed=1):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(months, 1))
    values = 280 + common + rng.normal(size=(months, len(names)))
    time = pd.date_range("1981-01", periods=months, freq="MS")
    coords = {"time": time, dim: list(names)}
    return xr.DataArray(values, dims=("time", dim), coords=coords, name="tas", attrs={"units": "K"})


def nodes(**options):
    return cb.to_nodes(cb.anomalies(field()), polygons=BOXES, **options)


def test_areas_and_centres_on_the_sphere():
    assert area(as_outline(shapely.box(-180, -90, 180, 90))) == pytest.approx(1)
    assert area(as_outline(shapely.box(0, 0, 90, 90))) == pytest.approx(1 / 8)
    assert centre(as_outline(BOXES["AFR"])) == pytest.approx((0, 15), abs=1e-6)
    lat, lon = centre(as_outline(BOXES["PAC"]))
    assert lat == pytest.approx(0, abs=1e-6)
    assert lon % 360 == pytest.approx(210, abs=0.01)
    assert centre(as_outline(shapely.box(-180, 60, 180, 90)))[0] == pytest.approx(90, abs=1e-6)
    assert holds(as_outline(BOXES["PAC"]), 0, 179.5)
    assert holds(as_outline(BOXES["PAC"]), 0, 200)
    assert not holds(as_outline(BOXES["PAC"]), 0, 140)


def test_nodes_keep_names_places_and_polygons():
    data = nodes()
    assert data.names == ("AFR", "EUR", "PAC")
    assert data.nodes.regional
    assert data.nearest(50, 10) == "EUR"
    assert data.nearest(0, -175) == "PAC"
    assert data.nearest(0, 200) == "PAC"
    assert data.select(["PAC"]).nodes.polygons == (data.nodes.polygons[2],)
    assert data.nodes.areas() == pytest.approx([area(text) for text in data.nodes.polygons])
    shown = data.to_xarray(np.arange(3.0))
    assert shown.dims == ("node",)
    assert shown.sel(node="PAC").item() == 2
    assert {"lat", "lon", "polygon"} <= set(shown.coords)
    more = data.with_index(nino=np.random.default_rng(1).normal(size=240))
    assert more.nodes.polygons[-1] == ""
    assert not np.isfinite(more.lat[-1])


def test_a_network_of_regions_goes_through_files_and_questions(tmp_path):
    data = nodes()
    result = cb.learn(data, "tabu", progress=False)
    bn = cb.fit(result, data, scale="sd")
    bn.save(tmp_path / "bn.nc")
    again = cb.load_network(tmp_path / "bn.nc")
    assert again.nodes.polygons == data.nodes.polygons
    assert again.nodes.regional
    result.save(tmp_path / "result.json")
    assert cb.LearnResult.load(tmp_path / "result.json").nodes.polygons == data.nodes.polygons
    by_place = cb.propagate(again, {(50, 10): 2.0})
    assert by_place.attrs["evidence"] == '{"EUR": 2.0}'
    assert by_place.difference.sel(node="AFR").item() == pytest.approx(
        cb.propagate(bn, {"EUR": 2.0}).difference.sel(node="AFR").item()
    )
    assert np.isfinite(cb.teleconnections(bn, min_km=0)["km"]).all()
    assert cb.analysis.centrality(bn).degree.dims == ("node",)
    ensemble = cb.ensemble(data, resamples=3, progress=False)
    assert cb.propagate(ensemble, {"EUR": 2.0}).difference.dims == ("node",)
    ensemble.save(tmp_path / "ensemble.nc")
    assert cb.Ensemble.load(tmp_path / "ensemble.nc").nodes.polygons == data.nodes.polygons


def test_the_mean_of_a_box_weighs_what_it_shares_with_polygons():
    from climatebn.ingest.nodes.node_weights import region_weights

    given = nodes().nodes
    assert region_weights(cb.Region(lat=(-5, 5), lon=(170, -120)), given) == {"PAC": 1.0}
    both = region_weights(cb.Region(lat=(-30, 70), lon=(-10, 40)), given)
    shares = area(given.polygons[0]), area(given.polygons[1])
    assert both["AFR"] == pytest.approx(shares[0] / sum(shares), rel=1e-6)
    with pytest.raises(ClimateBNError, match="no node lies in"):
        region_weights(cb.Region(lat=(-80, -70), lon=(0, 10)), given)
    plain = Nodes.of_regions(["a", "b"], [(0, 0), (50, 0)])
    assert region_weights(cb.Region(lat=(-5, 5), lon=(-5, 5)), plain) == {"a": 1.0}


def test_files_of_polygons(tmp_path):
    table = tmp_path / "corners.csv"
    table.write_text(
        "Name,Acronym,Vertex1\nAfrica,AFR,-10|-30,-10|30,40|30,40|-30,,\n"
        "Pacific,PAC,150|-10,150|10,180|10,180|-10\nPacific,PAC*,-180|-10,-180|10,-90|10,-90|-10\n"
    )
    read = cb.ingest.read_polygons(table)
    assert area(read["AFR"]) == pytest.approx(area(as_outline(BOXES["AFR"])))
    assert area(read["PAC"]) == pytest.approx(area(as_outline(BOXES["PAC"])))
    features = [
        {"type": "Feature", "properties": {"Acronym": name}, "geometry": json.loads(shapely.to_geojson(box))}
        for name, box in BOXES.items()
    ]
    geojson = tmp_path / "regions.geojson"
    geojson.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    assert set(cb.ingest.read_polygons(geojson)) == set(BOXES)
    assert cb.to_nodes(cb.anomalies(field()), polygons=geojson).nodes.polygons is not None
    table.write_text("Acronym,Vertex1\nAFR,-10;30\n")
    with pytest.raises(ClimateBNError, match="line 2: corners must be written"):
        cb.ingest.read_polygons(table)
    with pytest.raises(ClimateBNError, match="there is no file"):
        cb.ingest.read_polygons(tmp_path / "none.csv")


def test_open_field_finds_regions_and_asks_for_one_model(tmp_path):
    many = xr.concat([field(seed=1), field(seed=2)], pd.Index(["m1", "m2"], name="model"))
    many.to_netcdf(tmp_path / "models.nc")
    with pytest.raises(ClimateBNError, match="further dimension 'model' of 2 values"):
        cb.open_field(tmp_path / "models.nc")
    one = cb.open_field(tmp_path / "models.nc", select={"model": "m2"})
    assert one.dims == ("time", "node")
    assert np.array_equal(one.values, field(seed=2).values)
    numbered = field().assign_coords(region=[0, 1, 2], abbrevs=("region", list(BOXES)))
    assert cb.to_nodes(cb.anomalies(numbered)).names == tuple(BOXES)


def test_bad_regions_are_named():
    gap = field()
    gap[2, 1] = np.nan
    with pytest.raises(ClimateBNError, match=r"1 missing values: 1 of 3 cells .* EUR in 1981-03"):
        cb.to_nodes(gap)
    with pytest.raises(ClimateBNError, match="'AFR' is there twice"):
        cb.to_nodes(field(names=("AFR", "AFR", "EUR")))
    with pytest.raises(ClimateBNError, match="polygons has none of the regions"):
        cb.to_nodes(field(), polygons={"OTHER": BOXES["AFR"]})
    with pytest.raises(ClimateBNError, match="the polygon of AFR must be"):
        cb.to_nodes(field(), polygons={"AFR": "POINT (1 1)"})
    with pytest.raises(ClimateBNError, match="polygons are for values of named regions"):
        cb.to_nodes(cb.load_ncep(), polygons=BOXES)
    with pytest.raises(ClimateBNError, match="no lat dimension found"):
        cb.regrid(field(), cb.Grid.regular(10))
