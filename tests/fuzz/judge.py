"""One case: a real call with one wrong argument, and whether what came of it is clean."""

import hashlib
import random
import traceback
import warnings
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from clock import PATIENCE, Slow, in_time
from invariants import broken
from made_objects import Made
from mutations import mutated
from real_call import Call

from climatebn.errors import ClimateBNError, short


class Verdict(NamedTuple):
    """What was tried, how it ended, and what is wrong with that; nothing when it is clean."""

    number: int
    tried: str
    ended: str
    wrong: str
    trace: str = ""


def judged(number: int, seed: int, calls: list[Call], made: Made, kin: list[Any]) -> Verdict:
    """Case ``number`` of a seed: the same one whenever it is asked for."""
    draw = random.Random(f"{seed} {number}")
    call = draw.choice(calls)
    arguments = call.arguments()
    name = draw.choice([*call.given, *call.others]) if call.given or call.others else ""
    if name:
        right = arguments.get(name, call.others.get(name))
        arguments[name] = _wrong_value(right, draw, kin, made)
    tried = f"{call.name}({name}={short(arguments.get(name), 120)})"
    before = {key: fingerprint(value) for key, value in arguments.items()}
    ended, wrong, trace = outcome(call, arguments)
    plt.close("all")
    edited = [key for key, value in arguments.items() if fingerprint(value) != before[key]]
    if not wrong and edited:
        wrong = f"edits {edited[0]} of the caller"
    if not wrong and (left := [path.name for path in made.folder.rglob(".part-*")]):
        wrong = f"leaves {left[0]} behind"
    return Verdict(number, tried, ended, wrong, trace)


def _wrong_value(right: Any, draw: random.Random, kin: list[Any], made: Made) -> Any:
    for _ in range(20):
        try:
            return mutated(right, draw, kin, made.folder)
        except Exception:  # what cannot be disturbed in this way
            continue
    return None


def outcome(call: Call, arguments: dict[str, Any]) -> tuple[str, str, str]:
    """How a call ends, what is wrong with that, and where it happened."""
    try:
        with in_time(), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            answer = call.function(**arguments)
            return "an answer", broken(answer), ""
    except ClimateBNError as error:
        return f"ClimateBNError: {error}", "" if str(error) else "an error without words", ""
    except Slow:
        return "stopped", f"took more than {PATIENCE} s", traceback.format_exc(limit=-6)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return said, "" if _about_the_signature(error) else said, traceback.format_exc(limit=-8)


def _about_the_signature(error: Exception) -> bool:
    """Whether Python itself says that an argument is missing or unknown."""
    words = ("unexpected keyword argument", "required positional argument", "required keyword-only argument")
    return isinstance(error, TypeError) and any(part in str(error) for part in words)


def fingerprint(value: Any, depth: int = 4) -> Any:
    """What must be the same after a call; nothing for what has no contents of its own."""
    if depth == 0:
        return None
    if isinstance(value, np.ndarray):
        return value.shape, str(value.dtype), _digest(value)
    if isinstance(value, xr.DataArray):
        parts = {name: fingerprint(coord.values) for name, coord in value.coords.items()}
        return value.name, value.dims, _digest(value.values) if value.chunks is None else 0, parts, repr(value.attrs)
    if isinstance(value, xr.Dataset):
        return {name: fingerprint(part, depth - 1) for name, part in value.variables.items()}, repr(value.attrs)
    if isinstance(value, pd.DataFrame | pd.Series):
        return hashlib.sha256(repr(value.to_dict()).encode()).hexdigest(), str(value.index)
    if isinstance(value, dict):
        return [(repr(key), fingerprint(item, depth - 1)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [fingerprint(item, depth - 1) for item in value]
    if isinstance(value, set | bytearray | str | int | float):
        return repr(value)
    if is_dataclass(value) and not isinstance(value, type):
        return [fingerprint(getattr(value, part.name), depth - 1) for part in fields(value)]
    return None


def _digest(array: np.ndarray) -> str:
    content = repr(array.tolist()).encode() if array.dtype.hasobject else np.ascontiguousarray(array).tobytes()
    return hashlib.sha256(content).hexdigest()
