"""The tables of a comparison: distances and likelihoods of all pairs, Δ with its errors, the order by distance."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from climatebn.comparison.comparison import LEVEL
from climatebn.comparison.distances import distance
from climatebn.comparison.excess import Excess
from climatebn.comparison.records import Record
from climatebn.comparison.whole_networks import record_data
from climatebn.errors import ClimateBNError
from climatebn.network.gaussian_bn import GaussianBN


def distances(networks: Mapping[str, GaussianBN]) -> pd.DataFrame:
    """Of every two networks."""
    names = list(networks)
    square = np.zeros((len(names), len(names)))
    for i, a in enumerate(names):
        for j in range(i):
            try:
                square[i, j] = square[j, i] = distance(networks[a], networks[names[j]])
            except ClimateBNError as error:
                raise ClimateBNError(f"{a} and {names[j]}: {error}") from None
    return pd.DataFrame(square, index=pd.Index(names, name="model"), columns=pd.Index(names))


def logliks(networks: Mapping[str, GaussianBN], records: Mapping[str, Record], scale: str) -> pd.DataFrame:
    """Data of a row under the network of a column; NaN for rows that came as networks."""
    names = list(networks)
    square = pd.DataFrame(np.nan, index=pd.Index(names, name="data"), columns=pd.Index(names))
    for name, one in records.items():
        data = record_data(one, scale)
        square.loc[name] = [bn.loglik(data) for bn in networks.values()]
    return square


def tables(
    names: tuple[str, ...],
    with_data: tuple[str, ...],
    reference: str,
    apart: pd.DataFrame,
    found: Excess | None,
    loglik: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """All tables of a `Comparison` by name; NaN for models without data, where data is needed."""

    def square(values: np.ndarray | None) -> pd.DataFrame:
        table = pd.DataFrame(np.nan, index=apart.index, columns=apart.columns)
        if values is not None:
            table.loc[list(with_data), list(with_data)] = values
        return table

    others = [name for name in names if name != reference]
    delta, se = square(None if found is None else found.delta), square(None if found is None else found.errors())
    order = square(None)
    if found is not None and reference in with_data:
        from_reference = delta.loc[list(with_data), reference].to_numpy()
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = (from_reference[:, None] - from_reference[None, :]) / found.order_errors(
                with_data.index(reference)
            )
        np.fill_diagonal(scores, 0.0)
        order = square(scores)
    order = order.loc[others, others]
    table = pd.DataFrame(
        {
            "distance": apart.loc[others, reference],
            "excess": delta.loc[others, reference],
            "se": se.loc[others, reference],
        }
    )
    table["low"], table["high"] = (table["excess"] + sign * LEVEL * table["se"] for sign in (-1, 1))
    table["distinguishable"] = table["excess"] > LEVEL * table["se"]
    by = table["excess"].fillna(table["distance"])
    table["rank"] = by.rank(method="first").astype(int)
    table["rank_low"] = 1 + (order > LEVEL).sum(axis=1)
    table["rank_high"] = len(others) - (order < -LEVEL).sum(axis=1)
    table["loglik"] = loglik.loc[reference, others]
    return {
        "distances": apart,
        "excess": delta,
        "se": se,
        "loglik": loglik,
        "from_reference": table.sort_values("rank").rename_axis("model"),
        "order": order,
    }
