"""Store outputs: ``python notebooks/refresh.py [NOTEBOOK …]``; by default, of those that changed.

The metadata of each keeps a hash of its code cells, so that a test can tell whether its outputs belong to its code.
"""

import base64
import hashlib
import io
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

HERE = Path(__file__).parent


def code_hash(notebook: nbformat.NotebookNode) -> str:
    """SHA-256 of all code cells."""
    code = "\0".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return hashlib.sha256(code.encode()).hexdigest()


def is_fresh(notebook: nbformat.NotebookNode) -> bool:
    """Whether every code cell was run, and its code has not changed since."""
    ran = all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    return bool(ran) and notebook.metadata.get("climatebn", {}).get("code_sha256") == code_hash(notebook)


def smaller(png: str) -> str:
    """A figure in 96 colours: a third of its size, and the same to the eye."""
    file = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB").quantize(96).save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def refresh(path: Path) -> None:
    """Run one notebook and write it with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
        outputs = [output for output in cell.get("outputs", []) if output.get("name") != "stderr"]  # paths of a machine
        if cell.cell_type == "code":
            cell.outputs = outputs
        for output in outputs:
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = smaller(output.data["image/png"])
    notebook.metadata = {
        "kernelspec": notebook.metadata.kernelspec,
        "language_info": {"name": "python"},
        "climatebn": {"code_sha256": code_hash(notebook)},
    }
    nbformat.write(notebook, path)


if __name__ == "__main__":
    os.environ["CLIMATEBN_QUIET"] = "1"  # no progress bars among the outputs
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(HERE.glob("*.ipynb")):
        if sys.argv[1:] or not is_fresh(nbformat.read(path, as_version=4)):
            refresh(path)
