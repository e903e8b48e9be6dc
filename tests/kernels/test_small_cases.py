"""Every algorithm on small data gives the stored arcs, compiled or not: with NUMBA_DISABLE_JIT=1 kernels run as Python.

``python tests/kernels/test_small_cases.py`` stores them anew, from compiled code, after a wanted change.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import climatebn as cb

STORED = Path(__file__).with_name("small_cases.json")
CRITERIA = {
    "gaussian": {
        "score": cb.BIC(gamma=0.5),
        "other score": cb.BGe(),
        "test": cb.FisherZ(0.05),
        "other test": cb.StudentT(),
    },
    "discrete": {
        "score": cb.BDeu(),
        "other score": cb.BIC(),
        "test": cb.G2(0.05, df="adjusted"),
        "other test": cb.ChiSquare(),
    },
}
TESTS_TOO = ("pc_stable", "grow_shrink", "inter_iamb", "mmpc", "hpc", "si_hiton_pc")
OPTIONS = {"annealing": {"sweeps": 2, "restarts": 0}, "boss": {"patience": 1, "rounds": 1}}
CASES = [
    (kind, algorithm, criterion)
    for kind in CRITERIA
    for algorithm in cb.algorithms()
    for criterion in CRITERIA[kind]
    if algorithm in TESTS_TOO or "test" not in criterion
]


def sample(kind):
    """60 rows of six nodes: a chain, a collider and a node apart."""
    random = np.random.default_rng(3)
    a, b, e = random.normal(size=(3, 60))
    c = a + b + 0.7 * random.normal(size=60)
    d = c + random.normal(size=60)
    f = 0.8 * d + 0.5 * a + random.normal(size=60)
    values = np.column_stack([a, b, c, d, e, f])
    if kind == "gaussian":
        return cb.GaussianStats.of(values, list("abcdef"))
    return cb.DiscreteStats(np.digitize(values, [-0.5, 0.5]), [3] * 6, list("abcdef"))


def learned(kind, algorithm, criterion):
    """The edges that an algorithm finds, and how much it asked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cb.errors.ClimateBNWarning)
        result = cb.learn(
            sample(kind), algorithm, CRITERIA[kind][criterion], seed=1, progress=False, **OPTIONS.get(algorithm, {})
        )
    edges = [f"{x}→{y}" for x, y in result.graph.arcs] + [f"{x}–{y}" for x, y in result.graph.undirected]
    return {"edges": " ".join(edges), "calls": result.calls}


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_arcs_are_the_stored_ones(case):
    assert learned(*case) == json.loads(STORED.read_text(encoding="utf-8"))[", ".join(case)]


if __name__ == "__main__":
    found = {", ".join(case): learned(*case) for case in CASES}
    STORED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
