"""The notebooks are stored with the outputs of their own code, and stay small."""

import runpy
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_fresh_and_small(path):
    notebook = nbformat.read(path, as_version=4)
    assert runpy.run_path(str(FOLDER / "refresh.py"))["is_fresh"](notebook), "run: python notebooks/refresh.py"
    assert path.stat().st_size < 0.8e6
    assert not [
        output for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "error"
    ]


def test_changed_code_is_noticed():
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    next(cell for cell in notebook.cells if cell.cell_type == "code").source += "\n1 + 1"
    assert not runpy.run_path(str(FOLDER / "refresh.py"))["is_fresh"](notebook)
