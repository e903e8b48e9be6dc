"""Parts of how sure the main job is: links that remain and their supports, what was observed, who tells more."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.study.showcase.composite import _alike
from climatebn.study.showcase.remaining import Remaining, remaining, supports, varying
from climatebn.study.showcase.skill_section import skill_section, verdict


@pytest.fixture(scope="module")
def equator():
    """Places on the equator, 10° (1112 km) apart."""
    lon = np.arange(-180.0, 180, 10)
    values = np.random.default_rng(1).normal(size=(24, 1, 36))
    coords = {"time": cb.load_ncep()["time"][:24], "lat": [0.0], "lon": lon}
    return cb.to_nodes(xr.DataArray(values, coords=coords, dims=("time", "lat", "lon")))


def test_support_of_a_link_and_of_its_neighbourhood(equator):
    none = np.zeros((0, 2), dtype=int)
    graphs = [
        (np.array([[0, 10], [3, 4]]), none),
        (none, np.array([[10, 0]])),  # the same link, without direction
        (np.array([[11, 1]]), none),  # neighbours of both ends
        (np.array([[0, 13], [2, 10]]), none),  # one end 3336 km, or 2224 km, off
    ]
    links = pd.DataFrame({"source": [equator.names[0]], "target": [equator.names[10]]})
    own, near = supports(links, SimpleNamespace(graphs=graphs), equator)
    assert own.tolist() == [0.5]
    assert near.tolist() == [0.75]


def test_places_that_freeze_in_some_month_are_left_out_of_whitening(equator):
    """A sea under ice each January: whitening refused the whole field, and the report had no long arcs."""
    values = equator.values.copy()
    values[0::12, 7] = 1e-17
    values[0::12, 20] = -1.8
    frozen = replace(equator, values=values)
    with pytest.raises(ClimateBNError, match=r"is constant in some month\. Leave such places out \(data\.select\)"):
        cb.whiten(replace(frozen, values=np.tile(values, (3, 1)), time=cb.load_ncep()["time"].values[:72]), order=1)
    kept, note = varying(frozen)
    assert len(kept.names) == 34
    assert {"X8", "X21"} == set(frozen.names) - set(kept.names)
    assert note == "2 places do not vary in some calendar month, left out where persistence is removed: X8, X21"
    assert varying(equator) == (equator, "")


def test_links_that_remain_have_the_names_of_places_that_are_kept():
    """Learned from numbers alone, links between the places left were named X1 … XN, which the places are not."""
    field = cb.load_ncep().sel(lat=[-25, -5, 5, 25])
    whole = cb.to_nodes(cb.anomalies(field))
    data = whole.select([name for name in whole.names if name not in ("X3", "X40")])
    found = remaining(data, "hill_climbing", 2, 2, {"seed": 1, "workers": 1, "progress": False})
    assert set(found.links["source"]) | set(found.links["target"]) <= set(data.names)
    assert len(found.links) > 0


def test_a_share_of_no_false_one_is_told_by_what_it_is_below():
    null = SimpleNamespace(scales=np.array([1.2, 1.2]), null=np.zeros(2))
    links = pd.DataFrame({"fdr": [0.0, 0.0, 0.0, 0.31]})
    found = Remaining(SimpleNamespace(null=null), links, members=4)
    assert found.false_shares() == ["≤ 0.20", "≤ 0.20", "≤ 0.20", "0.31"]  # 1.2 / (2 draws × 3 links)
    weaker = Remaining(SimpleNamespace(null=null), links.replace(0.31, 0.031), members=4)
    assert weaker.false_shares() == ["≤ 0.04", "≤ 0.04", "≤ 0.04", "0.03"]  # a stronger link is no less sure


def test_a_map_of_half_the_amplitude():
    seen = np.array([1.0, -1.0, 2.0, 0.0])
    assert _alike(seen, seen / 2, np.ones(4)) == pytest.approx((1.0, 0.5))
    pattern, _ = _alike(seen, np.array([1.0, -1.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0]))
    assert pattern == pytest.approx(1.0)  # places without area do not count


def test_who_tells_more_is_said_by_paired_errors():
    rows = [("ensemble", 1, 0.02, 0.0, 0.0), ("other", 1, 0.019, -0.001, 0.0006), ("third", 1, 0.01, -0.01, 0.001)]
    table = pd.DataFrame(rows, columns=["model", "places", "gain", "ahead", "ahead_se"])
    words, shown = skill_section(table, "tabu (γ = 0.5)", 10)
    assert "not clearly ahead: other is within two standard errors (1)." in words
    assert "10 members of tabu (γ = 0.5)" in words
    assert "0.0100 (−0.0100\u00a0±\u00a00.0010)" in shown
    ahead = verdict(table[table["model"] == "third"])
    assert ahead == "It is ahead of every other model by more than two standard errors, for every number of places."
