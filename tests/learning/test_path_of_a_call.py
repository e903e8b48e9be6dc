"""How many files a reader has to open to follow one call of hill climbing from its beginning to its end."""

import sys
from pathlib import Path

import climatebn as cb
from climatebn.learning.problem import Problem
from climatebn.learning.score.hill_climbing import hill_climbing

PACKAGE = Path(cb.__file__).parent


def entered(call):
    """The files of the package that a warm call enters, Python code and compiled kernels called from it."""
    call()
    files = set()

    def note(frame, event, argument):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            files.add(str(path.relative_to(PACKAGE)))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return files


def test_hill_climbing_enters_few_files():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep(), detrend="linear")).select([f"X{i}" for i in range(1, 31)])
    stats = cb.GaussianStats.of(data.values, data.names)
    search = entered(lambda: hill_climbing(Problem(stats, cb.BIC(gamma=1), None, cb.Knowledge())))
    assert {"learning/score/hill_climbing.py", "kernels/dag_search/climb.py"} <= search
    assert len(search) <= 12, sorted(search)
    whole = entered(lambda: cb.learn(data, "hill_climbing", cb.BIC(gamma=1), progress=False))
    assert search < whole | {"criterion/stats.py"}
    assert len(whole) <= 20, sorted(whole)
