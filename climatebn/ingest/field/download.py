"""Download the original NCEP/NCAR file from NOAA PSL: continued where it stopped, checked before it gets its name."""

import hashlib
import logging
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pooch
import requests

from climatebn.errors import ClimateBNError, ClimateBNWarning
from climatebn.ingest.field.months import month_numbers, name
from climatebn.ingest.field.open import open_field
from climatebn.progress import BYTES, Progress

NCEP_URL = "https://downloads.psl.noaa.gov/Datasets/ncep.reanalysis/Monthlies/surface/air.mon.mean.nc"
# Of the file as it was in November 2026. NOAA adds a month each month, so a later file has another one.
NCEP_SHA256 = "57ffdc5f0b57fde8abe28a838b252455307aa0c6de0846b8f3233fb44de57493"
_TIMEOUT = (15, 60)  # seconds to connect, and between two pieces
_PIECE = 2**14


def fetch_ncep(folder: str | Path = ".", *, url: str = NCEP_URL, progress: bool = True) -> Path:
    """Download ``air.mon.mean.nc`` (some 25 MB) into ``folder``; a file that is there already is only checked."""
    path = Path(folder).expanduser() / "air.mon.mean.nc"
    if path.exists():
        check_ncep(path)
        return path
    pooch.get_logger().setLevel(logging.WARNING)  # the original grows each month: its hash is no news

    def download(address: str, output_file: str, _: Any) -> None:
        partial = _complete_partial(address, path, progress)
        try:
            check_ncep(partial)
        except ClimateBNError:
            partial.unlink()
            raise
        partial.replace(output_file)

    try:
        pooch.retrieve(url, known_hash=None, fname=path.name, path=path.parent, downloader=download)
    except requests.RequestException as error:
        raise ClimateBNError(
            f"cannot download {url}: {str(error)[:150]}. What came is kept, and the same command goes on from there. "
            f"Offline: get that file on another machine, place it as {path.resolve()}, and run the command again"
        ) from error
    return path


def check_ncep(path: Path) -> None:
    """Refuse a file that is not the monthly 2.5° air temperature from 1948 to 2010 or later; say if it is another one.

    A file with the known SHA-256 is that file. Any other is checked for what it must hold, and a warning says so.
    """
    with path.open("rb") as content:
        if hashlib.file_digest(content, "sha256").hexdigest() == NCEP_SHA256:
            return
    field = open_field(path, variable="air")
    months = month_numbers(field["time"])
    wrong = [
        (field.shape[1:] != (73, 144), f"its grid is {field.shape[1]} × {field.shape[2]}, not 73 × 144"),
        (
            len(np.setdiff1d(np.arange(1948 * 12, 2011 * 12), months)) > 0,
            f"its months are {name(months[0])} … {name(months[-1])}, which must hold 1948-01 … 2010-12",
        ),
        (field.attrs.get("units") != "degC", f"its units are {field.attrs.get('units')!r}, not 'degC'"),
        (not np.isfinite(field.values).all(), "it has missing values"),
    ]
    found = [words for is_wrong, words in wrong if is_wrong]
    if found:
        raise ClimateBNError(
            f"{path} is not NOAA PSL's air.mon.mean.nc: {'; '.join(found)}. Remove it and fetch it from {NCEP_URL}"
        )
    warnings.warn(
        f"{path} is not the file whose SHA-256 is known here (NOAA adds months to it, {name(months[-1])} is the last): "
        "its grid, its months 1948-01 … 2010-12, its units and that nothing is missing were checked, not each byte",
        ClimateBNWarning,
        stacklevel=2,
    )


def _complete_partial(url: str, path: Path, progress: bool) -> Path:
    """All bytes of the file as the server has it now, in a partial file named after that version of it."""
    with requests.get(url, stream=True, timeout=_TIMEOUT) as answer:
        answer.raise_for_status()
        size = int(answer.headers.get("Content-Length", 0))
        version = f"{answer.headers.get('ETag')} {answer.headers.get('Last-Modified')} {size}"
        partial = path.with_name(f"{path.name}.{hashlib.sha256(version.encode()).hexdigest()[:8]}.part")
        if partial.is_symlink():  # whoever put it there wants the bytes elsewhere
            partial.unlink()
        have = partial.stat().st_size if partial.exists() else 0
        if not 0 < have <= size:
            _append(answer, partial, 0, size, progress)
    if 0 < have < size:
        with requests.get(url, stream=True, timeout=_TIMEOUT, headers={"Range": f"bytes={have}-"}) as answer:
            answer.raise_for_status()
            _append(
                answer, partial, have if answer.status_code == requests.codes.partial_content else 0, size, progress
            )
    if size and partial.stat().st_size != size:
        raise requests.exceptions.ContentDecodingError(f"{partial.stat().st_size} of {size} bytes")
    return partial


def _append(answer: requests.Response, partial: Path, start: int, size: int, progress: bool) -> None:
    with (
        partial.open("r+b" if start else "wb") as stream,
        Progress(partial.name.split(".part")[0], size or None, BYTES, enabled=progress) as bar,
    ):
        stream.seek(start)
        bar.update(start)
        for piece in answer.iter_content(_PIECE):
            stream.write(piece)
            bar.update(len(piece))
