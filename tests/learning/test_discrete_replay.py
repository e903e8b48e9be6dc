"""Arcs and calls of discrete runs are those of climatebn before its discrete tests were compiled."""

import hashlib
import json

import pytest
from references import FOLDER

import climatebn as cb
from climatebn.rng import generator

RUNS = json.loads((FOLDER / "discrete_runs.json").read_text())
CRITERIA = {"g2": cb.G2(0.01), "x2": cb.ChiSquare(0.01), "bic": cb.BIC(), "bdeu": cb.BDeu(prior="vsp")}
HYBRID = ("mmhc", "h2pc", "rsmax2")


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("network", sorted({run["network"] for run in RUNS}))
def test_as_before(network, criterion):
    runs = [run for run in RUNS if (run["network"], run["criterion"]) == (network, criterion)]
    assert runs
    for run in runs:
        stats = cb.reference_network(network).sample_stats(run["n"], generator(1, "discrete bench", network))
        tested = criterion in ("g2", "x2")
        score = cb.BIC() if tested and run["algorithm"] in (*HYBRID, "tabu") else CRITERIA[criterion]
        test = CRITERIA[criterion] if tested and run["algorithm"] in HYBRID else None
        result = cb.learn(stats, run["algorithm"], score, test=test, progress=False)
        edges = [sorted(map(list, some)) for some in (result.graph.directed, result.graph.undirected)]
        digest = hashlib.sha256(json.dumps(edges).encode()).hexdigest()[:16]
        found = result.calls, result.calls_bnlearn, len(result.graph.skeleton), digest
        assert found == (run["calls"], run["calls_bnlearn"], run["edges"], run["sha"]), run
