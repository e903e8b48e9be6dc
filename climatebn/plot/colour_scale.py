"""Which colours a field gets: what the caller gives (as in xarray), else by its sign and its values."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.colors import BoundaryNorm, Colormap, Normalize
from matplotlib.ticker import MaxNLocator

from climatebn.errors import ClimateBNError, unknown, whole
from climatebn.ingest.field.units import temperature_unit

DIVERGING, SEQUENTIAL = "RdBu_r", "viridis"  # both readable with any kind of colour vision
MOST_CLASSES = 256  # as many as a colour map tells apart
SIGNED_WORDS = (
    "anomal", "difference", "change", "response", "correlation", "coefficient", "trend", "skew", "minus", "departure",
)  # fmt: skip


Side = Literal["neither", "min", "max", "both"]
Colours: TypeAlias = str | Colormap


def colour_map(cmap: Colours | None, default: Colours) -> Colormap:
    """Colours by name or as they are; those of ``default`` when None."""
    chosen = default if cmap is None else cmap
    if isinstance(chosen, Colormap):
        return chosen
    if not isinstance(chosen, str) or chosen not in mpl.colormaps:
        raise unknown("cmap", chosen, mpl.colormaps)
    return mpl.colormaps[chosen]


class Scale(NamedTuple):
    """Colours of values, and on which side values lie beyond them ("neither", "min", "max", "both")."""

    norm: Normalize
    cmap: Colormap
    extend: Side


def signed(da: xr.DataArray) -> bool:
    """Whether 0 is the middle of a quantity: by its name, or as its values have both signs (not of a temperature)."""
    if any(word in f"{da.name} {da.attrs.get('long_name', '')}".lower() for word in SIGNED_WORDS):
        return True
    if temperature_unit(da.attrs.get("units", "")):
        return False
    return bool((da < 0).any() and (da > 0).any())


def colour_scale(
    da: xr.DataArray,
    *,
    diverging: bool | None,
    vmin: float | None,
    vmax: float | None,
    cmap: Colours | None,
    norm: Normalize | None,
    levels: int | Sequence[float] | None,
    extend: Side | None,
) -> Scale:
    """The scale of a field; see `climatebn.plot.field`."""
    values = da.values[np.isfinite(da.values)]
    if not len(values):
        raise ClimateBNError("the field has no finite value to draw")
    if norm is not None and (vmin is not None or vmax is not None or levels is not None):
        raise ClimateBNError("norm is given: leave out vmin, vmax and levels, which it would hide")
    if extend not in (None, "neither", "min", "max", "both"):
        raise ClimateBNError(f'extend must be "neither", "min", "max" or "both"; got {extend!r}')
    diverging = signed(da) if diverging is None else diverging
    colours = colour_map(cmap, DIVERGING if diverging else SEQUENTIAL)
    if norm is not None:
        norm.autoscale_None(values)
        return Scale(norm, colours, extend or beyond(values, norm.vmin, norm.vmax))
    if levels is not None and not isinstance(levels, int | np.integer):
        borders = np.atleast_1d(np.asarray(levels, dtype=float))
        if len(borders) < 2 or not (np.diff(borders) > 0).all():
            raise ClimateBNError(f"levels must be a number of classes, or two or more rising borders; got {levels!r}")
        return _classes(borders, colours, extend or _sides(beyond(values, borders[0], borders[-1]), diverging))
    low, high = _limits(values, diverging, vmin, vmax)
    side = extend or beyond(values, low, high)
    if levels is None:
        return Scale(Normalize(low, high), colours, side)
    locator = MaxNLocator(whole("levels", levels, 1, MOST_CLASSES), min_n_ticks=2, symmetric=diverging)
    return _classes(np.asarray(locator.tick_values(low, high)), colours, extend or _sides(side, diverging))


def _sides(side: Side, diverging: bool) -> Side:
    """Both sides or neither where colours are centred: one more class on one side would move the centre."""
    return "both" if diverging and side != "neither" else side


def _limits(values: np.ndarray, diverging: bool, vmin: float | None, vmax: float | None) -> tuple[float, float]:
    if not diverging:
        low = float(values.min() if vmin is None else vmin)
        high = float(values.max() if vmax is None else vmax)
        return (low, high) if low < high else (low - 0.5, low + 0.5)
    reach = max((abs(bound) for bound in (vmin, vmax) if bound is not None), default=float(np.abs(values).max()))
    return -float(reach or 1.0), float(reach or 1.0)


def _classes(borders: np.ndarray, colours: Colormap, extend: Side) -> Scale:
    sides = len(borders) - 1 + (2 if extend == "both" else extend in ("min", "max"))
    return Scale(BoundaryNorm(borders, max(colours.N, sides), extend=extend), colours, extend)


def beyond(values: np.ndarray, low: Any, high: Any) -> Side:
    """On which side values lie beyond two ends: "neither", "min", "max" or "both"."""
    slack = 1e-9 * max(abs(low or 0.0), abs(high or 0.0))
    below = low is not None and values.min() < low - slack
    above = high is not None and values.max() > high + slack
    if below and above:
        return "both"
    return "min" if below else "max" if above else "neither"
