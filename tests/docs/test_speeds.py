"""Speeds on the pages are those of the files that `climatebn bench … --out` wrote."""

import json
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SPEEDS = runpy.run_path(str(DOCS / "speeds.py"))


@pytest.mark.parametrize("path", SPEEDS["PAGES"], ids=lambda path: path.name)
def test_pages_hold_what_the_file_gives(path):
    page = path.read_text(encoding="utf-8")
    assert SPEEDS["filled"](page) == page, "run: python docs/speeds.py"
    assert page.count(SPEEDS["BEGIN"]) == 1
    assert SPEEDS["filled"](page.replace("hill climbing, 200", "hill climbing, 300")) == page  # what is between goes


def test_every_row_of_the_file_is_on_the_pages():
    rows = json.loads((DOCS / "bench" / "engine.json").read_text(encoding="utf-8"))
    growth = [row for row in rows if "per_step" in row]
    others = [row for row in rows if row.get("program", "learn") not in ("learn", "its search")]
    assert len(SPEEDS["rows"]()) == len(growth) + len(others) >= 5


def test_no_other_speed_stands_in_the_readme():
    page = SPEEDS["PAGES"][0].read_text(encoding="utf-8")
    without = page.replace(SPEEDS["table"](), "")
    assert not re.findall(r"\d+(?:\.\d+)? (?:s|ms|min|seconds|minutes)\b", without)


def test_best_of_each_class_holds_what_the_file_gives():
    """Scores to one decimal, seconds to one or two digits, of our three searches."""
    rows = json.loads((DOCS / "bench" / "search.json").read_text(encoding="utf-8"))
    page = (DOCS / "best_of_each_class.md").read_text(encoding="utf-8").replace("−", "-").replace("*", "")
    table = re.findall(r"^\| ([A-Z0-9-]+) \| \d+ \| (.*?) \| (.*?) \| (.*?) \|", page, flags=re.MULTILINE)
    assert len(table) == 6
    for data, *cells in table:
        for program, cell in zip(("tabu", "ges", "boss"), cells, strict=True):
            row = next(r for r in rows if (r["data"], r["program"]) == (data.lower(), f"climatebn {program}"))
            score, seconds = re.fullmatch(r"(-[\d ]+\.\d) \((\S+) s\)", cell).groups()
            assert float(score.replace(" ", "")) == pytest.approx(row["score"], abs=0.051)
            assert float(seconds) == pytest.approx(row["seconds"], abs=0.051)
