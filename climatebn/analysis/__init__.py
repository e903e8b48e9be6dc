"""What a network says about the climate: evidence on maps, teleconnections, v-structures, goodness, centrality."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
