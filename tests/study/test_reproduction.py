"""docs/reproduction.md has the numbers of the stored tables, and these are what the public functions give."""

import io
import json
import lzma
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.jobs.table import read_results
from climatebn.study.claims.pages import page, to_frame
from climatebn.study.reproduction import store
from climatebn.study.reproduction.equal_arcs import sized
from climatebn.study.reproduction.numbers import READINGS
from climatebn.study.reproduction.page import BLOCKS, MARK, filled
from climatebn.study.simulation.claims import judge
from climatebn.study.simulation.panels import simulations, to_panels
from climatebn.study.simulation.report import TITLE, said

DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "reproduction"


@pytest.fixture(scope="module")
def points():
    """The authors' points by interpolation."""
    return {grid: cb.to_nodes(cb.anomalies(cb.load_ncep(grid))) for grid in ("paper", "paper_linear")}


def test_the_page_has_the_numbers_of_the_stored_tables():
    text = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    assert {found["name"] for found in MARK.finditer(text)} == set(BLOCKS)
    assert filled(text, KEPT) == text


@pytest.mark.parametrize("figure", sorted(path.name for path in KEPT.glob("*.png")))
def test_figures_that_are_kept_are_shown(figure):
    shown = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    assert f"reproduction/{figure}" in shown


def test_a_number_that_is_changed_is_noticed():
    text = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    changed = text.replace("| 1121 |", "| 1122 |")
    assert changed != text
    assert filled(changed, KEPT) == text


@pytest.mark.parametrize("field", ["paper", "paper_linear"])
@pytest.mark.parametrize(("gamma", "weight", "order"), [(0.5, 2.0, 1), (0.5, 2.0, 3), (0.2, 2.0, 1), (0.5, 1.0, 1)])
def test_stored_numbers_of_arcs_are_what_learn_finds(points, field, gamma, weight, order):
    rows = pd.read_csv(KEPT / "numbers.csv").set_index(["field", "algorithm", "gamma", "weight", "order"])["arcs"]
    shuffle = None if order == 1 else order
    result = cb.learn(points[field], "tabu", cb.BIC(gamma=gamma, weight=weight), order=shuffle, progress=False)
    assert len(result.dag.arcs) == rows[field, "tabu", gamma, weight, order]


def test_five_orders_of_the_doubled_penalty_lie_around_the_papers_number():
    rows = pd.read_csv(KEPT / "numbers.csv")
    chosen = (rows["field"] == "paper") & (rows["algorithm"] == "tabu") & (rows["gamma"] == 0.5)
    arcs = rows[chosen].groupby("weight")["arcs"]
    assert (arcs.count() == 5).all()
    assert arcs.min()[2.0] <= 2127 <= arcs.max()[2.0]
    assert arcs.min()[1.0] > 3400


def test_readings_are_the_prices_that_they_say():
    n, nodes, gamma = 360, 648, 0.5
    stats = cb.GaussianStats(n, np.eye(nodes))
    words = {"log n": np.log(n), "γ log N": gamma * np.log(nodes)}
    for reading in READINGS:
        first, second = reading.price.split(" + ")
        price = words["log n"] / (2 if first.endswith("/ 2") else 1)
        price += words["γ log N"] * int(second[0] if second[0].isdigit() else 1)
        assert reading.score(gamma).penalty(stats) == pytest.approx(price)


def test_the_kept_simulation_table_gives_its_claims_byte_for_byte(tmp_path):
    table = read_results(KEPT / "simulation_results.csv.xz")
    panels = to_panels(table)
    claims = judge(panels)
    assert to_frame(claims).to_csv(index=False) == (KEPT / "simulation_claims.csv").read_text(encoding="utf-8")
    whole = page(TITLE, said(simulations(table), panels), claims)
    assert whole == (KEPT / "simulation_claims.md").read_text(encoding="utf-8")


def test_networks_of_a_wanted_size():
    rng = np.random.default_rng(1)
    common = rng.normal(size=(300, 6))
    data = common @ rng.normal(size=(6, 40)) + rng.normal(size=(300, 40))
    gamma, result = sized(data, "hill_climbing", 60)
    assert abs(len(result.dag.arcs) - 60) <= 6
    assert len(cb.learn(data, "hill_climbing", cb.BIC(gamma=gamma), progress=False).dag.arcs) == len(result.dag.arcs)
    assert sized(data, "hill_climbing", 700).result is None


@pytest.fixture
def finished(tmp_path):
    """The folder of a finished study, as far as it is taken over, and an empty place to keep it in."""
    source, docs = tmp_path / "study", tmp_path / "docs"
    for folder in (source / "figures", docs):
        folder.mkdir(parents=True)
    (docs / "reproduction.md").write_text("<!-- runs -->\n<!-- end -->\n", encoding="utf-8")
    for name in ("results.csv", "claims.csv", "claims.md", "config.toml"):
        (source / name).write_text(name)
    (source / "study.json").write_text('{"climatebn": "0.9"}')
    (source / "seconds.csv").write_text("seconds,cpu_seconds\n1.5,1\n2.5,2\n")
    runs = [{"started": "2026-01-01T00:00:00Z", "commit": commit, "seconds": 3000.0} for commit in ("a1", "b2", "a1")]
    (source / "runs.json").write_text(json.dumps(runs))
    return source, docs


def test_a_study_is_taken_over_with_what_its_folder_tells_about_its_making(finished):
    source, docs = finished
    store.run(["simulation", str(source)], docs)
    kept = docs / "reproduction"
    assert lzma.decompress((kept / "simulation_results.csv.xz").read_bytes()) == b"results.csv"
    row = pd.read_csv(kept / "runs.csv").iloc[0]
    assert (row["commit"], row["climatebn"], row["started"]) == ("a1, b2", 0.9, "2026-01-01T00:00:00Z")
    assert (row["seconds"], row["cell_seconds"], row["cpu_seconds"]) == (9000, 4, 3)
    page = (docs / "reproduction.md").read_text(encoding="utf-8")
    assert "_config.toml` | a1, b2 | 2 h 30 min | 3 s |" in page


def test_a_study_without_a_record_of_its_runs_needs_its_commit(finished):
    source, docs = finished
    (source / "runs.json").unlink()
    (source / "seconds.csv").write_text("seconds\n1.5\n2.5\n")
    os.utime(source / "study.json", (1e9, 1e9))
    os.utime(source / "results.csv", (1e9 + 700, 1e9 + 700))
    with pytest.raises(ClimateBNError, match="does not say which commit it was made by"):
        store.run(["simulation", str(source)], docs)
    store.run(["simulation", str(source), "c3"], docs)
    assert "| c3 | 700 s | 4 s |" in (docs / "reproduction.md").read_text(encoding="utf-8")


@pytest.fixture
def cut_short(finished):
    """A kept table of two networks, some cells of which had not ended, and a study in which they did."""
    source, docs = finished
    kept = docs / "reproduction"
    kept.mkdir()
    rows = pd.read_csv(KEPT / "simulation_results.csv.xz", dtype=str, keep_default_na=False)
    whole = rows[rows["network"].isin(["child", "ecoli70"]) & (rows["sample"].astype(int) <= 2)]
    late = (whole["network"] == "child") & (whole["algorithm"] == "h2pc") & (whole["ratio"] == "5.0")
    before = whole.copy()
    before.loc[late, "ended":] = ["False", "20.0", *[""] * (whole.shape[1] - 7)]
    (kept / "simulation_results.csv.xz").write_bytes(lzma.compress(before.to_csv(index=False).encode()))
    (kept / "simulation_config.toml").write_text("seed = 1\n")
    again = whole[late | (whole["algorithm"] == "tabu") & (whole["network"] == "child")]
    again.to_csv(source / "results.csv", index=False)
    (source / "config.toml").write_text("seed = 1\nmax_seconds = 900.0\n")
    return source, docs, whole.to_csv(index=False)


def test_cells_that_ended_later_take_their_place(cut_short):
    source, docs, whole = cut_short
    store.run(["more", str(source)], docs)
    kept = docs / "reproduction"
    table = read_results(kept / "simulation_results.csv.xz")
    pd.testing.assert_frame_equal(table, pd.read_csv(io.StringIO(whole)), check_dtype=False)
    assert table["calls"].dtype == int  # none is missing
    claims = to_frame(judge(to_panels(table))).to_csv(index=False)
    assert (kept / "simulation_claims.csv").read_text(encoding="utf-8") == claims
    assert (kept / "simulation_discrete_bic.png").stat().st_size > 5000
    row = pd.read_csv(kept / "runs.csv").iloc[0]
    assert row["name"] == "simulation, more: study"
    assert row["command"] == "climatebn study simulation --set 'max_seconds = 900.0'"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda source: (source / "config.toml").write_text("seed = 2"), "seed of .* must be 1, as in the kept study"),
        (lambda source: _edit(source, "child,bic,tabu", "alarm,bic,tabu"), "cells that are not kept: .'alarm'"),
        (lambda source: _edit(source, "tabu,0.5,1,True,,", "tabu,0.5,1,True,,9"), "other results than those kept"),
    ],
    ids=["seed", "cells", "results"],
)  # fmt: skip
def test_more_of_another_study_is_refused(cut_short, change, said):
    source, docs, _ = cut_short
    before = (docs / "reproduction" / "simulation_results.csv.xz").read_bytes()
    change(source)
    with pytest.raises(ClimateBNError, match=said):
        store.run(["more", str(source)], docs)
    assert (docs / "reproduction" / "simulation_results.csv.xz").read_bytes() == before


def _edit(source, old, new):
    table = (source / "results.csv").read_text(encoding="utf-8")
    assert old in table
    (source / "results.csv").write_text(table.replace(old, new), encoding="utf-8")


def test_what_cannot_be_taken_over_is_refused(finished):
    source, docs = finished
    (source / "results.csv").unlink()
    with pytest.raises(ClimateBNError, match=r"not the folder of a finished study: it has no results\.csv"):
        store.run(["simulation", str(source)], docs)
    with pytest.raises(ClimateBNError, match="unknown command 'pages'; did you mean 'page'"):
        store.run(["pages"], docs)
