r"""By how much two records differ beyond what chance gives: the debiased distance Δ and its standard error.

Networks learned from finite records of one and the same climate lie apart. With halves A₁, A₂ and B₁, B₂ of equal
length, each prepared anew, that floor is in the distances across and within alike:

    Δ(A, B) = mean_ij D(A_i, B_j) − ½ [D(A₁, A₂) + D(B₁, B₂)],        0 on average for records of one climate

Its standard error. Near each other D is a squared distance |x − y|² of estimates a_i = a + e_i, so that

    Δ(A, B) = a₁·a₂ + b₁·b₂ − ½ (a₁ + a₂)·(b₁ + b₂),
    var Δ(A, B) = 2 (a − b)ᵀ(Σ_A + Σ_B)(a − b) + s_A + s_B + tr Σ_A Σ_B,        Σ = cov e,  s = tr Σ²

(and for an order, Δ(R, A) − Δ(R, B), in the same way: 2 [(a − r)ᵀΣ_A(a − r) + (b − r)ᵀΣ_B(b − r) + (a − b)ᵀΣ_R(a − b)]
+ s_A + s_B + tr Σ_R (Σ_A + Σ_B)). Whole years of each half are drawn with replacement, prepared and learned from again:
networks x* = x + f. Their distances from the halves, x* from p less x* from q, are linear in f, so that

    (p − q)ᵀΣ_X(p − q) = cov over resamples of ½ [D(x*, p₁) − D(x*, q₁)] and ½ [D(x*, p₂) − D(x*, q₂)]

has no bias from the errors of p and q: those of first and second halves are independent. (A variance over resamples
of Δ itself has: its expectation is that of Δ with three times the terms in s.) tr Σ_A Σ_B is at most √(s_A s_B), which
is taken. With differences f, g of two resamples of the first and of the second half, s = ¼ mean (f·g)², which are
distances again: 2 f·g = D(x, y') + D(x', y) − D(x, y) − D(x', y'). Of one half alone, tr Σ² would be too large: a
covariance that rests on 18 years has few directions of its own, and repeated rows bring arcs of chance, which differ
from half to half.

On known truth, networks of 58 nodes, 16 resamples, independent rows; share of intervals that hold Δ:

    rows   records of     Δ       sd     se      90 %   2 se
    432    one network    .010   .041   .040    .87    .95
    432    one network    .001   .041   .038    .87    .95
    864    one network   −.004   .023   .022    .90    .94
    432    two networks   1.52   .095   .098    .91    .95
    432    two networks   .91    .070   .066    .85    .93
    864    two networks   1.80   .082   .073    .86    .95

Four windows of 36 years in each of twenty model runs, 120 pairs: .021 ± .083, mean standard error .067; 90 % intervals
hold 0 in 89 %, 2 se in 94 %.

What remains: D is a squared distance only near 0; the order of two records of one network is called resolved in 13 to
19 % of such pairs, not 10; years of an 18-year half are few.

Records of the same weather (``paired``) share their errors. Their standard error is the deviation of Δ over resamples
that draw the same years in both, with nothing taken off: too large rather than too small.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from climatebn.comparison.half_networks import HalfNetworks
from climatebn.comparison.pairs import Normals, distances
from climatebn.progress import Progress

BEFORE = 3  # a resample is compared with so many before it
LEAST = 4  # resamples for a standard error


@dataclass(frozen=True)
class Excess:
    """Δ of every two models and what its standard error is made of.

    Attributes
    ----------
    delta : model × model.
    along : (p − q)ᵀΣ_X(p − q) for every X, p, q.
    noise : s of each model.
    resampled : Δ of each resample (resample × model × model) of records that are paired; else None.
    """

    delta: np.ndarray
    along: np.ndarray
    noise: np.ndarray
    resampled: np.ndarray | None

    def errors(self) -> np.ndarray:
        """Standard error of Δ of every two models; NaN where resamples are too few."""
        if self.resampled is not None:
            return _deviation(self.resampled)
        own = np.einsum("aab->ab", self.along)
        root = np.sqrt(self.noise)
        noise = self.noise[:, None] + self.noise[None, :] + np.outer(root, root)
        return _error(2 * (own + own.T), noise)

    def order_errors(self, reference: int) -> np.ndarray:
        """Standard error of Δ(R, A) − Δ(R, B) for every two models A, B."""
        if self.resampled is not None:
            from_reference = self.resampled[:, reference]
            return _deviation(from_reference[:, :, None] - from_reference[:, None, :])
        own = np.einsum("aab->ab", self.along)[:, reference]
        root = np.sqrt(self.noise)
        noise = self.noise[:, None] + self.noise[None, :] + root[reference] * (root[:, None] + root[None, :])
        return _error(2 * (own[:, None] + own[None, :] + self.along[reference]), noise)


def excess(
    models: Sequence[str], networks: HalfNetworks, size: int, resamples: int, paired: bool, progress: bool
) -> Excess:
    """Δ of every two models from the networks of their halves and of the resamples."""
    count = len(models)
    found = []
    with Progress("distances", resamples + 1, "resample", enabled=progress) as bar:
        for one in _by_number(models, networks, size, resamples, paired):
            found.append(one)
            bar.update()
    square = found[0][0]
    moved = np.array([one for one, _ in found[1:]]).reshape(-1, count, 2, count, 2)
    between = np.array([one for _, one in found[1:]]).reshape(-1, 2 * count, BEFORE + 1)
    if paired:
        resampled = np.array([delta(one, paired) for one, _ in found[1:]]).reshape(-1, count, count)
        return Excess(delta(square, paired), np.zeros((count,) * 3), np.zeros(count), resampled)
    along = np.array([along_differences(moved[:, model]) for model in range(count)])
    return Excess(delta(square), along, noise(between), None)


def _by_number(
    models: Sequence[str], networks: HalfNetworks, size: int, resamples: int, paired: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """First the distances of all halves; then for each resample its distances from the halves, and from
    the other half of itself and of those before.

    Of ``paired`` records the distances of a resample are those from the same resample of the others.
    """
    count = 2 * len(models)
    upper = np.array([(i, j) for i in range(count) for j in range(i + 1, count)])
    every = np.array([(i, j) for i in range(count) for j in range(count)])
    other = np.column_stack([np.arange(count), np.arange(count) ^ 1])  # a half and the other of its model

    def normals_of(number: int) -> Normals:
        return Normals.of([networks.network(model, half, number) for model in models for half in (0, 1)], size)

    def square_of(normals: Normals) -> np.ndarray:
        square = np.zeros((count, count))
        square[tuple(upper.T)] = distances(normals, normals, upper)
        return square + square.T

    halves = normals_of(0)
    yield square_of(halves), np.zeros((count, 0))
    last: list[Normals] = []
    for number in range(1, resamples + 1):
        last = [normals_of(number), *last][: BEFORE + 1]
        between = np.full((count, BEFORE + 1), np.nan)
        for step, earlier in enumerate(last):
            between[:, step] = distances(last[0], earlier, other)
        yield square_of(last[0]) if paired else distances(last[0], halves, every).reshape(count, count), between


def delta(square: np.ndarray, paired: bool = False) -> np.ndarray:
    """Δ of every two models from the distances of all halves (rows and columns: model 0 half 0, model 0 half 1, …).

    ``paired`` leaves out the distances of halves of the same months, which share their weather.
    """
    count = len(square) // 2
    blocks = square.reshape(count, 2, count, 2).transpose(0, 2, 1, 3)
    across = (blocks[:, :, 0, 1] + blocks[:, :, 1, 0]) / 2 if paired else blocks.mean(axis=(2, 3))
    within = blocks[np.arange(count), np.arange(count), 0, 1]
    found: np.ndarray = across - (within[:, None] + within[None, :]) / 2
    np.fill_diagonal(found, 0.0)
    return found


def along_differences(moved: np.ndarray) -> np.ndarray:
    """(p − q)ᵀΣ(p − q) for every p, q.

    ``moved`` : distances of resamples from halves: resample × half that it is of × model × half of the model.
    """
    found = []
    for own in (0, 1):
        first, second = moved[:, own, :, 0], moved[:, own, :, 1]
        for one, other in ((first, second), (second, first)):  # of q always the halves in their order
            u = (one[:, :, None] - first[:, None, :]) / 2
            v = (other[:, :, None] - second[:, None, :]) / 2
            found.append(_covariance(u, v))
    mean: np.ndarray = np.mean(found, axis=0)
    return mean


def noise(between: np.ndarray) -> np.ndarray:
    """s of each model; NaN for fewer than four resamples.

    ``between`` : resample × half × its distances from the other half of the same resample, of the last, …
    """
    across = between.reshape(len(between), between.shape[1] // 2, 2, BEFORE + 1)
    if len(between) < LEAST:
        return np.full(across.shape[1], np.nan)
    found = []
    for step in range(1, BEFORE + 1):
        swapped = across[step:, :, :, step].sum(axis=2)  # first half of one resample, second half of the other
        found.append((swapped - across[step:, :, 0, 0] - across[:-step, :, 0, 0]) / 2)
    own: np.ndarray = np.nanmean(np.square(np.concatenate(found)), axis=0) / 4
    return own


def _covariance(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Covariance along the first axis, without rows where one of them is not known; NaN for fewer than two."""
    there = np.isfinite(u) & np.isfinite(v)
    count = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        u, v = (np.where(there, one - np.where(there, one, 0.0).sum(axis=0) / count, 0.0) for one in (u, v))
        found: np.ndarray = np.where(count > 1, (u * v).sum(axis=0) / (count - 1), np.nan)
    return found


def _error(linear: np.ndarray, noise: np.ndarray) -> np.ndarray:
    error: np.ndarray = np.sqrt(np.maximum(linear, 0.0) + noise)
    np.fill_diagonal(error, 0.0)
    return error


def _deviation(resampled: np.ndarray) -> np.ndarray:
    if len(resampled) < 2:
        return np.full(resampled.shape[1:], np.nan)
    error: np.ndarray = np.nanstd(resampled, axis=0, ddof=1)
    np.fill_diagonal(error, 0.0)
    return error
