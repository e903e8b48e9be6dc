"""A study folder: what it was made with, and one file a finished cell, written whole or not at all.

A cell file is two lines: the SHA-256 of the second, and the record as JSON (arrays compressed, in base64). It is
written under a temporary name, synced, then renamed; a file whose checksum does not fit counts as missing.
"""

import base64
import hashlib
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np

from climatebn import __version__
from climatebn.errors import ClimateBNError
from climatebn.files import PART, as_path, write_text, write_whole
from climatebn.jobs.config import plain, to_toml
from climatebn.jobs.lock import LOCK, locked
from climatebn.jobs.study import Key, Record, Study
from climatebn.provenance import to_json

IDENTITY = "study.json"


class StudyFolder:
    """The folder of one study with one configuration.

    The time budget is no part of that identity: a cell that ended is the same under any budget, and a cell that
    did not end is run again only when the budget is larger than the one it had, or on ``retry``.
    """

    def __init__(self, path: str | PathLike[str], study: "Study | _Named", config: Any, *, retry: bool = False) -> None:
        self.path = as_path(path, "folder")
        self.retry = retry
        self.budget: float = config.max_seconds
        identity = {
            "format": "climatebn study",
            "study": study.name,
            "climatebn": __version__,
            "config": {key: value for key, value in plain(config).items() if key != "max_seconds"},
            "inputs": dict(study.inputs(config)),
        }
        self._identity: dict[str, Any] = json.loads(to_json(identity))
        self._settings = to_toml(config)
        self._check()

    @contextmanager
    def at_work(self, what: str) -> Iterator[None]:
        """Make the folder if it is not there, and hold its lock; ``what`` is what others are told is running here."""
        self.path.mkdir(parents=True, exist_ok=True)
        with locked(self.path, what):
            self._check()
            if not (self.path / IDENTITY).exists():
                write_text(self.path / IDENTITY, json.dumps(self._identity, indent=1, ensure_ascii=False))
            (self.path / "cells").mkdir(exist_ok=True)
            write_text(self.path / "config.toml", self._settings)
            yield

    def _check(self) -> None:
        """Refuse in words a folder that is neither new, nor empty, nor made with the same identity."""
        mark = self.path / IDENTITY
        if self.path.exists() and not self.path.is_dir():
            raise ClimateBNError(f"{self.path} is a file; a study needs a folder")
        if not mark.exists():
            if self.path.exists() and any(map(_foreign, self.path.iterdir())):
                raise ClimateBNError(f"{self.path} is not empty and not a study folder; give a new or empty folder")
            return
        try:
            found = json.loads(mark.read_text(encoding="utf-8"))
            differences = _differences(found, self._identity)
        except (ValueError, AttributeError, TypeError, OSError, RecursionError):
            raise ClimateBNError(
                f"{mark} is damaged: it does not say what the cells here were made with; give a new or empty folder"
            ) from None
        if differences:
            raise ClimateBNError(
                f"{self.path} was made with another configuration ({'; '.join(differences)}); "
                "give another folder, or the configuration it was made with"
            )
        if (self.path / "cells").exists() and not (self.path / "cells").is_dir():
            raise ClimateBNError(f"{self.path / 'cells'} must be a folder; remove the file")

    def write(self, key: Key, record: Record) -> Record:
        """Store the record of a finished cell; returns it as it will be read, so that resuming changes nothing."""
        fields = {
            "key": key,
            "ended": record.ended,
            "budget": record.budget,
            "seconds": record.seconds,
            "cpu_seconds": record.cpu_seconds,
            "measures": dict(record.measures),
            "arrays": {name: _packed(array) for name, array in record.arrays.items()},
        }
        body = json.dumps(fields, default=lambda number: number.item(), ensure_ascii=False).encode()
        write_whole(self._file(key), hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        return _record(json.loads(body))

    def read(self, key: Key) -> Record | None:
        """The record of a cell; None when it is missing, damaged, or did not end and deserves another try."""
        try:
            checksum, _, body = self._file(key).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            raise ClimateBNError(f"{self._file(key)} is a folder where a cell should be stored; remove it") from None
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            return None
        try:
            stored = json.loads(body)
            record = _record(stored)
            if (
                stored["key"] != list(key)
                or not isinstance(record.ended, bool)
                or not isinstance(record.measures, dict)
            ):
                return None
            again = not record.ended and (self.retry or (record.budget or math.inf) < self.budget)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
            return None  # whole, but not what a study writes
        return None if again else record

    def records(self, keys: Sequence[Key]) -> dict[Key, Record]:
        """The records of all finished cells among ``keys``."""
        found = ((key, self.read(key)) for key in keys)
        return {key: record for key, record in found if record is not None}

    def _file(self, key: Key) -> Path:
        parts = [quote(str(part).removesuffix(".0"), safe=" ") for part in key]
        return self.path / "cells" / f"{'_'.join(parts)}.cell"


class CellFolder(StudyFolder):
    """The folder of cells that are no study: known by a name, frozen settings and the hashes of their inputs."""

    def __init__(self, path: str | PathLike[str], name: str, settings: Any, inputs: Mapping[str, str]) -> None:
        super().__init__(path, _Named(name, inputs), settings)


class _Named(NamedTuple):
    """What a folder asks of a study."""

    name: str
    hashes: Mapping[str, str]

    def inputs(self, config: Any) -> Mapping[str, str]:
        return self.hashes


def _foreign(path: Path) -> bool:
    """Whether a study that stopped at its very beginning cannot have left this."""
    begun = path.name == "cells" and path.is_dir() and not any(path.iterdir())
    return not (begun or path.name.startswith((PART, LOCK)))


def _differences(found: dict[str, Any], wanted: dict[str, Any], prefix: str = "") -> list[str]:
    """What differs, in words: `gammas: [50] there, [20] now`."""
    said = []
    for key in wanted | found:
        there, now = found.get(key), wanted.get(key)
        if isinstance(there, dict) and isinstance(now, dict):
            said += _differences(there, now, f"{prefix}{key}." if key == "inputs" else prefix)
        elif there != now:
            said.append(f"{prefix}{key}: {_short(there)} there, {_short(now)} now")
    return said


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _record(stored: dict[str, Any]) -> Record:
    arrays = {name: _unpacked(packed) for name, packed in stored["arrays"].items()}
    times = stored["seconds"], stored["budget"], stored.get("cpu_seconds", math.nan)
    return Record(stored["measures"], arrays, stored["ended"], *times)


def _packed(array: np.ndarray) -> dict[str, Any]:
    data = base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes())).decode()
    return {"type": array.dtype.str, "shape": array.shape, "data": data}


def _unpacked(packed: dict[str, Any]) -> np.ndarray:
    raw = zlib.decompress(base64.b64decode(packed["data"]))
    return np.frombuffer(raw, dtype=np.dtype(packed["type"])).reshape(packed["shape"])
