"""`report.html`: everything the main job found on one page that needs no other file."""

import base64
import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from climatebn.provenance import versions
from climatebn.study.showcase.findings import place

if TYPE_CHECKING:
    from climatebn.study.showcase.main_job import MainResult

STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; color: #1c2733; background: #fff; margin: 2.5rem auto; max-width: 62rem;
  padding: 0 1.2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .3rem } h2 { margin-top: 2.8rem; font-size: 1.3rem }
p.lead { color: #51606e; margin-top: 0 } figure { margin: 1.4rem 0 } img { max-width: 100%; height: auto }
figcaption { color: #51606e; font-size: .9rem } table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid #d9e0e6; vertical-align: top }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums } td.meaning { color: #51606e }
tr.numbers th, tr.numbers td { border-bottom: none; padding-bottom: 0 } tr.numbers { break-after: avoid }
.wide { overflow-x: auto } .note { background: #fff6e0; border-left: 4px solid #d9a400; padding: .6rem .9rem }
code, pre { font-size: .86rem; background: #f3f5f7 } pre { padding: .8rem; overflow-x: auto; white-space: pre-wrap }
"""

FIGURES = {
    "figure1_field": (
        "The field",
        "Top: the mean. Bottom: one month minus the mean of its calendar month (January 1998, the height of an El "
        "Niño, where the field has it). Networks are learned from such anomalies, never from the mean or the seasons.",
    ),
    "figure4_networks": (
        "Two networks and their answers",
        "Top: every arc; those over 5000 km, teleconnections, are black. Bottom: how much more likely a warm (red) or "
        "cold (blue) extreme becomes once the boxed node is known to have that value. Both maps share one scale.",
    ),
    "correlation_network": (
        "The baseline: pairs with the largest correlations",
        "As many arcs as the tabu network has, given to the most correlated pairs. In such a network evidence reaches "
        "direct neighbours only.",
    ),
    "strength_distance": (
        "What an arc is worth, by its length",
        "Strength is the BIC (γ = 0) that the network would lose without the arc; arcs over 5000 km are red. A search "
        "lets no arc in that is worth less than its price, so the lower edge is no property of the climate.",
    ),
    "vstructures": (
        "V-structures",
        "Two places that act on a third without being joined themselves. Bars: their share among all pairs of arcs "
        "that meet. Marks: what random graphs of the same size have.",
    ),
}

CITE = (
    "climatebn (this program); Scutari, Graafland and Gutiérrez (2019), Int. J. Approx. Reasoning 115, 235–253, "
    "doi:10.1016/j.ijar.2019.10.003 (the methods); NCEP-NCAR Reanalysis 1 data provided by the NOAA PSL, Boulder, "
    "Colorado, USA, https://psl.noaa.gov (the embedded field)."
)


def report_page(result: "MainResult", folder: Path) -> str:
    """The page, with the figures of ``folder`` inside."""
    first = result.answers[0]
    given = _evidence(result)
    parts = [
        f"<h1>What {escape(given)} means for the rest of the world</h1>",
        f'<p class="lead">{escape(_data_line(result))}</p>',
        *(f'<p class="note">{escape(note)}</p>' for note in result.notes),
        _figure(folder, "el_nino", f"Rise in the probability of extremes given {given}, by exact inference in the "
                f"network of {first.label}. Blank: less than 0.05."),
        "<h2>The numbers that matter</h2>",
        _summary(result),
        *(f"<h2>{escape(title)}</h2>{_figure(folder, name, words)}" for name, (title, words) in FIGURES.items()),
        *(f"<h2>Strongest teleconnections: {escape(item.label)}</h2>{_arcs(item.long.head(10))}"
          for item in result.answers if item.result is not None),
        "<h2>How it was made</h2>",
        _provenance(result),
        f"<h2>How to cite</h2><p>{escape(CITE)}</p>",
    ]  # fmt: skip
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>climatebn run</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _figure(folder: Path, name: str, words: str) -> str:
    image = base64.b64encode((folder / f"{name}.png").read_bytes()).decode("ascii")
    alt = escape(words, quote=True)
    source = f'<img alt="{alt}" src="data:image/png;base64,{image}">'
    return f"<figure>{source}<figcaption>{escape(words)}</figcaption></figure>"


def _summary(result: "MainResult") -> str:
    """A row of numbers and, under it, what they mean."""
    head = "".join(f"<th>{escape(item.label)}</th>" for item in result.answers)
    body = ""
    for found in result.findings:
        numbers = "".join(f'<td class="number">{escape(value)}</td>' for value in found.values)
        body += f'<tr class="numbers"><th>{escape(found.name)}</th>{numbers}</tr>'
        body += f'<tr><td class="meaning" colspan="{len(found.values) + 1}">{escape(found.meaning)}.</td></tr>'
    return f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _arcs(long: pd.DataFrame) -> str:
    if long.empty:
        return "<p>None: every arc is shorter than 5000 km.</p>"
    rows = [
        [
            f"{arc['from']} ({place(arc['from_lat'], arc['from_lon'])})",
            f"{arc['to']} ({place(arc['to_lat'], arc['to_lon'])})",
            f"{arc['km']:.0f}",
            f"{arc['strength']:.1f}",
        ]
        for _, arc in long.iterrows()
    ]
    return _table(["from", "to", "length [km]", "strength [nats of BIC]"], rows, ["", "", "number", "number"])


def _provenance(result: "MainResult") -> str:
    learned = "".join(
        f"<li>{escape(item.label)}: {escape(item.result.algorithm)}, {escape(item.result.criterion)}, "
        f"{len(item.result.graph.pairs)} arcs, {item.result.calls} calls, {item.result.seconds:.2f} s</li>"
        for item in result.answers
        if item.result is not None
    )
    used = ", ".join(f"{name} {version}" for name, version in versions().items())
    history = escape(str(result.data.attrs.get("history", "")))
    return f"<ul>{learned}</ul><p>{escape(used)}</p><pre>{history}</pre>"


def _table(header: list[str], rows: list[list[str]], classes: list[str]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{escape(value)}</td>' for kind, value in zip(classes, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _evidence(result: "MainResult") -> str:
    """The evidence in words: X81 (5°S 135°W) = +2 sd."""
    given: dict[str, float] = json.loads(result.answers[0].response.attrs["evidence"])
    at = result.data.nodes.positions(given)
    spots = [place(result.data.lat[i], result.data.lon[i]) for i in at]
    return ", ".join(
        f"{name} ({spot}) = {value:+g} sd" for (name, value), spot in zip(given.items(), spots, strict=True)
    )


def _data_line(result: "MainResult") -> str:
    data = result.data
    first, last = (str(time)[:7] for time in (data.time[0], data.time[-1]))
    units = data.units or "their own units"
    return f"{len(data.names)} places, {len(data)} months ({first} … {last}), anomalies in {units}."
