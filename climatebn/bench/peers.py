"""Other packages run as scripts in an environment of their own, with limited CPU time; never dependencies of ours."""

import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from climatebn.errors import ClimateBNError


def make_environment(folder: Path, packages: tuple[str, ...]) -> None:
    """A virtual environment with these packages, from the package index."""
    if not _python(folder).exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    if subprocess.run([str(_python(folder)), "-m", "pip", "install", "--quiet", *packages], check=False).returncode:
        raise ClimateBNError(
            f"could not install {' and '.join(packages)} into {folder}; is the package index reachable?"
        )


def run_peer(
    environment: Path, script: str, peer: str, values: np.ndarray, max_seconds: int, *more: str
) -> Mapping[str, np.ndarray] | None:
    """What ``script PEER MATRIX.npy RESULT.npz MORE…`` writes; None if it needs more CPU time than ``max_seconds``."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (max_seconds, max_seconds + 1))

    with TemporaryDirectory() as folder:
        source, target = Path(folder, "values.npy"), Path(folder, "found.npz")
        np.save(source, values)
        command = [_python(environment), script, peer, source, target, *more]
        ended = subprocess.run(list(map(str, command)), preexec_fn=limit, capture_output=True, text=True, check=False)
        if target.exists():
            with np.load(target) as found:
                return dict(found)
    if ended.returncode < 0:  # ended by the limit
        return None
    raise ClimateBNError(f"{peer} in {environment} failed: {(ended.stderr.strip() or 'no message')[-300:]}")


def _python(environment: Path) -> Path:
    return environment / "bin" / "python"
