"""Nothing is compiled inside the time of a cell: whatever its γ, the kernels that it calls were called before."""

import subprocess
import sys

SCRIPT = """
import gc
import warnings
import climatebn as cb
from climatebn.study.warm_up import compile_kernels
from numba.core.dispatcher import Dispatcher

warnings.simplefilter("ignore")
data = cb.to_nodes(cb.anomalies(cb.load_ncep())).select([f"X{i}" for i in range(1, 61)])


def compiled():
    kernels = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__qualname__, str(form)) for one in kernels for form in one.signatures}


for algorithm, gamma in (("pc_stable", 50.0), ("h2pc", 20.0), ("tabu", 10.0), ("pc_stable", 0.2)):
    compile_kernels(algorithm, cb.BIC(gamma=gamma), "gaussian")
    before = compiled()
    for order in (None, 2):
        cb.learn(data, algorithm, cb.BIC(gamma=gamma), order=order, progress=False)
    late = compiled() - before
    assert before and not late, (algorithm, gamma, sorted(name for name, _ in late))
"""


def test_cells_compile_nothing():
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
