"""Persistence in its forms equals least squares written out; the linear inverse model finds a known propagator."""

import numpy as np
import pytest
from made_climate import made_climate

from climatebn.errors import ClimateBNError
from climatebn.forecast.choice import chosen_eofs
from climatebn.forecast.inverse_model import cell_areas, linear_inverse
from climatebn.forecast.persistence import BASELINES, OwnPast
from climatebn.forecast.record import Record, prepared

TRAIN = ("1950", "1989")


@pytest.fixture(scope="module")
def record():
    return prepared(made_climate(), TRAIN, "previous 10 years")


def test_damped_by_month_equals_polyfit(record):
    weights = np.zeros((len(record.nodes), 2))
    weights[3, 0], weights[[1, 2], 1] = 1.0, 0.5
    mean, sd = OwnPast(record, BASELINES["damped_by_month"]).forecast(weights, 5)
    series = record.values @ weights
    now = np.arange(record.trained - 5)
    for month in (0, 7):
        rows = now[now % 12 == month]
        line = np.polyfit(series[rows, 1], series[rows + 5, 1], 1)
        at = np.arange(len(series)) % 12 == month
        np.testing.assert_allclose(mean[at, 1], np.polyval(line, series[at, 1]), rtol=1e-9)
        left = series[rows + 5, 1] - np.polyval(line, series[rows, 1])
        np.testing.assert_allclose(sd[at, 1], np.sqrt((left**2).sum() / (len(rows) - 2)))


def test_the_simple_ones_are_what_they_say(record):
    place = np.eye(len(record.nodes))[:, :1]
    series = record.values @ place
    mean, sd = OwnPast(record, BASELINES["persistence"]).forecast(place, 3)
    np.testing.assert_array_equal(mean, series)
    seen = series[: record.trained]
    np.testing.assert_allclose(sd[0], np.sqrt(np.mean((seen[3:] - seen[:-3]) ** 2)))
    mean, sd = OwnPast(record, BASELINES["climatology"]).forecast(place, 3)
    assert (mean == 0).all()
    # Made in January for April: the spread is that of April.
    np.testing.assert_allclose(sd[0], np.sqrt(np.mean(seen[3::12] ** 2)))
    mean, _ = OwnPast(record, BASELINES["damped_persistence"]).forecast(place, 3)
    line = np.polyfit(seen[:-3, 0], seen[3:, 0], 1)
    np.testing.assert_allclose(mean[:, 0], np.polyval(line, series[:, 0]), rtol=1e-9)


def test_linear_inverse_model_finds_the_propagator_of_its_own_data(record):
    """Data that follow z' = G z + e exactly in two patterns: G comes back, forecasts are Gʰ z."""
    random = np.random.default_rng(4)
    g = np.array([[0.9, -0.2], [0.15, 0.85]])
    z = np.zeros((6000, 2))
    for t in range(1, len(z)):
        z[t] = g @ z[t - 1] + random.normal(size=2)
    patterns = random.normal(size=(2, len(record.nodes)))
    from dataclasses import replace

    values = z @ patterns
    data = replace(record.data, values=values, time=np.arange(len(z)))
    made = Record(data, 24000 + np.arange(len(z)), 5000)
    model = linear_inverse(made, 2)
    mean, sd = model.forecast(np.eye(len(record.nodes)), 4)
    expected = z @ np.linalg.matrix_power(g, 4).T @ patterns
    scale = values.std()
    assert np.sqrt(np.mean((mean - expected) ** 2)) < 0.05 * scale
    error = (mean[5000:-4] - values[5004:]).std(axis=0)
    np.testing.assert_allclose(sd[0], error, rtol=0.15)
    assert np.abs(np.linalg.eigvals(model.propagator)) == pytest.approx(np.abs(np.linalg.eigvals(g)), abs=0.03)


def test_no_forecast_outside_the_tropics():
    field = made_climate()
    north = prepared(field.assign_coords(lat=[5.0, 45.0]), TRAIN, "previous 10 years")
    model = linear_inverse(north, 3)
    mean, sd = model.forecast(np.eye(len(north.nodes)), 1)
    outside = north.nodes.lat > 30
    assert np.isnan(mean[:, outside]).all()
    assert np.isfinite(mean[:, ~outside]).all()
    assert np.isnan(sd[:, outside]).all()
    far = prepared(field.assign_coords(lat=[45.0, 55.0]), TRAIN, "previous 10 years")
    assert chosen_eofs(far, (1, 6)) == 0
    with pytest.raises(ClimateBNError, match="within 30° of the equator"):
        linear_inverse(far, 3)


def test_the_number_of_eofs_is_chosen_in_training_years(record):
    from dataclasses import replace

    changed = record.values.copy()
    changed[record.trained :] = 99.0
    later = Record(replace(record.data, values=changed), record.months, record.trained)
    assert chosen_eofs(record, (1, 3)) == chosen_eofs(later, (1, 3))


def test_areas_follow_the_cosine(record):
    assert cell_areas(record) == pytest.approx(1.0)
    field = made_climate().assign_coords(lat=[5.0, 55.0])
    areas = cell_areas(prepared(field, TRAIN, "previous 10 years"))
    assert len(np.unique(areas.round(9))) == 2


@pytest.mark.parametrize(
    ("train", "base", "words"),
    [
        (("1950", "2030"), "previous 10 years", "must lie within the field"),
        (("1989", "1950"), "previous 10 years", "first before last"),
        ("1950", "previous 10 years", r"train must be \(first, last\)"),
        (TRAIN, ("1985", "1995"), "base=.* must lie within the field, which has 1950-01 … 1989-12"),
    ],
)
def test_periods_are_checked(train, base, words):
    with pytest.raises(ClimateBNError, match=words):
        prepared(made_climate(), train, base)


def test_missing_values_after_the_training_years_are_said():
    field = made_climate()
    field[-3, 0, 1] = np.nan
    with pytest.raises(ClimateBNError, match="missing after the training years, first at lat -5 lon -125 in 1999-10"):
        prepared(field, TRAIN, "previous 10 years")
    field = made_climate()
    field[3, 0, 1] = np.nan
    with pytest.raises(ClimateBNError, match="missing='drop_nodes'"):
        prepared(field, TRAIN, "previous 10 years")
    assert len(prepared(field, TRAIN, "previous 10 years", missing="drop_nodes").nodes) == 15
