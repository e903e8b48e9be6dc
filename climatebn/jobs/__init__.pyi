from .config import read_config
from .executors import open_executor
from .runner import run_cells, run_study
from .study import Key, Record, Study
from .table import read_table

__all__ = [
    "Key",
    "Record",
    "Study",
    "open_executor",
    "read_config",
    "read_table",
    "run_cells",
    "run_study",
]
