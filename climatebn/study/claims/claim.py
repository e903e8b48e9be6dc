"""A claim of the paper and its verdict: what was found, in the paper's own form, whether it holds, and why not.

A claim may have several parts; it holds when each part does. The rules are fixed beforehand:

- A counted claim, k of m, holds when the found share lies on the same side of one half as the paper's and within 0.25
  of it (a paper's share of exactly one half: within 0.25 of it).
- A ranged claim holds when the median lies in the range.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

NEAR = 0.25  # shares nearer than this are alike
NAMED = 8  # what stands against a claim is named up to here


class Claim(NamedTuple):
    """``holds`` is None when the study has not the cells to tell; ``why`` is then what is missing, else what stands
    against a claim that fails. ``scheme``: the criteria that the networks were learned with, where a study has several.
    """

    id: str
    setting: str
    claim: str
    paper: str
    rule: str
    found: str
    holds: bool | None
    why: str = ""
    scheme: str = ""


class Part(NamedTuple):
    """One part of a claim: what was found, whether it holds (None: nothing to tell from), what stands against it."""

    found: str
    holds: bool | None
    why: str = ""


def joined(parts: Sequence[Part]) -> Part:
    """All parts as one: it holds when each does, and is undetermined when one is."""
    told = [part.holds for part in parts]
    holds = None if None in told else all(told)
    against = [part.why for part in parts if part.why and part.holds is not True]
    return Part(", ".join(part.found for part in parts), holds, "; ".join(against) if holds is not True else "")


def alike(found: float, paper: float) -> bool:
    """Whether two shares lie on the same side of one half and within 0.25 of each other."""
    same_side = paper == 0.5 or (found - 0.5) * (paper - 0.5) > 0
    return bool(same_side and abs(found - paper) <= NEAR + 1e-12)


def counted(flags: pd.Series, paper: float, where: str = "") -> Part:
    """How many of the panels (the index of ``flags``), beside the paper's share."""
    after = f" {where}" if where else ""
    if flags.empty:
        return Part(f"0/0{after}", None, f"no panel{after}")
    holds = alike(float(flags.mean()), paper)
    usual = flags.mean() < paper  # too few are like the paper, or too many
    against = flags.index[flags != usual]
    part = f"{where}: " if where else ""
    why = f"{part}{'not ' if usual else ''}so in {listed(against)}"
    return Part(f"{flags.sum()}/{len(flags)}{after}", holds, why)


def shared(flags: pd.Series, words: str, *, least: float = 0.0, most: float = 1.0, strict: bool = False) -> Part:
    """A share that must be at least (with ``strict``: more than) or at most some number."""
    if flags.empty:
        return Part(f"{words} 0/0", None, f"no panel to judge whether {words}")
    share = float(flags.mean())
    enough = share > least + 1e-12 if strict else share >= least - 1e-12
    holds = enough and share <= most + 1e-12
    against = flags.index[~flags] if not enough else flags.index[flags]
    said = f"{words} in {flags.sum()}/{len(flags)}"
    return Part(said, holds, f"{words}: {'so' if enough else 'not so'} in {listed(against)}")


def ranged(values: pd.Series, low: float, high: float, words: str) -> Part:
    """The median beside a range."""
    values = values.dropna()
    if values.empty:
        return Part(f"{words}: none", None, f"nothing to judge {words} by")
    median = float(values.median())
    spread = f"{np.min(values):.2f} … {np.max(values):.2f}"
    return Part(f"{words} {median:.2f}", bool(low <= median <= high), f"{words}: median {median:.2f}, all in {spread}")


def listed(index: pd.Index) -> str:
    """Panels by name, the first few: `ALARM small, CHILD small and 3 more`."""
    levels = [index.get_level_values(place) for place, name in enumerate(index.names) if name != "kind"]
    names = [" ".join(map(str, item)) for item in zip(*levels, strict=True)]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def verdict(holds: bool | None) -> str:
    """yes, no, or undetermined."""
    return "undetermined" if holds is None else "yes" if holds else "no"
