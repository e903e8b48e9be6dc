"""γ as it is typed: a number, or ``auto`` for the one that held-out years choose."""

import math
from typing import Any

import click


class GammaOption(click.ParamType):
    """A number ≥ 0, or the word auto."""

    name = "γ|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or "auto"."""
        if value == "auto" or isinstance(value, float):
            return value
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number nor auto", param, ctx)
        if not 0 <= number < math.inf:
            self.fail(f"{value} is not a number of 0 or more", param, ctx)
        return number


def chosen_gamma(gamma: Any, data: Any, algorithm: str, progress: bool, say: Any) -> Any:
    """The number itself; for auto the γ under which held-out years are most likely."""
    if gamma != "auto":
        return gamma
    from climatebn.ingest import year_blocks
    from climatebn.uncertainty import choose_gamma

    folds = min(10, len(set(year_blocks(data).tolist())))
    found = choose_gamma(data, algorithm, folds=folds, progress=progress)
    best, near = found.best, found.parsimonious
    say(f"γ = {best:g} makes held-out years most likely (γ = {near:g} is within one paired standard error)")
    return best
