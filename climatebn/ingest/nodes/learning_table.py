"""Whatever the user has (node data, data frame, array) becomes one table: values, names, and levels if discrete."""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError, require_finite, short

if TYPE_CHECKING:
    from climatebn.ingest.nodes.node_data import NodeData

    Tabular: TypeAlias = NodeData | pd.DataFrame | np.ndarray


class Table(NamedTuple):
    """(observations × nodes) values: floats, or integer codes with the ``levels`` of each column."""

    values: np.ndarray
    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...] | None = None


def to_table(data: Any) -> Table:
    """One table from NodeData, a DataFrame (categorical or text columns make it discrete) or a 2-D array."""
    if isinstance(data, pd.DataFrame):
        return _from_frame(data)
    if type(data).__module__.startswith("xarray") and getattr(data, "ndim", 0) != 2:
        raise ClimateBNError(
            f"data is a field ({type(data).__name__}); networks are learned from nodes: "
            "use cb.to_nodes(cb.anomalies(field))"
        )
    names = getattr(data, "names", None)
    held = getattr(data, "values", data)
    if np.ma.is_masked(held):
        raise ClimateBNError(f"data holds {int(np.ma.count_masked(held))} masked values; drop or fill them first")
    try:
        values = np.asarray(held)
    except ValueError:
        raise ClimateBNError(f"data must be two-dimensional (observations × nodes); got {short(data)}") from None
    if values.ndim != 2:
        raise ClimateBNError(f"data must be two-dimensional (observations × nodes); got {values.ndim} dimensions")
    if values.dtype.kind not in "iuf":
        raise ClimateBNError(
            f"data must hold real numbers; got {values.dtype}. Discrete data: a DataFrame of categories"
        )
    names = tuple(f"X{i + 1}" for i in range(values.shape[1])) if names is None else tuple(names)
    return Table(_complete(values.astype(np.float64), names), names)


def _from_frame(frame: pd.DataFrame) -> Table:
    names = tuple(map(str, frame.columns))
    if len(set(names)) < len(names):
        raise ClimateBNError("columns of the DataFrame must have different names")
    numeric = [_is_number(name, frame.iloc[:, i]) for i, name in enumerate(names)]
    if all(numeric):
        return Table(_complete(frame.to_numpy(dtype=np.float64, na_value=np.nan), names), names)
    if any(numeric):
        mixed = [name for name, number in zip(names, numeric, strict=True) if number]
        raise ClimateBNError(
            f"columns are partly categories, partly numbers ({', '.join(mixed[:5])} …); "
            "make all of them categorical or all of them numeric"
        )
    columns = [pd.Categorical(frame.iloc[:, i]) for i in range(len(names))]
    codes = np.column_stack([column.codes for column in columns]).astype(np.int32)
    gaps = [name for i, name in enumerate(names) if (codes[:, i] < 0).any()]
    if gaps:
        raise ClimateBNError(f"missing values in columns: {', '.join(gaps[:10])}; drop or fill them first")
    levels = tuple(tuple(map(str, column.categories)) for column in columns)
    for name, own in zip(names, levels, strict=True):
        if len(set(own)) < len(own):
            raise ClimateBNError(f"column {name} has levels that are spelt the same; rename its categories")
    return Table(codes, names, levels)


def _is_number(name: str, column: pd.Series) -> bool:
    """Whether a column holds numbers (True) or categories; anything else is refused."""
    types = pd.api.types
    if isinstance(column.dtype, pd.CategoricalDtype) or types.is_bool_dtype(column.dtype):
        return False
    if types.is_complex_dtype(column.dtype):
        raise ClimateBNError(f"column {name} holds complex numbers; take their real part or their size")
    if types.is_numeric_dtype(column.dtype):
        return True
    if not types.is_object_dtype(column.dtype):
        if types.is_string_dtype(column.dtype):
            return False
        raise ClimateBNError(f"column {name} holds {column.dtype}, neither numbers nor categories; drop it")
    what = types.infer_dtype(column, skipna=True)
    if what in ("string", "boolean", "empty"):
        return False
    raise ClimateBNError(
        f"column {name} holds {what} as Python objects, neither numbers nor categories: "
        f"data[{name!r}].astype(float) makes numbers of it, .astype('category') levels"
    )


def _complete(values: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    if len(set(names)) < len(names):
        raise ClimateBNError("names of nodes must differ from each other")
    if not values.shape[1]:
        raise ClimateBNError("data must have one node (column) or more; it has none")
    require_finite(values, names)
    return values
