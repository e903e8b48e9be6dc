"""The templates behind every page (Jinja2, escaping on)."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """All templates of the room; a name that a template does not get is an error, not an empty place."""
    return Environment(
        loader=FileSystemLoader(FOLDER, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def part(name: str, **values: Any) -> Markup:
    """One macro of ``parts.html``, filled in."""
    macro: Any = getattr(environment().get_template("parts.html").module, name)
    return Markup(macro(**values))


def style_sheet() -> Markup:
    """The one style sheet, as it stands in every page."""
    return Markup((FOLDER / "style.css").read_text(encoding="utf-8"))
