"""Numbers and codes that more than one kernel or layer must agree on; each has its one home here."""

import numpy as np

TAU = np.sqrt(np.finfo(np.float64).eps)  # scores closer than this are equal: 1.49e-8
ADD, DELETE, REVERSE = (np.int64(kind) for kind in range(3))  # moves, typed: literals compile a kernel each

# Smallest share of its variance that other nodes may leave unexplained in a node. Below it a candidate parent tells
# nothing new and is passed over, and a conditional variance counts as this share: never 0, so every score is finite.
COLLINEAR = 1e-10

# Exact repetition: shares of a node's spread, or of its variance, that are nothing but rounding errors.
ROUNDING_OF_VALUES, ROUNDING_OF_VARIANCES = 1e-10, 1e-13
FREEDOM_OF_ANOMALIES = 13  # degrees of freedom that monthly anomalies may have lost: twelve means and a trend
