r"""Structure prior of a network: log P(G) = |A| log(β / (1 − β)) + constant, β = 1/(N − 1).

``vsp`` (variable selection prior) includes each possible parent of a node with probability β; ``uniform`` treats all
networks alike. With two nodes β would be 1 and forbid the empty network, so it is kept at most 1/2.
"""

import math
from typing import Literal

from climatebn.errors import unknown

Prior = Literal["uniform", "vsp"]


def log_odds(prior: Prior, nodes: int) -> float:
    """What the prior adds to the score of a node for each of its parents.

    >>> log_odds("uniform", 10), round(log_odds("vsp", 10), 3)
    (0.0, -2.079)
    """
    if prior not in ("uniform", "vsp"):
        raise unknown("prior", prior, ("uniform", "vsp"))
    beta = min(1 / max(nodes - 1, 1), 0.5)
    return math.log(beta / (1 - beta)) if prior == "vsp" else 0.0
