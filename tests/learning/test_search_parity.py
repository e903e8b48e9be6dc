"""Hill climbing and tabu on Gaussian data: bnlearn's arcs, and its number of score differences to the unit."""

import pytest
from references import frame, numbers, runs

import climatebn as cb

SEARCHES = {
    "hc": ("hill_climbing", lambda gamma: cb.BIC(gamma, variance="unbiased")),
    "tabu": ("tabu", lambda gamma: cb.BIC(gamma, variance="unbiased")),
    "hc_bge": ("hill_climbing", lambda gamma: cb.BGe()),
    "tabu_bge": ("tabu", lambda gamma: cb.BGe()),
}
CASES = [
    pytest.param(name, key, run, id=f"{name}-{key}-{run['gamma']}")
    for name in ("gauss8", "gauss25", "gauss60", "ncep72", "ncep648")
    for key in SEARCHES
    for run in runs(name, key)
]


def test_all_reference_runs_are_compared():
    kept = {(case.values[0], case.values[1], case.values[2]["gamma"]) for case in CASES}
    assert len(kept) == len(CASES) == 3 * 4 * 2 + 4 * 3 + 2 * 2
    assert {("ncep648", key, gamma) for key in ("hc", "tabu") for gamma in (10, 20)} <= kept
    assert {run["algorithm"] for run in numbers("ncep648")["runs"]}.isdisjoint({"hc_bge", "tabu_bge"})


@pytest.mark.parametrize(("name", "key", "run"), CASES)
def test_arcs_and_calls_equal_bnlearn(name, key, run):
    algorithm, criterion = SEARCHES[key]
    result = cb.learn(frame(name), algorithm, criterion(run["gamma"]), progress=False)
    assert sorted(result.dag.arcs) == sorted(map(tuple, run["directed"]))
    assert result.calls == result.calls_bnlearn == run["ntests"]
    assert result.notes == ()
