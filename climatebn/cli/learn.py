"""`climatebn learn`: one network from a NetCDF or Zarr file."""

import ast
from itertools import count
from pathlib import Path
from typing import Any

import click

from climatebn.cli.field_options import FieldOptions, announced, field_options
from climatebn.cli.gamma_option import GammaOption, chosen_gamma
from climatebn.cli.wording import in_options
from climatebn.files import same_file


@click.command()
@click.argument("source", metavar="FILE")
@click.option("--algorithm", default="tabu", show_default=True, help="One of climatebn.algorithms().")
@click.option("--criterion", default="BIC", show_default=True, help="One of climatebn.criteria(), e.g. BGe or G2.")
@click.option("--gamma", type=GammaOption(), help="γ of BIC: weight of log N in the penalty; auto.  [default: 0]")
@click.option("--alpha", type=float, help="Level of a test.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Own option of the algorithm; climatebn.algorithms(NAME) lists them.",
)
@field_options(grid=None, grid_help="Average to cells of this many degrees first.  [default: FILE's own]")
@click.option("--max-seconds", type=float, help="Stop there with what has been found.")
@click.option("--seed", type=int, help="For algorithms with randomness.")
@click.option(
    "--scale",
    type=click.Choice(["none", "sd"]),
    default="none",
    show_default=True,
    help="Units of the saved network: those of FILE, or sd.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Network file (NetCDF).  [default: FILE's name + .bn.nc]")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    asked: FieldOptions,
    source: str,
    algorithm: str,
    criterion: str,
    gamma: Any,
    alpha: float | None,
    options: tuple[str, ...],
    max_seconds: float | None,
    seed: int | None,
    scale: Any,
    out: Path | None,
    quiet: bool,
) -> None:
    """Learn a network from the monthly anomalies of FILE and save it.

    A valid graph is fitted and saved as a network (NetCDF). A graph that is not valid has no parameters: its edges and
    conflicts are saved as JSON instead, and an earlier network of that name is moved aside. After Ctrl-C the best
    network so far is saved.
    """
    import climatebn as cb

    target = out or Path(f"{Path(source.rstrip('/')).stem}.bn.nc")
    if same_file(target, source):
        raise click.UsageError(f"--out {target} is the input itself; give another name")
    edges = _edges_file(target)
    if gamma != "auto":
        _criterion(criterion, gamma, alpha)  # refused before the field is read
    elif criterion != "BIC":
        raise click.UsageError(f"--gamma auto is for BIC; the criterion is {criterion}")
    own = _options(algorithm, options)
    say: Any = (lambda line: None) if quiet else click.echo
    field = asked.opened(source, say)
    data = cb.to_nodes(cb.anomalies(field, **asked.anomalies), **asked.nodes)
    announced(len(data.names), say)
    chosen = _criterion(criterion, chosen_gamma(gamma, data, algorithm, not quiet, say), alpha)
    result = cb.learn(data, algorithm, chosen, seed=seed, max_seconds=max_seconds, progress=not quiet, **own)
    if result.stopped == "interrupted" and not result.graph.skeleton:
        kept = f"{target} is as it was before" if target.exists() else "nothing is saved"
        raise KeyboardInterrupt(f"interrupted before an arc was found; {kept}")
    if result.valid:
        cb.fit(result, data, scale=scale).save(target)
    else:
        result.save(edges)
        if target.exists():  # it is not of this graph
            aside = _free_name(target)
            target.replace(aside)
            click.echo(f"the earlier {target} is now {aside}", err=True)
        target = edges
    if not quiet:
        click.echo("\n".join(_summary(result, data, target)))
    if result.stopped == "interrupted":
        raise KeyboardInterrupt(f"interrupted; the best network so far is saved to {target}")


def _free_name(target: Path) -> Path:
    """A name for an earlier network that no file has yet."""
    names = (target.with_suffix(f".earlier{number or ''}{target.suffix}") for number in count())
    return next(name for name in names if not name.exists())


def _edges_file(target: Path) -> Path:
    """Where the edges of a graph that is not valid are saved; a file of that name that is something else stays."""
    from climatebn.errors import ClimateBNError
    from climatebn.learning import LearnResult

    for path in (target.with_suffix(".json"), target.with_suffix(".edges.json")):
        if not path.exists():
            return path
        try:
            LearnResult.load(path)
        except (ClimateBNError, OSError):
            continue
        return path
    raise ClimateBNError(f"{path} exists and is not a result of climatebn; give another name with --out")


def _criterion(name: str, gamma: float | None, alpha: float | None) -> Any:
    from climatebn.criterion import find
    from climatebn.errors import ClimateBNError

    settings = {key: value for key, value in (("gamma", gamma), ("alpha", alpha)) if value is not None}
    try:
        return find(name)(**settings)
    except TypeError:
        raise ClimateBNError(f"{name} does not take {' and '.join(f'--{key}' for key in settings)}") from None


def _options(algorithm: str, settings: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE pairs of the algorithm; a value that is a Python literal is read as one, any other is text."""
    from climatebn.errors import unknown
    from climatebn.learning.registry import find, option_names

    known = [name for name in option_names(find(algorithm)[1]) if name != "candidates"]
    options = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--option takes NAME=VALUE, e.g. max_iter=100; got {setting!r}")
        if name not in known:
            raise unknown(f"option of {algorithm}", name, known)
        try:
            options[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[name] = value
    return options


def _summary(result: Any, data: Any, target: Path) -> list[str]:
    import climatebn as cb
    from climatebn.analysis.arcs import TELECONNECTION_KM

    long = int((cb.analysis.arc_lengths(result, data)["km"] > TELECONNECTION_KM).sum())
    state = "valid" if result.valid else f"not valid: {result.reason}"
    return [
        f"{result.algorithm}, {result.criterion}",
        f"  {len(result.graph)} nodes, {len(result.graph.skeleton)} arcs, {long} of them over {TELECONNECTION_KM:g} km",
        f"  {result.calls} calls, {result.seconds:.2f} s; {state}",
        *(f"  note: {in_options(note)}" for note in result.notes),
        f"  saved to {target}",
    ]
