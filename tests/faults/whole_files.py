"""Whether a file that a disturbed command left is whole: the earlier one or the new one, never a part or a mixture.

Two undisturbed runs tell what a command writes. Where they agree to the byte, so must the file; where they differ
(seconds of learning, dates in a history) everything else in it must be that of an undisturbed run.
"""

import json
from pathlib import Path

import xarray as xr

ENDS = {".png": b"IEND\xaeB`\x82", ".html": b"</html>", ".pdf": b"%%EOF"}


def neither(folder: Path, earlier: dict[str, bytes], first: Path, second: Path) -> list[str]:
    """Files of ``folder`` that are neither the earlier nor the new one, and earlier ones that are gone.

    Parameters
    ----------
    folder : what a disturbed command left.
    earlier : what was there before, by name.
    first, second : folders of two undisturbed runs.
    """
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    found = {name: path for name, path in found.items() if not any(part.startswith(".") for part in Path(name).parts)}
    wrong = [f"{name} is gone" for name in earlier if name not in found and (first / name).exists()]
    for name, path in found.items():
        if path.read_bytes() == earlier.get(name):
            continue
        if not (first / name).exists():
            wrong.append(f"{name} is no file of this command")
        elif not is_new(path, first / name, second / name):
            wrong.append(f"{name} is neither the earlier nor the new file")
    return wrong


def is_new(path: Path, first: Path, second: Path) -> bool:
    """Whether a file is what undisturbed runs write."""
    content, one, other = (each.read_bytes() for each in (path, first, second))
    if content in (one, other):
        return True
    if one == other:
        return False
    try:
        if path.suffix == ".nc":
            return _same_network_file(path, first, second)
        if path.suffix == ".json":
            return _shape(json.loads(content)) == _shape(json.loads(one))
    except Exception:  # whatever a half-written file makes of it
        return False
    return content.rstrip().endswith(ENDS[path.suffix]) if path.suffix in ENDS else False


def _same_network_file(path: Path, first: Path, second: Path) -> bool:
    with xr.open_dataset(path) as found, xr.open_dataset(first) as one, xr.open_dataset(second) as other:
        steady = [name for name in one.attrs if one.attrs[name] == other.attrs.get(name)]
        same = all(str(found.attrs.get(name)) == str(one.attrs[name]) for name in steady)
        return found.equals(one) and set(found.attrs) == set(one.attrs) and same


def _shape(record: object) -> object:
    """The keys of a record, at any depth."""
    if isinstance(record, dict):
        return {key: _shape(value) for key, value in record.items()}
    return None
