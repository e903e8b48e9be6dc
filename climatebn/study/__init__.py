"""Studies: many independent cells, any executor, resumable. Loaded on first use: threads are limited before that."""

from climatebn.lazy import attributes

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
__getattr__ = attributes(__name__, _HOMES)
