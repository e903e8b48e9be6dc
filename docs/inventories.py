"""Inventories for links to other packages, written from the few names that these pages use: no network is needed."""

import zlib
from pathlib import Path

SITES = {
    "xarray": "https://docs.xarray.dev/en/stable/",
    "pandas": "https://pandas.pydata.org/docs/",
    "numpy": "https://numpy.org/doc/stable/",
    "python": "https://docs.python.org/3/",
}
NAMES = {
    "xarray": {"xarray.DataArray": "class", "xarray.Dataset": "class", "xarray.open_dataset": "function"},
    "pandas": {"pandas.DataFrame": "class", "pandas.Series": "class"},
    "numpy": {"numpy.ndarray": "class"},
    "python": {"concurrent.futures.Executor": "class"},
}
PLACES = {
    "xarray": "generated/$.html#$",
    "pandas": "reference/api/$.html#$",
    "numpy": "reference/generated/$.html#$",
    "python": "library/concurrent.futures.html#$",
}


def write_inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """One ``objects.inv`` a package, and the mapping that Sphinx wants."""
    folder.mkdir(parents=True, exist_ok=True)
    mapping = {}
    for package, site in SITES.items():
        head = (
            f"# Sphinx inventory version 2\n# Project: {package}\n# Version: \n# The rest is compressed using zlib.\n"
        )
        lines = "".join(f"{name} py:{kind} 1 {PLACES[package]} -\n" for name, kind in NAMES[package].items())
        lines = "".join(line.replace("$", line.split()[0]) for line in lines.splitlines(keepends=True))
        path = folder / f"{package}.inv"
        path.write_bytes(head.encode() + zlib.compress(lines.encode()))
        mapping[package] = (site, str(path))
    return mapping
