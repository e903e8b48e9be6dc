"""Networks in the Bayesian Interchange Format (BIF 0.15): `read_bif` and `write_bif`.

    variable NAME { type discrete [ 2 ] { a, b }; }
    probability ( NAME | PARENT, … ) { (level, …) 0.1, 0.9; … }        or  { table 0.1, 0.9; }

A `table` of a node with parents counts through child, then parents, the last one fastest (as the format says);
`default` fills the rows that are not given; `property` entries and comments are passed over.
"""

import math
from collections.abc import Iterator
from os import PathLike
from typing import NamedTuple

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.files import read_text, write_text
from climatebn.graph import Dag
from climatebn.network.bif_scanner import Scanner, Token, is_plain
from climatebn.network.discrete_bn import LARGEST, DiscreteBN


@public
def read_bif(path: str | PathLike[str]) -> DiscreteBN:
    """Read a discrete network from a BIF file; what is wrong in it is named by file and line.

    Parameters
    ----------
    path : a BIF file.

    Returns
    -------
    DiscreteBN; rows of its tables are made to sum to 1.

    Raises
    ------
    ClimateBNError with the file and the line that are wrong.

    Examples
    --------
    >>> import climatebn as cb
    >>> from tempfile import mkdtemp
    >>> path = mkdtemp() + "/child.bif"
    >>> cb.write_bif(cb.reference_network("child"), path)
    >>> len(cb.read_bif(path).names)
    20
    """
    return _network(Scanner(str(path), read_text(path, "BIF file", "utf-8-sig")))


@public
def write_bif(network: DiscreteBN, path: str | PathLike[str]) -> None:
    """Write a discrete network as a BIF file that `read_bif` reads back to the same bits.

    Parameters
    ----------
    network : a discrete network.
    path : the file to write; it is written whole or not at all.

    Raises
    ------
    ClimateBNError where a name cannot stand in a BIF file.

    Examples
    --------
    >>> import climatebn as cb
    >>> from tempfile import mkdtemp
    >>> path = mkdtemp() + "/child.bif"
    >>> cb.write_bif(cb.reference_network("child"), path)
    >>> open(path, encoding="utf-8").readline().strip()
    'network unknown {'
    """
    write_text(path, "\n".join([*_lines(network), ""]))


class _Table(NamedTuple):
    """A table as it stands in the file: its axes are the parents in the file's order, then the node."""

    parents: tuple[str, ...]
    values: np.ndarray
    place: int


def _network(scan: Scanner) -> DiscreteBN:
    levels: dict[str, tuple[str, ...]] = {}
    tables: dict[str, _Table] = {}
    cells = 0  # of all tables so far
    while (keyword := scan.expect("network", "variable", "probability", "")).value:
        if keyword.value == "network":
            scan.word("a name of the network")
            scan.expect("{")
            while scan.expect("property", "}").value != "}":
                scan.skip_property()
        elif keyword.value == "variable":
            name = scan.word("a name of a variable")
            if name.value in levels:
                scan.wrong(name.place, f"variable {name.value} is declared a second time")
            levels[name.value] = _levels(scan, name)
        else:
            scan.expect("(")
            name = _declared(scan, scan.word("a name of a variable"), levels)
            if name.value in tables:
                scan.wrong(name.place, f"the probabilities of {name.value} are given a second time")
            tables[name.value] = _table(scan, name, levels, LARGEST - cells)
            cells += tables[name.value].values.size
    end = scan.next().place
    if not levels:
        scan.wrong(end, "no variable is declared")
    for variable in levels:
        if variable not in tables:
            scan.wrong(end, f"variable {variable} has no probability block")
    number = {variable: i for i, variable in enumerate(levels)}
    ordered = []
    for variable in levels:
        order = np.argsort([number[parent] for parent in tables[variable].parents]).tolist()
        ordered.append(tables[variable].values.transpose([*order, len(order)]))
    return DiscreteBN(_dag(scan, list(levels), tables), list(levels.values()), ordered)


def _dag(scan: Scanner, names: list[str], tables: dict[str, _Table]) -> Dag:
    arcs: list[tuple[str, str]] = []
    try:
        return Dag.from_arcs(names, [(parent, name) for name in names for parent in tables[name].parents])
    except ClimateBNError:
        for name, table in tables.items():  # which block closes the cycle
            arcs += [(parent, name) for parent in table.parents]
            try:
                Dag.from_arcs(names, arcs)
            except ClimateBNError as error:
                scan.wrong(table.place, str(error))
        raise


def _declared(scan: Scanner, name: Token, levels: dict[str, tuple[str, ...]]) -> Token:
    if name.value not in levels:
        scan.wrong(name.place, f"variable {name.value!r} is not declared above")
    return name


def _levels(scan: Scanner, name: Token) -> tuple[str, ...]:
    scan.expect("{")
    levels: tuple[str, ...] = ()
    while (keyword := scan.expect("type", "property", "}")).value != "}":
        if keyword.value == "property":
            scan.skip_property()
            continue
        scan.expect("discrete")
        scan.expect("[")
        count = scan.word("the number of levels")
        scan.expect("]")
        scan.expect("{")
        levels = tuple(item.value for item in scan.items("}"))
        scan.expect(";")
        if count.value != str(len(levels)):
            scan.wrong(count.place, f"{name.value} declares {count.value} levels and lists {len(levels)}")
        if len(set(levels)) < len(levels):
            scan.wrong(count.place, f"{name.value} lists a level twice")
    if not levels:
        scan.wrong(name.place, f"variable {name.value} has no levels")
    return levels


def _table(scan: Scanner, name: Token, levels: dict[str, tuple[str, ...]], room: int) -> _Table:
    parents = scan.items(")") if scan.expect("|", ")").value == "|" else []
    axes = [_declared(scan, parent, levels).value for parent in parents]
    if len({name.value, *axes}) < len(axes) + 1:
        scan.wrong(name.place, f"{name.value} has a parent twice, or itself as a parent")
    shape = [len(levels[axis]) for axis in (*axes, name.value)]
    if math.prod(shape) > room or len(shape) > 32:
        size = f"{float(math.prod(shape)):.3g} cells"
        scan.wrong(name.place, f"the table of {name.value} would have {size}: too many, with all tables before it")
    default: list[float] = []
    rows: dict[int, list[float]] = {}  # by number of the configuration
    places = {axis: {level: place for place, level in enumerate(levels[axis])} for axis in axes}
    strides = [math.prod(shape[k + 1 : -1]) for k in range(len(axes))]
    scan.expect("{")
    whole = scan.plain_rows([levels[axis] for axis in axes], shape[-1])
    while (keyword := scan.expect("table", "default", "(", "property", "}")).value != "}":
        if keyword.value == "table":
            if whole is not None or rows:
                scan.wrong(keyword.place, f"the table of {name.value} is given a second time")
            given = np.array(scan.numbers(math.prod(shape)))
            whole = np.moveaxis(given.reshape(shape[-1], *shape[:-1]), 0, -1)
        elif keyword.value == "default":
            if default:
                scan.wrong(keyword.place, f"the default of {name.value} is given a second time")
            default = scan.numbers(shape[-1])
        elif keyword.value == "(":
            here = _configuration(scan, places, keyword.place)
            row = sum(level * stride for level, stride in zip(here, strides, strict=True))
            if whole is not None or row in rows:
                scan.wrong(keyword.place, f"this row of {name.value} is given a second time")
            rows[row] = scan.numbers(shape[-1])
        else:
            scan.skip_property()
    filled = np.full(shape, default or np.nan) if whole is None else whole.reshape(shape)
    if rows:
        filled.reshape(-1, shape[-1])[list(rows)] = list(rows.values())
    missing = int(np.isnan(filled).any(axis=-1).sum())
    if missing:
        scan.wrong(name.place, f"{missing} of {filled.size // shape[-1]} rows of {name.value} are not given")
    if (np.abs(filled.sum(axis=-1) - 1) >= 1e-5).any():
        scan.wrong(name.place, f"a row of {name.value} does not sum to 1 (within 1e-5)")
    return _Table(tuple(axes), filled, name.place)


def _configuration(scan: Scanner, places: dict[str, dict[str, int]], place: int) -> tuple[int, ...]:
    """The levels of the parents in a row, as numbers."""
    items = scan.items(")")
    if len(items) != len(places):
        scan.wrong(place, f"expected {len(places)} levels, of {', '.join(places) or 'no parents'}; got {len(items)}")
    for (axis, own), item in zip(places.items(), items, strict=True):
        if item.value not in own:
            scan.wrong(item.place, f"{axis} has no level {item.value!r}; its levels: {', '.join([*own][:10])}")
    return tuple(own[item.value] for own, item in zip(places.values(), items, strict=True))


def _lines(network: DiscreteBN) -> Iterator[str]:
    names, levels = [_quoted(name) for name in network.names], [list(map(_quoted, own)) for own in network.levels]
    yield "network unknown {\n}"
    for name, own in zip(names, levels, strict=True):
        yield f"variable {name} {{\n  type discrete [ {len(own)} ] {{ {', '.join(own)} }};\n}}"
    for node, table in enumerate(network.tables):
        parents = network.dag.numbered_parents[node]
        given = f" | {', '.join(names[p] for p in parents)}" if parents else ""
        yield f"probability ( {names[node]}{given} ) {{"
        for index in np.ndindex(table.shape[:-1]):
            row = ", ".join(map(repr, table[index].tolist()))
            which = ", ".join(levels[p][k] for p, k in zip(parents, index, strict=True))
            yield f"  ({which}) {row};" if parents else f"  table {row};"
        yield "}"


def _quoted(word: str) -> str:
    if not word or set(word) & set('"\n\r'):
        raise ClimateBNError(f"BIF cannot hold an empty name, or one with a quotation mark or line break: {word!r}")
    return word if is_plain(word) else f'"{word}"'
