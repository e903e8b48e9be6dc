"""The settings of a study: a frozen dataclass, read from TOML, checked key by key before anything runs.

Each key of the file is a field of the dataclass; what is left out keeps the value of the default configuration.
The dataclass checks its own rules in ``__post_init__`` with `require`.
"""

import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from climatebn.errors import ClimateBNError, public, short, unknown
from climatebn.files import read_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

C = TypeVar("C", bound="DataclassInstance")
_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "nothing"}


@public
def read_config(default: C, path: str | PathLike[str]) -> C:
    """``default`` with the values of a TOML file in place of its own.

    Parameters
    ----------
    default : a frozen dataclass of settings.
    path : a TOML file.

    Returns
    -------
    the same dataclass.

    Raises
    ------
    ClimateBNError where the file is not there, is no TOML, or has a key or type that the settings do not have.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from tempfile import mkdtemp
    >>> @dataclass(frozen=True)
    ... class Settings:
    ...     size: int = 3
    >>> from pathlib import Path
    >>> path = Path(mkdtemp()) / "study.toml"
    >>> _ = path.write_text("size = 5")
    >>> read_config(Settings(), path).size
    5
    """
    if not is_dataclass(default) or isinstance(default, type):
        raise ClimateBNError(f"default must be a configuration, e.g. study.default; got {short(default)}")
    try:
        values = tomllib.loads(read_text(path, "configuration file"))
    except tomllib.TOMLDecodeError as error:
        raise ClimateBNError(f"{path} is not a TOML file: {error}") from None
    try:
        return with_values(default, values)
    except ClimateBNError as error:
        raise ClimateBNError(f"{path}: {error}") from None


def with_values(default: C, values: Mapping[str, Any]) -> C:
    """``default`` with some fields replaced; unknown keys and wrong types are refused in words."""
    try:
        hints = get_type_hints(type(default))
    except NameError:
        raise ClimateBNError(f"default must be a configuration, e.g. study.default; got {short(default)}") from None
    for name in values:
        if name not in hints:
            raise unknown("key", name, hints)
    return replace(default, **{name: _typed(name, value, hints[name]) for name, value in values.items()})


def with_settings(default: C, settings: Sequence[str]) -> C:
    """``default`` with settings of the form KEY=VALUE; a value is written as in TOML, a text may go without quotes."""
    values = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ClimateBNError(f"a setting must have the form KEY=VALUE; got {setting!r}")
        try:
            values[name.strip()] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[name.strip()] = text.strip()
    return with_values(default, values)


def require(holds: bool, name: str, rule: str, got: Any) -> None:
    """Raise unless ``holds``: which key, the rule, what came."""
    if not holds:
        raise ClimateBNError(f"{name} must be {rule}; got {got!r}")


def to_toml(config: Any) -> str:
    """The configuration as a TOML file that `read_config` reads back; fields that are None are left out."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in asdict(config).items() if value is not None)


def plain(config: Any) -> dict[str, Any]:
    """The configuration as JSON values."""
    return {f.name: _plain(getattr(config, f.name)) for f in fields(config)}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(item)}' for key, item in value.items())}}}"
    return repr(value)


def _typed(name: str, value: Any, kind: Any) -> Any:
    """``value`` as ``kind``: int, float, str, bool, tuple[T, ...], dict[str, T], or a choice of these."""
    if get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise ClimateBNError(f"{name} must be {_said(kind)}; got {value!r}")
        return {key: _typed(f"{name}.{key}", item, get_args(kind)[1]) for key, item in value.items()}
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise ClimateBNError(f"{name} must be {_said(kind)}; got {value!r}")
        return tuple(_typed(f"{name}[{i}]", item, get_args(kind)[0]) for i, item in enumerate(value))
    choices = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    for choice in choices:
        if get_origin(choice) is tuple and isinstance(value, list | tuple):
            return _typed(name, value, choice)
        if type(value) is choice:
            return value
        if choice is float and type(value) is int:
            return float(value)
    raise ClimateBNError(f"{name} must be {' or '.join(map(_said, choices))}; got {value!r}")


def _said(kind: Any) -> str:
    if get_origin(kind) is dict:
        return f"a table such as {{name = value}}, each value {_said(get_args(kind)[1])}"
    if get_origin(kind) is tuple:
        return f"a list, each item {_said(get_args(kind)[0])}"
    return _WORDS.get(kind, str(kind))
