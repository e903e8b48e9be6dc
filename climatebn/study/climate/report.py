"""What becomes of the climate study: figures, claims, and a summary for the terminal."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from climatebn.files import write_whole
from climatebn.ingest import NodeData, anomalies
from climatebn.jobs.study import Key, Records
from climatebn.plot.style import style_of
from climatebn.study.climate import figures
from climatebn.study.climate.claim_cells import Claim
from climatebn.study.climate.claims import TURN, judge
from climatebn.study.climate.study import ClimateConfig, load_months, load_temperature, result_of
from climatebn.study.showcase.figures import field_figure, networks_figure, strength_figure
from climatebn.study.showcase.summary import Answer, answer

SHOWN = {"tabu": 0.5, "h2pc": 0.2}  # the networks on the maps: algorithm, γ
EVIDENCE = {"X81": 2.0}


def write_report(config: ClimateConfig, table: pd.DataFrame, records: Records, folder: Path) -> str:
    """Write figures and claims into the folder; returns the summary."""
    if not table["ended"].any():
        return f"None of {len(table)} cells ended within {config.max_seconds:g} s; run again with a larger max_seconds"
    data = load_months(config.field).learned
    asked = shown_cells(config, records) if set(EVIDENCE) <= set(data.names) else []
    shown = {key: _answer(key, config, records, data) for key in asked}
    responses = {str(key[0]): (float(key[1]), item.indian_ocean) for key, item in shown.items()}
    claims = judge(table, records, responses)
    write_claims(claims, config, folder)
    write_figures(config, table, records, list(shown.values()), data, folder)
    return summary(table, claims, folder)


def shown_cells(config: ClimateConfig, records: Records) -> list[Key]:
    """The cells on the maps; where the wanted one did not end, the next γ that did."""
    found = []
    for algorithm, gamma in SHOWN.items():
        ended = [key for key in _first_order(config, records) if key[0] == algorithm and float(key[1]) >= gamma]
        found += [min(ended, key=lambda key: float(key[1]))] if ended else []
    return found


def write_figures(
    config: ClimateConfig,
    table: pd.DataFrame,
    records: Records,
    shown: list[Answer],
    data: NodeData,
    folder: Path,
) -> None:
    """All figures as PNG."""
    (folder / "figures").mkdir(exist_ok=True)

    def save(name: str, figure: Figure) -> None:
        figure.savefig(folder / "figures" / f"{name}.png", dpi=160)
        plt.close(figure)

    temperature = load_temperature(config.field)
    save("figure1_field", field_figure(temperature, anomalies(temperature)))
    invalid = [key for key in _first_order(config, records) if not records[key].measures["valid"]]
    if invalid:
        key = max(invalid, key=lambda key: (key[0] == "grow_shrink", float(key[1]) < TURN, float(key[1])))
        result = result_of(key, records[key], config, data.names)
        title = f"Not a valid CPDAG: {style_of(str(key[0])).label}, γ = {float(key[1]):g}"
        save("figure2_invalid", figures.invalid_figure(result, data, title))
    save("figure3_panels", figures.panels_figure(table))
    if shown:
        save("figure4_networks", networks_figure(shown))
        save("strength_distance", strength_figure(shown))
    if table["heldout_loglik"].notna().any():
        save("held_out", figures.held_out_figure(table, 12 * config.held_out_years))


def write_claims(claims: list[Claim], config: ClimateConfig, folder: Path) -> None:
    """Claims as a table and as a page."""
    frame = pd.DataFrame(claims)
    frame = frame.assign(holds=frame["holds"].map(verdict), why=frame["why"].where(frame["holds"].eq(False), ""))
    write_whole(folder / "claims.csv", frame.to_csv(index=False).encode())
    failing = frame[frame["why"] != ""]
    lines = [
        "# What the paper claims, and what this study finds",
        "",
        f"Field: {config.field}; variance of BIC: {config.variance}; column orders: {len(config.orders)}; budget of a "
        f"cell: {config.max_seconds:g} s. Where γ is compared, numbers are means over column orders; networks that are "
        "not valid have no likelihood. The field differs from the paper's in level and interpolation, so numbers may "
        "differ where claims agree.",
        "",
        "| claim | the paper | the rule here | found | holds |",
        "|---|---|---|---|---|",
        *(f"| {c.claim} | {c.paper} | {c.rule} | {c.found} | **{c.holds}** |" for c in frame.itertuples()),
        "",
        "What stands against the claims that fail:",
        "",
        *(f"- **{c.claim}**: {c.why}." for c in failing.itertuples()),
        "",
    ]
    write_whole(folder / "claims.md", "\n".join(lines).encode())


def verdict(holds: bool | None) -> str:
    """yes, no, or not told."""
    return "not told" if holds is None else "yes" if holds else "no"


def summary(table: pd.DataFrame, claims: list[Claim], folder: Path) -> str:
    """A few lines for the terminal."""
    unended = table[~table["ended"]]
    lines = [
        f"{len(table)} cells, {table['seconds'].sum():.0f} s of computing, {len(unended)} did not end in their budget"
    ]
    for (algorithm, months), rows in unended.groupby(["algorithm", "months"], sort=False):
        gammas = ", ".join(f"{gamma:g} ({count}×)" for gamma, count in rows["gamma"].value_counts(sort=False).items())
        lines.append(f"  did not end: {algorithm}, {months} months, γ = {gammas}")
    lines += [f"  claim {c.claim:<3} {verdict(c.holds):<9} {c.paper}: {c.found}" for c in claims]
    lines.append(f"Table, figures and claims are in {folder}")
    return "\n".join(lines)


def _first_order(config: ClimateConfig, records: Records) -> list[Key]:
    """Cells in the first column order that learned from all months and ended."""
    return [key for key, record in records.items() if key[2:] == (config.orders[0], "all") and record.ended]


def _answer(key: Key, config: ClimateConfig, records: Records, data: NodeData) -> Answer:
    label = f"{style_of(str(key[0])).label}, γ = {float(key[1]):g}"
    return answer(str(key[0]), label, result_of(key, records[key], config, data.names), data, EVIDENCE)
