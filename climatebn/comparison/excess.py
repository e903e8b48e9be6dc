r"""By how much two records differ beyond what chance gives: the debiased distance Δ and its standard error.

Networks learned from finite records of one and the same climate lie apart. With halves A₁, A₂ and B₁, B₂ of equal
length, each prepared anew, that floor is in the distances across and within alike:

    Δ(A, B) = mean_ij D(A_i, B_j) − ½ [D(A₁, A₂) + D(B₁, B₂)],        0 on average for records of one climate

Its standard error comes from resamples: whole years of each half are drawn with replacement, prepared and learned from
again. Near each other D is a squared distance of estimates, so Δ is a quadratic form in their errors, and a resample
has the errors of the record and its own on top: the variance of Δ over resamples is too large. How large the part of
errors alone is, is measured apart: Δ among four resamples of one half has nothing else in it; a third of its mean
square is s,

    Q(A, B) = s_A + s_B + √(s_A s_B)                            for Δ(A, B)
    Q(A, B) = s_A + s_B + √s_R (√s_A + √s_B)                    for the order of A and B, Δ(R, A) − Δ(R, B)
    se² = Var* − ½ min(Q, Var*)

Half of it is what simulations ask for. Two networks of 58 nodes (of observations and of a model), 432 independent rows,
20 resamples: Δ between records of one network 0.002 ± 0.038 with a standard error of 0.043, between records of the two
0.92 ± 0.068 with 0.065. Four windows of 36 years in each of twelve model runs: 0.017 ± 0.055, with 0.07 in the run
looked at (the years of an 18-year half are few, and standard errors from them large rather than small).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from climatebn.comparison.half_networks import HalfNetworks
from climatebn.comparison.pairs import Normals, distances
from climatebn.progress import Progress

WITHIN = 3  # a resample is compared with so many before it: four in a row know the errors alone


@dataclass(frozen=True)
class Excess:
    """Δ of every two models: of the halves, and of each resample (resample × model × model); ``noise`` is s."""

    delta: np.ndarray
    resampled: np.ndarray
    noise: np.ndarray
    paired: bool

    def errors(self) -> np.ndarray:
        """Standard error of Δ of every two models; NaN without resamples."""
        root = np.sqrt(self.noise)
        own = self.noise[:, None] + self.noise[None, :] + np.outer(root, root)
        return self._error(self.resampled, own)

    def order_errors(self, reference: int) -> np.ndarray:
        """Standard error of Δ(R, A) − Δ(R, B) for every two models A, B."""
        root = np.sqrt(self.noise)
        own = self.noise[:, None] + self.noise[None, :] + root[reference] * (root[:, None] + root[None, :])
        from_reference = self.resampled[:, reference]
        return self._error(from_reference[:, :, None] - from_reference[:, None, :], own)

    def _error(self, resampled: np.ndarray, own: np.ndarray) -> np.ndarray:
        if len(resampled) < 2:
            return np.full(own.shape, np.nan)
        variance = np.nanvar(resampled, axis=0, ddof=1)
        if not self.paired:  # records of one weather share their errors: nothing is taken off
            variance = variance - np.fmin(own, variance) / 2
        error = np.sqrt(variance)
        np.fill_diagonal(error, 0.0)
        return error


def excess(
    models: Sequence[str], networks: HalfNetworks, size: int, resamples: int, paired: bool, progress: bool
) -> Excess:
    """Δ of every two models from the networks of their halves and of the resamples."""
    with Progress("distances", resamples + 1, "resample", enabled=progress) as bar:
        found = list(_by_number(models, networks, size, resamples, paired, bar))
    apart = np.array([between for _, between in found[1:]]).reshape(-1, 2 * len(models), WITHIN)
    resampled = np.array([delta for delta, _ in found[1:]]).reshape(-1, len(models), len(models))
    return Excess(found[0][0], resampled, _noise(apart, len(models)), paired)


def _by_number(
    models: Sequence[str], networks: HalfNetworks, size: int, resamples: int, paired: bool, bar: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For the halves and each resample: Δ, and the distance of each half from the resamples just before it."""
    count = len(models)
    pairs = np.array([(i, j) for i in range(2 * count) for j in range(i + 1, 2 * count)])
    own = np.column_stack([np.arange(2 * count)] * 2)
    before: list[Normals] = []
    for number in range(resamples + 1):
        members = [networks.network(model, half, number) for model in models for half in (0, 1)]
        normals = Normals.of(members, size)
        square = np.zeros((2 * count, 2 * count))
        square[tuple(pairs.T)] = distances(normals, normals, pairs)
        between = np.full((2 * count, WITHIN), np.nan)
        for step, earlier in enumerate(before):
            between[:, step] = distances(normals, earlier, own)
        yield delta(square + square.T, paired), between
        if number:
            before = [normals, *before][:WITHIN]
        bar.update()


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


def _noise(apart: np.ndarray, models: int) -> np.ndarray:
    """s of each model: a third of the mean square of Δ among four resamples of one half, mean of its two halves."""
    found = []
    for last in range(3, len(apart)):
        d = {(i, j): apart[last - i, :, j - i - 1] for i in range(4) for j in range(i + 1, 4)}  # i, j back from last
        for (a, b), (c, e) in (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))):
            across = [d[min(x, y), max(x, y)] for x in (a, b) for y in (c, e)]
            found.append(sum(across) / 4 - (d[a, b] + d[c, e]) / 2)
    if not found:
        return np.full(models, np.nan)
    noise: np.ndarray = np.nanmean(np.square(found), axis=0).reshape(models, 2).mean(axis=1) / 3
    return noise
