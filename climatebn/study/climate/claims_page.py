"""The claims of the climate study on one page: the paper, as run, matched, and one plain sentence for each."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from climatebn.study.claims.claim import Claim, verdict
from climatebn.study.claims.pages import table as markdown
from climatebn.study.climate.schemes import WORDS


def claims_page(claims: Sequence[Claim], config: Any, table: pd.DataFrame) -> str:
    """`claims.md`."""
    lost = int((~table["ended"]).sum())
    lines = [
        "# What the paper claims about climate networks, and what this study finds",
        "",
        "Each claim is judged twice. **As run**: with the criteria that the paper's networks were learned with, by all "
        "the numbers that it prints: for γ > 0 the score charges twice the penalty of its formula, the test "
        "the printed one. **Matched**: score and test charge the same penalty, as the paper's formulas say.",
        "",
        f"{len(table)} cells, {lost} did not end in {config.max_seconds:g} s. Column orders: {len(config.orders)}; γ: "
        f"{', '.join(f'{gamma:g}' for gamma in config.gammas)}; variance of BIC: {config.variance}. Where γ is "
        "compared, numbers are means over column orders; networks that are not valid have no likelihood.",
    ]
    for setting in dict.fromkeys(c.setting for c in claims):
        some = [c for c in claims if c.setting == setting]
        lines += ["", f"## {setting[0].upper()}{setting[1:]}", "", *_table(some)]
    lines += ["", "## The rules", ""]
    rules = {c.id: c.rule for c in claims}
    lines += [f"- **{id}**: {rule}." for id, rule in rules.items()]
    return "\n".join([*lines, ""])


def _table(claims: Sequence[Claim]) -> list[str]:
    schemes = sorted({c.scheme for c in claims})  # as_run, matched
    rows = []
    for id in dict.fromkeys(c.id for c in claims):
        by_scheme = {c.scheme: c for c in claims if c.id == id}
        first = next(iter(by_scheme.values()))
        found = [f"**{verdict(by_scheme[s].holds)}**: {by_scheme[s].found}" for s in schemes]
        rows.append((f"{id} {first.claim}", first.paper, *found, sentence(by_scheme)))
    head = ("claim", "the paper", *(WORDS[s] for s in schemes), "in a sentence")
    return markdown(head, rows)


def sentence(by_scheme: dict[str, Claim]) -> str:
    """What became of one claim in a plain sentence."""
    run, matched = by_scheme.get("as_run"), by_scheme.get("matched")
    if run is None or matched is None:
        (only,) = by_scheme.values()
        return {True: "Holds.", False: f"Does not hold: {only.why}.", None: "Undetermined."}[only.holds]
    if run.holds is None or matched.holds is None:
        return "Undetermined from these cells."
    if run.holds and matched.holds:
        return "Reproduced as run, and survives matching."
    if run.holds:
        return f"Reproduced as run; does not survive matching: {matched.why}."
    if matched.holds:
        return f"Not reproduced as run ({run.why}), but holds when criteria match."
    return f"Neither: {run.why}."
