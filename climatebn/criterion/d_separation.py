"""The truth as a criterion: x and y are dependent given Z when the DAG does not separate them.

For tests and for teaching: it shows what an algorithm finds when no test ever errs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from climatebn.criterion.protocols import Stats
from climatebn.errors import public, require_nodes
from climatebn.graph import Dag, d_separated


@public
@dataclass(frozen=True)
class DSeparation:
    """Reads independence off a DAG whose columns are those of the data; evidence is 1 or −1.

    Parameters
    ----------
    dag : the true network.

    Examples
    --------
    >>> from climatebn import Dag, GaussianStats
    >>> collider = Dag.from_arcs("abc", [("a", "b"), ("c", "b")])
    >>> stats = GaussianStats(100, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "abc")
    >>> DSeparation(collider).dependent(stats, 0, 2, []), DSeparation(collider).dependent(stats, 0, 2, [1])
    (False, True)
    """

    dag: Dag

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian", "discrete"})

    def dependent(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether x and y are connected given the set.

        Parameters
        ----------
        stats : of any data with the names of the network; only the names are read.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        bool.

        Examples
        --------
        >>> from climatebn import Dag, GaussianStats
        >>> stats = GaussianStats(100, [[1, 0], [0, 1]], "ab")
        >>> DSeparation(Dag.from_arcs("ab", [("a", "b")])).dependent(stats, 0, 1, [])
        True
        """
        require_nodes(len(stats.names), (x, y), given)
        place = stats.memo.setdefault(self, {name: i for i, name in enumerate(self.dag.names)})
        start, goal, *others = (place[stats.names[node]] for node in (x, y, *given))
        return not d_separated(self.dag, start, goal, others)

    def evidence(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """1 when dependent, else −1.

        Parameters
        ----------
        stats : of any data with the names of the network; only the names are read.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        1.0 or −1.0.

        Examples
        --------
        >>> from climatebn import Dag, GaussianStats
        >>> stats = GaussianStats(100, [[1, 0], [0, 1]], "ab")
        >>> DSeparation(Dag.from_arcs("ab", [("a", "b")])).evidence(stats, 0, 1, [])
        1.0
        """
        return 1.0 if self.dependent(stats, x, y, given) else -1.0

    def log_p(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """−inf when dependent, else 0: the truth has no error.

        Parameters
        ----------
        stats : of any data with the names of the network; only the names are read.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        −inf or 0.0.

        Examples
        --------
        >>> from climatebn import Dag, GaussianStats
        >>> stats = GaussianStats(100, [[1, 0], [0, 1]], "ab")
        >>> DSeparation(Dag.from_arcs("ab")).log_p(stats, 0, 1, [])
        0.0
        """
        return -math.inf if self.dependent(stats, x, y, given) else 0.0
