"""`explorer.html` of the main job: the ensembles, or the networks without them, beside the correlation network."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from climatebn.errors import ClimateBNError
from climatebn.pages.explorer.explore import explore

if TYPE_CHECKING:
    from climatebn.study.showcase.main_job import MainResult

NAME = "explorer.html"


def write_explorer(folder: Path, result: "MainResult") -> None:
    """Write the page into ``folder``; networks too large for a page are left to ``climatebn explore``."""
    first, hybrid, correlation = result.answers
    models: dict[str, Any] = {first.label: first.network, hybrid.label: hybrid.network}
    if result.certainty is not None:
        models[first.label] = result.certainty.first
        models[hybrid.label] = result.certainty.hybrid or hybrid.network
    models[correlation.label] = correlation.network
    try:
        explore(models, folder / NAME, data=result.data)
    except ClimateBNError as error:
        if "MB" not in str(error):
            raise


def explorer_link(result: "MainResult") -> str:
    """The address of the page with the evidence of this run set."""
    evidence = result.question.address()
    return f"{NAME}#{f'e={evidence}&' if evidence else ''}t=1&v=both&n=0&m=1"
