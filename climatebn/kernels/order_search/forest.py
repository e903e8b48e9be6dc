r"""Grow-shrink trees: what a node's parents are, given the nodes that come before it (Andrews et al. 2023).

The tree of a target holds sets of parents. From a set it branches to each node that would raise the score, best first;
given the predecessors of the target, the walk takes the first branch whose node is one of them, until there is none.
Earlier branches were passed over, so their nodes are no predecessors and stand in no branch below. Each set also knows
the score that is left after taking superfluous members out. Sets are looked at once, whatever the orders met later.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.jit import inner_jit, jit

FIRST, COUNT, UP, ADDED, SIZE = range(5)  # of a set: its branches, the smaller set and the node that made it
GROWN, SHRUNK = range(2)  # scores of the set as it is, and without its superfluous members
NODE, CHILD = range(2)  # of a branch: the node it adds, and the set it leads to; −1 before that was met
SETS, BRANCHES = range(2)  # places used
UNKNOWN = -1  # COUNT of a set that was not looked at
FULL = -1  # instead of a set: no place for another one
PER_SET, PER_BRANCH = ("sets", "scores"), ("branches", "gains")


class Forest(NamedTuple):
    """One tree a node; set t < N is the root of node t, its required parents."""

    sets: np.ndarray
    scores: np.ndarray
    branches: np.ndarray
    gains: np.ndarray
    used: np.ndarray


def planted(root_scores: np.ndarray) -> Forest:
    """Trees of roots only."""
    nodes = len(root_scores)
    room = max(1024, 4 * nodes)
    sets, scores = np.empty((room, 5), np.int32), np.empty((room, 2))
    sets[:nodes] = 0, UNKNOWN, -1, -1, 0
    scores[:nodes, GROWN] = root_scores
    return Forest(sets, scores, np.empty((8 * room, 2), np.int32), np.empty(8 * room), np.array([nodes, 0]))


def with_room(forest: Forest, sets: int, branches: int) -> Forest:
    """The same forest with place for so many more sets and branches."""
    used = forest.used.tolist()
    if used[SETS] + sets > len(forest.sets):
        room = max(used[SETS] + sets, 2 * len(forest.sets))
        forest = forest._replace(**{name: _longer(getattr(forest, name), used[SETS], room) for name in PER_SET})
    if used[BRANCHES] + branches > len(forest.branches):
        room = max(used[BRANCHES] + branches, 2 * len(forest.branches))
        forest = forest._replace(**{name: _longer(getattr(forest, name), used[BRANCHES], room) for name in PER_BRANCH})
    return forest


def memory(forest: Forest) -> int:
    """Bytes of what the trees hold."""
    used = forest.used.tolist()
    each = [[getattr(forest, name)[:1].nbytes for name in names] for names in (PER_SET, PER_BRANCH)]
    return used[SETS] * sum(each[0]) + used[BRANCHES] * sum(each[1])


def _longer(array: np.ndarray, used: int, room: int) -> np.ndarray:
    """The same array with more lines; those not yet used take no memory before they are written."""
    longer = np.empty((room, *array.shape[1:]), array.dtype)
    longer[:used] = array[:used]
    return longer


@jit
def path(forest: Forest, which: int) -> np.ndarray:
    """The nodes that were added on the way from the root to a set, first to last."""
    size = forest.sets[which, SIZE]
    nodes = np.empty(size, np.int64)
    for level in range(size - 1, -1, -1):
        nodes[level] = forest.sets[which, ADDED]
        which = forest.sets[which, UP]
    return nodes


@jit
def passed_over(forest: Forest, which: int, mark: np.ndarray) -> None:
    """Mark the nodes of branches that the way to a set passed over."""
    while forest.sets[which, UP] >= 0:
        above = forest.sets[which, UP]
        for branch in range(forest.sets[above, FIRST], forest.sets[above, FIRST] + forest.sets[above, COUNT]):
            if forest.branches[branch, NODE] == forest.sets[which, ADDED]:
                break
            mark[forest.branches[branch, NODE]] = True
        which = above


@jit
def reachable(nodes: np.ndarray, standing: np.ndarray) -> int:
    """How many branches to ``nodes`` a walk can take: none behind the first node that stands before all orderings."""
    for b in range(len(nodes)):
        if standing[nodes[b]]:
            return b + 1
    return len(nodes)


@jit
def store(forest: Forest, which: int, nodes: np.ndarray, gains: np.ndarray, shrunk: float) -> None:
    """What was found about a set: branches best first, and its score without superfluous members. There is room."""
    first = forest.used[BRANCHES]
    forest.sets[which, FIRST], forest.sets[which, COUNT] = first, len(nodes)
    for b in range(len(nodes)):
        forest.branches[first + b, NODE] = nodes[b]
        forest.branches[first + b, CHILD] = -1
        forest.gains[first + b] = gains[b]
    forest.used[BRANCHES] = first + len(nodes)
    forest.scores[which, SHRUNK] = shrunk


@inner_jit
def find(forest: Forest, target: int, rank: np.ndarray, limit: int, extra: int) -> int:
    """The set of ``target`` when its predecessors are the nodes of rank < limit and ``extra``; or `FULL`.

    It stops early at a set that was not looked at.
    """
    sets, branches = forest.sets, forest.branches
    which = target
    while sets[which, COUNT] > 0:
        taken = -1
        for branch in range(sets[which, FIRST], sets[which, FIRST] + sets[which, COUNT]):
            node = branches[branch, NODE]
            if rank[node] < limit or node == extra:
                taken = branch
                break
        if taken < 0:
            break
        child = branches[taken, CHILD]
        if child < 0:
            child = forest.used[SETS]
            if child == len(sets):
                return FULL
            forest.used[SETS] = child + 1
            sets[child, UP], sets[child, ADDED], sets[child, SIZE] = which, branches[taken, NODE], sets[which, SIZE] + 1
            sets[child, COUNT] = UNKNOWN
            forest.scores[child, GROWN] = forest.scores[which, GROWN] + forest.gains[taken]
            branches[taken, CHILD] = child
        which = child
    return which
