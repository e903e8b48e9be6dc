"""The few lines behind every ``_repr_html_``: a head line, facts, and sections to fold out. Everything is escaped."""

from collections.abc import Iterable, Mapping
from html import escape

STYLE = (
    "<style>.climatebn{font-size:90%;line-height:1.5;max-width:60em}.climatebn .kind{opacity:.7}"
    ".climatebn table{margin:.2em 0 .4em 1em;border:none}.climatebn td{text-align:left!important;padding:0 1em 0 0;"
    "border:none;background:none;vertical-align:top;white-space:pre-wrap}.climatebn summary{cursor:pointer}</style>"
)


def box(kind: str, line: str, facts: Mapping[str, object], sections: Mapping[str, object] | None = None) -> str:
    """One object: its kind and one line, its facts, and sections (mappings, or lines of text); empty ones are left out.

    >>> "&lt;b&gt;" in box("NodeData", "<b>", {})
    True
    """
    folded = "".join(
        f"<details><summary>{escape(title)}</summary>{_content(content)}</details>"
        for title, content in (sections or {}).items()
        if content
    )
    head = f'<div><span class="kind">climatebn.{escape(kind)}</span> {escape(line)}</div>'
    return f'{STYLE}<div class="climatebn">{head}{_table(facts)}{folded}</div>'


def _table(facts: Mapping[str, object]) -> str:
    shown = {name: value for name, value in facts.items() if value not in (None, "")}
    return _rows((escape(name), escape(str(value))) for name, value in shown.items())


def _content(content: object) -> str:
    if isinstance(content, Mapping):
        return _table(content)
    lines = content.splitlines() if isinstance(content, str) else content
    return _rows((escape(str(line)),) for line in lines) if isinstance(lines, Iterable) else ""


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows) + "</table>"
