"""`compare`: what it finds on known truth, what it says of bad input, and what it hands out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.spatial.distance import squareform

import climatebn as cb
from climatebn.comparison.excess import Excess, along_differences, delta, noise
from climatebn.comparison.halves import Half, halves, prepared
from climatebn.comparison.records import record
from climatebn.errors import ClimateBNError

SIZE = 10
NAMES = tuple(f"X{i + 1}" for i in range(SIZE))


def truth(seed):
    rng = np.random.default_rng(seed)
    arcs = {(NAMES[i], NAMES[j]): rng.uniform(0.4, 0.9) for j in range(SIZE) for i in range(j) if rng.random() < 0.25}
    return cb.GaussianBN.from_parameters(NAMES, arcs, dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 1.0))


def nodes(seed, months=240, names=("A", "B", "C"), start="1981-01", trend=0.0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(months, len(names))) + 0.8 * rng.normal(size=(months, 1))
    values += trend * np.arange(months)[:, None] + 5 * np.sin(np.arange(months) * np.pi / 6)[:, None]
    time = pd.date_range(start, periods=months, freq="MS")
    return xr.DataArray(values, dims=("time", "region"), coords={"time": time, "region": list(names)}, name="tas")


def data(seed, **options):
    return cb.to_nodes(cb.anomalies(nodes(seed, **options)))


@pytest.fixture(scope="module")
def known():
    """Six records of one network and six of another, 240 rows each."""
    first, second = truth(1), truth(2)
    given = {f"a{i}": first.sample(240, seed=i) for i in range(6)} | {
        f"b{i}": second.sample(240, seed=i) for i in range(6)
    }
    return cb.compare(given, reference="a0", criterion=cb.BIC(gamma=0.5), resamples=20, seed=1, progress=False)


def test_delta_is_unbiased_and_its_error_honest_on_known_truth(known):
    same = [(f"{g}{i}", f"{g}{j}") for g in "ab" for i in range(6) for j in range(i)]
    other = [(f"a{i}", f"b{j}") for i in range(6) for j in range(6)]
    off, off_error = (np.array([table.loc[pair] for pair in same]) for table in (known.excess, known.se))
    apart, apart_error = (np.array([table.loc[pair] for pair in other]) for table in (known.excess, known.se))
    floor = np.array([known.distances.loc[pair] for pair in same])
    assert abs(off.mean()) < 0.4 * floor.mean()  # the floor is gone
    assert (np.abs(off) < 1.96 * off_error).mean() > 0.85
    assert off_error.mean() < 2.5 * off.std()
    assert (np.abs(apart - apart.mean()) < 1.96 * apart_error).mean() > 0.85
    assert apart_error.mean() < 2.5 * apart.std()
    table = known.from_reference
    assert table.loc[[f"b{i}" for i in range(6)], "distinguishable"].all()
    assert table.loc[[f"a{i}" for i in range(1, 6)], "distinguishable"].sum() <= 1
    assert (known.order.loc["b0", [f"a{i}" for i in range(1, 6)]] > 1.645).all()
    assert table.loc["a1", "rank_high"] <= 5
    assert table.loc["b1", "rank_low"] >= 6


def test_tables_are_square_symmetric_and_agree_with_distance(known):
    assert known.distances.shape == known.loglik.shape == (12, 12)
    assert np.array_equal(known.distances, known.distances.T)
    assert (np.diag(known.distances) == 0).all()
    assert known.distances.loc["a1", "b3"] == cb.distance(known.networks["a1"], known.networks["b3"])
    assert known.from_reference.index.tolist() == known.from_reference.sort_values("excess").index.tolist()
    assert {"distance", "excess", "se"} <= set(known.from_reference)
    own = np.diag(known.loglik)
    assert (own >= known.loglik.to_numpy().max(axis=1) - 1e-9).all()
    groups = known.clusters(2)
    assert groups[[f"a{i}" for i in range(6)]].nunique() == 1 == groups[[f"b{i}" for i in range(6)]].nunique()
    assert groups["a0"] != groups["b0"]
    assert sorted(known.leaves) == sorted(known.names)
    assert known.to_xarray().sizes == {"model": 12, "other": 12}
    assert "of 11 differ from a0" in known.summary[0]


def test_weights_favour_models_near_the_reference_and_share_among_copies(known):
    table = known.weights()
    assert table["weight"].sum() == pytest.approx(1)
    assert table.loc["a1", "weight"] > 10 * table.loc["b1", "weight"]
    square = known.excess.loc[table.index, table.index].to_numpy().clip(min=0)
    near = known.excess.loc[table.index, "a0"].to_numpy().clip(min=0)
    middle = np.median(square[~np.eye(len(square), dtype=bool)])
    alike = np.exp(-square / (0.25 * middle)) - np.eye(len(square))
    plain = np.exp(-near / (0.25 * np.median(near))) / (1 + alike.sum(axis=1))
    assert table["weight"].to_numpy() == pytest.approx(plain / plain.sum())


def test_delta_by_hand():
    square = squareform(np.array([0.5, 2, 3, 4, 5, 0.9]))  # a1 a2 b1 b2
    assert delta(square)[0, 1] == pytest.approx((2 + 3 + 4 + 5) / 4 - (0.5 + 0.9) / 2)
    assert delta(square, paired=True)[0, 1] == pytest.approx((3 + 4) / 2 - (0.5 + 0.9) / 2)


def test_standard_errors_are_those_of_squared_distances():
    """Points with errors of known covariance for networks, squared lengths for distances: the formulas are exact."""
    rng = np.random.default_rng(3)
    centres = np.array([[0.0, 0, 0, 0], [1.0, 0, 0, 0], [0.0, 1.5, 0, 0]])
    roots = rng.normal(size=(3, 4, 4)) / 4
    errors = rng.normal(size=(4000, 3, 2, 4)) @ roots.transpose(0, 2, 1)
    points = centres[:, None] + errors

    def square(a, b):
        return ((a[..., :, None, :] - b[..., None, :, :]) ** 2).sum(-1)

    flat = points.reshape(4000, 6, 4)
    deltas = np.array([delta(one) for one in square(flat, flat)])
    halves_ = centres.repeat(2, axis=0)  # halves without errors: what `along` is without bias for
    moved = square(flat, halves_).reshape(4000, 3, 2, 3, 2)
    covariances = roots @ roots.transpose(0, 2, 1)
    along = np.array([along_differences(moved[:, model]) for model in range(3)])
    gaps = centres[:, None] - centres[None]
    assert along == pytest.approx(np.einsum("pqi,xij,pqj->xpq", gaps, covariances, gaps), rel=0.1, abs=1e-9)
    swapped = flat.reshape(4000, 3, 2, 4)[:, :, ::-1].reshape(4000, 6, 4)
    between = np.stack([((flat - np.roll(swapped, step, axis=0)) ** 2).sum(-1) for step in range(4)], axis=-1)
    found = noise(between)
    assert found == pytest.approx([np.trace(one @ one) for one in covariances], rel=0.1)
    known = Excess(deltas[0], along, found, None)
    upper = np.triu_indices(3, 1)
    assert known.errors()[upper] == pytest.approx(deltas.std(axis=0)[upper], rel=0.12)
    order = deltas[:, 0, :, None] - deltas[:, 0, None, :]
    assert known.order_errors(0)[1, 2] == pytest.approx(order.std(axis=0)[1, 2], rel=0.12)


def test_errors_of_the_halves_do_not_bias_what_lies_along_their_difference():
    rng = np.random.default_rng(5)
    found = []
    for _ in range(400):
        halves_ = rng.normal(size=(4, 6)) * 0.3  # two records of one truth
        drawn = halves_[:2] + 0.3 * rng.normal(size=(12, 2, 6))
        moved = ((drawn[:, :, None] - halves_[None, None]) ** 2).sum(-1).reshape(12, 2, 2, 2)
        found.append(along_differences(moved)[0, 1])
    assert abs(np.mean(found)) < 3 * np.std(found) / 20


def test_halves_of_anomalies_are_the_anomalies_of_halves():
    raw = nodes(3, trend=0.01)
    whole = cb.to_nodes(cb.anomalies(raw, detrend="linear"))
    first, second = halves(record("m", whole))
    for half, period in ((first, slice("1981", "1990")), (second, slice("1991", "2000"))):
        alone = cb.to_nodes(cb.anomalies(raw.sel(time=period), detrend="linear", standardize=True))
        assert prepared(half, None, "sd") == pytest.approx(alone.values, abs=1e-10)
    odd = halves(record("m", cb.to_nodes(cb.anomalies(raw.sel(time=slice("1981", "1991"))))))
    assert len(odd[0].values) == len(odd[1].values) == 60  # the middle year is left out
    assert isinstance(odd[0], Half)
    assert not odd[0].detrend


def test_records_of_the_same_weather_do_not_differ():
    one = data(1)
    copy = replace(one, values=one.values.copy())
    found = cb.compare({"obs": one, "copy": copy}, resamples=5, paired=True, progress=False)
    assert found.excess.loc["obs", "copy"] == 0
    assert not found.from_reference["distinguishable"].any()


def test_a_folder_is_gone_on_from_and_refuses_other_data(tmp_path):
    given = {"obs": data(1), "m": data(2)}
    first = cb.compare(given, resamples=5, folder=tmp_path / "c", progress=False)
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "c" / "cells").iterdir()}
    lost = next(iter(stamps))
    lost.unlink()
    again = cb.compare(given, resamples=5, folder=tmp_path / "c", progress=False, workers=1)
    pd.testing.assert_frame_equal(first.from_reference, again.from_reference)
    kept = {path: path.stat().st_mtime_ns for path in stamps if path != lost}
    assert kept == {path: stamp for path, stamp in stamps.items() if path != lost}
    with pytest.raises(ClimateBNError, match=r"made with another configuration \(inputs.m"):
        cb.compare({**given, "m": data(3)}, resamples=5, folder=tmp_path / "c", progress=False)


def test_networks_are_compared_as_distance_does_and_have_no_delta():
    first, second = truth(1), truth(2)
    found = cb.compare({"obs": first, "m": second}, progress=False)
    assert found.distances.loc["obs", "m"] == cb.distance(first, second)
    assert found.from_reference["se"].isna().all()
    assert "distances cannot be compared with chance" in found.summary[0]
    values = first.sample(200, seed=1)
    mixed = cb.compare(
        {"obs": values, "m": cb.fit(cb.learn(values, "tabu", cb.BIC(gamma=0.5)), values * 7)}, resamples=0
    )
    assert mixed.distances.loc["obs", "m"] == pytest.approx(0, abs=1e-9)  # both in standard deviations


def test_unequal_records_are_cut_and_it_is_said():
    found = cb.compare({"obs": data(1), "long": data(2, months=300)}, resamples=0, progress=False)
    assert found.rows == 240
    assert any("cut to the 240 latest rows, the length of the shortest: long" in note for note in found.notes)
    assert any("different months" in note for note in found.notes)


def test_answers_and_links_beside_the_reference():
    found = cb.compare({"obs": data(1), "m": data(2)}, resamples=0, progress=False)
    table = found.answers({"A": 2.0}, regions=["B"])
    assert table.loc["obs", ["correlation", "rmse"]].tolist() == pytest.approx([1, 0])
    assert table.loc["m", "B"] == pytest.approx(
        cb.propagate(found.networks["m"], {"A": 2.0}, units="sd").difference.sel(node="B").item()
    )
    assert set(found.answer_maps({"A": 2.0})) == {"obs", "m"}
    assert found.where("m").sum().item() == pytest.approx(cb.distance(found.networks["obs"], found.networks["m"], "kl"))
    with pytest.raises(ClimateBNError, match="unknown model 'n'"):
        found.where("n")


def test_links_of_a_grid_are_shared_by_boxes():
    field = cb.load_ncep().sel(lat=[-5, 5])
    parts = {y: cb.to_nodes(cb.anomalies(field.sel(time=slice(y, str(int(y) + 9))))) for y in ("1981", "1991")}
    found = cb.compare(parts, reference="1981", criterion=cb.BIC(gamma=1), resamples=0, progress=False)
    table = found.shared_links(min_km=3000)
    long = cb.teleconnections(found.networks["1981"], min_km=3000)
    assert table["reference"].sum() <= len(long)
    assert table["region_a"].str.contains("–").all()
    assert (table["models"] == (table["1991"] > 0)).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"obs": data(1), "m": data(2, names=("A", "B", "Z"))},
            r"m has 3, obs 3: 1 only in obs \(C\), 1 only in m \(Z\)",
        ),
        ({"obs": data(1), "m": data(2, names=("A", "B"))}, r"1 only in obs \(C\)"),
        ({"m": data(1), "n": data(2)}, "unknown reference 'obs'"),
        ({"obs": data(1)}, "two models or more"),
        ({"obs": data(1), "m": 3}, "m must be data, a network, a field or a file; got 3"),
        ({"obs": data(1), "m": nodes(2)}, "cannot stand beside prepared data"),
    ],
)
def test_bad_input_is_named(given, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.compare(given, resamples=0, progress=False)


def test_a_missing_month_names_model_and_month():
    whole = data(2)
    gap = replace(whole, values=np.delete(whole.values, 30, 0), time=np.delete(whole.time, 30))
    with pytest.raises(ClimateBNError, match=r"^m: the record has time gaps: 1 month is missing .*1983-07"):
        cb.compare({"obs": data(1), "m": gap}, progress=False)
    frame = whole.to_dataframe()
    frame.iloc[3, 1] = np.nan
    with pytest.raises(ClimateBNError, match=r"^m: 1 missing or infinite values"):
        cb.compare({"obs": data(1), "m": frame}, progress=False)


def test_singular_networks_are_named():
    numbers = dict.fromkeys("ab", 0.0), {"a": 1.0, "b": 1e-40}
    flat = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
    fine = cb.GaussianBN.from_parameters(
        ("a", "b"), {("a", "b"): 1.0}, dict.fromkeys("ab", 0.0), dict.fromkeys("ab", 1.0)
    )
    with pytest.raises(ClimateBNError, match="the second network is singular: b is, to rounding, a combination of a"):
        cb.distance(fine, flat)
    with pytest.raises(ClimateBNError, match=r"m and obs: .* singular"):
        cb.compare({"obs": fine, "m": flat}, progress=False)
