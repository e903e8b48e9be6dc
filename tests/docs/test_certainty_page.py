"""docs/certainty.md has the numbers of the tables that are kept beside it."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(DOCS / "certainty_tables.py"))


@pytest.fixture(scope="module")
def page():
    return (DOCS / "certainty.md").read_text(encoding="utf-8")


def test_the_page_has_the_numbers_of_the_kept_tables(made, page):
    assert {found["name"] for found in made["MARK"].finditer(page)} == set(made["BLOCKS"])
    assert made["filled"](page) == page


def test_a_number_that_is_changed_is_noticed(made, page):
    changed = re.sub(r"\| 806, \d+ ±", "| 807, 812 ±", page)
    assert changed != page
    assert made["filled"](changed) == page
