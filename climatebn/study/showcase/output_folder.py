"""A folder of results that is replaced as a whole: files are made aside and moved in when all of them are there."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from climatebn import __version__
from climatebn.errors import ClimateBNError

MANIFEST = "run.json"


@contextmanager
def output_folder(out: Path) -> Iterator[Path]:
    """A folder to write into; at the end its files replace the earlier run in ``out``. An error leaves ``out`` alone.

    ``out`` may be new, empty, or made by an earlier run, whose files are replaced and whose other files stay.
    """
    earlier = _earlier_files(out)
    existed = out.exists()
    out.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".part-", dir=out))
    try:
        yield staging
        made = [*sorted(path.name for path in staging.iterdir()), MANIFEST]
        foreign = [name for name in made if name not in earlier and (out / name).exists()]
        if foreign:
            raise ClimateBNError(
                f"{out} holds files of that name that no run made: {', '.join(foreign)}; move them away"
            )
        manifest = {"format": "climatebn run", "climatebn": __version__, "files": made}
        (staging / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        for name in made:
            os.replace(staging / name, out / name)
        for name in set(earlier) - set(made):
            (out / name).unlink(missing_ok=True)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if not existed and not any(out.iterdir()):
            out.rmdir()


def _earlier_files(out: Path) -> list[str]:
    """Files of an earlier run in ``out``; none when it is new or empty."""
    if not out.exists():
        return []
    if not out.is_dir():
        raise ClimateBNError(f"{out} is a file; --out needs a folder")
    if not any(not path.name.startswith(".part-") for path in out.iterdir()):
        return []
    try:
        manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] == "climatebn run":
            return [name for name in map(str, manifest["files"]) if Path(name).name == name]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise ClimateBNError(f"{out} is not empty and not the folder of an earlier run; give a new or empty folder")
