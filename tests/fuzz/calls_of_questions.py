"""Real calls: analysis, uncertainty, forecasts, comparisons."""

import numpy as np
from made_objects import Made
from real_call import Call, Fresh, call

import climatebn as cb

BOX = {"lat": (-10, 10), "lon": (-170, -90)}
PERIODS = {"train": ("1950", "1962"), "base": ("1950", "1962")}


def calls(made: Made) -> list[Call]:
    return [*_analysis(made), *_ensembles(made), *_uncertainty(made), *_forecasts(made), *_comparisons(made)]


def _analysis(made: Made) -> list[Call]:
    network, data, analysis = made.network, made.data, cb.analysis
    seen, held_out = data.sel(time=slice("1950", "1959")), data.sel(time=slice("1960", "1969"))
    climb = cb.learn(seen, "hill_climbing", cb.BIC(gamma=1), progress=False)
    return [
        call(cb.propagate, bn=network, evidence={"X3": 2.0}, threshold=1.0, tail="both", units="sd"),
        call(cb.propagate, bn=made.dynamic_network, evidence={"X3": 2.0}, horizon=2),
        call(cb.propagate, bn=network, evidence={"X3": (1.0, None)}, marginals="sample"),
        call(cb.regression_map, data=data, evidence={"X3": 2.0}, threshold=1.0, tail="lower", units="sd"),
        call(cb.arc_strength, network=network, data=data, criterion=cb.BIC()),
        call(cb.arc_strength, network=made.result, data=data),
        call(cb.teleconnections, network=network, data=data, min_km=1000.0, null=made.null),
        call(cb.vstructures, graph=made.result, simulations=2, seed=1),
        call(cb.vstructures, graph=made.pdag, simulations=1),
        call(analysis.centrality, network=network, data=data, sources=5, seed=1),
        call(analysis.communities, network=made.result, data=data, resolution=1.0, seed=1),
        call(analysis.correlation_network, data=data, arcs=10),
        call(analysis.implied_correlation, bn=network, data=data, a="X3", b="X9"),
        call(analysis.arc_lengths, network=network, data=data),
        call(analysis.long_share, network=network, data=data, min_km=1000.0),
        call(analysis.length_distribution, network=network, step_km=500.0),
        call(analysis.long_degree, network=made.result, data=data, min_km=1000.0),
        call(analysis.goodness, result=climb, seen=seen, held_out=held_out),
    ]


def _ensembles(made: Made) -> list[Call]:
    ensemble = made.ensemble
    return [
        call(ensemble.network, member=1),
        call(ensemble.condition, evidence={"X3": 2.0}, units="sd"),
        call(ensemble.covariance),
        call(ensemble.arcs),
        call(ensemble.sample, n=5, seed=1, units="sd"),
        call(ensemble.propagate, evidence={"X3": 2.0}, threshold=1.0, tail="upper", units="sd"),
        call(ensemble.region_mean, evidence={"X3": 2.0}, **BOX, threshold=1.0, tail="upper"),
        call(ensemble.teleconnections, min_km=1000.0, support=0.5),
        call(ensemble.links_between, region_a=cb.Region(**BOX), region_b=cb.Region((-10, 10), (0, 90))),
        call(ensemble.consensus, threshold=0.5),
    ]


def _uncertainty(made: Made) -> list[Call]:
    few = made.few
    quick = {"algorithm": "hill_climbing", "workers": 1, "progress": False}
    models = {"network": ("hill_climbing", cb.BIC(gamma=1)), "regression": "regression"}
    return [
        call(cb.ensemble, data=few, criterion=cb.BIC(), resamples=2, block="year", gamma=1.0, seed=1, **quick),
        call(cb.ensemble, data=few, lags=(1,), resamples=2, block=12, max_seconds=9.0, **quick),
        call(cb.ensemble, data=few, resamples=2, folder=Fresh(made.new_folder), **quick),
        call(cb.choose_gamma, data=few, gammas=[0.5, 1.0], folds=3, seed=1, **quick),
        call(cb.distant_null, data=few, criterion=cb.BIC(), draws=2, regions=3, min_km=1000.0, seed=1, **quick),
        call(cb.held_out_skill, data=few, models=models, places=(1, 2), folds=3, sets=2, workers=1, progress=False),
        call(made.null.at_least, strength=np.array([1.0, 5.0])),
        call(made.null.fdr, strength=5.0),
    ]


def _forecasts(made: Made) -> list[Call]:
    field, hindcast = made.field, made.hindcast
    quick = {"members": 1, "workers": 1, "progress": False}
    numbers, others = np.arange(6.0).reshape(3, 2), np.ones((3, 2))
    table = hindcast.series()
    forecast = cb.forecast
    return [
        call(cb.hindcast, field=field, test=("1963", "1964"), leads=(1, 2), lags=(1,), **PERIODS, **quick),
        call(cb.outlook, field=field, leads=2, lags=(1,), base=("1950", "1969"), regions=[cb.Region(**BOX)], **quick),
        call(
            cb.choose_forecast,
            field=field,
            lags=((1,),),
            gammas=(1.0,),
            leads=(1,),
            **BOX,
            train=("1950", "1962"),
            base=("1950", "1955"),
            measure="rmse",
            **quick,
        ),
        call(hindcast.skill, **BOX),
        call(hindcast.series, **BOX),
        call(hindcast.differences, reference="persistence", **BOX, model="network", block=12, draws=20, level=0.9),
        call(hindcast.skill_map, model="network"),
        call(hindcast.forecasts, model="network", lead=1),
        call(hindcast.reliability, threshold=1.0, lead=1, model="network", **BOX, bins=5),
        call(forecast.eofs, values=made.array, area=np.ones(5), count=2),
        call(forecast.correlation, forecast=numbers, observed=others),
        call(forecast.rmse, forecast=numbers, observed=others),
        call(forecast.crps, mean=numbers, sd=others, observed=others),
        call(forecast.exceedance, mean=numbers, sd=others, threshold=1.0),
        call(forecast.reliability, probability=numbers / 10, happened=others > 0, bins=5),
        call(forecast.block_rows, n=40, block=12, draws=3, seed=1),
        call(forecast.differences, model=table, reference=table, block=12, draws=3, level=0.9),
        call(forecast.eofs(made.array, np.ones(5), 2).components, values=made.array),
    ]


def _comparisons(made: Made) -> list[Call]:
    comparison = made.comparison
    models = {"obs": made.few, "model": made.few.sel(time=slice("1950", "1960"))}
    quick = {"algorithm": "hill_climbing", "resamples": 2, "workers": 1, "progress": False}
    return [
        call(cb.compare, models=models, reference="obs", criterion=cb.BIC(), seed=1, **quick),
        call(cb.distance, a=made.network, b=made.other_network, measure="bhattacharyya", correlations=False),
        call(cb.comparison.node_divergence, a=made.network, b=made.other_network, correlations=True),
        call(cb.comparison.open_models, source={"obs": made.field, "model": made.field + 1.0}),
        call(comparison.clusters, k=2),
        call(comparison.to_xarray),
        call(comparison.matrix, measure="bhattacharyya"),
        call(comparison.weights, skill=0.5, independence=0.5),
        call(comparison.answers, evidence={"X3": 2.0}, threshold=1.0, regions=[cb.Region(**BOX)]),
        call(comparison.answer_maps, evidence={"X3": 2.0}, threshold=1.0, tail="upper"),
        call(comparison.where, model="a"),
        call(comparison.shared_links, min_km=1000.0, box=None),
    ]
