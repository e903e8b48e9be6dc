"""What real calls are made with: 16 places, 20 years; everything takes milliseconds and is made when asked for."""

from functools import cached_property
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
from made_climate import made_climate

import climatebn as cb


class Made:
    """Data, graphs, networks and answers of every kind; ``folder`` is where calls may write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._folders = count()

    def new_folder(self) -> Path:
        """A folder that is not there yet."""
        return self.folder / f"new-{next(self._folders)}"

    def empty_folder(self) -> Path:
        """A new folder."""
        folder = self.new_folder()
        folder.mkdir()
        return folder

    @cached_property
    def field(self):
        return made_climate(years=20)

    @cached_property
    def anomaly(self):
        return cb.anomalies(self.field)

    @cached_property
    def data(self):
        return cb.to_nodes(self.anomaly)

    @cached_property
    def few(self):
        return self.data.select(["X3", "X4", "X7", "X8", "X11"])

    @cached_property
    def array(self):
        return np.array(self.few.values[:60])

    @cached_property
    def frame(self):
        return pd.DataFrame(self.array, columns=list("abcde"))

    @cached_property
    def categories(self):
        levels = np.array(["low", "mid", "high"])
        return pd.DataFrame({name: levels[np.digitize(column, [-0.3, 0.3])] for name, column in self.frame.items()})

    @cached_property
    def stats(self):
        return cb.GaussianStats.of(self.array, list("abcde"))

    @cached_property
    def discrete_stats(self):
        codes = np.column_stack([pd.Categorical(column).codes for _, column in self.categories.items()])
        return cb.DiscreteStats(codes, [3] * 5, list("abcde"))

    @cached_property
    def series(self):
        return cb.region_mean(self.anomaly, lat=(-10, 10), lon=(-170, -90))

    @cached_property
    def dag(self):
        return cb.Dag.from_arcs("abcde", [("a", "b"), ("b", "c"), ("d", "c"), ("a", "e")])

    @cached_property
    def pdag(self):
        return cb.Pdag.from_edges("abcde", [("a", "b"), ("c", "b")], [("c", "d")])

    @cached_property
    def result(self):
        return cb.learn(self.data, "tabu", cb.BIC(gamma=0.5), progress=False)

    @cached_property
    def small_result(self):
        return cb.learn(self.few, "hill_climbing", cb.BIC(), progress=False)

    @cached_property
    def network(self):
        return cb.fit(self.result, self.data, scale="sd")

    @cached_property
    def other_network(self):
        return cb.fit(cb.learn(self.data, "hill_climbing", cb.BIC(gamma=2), progress=False), self.data, scale="sd")

    @cached_property
    def plain_network(self):
        return cb.fit(self.dag, self.frame)

    @cached_property
    def discrete_network(self):
        return cb.fit(self.dag, self.categories)

    @cached_property
    def dynamic_network(self):
        learned = cb.learn(self.data, "hill_climbing", cb.BIC(gamma=1), lags=(1, 2), progress=False)
        return cb.fit(learned, self.data, scale="sd")

    @cached_property
    def correlations(self):
        return cb.analysis.correlation_network(self.data, arcs=20)

    @cached_property
    def ensemble(self):
        return cb.ensemble(
            self.data, "hill_climbing", cb.BIC(gamma=1), resamples=3, block=12, workers=1, progress=False
        )

    @cached_property
    def dynamic_ensemble(self):
        return cb.ensemble(
            self.data, "hill_climbing", cb.BIC(gamma=1), resamples=2, lags=(1,), workers=1, progress=False
        )

    @cached_property
    def answer(self):
        return cb.propagate(self.network, {"X3": 2.0})

    @cached_property
    def delayed_answer(self):
        return cb.propagate(self.dynamic_network, {"X3": 2.0}, horizon=2)

    @cached_property
    def null(self):
        return cb.distant_null(self.data, "hill_climbing", draws=2, regions=4, workers=1, progress=False)

    @cached_property
    def lagged_null(self):
        return cb.distant_null(self.data, "hill_climbing", draws=2, regions=4, lags=(0, 1), workers=1, progress=False)

    @cached_property
    def choice(self):
        return cb.choose_gamma(self.data, "hill_climbing", [0.5, 2], folds=3, workers=1, progress=False)

    @cached_property
    def comparison(self):
        models = {
            name: cb.to_nodes(cb.anomalies(made_climate(10, seed))) for seed, name in enumerate(["obs", "a", "b"])
        }
        return cb.compare(models, "obs", "hill_climbing", cb.BIC(gamma=1), resamples=2, workers=1, progress=False)

    @cached_property
    def hindcast(self):
        return cb.hindcast(
            self.field,
            ("1950", "1962"),
            ("1963", "1967"),
            leads=(1, 2),
            lags=(1,),
            members=2,
            base=("1950", "1962"),
            workers=1,
            progress=False,
        )

    @cached_property
    def study_table(self):
        rows = [
            (algorithm, gamma, order, 1000 * (1 + order), -50.0 * (gamma + 1), 20, 0.2, True)
            for algorithm in ("tabu", "pc_stable")
            for gamma in (0.0, 1.0)
            for order in (1, 2)
        ]
        names = ("algorithm", "gamma", "order", "calls", "loglik", "arcs", "vstructure_ratio", "valid")
        return pd.DataFrame(rows, columns=list(names))

    @cached_property
    def simulations(self):
        rows = [
            (network, size, algorithm, 0.1 * k + 0.2, 100 * (k + 1))
            for network in ("alarm", "insurance")
            for size in ("small", "large")
            for k, algorithm in enumerate(("tabu", "pc_stable"))
        ]
        return pd.DataFrame(rows, columns=["network", "size", "algorithm", "scaled_shd", "calls"])

    @cached_property
    def ranks(self):
        rows = [("bic", "calls", name, 1.0 + k, 2.0 - k, -1.0) for k, name in enumerate(("tabu", "pc_stable"))]
        return pd.DataFrame(rows, columns=["setting", "measure", "algorithm", "small", "large", "correlation"])

    @cached_property
    def files(self):
        """Files of every kind that can be read."""
        folder = self.folder / "given"
        folder.mkdir(exist_ok=True)
        self.field.to_netcdf(folder / "field.nc")
        self.network.save(folder / "network.nc")
        self.ensemble.save(folder / "ensemble.nc")
        self.result.save(folder / "result.json")
        cb.write_bif(self.discrete_network, folder / "network.bif")
        (folder / "regions.csv").write_text("Acronym,1,2,3\nEAST,0|0,10|0,10|10\n")
        (folder / "settings.toml").write_text("samples = 2\n")
        return folder
