"""Speeds in README and on the site, from the files that `climatebn bench … --out docs/bench/NAME.json` writes.

``python docs/speeds.py`` puts the table between the marks of both pages; a test checks that they hold what it gives.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGES = (HERE.parent / "README.md", HERE / "performance.md")
NAMES = {"pybnesian": "PyBNesian"}
BEGIN, END = "<!-- speeds -->", "<!-- end of speeds -->"


def rows() -> list[tuple[str, str, str]]:
    """(work, CPU seconds of climatebn, of another package) of each line of the table."""
    found = []
    engine = json.loads((HERE / "bench" / "engine.json").read_text(encoding="utf-8"))
    beside = [row for row in engine if "program" in row]
    for nodes in sorted({row["nodes"] for row in beside}):
        own = next(row for row in beside if (row["nodes"], row["program"]) == (nodes, "learn"))
        for other in (row for row in beside if row["nodes"] == nodes and row["program"] not in ("learn", "its search")):
            bic = f"BIC {other['bic']:.0f}" if other["bic"] is not None else "not ended"
            name = NAMES.get(other["program"], other["program"])
            peer = f"{name} {other['seconds']:.1f} s ({bic}), {other['ratio']:.0f} times as long"
            ours = f"{own['seconds']:.4f} s (BIC {own['bic']:.0f})"
            found.append((f"hill climbing, {nodes} places, γ = 0, whole call", ours, peer))
    for row in engine:
        if "per_step" in row:
            work = f"hill climbing, {row['nodes']} places, γ = {row['gamma']:g} ({row['arcs']} arcs)"
            found.append((work, f"{row['seconds']:.2f} s, {row['memory']:.1f} GB", "–"))
    return [(work, ours.replace("-", "−"), peer.replace("-", "−")) for work, ours, peer in found]


def table() -> str:
    """The table in Markdown."""
    lines = ["| work | climatebn | another package |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows())]
    return "\n".join(lines)


def filled(page: str) -> str:
    """A page with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(table() + "\n")
