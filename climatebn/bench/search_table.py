"""The rows of `bench search` as a file that runs add to, and what they say about reaching other packages.

The file holds the rows of all data and programs measured so far; measuring one again replaces its row.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from climatebn.bench.search import Row, program_names
from climatebn.bench.search_data import NAMES
from climatebn.files import write_whole

NEAR = 1e-3  # of a score: another program within it reaches it
ROUNDING = 1e-9  # of a score: equal


class Verdict(NamedTuple):
    """One data set: the highest of the others, our fastest program that is as high, and the fastest other near it.

    ``own`` is None where no program of ours is as high, ``nearest`` and both ratios where no other one that ended is
    near. ``ratio``: how many times as long ``nearest`` takes as ``own``; ``alike``: as ``quickest``, the fastest of
    ours that are as near as that, so that both are held to the same score.
    """

    data: str
    nodes: int
    gamma: float
    highest: Row
    own: Row | None
    nearest: Row | None = None
    ratio: float | None = None
    quickest: Row | None = None
    alike: float | None = None


def read(path: Path) -> list[Row]:
    """The rows of a file; none where there is none."""
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def merged(before: Sequence[Row], now: Sequence[Row]) -> list[Row]:
    """Earlier rows and those of now, which replace earlier ones of the same data and program, in the order of both."""
    rows = {(row.data, row.gamma, row.program): row for row in (*before, *now)}.values()
    programs = program_names()
    return sorted(rows, key=lambda row: (NAMES.index(row.data), row.gamma, programs.index(row.program)))


def write(path: Path, rows: Sequence[Row]) -> None:
    """All rows as JSON, one a line."""
    lines = ",\n".join(json.dumps(row._asdict()) for row in rows)
    write_whole(path, f"[\n{lines}\n]\n".encode())


def verdicts(rows: Sequence[Row]) -> Iterator[Verdict]:
    """What each data set says, where one of ours and another program ended."""
    for data, nodes, gamma in dict.fromkeys((row.data, row.nodes, row.gamma) for row in rows):
        here = [row for row in rows if (row.data, row.gamma) == (data, gamma) and row.score is not None]
        ours = [row for row in here if row.program.startswith("climatebn")]
        others = [row for row in here if row not in ours]
        if not others or not ours:
            continue
        highest = max(others, key=_score)
        high = [row for row in ours if _score(row) >= _score(highest) - ROUNDING * abs(_score(highest))]
        if not high:
            yield Verdict(data, nodes, gamma, highest, None)
            continue
        own = min(high, key=lambda row: row.seconds)
        near = [row for row in here if _score(row) >= _score(own) - NEAR * abs(_score(own))]
        nearest, quickest = (
            min((row for row in near if row in side), key=lambda row: row.seconds, default=None)
            for side in (others, ours)
        )
        if nearest is None or quickest is None:
            yield Verdict(data, nodes, gamma, highest, own)
            continue
        ratios = nearest.seconds / own.seconds, nearest.seconds / quickest.seconds
        yield Verdict(data, nodes, gamma, highest, own, nearest, ratios[0], quickest, ratios[1])


def _score(row: Row) -> float:
    assert row.score is not None
    return row.score
