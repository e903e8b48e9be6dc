"""Held-out skill in the report: each model's gain, and how far the ensemble is ahead of it, with a paired error."""

import pandas as pd

from climatebn import pages
from climatebn.pages.parts import Part
from climatebn.study.showcase.findings import signed, unbroken

CLEAR = 2.0  # standard errors


def skill_section(skill: pd.DataFrame, label: str, members: int) -> list[Part]:
    """The sentence and the table; the first model is the one that the others are compared with."""
    first = skill["model"].iloc[0]
    others = skill[skill["model"] != first]
    cells = [
        f"{gain:.4f} {unbroken(f'({signed(ahead, 4)} ± {error:.4f})')}"
        for gain, ahead, error in others[["gain", "ahead", "ahead_se"]].to_numpy()
    ]
    own = [f"{gain:.4f}" for gain in skill.loc[skill["model"] == first, "gain"]]
    shown = skill.assign(cell=[*own, *cells])
    table = shown.pivot(index="model", columns="places", values="cell").reindex(skill["model"].unique()).reset_index()
    table = table.rename(columns={k: f"{k} place{'s' * (k > 1)}" for k in skill["places"].unique().tolist()})
    words = (
        "Gain over climatology in nats a place and month, in held-out years, when the values of a few random places "
        f"are given. The ensemble is the mean of {members} members of {label}; in brackets what the other models gain "
        f"more than it on the same places and years, ± the standard error over folds. {verdict(others)}"
    )
    return [words, pages.table(table)]


def verdict(others: pd.DataFrame) -> str:
    """Where the ensemble is not ahead of all others by more than two standard errors, and by whom.

    >>> table = {"model": ["a", "b"], "places": [1, 1], "ahead": [-0.2, 0.1], "ahead_se": [0.05, 0.02]}
    >>> verdict(pd.DataFrame(table))
    'For some numbers of places it is not clearly ahead: b tells more (1).'
    """
    said = []
    for model, rows in others.groupby("model", sort=False):
        better = rows[rows["ahead"] > CLEAR * rows["ahead_se"]]["places"]
        open_ = rows[rows["ahead"].abs() <= CLEAR * rows["ahead_se"]]["places"]
        said += [f"{model} tells more ({', '.join(map(str, better))})"] if len(better) else []
        said += [f"{model} is within two standard errors ({', '.join(map(str, open_))})"] if len(open_) else []
    if not said:
        return "It is ahead of every other model by more than two standard errors, for every number of places."
    return f"For some numbers of places it is not clearly ahead: {'; '.join(said)}."
