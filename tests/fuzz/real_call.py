"""A call that works, argument by argument, so that one of them can be made wrong."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple


class Fresh(NamedTuple):
    """An argument that is made anew for each case: axes that are drawn on, files that are written."""

    make: Callable[[], Any]


class Call(NamedTuple):
    """``given`` are the arguments that it works with; ``others`` those that it leaves out, with their defaults."""

    name: str
    function: Callable[..., Any]
    given: dict[str, Any]
    others: dict[str, Any]

    def arguments(self) -> dict[str, Any]:
        """What it is given, made where it must be new."""
        return {name: value.make() if isinstance(value, Fresh) else value for name, value in self.given.items()}


def call(function: Callable[..., Any], **given: Any) -> Call:
    """A real call of a function, a class, or a method of an object."""
    owner = getattr(function, "__self__", None)
    kind = owner if isinstance(owner, type) else type(owner)
    name = function.__name__ if owner is None else f"{kind.__name__}.{function.__name__}"
    if owner is None and inspect.isfunction(function):
        name = f"{function.__module__.removeprefix('climatebn.').partition('.')[0]}.{name}"
    parameters = inspect.signature(function).parameters
    others = {key: one.default for key, one in parameters.items() if key not in given and one.default is not one.empty}
    return Call(name, function, given, others)
