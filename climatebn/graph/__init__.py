"""Graphs over named nodes: DAGs, PDAGs, and what can be said of them without data."""

from climatebn.graph.colliders import adjacent_arc_pairs, colliders
from climatebn.graph.cpdag import cpdag
from climatebn.graph.dag import Dag
from climatebn.graph.distance import shd
from climatebn.graph.extension import extension
from climatebn.graph.pdag import Pdag
from climatebn.graph.separation import d_separated

__all__ = ["Dag", "Pdag", "adjacent_arc_pairs", "colliders", "cpdag", "d_separated", "extension", "shd"]
