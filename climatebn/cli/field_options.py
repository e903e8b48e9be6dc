"""The options that say which field is learned from and how it is prepared; `run` and `learn` share them."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, Literal

import click

Say = Callable[[str], None]

# Hill climbing at γ = 1 on the native 2.5° grid: 10 226 nodes, 29 s, 4.3 GB; on 5°: 2592 nodes, 1.4 s.
MEASURED_NODES, MEASURED_SECONDS, MEASURED_GB, GROWTH = 10_226, 29.0, 4.3, 2.2
LARGE_GB, LONG_SECONDS = 4.0, 60.0

OPTIONS = (
    click.option("--variable", help="Name of the variable in FILE, when it has several."),
    click.option("--select", multiple=True, metavar="DIM=VALUE", help="Of FILE, e.g. level=500 or time=1981:2010."),
    click.option("--monthly", is_flag=True, help="Average daily or finer data to months."),
    click.option("--units", help="Units of the values, if FILE does not state them."),
    click.option("--min-cover", type=float, default=0.5, show_default=True, help="Share of a cell that needs data."),
    click.option("--mask", type=click.Choice(["land", "ocean"]), help="Keep only cells whose centre is land (ocean)."),
    click.option("--base", nargs=2, metavar="FIRST LAST", help="Years of the climatology.  [default: all whole years]"),
    click.option("--detrend", is_flag=True, help="Remove each place's linear trend."),
    click.option("--season", metavar="DJF", help="Learn from these months only, e.g. DJF, NDJFM or 12,1,2."),
    click.option("--drop-missing", is_flag=True, help="Leave out missing, constant, repeated places."),
)  # fmt: skip


@dataclass(frozen=True)
class FieldOptions:
    """What was asked of the field; `prepared` does it."""

    variable: str | None
    select: tuple[str, ...]
    monthly: bool
    units: str | None
    min_cover: float
    mask: Literal["land", "ocean"] | None
    base: tuple[str, str] | None
    detrend: bool
    season: str | None
    drop_missing: bool
    grid: float | None
    quiet: bool = False

    @property
    def anomalies(self) -> dict[str, Any]:
        """Arguments of `climatebn.anomalies`."""
        return {"base": self.base, "detrend": "linear" if self.detrend else None}

    @property
    def nodes(self) -> dict[str, Any]:
        """Arguments of `climatebn.to_nodes`."""
        missing = "drop_nodes" if self.drop_missing or self.mask else "raise"  # a mask leaves cells without values
        degenerate = "drop" if self.drop_missing else "raise"
        return {"missing": missing, "degenerate": degenerate, "months": _months(self.season)}

    @property
    def opening(self) -> dict[str, Any]:
        """Arguments of `climatebn.open_field` beside the variable."""
        return {
            "select": _selected(self.select),
            "monthly": self.monthly,
            "units": self.units,
            "progress": not self.quiet,
        }

    @property
    def reading(self) -> dict[str, Any]:
        """What was asked of the file and its grid, for the record."""
        chosen = {dim: str(value) for dim, value in (_selected(self.select) or {}).items()}
        names = ("variable", "monthly", "units", "grid", "min_cover", "mask")
        return {"select": chosen, **{name: getattr(self, name) for name in names}}

    def opened(self, source: str, say: Say) -> Any:
        """The field on its grid, masked; its time axis is checked before anything long is done."""
        import climatebn as cb
        from climatebn.ingest.nodes.season import season_months

        months, grid = self.nodes["months"], cb.Grid.regular(self.grid) if self.grid else None
        if months is not None:
            season_months(months)  # a wrong season is refused before the file is read
        say(f"opening {source}")
        field = cb.open_field(source, self.variable, **self.opening)
        if grid is not None:
            say(f"means over cells of {self.grid:g}°")
            field = cb.regrid(field, grid, min_cover=self.min_cover)
        field = field.compute()
        return self.masked(field)

    def masked(self, field: Any) -> Any:
        """The field without the cells that --mask leaves out."""
        import climatebn as cb

        return field if self.mask is None else cb.mask(field, self.mask)


def field_options(*, grid: float | None, grid_help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the command gets all of them as one argument, ``asked``."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(**arguments: Any) -> Any:
            own = {part.name: arguments.pop(part.name) for part in fields(FieldOptions) if part.name != "quiet"}
            return function(asked=FieldOptions(**own, quiet=arguments["quiet"]), **arguments)

        shown = grid is not None
        options = (click.option("--grid", type=float, default=grid, show_default=shown, help=grid_help), *OPTIONS)
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def announced(nodes: int, say: Say) -> None:
    """Say how much memory and time a search over many nodes takes, and the way out."""
    memory = MEASURED_GB * (nodes / MEASURED_NODES) ** 2
    seconds = MEASURED_SECONDS * (nodes / MEASURED_NODES) ** GROWTH
    if memory > LARGE_GB or seconds > LONG_SECONDS:
        time = f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} s"
        say(
            f"{nodes} nodes need about {memory:.0f} GB and {time} or more for each search (more with a small γ); "
            "--grid 5 or --grid 10 makes fewer"
        )


def _selected(settings: tuple[str, ...]) -> dict[str, Any] | None:
    """DIM=VALUE or DIM=FIRST:LAST; numbers are read as numbers."""
    chosen: dict[str, Any] = {}
    for setting in settings:
        dim, equals, value = setting.partition("=")
        if not (dim and equals and value):
            raise click.UsageError(f"--select takes DIM=VALUE, e.g. level=500; got {setting!r}")
        first, between, last = value.partition(":")
        chosen[dim] = slice(_literal(first), _literal(last)) if between else _literal(value)
    return chosen or None


def _literal(text: str) -> Any:
    """A number where it is one, nothing for nothing, else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text or None


def _months(season: str | None) -> Any:
    if season is None or not any(letter.isdigit() for letter in season):
        return season
    try:
        return [int(month) for month in season.split(",")]
    except ValueError:
        raise click.UsageError(
            f"--season takes initials such as DJF, or numbers such as 12,1,2; got {season!r}"
        ) from None
