"""The folder of an ensemble: one file a finished member, so that an interrupt costs only those under way."""

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from climatebn.jobs.folder import CellFolder
from climatebn.provenance import array_hash, to_json

if TYPE_CHECKING:
    from climatebn.uncertainty.relearning import Task


@dataclass(frozen=True)
class _Settings:
    """What makes a member, apart from its number and the time it may take."""

    algorithm: str
    criterion: str
    member_criterion: str
    seed: int
    blocks: str
    options: str
    max_seconds: float


class MemberFolder(CellFolder):
    """Refuses a folder made with other data or settings; the number of members is no part of that."""

    def __init__(self, path: str | PathLike[str], task: "Task") -> None:
        settings = _Settings(
            task.algorithm,
            repr(task.criterion),
            repr(task.member_criterion),
            task.seed,
            array_hash(*task.blocks),
            to_json({name: repr(value) for name, value in task.options.items()}),
            float("inf") if task.max_seconds is None else task.max_seconds,
        )
        super().__init__(path, "ensemble", settings, {"data": array_hash(task.values)})
