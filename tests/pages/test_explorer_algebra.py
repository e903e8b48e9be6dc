"""The algebra of the page alone, in the browser, beside numpy and scipy."""

import base64
import json

import numpy as np
import pytest
from scipy.special import ndtr

from climatebn.pages.explorer import packing
from climatebn.pages.explorer.document import ALGEBRA, FOLDER

PARTS = (*ALGEBRA, "words", "geometry")


@pytest.fixture
def algebra(tab):
    tab.run("\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in PARTS) + ";0")
    return tab


def test_normal_distribution(algebra):
    x = np.concatenate([np.linspace(-10, 10, 4001), [-1e300, 1e300, 8.999999, -8.9999999]])
    found = algebra.run(f"{x.tolist()}.map(normalBelow)")
    np.testing.assert_allclose(found, ndtr(x), rtol=0, atol=2e-15)


@pytest.mark.parametrize("kind", ["empty", "noise", "text", "zeros", "fixed", "mixed"])
def test_deflate_undone(algebra, kind):
    noise = np.random.default_rng(1).bytes(90_000)
    assert not set(packing.text(noise)) & set('<"\\\n')
    words = " ".join(f"{k} is a number, {k * k} its square" for k in range(4000)).encode()
    content = {
        "empty": b"", "noise": noise, "text": words, "zeros": bytes(70_000), "fixed": b"abcabcabcabd",
        "mixed": noise + words,
    }[kind]  # fmt: skip
    found = algebra.run(
        f"btoa(Array.from(bytesOf({json.dumps(packing.text(content))}), b => String.fromCharCode(b)).join(''))"
    )
    assert base64.b64decode(found) == content


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6, 8])
def test_packed_numbers(algebra, width):
    values = np.random.default_rng(1).normal(size=50) if width == 8 else np.linspace(-3, 5, 50)
    found = np.array(algebra.run(f"[...unpackNumbers({json.dumps(packing.numbers(values, width))})]"))
    step = 0.0 if width == 8 else 5 / (2 ** (8 * width - 1) - 1)
    np.testing.assert_allclose(found, values, rtol=0, atol=0.5000001 * step)


@pytest.mark.parametrize("largest", [0, 1, 127, 128, 32767, 32768, 2**40])
def test_packed_steps(algebra, largest):
    values = np.array([-largest, -1.0, 0.0, 1.0, largest]) * 0.25
    packed = packing.numbers(values, step=0.25)
    assert packed["width"] == max(1, len(np.binary_repr(largest)) // 8 + 1)
    assert algebra.run(f"[...unpackNumbers({json.dumps(packed)})]") == values.tolist()


def test_packed_arcs(algebra):
    pairs = sorted({(0, 3), (2, 3), (700, 3), (1, 5), (899, 0), (3, 899)}, key=lambda arc: (arc[1], arc[0]))
    parent, child = np.array(pairs).T
    script = f"(() => {{ const {{start, parent}} = unpackArcs(900, {json.dumps(packing.arcs(900, parent, child))});"
    script += "return edgesOf({start, parent}, parent, parent).map(e => [e.a, e.b]) })()"
    assert [tuple(pair) for pair in algebra.run(script)] == pairs
    assert algebra.run(f"unpackArcs(3, {json.dumps(packing.arcs(3, parent[:0], child[:0]))}).parent.length") == 0


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_eigenvectors(algebra, size):
    root = np.random.default_rng(size).normal(size=(size, size))
    matrix = root @ root.T
    found = algebra.run(f"eigen({matrix.tolist()})")
    values, vectors = np.array(found["values"]), np.array(found["vectors"])
    np.testing.assert_allclose(np.sort(values), np.linalg.eigvalsh(matrix), atol=1e-11)
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-11)


def test_product_with_a_covariance(algebra):
    rng = np.random.default_rng(4)
    size = 30
    order = rng.permutation(size)  # a topological order that is not that of the columns
    coefficients = np.zeros((size, size))
    for at in range(1, size):
        for parent in rng.choice(at, min(at, 3), replace=False):
            coefficients[order[parent], order[at]] = rng.normal()
    child, parent = np.nonzero(coefficients.T)
    residual = rng.uniform(0.1, 2, size)
    weights = coefficients[parent, child]
    script = f"[...new Factor(unpackArcs({size}, {json.dumps(packing.arcs(size, parent, child))}), {weights.tolist()}, "
    column = rng.normal(size=size)
    found = algebra.run(f"{script}{residual.tolist()}).product(Float64Array.from({column.tolist()}))]")
    inverse = np.linalg.inv(np.eye(size) - coefficients.T)
    np.testing.assert_allclose(found, inverse @ np.diag(residual) @ inverse.T @ column, rtol=1e-12, atol=1e-10)


def test_great_circles(algebra):
    points = np.array(algebra.run("greatCircle(170, 0, -170, 0)"))
    assert np.abs(points[:, 1]).max() < 1e-9
    assert algebra.run("distance(0, 0, 180, 0)") == pytest.approx(np.pi * 6371)
    assert algebra.run("distance(0, 0, 0, 90)") == pytest.approx(np.pi * 6371 / 2)
