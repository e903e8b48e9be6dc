"""Resampled years: repeated observations do not let a search run away to as many parents as there are distinct ones."""

import numpy as np
import pytest

import climatebn as cb
from climatebn.learning.score.limits import PER_PARENT

YEARS, NODES = 20, 40


@pytest.fixture(scope="module")
def years():
    """A record with more columns, present and past, than distinct months, and a draw of 9 of its 20 years."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(12 * YEARS, NODES))
    for t in range(1, len(x)):
        x[t] += 0.4 * x[t - 1]
    table = cb.lagged(x, (1, 2, 3))
    drawn = np.concatenate([np.arange(9), rng.integers(9, size=YEARS - 9)])
    rows = (12 * drawn[:, None] + np.arange(12)).ravel()
    return table.to_numpy()[rows[rows < len(table)]], tuple(table.columns)


def stats_of(years, told=True):
    values, names = years
    distinct = len(np.unique(values, axis=0)) if told else None
    return cb.GaussianStats.of(values, names, distinct=distinct)


def most_of(result):
    return max(map(len, result.dag.numbered_parents))


@pytest.mark.parametrize("algorithm", ["hill_climbing", "tabu", "ges", "boss"])
def test_a_node_has_a_parent_for_each_four_distinct_months(years, algorithm):
    stats = stats_of(years)
    options = {"rounds": 0} if algorithm == "boss" else {}
    lags = (0, 1, 2, 3) if algorithm == "ges" else (1, 2, 3)
    found = cb.learn(stats, algorithm, cb.BIC(), lags=lags, progress=False, **options)
    assert most_of(found) == stats.distinct // PER_PARENT == 27
    if algorithm != "boss":
        said = f"{stats.n} observations, {stats.distinct} of them distinct, allow 27 parents; reached by"
        assert any(note.startswith(said) for note in found.notes)


def test_without_the_limit_the_search_runs_away(years, monkeypatch):
    """Nodes end with about as many parents as rows can tell apart: what the limit is there for."""
    monkeypatch.setattr("climatebn.learning.score.limits.PER_PARENT", 1)
    away = cb.learn(stats_of(years), "hill_climbing", cb.BIC(), lags=(1, 2, 3), progress=False)
    assert most_of(away) > 0.7 * stats_of(years).distinct


def test_observations_that_all_differ_are_learned_from_as_ever(years):
    values, names = years
    values = values + np.random.default_rng(1).normal(size=values.shape)
    plain, told = (
        cb.learn(
            cb.GaussianStats.of(values, names, distinct=number),
            "tabu",
            cb.BIC(gamma=0.5),
            lags=(1, 2, 3),
            progress=False,
        )
        for number in (None, len(values))
    )
    assert plain.dag == told.dag


def test_a_smaller_limit_of_the_user_holds(years):
    known = cb.Knowledge(max_parents=5)
    found = cb.learn(stats_of(years), "hill_climbing", cb.BIC(), lags=(1, 2, 3), knowledge=known, progress=False)
    assert most_of(found) == 5
    assert not [note for note in found.notes if "allow" in note]
