"""A browser for the tests of pages; where there is none they are left out, or fail if it is required."""

import os

import pytest
from browser import MISSING, Browser, binary


@pytest.fixture(scope="session")
def browser():
    if binary() is None:
        if os.environ.get("CLIMATEBN_BROWSER") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)  # tests/run says so in its last lines
    chromium = Browser()
    yield chromium
    chromium.close()


@pytest.fixture
def tab(browser):
    browser.events.clear()
    page = browser.page()
    yield page
    page.close()
