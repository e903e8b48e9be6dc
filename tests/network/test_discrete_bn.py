"""Discrete networks: fitting, likelihood, sampling, exact inference, files, refusals."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats

LEVELS = [("no", "yes"), ("low", "mid", "high"), ("a", "b")]
SMALL = cb.DiscreteBN(
    cb.Dag.from_arcs("xyz", [("x", "y"), ("x", "z"), ("y", "z")]),
    LEVELS,
    [
        [0.3, 0.7],
        [[0.2, 0.3, 0.5], [0.0, 0.1, 0.9]],
        [[[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]], [[0.4, 0.6], [0.7, 0.3], [0.1, 0.9]]],
    ],
)


@st.composite
def networks(draw):
    """Random discrete networks of up to six nodes, some tables with zeros."""
    size = draw(st.integers(1, 6))
    levels = [tuple("abcd"[: draw(st.integers(1, 4))]) for _ in range(size)]
    arcs = [(i, j) for j in range(size) for i in range(j) if draw(st.booleans())]
    names = draw(st.permutations([f"V{i}" for i in range(size)]))
    dag = cb.Dag.from_arcs(names, arcs)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = []
    for node, parents in enumerate(dag.numbered_parents):
        table = rng.random([len(levels[i]) for i in (*parents, node)])
        table[..., :-1] *= rng.random(table[..., :-1].shape) > 0.2
        tables.append(table / table.sum(axis=-1, keepdims=True))
    return cb.DiscreteBN(dag, levels, tables)


def every_cell(bn):
    """All joint configurations and their probabilities, by the product rule."""
    cells = list(product(*(range(len(own)) for own in bn.levels)))
    chances = [
        np.prod(
            [bn.tables[i][tuple(cell[j] for j in (*parents, i))] for i, parents in enumerate(bn.dag.numbered_parents)]
        )
        for cell in cells
    ]
    return np.array(cells), np.array(chances)


@given(networks(), st.data())
@settings(max_examples=80, deadline=None)
def test_inference_equals_summing_over_everything(bn, data):
    cells, chances = every_cell(bn)
    seen = data.draw(st.sets(st.integers(0, len(bn.names) - 1), max_size=2))
    evidence = {i: data.draw(st.integers(0, len(bn.levels[i]) - 1)) for i in seen}
    asked = data.draw(st.permutations(range(len(bn.names))))[: data.draw(st.integers(1, 2))]
    fits = np.all([cells[:, i] == level for i, level in evidence.items()], axis=0) * chances
    named = {bn.names[i]: bn.levels[i][level] for i, level in evidence.items()}
    if fits.sum() == 0:
        with pytest.raises(ClimateBNError, match="impossible"):
            bn.joint([bn.names[i] for i in asked], named)
        with pytest.raises(ClimateBNError, match="impossible"):
            bn.condition(named)
        return
    for i, (name, chances) in enumerate(bn.condition(named).items()):
        alone = np.bincount(cells[:, i], fits / fits.sum(), len(bn.levels[i]))
        assert (name, list(chances.index)) == (bn.names[i], list(bn.levels[i]))
        assert chances.to_numpy() == pytest.approx(alone, abs=1e-12)
    expected = np.zeros([len(bn.levels[i]) for i in asked])
    np.add.at(expected, tuple(cells[:, i] for i in asked), fits / fits.sum())
    assert bn.joint([bn.names[i] for i in asked], named).values == pytest.approx(expected, abs=1e-12)


def test_one_elimination_gives_what_one_for_each_node_gives():
    bn = cb.reference_network("hailfinder")
    seen = {bn.names[30]: bn.levels[30][0], bn.names[50]: bn.levels[50][1]}
    together = bn.condition(seen)
    for name in bn.names[::5]:
        assert together[name].to_numpy() == pytest.approx(bn.joint([name], seen).values, abs=1e-12)


def test_every_marginal_of_alarm_agrees_with_a_sample():
    alarm = cb.reference_network("alarm")
    sample = alarm.sample(40_000, seed=3)
    rows = sample[sample["HRBP"] == "HIGH"]
    for name, chances in alarm.condition({"HRBP": "HIGH"}).items():
        found = rows[name].value_counts(normalize=True).reindex(chances.index)
        assert np.abs(found - chances).max() < 0.02, name


def test_sample_follows_the_tables_and_the_seed():
    sample = SMALL.sample(50_000, seed=1)
    assert list(sample.columns) == ["x", "y", "z"]
    assert [tuple(sample[name].cat.categories) for name in "xyz"] == LEVELS
    cells, chances = every_cell(SMALL)
    codes = np.column_stack([sample[name].cat.codes for name in "xyz"])
    counts = np.array([(codes == cell).all(axis=1).sum() for cell in cells])
    assert (counts[chances == 0] == 0).all()
    assert np.abs(counts / len(codes) - chances).max() < 0.01
    assert sample.equals(SMALL.sample(50_000, seed=1))
    assert not sample.equals(SMALL.sample(50_000, seed=2))


def test_a_level_of_no_chance_is_never_drawn_even_last():
    class Edge(np.random.Generator):
        def random(self, size):
            return np.full(size, np.nextafter(1.0, 0.0))

    bn = cb.DiscreteBN(cb.Dag.from_arcs(["x"]), [tuple("abcdefghijk")], [[0.1] * 10 + [0.0]])
    assert bn.tables[0].cumsum()[9] < 1  # by rounding
    assert bn.sample_stats(5, Edge(np.random.PCG64(1))).codes.max() == 9


def test_fit_is_the_frequency_and_its_likelihood_the_criterion():
    data = frame("child_600")
    dag = cb.Dag.from_arcs(list(data.columns), [("Disease", "CO2"), ("Disease", "LVH"), ("LVH", "LVHreport")])
    bn = cb.fit(dag, data)
    stats = to_stats(data)
    total = sum(cb.LogLik().local(stats, i, parents) for i, parents in enumerate(dag.numbered_parents))
    assert bn.loglik(data) == pytest.approx(total, rel=1e-12)
    frequencies = data.groupby("Disease", observed=False)["LVH"].value_counts(normalize=True).unstack()
    node = dag.names.index("LVH")
    assert bn.tables[node] == pytest.approx(frequencies.to_numpy())
    assert bn.n == 600
    assert "DiscreteBN.fit" in bn.history


def test_fit_recovers_the_network_that_drew_the_data():
    fitted = cb.DiscreteBN.fit(SMALL.dag, SMALL.sample_stats(200_000, seed=4))
    assert fitted.tables[2][1, 0].tolist() == [0.5, 0.5]  # x = yes never comes with y = low
    for found, true in zip(fitted.tables[:2], SMALL.tables[:2], strict=True):
        assert found == pytest.approx(true, abs=0.01)
    assert fitted.tables[2][0] == pytest.approx(SMALL.tables[2][0], abs=0.01)


def test_parents_never_seen_together_leave_the_child_uniform_and_iss_smooths():
    dag = cb.Dag.from_arcs(["a", "b"], [("a", "b")])
    data = cb.DiscreteStats([[0, 0], [0, 0], [0, 1]], [2, 2], ["a", "b"])
    assert cb.DiscreteBN.fit(dag, data).tables[1].tolist() == [[pytest.approx(2 / 3), pytest.approx(1 / 3)], [0.5, 0.5]]
    smooth = cb.DiscreteBN.fit(dag, data, iss=4.0).tables[1]
    assert smooth[0].tolist() == pytest.approx([3 / 5, 2 / 5])


def test_likelihood_finds_columns_and_levels_by_name():
    sample = SMALL.sample(500, seed=2)
    shuffled = sample[["z", "x", "y"]].assign(y=sample["y"].cat.reorder_categories(["high", "low", "mid"]))
    assert SMALL.loglik(shuffled) == pytest.approx(SMALL.loglik(sample), rel=1e-12)
    assert SMALL.loglik(SMALL.sample_stats(500, seed=2)) == SMALL.loglik(sample)
    impossible = sample.assign(x="yes", y="low")
    assert SMALL.loglik(impossible) == -np.inf


def test_saved_network_comes_back_to_the_bit(tmp_path):
    SMALL.save(tmp_path / "small.nc")
    loaded = cb.load_network(tmp_path / "small.nc")
    assert isinstance(loaded, cb.DiscreteBN)
    assert loaded.dag == SMALL.dag
    assert loaded.levels == SMALL.levels
    assert all(np.array_equal(a, b) for a, b in zip(loaded.tables, SMALL.tables, strict=True))
    assert loaded.n is None


def test_damaged_file_is_refused(tmp_path):
    import xarray as xr

    SMALL.save(tmp_path / "small.nc")
    with xr.open_dataset(tmp_path / "small.nc") as file:
        file.isel(cell=slice(3)).to_netcdf(tmp_path / "cut.nc")
        file.assign_attrs(levels="[1]").to_netcdf(tmp_path / "levels.nc")
    with pytest.raises(ClimateBNError, match=r"cut\.nc is a damaged .* need 20 probabilities; there are 3"):
        cb.load_network(tmp_path / "cut.nc")
    with pytest.raises(ClimateBNError, match=r"levels\.nc is a damaged .*one list of names"):
        cb.load_network(tmp_path / "levels.nc")


def test_inputs_are_never_edited():
    tables = [np.array([0.3, 0.7000001])]
    bn = cb.DiscreteBN(cb.Dag.from_arcs(["x"]), [("a", "b")], tables)
    assert tables[0][1] == 0.7000001
    assert bn.tables[0].sum() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        bn.tables[0][0] = 1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cb.DiscreteBN(SMALL.dag, LEVELS[:2], SMALL.tables), "3 nodes, 2 level lists"),
        (lambda: cb.DiscreteBN(SMALL.dag, LEVELS, SMALL.tables[::-1]), r"table of x must have shape \(2,\)"),
        (lambda: cb.DiscreteBN(cb.Dag.from_arcs("x"), [("a", "b")], [[0.5, 0.6]]), "sum to 1"),
        (lambda: cb.DiscreteBN(cb.Dag.from_arcs("x"), [("a", "b")], [[-0.5, 1.5]]), "probabilities"),
        (lambda: cb.DiscreteBN(cb.Dag.from_arcs("x"), [("a", "b")], [[np.nan, 1.0]]), "probabilities"),
        (lambda: cb.DiscreteBN(cb.Dag.from_arcs("x"), [("a", "a")], [[0.5, 0.5]]), "different names"),
        (lambda: SMALL.condition({"w": "yes"}), "unknown node 'w'"),
        (lambda: SMALL.condition({"x": "yess"}), "unknown level of x 'yess'; did you mean 'yes'"),
        (lambda: SMALL.condition({"x": "yes", "y": "low"}), "impossible"),
        (lambda: SMALL.joint(["x", "x"]), "differ from each other"),
        (lambda: SMALL.sample(0), "n must be a whole number, 1 or more; got 0"),
        (lambda: SMALL.loglik(pd.DataFrame({"x": ["yes"] * 3})), "no column for 2 of the 3 nodes"),
        (lambda: SMALL.loglik(pd.DataFrame({n: ["yes"] * 3 for n in "xyz"})), "column y holds levels .* yes"),
        (lambda: SMALL.loglik(np.zeros((3, 3))), "needs discrete data"),
        (lambda: SMALL.loglik(cb.DiscreteStats(np.zeros((3, 3), int), [2, 2, 2], "xyz")), "number of levels of: y"),
        (lambda: cb.DiscreteBN.fit(SMALL.dag, SMALL.sample(9, 1), iss=-1), "iss must be 0 or more"),
    ],
)
def test_wrong_input_is_refused_in_words(call, words):
    with pytest.raises(ClimateBNError, match=words):
        call()


def test_tables_and_factors_that_cannot_fit_are_refused_before_memory_is_taken():
    names = [f"V{i}" for i in range(40)]
    star = cb.Dag.from_arcs(names, [(i, 39) for i in range(39)])
    codes = np.random.default_rng(1).integers(0, 3, (50, 40))
    with pytest.raises(ClimateBNError, match="table of V39 would have"):
        cb.DiscreteBN.fit(star, cb.DiscreteStats(codes, [3] * 40, names))
    both = cb.Dag.from_arcs(names, [(i, j) for i in range(20) for j in range(20, 40) if (i + j) % 3 == 0])
    wide = cb.DiscreteBN.fit(both, cb.DiscreteStats(codes, [3] * 40, names))
    with pytest.raises(ClimateBNError, match="too large"):
        wide.joint(names[:20])
