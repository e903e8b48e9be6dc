"""`climatebn.explore`: write the page; in Jupyter the path that comes back shows it."""

import tempfile
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from climatebn.errors import ClimateBNError, public
from climatebn.files import as_path, write_whole
from climatebn.pages.explorer.content import content, named_models
from climatebn.pages.explorer.document import TITLE, document

LARGEST = 30_000_000  # bytes of a page that a browser opens without a wait


class PagePath(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """The path of a page; Jupyter shows the page itself, in a frame that can reach nothing outside it."""

    def _repr_html_(self) -> str:
        page = escape(self.read_text(encoding="utf-8"))
        rights = "allow-scripts allow-downloads"
        look = "width:100%;height:820px;border:1px solid #d9e0e6"
        return f'<iframe title="{TITLE}" sandbox="{rights}" style="{look}" srcdoc="{page}"></iframe>'


@public
def explore(networks: Any, path: str | PathLike[str] | None = None, data: Any = None) -> Path:
    """Write the explorer: one HTML file in which a click on the map sets evidence and the map answers, exactly.

    The page works offline and asks nothing of any server. It can set several places and regions at once, compare two
    networks, show arcs, and give a link that brings back what it shows.

    Parameters
    ----------
    networks : a fitted GaussianBN, an Ensemble, a CorrelationNetwork, or several of them with the same nodes: a list,
        or a dictionary by the labels that the page shows.
    path : the file to write; a temporary one when left out.
    data : what the networks were learned from, to show the sample's correlation beside the one that a network implies.

    Returns
    -------
    the path of the file; in Jupyter it shows the page.

    Raises
    ------
    ClimateBNError : for networks of other kinds or with different nodes, and for a page of more than 30 MB: such
        networks are asked by ``climatebn explore``, which serves the page on this machine.

    Examples
    --------
    >>> import climatebn as cb, tempfile, pathlib
    >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 0.5}
    >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
    >>> cb.explore(bn, pathlib.Path(tempfile.mkdtemp()) / "explorer.html").name
    'explorer.html'
    """
    models = named_models(networks)
    page = document(content(models, data), TITLE).encode()
    if len(page) > LARGEST:
        raise ClimateBNError(
            f"the page would have {len(page) / 1e6:.0f} MB, more than {LARGEST / 1e6:.0f}; save the networks and call "
            "`climatebn explore NETWORK.nc --serve`, which does the algebra in a process on this machine"
        )
    target = Path(tempfile.mkdtemp(prefix="climatebn-")) / "explorer.html" if path is None else as_path(path)
    write_whole(target, page)
    return PagePath(target)
