"""Branch coverage of the last test run, by room and of the files that have least: ``python tests/covered.py``."""

import io
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from coverage import Coverage

SHOWN = 12  # files with the least coverage


def main() -> None:
    data = Coverage()
    data.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        sys.stdout, kept = io.StringIO(), sys.stdout
        try:
            data.json_report(outfile=str(path))
        finally:
            sys.stdout = kept
        report = json.loads(path.read_text(encoding="utf-8"))
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    files = []
    for name, one in report["files"].items():
        total = one["summary"]
        done = total["covered_lines"] + total["covered_branches"]
        every = total["num_statements"] + total["num_branches"]
        parts = Path(name).parts
        room = rooms[parts[1] if len(parts) > 2 else "(top)"]
        room[0] += done
        room[1] += every
        files.append((100 * done / every if every else 100.0, name))
    for room, (done, every) in sorted(rooms.items()):
        sys.stdout.write(f"{room:<14}{100 * done / max(every, 1):6.1f} %\n")
    sys.stdout.write(f"{'all':<14}{report['totals']['percent_covered']:6.1f} %  lines and branches\n\nleast:\n")
    for share, name in sorted(files)[:SHOWN]:
        sys.stdout.write(f"{share:6.1f} %  {name}\n")


if __name__ == "__main__":
    main()
