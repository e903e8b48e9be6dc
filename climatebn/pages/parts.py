"""The parts of a page: section, paragraph, figure, table, list. Strings are text; `Markup` is HTML made here."""

import base64
import io
import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from climatebn.errors import ClimateBNError, public, short
from climatebn.pages.rendering import part

Part = str | Markup
PNG = b"\x89PNG"
DPI = 160
BROAD = 1.9  # times as wide as high: its letters would be too small on a telephone


@public
def section(title: str, *parts: Part, key: str = "") -> Markup:
    """A heading and what stands under it; strings become paragraphs. ``key`` is the address within the page.

    Parameters
    ----------
    title : the heading.
    parts : strings, links, figures, tables.
    key : the address within the page; nothing when left out.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> "<h2" in cb.pages.section("Arcs", "One is long.")
    True
    """
    return part("section", title=title, parts=[as_markup(item) for item in parts], key=key)


@public
def paragraph(*pieces: Part) -> Markup:
    """One paragraph of strings and links, put together without anything between them.

    Parameters
    ----------
    pieces : strings and links; strings are escaped.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> "P(X &lt; 1)" in cb.pages.paragraph("P(X < 1) falls")
    True
    """
    return part("paragraph", pieces=pieces)


@public
def note(text: str) -> Markup:
    """A paragraph on a coloured ground: a warning, or what went otherwise than asked.

    Parameters
    ----------
    text : what it says.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> "3 months" in cb.pages.note("3 months were left out")
    True
    """
    return part("note", text=text)


@public
def link(address: str, words: str | None = None) -> Markup:
    """A link, to stand in a `paragraph` or in `bullets`; its words are the address when left out.

    Parameters
    ----------
    address : where it leads.
    words : what is shown.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> 'href="arcs.csv"' in cb.pages.link("arcs.csv", "all arcs")
    True
    """
    return part("link", address=address, words=words or address)


@public
def bullets(items: Iterable[Part]) -> Markup:
    """A list with a dot before each item.

    Parameters
    ----------
    items : strings and links.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.pages.bullets(["one", "two"]).count("<li")
    2
    """
    return part("bullets", items=list(items))


@public
def listing(text: str) -> Markup:
    """Text as it is, in letters of equal width, line by line: code, or a history.

    Parameters
    ----------
    text : any; it is escaped.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> "<pre" in cb.pages.listing("climatebn run")
    True
    """
    return part("listing", text=text)


@public
def figure(picture: Any, caption: str, *, alt: str | None = None) -> Markup:
    """A figure with its caption, stored inside the page; one that is broad can be scrolled on a narrow screen.

    Parameters
    ----------
    picture : a matplotlib figure, the bytes of a PNG file, or its path.
    caption : stands under it.
    alt : what the picture shows, for readers who do not see it; the caption when left out.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb
    >>> import matplotlib.pyplot as plt
    >>> "data:image/png;base64," in cb.pages.figure(plt.figure(figsize=(1, 1)), "nothing yet")
    True
    """
    content = _png(picture)
    width, height = struct.unpack(">II", content[16:24])
    stored = base64.b64encode(content).decode("ascii")
    return part("figure", stored=stored, caption=caption, alt=alt or caption, broad=width > BROAD * height)


@public
def table(
    frame: pd.DataFrame,
    *,
    headings: Mapping[str, str] | None = None,
    formats: Mapping[str, str | Callable[[Any], str]] | None = None,
    meaning: str | None = None,
    empty: str = "None.",
) -> Markup:
    """A table that scrolls sideways where it is wider than the screen.

    Parameters
    ----------
    frame : the table.
    headings : other words for columns, e.g. ``{"km": "length [km]"}``.
    formats : how the values of a column are written, e.g. ``{"km": ".0f"}`` or a function; a missing value is "–".
    meaning : a column of explanations: each stands under its row, over the whole width.
    empty : the sentence that stands in place of a table without rows.

    Returns
    -------
    Markup.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> html = cb.pages.table(pd.DataFrame({"place": ["X<1>"], "km": [5123.4]}), formats={"km": ".0f"})
    >>> "X&lt;1&gt;" in html, '<td class="number">5123</td>' in html
    (True, True)
    """
    if len(set(frame.columns)) < len(frame.columns):
        raise ClimateBNError("columns of the table must have different names")
    wanted = {*(headings or {}), *(formats or {}), *([] if meaning is None else [meaning])}
    if lost := sorted(wanted - set(frame.columns)):
        raise ClimateBNError(f"the table has no column {lost[0]!r}; it has {', '.join(map(str, frame.columns))}")
    if frame.empty:
        return paragraph(empty)
    columns = [name for name in frame.columns if name != meaning]
    numbers = [pd.api.types.is_numeric_dtype(frame[name]) and frame[name].dtype != bool for name in columns]
    shown = [[_written(value, (formats or {}).get(name, "")) for value in frame[name]] for name in columns]
    return part(
        "table",
        heads=[(headings or {}).get(name, str(name)) for name in columns],
        numbers=numbers,
        rows=list(zip(*shown, strict=True)),
        meanings=[] if meaning is None else frame[meaning].tolist(),
    )


def as_markup(item: Part) -> Markup:
    """A part as HTML: a plain string is a paragraph."""
    return item if isinstance(item, Markup) else paragraph(item)


def _png(picture: Any) -> bytes:
    if hasattr(picture, "savefig"):
        target = io.BytesIO()
        picture.savefig(target, format="png", dpi=DPI)
        return target.getvalue()
    content = picture
    if isinstance(picture, str | Path):
        if not Path(picture).is_file():
            raise ClimateBNError(f"there is no picture {short(str(picture))}")
        content = Path(picture).read_bytes()
    if not isinstance(content, bytes) or not content.startswith(PNG) or len(content) < 24:
        raise ClimateBNError(
            f"picture must be a matplotlib figure, the bytes of a PNG file or its path; got {type(picture).__name__}"
        )
    return content


def _written(value: Any, how: str | Callable[[Any], str]) -> str:
    if isinstance(value, Markup):
        return value
    if value is None or value is pd.NaT or value != value:
        return "–"
    text = how(value) if callable(how) else format(value, how)
    return text.replace("-", "−") if isinstance(value, int | float) else text
