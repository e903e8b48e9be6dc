"""The map of the code in CONTRIBUTING.md is that of the tree: rooms, files and the order of layers."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
PAGE = (HERE / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP = PAGE.partition("## The map of the code")[2].partition("\n## ")[0]


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/*]+\.(?:py|css))`", MAP))))
def test_files_on_the_map_are_there(path):
    assert list((HERE / "climatebn").glob(path))


def test_every_room_and_every_file_below_is_on_the_map():
    rooms = {path.name for path in (HERE / "climatebn").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    below = {path.stem for path in (HERE / "climatebn").glob("*.py")} - {"__init__", "__main__"}
    told = set(re.findall(r"\*\*(\w+)/\*\*", MAP)) | set(re.findall(r"`(\w+)/?`", MAP))
    assert rooms | below <= told
    assert {"kernels", "blas"} <= rooms | below


def test_layers_stand_in_the_order_of_the_architecture_test():
    layers = re.search(r"^    (ingest → .*)$", MAP, flags=re.MULTILINE)[1].split(" → ")
    source = (HERE / "tests" / "test_architecture.py").read_text(encoding="utf-8")
    assert layers == re.findall(r'"(\w+)"', source.partition("LAYERS = [")[2].partition("]")[0])
