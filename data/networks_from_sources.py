"""Makes data/networks/*.json.gz from the files of the bnlearn repository (BIF; for Gaussian networks their JSON).

    python data/networks_from_sources.py FOLDER_WITH_BIF_AND_JSON data/networks

`variance` in the Gaussian JSON is the residual variance (sd²). The head of climatebn/network/reference.py says what the
compact files hold; rows of BIF tables are scaled to sum to 1.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

from climatebn.network.bif import read_bif


def discrete(path: Path) -> dict[str, Any]:
    network = read_bif(path)
    tables = [table.ravel().tolist() for table in network.tables]
    return {"names": network.names, "levels": network.levels, "parents": network.dag.numbered_parents, "tables": tables}


def gaussian(path: Path) -> dict[str, Any]:
    record = json.loads(path.read_text(encoding="utf-8"))
    names, nodes = record["nodes"], record["cpds"]
    number = {name: i for i, name in enumerate(names)}
    arcs = [
        [number[p], number[name], nodes[name]["coefficients"][p][0]] for name in names for p in nodes[name]["parents"]
    ]
    intercepts = [nodes[name]["coefficients"]["(Intercept)"][0] for name in names]
    return {
        "names": names,
        "arcs": arcs,
        "intercepts": intercepts,
        "variances": [nodes[n]["variance"][0] for n in names],
    }


def main(source: Path, target: Path) -> None:
    for path in sorted([*source.glob("*.bif"), *source.glob("*.json")]):
        record = discrete(path) if path.suffix == ".bif" else gaussian(path)
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        (target / f"{path.stem}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
