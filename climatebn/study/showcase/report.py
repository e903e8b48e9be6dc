"""`report.html`: everything the main job found on one page that needs no other file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from climatebn import pages
from climatebn.ingest.grid.place_names import place_name
from climatebn.pages.parts import Part
from climatebn.provenance import versions
from climatebn.study.showcase.certainty_page import certainty_sections

if TYPE_CHECKING:
    from climatebn.study.showcase.main_job import MainResult

FIGURES = {
    "figure1_field": (
        "The field",
        "Top: the mean. Bottom: one month minus the mean of its calendar month (January 1998, the height of an El "
        "Niño, where the field has it). Networks are learned from such anomalies, never from the mean or the seasons.",
    ),
    "figure4_networks": (
        "Two networks and their answers",
        "Top: every arc; those over 5000 km, teleconnections, are black. Bottom: how much more likely a warm (red) or "
        "cold (blue) extreme becomes once the boxed node is known to have that value. Both maps share one scale.",
    ),
    "correlation_network": (
        "The baseline: pairs with the largest correlations",
        "As many arcs as the tabu network has, given to the most correlated pairs. In such a network evidence reaches "
        "direct neighbours only.",
    ),
    "strength_distance": (
        "What an arc is worth, by its length",
        "Strength is the BIC (γ = 0) that the network would lose without the arc; arcs over 5000 km are red. A search "
        "lets no arc in that is worth less than its price, so the lower edge is no property of the climate.",
    ),
    "vstructures": (
        "V-structures",
        "Two places that act on a third without being joined themselves. Bars: their share among all pairs of arcs "
        "that meet. Marks: what random graphs of the same size have.",
    ),
}

CITE = (
    "climatebn (this program); Scutari, Graafland and Gutiérrez (2019), Int. J. Approx. Reasoning 115, 235–253, "
    "doi:10.1016/j.ijar.2019.10.003 (the methods); NCEP-NCAR Reanalysis 1 data provided by the NOAA PSL, Boulder, "
    "Colorado, USA, https://psl.noaa.gov (the embedded field)."
)


def report_page(result: "MainResult", folder: Path) -> str:
    """The page, with the figures of ``folder`` inside."""
    first, hybrid, given = *result.answers[:2], _evidence(result)
    sure = result.certainty
    sections = [
        *(
            [pages.figure(folder / "el_nino.png", f"Rise in the probability of extremes given {given}: {first.label}.")]
            if sure is None
            else certainty_sections(sure, folder, given, first.label, hybrid.label)
        ),
        pages.section("The numbers that matter", _summary(result)),
        *(
            pages.section(title, pages.figure(folder / f"{name}.png", words))
            for name, (title, words) in FIGURES.items()
        ),
        *(
            pages.section(f"Strongest teleconnections: {item.label}", _arcs(item.long.head(10)))
            for item in result.answers
            if item.result is not None
        ),
        pages.section("How it was made", *_provenance(result)),
        pages.section("How to cite", CITE),
    ]
    title = f"What {given} means for the rest of the world"
    return pages.page(title, sections, lead=_data_line(result), notes=result.notes)


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
            "source": f"{arc['source']} ({arc['source_place']})",
            "target": f"{arc['target']} ({arc['target_place']})",
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


def _evidence(result: "MainResult") -> str:
    """The evidence in words: X81 (5°S 135°W) = +2 sd."""
    given: dict[str, float] = json.loads(result.answers[0].response.attrs["evidence"])
    at = result.data.nodes.positions(given)
    spots = [place_name(result.data.lat[i], result.data.lon[i]) for i in at]
    return ", ".join(
        f"{name} ({spot}) = {value:+g} sd" for (name, value), spot in zip(given.items(), spots, strict=True)
    )


def _data_line(result: "MainResult") -> str:
    data = result.data
    first, last = (str(time)[:7] for time in (data.time[0], data.time[-1]))
    units = data.units or "their own units"
    return f"{len(data.names)} places, {len(data)} months ({first} … {last}), anomalies in {units}."
