"""Every public name stands in the API reference, and its docstring says what goes in and what comes out, by example."""

import importlib.util
import inspect
import re
from pathlib import Path

import click
import pytest

from climatebn.cli import group

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = script("reference")
NAMES = reference.public()
MEMBERS = {
    f"{name}.{key}": inspect.getattr_static(thing, key)
    for name, thing in NAMES.items()
    if inspect.isclass(thing)
    for key in dir(thing)
    if not key.startswith("_") and key not in getattr(thing, "__dataclass_fields__", ())
}


def section(words, title):
    """The lines of one section of a numpydoc docstring, without its underline."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n---|\Z)", words, flags=re.MULTILINE | re.DOTALL)
    return found[1].splitlines() if found else []


def described(words, title):
    """The names before the colon of each entry of a section."""
    heads = [line.partition(" : ")[0] for line in section(words, title) if re.match(r"[*\w].* : ", line)]
    return {name.strip(" *") for head in heads for name in head.split(",")}


def lacking(function):
    """What the docstring of a function does not say."""
    words = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    wanted = [key for key in signature.parameters if key not in ("self", "cls")]
    missing = [key for key in wanted if key not in described(words, "Parameters")]
    if signature.return_annotation not in (None, "None") and not section(words, "Returns"):
        missing.append("what it returns")
    if ">>>" not in words:
        missing.append("an example")
    return missing


def test_commands_are_documented_under_the_names_they_are_called_by():
    reference.name_commands()
    context = click.Context(group)
    found = {name: group.get_command(context, name).name for name in group.list_commands(context)}
    assert set(found) >= {"run", "learn", "propagate", "explore", "study"}
    assert list(found) == list(found.values())


def test_the_page_of_the_command_line_has_every_command_in_the_order_of_its_help():
    page = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
    named = re.search(r":commands: (.*)", page)[1]
    assert named.split(", ") == group.list_commands(click.Context(group))


def test_every_public_name_has_a_page_of_its_kind():
    pages = reference.groups()
    assert sorted(name for page in pages.values() for name in page) == sorted(NAMES)
    assert "More" not in pages, f"no group of docs/reference.py has {pages['More']}"


@pytest.mark.parametrize(
    "name", sorted(name for name, thing in NAMES.items() if inspect.isroutine(thing) or inspect.isclass(thing))
)
def test_docstrings_say_what_goes_in_and_what_comes_out_by_example(name):
    thing, words = NAMES[name], inspect.getdoc(NAMES[name]) or ""
    if not inspect.isclass(thing):
        assert not lacking(thing), f"{name} lacks {', '.join(lacking(thing))}"
    else:
        assert ">>>" in words, f"{name} has no example"
        held = described(words, "Parameters") | described(words, "Attributes")
        assert held or issubclass(thing, BaseException), f"{name} does not say what it holds"


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_docstrings_of_methods_do_so_too(name):
    member = getattr(MEMBERS[name], "__func__", MEMBERS[name])
    if not inspect.isfunction(member):
        assert not hasattr(member, "fget") or inspect.getdoc(member), f"{name} does not say what it is"
    elif member.__module__.startswith("climatebn"):
        assert not lacking(member), f"{name} lacks {', '.join(lacking(member))}"


EQUATIONS = """
    anomalies arc_strength choose_gamma compare distance distant_null effective_n ensemble fit gaussianity
    held_out_skill hindcast propagate regression_map teleconnections vstructures whiten GaussianBN.condition
    analysis.centrality analysis.implied_correlation forecast.crps forecast.eofs forecast.linear_inverse
"""
CRITERIA = [name for name in NAMES["criteria"]() if name != "DSeparation"]  # which looks its answers up in a graph


@pytest.mark.parametrize("name", [*CRITERIA, *EQUATIONS.split()])
def test_what_is_an_equation_is_written_as_one(name):
    thing = NAMES.get(name) or MEMBERS[name]
    notes = "\n".join(section(inspect.getdoc(thing), "Notes"))
    assert re.search(r"(::\n\n {4,}\S)|Σ_i", notes), f"{name} has no equation in its notes"


def test_what_is_lacking_is_found():
    def half_told(a, b, *, c) -> int:
        """Words.

        Parameters
        ----------
        a, c : numbers. b : stands where no entry begins.
        """

    assert lacking(half_told) == ["b", "what it returns", "an example"]


def test_pages_write_every_name(tmp_path):
    reference.write_reference(tmp_path / "reference")
    written = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "reference").glob("*.md"))
    assert all(f"\n## {name}\n" in written for name in NAMES)


def test_every_plot_is_drawn_in_the_gallery():
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    headings = ", ".join(re.findall(r"^## (.*)$", gallery, flags=re.MULTILINE)).split(", ")
    assert sorted(headings) == sorted(name.removeprefix("plot.") for name in NAMES if name.startswith("plot."))


def test_entries_of_docstrings_stand_under_their_names():
    lines = ["Words.", "", "Attributes", "----------", "a, b : of two", "    lines.", "c : one.", ""]
    lines += ["Returns", "-------", "a DataFrame:", "x, y.", "", "Examples", "--------", ">>> 1 : 2"]
    script("docstrings").entries_in_two_lines(lines)
    assert lines[4:8] == ["a, b", "    of two lines.", "c", "    one."]
    assert lines[10:] == ["-------", "a DataFrame: x, y.", "", "Examples", "--------", ">>> 1 : 2"]


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#here">x</a><a href="#top">y</a><p id="top"></p>')
    (tmp_path / "b.html").write_text('<p id="here"></p><img src="lost.png"><a href="a.html#gone">z</a>')
    assert script("check_links").broken(tmp_path) == ["b.html: a.html#gone", "b.html: lost.png"]
