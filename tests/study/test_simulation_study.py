"""The simulation study: its configuration, one cell, and a small study from end to end."""

from dataclasses import replace

import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.graph import Pdag
from climatebn.jobs import run_study
from climatebn.learning.registry import ALGORITHMS
from climatebn.study.registry import find
from climatebn.study.simulation import study as simulation_module
from climatebn.study.simulation.study import SimulationConfig, cells, cost, criterion_for, draw, run_cell

STUDY = find("simulation")
TINY = SimulationConfig(
    networks=("child", "ecoli70"), algorithms=("tabu", "ges", "pc_stable", "mmhc"), ratios=(0.5, 2.0), samples=1
)


def test_the_default_is_the_papers_study():
    keys = cells(STUDY.default)
    # 7 algorithms with both pairs, annealing with BIC, GES with BDeu on ten discrete networks; 6 sizes, 20 samples
    assert len(keys) == (14 * (7 * 2 + 1) + 10) * 6 * 20
    assert len(set(keys)) == len(keys)
    assert len(cells(replace(STUDY.default, paper_pairs=False))) == 14 * 9 * 2 * 6 * 20


def test_the_quick_study_has_both_kinds_sizes_pairs_and_all_classes():
    networks, criteria, algorithms, ratios, _ = map(set, zip(*cells(STUDY.quick), strict=True))
    assert {name in simulation_module.DISCRETE for name in networks} == {True, False}
    assert criteria == {"bic", "posterior"}
    assert {ALGORITHMS[name].kind for name in algorithms} == {"constraint", "score", "hybrid"}
    assert min(ratios) < 1 <= max(ratios)


def test_sample_sizes_follow_the_parameters_and_samples_differ():
    assert draw("alarm", 0.5, 1, 1).n == round(0.5 * 509)
    assert draw("ecoli70", 2.0, 1, 1).n == 2 * 162
    assert draw("magic-irri", 2.0, 1, 1).n == 460
    first, again, other = (draw("child", 1.0, sample, 1).codes for sample in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    draw.cache_clear()
    assert (draw("child", 1.0, 1, 1).codes == first).all()


def test_criteria_are_matched_to_the_data():
    assert criterion_for("posterior", "alarm") == cb.BDeu(prior="vsp")
    assert criterion_for("posterior", "ecoli70") == cb.BGe(prior="vsp")
    assert criterion_for("bic", "ecoli70", "unbiased") == cb.BIC(variance="unbiased")
    assert criterion_for("bic", "alarm") == criterion_for("bic", "ecoli70") == cb.BIC()


def test_a_cell_measures_what_learn_finds():
    record = run_cell(TINY, ("child", "posterior", "tabu", 2.0, 1))
    result = cb.learn(draw("child", 2.0, 1, 1), "tabu", cb.BDeu(prior="vsp"), progress=False)
    true = cb.reference_network("child").dag
    assert record.ended
    assert record.measures["n"] == 460
    assert record.measures["shd"] == cb.shd(result.dag, true)
    assert record.measures["scaled_shd"] == cb.shd(result.dag, true) / 25
    assert record.measures["calls"] == result.calls
    assert record.measures["calls_bnlearn"] == result.calls_bnlearn
    assert sorted(map(tuple, record.arrays["directed"].tolist())) == sorted(
        map(tuple, result.dag.numbered_arcs.tolist())
    )


def test_a_graph_that_is_not_valid_is_compared_as_it_is(monkeypatch):
    true = cb.reference_network("child").dag
    edges = cb.cpdag(true)
    backwards = Pdag.from_edges(true.names, [(b, a) for a, b in edges.directed], edges.undirected)

    class Found:
        stopped, seconds, dag, valid, calls, calls_bnlearn, graph = "", 0.1, None, False, 7, 8, backwards

    monkeypatch.setattr(simulation_module, "learn", lambda *args, **options: Found)
    record = run_cell(TINY, ("child", "bic", "tabu", 2.0, 1))
    assert record.measures["shd"] == len(edges.directed) > 0
    assert record.measures["valid"] is False


def test_a_cell_over_its_budget_is_recorded_as_such():
    record = run_cell(replace(TINY, max_seconds=1e-9), ("child", "bic", "tabu", 2.0, 1))
    assert not record.ended
    assert record.measures == {}


def test_longer_work_costs_more():
    keys = [("child", "bic", "tabu", 0.5, 1), ("child", "bic", "tabu", 5.0, 1), ("pigs", "bic", "tabu", 5.0, 1)]
    costs = [cost(TINY, key) for key in keys]
    assert costs == sorted(costs)
    assert costs[0] < costs[2]


def test_small_study_from_end_to_end(tmp_path):
    summary = run_study(STUDY, tmp_path / "study", TINY, progress=False)
    folder = tmp_path / "study"
    assert "Q1" in summary
    answers = (folder / "answers.md").read_text()
    rows = [line.replace(r"\|", "") for line in answers.split("\n") if line.startswith("| Q")]
    assert [row.split()[1] for row in rows] == ["Q1", "Q2a", "Q2b", "Q3a", "Q3b", "Q3c", "Q4", "Q5"]
    assert [row.count("|") for row in rows] == [10] * 6 + [6] * 2  # no bar of |Θ| ends a column
    assert "no, they are often less accurate" in rows[0]
    assert [row.split("**")[1] == "not told" for row in rows] == [False] * 6 + [True, False]  # small networks only
    drawn = {path.name for path in (folder / "figures").iterdir()}
    assert drawn == {f"{kind}_{pair}.png" for kind in ("discrete", "gaussian") for pair in ("bic", "posterior")}
    first = (folder / "results.csv").read_bytes()
    assert first.count(b"\n") == 1 + len(cells(TINY))
    run_study(STUDY, folder, TINY, progress=False)
    assert (folder / "results.csv").read_bytes() == first


def test_a_class_that_is_left_out_is_not_told_about(tmp_path):
    run_study(STUDY, tmp_path, replace(TINY, networks=("child",), algorithms=("mmhc", "tabu")), progress=False)
    rows = [line for line in (tmp_path / "answers.md").read_text().split("\n") if line.startswith("| Q")]
    assert [row.split("**")[1] == "not told" for row in rows[:6]] == [True, True, False, True, True, False]


def test_a_study_of_which_nothing_ended_says_so(tmp_path):
    config = replace(TINY, networks=("child",), algorithms=("tabu",), max_seconds=1e-9)
    assert "None of" in run_study(STUDY, tmp_path, config, progress=False)
    assert not (tmp_path / "answers.md").exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"networks": ("alram",)}, "unknown network 'alram'; did you mean 'alarm'"),
        ({"algorithms": ("tabo",)}, "unknown algorithm 'tabo'; did you mean 'tabu'"),
        ({"algorithms": ("mmpc",)}, "unknown algorithm 'mmpc'"),  # finds no network, only neighbours
        ({"criteria": ("BIC",)}, "unknown criterion 'BIC'"),
        ({"ratios": (0.0,)}, "ratios must be more than 0"),
        ({"ratios": ()}, "ratios must be one or more"),
        ({"variance": "biased"}, "variance must be"),
        ({"samples": 0}, "samples must be 1 or more; got 0"),
        ({"max_seconds": 0.0}, "max_seconds must be more than 0"),
    ],
)
def test_wrong_settings_are_refused(changes, words):
    with pytest.raises(ClimateBNError, match=words):
        replace(TINY, **changes)
