"""From gridded files to node data. The learners need only `learning_table`, which loads no xarray and no dask."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
