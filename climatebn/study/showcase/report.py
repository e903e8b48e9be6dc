"""`report.html`: everything the main job found on one page that needs no other file."""

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from climatebn import pages
from climatebn.ingest.grid.land import KINDS
from climatebn.pages.parts import Part
from climatebn.provenance import versions
from climatebn.study.showcase.certainty_page import certainty_sections
from climatebn.study.showcase.explorer_page import NAME, explorer_link
from climatebn.study.showcase.findings import unbroken
from climatebn.study.showcase.subject import Subject

if TYPE_CHECKING:
    from climatebn.study.showcase.main_job import MainResult

METHODS_DOI = "https://doi.org/10.1016/j.ijar.2019.10.003"
SINGLE = "Of the single networks of the whole record; numbers with intervals stand above, from ensembles."
NCEP_PAGE = "https://psl.noaa.gov/data/gridded/data.ncep.reanalysis.html"


def report_page(result: "MainResult", folder: Path) -> str:
    """The page, with the figures of ``folder`` inside and links to its other files."""
    first, hybrid, given = *result.answers[:2], result.question.words
    sure, about = result.certainty, result.subject
    answer = f"Rise in the probability of extremes given {given}: {first.label}. Blank: less than 0.05."
    sections = [
        *_explorer(result, folder),
        *(
            [pages.figure(folder / "answer.png", answer)]
            if sure is None
            else certainty_sections(sure, about, folder, given, first.label, hybrid.label)
        ),
        pages.section("The numbers that matter", *([] if sure is None else [SINGLE]), _summary(result)),
        *(
            pages.section(title, pages.figure(folder / f"{name}.png", words))
            for name, (title, words) in _figures(result).items()
        ),
        *(
            pages.section(f"Strongest teleconnections: {item.label}", _arcs(item.long.head(10)))
            for item in result.answers
            if item.result is not None
        ),
        pages.section("Methods", _methods(result), *_provenance(result)),
        pages.section("Files", pages.bullets(pages.link(path.name) for path in _files(folder))),
        pages.section("How to cite", *_cite(about)),
    ]
    title = f"What El Niño, {given}, means elsewhere" if about.el_nino else f"What {given} means elsewhere"
    return pages.page(title, sections, lead=about.lead(result.data), notes=result.notes)


def _explorer(result: "MainResult", folder: Path) -> list[Part]:
    """The way to the page on which the reader asks the same networks; nothing where it was not written."""
    if not (folder / NAME).exists():
        return []
    link = pages.link(explorer_link(result), "Ask the networks yourself")
    return [pages.paragraph(link, ": click on the map, set evidence, compare (explorer.html, a page to send around).")]


def _figures(result: "MainResult") -> dict[str, tuple[str, str]]:
    """Title and caption of each figure by the name of its file."""
    about, first = result.subject, result.answers[0]
    as_run = "; by its numbers, the paper's own score charged twice this penalty" if about.paper else ""
    return {
        "field": (
            "The field",
            "Top: the mean. Bottom: the month with the largest anomalies, each value minus the mean of its calendar "
            "month. Networks are learned from such anomalies, never from the mean or the seasons.",
        ),
        "networks": (
            "Two networks and their answers",
            "Top: the strongest arcs, red where the coefficient is positive; those over 5000 km, teleconnections, are "
            f"wider. Bottom: how much more likely a {about.high} (red) or {about.low} (blue) extreme becomes once the "
            f"evidence (boxed) is known. Both maps share one scale. Scheme: matched criteria{as_run}.",
        ),
        "correlation_network": (
            "The baseline: pairs with the largest correlations",
            f"As many arcs as the network of {first.label} has, given to the most correlated pairs. In such a network "
            "evidence reaches direct neighbours only.",
        ),
        "strength_distance": (
            "What an arc is worth, by its length",
            "Strength is the BIC (γ = 0) that the network would lose without the arc; arcs over 5000 km are red. A "
            "search lets no arc in that is worth less than its price, so the lower edge is no property of the climate.",
        ),
        "vstructures": (
            "V-structures",
            "Two places that act on a third without being joined themselves. Bars: their share among all pairs of "
            "arcs that meet. Marks: what random graphs of the same size have.",
        ),
    }


def _methods(result: "MainResult") -> str:
    """What was done, in one paragraph."""
    data, first, hybrid = result.data, result.answers[0], result.answers[1]
    base = data.attrs.get("base_period", "all whole years")
    history = str(data.attrs.get("history", ""))
    flat = ", without each place's linear trend," if "detrend='linear'" in history else ""
    part = "".join(f" of the {kind} alone" for kind in KINDS if f" mask(keep='{kind}'" in history)
    return (
        f"Anomalies from the monthly climatology of {base}{flat} at {len(data.names)} places{part} ({data.counted}) "
        f"are the nodes of Gaussian Bayesian networks. Two structures were learned, {first.label} and {hybrid.label}, "
        "with matched criteria: score and test charge the same penalty for an arc, that of BIC, which grows with γ. "
        "Each was fitted by least squares to the anomalies in standard deviations. The probability that a place "
        "exceeds one standard deviation, with and without the evidence, is computed exactly. An arc is worth the BIC "
        "(γ = 0) that the network loses without it; distances are great circles. Arcs are learned from observations "
        "and are not causes."
    )


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".csv", ".nc", ".pdf"))


def _cite(about: Subject) -> list[Part]:
    methods = pages.paragraph(
        "Methods: climatebn (this program); Scutari, Graafland and Gutiérrez (2019), Int. J. Approx. Reasoning 115, "
        "235–253, ",
        pages.link(METHODS_DOI, "doi:10.1016/j.ijar.2019.10.003"),
        ".",
    )
    if not about.embedded:
        return [methods, f"Data: {about.source}, cited as its authors ask."]
    data = "Data: NCEP-NCAR Reanalysis 1 data provided by the NOAA PSL, Boulder, Colorado, USA, "
    return [methods, pages.paragraph(data, pages.link(NCEP_PAGE), ".")]


def _summary(result: "MainResult") -> Part:
    """A row of numbers and, under it, what they mean."""
    labels = [item.label for item in result.answers]
    rows = [
        {"": f.name, **dict(zip(labels, f.values, strict=True)), "meaning": f"{f.meaning}."} for f in result.findings
    ]
    return pages.table(pd.DataFrame(rows), meaning="meaning")


def _arcs(long: pd.DataFrame) -> Part:
    rows = [
        {
            "source": unbroken(f"{arc['source']} ({arc['source_place']})"),
            "target": unbroken(f"{arc['target']} ({arc['target_place']})"),
            "length [km]": arc["km"],
            "strength [nats of BIC]": arc["strength"],
        }
        for _, arc in long.iterrows()
    ]
    if not rows:
        return "None: every arc is shorter than 5000 km."
    return pages.table(pd.DataFrame(rows), formats={"length [km]": ".0f", "strength [nats of BIC]": ".1f"})


def _provenance(result: "MainResult") -> list[Part]:
    learned = [
        f"{item.label}: {item.result.algorithm}, {item.result.criterion}, {len(item.result.graph.skeleton)} arcs, "
        f"{item.result.calls} calls, {item.result.seconds:.2f} s"
        for item in result.answers
        if item.result is not None
    ]
    used = ", ".join(f"{name} {version}" for name, version in versions().items())
    return [pages.bullets(learned), used, pages.listing(str(result.data.attrs.get("history", "")))]
