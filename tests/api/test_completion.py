"""What the tab key shows in IPython and Jupyter, with and without jedi, before and after the first use."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, warnings
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
warnings.simplefilter("ignore")


def asked():
    found = {}
    for jedi in (True, False):
        shell.Completer.use_jedi = jedi
        for text in ("cb.", "cb.analysis.", "cb.plot.", "bn.", "result.", "data."):
            names = {one.text.lstrip(".") for one in shell.Completer.completions(text, len(text))}
            found[f"{text} {jedi}"] = sorted(names)
    return found


shell.run_cell("import climatebn as cb")
before = asked()
shell.run_cell(
    "import numpy as np\\n"
    "data = cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-10, 10), lon=slice(-150, -100)))\\n"
    "result = cb.learn(data, 'hill_climbing', progress=False)\\n"
    "bn = cb.fit(result, data)\\n"
    "cb.plot.field, cb.analysis.arc_lengths(bn)"
)
print(json.dumps([before, asked()]))
"""


@pytest.fixture(scope="module")
def completions():
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    before, after = json.loads(run.stdout.splitlines()[-1])
    return {"before": before, "after": after}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("jedi", [True, False])
def test_rooms_show_their_functions_and_no_modules(completions, when, jedi):
    import climatebn as cb

    for room, module in (("cb", cb), ("cb.analysis", cb.analysis), ("cb.plot", cb.plot)):
        assert completions[when][f"{room}. {jedi}"] == sorted(module.__all__)


@pytest.mark.parametrize("jedi", [True, False])
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("bn", {"condition", "covariance", "loglik", "sample", "save", "own_units", "learned"}),
        ("result", {"dag", "graph", "score", "stopped", "save", "trace"}),
        ("data", {"values", "names", "lat", "lon", "time", "nearest", "to_xarray"}),
    ],
)
def test_objects_show_what_they_can_do(completions, name, jedi, wanted):
    assert wanted <= set(completions["after"][f"{name}. {jedi}"])
