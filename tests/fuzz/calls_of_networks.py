"""Real calls: fitted networks of every kind, their questions and their files."""

import numpy as np
from made_objects import Made
from real_call import Call, Fresh, call
from scipy.sparse import csc_array

import climatebn as cb


def calls(made: Made) -> list[Call]:
    return [*_fitting(made), *_gaussian(made), *_discrete(made), *_in_time(made), *_files(made)]


def _fitting(made: Made) -> list[Call]:
    names = ("a", "b")
    numbers = {"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
    pair, one = cb.Dag.from_arcs(names, [names]), np.ones(2)
    parts = {"intercepts": 0 * one, "residual_variances": one, "centre": 0 * one, "spread": one}
    weights = csc_array(([2.0], ([0], [1])), shape=(2, 2))
    return [
        call(cb.fit, structure=made.dag, data=made.frame, scale="sd", variance="unbiased"),
        call(cb.fit, structure=made.small_result, data=made.few),
        call(cb.fit, structure=made.dag, data=made.categories),
        call(cb.fit, structure=made.dag, data=made.stats),
        call(cb.GaussianBN, dag=pair, coefficients=weights, **parts),
        call(
            cb.GaussianBN.from_parameters,
            names=names,
            coefficients={names: 2.0},
            intercepts=numbers[0],
            variances=numbers[1],
        ),
        call(cb.DiscreteBN, dag=pair, levels=[("no", "yes")] * 2, tables=[[0.8, 0.2], [[0.9, 0.1], [0.0, 1.0]]]),
        call(cb.DiscreteBN.fit, dag=made.dag, data=made.categories, iss=1.0),
        call(cb.reference_network, name="child"),
        call(cb.Combination, parts={"X1": 1, (0.0, 90.0): -1}, name="dipole"),
    ]


def _gaussian(made: Made) -> list[Call]:
    network, plain, chosen = made.network, made.plain_network, made.network.condition({"X3": 2.0})
    evidence = {"X3": 2.0, (5.0, 10.0): -1.0}
    return [
        call(network.condition, evidence=evidence, units="sd"),
        call(network.condition, evidence={cb.Region((-10, 10), (-170, -90)): (1.0, None)}),
        call(network.condition, evidence=made.anomaly.isel(time=3) / 10),
        call(plain.condition, evidence={"a": 1.0}, units="data"),
        call(network.probability, events={"X5": (1, None), "X6": (None, 1)}, given={"X3": 1.0}, units="sd"),
        call(network.do, values={"X3": 1.0}, units="sd"),
        call(network.sample, n=5, seed=1, units="data", given={"X3": 1.0}),
        call(network.to_maps, samples=network.sample(3, seed=1)),
        call(network.parents, node="X3"),
        call(network.children, node=(5.0, 10.0)),
        call(network.markov_blanket, node="X3"),
        call(network.paths, a="X3", b="X9", top=5, max_steps=100),
        call(network.node_name, node=(5.0, 10.0)),
        call(network.into, units="data"),
        call(network.covariance, columns=["X1", "X2"]),
        call(network.covariance_with, weights=np.ones((16, 1))),
        call(network.loglik, data=made.data, by="node"),
        call(network.precision),
        call(network.partial_correlations),
        call(network.variances),
        call(network.to_networkx),
        call(chosen.probability, threshold=1.0, tail="upper"),
        call(chosen.to_xarray),
        call(chosen.facts),
        call(chosen.__getitem__, name="X5"),
        call(made.correlations.condition, evidence={"X3": 2.0}, units="sd"),
        call(made.correlations.reach, numbers=[0, 1]),
    ]


def _discrete(made: Made) -> list[Call]:
    network = made.discrete_network
    return [
        call(network.condition, evidence={"a": "low"}, nodes=["b", "c"]),
        call(network.joint, nodes=["b", "c"], evidence={"a": "low"}),
        call(network.sample, n=5, seed=1),
        call(network.sample_stats, n=5, seed=1),
        call(network.loglik, data=made.categories),
    ]


def _in_time(made: Made) -> list[Call]:
    network, ensemble = made.dynamic_network, made.dynamic_ensemble
    state = made.data.sel(time=slice("1968-01", "1968-06"))
    parts = {
        name: getattr(network, name)
        for name in ("dag", "coefficients", "intercepts", "residual_variances", "centre", "spread", "scale", "nodes")
    }
    box = {"lat": (-10, 10), "lon": (0, 90)}
    return [
        call(cb.DynamicBN, **parts),
        call(network.into, units="data"),
        call(network.forecast, state=state, leads=(1, 3), threshold=1.0, about=["X3"], units="sd"),
        call(network.forecast, state=state.values, leads=2),
        call(ensemble.into, units="sd"),
        call(ensemble.network, member=1),
        call(ensemble.forecast, state=state, leads=2, about=[cb.Region(**box)]),
        call(ensemble.propagate, evidence={"X3": 2.0}, threshold=1.0, tail="upper", units="sd", horizon=2),
        call(ensemble.region_mean, evidence={"X3": 2.0}, **box, threshold=1.0, horizon=2),
        call(ensemble.arcs),
        call(ensemble.teleconnections, min_km=1000.0, support=0.0),
    ]


def _files(made: Made) -> list[Call]:
    def to(name: str) -> Fresh:
        return Fresh(lambda: made.folder / name)

    return [
        call(made.network.save, path=to("n.nc")),
        call(made.network.to_graphml, path=to("n.graphml")),
        call(made.network.to_json, path=to("n.json")),
        call(made.discrete_network.save, path=to("d.nc")),
        call(made.dynamic_network.save, path=to("t.nc")),
        call(made.ensemble.save, path=to("e.nc")),
        call(made.result.save, path=to("r.json")),
        call(cb.write_bif, network=made.discrete_network, path=to("n.bif")),
        call(cb.read_bif, path=made.files / "network.bif"),
        call(cb.load_network, path=made.files / "network.nc"),
        call(cb.Ensemble.load, path=made.files / "ensemble.nc"),
        call(cb.explore, networks={"one": made.network}, path=to("e.html"), data=made.data),
        call(made.comparison.save_tables, folder=Fresh(made.empty_folder)),
    ]
