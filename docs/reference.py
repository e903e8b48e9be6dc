"""The pages of the API reference: every public name in a group, from `climatebn.__all__` and that of its rooms."""

import inspect
from pathlib import Path
from types import GenericAlias
from typing import Any

import click

import climatebn as cb
from climatebn.cli import group

GROUPS = {
    "Fields": "open_field load_ncep load_sst load_z500 Grid regrid mask Region regions region_mean season_mean "
    "anomalies",
    "Nodes": "to_nodes NodeData lagged whiten effective_n gaussianity normal_scores",
    "Criteria": "criteria BIC AIC LogLik BGe BDeu G2 ChiSquare FisherZ StudentT DSeparation GaussianStats "
    "DiscreteStats",
    "Learning": "learn algorithms Knowledge LearnResult",
    "Graphs": "Dag Pdag cpdag shd d_separated",
    "Networks": "fit GaussianBN DiscreteBN DynamicBN Combination load_network reference_network read_bif write_bif",
    "Questions": "propagate teleconnections arc_strength vstructures regression_map",
    "Certainty": "ensemble Ensemble DynamicEnsemble distant_null choose_gamma held_out_skill",
    "Forecasts": "hindcast Hindcast choose_forecast outlook",
    "Comparison": "distance compare Comparison open_models",
    "Pages": "explore",
    "Errors": "errors.ClimateBNError errors.ClimateBNWarning",
    "Studies": "study.find jobs.Study jobs.Record",
}
ROOMS = {  # where the names of a room stand that are not public at the top
    "plot": "Plots", "analysis": "Questions", "comparison": "Comparison", "ingest": "Nodes", "network": "Networks",
    "uncertainty": "Certainty", "forecast": "Forecasts", "graph": "Graphs", "criterion": "Criteria",
    "learning": "Learning", "pages": "Pages", "jobs": "Studies", "study": "Studies", "errors": "Errors",
}  # fmt: skip


def public() -> dict[str, Any]:
    """Every public name that is no room, with its object; those of rooms as ``room.name``."""
    found = {name: getattr(cb, name) for name in cb.__all__}
    for room in ROOMS:
        module = found.get(room)
        for name in getattr(module, "__all__", ()):
            if getattr(module, name) is not getattr(cb, name, None):
                found[f"{room}.{name}"] = getattr(module, name)
    return {name: thing for name, thing in found.items() if not inspect.ismodule(thing)}


def groups() -> dict[str, list[str]]:
    """The names of each page; a name in no group stands on the page of its room, else under "More"."""
    names = public()
    pages = {title: [name for name in words.split() if name in names] for title, words in GROUPS.items()}
    placed = {name for page in pages.values() for name in page}
    for name in sorted(names.keys() - placed):
        room, dot, _ = name.partition(".")
        pages.setdefault(ROOMS[room] if dot else "More", []).append(name)
    return {title: page for title, page in pages.items() if page}


def write_reference(folder: Path) -> None:
    """A page a group, each name with its docstring, and the page that lists them."""
    folder.mkdir(exist_ok=True)
    listing = [
        "# API reference",
        "",
        "`import climatebn as cb` is assumed everywhere.",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
    ]
    for title, names in groups().items():
        page = title.lower()
        listing.append(page)
        lines = [f"# {title}", ""]
        for name in names:
            lines += [f"## {name}", "", "```{eval-rst}", *_directive(name), "```", ""]
        (folder / f"{page}.md").write_text("\n".join(lines), encoding="utf-8")
    listing += ["../command_line", "```", ""]
    (folder / "index.md").write_text("\n".join(listing), encoding="utf-8")


def name_commands(above: click.Group = group) -> None:
    """Give commands the names they are called by, which the page of the command line reads off them."""
    context = click.Context(above)
    for name in above.list_commands(context):
        command = above.get_command(context, name)
        assert command is not None
        command.name = name
        if isinstance(command, click.Group):
            name_commands(command)


def _directive(name: str) -> list[str]:
    thing = public()[name]
    if inspect.isclass(thing):
        return [
            f".. autoclass:: climatebn.{name}",
            "   :members:",
            "   :inherited-members: tuple, dict, ValueError, UserWarning",
        ]
    if inspect.isroutine(thing):
        return [f".. autofunction:: climatebn.{name}"]
    if isinstance(thing, GenericAlias):  # the name of a type
        return [f".. py:data:: climatebn.{name}", "", f"   ``{thing}``"]
    return [f".. autodata:: climatebn.{name}"]
