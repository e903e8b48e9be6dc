"""How much evidence there is for one arc: scores, tests, and the bridge that matches them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
