"""The main job on a small made field: files, report, fallback of H2PC, folders that are kept safe."""

import html
import json
import os
import re
import signal
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.files import PART
from climatebn.graph import Dag, Pdag
from climatebn.study.showcase import main_job
from climatebn.study.showcase.main_job import learn_h2pc, run_main_job
from climatebn.study.showcase.output_folder import output_folder
from climatebn.study.showcase.summary import answer


@pytest.fixture(scope="module")
def small():
    """Ten years on a 30° grid: neighbours are alike, and one far pair moves together."""
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(120, 6, 12))
    values = noise + 0.9 * np.roll(noise, 1, axis=2) + 0.5 * np.roll(noise, 1, axis=1)
    values[:, 3, 9] += 1.5 * values[:, 2, 1]
    time = xr.date_range("2001-01-01", periods=120, freq="MS")
    coords = {"time": time, "lat": np.arange(-75.0, 90, 30), "lon": np.arange(-165.0, 180, 30)}
    attrs = {"units": "K", "long_name": "made temperature"}
    return xr.DataArray(values + 280, coords=coords, dims=("time", "lat", "lon"), name="air", attrs=attrs)


@pytest.fixture(scope="module")
def finished(small, tmp_path_factory):
    out = tmp_path_factory.mktemp("job") / "results"
    said = []
    result = run_main_job(
        small,
        out,
        source="made.nc",
        field_options={"grid": 30.0},
        anomaly_options={"detrend": "linear"},
        evidence={(-15, -135): 2.0},
        members=4,
        quick=True,
        workers=2,  # as the command does: models go to other processes
        progress=False,
        say=said.append,
    )
    return SimpleNamespace(out=out, result=result, said=said)


def test_every_file_is_there_and_listed(finished):
    names = {path.name for path in finished.out.iterdir()}
    assert names == {*json.loads((finished.out / "run.json").read_text())["files"], "run.json"}
    for name in ("answer", "field", "networks", "strength_distance", "vstructures"):
        assert {f"{name}.png", f"{name}.pdf"} <= names
    for key in ("tabu", "h2pc"):
        assert {f"network_{key}.nc", f"arcs_{key}.csv", f"teleconnections_{key}.csv", f"propagation_{key}.nc"} <= names


def test_report_needs_no_other_file(finished):
    page = (finished.out / "report.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<img alt="[^"]{20,}" src="data:image/png;base64,', page)) >= 9
    assert not re.search(r'src="(?!data:)', page)
    linked = re.findall(r'href="([^"]+)"', page)
    assert "https://doi.org/10.1016/j.ijar.2019.10.003" in linked
    assert {name.partition("#")[0] for name in linked if "://" not in name} == {
        path.name for path in finished.out.iterdir() if path.suffix in (".csv", ".nc", ".pdf")
    } | {"explorer.html"}
    for found in finished.result.findings:
        assert found.meaning.replace("&", "&amp;") in page
    assert "nan" not in page.lower().split("base64,")[0]


def test_the_report_leads_to_the_explorer(finished):
    page = (finished.out / "report.html").read_text(encoding="utf-8")
    link = html.unescape(re.search(r'href="(explorer\.html[^"]*)"', page)[1])
    assert re.fullmatch(r"explorer\.html#e=\w+:2&t=1&v=both&n=0&m=1", link)
    assert page.index("explorer.html#") < page.index("<h2")
    assert "sample" in (finished.out / "explorer.html").read_text(encoding="utf-8")


def test_the_report_says_how_sure_it_is(finished):
    sure = finished.result.certainty
    assert len(sure.first) == 4
    assert set(sure.nulls) == {"γ = 0.5", "γ = 0.5, twice the penalty"}
    assert {"ensemble", "regression"} <= set(sure.skill["model"])
    assert sure.composite.months > 0
    page = (finished.out / "report.html").read_text(encoding="utf-8")
    heads = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    told = ["How sure is it?", "Two algorithms, two answers", "How many long arcs are chance?"]
    assert [head for head in heads if head in told] == told
    assert "upper bound" in page
    names = {path.name for path in finished.out.iterdir()}
    assert {"ensemble_tabu.nc", "ensemble_h2pc.nc", "skill.csv"} <= names
    again = cb.Ensemble.load(finished.out / "ensemble_tabu.nc")
    assert again.region_mean({(-15, -135): 2.0}, lat=(-25, 20), lon=(45, 100)) == sure.ocean["first"]


def test_files_say_what_the_networks_say(finished):
    tabu = finished.result.answers[0]
    bn = cb.load_network(finished.out / "network_tabu.nc")
    assert bn.dag.arcs == tabu.result.dag.arcs
    arcs = pd.read_csv(finished.out / "arcs_tabu.csv")
    assert len(arcs) == len(bn.dag.arcs)
    long = pd.read_csv(finished.out / "teleconnections_tabu.csv")
    assert (long["km"] > 5000).all()
    assert len(long) == (arcs["km"] > 5000).sum() > 0
    with xr.open_dataset(finished.out / "propagation_tabu.nc") as post:
        again = cb.propagate(bn, {(-15, -135): 2.0}, tail="both")
        np.testing.assert_allclose(post["difference_upper"], again["difference_upper"], atol=1e-10)
    summary = pd.read_csv(finished.out / "summary.csv")
    assert summary["number"].tolist() == [found.name for found in finished.result.findings]
    assert int(summary.iloc[0][tabu.label]) == len(arcs)


def test_each_step_is_said(finished):
    assert any("tabu" in line for line in finished.said)
    assert any("H2PC, γ = 0.2" in line for line in finished.said)


def learner(ends_from, asked):
    """A stand-in for `learn` whose H2PC ends only from some γ on."""

    def learn(data, algorithm, criterion, max_seconds, **options):
        asked.append((criterion.gamma, max_seconds))
        dag = Dag.from_arcs(data.names, [(data.names[0], data.names[1])])
        stopped = "" if criterion.gamma >= ends_from else "time"
        facts = {"calls": 1, "calls_bnlearn": 1, "seconds": 0.0, "algorithm": algorithm, "criterion": repr(criterion)}
        return cb.LearnResult(graph=Pdag.from_dag(dag), dag=dag, valid=True, stopped=stopped, **facts)

    return learn


def test_h2pc_takes_the_smallest_gamma_that_ends_within_one_budget(small, monkeypatch):
    data = cb.to_nodes(cb.anomalies(small))
    asked = []
    monkeypatch.setattr(main_job, "learn", learner(1.0, asked))
    _, gamma, notes = learn_h2pc(data, False, lambda line: None)
    assert gamma == 1.0
    assert [g for g, _ in asked] == [0.2, 50.0, 10.0, 4.0, 2.0, 1.0, 0.5]  # then from the side that ends soon
    left = [seconds for _, seconds in asked]
    assert left[1:] == sorted(left[1:], reverse=True)  # one half of the budget for all of these
    assert left[0] + left[1] <= main_job.H2PC_SECONDS
    assert notes == ("H2PC did not end at γ = 0.2 within 30 s, nor at γ = 0.5; γ = 1 was taken",)
    asked.clear()
    monkeypatch.setattr(main_job, "learn", learner(0.3, asked))
    assert learn_h2pc(data, False, lambda line: None)[1:] == (
        0.5,
        ("H2PC did not end at γ = 0.2 within 30 s; γ = 0.5 was taken",),
    )
    asked.clear()
    monkeypatch.setattr(main_job, "learn", learner(0.0, asked))
    assert learn_h2pc(data, False, lambda line: None)[1:] == (0.2, ())
    assert len(asked) == 1
    monkeypatch.setattr(main_job, "learn", learner(1000.0, asked))
    with pytest.raises(ClimateBNError, match="even at γ = 50"):
        learn_h2pc(data, False, lambda line: None)


def test_the_report_of_an_own_file_speaks_of_that_file(finished):
    page = re.sub(r'base64,[^"]+', "", (finished.out / "report.html").read_text(encoding="utf-8"))
    assert "Data: made.nc; air, made temperature [K]; 2001-01 … 2010-12. 120 months of anomalies at 72 places." in page
    assert (
        "climatology of 2001-01 … 2010-12, without each place's linear trend, at 72 places (120 months)"
        in html.unescape(page)
    )
    for foreign in ("NCEP", "Indian Ocean", "El Niño", "the paper", "1998"):
        assert foreign not in page
    assert not any("nino" in path.name for path in finished.out.iterdir())


def test_run_json_has_every_setting_and_version(finished):
    record = json.loads((finished.out / "run.json").read_text())
    assert record["data"]["source"] == "made.nc"
    assert record["settings"]["algorithm"] == "tabu"
    assert record["settings"]["field"] == {"grid": 30.0}
    spent = {"members": 4, "hybrid_members": 4, "draws": 2, "skill_members": 2}  # quick
    assert {name: record["settings"][name] for name in spent} == spent
    assert record["settings"]["h2pc_gamma_taken"] == finished.result.hybrid_gamma
    assert record["settings"]["evidence_sd"] == {"(-15, -135)": 2.0}
    assert {"python", "climatebn", "numpy", "numba", "xarray", "matplotlib", "cartopy"} <= set(record["versions"])
    assert any("to_nodes(" in line for line in record["history"])


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({(-15, -135): (1.0, None), (15, 15): 1.0}, "an interval as evidence must be the only evidence"),
        ({"X9999": 1.0}, "unknown evidence node 'X9999'"),
        ({(-15, -135): 20.0}, "standard deviations from its mean; the limit is ±8"),
    ],
)
def test_evidence_is_checked_before_anything_is_learned(small, tmp_path, monkeypatch, evidence, words):
    monkeypatch.setattr(main_job, "compiled", lambda *arguments: 1 / 0)
    with pytest.raises(ClimateBNError, match=words):
        run_main_job(small, tmp_path / "new", evidence=evidence, progress=False)
    assert not (tmp_path / "new").exists()


def test_an_error_leaves_nothing_and_an_earlier_run_untouched(small, tmp_path, monkeypatch):
    with pytest.raises(ClimateBNError, match="missing"):
        run_main_job(small.where(small.lat > -60), tmp_path / "new", progress=False)
    assert not (tmp_path / "new").exists()
    with output_folder(tmp_path / "old") as folder:
        (folder / "report.html").write_text("first")
    monkeypatch.setattr(main_job, "_asked", lambda *arguments: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run_main_job(small, tmp_path / "old", progress=False)
    assert sorted(path.name for path in (tmp_path / "old").iterdir()) == ["report.html", "run.json"]
    assert (tmp_path / "old" / "report.html").read_text() == "first"


def test_a_second_run_replaces_its_own_files_and_keeps_others(tmp_path):
    for made in ("a.txt", "b.txt"):
        with output_folder(tmp_path) as folder:
            (folder / made).write_text(made)
        (tmp_path / "notes.txt").write_text("mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.txt", "notes.txt", "run.json"]
    with pytest.raises(ClimateBNError, match=r"notes\.txt; move them away"), output_folder(tmp_path) as folder:
        (folder / "notes.txt").write_text("ours")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_folders_of_others_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ClimateBNError, match="not the folder of an earlier run"), output_folder(tmp_path):
        pass
    with pytest.raises(ClimateBNError, match="is a file"), output_folder(tmp_path / "thesis.tex"):
        pass


def test_el_nino_on_the_embedded_field():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    result = cb.learn(data, "tabu", cb.BIC(gamma=0.5), progress=False)
    tabu = answer("tabu", "tabu", result, data, {"X81": 2.0})
    assert tabu.near()["difference"].head(2).min() > 0.7
    assert tabu.indian_ocean > 0.05
    assert len(tabu.far()) > 20


def test_only_what_a_run_made_is_removed(tmp_path):
    out = tmp_path / "out"
    with output_folder(out) as folder:
        (folder / "a.txt").write_text("made")
        (folder / "b.txt").write_text("made")
    (out / "a.txt").write_text("edited since")
    (out / "thesis.txt").write_text("precious")
    (tmp_path / "thesis.txt").write_text("precious")
    listed = json.loads((out / "run.json").read_text())
    listed["files"] |= {"thesis.txt": "", "..": "", "../thesis.txt": "", ".": ""}
    (out / "run.json").write_text(json.dumps(listed))
    (out / f"{PART}left-by-a-killed-run").mkdir()
    with output_folder(out) as folder:
        (folder / "c.txt").write_text("made")
    assert sorted(path.name for path in out.iterdir()) == ["a.txt", "c.txt", "run.json", "thesis.txt"]
    assert (tmp_path / "thesis.txt").exists()


def test_two_runs_in_one_folder_and_an_interrupt(tmp_path):
    out = tmp_path / "out"

    def second():
        with output_folder(out), output_folder(out):
            pass

    def interrupted():
        with output_folder(out):
            raise KeyboardInterrupt

    with pytest.raises(ClimateBNError, match="a run is running in"):
        second()
    with pytest.raises(KeyboardInterrupt, match=f"interrupted; {re.escape(str(out))} is as it was before"):
        interrupted()
    assert not out.exists()


def test_ctrl_c_in_h2pc_is_no_gamma_at_which_it_did_not_end(small, tmp_path, monkeypatch):
    def cut_short(data, algorithm, *arguments, **options):
        result = cb.learn(data, algorithm, *arguments, **options)
        return replace(result, stopped="interrupted") if algorithm == "h2pc" else result

    monkeypatch.setattr(main_job, "learn", cut_short)
    said = []
    with pytest.raises(KeyboardInterrupt, match="is as it was before"):
        run_main_job(small, tmp_path / "out", evidence={(-15, -135): 2.0}, quick=True, progress=False, say=said.append)
    assert said[-1] == "H2PC, γ = 0.2"  # no other was tried
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_files_are_moved_waits_for_the_last(tmp_path, monkeypatch, number):
    moved = os.replace

    def disturbed(source, target):
        signal.raise_signal(number)
        moved(source, target)

    def run():
        with output_folder(tmp_path / "out") as folder:
            for name in ("a.txt", "b.txt"):
                (folder / name).write_text("made")
            monkeypatch.setattr("climatebn.study.showcase.output_folder.os.replace", disturbed)

    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    try:
        with pytest.raises((KeyboardInterrupt, SystemExit)) as stop:
            run()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "b.txt", "run.json"]
    if number == signal.SIGINT:
        assert str(stop.value) == f"interrupted; all files were in {tmp_path / 'out'} by then"
