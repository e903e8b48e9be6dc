"""The main job: a field → anomalies → two networks → teleconnections, v-structures, evidence → figures and a report.

The two networks are the paper's: tabu search with BIC at γ = 0.5, and H2PC at γ = 0.2. H2PC takes the longer the
smaller γ is: where it does not end at 0.2, the smallest γ at which it ends in time is taken.
"""

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import xarray as xr

from climatebn.criterion import find as find_criterion
from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData, anomalies, to_nodes
from climatebn.jobs import open_executor
from climatebn.learning import LearnResult, learn
from climatebn.provenance import versions
from climatebn.study.showcase.certainty import Certainty, Effort, certainty
from climatebn.study.showcase.compilation import compiled
from climatebn.study.showcase.findings import Finding, findings
from climatebn.study.showcase.output_folder import output_folder
from climatebn.study.showcase.question import Question, question
from climatebn.study.showcase.subject import Subject, subject
from climatebn.study.showcase.summary import THRESHOLD, Answer, answer, correlation_answer
from climatebn.study.showcase.written import write

TABU_GAMMA = 0.5
H2PC_GAMMAS = (50.0, 10.0, 4.0, 2.0, 1.0, 0.5, 0.2)
H2PC_SECONDS = 60.0  # for all of them together

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
    question: Question
    certainty: Certainty | None = None


def run_main_job(
    field: xr.DataArray,
    out: Path,
    *,
    source: str | None = None,
    field_options: Mapping[str, Any] | None = None,
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
    worded: Callable[[str], str] = str,
) -> MainResult:
    """Run the main job on a monthly field and write everything into the folder ``out``.

    Parameters
    ----------
    source : the file that the field is from, as the report names it.
    field_options : how the field was read from it (variable, grid, mask, …), for the record alone.
    anomaly_options, node_options : arguments of `anomalies` and of `to_nodes`, e.g. ``{"missing": "drop_nodes"}``.
    algorithm, gamma : of the first network; the second is that of H2PC.
    evidence : values in sd by node name, (lat, lon) or region; El Niño, 2 sd at 5°S 135°W, when None.
    members : networks in the ensemble of the first algorithm; H2PC gets a fifth.
    quick : a tenth of all that.
    workers : processes that learn them.
    say : is told each step as it begins.
    worded : says a note in the words of whoever asked, e.g. options of the command line.
    """
    effort = Effort.of(members, quick)
    record: dict[str, Any] = {
        "data": {},
        "settings": {
            "field": dict(field_options or {}), "anomalies": dict(anomaly_options or {}),
            "to_nodes": dict(node_options or {}), "algorithm": algorithm, "gamma": gamma,
            "h2pc_gammas": H2PC_GAMMAS, "h2pc_seconds": H2PC_SECONDS, "threshold_sd": THRESHOLD, "evidence_sd": {},
            "quick": quick, "workers": workers, **asdict(effort),
        },
        "versions": {"python": platform.python_version(), **versions("matplotlib", "cartopy", "pandas")},
    }  # fmt: skip
    with output_folder(out, record) as folder:
        say(f"anomalies of {field.sizes['lat']} × {field.sizes['lon']} places, {field.sizes['time']} months")
        anomaly = anomalies(field, **(anomaly_options or {}))
        data = to_nodes(anomaly, **(node_options or {}))
        asked = question(evidence, data)
        about = subject(field, source, asked)
        record["data"] = asdict(about)
        record["settings"]["evidence_sd"] = {str(key): value for key, value in asked.evidence.items()}
        with open_executor(workers) as executor:
            say("compiled kernels (half a minute in a new installation, then kept on disk)")
            compiled(data, algorithm, executor, progress)
            result = _asked(data, algorithm, gamma, asked, about, progress, say)
            try:
                sure = certainty(
                    field,
                    data,
                    (algorithm, gamma, result.hybrid_gamma),
                    asked,
                    effort,
                    about.el_nino,
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
            result = replace(result, notes=tuple(map(worded, result.notes)))
            record["notes"] = list(result.notes)
            say("figures, tables, networks, report")
            write(folder, field, anomaly, result, executor)
    return result


def learn_h2pc(data: NodeData, progress: bool, say: Say) -> tuple[LearnResult, float, tuple[str, ...]]:
    """H2PC at the smallest γ at which it ends in the budget, and notes.

    The smallest of all has the first half of the budget; if that is not enough, the others are tried in the second
    half from the largest, which ends soonest.
    """
    *others, smallest = H2PC_GAMMAS

    def ended(gamma: float, seconds: float) -> LearnResult | None:
        say(f"H2PC, γ = {gamma:g}")
        result = learn(data, "h2pc", _bic(gamma), max_seconds=max(seconds, 0.1), progress=progress).uninterrupted()
        return None if result.stopped or not result.valid else result

    half = H2PC_SECONDS / 2
    found = ended(smallest, half)
    if found is not None:
        return found, smallest, ()
    best: tuple[LearnResult, float] | None = None
    started = time.perf_counter()
    for gamma in others:
        found = ended(gamma, half - (time.perf_counter() - started))
        if found is None:
            break
        best = found, gamma
    if best is None:
        raise ClimateBNError(f"H2PC did not end within {half:g} s even at γ = {gamma:g}; give a coarser grid")
    tried = f"γ = {smallest:g} within {half:g} s" + (f", nor at γ = {gamma:g}" if best[1] != gamma else "")
    return *best, (f"H2PC did not end at {tried}; γ = {best[1]:g} was taken",)


def _asked(
    data: NodeData, algorithm: str, gamma: float, asked: Question, about: Subject, progress: bool, say: Say
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
        answer(algorithm, f"{algorithm} (γ = {gamma:g})", first, data, asked.evidence),
        answer("h2pc", f"H2PC (γ = {hybrid_gamma:g})", h2pc, data, asked.evidence),
        correlation_answer(data, len(first.graph.numbered_skeleton), asked.evidence),
    )
    doubts = [note for note in first.notes if note not in notes]
    said = tuple(note for note in (asked.note, *doubts, *notes) if note)
    return MainResult(data, answers, tuple(findings(answers, about)), said, hybrid_gamma, about, asked)


def _bic(gamma: float) -> Any:
    return find_criterion("BIC")(gamma=gamma)
