"""`climatebn bench lagged`: the simulated truth is a stable network with two parents a node, and is found again."""

import numpy as np

from climatebn.bench.lagged import compare, simulated


def test_truth_and_recovery():
    values, truth = simulated(10, 300, seed=1)
    assert values.shape == (300, 10)
    assert len(truth) == 20
    assert np.abs(values).max() < 20
    rows = list(compare(records=1, nodes=12, n=1500))
    assert [row.data for row in rows] == ["random 1", "tropics"]
    assert rows[0].precision >= 0.9
    assert rows[0].recall >= 0.9
    assert rows[1].arcs > 0
