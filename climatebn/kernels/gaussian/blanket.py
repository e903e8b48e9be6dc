"""The inner IAMB of HPC on a Gaussian test, all rounds in one call; `Session.blanket` says what it does.

The form is that of the region alone: node 0 is the target, nodes 1 … m are asked about.
"""

import math

import numpy as np

from climatebn.kernels.gaussian.conditioning import evidence_row, extend, forget, regression, without_each
from climatebn.kernels.gaussian.evidence_form import EvidenceForm, log_p
from climatebn.kernels.gaussian.hpc import stronger
from climatebn.kernels.jit import inner_jit, jit

NOBODY = np.int64(-1)


@jit
def blanket(
    form: EvidenceForm, first: np.ndarray, penalties: np.ndarray, log_alpha: float, limit: int
) -> tuple[np.ndarray, int, bool]:
    """The members, the number of rounds, and whether they were stopped by ``limit``, the largest set."""
    nodes = len(form.matrix)
    asked, order = np.arange(1, nodes), np.arange(nodes - 1)
    members, count = np.empty(nodes + 1, dtype=np.int64), len(first)
    inside, frozen = np.zeros(nodes, dtype=np.bool_), np.zeros(nodes, dtype=np.bool_)
    for i, y in enumerate(first):
        members[i] = y
        inside[y] = True
    states, rounds, kept = np.zeros((16, nodes), dtype=np.bool_), 0, 0
    rows, variances, residuals = np.empty((3, nodes + 1, nodes))
    logdets = np.empty(nodes + 1)
    given, swept, logdet = np.empty(0, dtype=np.int64), np.empty((0, 0)), math.nan
    added, removed = NOBODY, NOBODY
    while count <= limit:
        if _known(states, kept, inside):  # undo the last change for good
            if removed >= 0:
                members[count] = removed
                count += 1
                inside[removed] = frozen[removed] = True
            elif added >= 0:
                count = _take_out(members, count, added)
                inside[added], frozen[added] = False, True
            kept -= 1
        if kept == len(states):
            states = np.concatenate((states, np.zeros_like(states)))
        states[kept] = inside
        kept += 1
        rounds += 1
        before, given = given, members[:count][members[:count] > 0]
        extend(form, 0, given, _shared(before, given), rows, variances, residuals, logdets)
        k = len(given)
        evidences = evidence_row(form, 0, asked, k, variances[k], residuals[k], logdets[k])
        if k:
            place = _left_out(before, given)
            if place >= 0 and not math.isnan(logdet):
                logdet += math.log(swept[place, place])
                swept = forget(swept, place)
            else:
                swept, logdet = regression(form.matrix, 0, given)
            alone = without_each(form, 0, given, swept, logdet)
            for i in range(k):
                evidences[given[i] - 1] = alone[i]
        _sort(order, evidences)
        rejected = log_p(form.kind, form.critical, evidences)[order] + penalties <= log_alpha
        leaving = NOBODY
        for rank in range(nodes - 2, -1, -1):
            y = order[rank] + 1
            if not rejected[rank] and inside[y] and y != added and not frozen[y]:
                leaving = y
                break
        if leaving >= 0:
            added, removed = NOBODY, leaving
            count = _take_out(members, count, leaving)
            inside[leaving] = False
            continue
        joining = NOBODY
        for rank in range(nodes - 1):
            y = order[rank] + 1
            if rejected[rank] and not inside[y] and y != removed and not frozen[y]:
                joining = y
                break
        if joining < 0:
            return members[:count].copy(), rounds, False
        added, removed = joining, NOBODY
        members[count] = joining
        count += 1
        inside[joining] = True
    return members[:count].copy(), rounds, True


@inner_jit
def _known(states: np.ndarray, kept: int, inside: np.ndarray) -> bool:
    """Whether this set of members was there before."""
    for state in range(kept - 1, -1, -1):
        same = True
        for y in range(len(inside)):
            same &= states[state, y] == inside[y]
        if same:
            return True
    return False


@inner_jit
def _take_out(members: np.ndarray, count: int, node: int) -> int:
    """Close the gap that a node leaves; the number of those who stay."""
    place = 0
    while members[place] != node:
        place += 1
    for i in range(place, count - 1):
        members[i] = members[i + 1]
    return count - 1


@inner_jit
def _shared(before: np.ndarray, given: np.ndarray) -> int:
    """How many nodes at the head of both are the same."""
    place = 0
    while place < min(len(before), len(given)) and before[place] == given[place]:
        place += 1
    return place


@inner_jit
def _left_out(before: np.ndarray, given: np.ndarray) -> int:
    """The place of the one node that ``before`` has more; −1 when they differ otherwise."""
    if len(before) != len(given) + 1:
        return -1
    place = _shared(before, given)
    for i in range(place, len(given)):
        if before[i + 1] != given[i]:
            return -1
    return place


@inner_jit
def _sort(order: np.ndarray, evidences: np.ndarray) -> None:
    """Most evidence first; the order of the last round is almost right."""
    for end in range(1, len(order)):
        item, place = order[end], end
        while place > 0 and stronger(item, order[place - 1], evidences):
            order[place] = order[place - 1]
            place -= 1
        order[place] = item
