"""Every study, one line each: where it lives. Loaded on first use."""

from importlib import import_module

from climatebn.errors import public, unknown
from climatebn.jobs.study import Study

STUDIES = {"climate": "climatebn.study.climate.study", "simulation": "climatebn.study.simulation.study"}


@public
def find(name: str) -> Study:
    """The registered study: the object ``study`` of its module.

    Parameters
    ----------
    name : "climate" or "simulation".

    Returns
    -------
    `climatebn.jobs.Study`.

    Raises
    ------
    ClimateBNError where there is no such study.

    Examples
    --------
    >>> find("simulation").name
    'simulation'
    """
    if name not in STUDIES:
        raise unknown("study", name, STUDIES)
    study: Study = import_module(STUDIES[name]).study
    return study
