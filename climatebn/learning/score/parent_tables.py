"""For each node the sets of parents worth having, with their scores: all that a search over orderings needs.

Candidate parents of a node: all that are allowed, if they are few. Otherwise half of the places go to greedy forward
selection (again and again the one with the largest gain given those chosen, while there is a gain), which finds what
matters beside the others, and to parents in a network known before; the rest to the largest gains on their own. Of the
candidates every set up to the largest size is scored. A set with a subset that scores no less is dropped: it is never
the best one.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from climatebn.kernels.ordering import Tables, worth_having
from climatebn.learning.score.differences import Differences


class ParentTable(NamedTuple):
    """Candidate parents of one node; sets of them as words of bits, best first, scored against the required parents."""

    candidates: list[int]
    masks: np.ndarray
    scores: np.ndarray


class _Subsets(NamedTuple):
    """All subsets of 0 … c − 1 of limited size, each once as a smaller one (starts, items) with one more item.

    Addition a puts ``item[a]`` to smaller set ``which[a]``; smaller set s itself was made by addition ``made[s]``.
    """

    starts: np.ndarray
    items: np.ndarray
    which: np.ndarray
    item: np.ndarray
    made: np.ndarray
    masks: np.ndarray


def required_only(required: list[int]) -> ParentTable:
    """The table of a node that has no choice."""
    return ParentTable(required, np.array([(1 << len(required)) - 1]), np.zeros(1))


def parent_table(
    differences: Differences,
    node: int,
    required: list[int],
    free: list[int],
    max_candidates: int,
    wanted: Sequence[int] = (),
) -> ParentTable:
    """The table of ``node``: sets of its ``required`` parents and some of the ``free`` ones, ``wanted`` ones first."""
    room = differences.most_parents - len(required)
    if room <= 0 or not free:
        return required_only(required)
    chosen = np.array(_candidates(differences, node, required, free, max_candidates, wanted))
    plan = _subsets(len(chosen), min(room, len(chosen)))
    sets = len(plan.made)
    items = np.insert(chosen[plan.items], np.repeat(plan.starts[:-1], len(required)), np.tile(required, sets))
    starts = plan.starts + len(required) * np.arange(sets + 1)
    each = np.full(sets, node), starts, items.astype(int), plan.which, chosen[plan.item]
    gains = differences.additions(*each, once=True)
    gains[np.isnan(gains)] = -np.inf
    scores = np.empty(len(gains))
    smaller = np.zeros(sets)
    sizes = np.diff(plan.starts)
    for size in range(sizes.max() + 1):  # smaller sets first
        if size:
            smaller[sizes == size] = scores[plan.made[sizes == size]]
        now = sizes[plan.which] == size
        scores[now] = smaller[plan.which[now]] + gains[now]
    need = (1 << len(required)) - 1
    masks = np.append(need, plan.masks << len(required) | need)
    kept = worth_having(masks, np.append(0.0, scores))
    return ParentTable([*required, *chosen.tolist()], masks[kept], np.append(0.0, scores)[kept])


def joined(tables: list[ParentTable]) -> Tables:
    """The tables of all nodes as kernels read them."""
    bit = np.full((len(tables), len(tables)), -1, np.int8)
    for node, table in enumerate(tables):
        bit[node, table.candidates] = np.arange(len(table.candidates))
    starts = np.cumsum([0, *(len(table.masks) for table in tables)])
    masks, scores = (np.concatenate(column) for column in zip(*(table[1:] for table in tables), strict=True))
    return Tables(starts, masks, scores, bit, (bit >= 0) | (bit >= 0).T)


def _candidates(
    differences: Differences, node: int, required: list[int], free: list[int], most: int, wanted: Sequence[int]
) -> list[int]:
    if len(free) <= most:
        return free
    alone = gains = _gains(differences, node, required, free)
    chosen: list[int] = []  # places in ``free``
    while len(chosen) < most // 2 and np.nanmax(gains) > 0:
        chosen.append(int(np.nanargmax(gains)))
        gains = _gains(differences, node, [*required, *(free[i] for i in chosen)], free)
        gains[chosen] = np.nan
    alone[chosen] = np.inf
    alone[np.isin(free, wanted)] = np.inf
    ranked = np.argsort(-np.nan_to_num(alone, nan=-np.inf, posinf=np.inf), kind="stable")
    return [free[i] for i in sorted(ranked[:most])]


def _gains(differences: Differences, node: int, parents: list[int], free: list[int]) -> np.ndarray:
    one, each = np.array([node]), np.zeros(len(free), int)
    return differences.additions(one, np.array([0, len(parents)]), np.array(parents, int), each, np.array(free))


@lru_cache(maxsize=64)
def _subsets(count: int, largest: int) -> _Subsets:
    smaller = sorted(chain.from_iterable(combinations(range(count), size) for size in range(largest)))
    additions = [(s, i) for s, items in enumerate(smaller) for i in range(items[-1] + 1 if items else 0, count)]
    number = {(*smaller[s], i): a for a, (s, i) in enumerate(additions)}
    which, item = np.array(additions).T
    bits = np.array([sum(1 << i for i in items) for items in smaller])
    return _Subsets(
        starts=np.cumsum([0, *map(len, smaller)]),
        items=np.array([*chain.from_iterable(smaller)], int),
        which=which,
        item=item,
        made=np.array([number.get(items, -1) for items in smaller]),
        masks=bits[which] | 1 << item,
    )
