"""Bayesian networks for gridded climate data: learn, compare under matched criteria, ask on maps.

The public names are those of `__init__.pyi`; each loads on first use, so that `import climatebn` takes no time.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
