"""One process at work in a folder: a lock file that names it. A lock whose process is gone is taken over."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from climatebn.errors import ClimateBNError
from climatebn.files import PART

LOCK = ".climatebn.lock"
YOUNG = 10.0  # seconds in which an unreadable lock may still be being written


@contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """Hold the lock of ``folder``; an error in one sentence if ``what`` is running there in another process."""
    path = folder / LOCK
    own = json.dumps(_self()).encode()
    descriptor = None
    try:
        while descriptor is None:
            try:
                descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            except FileExistsError:
                _take_over(path, folder, what)
        with os.fdopen(descriptor, "wb") as file:
            file.write(own)
        remove_parts(folder)
        yield
    finally:
        with suppress(OSError):
            if descriptor is not None and path.read_bytes() in (own, b""):
                path.unlink()


def remove_parts(folder: Path) -> None:
    """Remove what killed processes left half-written in a folder and the folders in it."""
    import shutil

    for part in [*folder.glob(f"{PART}*"), *folder.glob(f"*/{PART}*")]:
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def _take_over(path: Path, folder: Path, what: str) -> None:
    """Remove a lock whose process is gone; else say who holds it."""
    try:
        seen = path.read_bytes()
    except FileNotFoundError:
        return
    holder = _read(seen)
    if holder is None:
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime < YOUNG:
                raise ClimateBNError(f"{what} is just starting in {folder}; wait for it, or give another folder")
    elif holder["host"] != socket.gethostname() or _alive(holder):
        raise ClimateBNError(
            f"{what} is running in {folder} (process {holder['pid']} on {holder['host']}); wait for it, or give "
            f"another folder. If it is not running any more, remove {path}"
        )
    with suppress(FileNotFoundError):
        aside = path.with_name(f"{LOCK}.{os.getpid()}")
        os.rename(path, aside)  # only one process gets it
        if aside.read_bytes() == seen:
            aside.unlink()
        else:  # another process was faster and holds it now
            os.rename(aside, path)


def _self() -> dict[str, Any]:
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": _began(os.getpid())}


def _read(content: bytes) -> dict[str, Any] | None:
    try:
        holder = json.loads(content)
        return holder if isinstance(holder["pid"], int) and isinstance(holder["host"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def _alive(holder: dict[str, Any]) -> bool:
    """Whether that very process is still there: its number may have gone to another one."""
    try:
        os.kill(holder["pid"], 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return bool(_began(holder["pid"]) == holder.get("since"))


def _began(pid: int) -> str:
    """When a process began, as Linux tells it; empty elsewhere, and for one that is only waiting to be buried."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "gone" if fields[0] == "Z" else fields[19]
