"""Types as a user's mypy sees them: right calls pass, and each wrong one is reported on its own line."""

import re
import subprocess
import sys

RIGHT = """
import numpy as np
import climatebn as cb

field = cb.regrid(cb.load_ncep(), cb.Grid.regular(10), method="mean")
data: cb.NodeData = cb.to_nodes(cb.anomalies(field, base=("1981", "2010")))
result: cb.LearnResult = cb.learn(data, algorithm="tabu", criterion=cb.BIC(gamma=0.5), seed=1, max_iter=100)
cb.learn(data, "pc_stable", "BIC")
cb.learn(np.zeros((9, 2)), "hill_climbing", cb.BGe)
if result.stopped == "time" or result.dag is None:
    raise SystemExit
names: tuple[str, ...] = result.dag.parents("X81")
bn: cb.GaussianBN = cb.fit(result, data, scale="sd")
same: cb.GaussianBN = cb.fit(result.dag, data)
discrete: cb.DiscreteBN = cb.fit(result, cb.DiscreteStats(np.zeros((9, 1), int), [1]))
post = cb.propagate(bn, {"X81": 2.0}, threshold=1.0)
cb.propagate(cb.load_network("n.nc"), {"X81": 2.0})
warm: float = float(post.difference.max())
table = cb.teleconnections(bn, min_km=5000)
longest: float = table["km"].max()
options: dict[str, str] = cb.algorithms("tabu")
"""

WRONG = {
    "cb.BIC(gamm=1)": 'Unexpected keyword argument "gamm"',
    'cb.BIC(gamma="1")': 'incompatible type "str"; expected "float"',
    'cb.BIC(variance="mle")': "incompatible type",
    'cb.learn(1.5, "tabu")': "incompatible type",
    'cb.learn(data, "tabu", cb.BIC(), seed="1")': "incompatible type",
    'cb.learn(data, "tabu", cb.BIC(), 7)': "Too many positional arguments",
    'cb.learn(data, "tabu", 0.5)': "incompatible type",
    'cb.fit([("X1", "X2")], data)': "No overload variant",
    'cb.fit(result, data, scale="std")': "No overload variant",
    "result.arcs": 'has no attribute "arcs"',
    "bn.covarience()": 'has no attribute "covarience"',
    "data.parents": 'has no attribute "parents"',
    'cb.Dag.from_arcs("ab").parents(0)': "incompatible type",
    'cb.to_nodes("air.nc")': "incompatible type",
    'cb.mask(field, "sea")': "incompatible type",
}


def test_right_calls_pass_and_wrong_ones_fail(tmp_path):
    source = RIGHT.lstrip().splitlines() + list(WRONG)
    (tmp_path / "user.py").write_text("\n".join(source) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=", "user.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = {}
    for line in run.stdout.splitlines():
        number, words = re.match(r"user\.py:(\d+): error: (.*)", line).groups() if ": error:" in line else (0, line)
        found.setdefault(int(number), []).append(words)
    found.pop(0, None)
    first = len(source) - len(WRONG)
    assert {source[number - 1]: words for number, words in found.items() if number <= first} == {}
    for number, (call, words) in enumerate(WRONG.items(), first + 1):
        assert any(words in one for one in found.get(number, [])), (call, found.get(number))
