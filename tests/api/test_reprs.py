"""What objects show of themselves: one short line in a terminal, a box to fold out in a notebook, all escaped."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.html import box

VOID = {"br", "img", "meta"}


class Balanced(HTMLParser):
    """Collects the text, and fails on a tag that is not closed in its turn."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text = [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def objects():
    field = cb.anomalies(cb.load_ncep()).sel(lat=slice(-10, 10), lon=slice(-150, -100))
    data = cb.to_nodes(field.assign_attrs(title="<script>alert(1)</script>"))
    result = cb.learn(data, "tabu", cb.BIC(gamma=0.5), max_iter=5, progress=False)
    child = cb.reference_network("child")
    return {
        "NodeData": data,
        "LearnResult": result,
        "GaussianBN": cb.fit(result, data),
        "DiscreteBN": child,
        "CorrelationNetwork": cb.analysis.correlation_network(data, arcs=20),
        "Study": cb.study.find("climate"),
        "Ensemble": cb.ensemble(data, "hill_climbing", cb.BIC(gamma=1), resamples=2, progress=False),
    }


WORDS = {
    "NodeData": ["(time: 360, node: 10)", "History", "anomalies(", "<script>alert(1)</script>"],
    "LearnResult": ["tabu", "stopped", "max_iter", "BIC(gamma=0.5", "Notes"],
    "GaussianBN": ["10 nodes", "Learned", "algorithm", "fit(scale="],
    "DiscreteBN": ["20 nodes", "free probabilities", "230"],
    "CorrelationNetwork": ["10 nodes", "edges", "|correlation|"],
    "Study": ["climate", "algorithm × gamma", "max_seconds"],
    "Ensemble": ["2 members of hill_climbing", "BIC(gamma=1", "arcs", "History"],
}


@pytest.mark.parametrize("kind", WORDS)
def test_notebook_box(objects, kind):
    page = objects[kind]._repr_html_()
    assert "<script" not in page
    text = " ".join(Balanced(page).text)
    assert f"climatebn.{kind}" in text
    for words in WORDS[kind]:
        assert words in text


@pytest.mark.parametrize("kind", WORDS)
def test_one_short_line(objects, kind):
    assert repr(objects[kind]).startswith(f"{kind}(")
    assert len(repr(objects[kind])) < 180
    assert "\n" not in repr(objects[kind])


def test_empty_facts_and_sections_are_left_out():
    page = box("Thing", "a < b", {"one": 1, "none": None, "empty": ""}, {"Nothing": {}, "Lines": ["x & y"]})
    assert Balanced(page).text[1:] == ["climatebn.Thing", " a < b", "one", "1", "Lines", "x & y"]


@pytest.mark.parametrize("given", ["BIC", cb.BIC, cb.BIC(), None])
def test_a_criterion_by_name_or_class_is_its_default(given):
    data = np.random.default_rng(1).normal(size=(50, 3))
    result = cb.learn(data, "hill_climbing", given, progress=False)
    assert result.criterion == repr(cb.BIC())
    frame = pd.DataFrame({"a": list("xyxyxy"), "b": list("xyyxyx")})
    assert cb.learn(frame, "mmhc", "BDeu", test="G2", progress=False).criterion == f"{cb.BDeu()!r}, test={cb.G2()!r}"


def test_criteria_that_cannot_be_taken():
    data = np.random.default_rng(1).normal(size=(50, 3))
    for wrong, words in [
        ("BICC", "unknown criterion 'BICC'; did you mean 'BIC'"),
        (cb.DSeparation, "needs settings"),
        (int, "must be a score or a test"),
        (0.5, "must be a score or a test"),
    ]:
        with pytest.raises(cb.errors.ClimateBNError, match=words):
            cb.learn(data, "tabu", wrong)
