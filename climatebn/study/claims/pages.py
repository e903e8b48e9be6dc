"""Claims as `claims.csv` and `claims.md`, in one form for every study."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from climatebn.files import write_csv, write_text
from climatebn.study.claims.claim import Claim, verdict

COLUMNS = ("id", "setting", "claim", "paper", "rule", "found", "holds", "why")


def to_frame(claims: Sequence[Claim]) -> pd.DataFrame:
    """A row a claim; ``holds`` is yes, no or undetermined; ``scheme`` where claims are judged under several."""
    frame = pd.DataFrame(claims, columns=list(Claim._fields))
    frame["holds"] = [verdict(claim.holds) for claim in claims]
    return frame[[*COLUMNS, "scheme"] if frame["scheme"].any() else list(COLUMNS)]


def write_claims(claims: Sequence[Claim], page: str, folder: Path) -> None:
    """Both files."""
    write_csv(folder / "claims.csv", to_frame(claims))
    write_text(folder / "claims.md", page)


def page(title: str, introduction: Sequence[str], claims: Sequence[Claim]) -> str:
    """A page: what was run, all claims, and what stands against those that fail or is missing to judge them."""
    rows = [(c.id, c.setting, c.claim, c.paper, c.rule, c.found, f"**{verdict(c.holds)}**") for c in claims]
    lines = [f"# {title}", "", *introduction, ""]
    lines += table(("", "setting", "claim", "the paper", "the rule", "found", "holds"), rows)
    for holds, words in ((False, "What stands against the claims that fail:"), (None, "What could not be judged:")):
        some = [c for c in claims if c.holds is holds]
        if some:
            lines += ["", words, "", *(f"- **{c.id}**: {c.why or 'no cell to judge it by'}." for c in some)]
    return "\n".join([*lines, ""])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table; bars inside cells are escaped, so that none ends a column."""
    cells = [" | ".join(text.replace("|", r"\|") for text in row) for row in rows]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {row} |" for row in cells)]
