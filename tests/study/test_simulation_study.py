"""The simulation study: its configuration, one cell, and a small study from end to end."""

import csv
import gzip
import shutil
from dataclasses import replace

import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.graph import Pdag
from climatebn.jobs import read_config, run_study
from climatebn.jobs.config import to_toml
from climatebn.learning.registry import ALGORITHMS
from climatebn.network.reference import DISCRETE
from climatebn.study.registry import find
from climatebn.study.simulation import study as simulation_module
from climatebn.study.simulation.claims import RULES
from climatebn.study.simulation.panels import in_paper
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


def test_others_than_the_papers_have_cells_on_request_and_no_claim():
    more = replace(TINY, algorithms=("tabu", "ges", "boss", "pc_stable:strongest"), criteria=("bic", "g2_adjusted"))
    found = {key[:3] for key in cells(more)}
    assert found == {
        *((network, "bic", name) for network in TINY.networks for name in ("tabu", "boss", "pc_stable:strongest")),
        ("child", "g2_adjusted", "pc_stable:strongest"),
    }
    assert [key for key in found if in_paper(*key)] == [key for key in found if key[2] == "tabu"]
    record = run_cell(more, ("child", "g2_adjusted", "pc_stable:strongest", 2.0, 1))
    stats = draw("child", 2.0, 1, more.seed)
    alone = cb.learn(stats, "pc_stable", cb.G2(0.01, df="adjusted"), orient="strongest", progress=False)
    assert record.arrays["directed"].tolist() == [list(arc) for arc in alone.graph.numbered_arcs]
    assert record.measures["calls"] == alone.calls


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

        def uninterrupted(self):
            return self

    monkeypatch.setattr(simulation_module, "learn", lambda *args, **options: Found())
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


@pytest.mark.parametrize("config", [STUDY.quick, TINY], ids=["quick", "tiny"])
def test_two_workers_compile_different_kernels(config):
    """First comes one cell of each algorithm and kind of data, no algorithm and kind twice."""
    kinds = [(algorithm, network in DISCRETE) for network, _, algorithm, _, _ in cells(config)]
    first = sorted(cells(config), key=lambda key: -cost(config, key))[: len(set(kinds))]
    assert {(key[2], key[0] in DISCRETE) for key in first} == set(kinds)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("simulation") / "study"
    return folder, run_study(STUDY, folder, TINY, progress=False)


def files(folder):
    return {path.name: path.read_bytes() for path in (*folder.glob("*.csv"), *folder.glob("*.md"))}


def test_small_study_from_end_to_end(finished):
    folder, summary = finished
    assert "Q1 " in summary
    with (folder / "claims.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["id", "setting", "claim", "paper", "rule", "found", "holds", "why"]
    assert [row[0] for row in rows] == [rule.id for rule in RULES]
    needs = {rule.id: set(rule.needs) <= {*TINY.algorithms} for rule in RULES}
    assert {row[0]: row[6] != "undetermined" for row in rows} == needs  # D11 alone has all its algorithms
    page = (folder / "claims.md").read_text()
    lines = [line.replace(r"\|", "") for line in page.split("\n") if line.startswith("| ")]
    assert [line.count("|") for line in lines] == [8] * (len(RULES) + 1)  # no bar of |A| ends a column
    drawn = {path.name for path in (folder / "figures").iterdir()}
    assert drawn == {f"{kind}_{pair}.png" for kind in ("discrete", "gaussian") for pair in ("bic", "posterior")}
    assert (folder / "results.csv").read_bytes().count(b"\n") == 1 + len(cells(TINY))


def test_a_table_alone_gives_the_same_bytes(finished, tmp_path):
    folder, _ = finished
    with gzip.open(tmp_path / "kept.csv.gz", "wb") as file:
        file.write((folder / "results.csv").read_bytes())
    STUDY.from_table(tmp_path / "kept.csv.gz", tmp_path)
    wanted = {name: text for name, text in files(folder).items() if name not in ("results.csv", "seconds.csv")}
    assert files(tmp_path) == wanted
    assert (tmp_path / "figures/discrete_bic.png").exists()


def test_stopped_and_resumed_it_gives_the_same_bytes(finished, tmp_path):
    folder, _ = finished
    shutil.copytree(folder, tmp_path / "stopped")
    for lost in sorted((tmp_path / "stopped/cells").iterdir())[::3]:
        lost.unlink()
    for made in ("claims.csv", "claims.md", "results.csv", "means.csv"):
        (tmp_path / "stopped" / made).unlink()
    run_study(STUDY, tmp_path / "stopped", TINY, progress=False)
    again, first = files(tmp_path / "stopped"), files(folder)
    assert {**again, "seconds.csv": b""} == {**first, "seconds.csv": b""}


def _written(folder, config):
    (folder / "config.toml").write_text(to_toml(config))
    return folder / "config.toml"


def test_networks_can_have_their_own_number_of_samples(tmp_path):
    config = replace(TINY, samples=3, samples_of={"child": 1})
    samples = {name: {key[4] for key in cells(config) if key[0] == name} for name in config.networks}
    assert samples == {"child": {1}, "ecoli70": {1, 2, 3}}
    assert read_config(TINY, _written(tmp_path, config)) == config


def test_a_study_of_which_nothing_ended_says_so(tmp_path):
    config = replace(TINY, networks=("child",), algorithms=("tabu",), max_seconds=1e-9)
    assert "None of" in run_study(STUDY, tmp_path, config, progress=False)
    assert not (tmp_path / "claims.md").exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"networks": ("alram",)}, "unknown network 'alram'; did you mean 'alarm'"),
        ({"algorithms": ("tabo",)}, "unknown algorithm 'tabo'; did you mean 'tabu'"),
        ({"algorithms": ("mmpc",)}, "unknown algorithm 'mmpc'"),  # finds no network, only neighbours
        ({"algorithms": ("pc_stable:strong",)}, "unknown orient 'strong'"),
        ({"algorithms": ("tabu:strongest",)}, "v-structures are directed, which tabu does not do"),
        ({"criteria": ("BIC",)}, "unknown criterion 'BIC'"),
        ({"ratios": (0.0,)}, "ratios must be more than 0"),
        ({"ratios": ()}, "ratios must be one or more"),
        ({"variance": "biased"}, "variance must be"),
        ({"samples": 0}, "samples must be 1 or more; got 0"),
        ({"samples_of": {"alarm": 2}}, "unknown network in samples_of 'alarm'"),
        ({"samples_of": {"child": 0}}, "samples_of.child must be 1 or more; got 0"),
        ({"max_seconds": 0.0}, "max_seconds must be more than 0"),
    ],
)
def test_wrong_settings_are_refused(changes, words):
    with pytest.raises(ClimateBNError, match=words):
        replace(TINY, **changes)
