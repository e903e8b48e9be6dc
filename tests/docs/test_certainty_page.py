"""docs/certainty.md and docs/concepts/ensembles.md have the numbers of the tables that are kept in docs/certainty."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(DOCS / "certainty_tables.py"))


@pytest.fixture(scope="module")
def pages(made):
    return {path.name: path.read_text(encoding="utf-8") for path in made["PAGES"]}


def test_the_pages_have_the_numbers_of_the_kept_tables(made, pages):
    marks = [found["name"] for page in pages.values() for found in made["MARK"].finditer(page)]
    assert sorted(marks) == sorted(made["BLOCKS"])
    assert all(made["filled"](page) == page for page in pages.values())


@pytest.mark.parametrize(
    ("name", "number", "wrong"),
    [("certainty.md", r"\| 806, \d+ ±", "| 807, 812 ±"), ("ensembles.md", r"\| \.89, \.85", "| .99, .85")],
)
def test_a_number_that_is_changed_is_noticed(made, pages, name, number, wrong):
    changed = re.sub(number, wrong, pages[name])
    assert changed != pages[name]
    assert made["filled"](changed) == pages[name]
