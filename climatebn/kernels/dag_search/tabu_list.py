"""The last networks of a tabu search, each as the arcs in which it differs from the current network.

A move leads back to a remembered network exactly when that network differs in one arc (addition, deletion) or in an arc
and its reverse. So whole networks are compared, exactly, at the price of a few numbers.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import in_set
from climatebn.kernels.constants import ADD, DELETE, REVERSE
from climatebn.kernels.dag_search.reachability import PARENTS
from climatebn.kernels.jit import inner_jit


class TabuList(NamedTuple):
    """``arcs[s, :length[s]]`` tell slot s apart from the current network (length −1: empty slot).

    ``length[-1]`` counts the networks put in; ``taboo`` is room for the moves that lead back.
    """

    arcs: np.ndarray
    length: np.ndarray
    taboo: np.ndarray


@inner_jit
def remember(tabu_list: TabuList) -> None:
    """Put the current network into the place of the oldest one."""
    if len(tabu_list.arcs) > 0:
        tabu_list.length[tabu_list.length[-1] % len(tabu_list.arcs)] = 0
        tabu_list.length[-1] += 1


@inner_jit
def forget(tabu_list: TabuList) -> None:
    """Take back the last `remember`: the round is repeated."""
    if len(tabu_list.arcs) > 0:
        tabu_list.length[-1] -= 1


@inner_jit
def toggle(tabu_list: TabuList, x: int, y: int) -> None:
    """The current network gains or loses the arc x → y."""
    for slot in range(len(tabu_list.arcs)):
        count = tabu_list.length[slot]
        for m in range(count):
            if tabu_list.arcs[slot, m, 0] == x and tabu_list.arcs[slot, m, 1] == y:
                tabu_list.arcs[slot, m, 0] = tabu_list.arcs[slot, count - 1, 0]
                tabu_list.arcs[slot, m, 1] = tabu_list.arcs[slot, count - 1, 1]
                tabu_list.length[slot] -= 1
                break
        else:
            if count >= 0:
                tabu_list.arcs[slot, count, 0] = x
                tabu_list.arcs[slot, count, 1] = y
                tabu_list.length[slot] += 1


@inner_jit
def taboo_moves(tabu_list: TabuList, sets: np.ndarray) -> np.ndarray:
    """The moves (kind, from, to) that would lead back to a network in the tabu_list."""
    count = 0
    for slot in range(len(tabu_list.arcs)):
        x, y = tabu_list.arcs[slot, 0, 0], tabu_list.arcs[slot, 0, 1]
        present = tabu_list.length[slot] > 0 and in_set(sets, PARENTS, y, x)
        kind = np.int64(-1)
        if tabu_list.length[slot] == 1:
            kind = DELETE if present else ADD
        elif tabu_list.length[slot] == 2 and tabu_list.arcs[slot, 1, 0] == y and tabu_list.arcs[slot, 1, 1] == x:
            kind = REVERSE
            if not present:
                x, y = y, x
        if kind >= 0:
            tabu_list.taboo[count, 0], tabu_list.taboo[count, 1], tabu_list.taboo[count, 2] = kind, x, y
            count += 1
    return tabu_list.taboo[:count]


@inner_jit
def is_taboo(taboo: np.ndarray, kind: int, x: int, y: int) -> bool:
    """Whether the move is among ``taboo``."""
    found = False
    for m in range(len(taboo)):
        found |= taboo[m, 0] == kind and taboo[m, 1] == x and taboo[m, 2] == y
    return found
