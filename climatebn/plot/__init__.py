"""Figures: ``ax`` in, one artist out. Maps need cartopy axes (`map_axes` makes them); nothing is ever downloaded.

Each function draws on ``ax`` (made when left out) and returns one matplotlib artist, the main thing that it drew; its
``.axes`` and ``.figure`` lead to the rest:

- maps (`field`, `propagation`, `network`, `support`, `paths`) a mesh or a collection of lines, whose ``.colorbar`` is
  its colour bar (None without one); several of them get one bar by `shared_colorbar`;
- curves in one panel (`strength_distance`, `vstructures`, `goodness`, `null`, `gamma_choice`) the axes;
- figures of several panels (`study_panels`, `side_by_side`, `quadrants`, `rank_shift`) the figure;
- `map_axes` the axes; `coastline` and `evidence_boxes` the lines that they add to a map.

Letters, arrowheads and dots follow the width of the panel, so that the same call serves one column of a journal
(8.5 cm), two (17 cm) and a panel of a larger figure; make such figures with ``layout="constrained"``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
