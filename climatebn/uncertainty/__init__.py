"""How sure an answer is: ensembles of networks, a null for distant links, the choice of γ, held-out skill."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
