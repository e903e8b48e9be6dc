"""Real calls: fields, grids, regions and nodes."""

import numpy as np
import xarray as xr
from made_objects import Made
from real_call import Call, call

import climatebn as cb

OUTLINE = "POLYGON ((0 0, 30 0, 30 30, 0 30, 0 0))"


def calls(made: Made) -> list[Call]:
    field, data, nodes = made.field, made.data, made.data.nodes
    regional = xr.DataArray(
        made.array, {"time": field["time"].values[:60], "region": list("abcde")}, ("time", "region"), name="t"
    )
    white = cb.whiten(data)
    region = cb.Region((-5, 5), (190, 240))
    return [
        call(cb.load_ncep, grid="regular", period="1981-2010"),
        call(cb.ingest.data_path, name="ncep_10deg_1981-2010.nc"),
        call(cb.open_field, source=made.files / "field.nc", variable="air", select=None, units="K"),
        call(cb.open_field, source=field, select={}, monthly=False, chunks=None),
        call(cb.open_field, source=field.to_dataset(), variable="air", chunks={"time": 60}),
        call(cb.anomalies, field=field, base=("1950", "1969"), standardize=True, detrend="linear"),
        call(cb.season_mean, field=made.anomaly, months="DJF"),
        call(cb.mask, field=field, keep="ocean"),
        call(cb.mask, field=field, keep=field.isel(time=0) > 0),
        call(cb.regrid, field=field, grid=cb.Grid(lat=[-5.0, 5.0], lon=[-100.0, 0.0, 100.0]), method="mean"),
        call(cb.region_mean, field=field, lat=(-10, 10), lon=(-170, -90)),
        call(cb.region_mean, field=field.to_dataset(), lat=(-10, 10), lon=(-170, -90)),
        call(cb.Grid, lat=np.array([-5.0, 5.0]), lon=np.array([-90.0, 0.0, 90.0])),
        call(cb.Grid.regular, degrees=30),
        call(cb.Grid.of, field=field),
        call(cb.Grid.paper),
        call(cb.Region, lat=(-5, 5), lon=(190, 240), name="nino"),
        call(region.rows, lat=np.array([-10.0, 0.0])),
        call(region.columns, lon=np.array([-150.0, 0.0])),
        call(cb.ingest.great_circle, lat1=0.0, lon1=10.0, lat2=np.array([5.0, 6.0]), lon2=np.array([5.0, 6.0])),
        call(cb.ingest.is_land, lat=[0.0, 48.0], lon=[-140.0, 2.0]),
        call(cb.ingest.read_polygons, path=made.files / "regions.csv"),
        call(cb.to_nodes, anomalies=made.anomaly, missing="raise", months="DJF"),
        call(cb.to_nodes, anomalies=made.anomaly.to_dataset(), missing="drop_nodes", whiten=True),
        call(cb.to_nodes, anomalies={"t": made.anomaly, "index": made.series}, degenerate="drop"),
        call(cb.to_nodes, anomalies=regional, polygons={"a": OUTLINE}),
        call(cb.effective_n, data=data),
        call(cb.gaussianity, data=data),
        call(cb.normal_scores, data=data),
        call(cb.lagged, data=data, lags=(0, 1)),
        call(cb.lagged, data=made.frame, lags=[1, 2]),
        call(cb.whiten, data=data, order="bic", max_order=3),
        call(cb.whiten, data=data, order=2, monthly_sd=False),
        call(white.whitening.restore, innovations=white),
        call(white.whitening.select, columns=np.array([0, 2])),
        call(cb.ingest.year_blocks, data=data),
        call(cb.NodeData, values=data.values, nodes=nodes, time=data.time, units="K", attrs={"history": "made"}),
        call(data.nearest, lat=-5.0, lon=225.0),
        call(data.select, names=["X3", "X1"]),
        call(data.sel, time=slice("1951", "1955"), months="DJF"),
        call(data.sel, time="1951", months=[12, 1]),
        call(data.with_index, nino=made.series, places={"nino": (0.0, -130.0)}),
        call(data.__getitem__, name="X3"),
        call(data.to_xarray, values=data.values[0], name="t"),
        call(data.distances),
        call(data.to_dataframe),
        call(
            cb.ingest.Nodes,
            names=("X1", "X2"),
            lat=np.array([-45.0, 45.0]),
            lon=np.array([0.0, 0.0]),
            grid_lat=np.array([-45.0, 45.0]),
            grid_lon=np.array([-90.0, 0.0]),
        ),
        call(cb.ingest.Nodes.of_regions, names=["east", "west"], places=[(0, 90), (0, -90)], polygons=[OUTLINE, ""]),
        call(nodes.layer, variable="", lag=0),
        call(nodes.nearest, lat=0.0, lon=0.0),
        call(nodes.positions, names=["X1"]),
        call(nodes.select, names=["X2", "X1"]),
        call(nodes.with_more, names=["nao"], places=[(40.0, 0.0)]),
        call(nodes.with_past, lags=[1, 2]),
        call(nodes.to_xarray, values=np.ones((2, 16)), dims=("time",), coords={"time": [1, 2]}, name="t"),
        call(nodes.areas),
        call(nodes.distances),
        call(nodes.poles),
    ]
