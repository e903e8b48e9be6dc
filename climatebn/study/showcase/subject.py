"""What a report is about: the file or data set, its variable, units and period, and whether it is the embedded one."""

from dataclasses import dataclass
from pathlib import Path

import xarray as xr

from climatebn.ingest import NodeData
from climatebn.ingest.field.units import temperature_unit
from climatebn.study.showcase.question import EL_NINO, Question

NCEP = "NCEP"  # how the data set of the embedded field is called begins with it


@dataclass(frozen=True)
class Subject:
    """``el_nino``: the embedded field, asked about El Niño. ``paper``: in the paper's words, 2 sd at its place."""

    source: str
    variable: str
    quantity: str
    units: str
    period: str
    embedded: bool
    el_nino: bool
    paper: bool
    temperature: bool

    @property
    def high(self) -> str:
        """What a value above the mean is called."""
        return "warm" if self.temperature else "high"

    @property
    def low(self) -> str:
        """What a value below the mean is called."""
        return "cold" if self.temperature else "low"

    def lead(self, data: NodeData) -> str:
        """The line at the top: which data, and what was made of them."""
        units = f" [{self.units}]" if self.units else ""
        name = self.quantity if self.quantity == self.variable else f"{self.variable}, {self.quantity}"
        made = f"{data.counted} of anomalies at {len(data.names)} places"
        return f"Data: {self.source}; {name}{units}; {self.period}. {made}."


def subject(field: xr.DataArray, source: str | None, asked: Question) -> Subject:
    """What the job works on; ``source`` is the file."""
    data_set = str(field.attrs.get("dataset", ""))
    embedded = source is None and data_set.startswith(NCEP)
    first, last = (str(field["time"].dt.strftime("%Y-%m").values[i]) for i in (0, -1))
    units = str(field.attrs.get("units", ""))
    return Subject(
        source=Path(source).name if source else data_set or "a field given in Python",
        variable=str(field.name or "field"),
        quantity=str(field.attrs.get("long_name", field.name or "field")),
        units=units,
        period=f"{first} … {last}",
        embedded=embedded,
        el_nino=embedded and asked.el_nino,
        paper=embedded and asked.evidence == EL_NINO,
        temperature=temperature_unit(units) is not None,
    )
