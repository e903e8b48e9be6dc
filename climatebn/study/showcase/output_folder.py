"""A folder of results that is replaced as a whole: files are made aside and moved in when all of them are there."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from climatebn import __version__
from climatebn.errors import ClimateBNError
from climatebn.files import PART, write_text
from climatebn.interrupts import held_back
from climatebn.jobs.lock import LOCK, locked
from climatebn.jobs.stopping import if_stopped

MANIFEST = "run.json"


@contextmanager
def output_folder(out: Path, record: Mapping[str, Any] | None = None) -> Iterator[Path]:
    """A folder to write into; at the end its files replace the earlier run in ``out``. An error leaves ``out`` alone.

    ``record`` (settings, versions, …; it may still grow while files are written) joins the list of files in `run.json`.
    ``out`` may be new, empty, or made by an earlier run, whose files are replaced and whose other files stay. A file is
    removed only if it is, to the bit, what the earlier run made.
    """
    _earlier_files(out)  # refused before anything is made
    existed = out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        with locked(out, "a run"):
            earlier = _earlier_files(out)
            staging = Path(tempfile.mkdtemp(prefix=PART, dir=out))
            try:
                with if_stopped(lambda: f"interrupted; {out} is as it was before"):
                    yield staging
                with (
                    if_stopped(lambda: f"interrupted; all files were in {out} by then"),
                    held_back(),
                ):  # so that no folder is of two runs
                    _move_in(staging, out, earlier, record or {})
            finally:
                shutil.rmtree(staging, ignore_errors=True)
    finally:
        if not existed and not any(out.iterdir()):
            out.rmdir()


def _move_in(staging: Path, out: Path, earlier: dict[str, str], record: Mapping[str, Any]) -> None:
    made = {path.name: _hash(path) for path in sorted(staging.iterdir())}
    foreign = [name for name in [*made, MANIFEST] if name not in earlier and (out / name).exists()]
    if foreign:
        raise ClimateBNError(f"{out} holds files of that name that no run made: {', '.join(foreign)}; move them away")
    _write_manifest(out, earlier | made, record)  # whenever this stops, all that is there is known
    for name in made:
        os.replace(staging / name, out / name)
    for name in earlier.keys() - made.keys() - {MANIFEST}:
        path = out / name
        if path.is_file() and not path.is_symlink() and _hash(path) == earlier[name]:
            path.unlink()
    _write_manifest(out, made, record)


def _write_manifest(out: Path, files: dict[str, str], record: Mapping[str, Any]) -> None:
    manifest = {"format": "climatebn run", "climatebn": __version__, **record, "files": files}
    write_text(out / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False, default=str))


def _earlier_files(out: Path) -> dict[str, str]:
    """Files of an earlier run in ``out`` with their SHA-256; none when it is new or empty."""
    if not out.exists():
        return {}
    if not out.is_dir():
        raise ClimateBNError(f"{out} is a file; --out needs a folder")
    if not any(not path.name.startswith((PART, LOCK)) for path in out.iterdir()):
        return {}
    try:
        manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] == "climatebn run":
            files = {str(name): str(digest) for name, digest in manifest["files"].items()}
            return {name: digest for name, digest in files.items() if Path(name).name == name} | {MANIFEST: ""}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise ClimateBNError(f"{out} is not empty and not the folder of an earlier run; give a new or empty folder")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
