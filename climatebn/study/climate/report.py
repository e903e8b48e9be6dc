"""What becomes of the climate study: figures and claims of each field under each scheme, and a summary."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from climatebn.files import write_figure
from climatebn.ingest import NodeData, anomalies
from climatebn.jobs.study import Key, Records
from climatebn.plot.style import style_of
from climatebn.study.claims.claim import Claim, verdict
from climatebn.study.claims.pages import write_claims
from climatebn.study.climate import figures
from climatebn.study.climate.claims import TURN, Responses, judge
from climatebn.study.climate.claims_page import claims_page
from climatebn.study.climate.members import EVIDENCE, RESAMPLED, SHOWN, ocean_interval, shown_gammas
from climatebn.study.climate.schemes import BOTH, WORDS, criteria_of, scheme_of
from climatebn.study.climate.study import ClimateConfig, load_months, load_temperature, network_of
from climatebn.study.showcase.figures import field_figure, networks_figure, strength_figure
from climatebn.study.showcase.summary import Answer, answer


def write_report(config: ClimateConfig, table: pd.DataFrame, records: Records, folder: Path) -> str:
    """Write figures and claims into the folder; returns the summary."""
    if not table["ended"].any():
        return f"None of {len(table)} cells ended within {config.max_seconds:g} s; run again with a larger max_seconds"
    (folder / "figures").mkdir(exist_ok=True)
    claims: list[Claim] = []
    for field in config.fields:
        data = load_months(field).learned
        shown = {scheme: list(_shown(config, records, data, field, scheme)) for scheme in config.criteria}
        for scheme in shown:
            claims += judge(table, records, field, scheme, _intervals(config, records, data, field, scheme))
        name = Path(field).stem
        for words, figure in _figures(config, table, records, field, shown, data):
            write_figure(folder / "figures" / f"{name}_{words}.png", figure)
            plt.close(figure)
    write_claims(claims, claims_page(claims, config, table), folder)
    return summary(table, claims, folder)


def _shown(
    config: ClimateConfig, records: Records, data: NodeData, field: str, scheme: str
) -> Iterator[tuple[float, Answer]]:
    """γ and answer of the networks on the maps; where the wanted one did not end, the next γ that did."""
    if not set(EVIDENCE) <= set(data.names):
        return
    for algorithm, wanted in SHOWN.items():
        ended = [key for key in _first_order(config, records, field, scheme) if key[2] == algorithm]
        ended = [key for key in ended if float(key[3]) >= wanted]
        if ended:
            key = min(ended, key=lambda key: float(key[3]))
            gamma = float(key[3])
            label = f"{style_of(algorithm).label}, γ = {gamma:g}, {WORDS[scheme]}"
            yield gamma, answer(algorithm, label, network_of(config, key, records[key]), data, EVIDENCE)


def _intervals(config: ClimateConfig, records: Records, data: NodeData, field: str, scheme: str) -> Responses:
    """γ of each network on the maps, and the Indian Ocean's mean rise in its ensemble."""
    found = {}
    for algorithm, gamma in shown_gammas(config.algorithms, config.gammas).items():
        criteria = criteria_of(scheme, algorithm, gamma, config.variance)
        wanted = (field, scheme_of(algorithm, gamma, scheme), algorithm, gamma)
        members = {key: record for key, record in records.items() if key[:4] == wanted and key[5] == RESAMPLED}
        found[algorithm] = (gamma, ocean_interval(data, algorithm, criteria, members))
    return found


def _figures(
    config: ClimateConfig,
    table: pd.DataFrame,
    records: Records,
    field: str,
    shown: dict[str, list[tuple[float, Answer]]],
    data: NodeData,
) -> Iterator[tuple[str, Figure]]:
    """The figures of one field by name, schemes beside each other."""
    temperature = load_temperature(field)
    yield "figure1_field", field_figure(temperature, anomalies(temperature))
    invalid = [
        key for key in _first_order(config, records, field, config.criteria[0]) if not records[key].measures["valid"]
    ]
    if invalid:
        key = max(invalid, key=lambda key: (key[2] == "grow_shrink", float(key[3]) < TURN, float(key[3])))
        title = f"Not a valid CPDAG: {style_of(str(key[2])).label}, γ = {float(key[3]):g}"
        yield "figure2_invalid", figures.invalid_figure(network_of(config, key, records[key]), data, title)
    rows = table[(table["field"] == field) & table["ended"]]
    tables = {WORDS[scheme]: rows[rows["scheme"].isin((scheme, BOTH))] for scheme in reversed(config.criteria)}
    tables = {title: part for title, part in tables.items() if len(part)}
    whole = {title: part[part["months"] == "all"] for title, part in tables.items()}
    yield "figure3_panels", figures.panels_figure(whole)
    yield "colliders", figures.colliders_figure(whole)
    for algorithm in SHOWN:
        beside = [item for answers in reversed(shown.values()) for _, item in answers if item.key == algorithm]
        if beside:
            yield f"figure4_{algorithm}", networks_figure(beside)
            yield f"strength_distance_{algorithm}", strength_figure(beside)
    unseen = {title: part[part["heldout_loglik"].notna()] for title, part in tables.items()}
    if all(len(part) for part in unseen.values()):
        yield "held_out", figures.held_out_figure(unseen, 12 * config.held_out_years)


def summary(table: pd.DataFrame, claims: list[Claim], folder: Path) -> str:
    """A few lines for the terminal."""
    unended = table[~table["ended"]]
    lines = [
        f"{len(table)} cells, {table['seconds'].sum():.0f} s of computing, {len(unended)} did not end in their budget"
    ]
    for (field, algorithm, months), rows in unended.groupby(["field", "algorithm", "months"], sort=False):
        counts = rows["gamma"].value_counts(sort=False).items()
        gammas = ", ".join(f"{gamma:g} ({count}×)" for gamma, count in counts)
        lines.append(f"  did not end: {field}, {algorithm}, {months} months, γ = {gammas}")
    setting = ("", "")
    for c in claims:
        if (c.setting, c.scheme) != setting:
            setting = (c.setting, c.scheme)
            lines.append(f"{c.setting}, {WORDS[c.scheme]}:")
        lines.append(f"  {c.id:<3} {verdict(c.holds):<9} {c.claim}: {c.found}")
    lines.append(f"Table, figures and claims are in {folder}")
    return "\n".join(lines)


def _first_order(config: ClimateConfig, records: Records, field: str, scheme: str) -> list[Key]:
    """Cells of a field and scheme in the first column order that learned from all months and ended."""
    wanted = (config.orders[0], "all")
    return [
        key
        for key, record in records.items()
        if key[0] == field and key[1] in (scheme, BOTH) and key[4:] == wanted and record.ended
    ]
