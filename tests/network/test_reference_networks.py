"""The fourteen reference networks: their published sizes, and what they draw."""

import numpy as np
import pytest
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network.reference import DISCRETE, GAUSSIAN

SIZES = {  # nodes, arcs, parameters
    "alarm": (37, 46, 509),
    "andes": (223, 338, 1157),
    "child": (20, 25, 230),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "munin1": (186, 273, 15622),
    "pathfinder": (109, 195, 72079),
    "pigs": (441, 592, 5618),
    "water": (32, 66, 10083),
    "win95pts": (76, 112, 574),
    "arth150": (107, 150, 364),
    "ecoli70": (46, 70, 162),
    "magic-irri": (64, 102, 230),
    "magic-niab": (44, 66, 154),
}


@pytest.mark.parametrize("name", DISCRETE + GAUSSIAN)
def test_sizes(name):
    network = cb.reference_network(name)
    assert (len(network.names), len(network.dag.arcs), network.parameters) == SIZES[name]
    assert isinstance(network, cb.DiscreteBN if name in DISCRETE else cb.GaussianBN)


def test_there_are_fourteen():
    assert set(DISCRETE + GAUSSIAN) == set(SIZES)
    with pytest.raises(ClimateBNError, match="unknown reference network 'alram'; did you mean 'alarm'"):
        cb.reference_network("alram")
    assert cb.reference_network("ALARM").names == cb.reference_network("alarm").names


@pytest.mark.parametrize(("name", "reference"), [("alarm", "alarm_800"), ("child", "child_600")])
def test_bnlearn_drew_its_samples_from_the_same_tables(name, reference):
    """Integer codes of the reference count levels from 1 (alphabetical there), so compare sorted frequencies."""
    network, data = cb.reference_network(name), frame(reference)
    assert set(data.columns) == set(network.names)
    for node, chances in network.condition({}).items():
        found = np.sort(data[node].value_counts(normalize=True).to_numpy())
        expected = np.sort(chances.to_numpy())
        assert np.abs(found - expected[len(expected) - len(found) :]).max() < 0.07, node


def test_a_gaussian_network_draws_what_its_covariance_says():
    network = cb.reference_network("magic-niab")
    sample = network.sample(100_000, seed=1).to_numpy()
    sd = np.sqrt(network.variances())
    assert np.abs(sample.mean(axis=0) - network.mean).max() < 0.02 * sd.max()
    assert np.abs(np.cov(sample.T) / np.outer(sd, sd) - network.covariance() / np.outer(sd, sd)).max() < 0.02


def test_parameters_are_those_of_the_sources():
    alarm, pathfinder = cb.reference_network("alarm"), cb.reference_network("pathfinder")
    assert alarm.tables[alarm.names.index("HISTORY")].tolist() == [[0.9, 0.1], [0.01, 0.99]]
    fault = pathfinder.tables[pathfinder.names.index("Fault")]
    assert fault.shape == (63,)
    assert fault[:3] == pytest.approx([0.02075119, 0.00103756, 0.0103756], abs=1e-8)
    irri = cb.reference_network("magic-irri")
    assert dict(zip(irri.dag.arcs, irri.arc_coefficients, strict=True))["HT", "YLD"] == pytest.approx(0.0155)
    arth = cb.reference_network("arth150")
    node = arth.names.index("8")
    assert (arth.intercepts[node], arth.residual_variances[node]) == pytest.approx((9.3099, 0.0219))
