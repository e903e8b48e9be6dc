"""Constraint-based and hybrid learners against bnlearn 5.2.1: skeleton, directed arcs, number of tests."""

import pytest
from references import frame, runs

import climatebn as cb
from climatebn.criterion.bridge import as_test
from climatebn.learning.api import to_stats

NAMES = {
    "pc": "pc_stable",
    "gs": "grow_shrink",
    "inter_iamb": "inter_iamb",
    "mmpc": "mmpc",
    "hpc": "hpc",
    "si_hiton_pc": "si_hiton_pc",
    "mmhc": "mmhc",
    "h2pc": "h2pc",
    "rsmax2": "rsmax2",
}


def pairs(edges):
    return {frozenset(edge) for edge in edges}


# bnlearn's PC does not end on all 648 nodes; SI-HITON-PC was not run on them.
CASES = [(data, name) for data in ("gauss8", "gauss25", "gauss60", "ncep72") for name in NAMES]
CASES += [("ncep648", name) for name in NAMES if name not in ("pc", "si_hiton_pc", "rsmax2")]


@pytest.mark.parametrize(("data", "algorithm"), CASES)
def test_equals_bnlearn(data, algorithm):
    stats = to_stats(frame(data))
    assert runs(data, algorithm)
    for run in runs(data, algorithm):
        result = cb.learn(stats, NAMES[algorithm], cb.BIC(run["gamma"], variance="unbiased"), progress=False)
        assert pairs(result.graph.skeleton) == pairs(run["directed"]) | pairs(run["undirected"])
        assert set(result.graph.directed) == {tuple(arc) for arc in run["directed"]}
        assert result.calls_bnlearn == run["ntests"]
        assert sum(result.phase_calls_bnlearn.values()) == run["ntests"]
        assert (result.calls < run["ntests"]) == (algorithm not in ("si_hiton_pc", "rsmax2"))  # no bare tests there


def test_level_of_reference_runs_is_the_matched_test():
    stats = to_stats(frame("gauss8"))
    test = as_test(cb.BIC(0.5))
    alpha = runs("gauss8", "pc")[1]["alpha"]
    for x, y, given in [(0, 1, []), (2, 3, [1]), (4, 7, [0, 5])]:
        assert test.dependent(stats, x, y, given) == cb.G2(alpha).dependent(stats, x, y, given)
        assert test.evidence(stats, x, y, given) == pytest.approx(cb.G2(alpha).evidence(stats, x, y, given), abs=1e-9)
