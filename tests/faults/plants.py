"""Faults that are built into the package on purpose, to see that the judge finds them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from unittest.mock import patch

from climatebn.jobs.folder import StudyFolder
from climatebn.jobs.study import Key


def written_in_place() -> None:
    """Files are written under their own name."""
    import climatebn.files

    @contextmanager
    def in_place(path: str | PathLike[str]) -> Iterator[Path]:
        yield Path(path)

    patch.object(climatebn.files, "whole_file", in_place).start()


def cut_short_stored() -> None:
    """What Ctrl-C cut short is taken for whole."""
    from climatebn import LearnResult

    patch.object(LearnResult, "uninterrupted", lambda self: self).start()


def always_0() -> None:
    """Every command ends with exit code 0."""
    from climatebn.cli import ending

    patch.object(ending, "leave", lambda code: None).start()


def miscounted() -> None:
    """The last words tell of one cell more than there is."""
    from climatebn.jobs import runner

    def words(store: StudyFolder, keys: list[Key]) -> str:
        return f"stopped with {1 + len(store.records(keys))} of {len(keys)} cells stored in {store.path}"

    patch.object(runner, "_stored", words).start()


PLANTS: dict[str, Callable[[], None]] = {
    plant.__name__: plant for plant in (written_in_place, cut_short_stored, always_0, miscounted)
}
