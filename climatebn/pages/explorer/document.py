"""The page as one HTML file: style, scripts and content inside; a policy in its head lets nothing else in.

Scripts and style are allowed by their hashes, so that no text of a network file can become one. The content is JSON
in which `<` is written `\\u003c`: nothing in it can end its element.
"""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

TITLE = "climatebn explorer"
FOLDER = Path(__file__).parent / "page"
ALGEBRA = ("inflate", "numbers", "normal", "inference", "models")
SCRIPTS = (*ALGEBRA, "address", "colours", "geometry", "map", "words", "tables", "app")


def document(content: dict[str, Any], title: str, served: bool = False) -> str:
    """The text of the page."""
    style = _read("explorer.css")
    scripts = [_read(f"{name}.js") for name in SCRIPTS]
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return _template().render(
        title=title,
        policy=policy(served),
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        content=Markup(data),
    )


@cache
def policy(served: bool) -> str:
    """The Content-Security-Policy: these scripts, this style, pictures made by the page itself, nothing else."""
    scripts = " ".join(_hashed(_read(f"{name}.js")) for name in SCRIPTS)
    asks = "'self'" if served else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hashed(_read('explorer.css'))}; "
        f"img-src data: blob:; connect-src {asks}; base-uri 'none'; form-action 'none'"
    )


@cache
def _template() -> Any:
    loader = FileSystemLoader(FOLDER, encoding="utf-8")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("explorer.html")


@cache
def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hashed(text: str) -> str:
    digest = hashlib.sha256(f"\n{text}".encode()).digest()  # the line break after the opening tag belongs to it
    return f"'sha256-{base64.b64encode(digest).decode()}'"
