"""`fit`: least squares against numpy, units, robustness, and the numbers of bnlearn."""

import numpy as np
import pandas as pd
import pytest
from references import frame, numbers

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.kernels.constants import COLLINEAR
from climatebn.network.fitting import by_products, regress

GAUSS = frame("gauss25")
ARCS = numbers("gauss25")["scores"][0]["arcs"]
DAG = cb.Dag.from_arcs(list(GAUSS.columns), ARCS)


def test_parameters_are_least_squares():
    bn = cb.fit(DAG, GAUSS)
    for child, parents in enumerate(DAG.numbered_parents):
        design = np.column_stack([np.ones(len(GAUSS)), GAUSS.to_numpy()[:, list(parents)]])
        solution, *_ = np.linalg.lstsq(design, GAUSS.to_numpy()[:, child], rcond=None)
        residual = GAUSS.to_numpy()[:, child] - design @ solution
        assert bn.intercepts[child] == pytest.approx(solution[0], rel=1e-9, abs=1e-11)
        np.testing.assert_allclose(bn.coefficients.toarray()[list(parents), child], solution[1:], rtol=1e-8)
        assert bn.residual_variances[child] == pytest.approx(np.mean(residual**2), rel=1e-9)


@pytest.mark.parametrize("name", ["gauss8", "gauss25", "ncep72"])
def test_unbiased_log_likelihood_is_bnlearns(name):
    for score in numbers(name)["scores"]:
        data = frame(name)
        dag = cb.Dag.from_arcs(list(data.columns), score["arcs"])
        assert cb.fit(dag, data, variance="unbiased").loglik(data) == pytest.approx(score["loglik"], rel=1e-9)


def test_scale_changes_units_and_nothing_else():
    plain, scaled = cb.fit(DAG, GAUSS), cb.fit(DAG, GAUSS, scale="sd")
    sd = GAUSS.std().to_numpy()
    np.testing.assert_allclose(scaled.covariance() * np.outer(sd, sd), plain.covariance(), rtol=1e-9, atol=1e-12)
    assert scaled.loglik(GAUSS) == pytest.approx(plain.loglik(GAUSS), rel=1e-12)
    name, other = GAUSS.columns[3], GAUSS.columns[7]
    value = 1.5 * sd[3] + GAUSS[name].mean()
    in_data = plain.condition({name: value})[other]
    for same in (scaled.condition({name: value}, units="data"), plain.condition({name: value}, units="data")):
        np.testing.assert_allclose(same[other], in_data, rtol=1e-9)
    in_sd = scaled.condition({name: 1.5})[other]
    np.testing.assert_allclose(plain.condition({name: 1.5}, units="sd")[other], in_sd, rtol=1e-9)
    assert in_data.mean == pytest.approx(in_sd.mean * sd[7] + GAUSS[other].mean())
    assert scaled.sample(4, seed=1).std(axis=0).to_numpy() == pytest.approx(
        scaled.sample(4, seed=1, units="data").std(axis=0).to_numpy() / sd
    )


def test_removing_an_arc_costs_its_stored_likelihood():
    bn = cb.fit(DAG, GAUSS)
    whole = bn.loglik(GAUSS)
    for k in range(0, len(DAG.arcs), 5):
        less = cb.Dag.from_arcs(DAG.names, [arc for i, arc in enumerate(DAG.arcs) if i != k])
        assert bn.arc_loglik[k] == pytest.approx(whole - cb.fit(less, GAUSS).loglik(GAUSS), rel=1e-7, abs=1e-8)


def test_covariance_alone_gives_the_same_network():
    stats = cb.GaussianStats(len(GAUSS), GAUSS.cov(), list(GAUSS.columns))
    from_stats, from_data = cb.fit(DAG, stats, scale="sd"), cb.fit(DAG, GAUSS, scale="sd")
    np.testing.assert_allclose(from_stats.coefficients.toarray(), from_data.coefficients.toarray(), rtol=1e-8)
    np.testing.assert_allclose(from_stats.residual_variances, from_data.residual_variances, rtol=1e-8)
    np.testing.assert_allclose(from_stats.arc_loglik, from_data.arc_loglik, rtol=1e-6, atol=1e-8)


def test_collinear_parents_share_their_effect():
    rng = np.random.default_rng(1)
    x = rng.normal(size=100)
    data = pd.DataFrame({"a": x, "b": x, "child": x + 0.1 * rng.normal(size=100), "copy": 3 * x + 1})
    dag = cb.Dag.from_arcs(list(data), [("a", "child"), ("b", "child"), ("a", "copy")])
    bn = cb.fit(dag, data, scale="sd")
    assert bn.coefficients[0, 2] == pytest.approx(bn.coefficients[1, 2])
    assert bn.arc_loglik[dag.arcs.index(("b", "child"))] == pytest.approx(0, abs=1e-6)
    assert bn.residual_variances[3] == COLLINEAR
    assert np.isfinite(bn.loglik(data))
    assert bn.arc_loglik[dag.arcs.index(("a", "copy"))] > 100


def test_more_parents_than_observations():
    data = np.random.default_rng(2).normal(size=(5, 9))
    dag = cb.Dag.from_arcs([f"X{i + 1}" for i in range(9)], [(i, 8) for i in range(8)])
    for variance in ("ml", "unbiased"):
        bn = cb.fit(dag, data, variance=variance)
        assert bn.residual_variances[8] > 0
        assert not bn.arc_loglik.any()  # the other parents replace each one
        assert np.isfinite(bn.variances()).all()


def test_columns_are_found_by_name_and_inputs_are_not_edited():
    shuffled = GAUSS[list(GAUSS.columns[::-1])].assign(extra=0.0)
    before = shuffled.copy()
    bn = cb.fit(DAG, shuffled)
    assert bn.loglik(shuffled) == pytest.approx(cb.fit(DAG, GAUSS).loglik(GAUSS), rel=1e-12)
    assert bn.loglik(GAUSS.to_numpy()) == pytest.approx(bn.loglik(GAUSS), rel=1e-12)
    pd.testing.assert_frame_equal(shuffled, before)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"structure": None}, "not valid"),
        ({"scale": "std"}, "unknown scale 'std'; did you mean 'sd'"),
        ({"variance": "mle"}, "did you mean 'ml'"),
        ({"data": GAUSS.drop(columns=GAUSS.columns[:2])}, "no column for 2 of the 25 nodes"),
        ({"data": GAUSS.to_numpy()[:, :5]}, "data has 5 columns; the network has 25 nodes"),
        ({"data": GAUSS.iloc[:2]}, "at least 3 observations; got 2"),
        ({"data": GAUSS.assign(**{GAUSS.columns[0]: 4.2})}, f"constant nodes.*{GAUSS.columns[0]}"),
    ],
)
def test_wrong_input_is_said(change, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.fit(**{"structure": DAG, "data": GAUSS, **change})


def test_products_give_what_singular_values_give_or_nothing():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(360, 8)) @ rng.normal(size=(8, 8))
    columns = (columns - columns.mean(axis=0)) / columns.std(axis=0, ddof=1)
    found = by_products(columns)
    assert found is not None
    for mine, theirs in zip(found, regress(columns[:, -1], columns[:, :-1]), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-8)
    columns[:, 3] = columns[:, 2] + 1e-5 * columns[:, 3]  # nearly the same column twice
    assert by_products(columns) is None
    assert by_products(columns[:5]) is None  # fewer rows than regressors
