"""The steps of a greedy equivalence search at one node, and when they are legal.

A step joins, parts or turns an edge *into* a target. Among the undirected neighbours of the target it names a clique
that comes before the target; the parents that decide about its gain are the directed parents with this clique.

    insert  source, target apart   clique ⊇ NA   no semi-directed path target ⇝ source past the clique
    delete  source → target or –   clique ⊆ NA   always legal
    turn    target → source        clique ⊇ NA   no other such path past the clique and ne(source)
    turn    target – source        clique ⊄ NA   clique ∩ NA separates the rest of both within ne(target)

NA: neighbours of the target that are adjacent to the source. Chickering (2002), theorems 15 and 17; Hauser and
Bühlmann (2012), propositions 31 and 34. The last column is costly and changes with far-away edges; it is in `legality`,
and asked of a step only when its turn has come.
"""

import numpy as np

from climatebn.kernels.bitset import drop, has, members, put, within
from climatebn.kernels.jit import jit

INSERT, DELETE, TURN = 0, 1, 2
MOST_CLIQUES = 1 << 14  # around one target; their number doubles with each node of a large clique
KINDS = {"forward": INSERT, "backward": DELETE, "turning": TURN}


@jit
def cliques(nodes: np.ndarray, adjacent: np.ndarray, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """All cliques among ``nodes`` with at most ``largest`` members, the empty one first, depth first.

    Clique c is ``items[starts[c]:starts[c + 1]]``. No more than `MOST_CLIQUES` of them.
    """
    starts = np.zeros(64, np.int64)
    items = np.empty(64, np.int64)
    count, used = 1, 0
    stack = np.empty(len(nodes) + 1, np.int64)  # positions in ``nodes`` of the members of the current clique
    depth, position = 0, 0
    while count < MOST_CLIQUES:
        fits = position < len(nodes) and depth < largest
        if fits:
            for level in range(depth):
                if not has(adjacent[nodes[position]], nodes[stack[level]]):
                    fits = False
                    break
            if not fits:
                position += 1
                continue
            stack[depth] = position
            depth += 1
            if count + 2 > len(starts):
                starts = np.append(starts, np.zeros_like(starts))
            if used + depth > len(items):
                items = np.append(items, np.empty_like(items))
            for level in range(depth):
                items[used + level] = nodes[stack[level]]
            used += depth
            count += 1
            starts[count] = used
            position += 1
        elif depth == 0:
            break
        else:
            depth -= 1
            position = stack[depth] + 1
    return starts[: count + 1].copy(), items[:used].copy()


@jit
def steps(
    kind: int,
    target: int,
    among: np.ndarray,
    parents: np.ndarray,
    neighbours: np.ndarray,
    children: np.ndarray,
    adjacent: np.ndarray,
    most_parents: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All steps of one kind into ``target`` from ``among``, but for the last column above.

    They come as (starts, items) of cliques as above, and for each step the number of its clique and its source.
    """
    around = neighbours[target]
    known = members(parents[target])
    starts, items = cliques(members(around), adjacent, max(0, most_parents - len(known)))
    if kind == INSERT:
        sources = members(among & ~adjacent[target])
    elif kind == DELETE:
        sources = members(among & (around | parents[target]))
    else:
        sources = members(among & (around | children[target]))
    shared = np.empty((len(sources), len(around)), np.int64)
    for i in range(len(sources)):
        shared[i] = around & adjacent[sources[i]]
    clique = np.zeros_like(around)
    count = 0
    which = np.empty(64, np.int64)
    source = np.empty(64, np.int64)
    for c in range(len(starts) - 1):
        held = items[starts[c] : starts[c + 1]]
        clique[:] = 0
        for node in held:
            put(clique, node)
        if kind != DELETE and len(held) + len(known) + 1 > most_parents:
            continue
        for i in range(len(sources)):
            x = sources[i]
            if has(clique, x):
                continue
            if kind == DELETE:
                fits = within(clique, shared[i])
            elif kind == TURN and has(around, x):
                fits = not within(clique, shared[i])
            else:
                fits = within(shared[i], clique)
            if fits:
                if count == len(which):
                    which = np.append(which, np.empty_like(which))
                    source = np.append(source, np.empty_like(source))
                which[count] = c
                source[count] = x
                count += 1
    return starts, items, which[:count].copy(), source[:count].copy()


@jit
def families(
    kind: int,
    target: int,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
    parents: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parents of ``target`` beside the source: sets as (starts, items), and the number of the set of each step.

    They are directed parents and clique: one set a clique; for deletions one a step, for the source is left out.
    """
    own = np.arange(len(which)) if kind == DELETE else which
    of = which if kind == DELETE else np.arange(len(starts) - 1)  # the clique in each set
    at = np.zeros(len(of) + 1, np.int64)
    known = members(parents[target])
    for s in range(len(of)):
        at[s + 1] = at[s] + len(known) + starts[of[s] + 1] - starts[of[s]]
        if kind == DELETE and has(parents[target], source[s]):
            at[s + 1] -= 1
    found = np.empty(at[-1], np.int64)
    for s in range(len(of)):
        i = at[s]
        for node in known:
            if kind != DELETE or node != source[s]:
                found[i] = node
                i += 1
        found[i : at[s + 1]] = items[starts[of[s]] : starts[of[s] + 1]]
    return at, found, own


@jit
def turned_families(
    target: int,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
    parents: np.ndarray,
    neighbours: np.ndarray,
    adjacent: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The parents of the source of each turn beside the target: directed ones, and clique ∩ NA if target – source."""
    at = np.zeros(len(which) + 1, np.int64)
    found = np.empty(64, np.int64)
    used = 0
    for step in range(len(which)):
        x = source[step]
        family = parents[x].copy()
        drop(family, target)
        if has(neighbours[target], x):
            for node in items[starts[which[step]] : starts[which[step] + 1]]:
                if has(adjacent[x], node):
                    put(family, node)
        own = members(family)
        while used + len(own) > len(found):
            found = np.append(found, np.empty_like(found))
        found[used : used + len(own)] = own
        used += len(own)
        at[step + 1] = used
    return at, found[:used].copy()
