"""`comparison.html`: what a comparison of models found, on one page that needs no other file."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd

from climatebn import pages
from climatebn.comparison.comparison import TABLES, Comparison
from climatebn.errors import ClimateBNError
from climatebn.pages.parts import Part

FLOOR = (
    "Networks learned from finite records of one and the same climate lie apart. Δ is the distance less that floor, "
    "measured by halves of the records: it is 0 on average where nothing but chance differs. Intervals (90 %) come "
    "from years drawn anew in each half."
)
ORDER = (
    "A model's rank is only as good as its interval: places from … to … are those that it could have, given which "
    "other models are nearer or farther beyond chance."
)
WEIGHTS = (
    "w ∝ exp(−Δ/σ_D²) / (1 + Σ exp(−Δ_ij/σ_S²)) after Knutti et al. (2017), σ half of the median distance. Weights "
    "speak of the dependence between nodes in these months, not of means, trends or the response to forcing; where "
    "the order is not resolved, neither are they."
)


def comparison_page(
    found: Comparison, folder: Path, figures: Collection[str], agreement: pd.DataFrame | None = None
) -> str:
    """The page, with the figures of ``folder`` inside."""

    def shown(name: str, caption: str) -> list[Part]:
        return [pages.figure(folder / f"{name}.png", caption)] if name in figures else []

    reference = found.reference
    sections: list[Part] = [
        pages.section("What was found", pages.bullets(found.summary), FLOOR),
        pages.section(
            f"From {reference}",
            *shown(
                "from_reference",
                "Δ with 90 % intervals, nearest first; ticks: distance of the networks, chance included.",
            ),
            _reference_table(found),
            ORDER,
        ),
        pages.section(
            "Models and each other",
            *shown("distances", "Bhattacharyya distances, models in the order of the tree (average linkage)."),
            _clusters(found),
        ),
    ]
    if agreement is not None:
        sections.append(
            pages.section(
                "Answers to one question",
                *shown(
                    "answers",
                    f"Rise of P(X ≥ 1 sd) given the evidence: {reference}, the nearest and the farthest models.",
                ),
                pages.table(agreement.reset_index(), formats={str(name): ".2f" for name in agreement}),
            )
        )
    where = [*shown("where_nearest", "The nearest model."), *shown("where_farthest", "The farthest model.")]
    if where:
        words = (
            f"How much worse a model describes months of {reference} than its own network does, node by node; the "
            "shares add up to the Kullback–Leibler divergence."
        )
        sections.append(pages.section(f"Where models differ from {reference}", words, *where))
    sections += [*_links(found), *_weights(found)]
    files = [*(f"{name}.csv" for name in TABLES), "comparison.nc", *(f"{name}.png" for name in figures)]
    sections.append(
        pages.section(
            "Files and settings", pages.bullets([pages.link(name) for name in files]), pages.listing(found.history)
        )
    )
    rows = "" if found.rows is None else f", {found.rows} months each"
    lead = f"{len(found.names) - 1} models beside {reference}{rows}; {found.resamples} resamples."
    return pages.page("Do models have the same teleconnections?", sections, lead=lead, notes=found.notes)


def _reference_table(found: Comparison) -> Part:
    table = found.from_reference.reset_index()
    table["places"] = [f"{low} – {high}" for low, high in zip(table["rank_low"], table["rank_high"], strict=True)]
    table["verdict"] = np.where(
        ~np.isfinite(table["se"].to_numpy(dtype=float)),
        "not known",
        np.where(table["distinguishable"], "differs", "not distinguishable"),
    )
    kept = table[["rank", "model", "distance", "excess", "se", "places", "verdict", "loglik"]]
    headings = {
        "excess": "Δ [nats]",
        "distance": "distance [nats]",
        "se": "standard error",
        "places": "places from – to",
    }
    headings["loglik"] = f"log-likelihood of {found.reference}"
    formats = {"distance": ".2f", "excess": ".2f", "se": ".2f", "loglik": ".0f"}
    return pages.table(kept, headings=headings, formats=formats)


def _clusters(found: Comparison) -> Part:
    count = max(2, min(8, len(found.names) // 3))
    groups = found.clusters(count)
    rows = [{"cluster": number, "models": ", ".join(groups.index[groups == number])} for number in sorted(set(groups))]
    return pages.table(pd.DataFrame(rows))


def _links(found: Comparison) -> list[Part]:
    try:
        table = found.shared_links()
    except ClimateBNError:
        return []
    kept = table[["region_a", "region_b", "reference", "models", "share"]].head(15)
    headings = {
        "region_a": "between",
        "region_b": "and",
        "reference": f"arcs in {found.reference}",
        "models": "models with it",
    }
    words = "Groups of nodes joined by arcs over 5000 km, those that most models share first."
    empty = "No arc is longer than 5000 km."
    shown = pages.table(kept, headings=headings, formats={"share": ".0%"}, empty=empty)
    return [pages.section("Shared teleconnections", words, shown)]


def _weights(found: Comparison) -> list[Part]:
    try:
        table = found.weights().sort_values("weight", ascending=False).reset_index()
    except ClimateBNError:
        return []
    shown = pages.table(table, formats={"skill": ".3f", "independence": ".2f", "weight": ".1%"})
    return [pages.section("Weights", WEIGHTS, shown)]
