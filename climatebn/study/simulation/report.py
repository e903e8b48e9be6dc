"""What becomes of the simulation study: quadrant figures, the table of answers, and a summary for the terminal."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.files import write_whole
from climatebn.network.reference import DISCRETE
from climatebn.study.simulation.claims import NONE, Answer, answer, comparisons, means
from climatebn.study.simulation.study import SimulationConfig, reference

TITLES = {"bic": "BIC, G²_BIC", "posterior": "log P(G|D), log BF"}
COLUMNS = 4
BAR = r"\|"  # that ends no column of a Markdown table
SIZES = {"small": "n < |Θ|", "large": "n ≥ |Θ|"}


def write_report(config: SimulationConfig, table: pd.DataFrame, folder: Path) -> str:
    """Write means, comparisons, answers and figures into the folder; returns the summary."""
    if not table["ended"].any():
        return f"None of {len(table)} cells ended within {config.max_seconds:g} s; run again with a larger max_seconds"
    averages = means(table)
    compared = comparisons(averages)
    nodes = {name: len(reference(name).names) for name in config.networks}
    answers = answer(compared, nodes, DISCRETE)
    write_whole(folder / "means.csv", averages.to_csv(index=False).encode())
    write_whole(folder / "comparisons.csv", compared.to_csv(index=False).encode())
    write_whole(folder / "answers.md", page(config, answers).encode())
    write_figures(averages, folder)
    return summary(table, answers, folder)


def write_figures(averages: pd.DataFrame, folder: Path) -> None:
    """Scaled SHD against calls: a figure for each criterion pair and kind of network; small and large samples apart."""
    (folder / "figures").mkdir(exist_ok=True)
    kinds = averages["network"].isin(DISCRETE).map({True: "Discrete", False: "Gaussian"}).rename("kind")
    for (criterion, kind), part in averages.groupby(["criterion", kinds], sort=False):
        table = panels(part)
        rows = -(-table["network"].nunique() // COLUMNS)
        figure = Figure(figsize=(11.2, 1.8 + 2.2 * rows), layout="constrained")  # of no window, so none is left open
        plot.quadrants(table, figure, columns=COLUMNS)
        figure.suptitle(f"{kind} networks: {TITLES[str(criterion)]}", fontsize=11)
        figure.savefig(folder / "figures" / f"{str(kind).lower()}_{criterion}.png", dpi=140)


def panels(averages: pd.DataFrame) -> pd.DataFrame:
    """The means with a panel for each network and size, small beside large."""
    sizes = [name for name in SIZES if (averages["size"] == name).any()]
    parts = [
        rows[rows["size"] == size].assign(network=f"{network}, {SIZES[size]}")
        for network, rows in averages.groupby("network", sort=False)
        for size in sizes
    ]
    return pd.concat(parts, ignore_index=True)


def page(config: SimulationConfig, answers: list[Answer]) -> str:
    """The answers as a Markdown page."""
    ratios = ", ".join(f"{ratio:g}" for ratio in config.ratios)
    direct, alike = answers[:-2], answers[-2:]
    parts = list(dict.fromkeys(part for a in direct for part in a.found))
    lines = [
        "# Who learns better: the paper's answers, and what this study finds",
        "",
        f"{len(config.networks)} networks, {config.samples} samples of each size n/|Θ| = {ratios}; budget of a cell "
        f"{config.max_seconds:g} s. A comparison is one network, one criterion pair, small (n < |Θ|) or large samples. "
        "Accuracy is SHD / true arcs (less is better; within 5 % is a tie), speed is calls (within 10 % is a tie). "
        "Score-based stands for tabu. Each test counts once; the paper's software counts the first test of a subset "
        "search twice. Means are over cells that ended.",
        "",
        "Comparisons that the first class won / tied / lost, and (×) the median of its mean over the other's:",
        "",
        f"| question | the paper | {' | '.join(parts)} | the paper's answer holds if | it holds |",
        "|---" * (len(parts) + 4) + "|",
        *(
            f"| {a.number} {a.question} | {a.paper} | {' | '.join(a.found.get(part, NONE) for part in parts)} "
            f"| {a.rule} | **{verdict(a.holds)}** |"
            for a in direct
        ),
        "",
        "The same rules on parts of the comparisons (does the paper's answer hold there?):",
        "",
        "| question | the paper | found | the paper's answer holds if | it holds |",
        "|---|---|---|---|---|",
        *(
            f"| {a.number} {a.question} | {a.paper} | {_listed(a.found, bar=BAR)} | {a.rule} | **{verdict(a.holds)}** |"
            for a in alike
        ),
        "",
    ]
    return "\n".join(lines)


def _listed(found: dict[str, str], bar: str = "|") -> str:
    return "; ".join(f"{part}: {said}" for part, said in found.items()).replace("|", bar)


def verdict(holds: bool | None) -> str:
    """yes, no, or not told."""
    return "not told" if holds is None else "yes" if holds else "no"


def summary(table: pd.DataFrame, answers: list[Answer], folder: Path) -> str:
    """A few lines for the terminal."""
    unended = table[~table["ended"]]
    lines = [
        f"{len(table)} cells, {table['seconds'].sum():.0f} s of computing, {len(unended)} did not end in their budget"
    ]
    for (network, algorithm), rows in unended.groupby(["network", "algorithm"], sort=False):
        lines.append(f"  did not end: {algorithm} on {network}, {len(rows)} cells")
    lines.append("Does the paper's answer hold? (comparisons won / tied / lost by the first)")
    for a in answers:
        found = a.found.get("all") or _listed(a.found)
        lines.append(f"  {a.number:<3} {verdict(a.holds):<8} {a.question} Paper: {a.paper}. Found: {found}")
    lines.append(f"Tables, figures and answers are in {folder}")
    return "\n".join(lines)
