from . import (
    analysis,
    comparison,
    criterion,
    errors,
    forecast,
    graph,
    ingest,
    jobs,
    learning,
    network,
    pages,
    plot,
    study,
    uncertainty,
)
from .analysis.arcs import arc_strength, teleconnections
from .analysis.collider_ratio import vstructures
from .analysis.propagation import propagate
from .analysis.regression import regression_map
from .comparison.comparing import compare
from .comparison.comparison import Comparison
from .comparison.distances import distance
from .criterion.aic import AIC
from .criterion.bdeu import BDeu
from .criterion.bge import BGe
from .criterion.bic import BIC
from .criterion.chi_square import ChiSquare
from .criterion.d_separation import DSeparation
from .criterion.discrete_stats import DiscreteStats
from .criterion.fisher_z import FisherZ
from .criterion.g2 import G2
from .criterion.loglik import LogLik
from .criterion.registry import criteria
from .criterion.stats import GaussianStats
from .criterion.student_t import StudentT
from .forecast.hindcast_result import Hindcast
from .forecast.hindcasting import hindcast
from .forecast.looking_ahead import outlook
from .forecast.nested_choice import choose_forecast
from .graph.cpdag import cpdag
from .graph.dag import Dag
from .graph.distance import shd
from .graph.pdag import Pdag
from .ingest.field.datasets import load_ncep, load_sst, load_z500
from .ingest.field.open import open_field
from .ingest.grid.grid import Grid
from .ingest.grid.land import mask
from .ingest.grid.region import Region, region_mean
from .ingest.grid.region_table import regions
from .ingest.grid.regridding import regrid
from .ingest.nodes.anomaly import anomalies
from .ingest.nodes.effective_size import effective_n
from .ingest.nodes.gaussianity import gaussianity, normal_scores
from .ingest.nodes.lags import lagged
from .ingest.nodes.node_data import NodeData
from .ingest.nodes.node_matrix import to_nodes
from .ingest.nodes.season import season_mean
from .ingest.nodes.whitening import whiten
from .learning.api import algorithms, learn
from .learning.knowledge import Knowledge
from .learning.result import LearnResult
from .network.bif import read_bif, write_bif
from .network.discrete_bn import DiscreteBN
from .network.dynamic_bn import DynamicBN
from .network.fitting import fit
from .network.gaussian_bn import GaussianBN
from .network.quantities import Combination
from .network.reference import reference_network
from .network.separation import d_separated
from .network.store import load_network
from .pages.explorer.explore import explore
from .uncertainty.dynamic_ensemble import DynamicEnsemble
from .uncertainty.ensemble_model import Ensemble
from .uncertainty.gamma_choice import choose_gamma
from .uncertainty.relearning import ensemble
from .uncertainty.shift_null import distant_null
from .uncertainty.skill import held_out_skill

__all__ = [
    "AIC",
    "BIC",
    "G2",
    "BDeu",
    "BGe",
    "ChiSquare",
    "Combination",
    "Comparison",
    "DSeparation",
    "Dag",
    "DiscreteBN",
    "DiscreteStats",
    "DynamicBN",
    "DynamicEnsemble",
    "Ensemble",
    "FisherZ",
    "GaussianBN",
    "GaussianStats",
    "Grid",
    "Hindcast",
    "Knowledge",
    "LearnResult",
    "LogLik",
    "NodeData",
    "Pdag",
    "Region",
    "StudentT",
    "algorithms",
    "analysis",
    "anomalies",
    "arc_strength",
    "choose_forecast",
    "choose_gamma",
    "compare",
    "comparison",
    "cpdag",
    "criteria",
    "criterion",
    "d_separated",
    "distance",
    "distant_null",
    "effective_n",
    "ensemble",
    "errors",
    "explore",
    "fit",
    "forecast",
    "gaussianity",
    "graph",
    "held_out_skill",
    "hindcast",
    "ingest",
    "jobs",
    "lagged",
    "learn",
    "learning",
    "load_ncep",
    "load_network",
    "load_sst",
    "load_z500",
    "mask",
    "network",
    "normal_scores",
    "open_field",
    "outlook",
    "pages",
    "plot",
    "propagate",
    "read_bif",
    "reference_network",
    "region_mean",
    "regions",
    "regression_map",
    "regrid",
    "season_mean",
    "shd",
    "study",
    "teleconnections",
    "to_nodes",
    "uncertainty",
    "vstructures",
    "whiten",
    "write_bif",
]

__version__: str
