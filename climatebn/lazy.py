"""Public names that load on first use, so that a learner never waits for xarray or cartopy."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names live in the modules that ``homes`` gives.

    >>> attributes("climatebn.network", {"read_bif": "bif"})("read_bif").__name__
    'read_bif'
    """

    def __getattr__(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__
