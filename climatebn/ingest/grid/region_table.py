"""The regions that climate scientists know by name, each with its title and its source."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from climatebn.ingest.grid.region import Region

_TABLE = {  # name: title, (south, north), (west, east), source
    "nino12": ("Niño 1+2", (-10, 0), (-90, -80), "Rasmusson & Carpenter 1982"),
    "nino3": ("Niño 3", (-5, 5), (-150, -90), "Rasmusson & Carpenter 1982"),
    "nino34": ("Niño 3.4", (-5, 5), (-170, -120), "Trenberth 1997"),
    "nino4": ("Niño 4", (-5, 5), (160, -150), "Rasmusson & Carpenter 1982"),
    "dipole_west": (
        "Indian Ocean dipole, west",
        (-10, 10),
        (50, 70),
        "Saji et al. 1999, western pole",
    ),
    "dipole_east": (
        "Indian Ocean dipole, east",
        (-10, 0),
        (90, 110),
        "Saji et al. 1999, eastern pole",
    ),
    "tropical_north_atlantic": ("Tropical North Atlantic", (5.5, 23.5), (-57.5, -15), "Enfield et al. 1999"),
    "indian_ocean": ("Indian Ocean", (-25, 20), (45, 100), "Scutari et al. 2019, the region of their propagation maps"),
    "nao_azores": ("NAO: Azores", (37.7, 37.7), (-25.7, -25.7), "Rogers 1984: Ponta Delgada, a point"),
    "nao_iceland": ("NAO: Iceland", (65.1, 65.1), (-22.7, -22.7), "Hurrell 1995: Stykkishólmur, a point"),
    "pna_hawaii": ("PNA: Hawaii", (20, 20), (-160, -160), "Wallace & Gutzler 1981, a point (+)"),
    "pna_north_pacific": ("PNA: North Pacific", (45, 45), (-165, -165), "Wallace & Gutzler 1981, a point (−)"),
    "pna_alberta": ("PNA: Alberta", (55, 55), (-115, -115), "Wallace & Gutzler 1981, a point (+)"),
    "pna_gulf_coast": ("PNA: Gulf Coast", (30, 30), (-85, -85), "Wallace & Gutzler 1981, a point (−)"),
}

regions: Mapping[str, Region] = MappingProxyType(
    {name: Region(lat, lon, name) for name, (_, lat, lon, _) in _TABLE.items()}
)
region_sources: Mapping[str, str] = MappingProxyType({name: source for name, (_, _, _, source) in _TABLE.items()})
region_titles: Mapping[str, str] = MappingProxyType({name: title for name, (title, *_) in _TABLE.items()})


def with_titles(text: str) -> str:
    """A text for a figure or a page: names of known regions as people write them.

    >>> with_titles("nino34 = 2 sd, indian_ocean ≥ 1 sd, X81 = 1 sd")
    'Niño 3.4 = 2 sd, Indian Ocean ≥ 1 sd, X81 = 1 sd'
    """
    return re.sub(r"\w+", lambda word: region_titles.get(word[0], word[0]), text)
