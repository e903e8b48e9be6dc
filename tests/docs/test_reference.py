"""Every public name stands in the API reference, and its docstring says what goes in and what comes out."""

import importlib.util
import inspect
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = script("reference")
NAMES = reference.public()


def test_every_public_name_has_a_page_of_its_kind():
    pages = reference.groups()
    assert sorted(name for page in pages.values() for name in page) == sorted(NAMES)
    assert "More" not in pages, f"no group of docs/reference.py has {pages['More']}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_docstrings_say_what_goes_in_and_what_comes_out(name):
    thing = NAMES[name]
    words = inspect.getdoc(thing) or ""
    if not callable(thing):
        return
    assert words.strip(), f"{name} has no docstring"
    at_the_top = "." not in name or name.startswith("plot.")
    if not at_the_top or (inspect.isclass(thing) and issubclass(thing, BaseException)):
        return
    if inspect.isclass(thing):
        assert "Parameters\n-" in words or "Attributes\n-" in words, f"{name} does not say what it holds"
        return
    signature = inspect.signature(thing)
    if signature.parameters:
        assert "Parameters\n-" in words, f"{name} does not say what its parameters are"
        missing = [key for key in signature.parameters if key not in words]
        assert not missing, f"{name} says nothing of {', '.join(missing)}"
    if signature.return_annotation not in (None, "None"):
        assert "Returns\n-" in words, f"{name} does not say what it returns"


def test_pages_write_every_name(tmp_path):
    reference.write_reference(tmp_path / "reference")
    written = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "reference").glob("*.md"))
    assert all(f"\n## {name}\n" in written for name in NAMES)


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#here">x</a><a href="#top">y</a><p id="top"></p>')
    (tmp_path / "b.html").write_text('<p id="here"></p><img src="lost.png"><a href="a.html#gone">z</a>')
    assert script("check_links").broken(tmp_path) == ["b.html: a.html#gone", "b.html: lost.png"]
