"""The regions that climate scientists know by name, each with its source."""

from collections.abc import Mapping
from types import MappingProxyType

from climatebn.ingest.grid.region import Region

_TABLE = {  # name: (south, north), (west, east), source
    "nino12": ((-10, 0), (-90, -80), "Rasmusson & Carpenter 1982"),
    "nino3": ((-5, 5), (-150, -90), "Rasmusson & Carpenter 1982"),
    "nino34": ((-5, 5), (-170, -120), "Trenberth 1997"),
    "nino4": ((-5, 5), (160, -150), "Rasmusson & Carpenter 1982"),
    "dipole_west": ((-10, 10), (50, 70), "Saji et al. 1999: Indian Ocean dipole, western pole"),
    "dipole_east": ((-10, 0), (90, 110), "Saji et al. 1999: Indian Ocean dipole, eastern pole"),
    "tropical_north_atlantic": ((5.5, 23.5), (-57.5, -15), "Enfield et al. 1999"),
    "indian_ocean": ((-25, 20), (45, 100), "Scutari et al. 2019, the region of their propagation maps"),
    "nao_azores": ((37.7, 37.7), (-25.7, -25.7), "Rogers 1984: Ponta Delgada, a point"),
    "nao_iceland": ((65.1, 65.1), (-22.7, -22.7), "Hurrell 1995: Stykkishólmur, a point"),
    "pna_hawaii": ((20, 20), (-160, -160), "Wallace & Gutzler 1981, a point (+)"),
    "pna_north_pacific": ((45, 45), (-165, -165), "Wallace & Gutzler 1981, a point (−)"),
    "pna_alberta": ((55, 55), (-115, -115), "Wallace & Gutzler 1981, a point (+)"),
    "pna_gulf_coast": ((30, 30), (-85, -85), "Wallace & Gutzler 1981, a point (−)"),
}

regions: Mapping[str, Region] = MappingProxyType(
    {name: Region(lat, lon, name) for name, (lat, lon, _) in _TABLE.items()}
)
region_sources: Mapping[str, str] = MappingProxyType({name: source for name, (_, _, source) in _TABLE.items()})
