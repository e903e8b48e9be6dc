"""The question of the main job in words, and what follows El Niño."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.study.showcase.delay import FRESH, LASTING, ONE_MONTH, Delay, in_words
from climatebn.study.showcase.findings import _neighbours
from climatebn.study.showcase.question import question

BOX = cb.Region(lat=(-5, 5), lon=(-170, -120))


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


@pytest.mark.parametrize(
    ("evidence", "words", "el_nino", "address"),
    [
        (None, "X81 (5°S 135°W) = +2 sd", True, "X81:2"),
        ({"nino34": 2.0}, "Niño 3.4 (5°S–5°N 170°W–120°W) = +2 sd", True, "nino34:2"),
        ({BOX: -1.0}, "5°S–5°N 170°W–120°W = −1 sd", False, "-5/5/-170/-120:-1"),
        ({"nino34": (1.0, None)}, "Niño 3.4 (5°S–5°N 170°W–120°W) ≥ +1 sd", True, ""),
        ({"X81": 2.0, "X300": 1.0}, "X81 (5°S 135°W) = +2 sd, X300 (25°N 15°W) = +1 sd", False, "X81:2,X300:1"),
    ],
)
def test_evidence_in_words_and_in_an_address(data, evidence, words, el_nino, address):
    asked = question(evidence, data)
    assert asked.words == words
    assert asked.el_nino is el_nino
    assert asked.address() == address


def test_the_series_of_a_region_is_its_index_in_sd(data):
    series = question({"nino34": 2.0}, data).series()[:, 0]
    index = cb.region_mean(cb.anomalies(cb.load_ncep()), BOX.lat, BOX.lon).values
    np.testing.assert_allclose(series, (index - index.mean()) / index.std(ddof=1), atol=1e-9)


def test_a_field_without_the_pacific_has_a_question_of_its_own():
    north = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=slice(30, 80))))
    asked = question(None, north)
    share = (np.corrcoef(north.values.T) ** 2).mean(axis=0)
    assert asked.evidence == {north.names[int(share.argmax())]: 2.0}
    assert "does not reach 5°S 135°W" in asked.note
    with pytest.raises(ClimateBNError, match="unknown evidence node 'X9999'"):
        question({"X9999": 1.0}, north)


def test_the_delayed_answer_in_words():
    leads = pd.DataFrame({"lead": [0, 1, 2], "mean": [0.01, 0.1, 0.2], "sd": [0.1, 0.02, 0.1]})
    table = leads.assign(low=leads["mean"] - leads["sd"], high=leads["mean"] + leads["sd"])
    said = in_words(Delay({FRESH: table, LASTING: table[1:], ONE_MONTH: table[2:]}, 216, 10))
    assert "rises by +0.100 [+0.080, +0.120] in the same month" in said
    assert "says +0.200 [+0.100, +0.300]." in said
    assert "has +0.010 [−0.090, +0.110], which may be nothing; after 1 month it is +0.100" in said
    assert said.endswith("[+0.080, +0.120].")


@pytest.mark.parametrize(
    ("rises", "words"), [([0.8, 0.75], "both of"), ([0.73, 0.61], "one of"), ([-0.1, -0.1], "none")]
)
def test_neighbours_of_the_evidence_in_words(rises, words):
    near = pd.DataFrame({"name": ["X8", "X9"], "difference": rises})
    told = _neighbours([SimpleNamespace(label="tabu", near=lambda: near)])
    assert told.meaning.startswith(f"in tabu {words}")
