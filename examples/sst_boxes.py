"""What El Niño says about the Indian Ocean: sea surface temperature, boxes as evidence, all months beside winter.

    python examples/sst_boxes.py [sst.nc]

Without a file it takes the 10° field that comes with the package; with one (NOAA OI SST, ERSST, …), 10° and 5° cells.
Writes sst_boxes.png, 17 cm wide. Single long arcs are not to be read: at this γ chance gives as many (cb.distant_null).
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import climatebn as cb

NINO, OCEAN = cb.regions["nino34"], cb.regions["indian_ocean"]
BOXES = [{"lat": box.lat, "lon": box.lon} for box in (NINO, OCEAN)]


def prepared(source, degrees, months=None):
    """Detrended anomalies as nodes; a cell needs half its area at sea, constant cells under ice are left out."""
    field = cb.load_sst()
    if source:
        field = cb.regrid(cb.open_field(source), cb.Grid.regular(degrees), min_cover=0.5)
    anomaly = cb.anomalies(field, detrend="linear")
    return cb.to_nodes(anomaly, missing="drop_nodes", degenerate="drop", months=months)


def learned(data):
    """The network of a tabu search, and what it and the sample say about the two boxes."""
    network = cb.fit(cb.learn(data, "tabu", cb.BIC(gamma=0.5)), data, scale="sd")
    sample = np.corrcoef(*(cb.region_mean(data.to_xarray(), **box) for box in BOXES))[0, 1]
    paths = network.paths(NINO, OCEAN)
    print(f"{data.counted}, {len(data.names)} places, {len(network.dag.arcs)} arcs")
    print(f"  Niño 3.4 and Indian Ocean: correlation {sample:.2f}, in the network {paths.attrs['correlation']:.2f}")
    print(f"  {len(paths)} paths carry {paths['fraction'].sum():.0%} of that; the strongest: {paths['path'][0]}")
    return network, paths


source = sys.argv[1] if len(sys.argv) > 1 else None
network, paths = learned(prepared(source, 10))
winter_network, _ = learned(prepared(source, 10, "DJF"))
if source:
    learned(prepared(source, 5))

all_months, winter = (cb.propagate(bn, {NINO: 2.0}, tail="both") for bn in (network, winter_network))

figure = plt.figure(figsize=(17 / 2.54, 11 / 2.54), layout="constrained")
axes = [cb.plot.map_axes(place, figure=figure) for place in (221, 222, 223, 224)]
cb.plot.network(network, axes[0], title="(a) network, all months")
cb.plot.paths(paths, network, axes[1], title="(b) paths to the Indian Ocean")
maps = [
    cb.plot.propagation(all_months, axes[2], title="(c) Niño 3.4 at +2 sd, all months"),
    cb.plot.propagation(winter, axes[3], title="(d) the same, DJF"),
]
cb.plot.shared_colorbar(maps)
figure.savefig("sst_boxes.png", dpi=300)
