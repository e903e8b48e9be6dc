"""Speeds on the pages are those of the files that `climatebn bench … --out` wrote."""

import json
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SPEEDS = runpy.run_path(str(DOCS / "speeds.py"))
OTHERWISE = ("reproduction.md", "climate_claims.md")  # with their commands; from runs of studies
WORDS = [*DOCS.glob("*.md"), *DOCS.glob("*/*.md"), DOCS.parent / "README.md"]


@pytest.mark.parametrize("path", SPEEDS["PAGES"], ids=lambda path: path.name)
def test_pages_hold_what_the_files_give(path):
    page = path.read_text(encoding="utf-8")
    assert SPEEDS["filled"](page) == page, "run: python docs/speeds.py"
    counts = [page.count(SPEEDS["marks"](name)[0]) for name in SPEEDS["TABLES"]]
    assert sum(counts) == (2 if path.name == "forecasts.md" else 1)
    assert max(counts) == 1
    other = re.sub(r"^(\|.*)[ \u00a0]s([ )])", r"\1 h\2", page, flags=re.MULTILINE)
    other = other.replace("| pcmciplus |", "| another |")
    assert other != page
    assert SPEEDS["filled"](other) == page  # what is between goes


def test_every_row_of_the_engine_is_on_the_pages():
    rows = json.loads((DOCS / "bench" / "engine.json").read_text(encoding="utf-8"))
    growth = [row for row in rows if "per_step" in row]
    others = [row for row in rows if row.get("program", "learn") not in ("learn", "its search")]
    assert len(SPEEDS["engine"]()) == 1 + len(growth) + len(others) >= 5


def test_the_table_of_searches_names_the_highest_and_the_nearest(monkeypatch):
    rows = [
        ("alarm", "climatebn tabu", -1010.0, 0.004), ("alarm", "climatebn ges", -1005.0, 0.5),
        ("alarm", "climatebn boss", -1000.4, 2.0), ("alarm", "climatebn best", -1000.0, 4.0),
        ("alarm", "climatebn boss, then ges", -1000.3, 1.5),
        ("alarm", "xges", -1000.5, 90.0), ("alarm", "xges-0", -1000.9, 3.0),
        ("alarm", "pybnesian", -1001.1, 0.1), ("alarm", "pgmpy", None, 100.0),
        ("ncep72", "climatebn tabu", 990.0, 1.0), ("ncep72", "climatebn ges", 995.0, 1.0),
        ("ncep72", "climatebn boss", 1000.0, 1.0), ("ncep72", "climatebn best", 1000.0, 8.0),
        ("ncep72", "xges", 998.9, 12.0),
    ]  # fmt: skip
    names = ("data", "program", "score", "seconds")
    made = [{**dict(zip(names, row, strict=True)), "nodes": 72, "gamma": 0.5} for row in rows]
    monkeypatch.setitem(SPEEDS["search"].__globals__, "stored", lambda name: made)
    _, alarm, places = ([cell.replace("\u00a0", " ") for cell in row] for row in SPEEDS["search"]())
    assert alarm == [
        "ALARM", "72", "-1 010.0 (< 0.01 s)", "-1 005.0 (0.50 s)", "-1 000.4 (2.0 s)", "**-1 000.0** (4.0 s)",
        "XGES -1 000.5 (90 s); pgmpy not ended", "XGES-0 3.0 s; BOSS, then GES 1.5 s, 2 × as fast",
    ]  # fmt: skip
    assert places[0] == "72 places, γ = 0.5"
    assert places[4:] == ["**1 000.0** (1.0 s)", "**1 000.0** (8.0 s)", "XGES 998.9 (12 s)", "none"]


@pytest.mark.parametrize("path", [p for p in WORDS if p.name not in OTHERWISE], ids=lambda path: path.name)
def test_no_other_speed_stands_on_a_page(path):
    page = path.read_text(encoding="utf-8")
    for name in SPEEDS["TABLES"]:
        page = page.replace(SPEEDS["table"](name), "")
    assert not re.findall(r"\d+(?:\.\d+)? (?:CPU )?(?:s|ms|min|seconds|minutes)\b|times as fast|times as long", page)
