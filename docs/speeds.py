"""Speeds in README and on the site, from the files that `climatebn bench … --out` writes into docs/bench.

``python docs/speeds.py`` puts each table between its marks; a test checks that the pages hold what it gives.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGES = (HERE.parent / "README.md", HERE / "performance.md", HERE / "best_of_each_class.md", HERE / "forecasts.md")
NAMES = {"pyagrum": "pyAgrum", "pybnesian": "PyBNesian", "xges": "XGES", "xges-0": "XGES-0"}
OWN = ("climatebn tabu", "climatebn ges", "climatebn boss", "climatebn best")
NEAR = 1e-3  # of our highest score
UNBROKEN = "\u00a0"  # no line ends here


def stored(name: str) -> list[dict]:
    """The rows of a file."""
    return json.loads((HERE / "bench" / f"{name}.json").read_text(encoding="utf-8"))


def engine() -> list[list[str]]:
    """Hill climbing: its work, our CPU seconds, those of another package."""
    lines = [["work", "climatebn", "another package"]]
    rows = stored("engine")
    beside = [row for row in rows if "program" in row]
    for nodes in sorted({row["nodes"] for row in beside}):
        own = next(row for row in beside if (row["nodes"], row["program"]) == (nodes, "learn"))
        for other in (row for row in beside if row["nodes"] == nodes and row["program"] not in ("learn", "its search")):
            bic = f"BIC {other['bic']:.0f}" if other["bic"] is not None else "not ended"
            name = NAMES.get(other["program"], other["program"])
            peer = f"{name} {other['seconds']:.1f} s ({bic}), {other['ratio']:.0f} times as long"
            ours = f"{own['seconds']:.4f} s (BIC {own['bic']:.0f})"
            lines.append([f"hill climbing, {nodes} places, γ = 0, whole call", ours, peer])
    for row in rows:
        if "per_step" in row:
            work = f"hill climbing, {row['nodes']} places, γ = {row['gamma']:g} ({row['arcs']} arcs)"
            lines.append([work, f"{row['seconds']:.2f} s, {row['memory']:.1f} GB", "–"])
    return lines


def search() -> list[list[str]]:
    """Score and CPU seconds of our searches on each data set, of the best of the others, and who comes near first."""
    near = "first within 0.1 % of our highest: other; ours"
    lines = [["data", "nodes", "tabu", "GES", "BOSS", "best", "highest other", near]]
    rows = stored("search")
    for data, nodes, gamma in dict.fromkeys((row["data"], row["nodes"], row["gamma"]) for row in rows):
        here = {row["program"]: row for row in rows if (row["data"], row["gamma"]) == (data, gamma)}
        ended = [row for row in here.values() if row["score"] is not None]
        ours = [row for row in ended if row["program"].startswith("climatebn")]
        peers = [row for name, row in here.items() if not name.startswith("climatebn")]
        best = max(row["score"] for row in ended)
        what = f"{nodes} places, γ = {gamma:g}" if data.startswith(("ncep", "field")) else data.upper()
        lines.append([
            what, str(nodes), *(_said(here[name], best) if name in here else "–" for name in OWN),
            _highest(peers, [row for row in ended if row in peers], best),
            _nearest(ours, [row for row in ended if row in peers]) if peers else "–",
        ])  # fmt: skip
    return lines


def _nearest(ours: list[dict], others: list[dict]) -> str:
    top = max(row["score"] for row in ours)
    near = [[row for row in rows if row["score"] >= top - NEAR * abs(top)] for rows in (others, ours)]
    if not near[0]:
        return "none"
    other, own = (min(rows, key=lambda row: row["seconds"]) for rows in near)
    ratio = f"{other['seconds'] / own['seconds']:.{0 if other['seconds'] > own['seconds'] else 1}f}{UNBROKEN}× as fast"
    return f"{_name(other)} {_seconds(other)}; {_name(own)} {_seconds(own)}, {ratio}"


def _highest(peers: list[dict], ended: list[dict], best: float) -> str:
    if not peers:
        return "not measured"
    late = ", ".join(_name(row) for row in peers if row not in ended)
    if not ended:
        return f"none ({late} not ended)"
    row = max(ended, key=lambda one: one["score"])
    return f"{_name(row)} {_said(row, best)}" + (f"; {late} not ended" if late else "")


def _name(row: dict) -> str:
    plain = row["program"].removeprefix("climatebn ")
    return NAMES.get(plain, plain.replace("boss", "BOSS").replace("grasp", "GRaSP").replace("ges", "GES"))


def _said(row: dict, best: float) -> str:
    score = f"{row['score']:,.1f}".replace(",", UNBROKEN)
    return f"{f'**{score}**' if row['score'] == best else score} ({_seconds(row)})"


def _seconds(row: dict) -> str:
    took = row["seconds"]
    said = "< 0.01 s" if took < 0.005 else f"{took:.{2 if took < 1 else 1 if took < 10 else 0}f} s"
    return said.replace(" ", UNBROKEN)


def lagged_searches() -> list[list[str]]:
    """Searches with lags on whole fields."""
    lines = [["search, γ = 1", "arcs", "of them lagged", "CPU s", "peak memory"]]
    for row in (row for row in stored("lagged") if "places" in row):
        lags = ", ".join(map(str, row["lags"]))
        work = f"{row['algorithm']}, {row['places']} places, lags {lags}, {row['months']} months"
        cost = [f"{row['seconds']:.1f}", f"{row['memory']:.1f} GB"]
        lines.append([work, str(row["arcs"]), str(row["lagged"]), *cost])
    return lines


def lagged_beside() -> list[list[str]]:
    """Lagged arcs found again, beside tigramite."""
    lines = [["data", "program", "lagged arcs", "precision", "recall", "CPU s"]]
    for row in (row for row in stored("lagged") if "program" in row):
        shares = ["–" if row[name] is None else f"{row[name]:.3f}" for name in ("precision", "recall")]
        arcs = "not ended" if row["arcs"] is None else str(row["arcs"])
        lines.append([row["data"], row["program"], arcs, *shares, f"{row['seconds']:.2f}"])
    return lines


TABLES = {
    "speeds": engine,
    "searches": search,
    "searches with lags": lagged_searches,
    "lagged arcs beside tigramite": lagged_beside,
}


def table(name: str) -> str:
    """A table in Markdown."""
    head, *rows = TABLES[name]()
    lines = [f"| {' | '.join(row)} |".replace(" -", " −").replace("**-", "**−") for row in rows]
    lines = [line.replace("(BIC -", "(BIC −") for line in lines]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines])


def marks(name: str) -> tuple[str, str]:
    """What stands before and after a table."""
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def filled(page: str) -> str:
    """A page with each table between its marks."""
    for name in TABLES:
        begin, end = marks(name)
        if begin in page:
            before, _, rest = page.partition(begin)
            _, _, after = rest.partition(end)
            page = f"{before}{begin}\n{table(name)}\n{end}{after}"
    return page


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write("\n\n".join(table(name) for name in TABLES) + "\n")
