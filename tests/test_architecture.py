"""The architecture as a test: import direction, no print, no global seed, no stray paths."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "climatebn"
LAYERS = [
    "ingest",
    "criterion",
    "learning",
    "network",
    "analysis",
    "uncertainty",
    "forecast",
    "comparison",
    "plot",
    "pages",
    "study",
    "bench",
    "cli",
]
BELOW = {
    "arguments",
    "blas",
    "errors",
    "files",
    "html",
    "interrupts",
    "rng",
    "provenance",
    "progress",
    "jobs",
    "graph",
    "kernels",
    "__version__",
}
PLAIN = ("criterion", "learning", "graph", "kernels")  # know no xarray and no pandas
FILES = sorted(PACKAGE.rglob("*.py"))


def imports(path):
    """Every module that a file imports, at any depth of its code."""
    yield from imports_of(ast.parse(path.read_text()))


def imports_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            yield from _reached(tree, node)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            if node.module == "climatebn":
                yield from (f"climatebn.{alias.name}" for alias in node.names)


def _reached(tree, statement):
    """What ``import climatebn as cb`` is used for: cb.learn is the module that holds it."""
    names = {alias.asname or alias.name for alias in statement.names if alias.name == "climatebn"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            yield HOMES.get(node.attr, f"climatebn.{node.attr}")


def _homes():
    """The module of each public name, from the stub."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text())
    found = [node for node in ast.walk(stub) if isinstance(node, ast.ImportFrom)]
    return {a.name: f"climatebn.{node.module}" for node in found if node.module for a in node.names}


HOMES = _homes()


def layer(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_left(path):
    own = layer(path)
    if own in ("__init__", "__main__"):
        return
    for module in imports(path):
        parts = module.split(".")
        if parts[0] != "climatebn" or len(parts) == 1:
            assert not (own in PLAIN and parts[0] in ("xarray", "pandas")), f"{path} imports {module}"
            continue
        if parts[1] in BELOW:
            continue
        assert own not in BELOW, f"{path} imports {module}"
        assert LAYERS.index(parts[1]) <= LAYERS.index(own), f"{path} imports {module}"


def test_names_reached_through_the_package_count_as_imports():
    tree = ast.parse("def f():\n    import climatebn as cb\n    return cb.learn(cb.plot.field), cb.__version__")
    assert {"climatebn.learning.api", "climatebn.plot", "climatebn.__version__"} <= set(imports_of(tree))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_print_no_global_seed_no_pickle(path):
    source = path.read_text()
    calls = {ast.unparse(node.func) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)}
    assert not calls & {
        "np.random.seed",
        "numpy.random.seed",
        "random.seed",
        "plt.show",
        "pickle.load",
        "pickle.loads",
    }
    assert "print" not in calls or layer(path) == "cli"


def test_every_public_name_resolves():
    import climatebn as cb

    for name in cb.__all__:
        assert getattr(cb, name) is not None


def test_public_functions_are_not_hidden_by_sub_packages():
    code = (
        "import climatebn.learning.registry, climatebn.criterion.stats, climatebn as cb; "
        "assert callable(cb.learn) and callable(cb.criteria)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_loads_nothing_heavy():
    code = "import sys, climatebn; sys.exit(bool({'numba', 'xarray', 'matplotlib', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


WRITERS = {"to_netcdf", "to_zarr", "to_csv", "to_json", "to_excel", "savefig", "write_text", "write_bytes", "tofile"}
MAY_WRITE = {
    "files.py",  # the one place
    "ingest/field/download.py",  # a partial file that the next call goes on with
    "jobs/lock.py",
    "pages/parts.py",  # into memory
}


def written_directly(tree):
    """Calls that write a file without `climatebn.files`, by line."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if isinstance(call.func, ast.Attribute) and name in WRITERS:
            yield call.lineno, name
        modes = [*call.args[-1:], *(word.value for word in call.keywords if word.arg == "mode")]
        texts = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
        if name == "open" and any(len(text) <= 3 and set(text) & set("wax+") for text in texts):
            yield call.lineno, "open"


def test_files_are_written_whole_or_not_at_all():
    direct = {
        str(path.relative_to(PACKAGE)): list(written_directly(ast.parse(path.read_text())))
        for path in FILES
        if not path.name.endswith("_peer.py")  # into a temporary folder, in an environment without climatebn
    }
    assert {path: calls for path, calls in direct.items() if calls and path not in MAY_WRITE} == {}


def test_direct_writing_is_seen():
    seen = "a.to_csv(p)\nopen(p, 'wb')\np.open('w')\np.write_text(t)\n"
    code = f"{seen}open(p)\nopen(p, 'rb')\nwrite_text(p, t)\nopen('w.nc')"
    assert [line for line, _ in written_directly(ast.parse(code))] == [1, 2, 3, 4]


def unguarded_learning(tree):
    """Lines that call `learn` and go on with what an interrupt left of it."""
    guarded = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "uninterrupted"
    }
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.For)
        for target in ast.walk(node.target)
        if isinstance(target, ast.Name)
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in guarded):
        through = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "cb"
        name = call.func.attr if through else getattr(call.func, "id", "")
        if name == "learn" and (through or "learn" not in own):
            yield call.lineno


def test_only_the_learn_command_goes_on_with_a_network_that_ctrl_c_cut_short():
    found = {str(path.relative_to(PACKAGE)): list(unguarded_learning(ast.parse(path.read_text()))) for path in FILES}
    assert {path for path, lines in found.items() if lines} == {"cli/learn.py"}


def test_unguarded_learning_is_seen():
    code = "learn(d)\ncb.learn(d).dag\nlearn(d).uninterrupted()\nx = cb.learn(\n d).uninterrupted().dag"
    assert list(unguarded_learning(ast.parse(code))) == [1, 2]
