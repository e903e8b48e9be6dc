"""Regions on maps: polygons cut at the seam, colours of their values, dots without polygons."""

import numpy as np
import pytest
import shapely
from cartopy.crs import PlateCarree, Robinson

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.outlines import as_outline
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.plot.region_shapes import map_shapes

PACIFIC = shapely.union_all([shapely.box(150, -10, 180, 10), shapely.box(-180, -10, -90, 10)])
EUROPE = shapely.box(-10, 35, 40, 70)
NODES = Nodes.of_regions(["PAC", "EUR"], [(0, -150), (52, 15)], [as_outline(PACIFIC), as_outline(EUROPE)])


def test_a_polygon_is_whole_where_the_map_is_not_cut_and_in_two_parts_where_it_is():
    text = [as_outline(PACIFIC)]
    (whole,), (cut,) = map_shapes(PlateCarree(180), text), map_shapes(PlateCarree(0), text)
    width = np.ptp(whole.vertices[:, 0])
    assert width == pytest.approx(120, abs=0.1)
    assert len(whole.to_polygons()) == 1
    assert len(cut.to_polygons()) == 2
    assert np.ptp(cut.vertices[:, 0]) > 350
    europe = map_shapes(Robinson(-160), [as_outline(EUROPE)])[0]  # its seam at 20°E goes through Europe
    assert len(europe.to_polygons()) == 2


def test_values_colour_polygons_and_missing_ones_are_hatched():
    drawn = cb.plot.field(NODES.to_xarray([1.0, np.nan], name="made up"))
    assert drawn.get_array().tolist() == [1.0]
    assert any(artist.get_label() == "no data" for artist in drawn.axes.collections)
    assert "hatched" in drawn.get_label()


def test_evidence_is_outlined_and_networks_show_the_regions():
    numbers = {"PAC": 0.0, "EUR": 0.0}, {"PAC": 1.0, "EUR": 1.0}
    from dataclasses import replace

    bn = replace(cb.GaussianBN.from_parameters(("PAC", "EUR"), {("PAC", "EUR"): 1.0}, *numbers), nodes=NODES)
    drawn = cb.plot.propagation(cb.propagate(bn, {"PAC": 2.0}))
    boxed = [artist for artist in drawn.axes.collections if artist.get_label() == "evidence"]
    assert len(boxed) == 1
    assert len(boxed[0].get_paths()) == 1
    shown = cb.plot.network(bn)
    assert any(len(artist.get_paths()) == 2 and artist.get_facecolor().size == 0 for artist in shown.axes.collections)


def test_regions_without_polygons_are_dots_and_without_places_an_error():
    drawn = cb.plot.field(Nodes.of_regions(["a", "b"], [(0, 0), (50, 0)]).to_xarray([1.0, 2.0]))
    assert len(drawn.get_offsets()) == 2
    with pytest.raises(ClimateBNError, match="no node with a value has a place"):
        cb.plot.field(Nodes.of_regions(["a", "b"], [None, None]).to_xarray([1.0, 2.0]), cb.plot.map_axes())
