"""The oldest direct dependencies that pyproject.toml allows, as pip constraints: ``python tests/lowest.py > FILE``."""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\d.]+)")


def lowest() -> list[str]:
    """``name==version`` of every dependency of use and of test that has a lower bound."""
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *extras["dask"], *extras["test"]]
    return [f"{found['name']}=={found['version']}" for found in map(BOUND.fullmatch, asked) if found]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lowest()) + "\n")
