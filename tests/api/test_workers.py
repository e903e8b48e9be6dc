"""A function of the user's own script that mentions `cb` runs in other processes: joblib, Dask, multiprocessing."""

import pickle
import subprocess
import sys

import cloudpickle
import numpy as np
import pytest

SCRIPT = """
import numpy as np
import climatebn as cb


def arcs(seed):
    x = np.random.default_rng(seed).normal(size=(200, 3))
    x[:, 2] += x[:, 0]
    return cb.learn(x, "hill_climbing", cb.BIC(), progress=False).dag.arcs


def main(way):
    if way == "joblib":
        from joblib import Parallel, delayed

        return Parallel(n_jobs=2, backend="loky")(delayed(arcs)(seed) for seed in (1, 2))
    if way == "dask":
        import dask
        return list(dask.compute(*(dask.delayed(arcs)(seed) for seed in (1, 2)), scheduler="processes"))
    from multiprocessing import get_context

    with get_context("spawn").Pool(2) as pool:
        return pool.map(arcs, (1, 2))


if __name__ == "__main__":
    import sys

    assert main(sys.argv[1]) == [[("X1", "X3")]] * 2
"""


@pytest.mark.parametrize("way", ["joblib", "dask", "multiprocessing"])
def test_learning_in_other_processes(way, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    run = subprocess.run([sys.executable, "script.py", way], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_models_go_to_other_processes_also_after_they_have_answered():
    import climatebn as cb
    from climatebn.network.joint_normal import with_sample_variances

    data = cb.to_nodes(cb.anomalies(cb.load_ncep())).select(["X80", "X81", "X82"])
    network = cb.fit(cb.learn(data, "tabu", progress=False), data, scale="sd")
    ensemble = cb.ensemble(data, "tabu", cb.BIC(gamma=0.5), resamples=2, progress=False)
    for model in (network, with_sample_variances(network), cb.analysis.correlation_network(data, arcs=2), ensemble):
        before = model.condition({"X81": 2.0}).mean
        assert np.array_equal(pickle.loads(pickle.dumps(model)).condition({"X81": 2.0}).mean, before)


def test_the_package_and_its_rooms_can_be_pickled():
    import climatebn as cb

    for module in (cb, cb.analysis, cb.plot):
        assert cloudpickle.loads(cloudpickle.dumps(module)) is module
