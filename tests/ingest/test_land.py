"""Land and ocean by the embedded coastline, and masks of one's own."""

import numpy as np
import pytest
import xarray as xr
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest import is_land

LAND = {
    "Paris": (48.9, 2.3), "Congo": (0, 25), "Chukotka west": (66, 178), "Chukotka east": (66, -178), "pole": (-89.9, 0),
    "Antarctica": (-80, 100), "Siberia": (60, 100), "Greenland": (75, -40), "Wrangel": (71.2, -179.5),
    "Perth": (-30, 120), "South Pole": (-90, 0), "Antarctica on the date line": (-85, 180),
    "Chukotka on it": (67.5, 180),
}  # fmt: skip
SEA = {
    "Pacific": (0, 180), "date line": (40, -180), "Atlantic": (30, -40), "Caspian": (42, 51), "Arctic": (89, 30),
    "Drake": (-60, -65), "Mediterranean": (35, 18), "Bering": (58, 180), "Arabian": (15, 65), "North Pole": (90, 0),
}  # fmt: skip


@pytest.mark.parametrize(("places", "land"), [(LAND, True), (SEA, False)])
def test_known_places(places, land):
    lat, lon = np.array(list(places.values()), dtype=float).T
    for turn in (0, 360):
        found = dict(zip(places, is_land(lat, lon + turn).tolist(), strict=True))
        assert found == dict.fromkeys(places, land)


def test_share_of_land():
    grid = cb.Grid.regular(2.5)
    lon, lat = np.meshgrid(grid.lon, grid.lat)
    assert (is_land(lat, lon) * grid.area).sum() == pytest.approx(0.29, abs=0.005)  # the Earth has 0.292


def test_land_and_ocean_share_the_field():
    field = cb.load_ncep()
    land, ocean = cb.mask(field, "land"), cb.mask(field, "ocean")
    np.testing.assert_array_equal(land.notnull() ^ ocean.notnull(), True)
    xr.testing.assert_equal(land.fillna(ocean), field)
    assert "mask(keep='land', cells=213)" in land.attrs["history"]
    round_lon = field.assign_coords(lon=field["lon"] % 360).sortby("lon").isel(lat=slice(None, None, -1))
    assert cb.to_nodes(cb.mask(round_lon, "land"), "drop_nodes").names == cb.to_nodes(land, "drop_nodes").names


def test_own_mask_is_found_by_its_coordinates():
    field = made_field()
    share = xr.DataArray(
        np.linspace(0, 1, 36).reshape(6, 6), coords={"lat": field["lat"].values, "lon": field["lon"].values}
    )
    kept = cb.mask(field, share)
    np.testing.assert_array_equal(kept.notnull().all("time").values, share.values >= 0.5)
    turned = share.assign_coords(lon=share["lon"] % 360).sortby("lon").isel(lat=slice(None, None, -1))
    np.testing.assert_array_equal(cb.mask(field, turned).values, kept.values)
    np.testing.assert_array_equal(cb.mask(field, share >= 0.5).values, kept.values)
    with pytest.raises(ClimateBNError, match="must lie on the field's own grid; its lon differs"):
        cb.mask(field, share.assign_coords(lon=share["lon"] + 5))
    with pytest.raises(ClimateBNError, match=r"shares from 0 to 1; this one has 0 … 100. Divide percentages by 100"):
        cb.mask(field, share * 100)
    with pytest.raises(ClimateBNError, match="leaves no cell"):
        cb.mask(field, share * 0)
    with pytest.raises(ClimateBNError, match="lat and lon alone"):
        cb.mask(field, field)
    for wrong in ("sea", None, 1, np.ones((6, 6))):
        with pytest.raises(ClimateBNError, match=r"'land', 'ocean' or a .{,120}$"):
            cb.mask(field, wrong)
