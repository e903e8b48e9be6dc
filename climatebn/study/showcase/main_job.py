"""The main job: a field → anomalies → two networks → teleconnections, v-structures, evidence → figures and a report.

The two networks are the paper's: tabu search with BIC at γ = 0.5, and H2PC at γ = 0.2. H2PC takes the longer the
smaller γ is: it begins with a large one, and the smallest at which it ends within one budget for all is taken.
"""

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import xarray as xr

from climatebn.criterion import find as find_criterion
from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData, anomalies, to_nodes
from climatebn.jobs import open_executor
from climatebn.learning import LearnResult, learn
from climatebn.network.evidence import locate
from climatebn.provenance import versions
from climatebn.study.showcase import certainty_figures, figures
from climatebn.study.showcase.certainty import Certainty, Effort, certainty
from climatebn.study.showcase.compilation import compiled
from climatebn.study.showcase.explorer_page import write_explorer
from climatebn.study.showcase.findings import Finding, findings
from climatebn.study.showcase.output_folder import output_folder
from climatebn.study.showcase.report import report_page
from climatebn.study.showcase.subject import Subject, subject
from climatebn.study.showcase.summary import THRESHOLD, Answer, answer, correlation_answer

ONE_NODE = "the main job also asks a correlation network, which takes values of single nodes; see climatebn propagate"
EL_NINO: dict[Any, float] = {(-5.0, -135.0): 2.0}  # X81 of the 10° grid, two standard deviations warmer
TABU_GAMMA = 0.5
H2PC_GAMMAS = (50.0, 10.0, 4.0, 2.0, 1.0, 0.5, 0.2)
H2PC_SECONDS = 60.0  # for all of them together
DPI = 160

Say = Callable[[str], None]


@dataclass(frozen=True)
class MainResult:
    """What the main job found; ``notes`` says what went otherwise than asked."""

    data: NodeData
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    hybrid_gamma: float
    subject: Subject
    certainty: Certainty | None = None


def run_main_job(
    field: xr.DataArray,
    out: Path,
    *,
    source: str | None = None,
    anomaly_options: Mapping[str, Any] | None = None,
    node_options: Mapping[str, Any] | None = None,
    algorithm: str = "tabu",
    gamma: float = TABU_GAMMA,
    evidence: Mapping[Any, Any] | None = None,
    members: int = 100,
    quick: bool = False,
    workers: int = 1,
    progress: bool = True,
    say: Say = lambda line: None,
) -> MainResult:
    """Run the main job on a monthly field and write everything into the folder ``out``.

    Parameters
    ----------
    source : the file that the field is from, as the report names it.
    anomaly_options, node_options : arguments of `anomalies` and of `to_nodes`, e.g. ``{"missing": "drop_nodes"}``.
    algorithm, gamma : of the first network; the second is that of H2PC.
    evidence : values in sd by node name or (lat, lon); El Niño, 2 sd at 5°S 135°W, when None.
    members : networks in the ensemble of the first algorithm; H2PC gets a fifth. quick : a tenth of all that.
    workers : processes that learn them.
    say : is told each step as it begins.
    """
    effort = Effort.of(members, quick)
    about = subject(field, source, asked=evidence is not None)
    given = evidence or EL_NINO
    record: dict[str, Any] = {
        "data": asdict(about),
        "settings": {
            "anomalies": dict(anomaly_options or {}), "to_nodes": dict(node_options or {}), "algorithm": algorithm,
            "gamma": gamma, "h2pc_gammas": H2PC_GAMMAS, "h2pc_seconds": H2PC_SECONDS, "threshold_sd": THRESHOLD,
            "evidence_sd": {str(key): value for key, value in given.items()}, "members": members, "quick": quick,
            "workers": workers,
        },
        "versions": {"python": platform.python_version(), **versions("matplotlib", "cartopy", "pandas")},
    }  # fmt: skip
    with output_folder(out, record) as folder:
        say(f"anomalies of {field.sizes['lat']} × {field.sizes['lon']} places, {field.sizes['time']} months")
        anomaly = anomalies(field, **(anomaly_options or {}))
        data = to_nodes(anomaly, **(node_options or {}))
        locate(evidence or EL_NINO, data.names, data.nodes, ONE_NODE)  # an error now, not after the learning
        say("compiled kernels (a minute in a new installation, then kept on disk)")
        compiled(
            data,
            algorithm,
            lambda few, name: learn(few, name, _bic(TABU_GAMMA), progress=False).uninterrupted(),
            progress,
        )
        result = _asked(data, algorithm, gamma, given, about, progress, say)
        try:
            with open_executor(workers) as executor:
                sure = certainty(
                    field,
                    data,
                    (algorithm, gamma, result.hybrid_gamma),
                    given,
                    effort,
                    anomaly_options=anomaly_options,
                    node_options=node_options,
                    workers=executor,
                    progress=progress,
                    say=say,
                )
            result = replace(result, certainty=sure, notes=(*result.notes, *sure.notes))
        except ClimateBNError as error:
            result = replace(result, notes=(*result.notes, f"left out: how sure the answers are ({error})"))
        record["settings"]["h2pc_gamma_taken"] = result.hybrid_gamma
        record["history"] = str(data.attrs.get("history", "")).splitlines()
        record["notes"] = list(result.notes)
        say("figures, tables, networks, report")
        _write(folder, field, anomaly, result)
    return result


def learn_h2pc(data: NodeData, progress: bool, say: Say) -> tuple[LearnResult, float, tuple[str, ...]]:
    """H2PC at the smallest γ at which it ends in the budget, tried from the largest, which ends soonest; and notes."""
    best: tuple[LearnResult, float] | None = None
    started = time.perf_counter()
    for gamma in H2PC_GAMMAS:
        left = H2PC_SECONDS - (time.perf_counter() - started)
        say(f"H2PC, γ = {gamma:g}")
        result = learn(data, "h2pc", _bic(gamma), max_seconds=max(left, 0.1), progress=progress).uninterrupted()
        if result.stopped or not result.valid:
            break
        best = (result, gamma)
    else:
        assert best is not None
        return *best, ()
    if best is None:
        raise ClimateBNError(f"H2PC did not end within {H2PC_SECONDS:g} s even at γ = {gamma:g}; give a coarser grid")
    note = f"H2PC did not end at γ = {gamma:g} within {H2PC_SECONDS:g} s for all γ tried; γ = {best[1]:g} was taken"
    return *best, (note,)


def _learned_quietly(data: NodeData, algorithm: str) -> LearnResult:
    return learn(data, algorithm, _bic(TABU_GAMMA), progress=False).uninterrupted()


def _asked(
    data: NodeData, algorithm: str, gamma: float, evidence: Mapping[Any, Any], about: Subject, progress: bool, say: Say
) -> MainResult:
    say(f"{algorithm}, γ = {gamma:g}, {len(data.names)} nodes")
    first = learn(data, algorithm, _bic(gamma), progress=progress).uninterrupted()
    if not first.valid:
        raise ClimateBNError(
            f"{algorithm} found no valid graph at γ = {gamma:g}: {first.reason}. Take tabu, or a larger γ"
        )
    h2pc, hybrid_gamma, notes = learn_h2pc(data, progress, say)
    say("teleconnections, v-structures, propagation")
    answers = (
        answer(algorithm, f"{algorithm} (γ = {gamma:g})", first, data, evidence),
        answer("h2pc", f"H2PC (γ = {hybrid_gamma:g})", h2pc, data, evidence),
        correlation_answer(data, len(first.graph.numbered_skeleton), evidence),
    )
    doubts = [note for note in first.notes if note not in notes]
    return MainResult(data, answers, tuple(findings(answers, about)), (*doubts, *notes), hybrid_gamma, about)


def _bic(gamma: float) -> Any:
    return find_criterion("BIC")(gamma=gamma)


def _write(folder: Path, field: xr.DataArray, anomaly: xr.DataArray, result: MainResult) -> None:
    learned = [item for item in result.answers if item.result is not None]
    drawn = {
        "answer": figures.answer_figure(learned[0]),
        "field": figures.field_figure(field, anomaly),
        "networks": figures.networks_figure(learned),
        "correlation_network": figures.networks_figure(result.answers[-1:]),
        "strength_distance": figures.strength_figure(learned),
        "vstructures": figures.vstructure_figure(learned),
    }
    if result.certainty is not None:
        plt.close(drawn["answer"])
        drawn |= certainty_figures.figures(result.certainty, learned[0].label, learned[1].label)
    for name, figure in drawn.items():
        for ending in ("png", "pdf"):
            figure.savefig(folder / f"{name}.{ending}", dpi=DPI)
        plt.close(figure)
    for item in result.answers:
        item.arcs.to_csv(folder / f"arcs_{item.key}.csv", index=False)
        item.long.to_csv(folder / f"teleconnections_{item.key}.csv", index=False)
        item.both.to_netcdf(folder / f"propagation_{item.key}.nc")
    for item in learned:
        item.network.save(folder / f"network_{item.key}.nc")
    if result.certainty is not None:
        _write_certainty(folder, result.certainty)
    labels = [item.label for item in result.answers]
    rows = ([found.name, *found.values, found.meaning] for found in result.findings)
    _write_csv(folder / "summary.csv", ["number", *labels, "meaning"], rows)
    write_explorer(folder, result)
    (folder / "report.html").write_text(report_page(result, folder), encoding="utf-8")


def _write_certainty(folder: Path, sure: Certainty) -> None:
    sure.first.save(folder / f"ensemble_{sure.first.algorithm}.nc")
    if sure.hybrid is not None:
        sure.hybrid.save(folder / f"ensemble_{sure.hybrid.algorithm}.nc")
    if sure.remaining is not None:
        sure.remaining.links.to_csv(folder / "remaining_links.csv", index=False)
    if sure.skill is not None:
        sure.skill.to_csv(folder / "skill.csv", index=False)


def _write_csv(path: Path, header: list[str], rows: Any) -> None:
    import csv

    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
