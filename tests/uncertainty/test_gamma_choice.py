"""The choice of γ: by held-out likelihood with paired errors, or by the share of false long arcs."""

import numpy as np
import pytest
from made_data import chain, node_data

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.uncertainty.folds import standardised, year_folds
from climatebn.uncertainty.gamma_choice import _by_likelihood

QUIET = {"progress": False}


@pytest.fixture(scope="module")
def data():
    return node_data(chain(240, 30, 3))


def test_scores_are_held_out_likelihoods(data):
    found = cb.choose_gamma(data, "hill_climbing", gammas=(0, 2, 40), folds=4, **QUIET)
    scores = []
    for rows in year_folds(data, 4):
        seen, fresh = standardised(data, rows)
        bn = cb.fit(cb.learn(seen.values, "hill_climbing", cb.BIC(gamma=2), **QUIET).dag, seen.values)
        scores.append(bn.loglik(fresh) / len(fresh))
    row = found.table.set_index("gamma").loc[2.0]
    assert row["score"] == pytest.approx(np.mean(scores))
    assert found.best in (0.0, 2.0)
    assert found.table["arcs"].is_monotonic_decreasing
    assert found.best <= found.parsimonious < 40


def test_one_standard_error_is_that_of_paired_differences():
    common = np.array([0.0, 50.0, -40.0, 10.0])  # folds differ far more than γ do
    offsets = np.array([[0.0] * 4, [1.0, 1.1, 0.9, 1.0], [0.9, 1.2, 0.8, 1.0], [-5.0] * 4])
    score = common + offsets
    found = _by_likelihood([0.0, 1.0, 2.0, 3.0], score, np.zeros((4, 4)))
    assert found.best == 1.0
    assert found.parsimonious == 2.0  # 3 is within the raw standard error, not within the paired one
    assert found.table["se"].iloc[0] > 10


def test_false_arcs_stop_at_the_smallest_gamma_that_keeps_the_share():
    values = np.random.default_rng(2).normal(size=(240, 60))
    values[:, 50] += 2 * values[:, 3]
    data = node_data(values)
    asked = {"by": "false_arcs", "draws": 3, "min_km": 3000, "seed": 1, **QUIET}
    found = cb.choose_gamma(data, "hill_climbing", (0, 0.5, 1, 2, 3, 4), share=0.3, **asked)
    assert (found.table["share"].iloc[:-1] > 0.3).all()
    assert found.table["share"].iloc[-1] <= 0.3
    assert found.best == found.parsimonious == found.table["gamma"].iloc[-1]
    with pytest.raises(ClimateBNError, match="no γ of the grid up to 0 brings"):
        cb.choose_gamma(data, "hill_climbing", (0,), share=0.01, **asked)
    assert "false" in found.by
    assert len(cb.plot.gamma_choice(found).lines) > 1


def test_the_figure_marks_the_choice(data):
    found = cb.choose_gamma(data, "hill_climbing", gammas=(0, 2), folds=3, **QUIET)
    ax = cb.plot.gamma_choice(found)
    assert f"best: γ = {found.best:g}" in [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gammas": ()}, "gammas must be finite numbers ≥ 0, one or more"),
        ({"gammas": (-1,)}, "gammas must be finite numbers ≥ 0"),
        ({"gammas": ("a",)}, "gammas must be numbers"),
        ({"by": "aic"}, "unknown by 'aic'"),
        ({"folds": 1}, "folds must be 2 … 20"),
        ({"by": "false_arcs", "share": 2}, "share must lie between 0 and 1"),
    ],
)
def test_wrong_arguments(data, arguments, message):
    with pytest.raises(ClimateBNError, match=message):
        cb.choose_gamma(data, "hill_climbing", **{**QUIET, **arguments})


def test_years_need_dates(data):
    with pytest.raises(ClimateBNError, match="held-out years need dates"):
        cb.choose_gamma(data.values, "hill_climbing")
