"""The tables of two pages, certainty.md and concepts/ensembles.md, as `climatebn bench trust … --out` wrote them.

``python docs/certainty_tables.py`` puts each between its marks; a test checks that the pages hold what the files give.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

HERE = Path(__file__).parent
PAGES, KEPT = (HERE / "certainty.md", HERE / "concepts" / "ensembles.md"), HERE / "certainty"
MARK = re.compile(r"<!-- (?P<name>[a-z_]+) -->\n.*?<!-- end -->", re.DOTALL)
WHITENED = {"plain": "anomalies", "AR(1)": "AR(1) innovations", "monthly sd, AR by BIC": "innovations (`whiten=True`)"}
MONTHS = {"iid": "independent", "ar": "as persistent as the field"}
MODELS = {
    "regression": "regression",
    "ledoit_wolf": "Ledoit–Wolf",
    "eof": "10 EOFs + diagonal",
    "one network": "one network, γ = 1",
    "one network, sample variances": "the same with the sample's variances",
}


def short(number: float, digits: int) -> str:
    """A number without the 0 before its point, and with a true minus.

    >>> short(-0.0123, 3)
    '−.012'
    """
    return f"{number:.{digits}f}".replace("0.", ".", 1).replace("-", "−")


def truth() -> list[str]:
    """Precision and recall, false and right long arcs of each way of learning, one column a kind of truth."""
    rows = pd.read_csv(KEPT / "truth.csv")
    heads = [f"{kind} ({long})" for kind, long in rows[["truth", "true_long"]].drop_duplicates().to_numpy()]
    lines = []
    for learned, part in rows.groupby("learned", sort=False):
        cells = [
            f"{short(row.precision, 2)}, {short(row.recall, 2)}; {row.false_long:.0f} ± {row.false_long_se:.0f}, "
            f"{row.right_long:.0f} ± {row.right_long_se:.0f}"
            for row in part.itertuples()
        ]
        lines.append((learned, *cells))
    return table(("learned from", *heads), lines)


def null() -> list[str]:
    """Long arcs found and expected by chance, one column a γ; the last is the paper's price as run."""
    rows = pd.read_csv(KEPT / "null.csv")
    settings = rows[["gamma", "weight"]].drop_duplicates().to_numpy().tolist()
    heads = [f"γ = {gamma:g}" + (", twice the penalty" if weight > 1 else "") for gamma, weight in settings]
    lines = []
    for name, part in rows.groupby("data", sort=False):
        found = {(row.gamma, row.weight): row for row in part.itertuples()}
        keys = [tuple(key) for key in settings]
        cells = [f"{found[key].real}, {_chance(found[key])}" if key in found else "" for key in keys]
        lines.append((WHITENED[name], *cells))
    return table(("", *heads), lines)


def _chance(row) -> str:
    digits = 0 if row.expected >= 10 else 1
    return f"{row.expected:.{digits}f} ± {row.sd:.{digits}f}"


def coverage() -> list[str]:
    """Share of places, and of region means, that the intervals hold: a row a setting, a column a model."""
    return _by_setting(lambda row: f"{short(row.place_covered, 2)}, {short(row.region_covered, 2)}")


def errors() -> list[str]:
    """Errors of places and of the region's mean, and its bias: a row a setting, a column a model."""
    return _by_setting(
        lambda row: f"{short(row.place_error, 3)}, {short(row.region_error, 3)}, {short(row.region_bias, 3)}"
    )


def _by_setting(said: Callable[[Any], str]) -> list[str]:
    rows = pd.read_csv(KEPT / "coverage.csv")
    models = rows["model"].unique().tolist()
    lines = []
    for setting, part in rows.groupby(["places", "network", "truth_gamma", "months"], sort=False):
        places, network, gamma, months = setting
        seen = f"{places} places" + (f" of {network}" if network > places else "")
        cells = {row.model: said(row) for row in part.itertuples()}
        lines.append((f"{seen}, truth γ = {gamma:g}, {MONTHS[months]}", *(cells.get(model, "") for model in models)))
    return table(("places seen, their truth, months", *models), lines)


def covered() -> list[str]:
    """What the intervals hold where the truth is a network of the whole grid: a row a γ, a column a setting."""
    rows = pd.read_csv(KEPT / "coverage.csv")
    rows = rows[(rows["network"] == 648) & (rows["truth_gamma"] == 1)]
    settings = [(108, "ar"), (108, "iid"), (648, "iid")]
    heads = (
        "months as persistent as the field, 108 places of a network of 648",
        "independent months, the same places",
        "independent months, all 648 places",
    )
    lines = []
    for model, part in rows.groupby("model", sort=False):
        found = {(row.places, row.months): row for row in part.itertuples()}
        both = [found.get(setting) for setting in settings]
        cells = [f"{short(row.place_covered, 2)}, {short(row.region_covered, 2)}" if row else "" for row in both]
        lines.append((model.removeprefix("members γ = "), *cells))
    return table(("members' γ", *heads), lines)


def skill() -> list[str]:
    """Gain by model and number of places, ± the paired standard error of the difference to Ledoit–Wolf."""
    rows = pd.read_csv(KEPT / "skill.csv")
    numbers = rows["places"].unique().tolist()
    lines = []
    for model, part in rows.groupby("model", sort=False):
        digits = [4 if places < 20 else 3 for places in numbers]
        cells = [
            short(row.gain, d) + (f" ± {short(row.ahead_se, d)}" if row.ahead_se > 0 else "")
            for row, d in zip(part.itertuples(), digits, strict=True)
        ]
        joint = part["joint"].iloc[0]
        lines.append(
            (
                MODELS.get(model, model.replace("1 members", "1 member")),
                *cells,
                "" if pd.isna(joint) else short(joint, 3),
            )
        )
    return table(("", *(f"k = {k}" if k == numbers[0] else str(k) for k in numbers), "joint density a place"), lines)


def sets() -> list[str]:
    """The gain of two baselines by the seed that chose the places: mean, standard deviation, least and most."""
    rows = pd.read_csv(KEPT / "sets.csv")
    lines = []
    for (model, places), part in rows.groupby(["model", "places"], sort=False):
        gains = part["gain"]
        cells = (gains.mean(), gains.std(ddof=1), gains.min(), gains.max())
        lines.append((f"{MODELS[model]}, k = {places}", *(short(value, 4) for value in cells)))
    seeds = rows["seed"].nunique()
    return table((f"{seeds} choices of 25 sets", "mean", "standard deviation", "least", "most"), lines)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown, line by line."""
    lines = [tuple(heads), ("---",) * len(heads), *rows]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


BLOCKS: dict[str, Callable[[], list[str]]] = {
    "truth": truth,
    "null": null,
    "coverage": coverage,
    "covered": covered,
    "errors": errors,
    "skill": skill,
    "sets": sets,
}


def filled(page: str) -> str:
    """The page with its tables as the files give them."""
    return MARK.sub(lambda found: "\n".join([found[0].split("\n")[0], *BLOCKS[found["name"]](), "<!-- end -->"]), page)


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(filled(each.read_text(encoding="utf-8")), encoding="utf-8")
        sys.stdout.write(f"{each.name} filled\n")
