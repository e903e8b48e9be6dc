"""Writing a file whole or not at all.

What is written goes to a new file beside the target, under a name of its own that nobody else can have taken (also not
by a symbolic link); it is flushed to the disk and only then gets its name. An error leaves the earlier file as it was.
"""

import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

from climatebn.errors import ClimateBNError, short, unknown

PART = ".part-"  # names of temporary files and folders begin with this


@contextmanager
def whole_file(path: str | PathLike[str]) -> Iterator[Path]:
    """A new empty file to write to, with the ending of ``path``; it gets the name ``path`` when all went well."""
    target = as_path(path)
    if target.is_dir():
        raise ClimateBNError(f"{target} is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise ClimateBNError(f"there is no folder {target.parent} to write {target.name} in")
    temporary = target.with_name(f"{PART}{secrets.token_hex(8)}{target.suffix}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield temporary
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        os.replace(temporary, target)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def write_whole(path: str | PathLike[str], content: bytes) -> None:
    """Write bytes so that the file is there whole or not at all, whenever the process dies."""
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        file.write(content)


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write text as UTF-8."""
    write_whole(path, text.encode())


def write_csv(path: str | PathLike[str], table: Any, *, index: bool = False) -> None:
    """Write a DataFrame; its index only where asked."""
    write_text(path, table.to_csv(index=index))


def write_netcdf(path: str | PathLike[str], dataset: Any, **options: Any) -> None:
    """Write an xarray Dataset; what the NetCDF library says of a full disk becomes an OSError in words."""
    with whole_file(path) as temporary:
        try:
            dataset.to_netcdf(temporary, engine="netcdf4", **options)
        except (RuntimeError, OSError) as error:
            raise OSError(f"{path} cannot be written ({error}); is the disk full?") from None


def write_figure(path: str | PathLike[str], figure: Any, dpi: int = 160) -> None:
    """Write a matplotlib figure in the format that the ending names."""
    content = io.BytesIO()
    figure.savefig(content, format=figure_format(path, figure), dpi=dpi)
    write_whole(path, content.getvalue())


def figure_format(path: str | PathLike[str], figure: Any) -> str:
    """The format of a figure by the ending of its file; an unknown one is refused."""
    known = figure.canvas.get_supported_filetypes()
    ending = as_path(path).suffix.lower().lstrip(".")
    if ending not in known:
        raise unknown("ending of a figure", ending, known)
    return ending


def read_text(path: str | PathLike[str], what: str, encoding: str = "utf-8") -> str:
    """The text of a file; where there is none the error says ``what`` was expected, e.g. "BIF file"."""
    file = as_path(path)
    try:
        return file.read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        raise ClimateBNError(f"{file}, line 1: this is not text in UTF-8 (byte {error.start}), so no {what}") from None
    except (FileNotFoundError, NotADirectoryError):
        raise ClimateBNError(f"there is no {what} {file}") from None
    except IsADirectoryError:
        raise ClimateBNError(f"{file} is a folder, not a {what}") from None


def as_path(path: Any, name: str = "path") -> Path:
    """``path`` as a Path, or the error that says what came."""
    if not isinstance(path, str | PathLike) or not str(path) or "\0" in str(path):
        raise ClimateBNError(f"{name} must be the name of a file or folder; got {short(path)}")
    return Path(path)


def same_file(first: str | PathLike[str], second: str | PathLike[str]) -> bool:
    """Whether two names lead to one file or folder."""
    with suppress(OSError):
        return os.path.samefile(first, second)
    return False
