"""Every criterion, one line each: where it lives. Loaded on first use."""

from importlib import import_module
from typing import Any

from climatebn.criterion.protocols import Criterion, IndependenceTest, Score
from climatebn.errors import ClimateBNError, public, unknown

CRITERIA = {
    "BIC": "bic",
    "AIC": "aic",
    "LogLik": "loglik",
    "BGe": "bge",
    "BDeu": "bdeu",
    "G2": "g2",
    "FisherZ": "fisher_z",
    "StudentT": "student_t",
    "ChiSquare": "chi_square",
    "DSeparation": "d_separation",
}


@public
def find(name: str) -> Any:
    """The class of a registered criterion.

    Parameters
    ----------
    name : e.g. "BIC"; `criteria` lists all.

    Returns
    -------
    the class.

    Raises
    ------
    ClimateBNError with near misses, where there is none of that name.

    Examples
    --------
    >>> find("BIC")(gamma=1)
    BIC(gamma=1, variance='ml', weight=1.0)
    """
    if name not in CRITERIA:
        raise unknown("criterion", name, CRITERIA)
    return getattr(import_module(f"climatebn.criterion.{CRITERIA[name]}"), name)


def as_criterion(given: Any) -> Criterion:
    """A criterion as it is; a class, or the name of one, as its instance with all defaults.

    >>> as_criterion("BIC")
    BIC(gamma=0.0, variance='ml', weight=1.0)
    """
    kind = find(given) if isinstance(given, str) else given
    try:
        found = kind() if isinstance(kind, type) else kind
    except TypeError as error:
        raise ClimateBNError(f"{given} needs settings and cannot be given by its name alone: {error}") from None
    if not isinstance(found, Score | IndependenceTest):
        raise ClimateBNError(f"criterion must be a score or a test (see climatebn.criteria()); got {given!r}")
    return found


@public
def criteria() -> dict[str, str]:
    """Every criterion: score or test, the data it fits, and the classes of algorithms that take it.

    Returns
    -------
    names with what each is.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.criteria()["FisherZ"]
    'test; fits constraint-based algorithms and the restrict phase; gaussian data'
    """
    fits = {True: "score; fits all algorithms", False: "test; fits constraint-based algorithms and the restrict phase"}
    return {
        name: f"{fits[isinstance(find(name), Score)]}; {' and '.join(sorted(find(name).kinds))} data"
        for name in CRITERIA
    }
