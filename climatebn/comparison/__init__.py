"""Networks compared with each other: how far apart they are, and where."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
