"""What people and programs hand over by mistake: wrong kinds, wrong sizes, wrong contents, in place of one argument."""

import random
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

import climatebn as cb

NAN = float("nan")
PLAIN: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        NAN,
        float("inf"),
        -float("inf"),
        -1,
        0,
        1,
        0.5,
        -0.0,
        1e300,
        -1e-300,
        10**12,
        10**30,
        -(10**30),
    ),
    *("", "1", "no such name", "X1", "a\0b", "-1", "$\\frac{$", b"bytes", bytearray(b"x")),
    *([], (), {}, set(), frozenset({1}), [None], ["X1"], [1, "a"], [[1, 2], [3]], (1, 2, 3), ("X1", "X2"), [NAN, 1.0]),
    *({"X1": 1.0}, {"X1": "a"}, {1: 2}, {None: None}, {("a", "b"): 1}, [("X1", "X2")], [("X1",)], [(0, 1)]),
    *(1j, Decimal("1.5"), np.float32(NAN), np.int8(-1), np.bool_(True), np.datetime64("NaT"), np.str_("text")),
    *(datetime(2000, 1, 1), pd.Timestamp("2000", tz="UTC"), pd.NaT, pd.NA, pd.Timedelta("1D"), pd.Period("2000-01")),
    *(
        int,
        cb.BIC,
        cb.BIC(gamma=0.5),
        cb.Region((0, 1), (0, 1)),
        object(),
        Exception("x"),
        Ellipsis,
        slice(None),
        range(3),
    ),
    *(len, lambda *given, **named: None, Path("no/such/file.nc"), Path(".")),
    *(np.array([]), np.zeros((0, 3)), np.zeros((2, 2)), np.zeros(3), np.array(5.0), np.array(["a", "b"])),
    *(np.array([1, "a", None], dtype=object), np.array([[1j, 2]]), np.ma.masked_array([1.0, 2.0], [True, False])),
    *(pd.DataFrame(), pd.DataFrame({"a": [1, 2]}), pd.Series([1.0, 2.0]), pd.Series(dtype=float), pd.Index([1, 2])),
    *(xr.DataArray(1.0), xr.DataArray(np.zeros((2, 2))), xr.Dataset(), xr.Dataset({"a": 1.0})),
)


def mutated(value: Any, draw: random.Random, kin: list[Any], folder: Path) -> Any:
    """A wrong value in place of a right one: something plain, an object of another kind, or the right one disturbed."""
    ways = list(_disturbed(value, draw, folder))
    luck = draw.random()
    if ways and luck < 0.5:
        return draw.choice(ways)()
    if luck < 0.6:
        return draw.choice(kin)
    return draw.choice(PLAIN)


def _disturbed(value: Any, draw: random.Random, folder: Path) -> Iterator[Any]:
    """Functions, each of which makes a disturbed copy."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        yield from (lambda: value.upper(), lambda: f"{value}x", lambda: list(value), lambda: value.encode())
        yield from (lambda: f"{value}\0", lambda: [value, value], lambda: {value: value}, lambda: f" {value} ")
    elif isinstance(value, int | float | np.number):
        yield from (lambda: -value, lambda: str(value), lambda: [value], lambda: value * 1j, lambda: value + 0.5)
        yield from (lambda: value * 10**6, lambda: np.array([value, value]), lambda: {value}, lambda: -value - 1)
        yield from (lambda: np.float64(value), lambda: Decimal(str(value)), lambda: np.array(value))
    elif isinstance(value, list | tuple):
        yield from _sequences(value, draw)
    elif isinstance(value, dict):
        yield from _mappings(value, draw)
    elif isinstance(value, np.ndarray):
        yield from _arrays(value)
    elif isinstance(value, xr.DataArray):
        yield from _fields(value)
    elif isinstance(value, xr.Dataset):
        yield from (lambda: value.to_array(), lambda: value.isel({next(iter(value.dims)): []}), lambda: dict(value))
        yield from (lambda: value.rename({name: f"_{name}" for name in value.dims}), lambda: value * np.nan)
        yield from (lambda: value.drop_vars(draw.choice(list(value.data_vars))), lambda: value.astype(object))
        yield from (lambda: value.drop_attrs() if hasattr(value, "drop_attrs") else value, lambda: value * 1e300)
    elif isinstance(value, pd.DataFrame):
        yield from _frames(value, draw)
    elif isinstance(value, pd.Series):
        yield from (lambda: value.astype(object), lambda: value[:0], lambda: value.astype(str), lambda: value * np.nan)
        yield from (lambda: value.reset_index(drop=True), lambda: value.to_frame(), lambda: value[::-1])
    elif isinstance(value, cb.NodeData):
        yield from (lambda: value.to_dataframe(), lambda: value.to_xarray(), lambda: value.values, lambda: value.nodes)
        yield from (
            lambda: value.select([]),
            lambda: value.sel(time=value.time[0]),
            lambda: value.select(value.names[:1]),
        )
        yield from (
            _with_values(value, change)
            for change in (_holed, np.zeros_like, lambda v: v * 1e200, lambda v: v.round(-9))
        )
    elif isinstance(value, Path):
        yield from _paths(value, draw, folder)
    elif isinstance(value, cb.Dag | cb.Pdag | cb.LearnResult | cb.GaussianBN | cb.DiscreteBN):
        yield from (lambda: type(value), lambda: [value, value], lambda: value.names if hasattr(value, "names") else 0)


def _with_values(data: cb.NodeData, change: Any) -> Any:
    from dataclasses import replace

    return lambda: replace(data, values=change(np.array(data.values)))


def _holed(values: np.ndarray) -> np.ndarray:
    holed = values.astype(float)
    holed.flat[0] = np.nan
    return holed


def _sequences(value: Any, draw: random.Random) -> Iterator[Any]:
    kind, items = type(value) if type(value) in (list, tuple) else list, list(value)
    yield from (
        lambda: kind(items[:-1]),
        lambda: kind([*items, None]),
        lambda: kind(items + items),
        lambda: kind(items[::-1]),
    )
    yield from (lambda: dict.fromkeys(range(3)), lambda: str(items), lambda: (item for item in items), lambda: [items])
    yield from (
        lambda: {str(item) for item in items},
        lambda: np.array(items, dtype=object),
        lambda: kind([*items, "?"]),
    )
    if items:
        at = draw.randrange(len(items))
        wrong = draw.choice(PLAIN)
        yield lambda: kind([*items[:at], wrong, *items[at + 1 :]])
        yield lambda: items[at]


def _mappings(value: dict[Any, Any], draw: random.Random) -> Iterator[Any]:
    yield from (lambda: list(value.items()), lambda: list(value), lambda: {str(k): v for k, v in value.items()}, dict)
    if value:
        key = draw.choice(list(value))
        wrong = draw.choice(PLAIN)
        yield lambda: {**value, key: wrong}
        yield lambda: {**value, "no such name": value[key]}
        yield lambda: {**value, -1: value[key]}
        yield lambda: {k: v for k, v in value.items() if k is not key}
        yield lambda: value[key]


def _arrays(value: np.ndarray) -> Iterator[Any]:
    yield from (lambda: value.astype(object), lambda: value.astype(complex) * 1j, lambda: value[:0], lambda: value.T)
    yield from (lambda: value[None], lambda: value.ravel(), lambda: value.astype(str), lambda: value.tolist())
    yield from (lambda: value * 0, lambda: value * -1, lambda: value[:-1], lambda: np.concatenate([value, value]))
    yield from (lambda: np.ma.masked_array(value, np.ones(value.shape, bool)), lambda: value.astype("datetime64[D]"))
    if value.dtype.kind in "iuf":
        yield from (lambda: _holed(value), lambda: value * 1e300, lambda: value * np.inf, lambda: value + 0.5)


def _fields(value: xr.DataArray) -> Iterator[Any]:
    yield from (lambda: value * np.nan, lambda: value.where(value != value.values.flat[0]), lambda: value * 1e300)
    yield from (
        lambda: value.astype(object),
        lambda: value.astype(complex),
        lambda: value.astype(str),
        lambda: value > 0,
    )
    yield from (lambda: value * 0 + 1, lambda: value.values, lambda: value.transpose(), lambda: value.astype("float32"))
    yield from (lambda: value.drop_vars(list(value.coords)), lambda: value.to_dataset(name="t"), lambda: value * np.inf)
    yield from (lambda: value.rename({dim: f"_{dim}" for dim in value.dims}), lambda: value.expand_dims(level=[1, 2]))
    for dim in value.dims:
        yield from (lambda dim=dim: value.isel({dim: []}), lambda dim=dim: value.isel({dim: 0}))
        yield from (lambda dim=dim: value.isel({dim: [0]}), lambda dim=dim: value.isel({dim: slice(None, None, -1)}))
        yield lambda dim=dim: xr.concat([value, value], dim)
        yield lambda dim=dim: value.assign_coords({dim: np.arange(value.sizes[dim])})
        yield lambda dim=dim: value.assign_coords({dim: [f"n{i}" for i in range(value.sizes[dim])]})
        yield lambda dim=dim: value.assign_coords({dim: np.full(value.sizes[dim], np.nan)})
        yield lambda dim=dim: _attributes(value, dim)
    if "time" in value.dims:
        yield lambda: value.assign_coords(time=[np.datetime64("NaT", "ns"), *value["time"].values[1:]])
        yield lambda: value.assign_coords(time=pd.DatetimeIndex(value["time"].values).tz_localize("UTC"))
        yield lambda: value.assign_coords(time=pd.period_range("2000-01", periods=value.sizes["time"], freq="M"))
        yield lambda: value.assign_coords(time=pd.date_range("2000-01-01", periods=value.sizes["time"]))
    for axis in {"lat", "lon"} & set(value.dims):
        yield lambda axis=axis: value.assign_coords({axis: value[axis].values * 100})


def _attributes(value: xr.DataArray, dim: Any) -> xr.DataArray:
    copy = value.copy()
    copy[dim].attrs.update(axis=["Y"], units=5, standard_name=None)
    copy.attrs.update(units=["K"], long_name=7, history={})
    return copy


def _frames(value: pd.DataFrame, draw: random.Random) -> Iterator[Any]:
    yield from (
        lambda: value[:0],
        lambda: value.astype(object),
        lambda: value.astype(str),
        lambda: value.T,
        lambda: value[:1],
    )
    yield from (
        lambda: value.iloc[:, :0],
        lambda: value.iloc[:, [0, 0, *range(1, value.shape[1])]],
        lambda: value.to_numpy(),
    )
    yield from (
        lambda: value.rename(columns=lambda name: f"{name}?"),
        lambda: value.to_dict(),
        lambda: value.mask(value == value),
    )
    yield lambda: value.set_axis(pd.MultiIndex.from_product([["x"], value.columns]), axis=1)
    yield lambda: value.set_axis(range(value.shape[1]), axis=1)
    if value.shape[1]:
        name = draw.choice(list(value.columns))
        yield from (lambda: value.drop(columns=name), lambda: value.assign(**{str(name): None}), lambda: value[name])
        wrong = draw.choice([pd.Timestamp("2000"), "text", 1j, NAN, np.inf, 0, -1])
        yield lambda: value.assign(**{str(name): wrong})


def _paths(value: Path, draw: random.Random, folder: Path) -> Iterator[Any]:
    yield from (lambda: value.parent, lambda: value.with_name("not there.nc"), lambda: str(value), lambda: bytes(value))
    yield from (lambda: value / "below", lambda: str(value) + "\0", lambda: [value], lambda: value.with_suffix(".xyz"))
    if value.is_file():
        content = value.read_bytes()
        yield lambda: _written(folder / f"cut{value.suffix}", content[: draw.randrange(len(content))])
        yield lambda: _written(folder / f"other{value.suffix}", b"\x89PNG \xff\xfe not this")
        if value.suffix != ".nc":  # the NetCDF library promises nothing for files with bytes changed
            at = draw.randrange(len(content))
            yield lambda: _written(folder / f"bent{value.suffix}", content[:at] + b'"{}' + content[at + 1 :])


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
