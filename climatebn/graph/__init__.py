"""Graphs over named nodes: DAGs, PDAGs, and what can be said of them without data."""

from climatebn.graph.dag import Dag
from climatebn.graph.pdag import Pdag

__all__ = ["Dag", "Pdag"]
