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
BELOW = {"blas", "errors", "files", "html", "rng", "provenance", "progress", "jobs", "graph", "kernels", "__version__"}
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
    if own == "__init__":
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
