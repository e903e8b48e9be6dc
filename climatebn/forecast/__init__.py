"""Forecasts that are scored: a network in time learned on some years, tried on later ones, beside simpler models."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
