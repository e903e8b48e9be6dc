"""The tables of docs/reproduction.md, made from what docs/reproduction keeps, between marks in the page.

A table stands between ``<!-- name -->`` and ``<!-- end -->``; `rewrite` puts it there, and a test sees that it is the
one that the stored tables give.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError
from climatebn.files import write_text
from climatebn.plot.style import style_of
from climatebn.study.claims.pages import table
from climatebn.study.climate.claim_cells import CONSTRAINT, HYBRID, SCORE
from climatebn.study.climate.claims import FIELDS, TURN
from climatebn.study.climate.schemes import BOTH

MARK = re.compile(r"<!-- (?P<name>[a-z_]+) -->\n.*?<!-- end -->", re.DOTALL)
SHOWN_GAMMAS = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
NOT_THERE = "–"


def rewrite(docs: Path) -> None:
    """Write all tables of the page anew."""
    path = docs / "reproduction.md"
    write_text(path, filled(path.read_text(encoding="utf-8"), docs / "reproduction"))


def filled(text: str, folder: Path) -> str:
    """The page with its tables as the stored ones give them."""

    def fill(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in BLOCKS:
            raise ClimateBNError(f"the page names a table {name!r}; there are {', '.join(BLOCKS)}")
        return "\n".join([f"<!-- {name} -->", *BLOCKS[name](folder), "<!-- end -->"])

    return MARK.sub(fill, text)


def numbers(folder: Path) -> list[str]:
    """The numbers of arcs that the paper prints, as printed and with the score's price doubled, both interpolations."""
    rows = pd.read_csv(folder / "numbers.csv")

    def said(field: str, algorithm: str, gamma: float, weight: float) -> str:
        part = rows[(rows["field"] == field) & (rows["algorithm"] == algorithm) & (rows["gamma"] == gamma)]
        arcs = part[part["weight"] == weight]["arcs"]
        if arcs.empty:
            return NOT_THERE
        least, most = arcs.min(), arcs.max()
        return f"{least}" if least == most else f"{least} … {most}, mean {arcs.mean():.0f}"

    def fewest(field: str, weights: tuple[float, ...]) -> str:
        part = rows[(rows["field"] == field) & (rows["gamma"] == 50.0)]
        constraint = part["algorithm"].isin(("pc_stable", "grow_shrink"))
        part = part[constraint | part["weight"].isin(weights)]
        best = part.sort_values("arcs").iloc[0]
        return f"{best['arcs']} ({style_of(best['algorithm']).label})"

    places = [(field, weight) for weight in (1.0, 2.0) for field in ("paper", "paper_linear")]
    lines = [
        ("arcs, tabu, γ = 0", "about 7868", *(said(field, "tabu", 0.0, 1.0) for field, _ in places)),
        ("arcs, tabu, γ = 0.2", "more than 2500", *(said(field, "tabu", 0.2, w) for field, w in places)),
        ("arcs, tabu, γ = 0.5", "**2127**", *(said(field, "tabu", 0.5, w) for field, w in places)),
        ("arcs, H2PC, γ = 0.2", "1121", *(said(field, "h2pc", 0.2, w) for field, w in places)),
        ("fewest arcs of any network, γ = 50", "25", *(fewest(field, (w,)) for field, w in places)),
    ]
    schemes = {1.0: "matched", 2.0: "as_run"}
    grids = [_large_gammas(folder, field, schemes[w]) for field, w in places]
    lines += [
        ("constraint-based have the highest likelihood", "from γ = 10", *(_first_best(grid) for grid in grids)),
        ("hybrids have the poorest likelihood, γ ≥ 10", "yes", *(_poorest(grid) for grid in grids)),
        ("largest valid constraint-based network, γ ≥ 10", "501", *(_largest(grid) for grid in grids)),
    ]
    words = [f"{price}, {grid}" for price in ("as printed", "score doubled") for grid in ("nearest", "linear")]
    return table(("", "the paper", *words), lines)


def _large_gammas(folder: Path, field: str, scheme: str) -> pd.DataFrame:
    """Valid networks with γ ≥ 10 in the first order."""
    rows = pd.read_csv(folder / "climate_results.csv.xz")
    rows = rows[(rows["field"] == field) & rows["scheme"].isin((scheme, BOTH)) & (rows["gamma"] >= TURN)]
    return rows[(rows["order"] == 1) & (rows["months"] == "all") & rows["loglik"].notna()]


def _best(grid: pd.DataFrame, algorithms: tuple[str, ...]) -> pd.Series:
    return grid[grid["algorithm"].isin(algorithms)].groupby("gamma")["loglik"].max()


def _first_best(grid: pd.DataFrame) -> str:
    """The γ from which on the best constraint-based network has the highest likelihood, wherever one is valid."""
    best = _best(grid, CONSTRAINT)
    ahead = (best >= _best(grid, SCORE + HYBRID).reindex(best.index)).sort_index(ascending=False)
    kept = ahead[ahead.cummin()]
    return f"from γ = {kept.index.min():g}" if len(kept) else "never"


def _poorest(grid: pd.DataFrame) -> str:
    """Whether the best hybrid network is no better than any other, γ by γ."""
    others = grid[~grid["algorithm"].isin(HYBRID)].groupby("gamma")["loglik"].min()
    poor = _best(grid, HYBRID) <= others + 1e-6
    where = ", ".join(f"{gamma:g}" for gamma in poor.index[~poor])
    return "yes" if poor.all() else f"not at γ = {where}"


def _largest(grid: pd.DataFrame) -> str:
    rows = grid[grid["algorithm"].isin(CONSTRAINT)].sort_values("arcs")
    return f"{rows['arcs'].iloc[-1]:.0f} ({style_of(rows['algorithm'].iloc[-1]).label})" if len(rows) else "none"


def readings(folder: Path) -> list[str]:
    """Neighbouring readings of the penalty beside the paper's three numbers."""
    rows = pd.read_csv(folder / "readings.csv")
    lines = [("**the paper**", "", "more than 2500", "2127", "25")]
    for row in rows.to_dict("records"):
        arcs = (f"{row['arcs_0.2']:.0f}", f"{row['arcs_0.5']:.0f}")
        lines.append((row["reading"], row["price"], *arcs, f"{row['fewest_50']} ({style_of(row['by']).label})"))
    return table(("reading of the score", "price of a parameter", "γ = 0.2", "γ = 0.5", "fewest, γ = 50"), lines)


def climate_claims(folder: Path) -> list[str]:
    """Every climate claim: as run and matched, on each field."""
    claims = pd.read_csv(folder / "climate_claims.csv", keep_default_na=False)
    settings = [words for words in FIELDS.values() if (claims["setting"] == words).any()]
    lines = []
    for id in claims["id"].unique():
        part = claims[claims["id"] == id]
        first = part.iloc[0]
        held = {(row.scheme, row.setting): row.holds for row in part.itertuples()}
        cells = [" / ".join(held.get((scheme, s), NOT_THERE) for s in settings) for scheme in ("as_run", "matched")]
        lines.append((f"{id} {first['claim']}", first["paper"], *cells, _outcome(part, settings)))
    return table(("claim", "the paper", "as run", "matched", "in a sentence"), lines)


def _outcome(part: pd.DataFrame, settings: list[str]) -> str:
    rows = part.to_dict("records")
    held = {(row["scheme"], row["setting"]): row["holds"] for row in rows}
    run, matched = ([held.get((scheme, s)) == "yes" for s in settings] for scheme in ("as_run", "matched"))
    why = {str(row["scheme"]): str(row["why"]) for row in rows if row["holds"] == "no"}
    if all(run) and all(matched):
        return "Reproduced as run, and survives matching."
    if all(run) and not any(matched):
        return f"Reproduced as run; does not survive matching ({why['matched']})."
    if not any(run) and all(matched):
        return f"Not reproduced as run ({why['as_run']}); holds when criteria match."
    if not any(run) and not any(matched):
        return f"Neither ({why.get('as_run', 'undetermined')})."
    return f"Depends on the field ({why.get('as_run') or why.get('matched')})."


def colliders(folder: Path) -> list[str]:
    """Unshielded v-structures and all colliders on the authors' points, as run."""
    rows = pd.read_csv(folder / "climate_results.csv.xz")
    rows = rows[(rows["field"] == "paper") & (rows["order"] == 1) & (rows["months"] == "all") & rows["ended"]]
    lines = []
    for algorithm in ("tabu", "h2pc", "pc_stable"):
        for gamma in (0.0, 0.2, 0.5, 20.0, 50.0):
            part = rows[(rows["algorithm"] == algorithm) & (rows["gamma"] == gamma)]
            for row in part[part["scheme"].isin(("as_run", BOTH))].to_dict("records"):
                ratios = ("vstructure_ratio", "collider_ratio", "vstructure_baseline", "vstructure_simulated")
                name = f"{style_of(algorithm).label}, γ = {gamma:g}"
                lines.append((name, f"{row['arcs']:.0f}", *(f"{row[ratio]:.3f}" for ratio in ratios)))
    head = ("as run", "arcs", "unshielded", "all colliders", "the paper's baseline", "unshielded in random DAGs")
    return table(head, lines)


def equal_gamma(folder: Path) -> list[str]:
    """Matched networks at equal γ on the authors' points."""
    rows = pd.read_csv(folder / "climate_results.csv.xz")
    rows = rows[(rows["field"] == "paper") & (rows["order"] == 1) & (rows["months"] == "all") & rows["ended"]]
    rows = rows[rows["scheme"].isin(("matched", BOTH))]
    names = [name for name in ("tabu", "mmhc", "h2pc", "pc_stable", "grow_shrink") if (rows["algorithm"] == name).any()]
    lines = []
    for gamma in SHOWN_GAMMAS:
        part = rows[rows["gamma"] == gamma].set_index("algorithm")
        if len(part):
            cells = [_network(part.loc[name].to_dict()) if name in part.index else NOT_THERE for name in names]
            lines.append((f"{gamma:g}", *cells))
    return table(("γ", *(style_of(name).label for name in names)), lines)


def _network(row: dict[Any, Any]) -> str:
    likelihood = "not valid" if pd.isna(row["loglik"]) else f"{row['loglik']:.0f}".replace("-", "−")
    said = f"{row['arcs']:.0f} arcs, {row['long_arcs']:.0f} long, {likelihood}, {np.log10(row['calls_bnlearn']):.1f}"
    rise = row.get("indian_ocean")
    return said if rise is None or pd.isna(rise) else f"{said}, {rise:+.3f}".replace("-", "−")


def equal_arcs(folder: Path) -> list[str]:
    """Networks of equal size, whoever learned them."""
    rows = pd.read_csv(folder / "equal_arcs.csv")
    lines = []
    for row in rows.to_dict("records"):
        name = (f"{row['arcs_wanted']}", style_of(row["algorithm"]).label)
        if not row["valid"]:
            lines.append((*name, NOT_THERE, "no valid network of this size", *[NOT_THERE] * 4))
            continue
        unseen = NOT_THERE if pd.isna(row["heldout_month"]) else f"{row['heldout_month']:.1f}".replace("-", "−")
        lines.append(
            (*name, f"{row['arcs']:.0f}", f"{row['loglik']:.0f}".replace("-", "−"), unseen, f"{row['long_arcs']:.0f}",
             f"{row['indian_ocean']:+.3f}".replace("-", "−"), f"{row['calls_bnlearn']:.0f}")
        )  # fmt: skip
    head = ("wanted", "", "arcs", "log-likelihood", "of an unseen month", "long arcs", "Indian Ocean", "calls")
    return table(head, lines)


def simulation_claims(folder: Path) -> list[str]:
    """Every claim of the simulation study."""
    claims = pd.read_csv(folder / "simulation_claims.csv", keep_default_na=False)
    columns = ["id", "setting", "claim", "paper", "found"]
    rows = [(*(str(c[name]) for name in columns), f"**{c['holds']}**") for c in claims.to_dict("records")]
    return table(("", "setting", "claim", "the paper", "found", "holds"), rows)


def simulation_run(folder: Path) -> list[str]:
    """What the stored simulation run is."""
    rows = pd.read_csv(folder / "simulation_results.csv.xz")
    samples = rows.groupby("network", sort=False)["sample"].nunique()
    listed = ", ".join(f"{name} {count}" for name, count in samples.items())
    ended = int(rows["ended"].sum())
    said = f"{len(rows) - ended} of them did not end" if ended < len(rows) else "all of which ended"
    return [f"Stored run: {len(rows)} cells, {said}. Samples: {listed}."]


def runs(folder: Path) -> list[str]:
    """Where each stored table came from."""
    lines = []
    for row in pd.read_csv(folder / "runs.csv").to_dict("records"):
        computing = row["cell_seconds"] if pd.isna(row["cpu_seconds"]) else row["cpu_seconds"]
        lines.append((row["name"], f"`{row['command']}`", str(row["commit"]), _time(row["seconds"]), _time(computing)))
    return table(("table", "command", "commit", "took", "computing"), lines)


def _time(seconds: float) -> str:
    """E.g. `95 s` or `3 h 05 min`."""
    if pd.isna(seconds):
        return NOT_THERE
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{seconds:.0f} s" if seconds < 1000 else f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"


BLOCKS: dict[str, Callable[[Path], list[str]]] = {
    make.__name__: make
    for make in (
        numbers, readings, climate_claims, colliders, equal_gamma, equal_arcs, simulation_claims, simulation_run, runs
    )
}  # fmt: skip
