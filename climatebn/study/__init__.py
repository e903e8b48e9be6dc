"""Studies: many independent cells, any executor, resumable. Loaded on first use: threads are limited before that."""

from importlib import import_module
from typing import Any

_HOMES = {
    "Record": "study",
    "Study": "study",
    "find": "study",
    "open_executor": "executors",
    "read_config": "config",
    "read_table": "table",
    "run_study": "runner",
    "stability": "bootstrap",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
