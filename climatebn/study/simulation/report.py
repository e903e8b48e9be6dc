"""What becomes of a table of the simulation study: means, claims, figures, and a summary for the terminal.

Everything is computed from the table alone, so that a kept table gives the same bytes again.
"""

from pathlib import Path

import pandas as pd

from climatebn.files import write_csv
from climatebn.study.claims.claim import Claim, verdict
from climatebn.study.claims.pages import page, write_claims
from climatebn.study.simulation.claims import judge
from climatebn.study.simulation.figures import write_figures
from climatebn.study.simulation.panels import Panels, simulations, to_panels

TITLE = "What the paper claims, and what this study finds"
OTHERS = "PATHFINDER (109 nodes, 195 arcs; the paper has 135 and 200) and PIGS (441 nodes; the paper has 442)"


def write_report(table: pd.DataFrame, folder: Path) -> str:
    """Write means, claims and figures into the folder; returns the summary."""
    if not table["ended"].any():
        budget = table["budget"].max()
        return f"None of {len(table)} cells ended within {budget:g} s; run again with a larger max_seconds"
    rows, panels = simulations(table), to_panels(table)
    claims = judge(panels)
    write_csv(folder / "means.csv", means(rows))
    write_claims(claims, page(TITLE, said(rows, panels), claims), folder)
    write_figures(rows, panels, folder)
    return summary(table, panels, claims, folder)


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Each algorithm's mean over the cells of a panel that ended: SHD / true arcs, arcs / true arcs, log10 calls."""
    groups = rows[rows["ended"].astype(bool)].groupby(["network", "criterion", "size", "algorithm"], sort=False)
    return groups.agg(
        cells=("shd", "size"),
        scaled_shd=("shd", "mean"),
        scaled_arcs=("arcs", "mean"),
        log10_calls_bnlearn=("speed", "mean"),
        log10_calls=("speed_once", "mean"),
    ).reset_index()


def said(rows: pd.DataFrame, panels: Panels) -> list[str]:
    """What was run, and which panels are not whole."""
    samples = rows.groupby("network", sort=False)["sample"].nunique()
    parts = {count: ", ".join(samples.index[samples == count]) for count in sorted(set(samples), reverse=True)}
    counts = [f"{count} of {networks}" for count, networks in parts.items()]
    ratios = ", ".join(f"{ratio:g}" for ratio in sorted(set(rows["ratio"])))
    lines = [
        f"{len(rows)} cells: samples {'; '.join(counts)}; sizes n/|Θ| = {ratios} (small: below 1). A panel is one "
        "network, one criterion pair, small or large samples; its value for an algorithm is the mean over all its "
        "samples. Accuracy is SHD between CPDAGs / true arcs. Speed is log10 of the calls as the paper's software "
        "counts them (the first test of a subset search twice); in brackets, with each test counted once. The paper's "
        "networks and ours differ a "
        f"little: {OTHERS}.",
        "",
    ]
    if not panels.unended:
        return [*lines, "Every cell ended."]
    return [*lines, "Panels with cells that did not end:", "", *(f"- {line}" for line in panels.unended)]


def summary(table: pd.DataFrame, panels: Panels, claims: list[Claim], folder: Path) -> str:
    """A few lines for the terminal."""
    unended = int((~table["ended"].astype(bool)).sum())
    lines = [f"{len(table)} cells, {unended} did not end in their budget"]
    lines += [f"  {line}" for line in panels.unended]
    lines += [f"  {c.id:<3} {verdict(c.holds):<8} {c.claim}. Paper: {c.paper}. Found: {c.found}" for c in claims]
    lines.append(f"Tables, figures and claims are in {folder}")
    return "\n".join(lines)
