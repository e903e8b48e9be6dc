"""`forecast.html`: how good the forecasts were, and what they say now, on one page that needs no other file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from climatebn import pages
from climatebn.pages.parts import Part
from climatebn.provenance import versions

if TYPE_CHECKING:
    from climatebn.study.forecasting.forecast_job import ForecastResult

WORDS = {
    "network": "network",
    "persistence": "persistence",
    "damped_persistence": "damped persistence",
    "damped_by_month": "damped persistence by month",
    "climatology": "climatology",
    "lim": "linear inverse model",
}
AGAINST = {"damped_by_month": "damped persistence by month", "lim": "the linear inverse model"}
SCORES = {
    "correlation": "Correlation with what was observed",
    "rmse": "Root mean squared error",
    "crps": "Continuous ranked probability score (CRPS)",
}
MEASURES = {
    "correlation": "correlation",
    "squared_error_gain": "share of the squared error saved",
    "crps_gain": "CRPS saved",
}
ENDS = ("value", "low", "high")


def forecast_page(result: "ForecastResult", folder: Path) -> str:
    """The page, with the figures of ``folder`` inside and links to its other files."""
    facts = result.hindcast.facts
    issued = result.outlook.attrs["issued"]
    sections = [
        pages.section(
            f"What comes after {issued}",
            pages.figure(
                folder / "plume.png",
                f"{result.region}: observed anomalies, and the forecast from {issued} with its 90 % interval. "
                f"{_coverage(result)}",
            ),
            pages.figure(
                folder / "forecast_maps.png",
                "Left: the forecast anomaly. Right: what to add and take away for the 90 % interval; where it is wider "
                "than the anomaly, the sign is not known. One scale for all months: each class is twice as wide as the "
                "one before it.",
            ),
        ),
        pages.section(
            "How good such forecasts were",
            _lead(result),
            pages.figure(
                folder / "skill.png",
                f"Scores of {result.region} in the test years, by months ahead. Damping changes no correlation of "
                "persistence unless it is by month: those two curves lie on each other.",
            ),
            *_skill_tables(result),
            *_differences(result),
            pages.figure(
                folder / "skill_maps.png",
                "Correlation with what was observed, at every place (left), and how far it is above that of damped "
                "persistence by month (right; red: the network is better).",
            ),
            pages.figure(
                folder / "reliability.png",
                "Forecast probability of more than one standard deviation above the climatology against the observed "
                f"frequency, {_ahead(result.shown_lead)}, all places and months of the test; larger points stand "
                "for more forecasts.",
            ),
        ),
        pages.section("Methods", _methods(result), pages.listing(result.hindcast.history), _versions()),
        pages.section("Files", pages.bullets(pages.link(path.name) for path in _files(folder))),
    ]
    lead = f"Data: {result.source}. Trained on {facts['trained on']}, tested on {facts['tested on']}."
    return pages.page("Forecasts, scored", sections, lead=lead, notes=result.notes)


def _ahead(lead: int) -> str:
    return f"{lead} month{'s' if lead > 1 else ''} ahead"


def _lead(result: "ForecastResult") -> str:
    """The result in words."""
    lead = result.shown_lead
    rows: Any = result.skill[result.skill["lead"] == lead].set_index("model")
    words = (
        f"{_ahead(lead)} the network's forecast of {result.region} has a correlation of "
        f"{rows.loc['network', 'correlation']:.2f} with what was observed (damped persistence by month "
        f"{rows.loc['damped_by_month', 'correlation']:.2f}), and an error of {rows.loc['network', 'rmse']:.2f} "
        f"{result.hindcast.units} ({rows.loc['damped_by_month', 'rmse']:.2f})."
    )
    table = result.differences["damped_by_month"]
    gain = table[(table["lead"] == lead) & (table["measure"] == "squared_error_gain")].iloc[0]
    gains = table[table["measure"] == "squared_error_gain"]
    return f"{words} {squared_error_words(gain['value'], gain['low'], gain['high'])} {_sure_leads(gains)}"


def _sure_leads(gains: pd.DataFrame) -> str:
    """In words, at which leads one of the two has the smaller squared error beyond chance.

    >>> _sure_leads(pd.DataFrame({"lead": [1, 2, 6], "low": [-0.4, -0.1, 0.1], "high": [-0.1, 0.1, 0.3]}))
    'Beyond chance it is smaller at 6 months and larger at 1 month.'
    """
    parts = [
        f"{said} at {', '.join(map(str, leads))} month{'s' if leads != [1] else ''}"
        for said, leads in (
            ("smaller", gains.loc[gains["low"] > 0, "lead"].tolist()),
            ("larger", gains.loc[gains["high"] < 0, "lead"].tolist()),
        )
        if leads
    ]
    return f"Beyond chance it is {' and '.join(parts)}." if parts else "At no lead is the difference beyond chance."


def _coverage(result: "ForecastResult") -> str:
    """How often such intervals held in the test years."""
    shares = 100 * result.within_intervals()
    ends = [shares.index.min(), result.shown_lead, shares.index.max()]
    told = ", ".join(f"{shares[lead]:.0f} % of the months {_ahead(lead)}" for lead in dict.fromkeys(ends))
    return f"In the test years such intervals held {told}."


def squared_error_words(value: float, low: float, high: float) -> str:
    """The share of the squared error that the network saves, or adds, with its interval and whether it may be chance.

    >>> squared_error_words(-0.15, -0.41, 0.06)  # doctest: +ELLIPSIS
    'Its squared error is 15 % larger than ... by month (90 % interval −6 … 41): which may be chance.'
    """
    said, sign = ("larger", -1) if value < 0 else ("smaller", 1)
    ends = sorted((100 * sign * low, 100 * sign * high))
    sure = "which may be chance" if low <= 0 <= high else "more than chance gives"
    interval = " … ".join(f"{end:z.0f}".replace("-", "−") for end in ends)
    if round(100 * value) == 0:
        return f"Its squared error is that of damped persistence by month to 1 % (90 % interval {interval})."
    return (
        f"Its squared error is {100 * abs(value):.0f} % {said} than that of damped persistence by month "
        f"(90 % interval {interval}): {sure}."
    )


def _skill_tables(result: "ForecastResult") -> list[Part]:
    """A table a score: models by months ahead."""
    units = f" [{result.hindcast.units}]" if result.hindcast.units else ""
    parts: list[Part] = []
    for measure, words in SCORES.items():
        wide = result.skill.pivot(index="model", columns="lead", values=measure).loc[list(result.hindcast.models)]
        wide = wide.dropna(how="all").rename(columns=str)
        shown = wide.reset_index(names="model").replace({"model": WORDS})
        parts += [
            f"{words}{'' if measure == 'correlation' else units}, by months ahead:",
            pages.table(shown, formats=dict.fromkeys(wide.columns, ".3f")),
        ]
    return parts


def _differences(result: "ForecastResult") -> list[Part]:
    units = f" [{result.hindcast.units}]" if result.hindcast.units else ""
    parts: list[Part] = []
    for name, table in result.differences.items():
        rows = table.assign(shown=[_with_interval(*ends) for ends in zip(*(table[c] for c in ENDS), strict=True)])
        wide = rows.pivot(index="lead", columns="measure", values="shown")[list(MEASURES)].reset_index()
        words = {"lead": "lead [months]", **MEASURES, "crps_gain": f"{MEASURES['crps_gain']}{units}"}
        parts += [
            f"Network against {AGAINST[name]}: what it gains, with 90 % intervals (blocks of two years, drawn again "
            "2000 times; above 0 the network is better):",
            pages.table(wide, headings=words),
        ]
    return parts


def _with_interval(value: float, low: float, high: float) -> str:
    """A gain with the ends of its interval.

    >>> _with_interval(0.0781, -0.0084, 0.17)
    '+0.078 [−0.008, +0.170]'
    """
    return f"{value:+z.3f} [{low:+z.3f}, {high:+z.3f}]".replace("-", "−").replace("+0.000", "0.000")


def _methods(result: "ForecastResult") -> str:
    how = result.hindcast.recipe
    return (
        f"Anomalies from the climatology ({result.outlook.attrs['base_period']}), divided by the standard deviation of "
        "their calendar month in the training years, are the nodes of a network in time: arcs run from months before "
        f"(lags {', '.join(map(str, how.lags))}) to the present. {how.members} networks were learned by "
        f"{how.algorithm} with {how.criterion!r} on resampled years, with at most one parent for each four distinct "
        "months; their coefficients are averaged "
        "and run forward month by month. The spread of a forecast follows from errors of months that a network had not "
        "learned from. Persistence, damped persistence and the linear inverse model of the tropics are fitted to the "
        "same years, the number of EOFs of the latter chosen inside them. No forecast knows what came after the month "
        "in which it was made. The forecast of the months ahead is by a network of all months."
    )


def _versions() -> str:
    return ", ".join(f"{name} {version}" for name, version in versions().items())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in (".csv", ".nc", ".pdf"))
