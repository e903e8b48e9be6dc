"""A criterion and an algorithm of one's own: one file and one line each, and everything takes them."""

import importlib.util
import sys

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

import climatebn as cb
from climatebn.cli import group
from climatebn.criterion.registry import CRITERIA
from climatebn.learning.registry import ALGORITHMS, Algorithm
from climatebn.plot.style import style_of
from climatebn.study.climate.study import ClimateConfig

CRITERION = '''
"""Log-likelihood less one and a half for each parent."""
from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class Flat:
    price: float = 1.5
    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    equivalent: ClassVar[bool] = True

    def local(self, stats, node, parents):
        own = list(parents)
        v = stats.cov[node, node]
        if own:
            v -= stats.cov[node, own] @ np.linalg.solve(stats.cov[np.ix_(own, own)], stats.cov[own, node])
        return -stats.n / 2 * np.log(v) - self.price * len(own)
'''

ALGORITHM = '''
"""Each node and the one before it are joined where that pays."""
from climatebn.learning.problem import Outcome


def chain(problem, *, candidates=None, step: int = 1):
    """A chain.

    Parameters
    ----------
    candidates : pairs that may be joined, True at [from, to].
    step : how many columns back the parent stands.
    """
    stats, score = problem.stats, problem.score
    pairs = [(i - step, i) for i in range(step, len(stats.names))]
    if candidates is not None:
        pairs = [pair for pair in pairs if candidates[pair]]
    gains = [score.local(stats, b, [a]) - score.local(stats, b, []) for a, b in pairs]
    return Outcome([pair for pair, gain in zip(pairs, gains) if gain > 0], calls={"chain": len(pairs)})
'''


@pytest.fixture(autouse=True)
def registered(tmp_path, monkeypatch):
    """The two files, and the line of each in its registry."""
    for name, source in (("climatebn.criterion.flat", CRITERION), ("climatebn.learning.score.chain", ALGORITHM)):
        path = tmp_path / f"{name}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    monkeypatch.setitem(CRITERIA, "Flat", "flat")
    monkeypatch.setitem(ALGORITHMS, "chain", Algorithm("score", "score.chain", "a chain of columns", "Chain"))


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-10, 10), lon=slice(-150, -100)))


@pytest.mark.parametrize("algorithm", ["hill_climbing", "tabu", "ges", "annealing", "pc_stable", "mmhc", "chain"])
def test_the_criterion_works_with_every_class_of_algorithms(data, algorithm):
    result = cb.learn(data, algorithm, "Flat", progress=False)
    assert result.criterion == "Flat(price=1.5)"
    assert result.graph.skeleton
    assert "score; fits all algorithms; gaussian data" in cb.criteria()["Flat"]


@pytest.mark.parametrize("criterion", ["BIC", "BGe", "Flat"])
def test_the_algorithm_works_with_every_score(data, criterion, tmp_path):
    result = cb.learn(data, "chain", criterion, order=3, progress=False)
    assert result.calls == len(data.names) - 1
    assert result.score is not None
    cb.fit(result, data).save(tmp_path / "n.nc")
    assert cb.load_network(tmp_path / "n.nc").learned["algorithm"] == "chain"
    assert cb.learn(data, "rsmax2", criterion, maximise="chain", progress=False).valid


def test_lists_figures_and_studies_know_the_algorithm():
    assert cb.algorithms()["chain"] == "score: a chain of columns"
    assert cb.algorithms("chain")["step"] == "int = 1: how many columns back the parent stands."
    assert (style_of("chain").label, style_of("chain").line) == ("Chain", "-")
    assert ClimateConfig(algorithms=("chain",)).algorithms == ("chain",)


def test_the_terminal_knows_both(tmp_path):
    values = np.random.default_rng(1).normal(280, 1, (36, 2, 3))
    values[:, :, 1] += values[:, :, 0]
    coords = {"time": xr.date_range("2000-01", periods=36, freq="MS"), "lat": [-10.0, 10.0], "lon": [0.0, 20.0, 40.0]}
    xr.DataArray(values, coords, name="t", attrs={"units": "K"}).to_netcdf(tmp_path / "t.nc")
    command = ["learn", str(tmp_path / "t.nc"), "--algorithm", "chain", "--criterion", "Flat", "--option", "step=2"]
    outcome = CliRunner().invoke(group, [*command, "--out", str(tmp_path / "n.nc")])
    assert outcome.exit_code == 0, outcome.output
    assert "chain, Flat(price=1.5)" in outcome.output
