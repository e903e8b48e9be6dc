"""The steps of a greedy equivalence search at one node, and when they are legal.

A step joins, parts or turns an edge *into* a target. Among the undirected neighbours of the target it names a clique
that comes before the target; the parents that decide about its gain are the directed parents with this clique.

    insert  source, target apart   clique ⊇ NA   no semi-directed path target ⇝ source past the clique
    delete  source → target or –   clique ⊆ NA   always legal
    turn    target → source        clique ⊇ NA   no other such path past the clique and ne(source)
    turn    target – source        clique ⊄ NA   clique ∩ NA separates the rest of both within ne(target)

NA: neighbours of the target that are adjacent to the source. Chickering (2002), theorems 15 and 17; Hauser and
Bühlmann (2012), propositions 31 and 34. The last column is costly and changes with far-away edges; it is asked of a
step only when its turn has come.
"""

import numpy as np

from climatebn.kernels.jit import jit
from climatebn.kernels.nodeset import drop, has, is_empty, members, put, within

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
def legal(
    kind: int,
    source: int,
    target: int,
    clique: np.ndarray,
    neighbours: np.ndarray,
    children: np.ndarray,
    adjacent: np.ndarray,
) -> tuple[bool, np.ndarray]:
    """The last column above; where a path forbids the step, that path too (nodes from target to source)."""
    nothing = np.empty(0, np.int64)
    if kind == DELETE:
        return True, nothing
    barrier = np.zeros_like(neighbours[target])
    for node in clique:
        put(barrier, node)
    if kind == TURN and has(neighbours[target], source):
        return _separated(target, source, barrier, neighbours, adjacent), nothing
    if kind == TURN:
        barrier |= neighbours[source]
    path = _path(target, source, barrier, neighbours, children)
    return len(path) == 0, path


@jit
def _path(start: int, end: int, barrier: np.ndarray, neighbours: np.ndarray, children: np.ndarray) -> np.ndarray:
    """A shortest semi-directed path past the barrier, other than start → end; empty if there is none."""
    seen = barrier.copy()
    put(seen, start)
    queue = np.empty(len(neighbours), np.int64)
    origin = np.empty(len(neighbours), np.int64)  # place in the queue that a node was reached from
    queue[0] = start
    found, done = 1, 0
    while done < found:
        node = queue[done]
        fresh = (neighbours[node] | children[node]) & ~seen
        if node == start:
            drop(fresh, end)
        elif has(fresh, end):
            length = 3
            at = done
            while origin[at] > 0:
                at = origin[at]
                length += 1
            path = np.empty(length, np.int64)
            path[0] = start
            path[-1] = end
            at = done
            for i in range(length - 2, 0, -1):
                path[i] = queue[at]
                at = origin[at]
            return path
        seen |= fresh
        for other in members(fresh):
            queue[found] = other
            origin[found] = done
            found += 1
        done += 1
    return np.empty(0, np.int64)


@jit
def _separated(target: int, source: int, clique: np.ndarray, neighbours: np.ndarray, adjacent: np.ndarray) -> bool:
    """Whether clique ∩ NA separates the rest of the clique from the rest of NA among the neighbours of target."""
    around = neighbours[target]
    shared = around & adjacent[source]
    goal = clique & ~shared
    seen = ~around | (clique & shared)
    frontier = shared & ~clique
    while True:
        fresh = np.zeros_like(seen)
        for node in members(frontier):
            if has(goal, node):
                return False
            fresh |= neighbours[node]
        seen |= frontier
        frontier = fresh & ~seen
        if is_empty(frontier):
            return True


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
