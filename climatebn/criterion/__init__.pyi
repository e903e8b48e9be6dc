from .aic import AIC
from .bdeu import BDeu
from .bge import BGe
from .bic import BIC
from .chi_square import ChiSquare
from .d_separation import DSeparation
from .discrete_stats import DiscreteStats
from .fisher_z import FisherZ
from .g2 import G2
from .loglik import LogLik
from .protocols import IndependenceTest, Score
from .registry import CRITERIA, criteria, find
from .stats import GaussianStats
from .student_t import StudentT

__all__ = [
    "AIC",
    "BIC",
    "CRITERIA",
    "G2",
    "BDeu",
    "BGe",
    "ChiSquare",
    "DSeparation",
    "DiscreteStats",
    "FisherZ",
    "GaussianStats",
    "IndependenceTest",
    "LogLik",
    "Score",
    "StudentT",
    "criteria",
    "find",
]
