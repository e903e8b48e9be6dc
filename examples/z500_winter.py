"""The North Atlantic Oscillation and the Pacific–North American pattern in the winter heights of the 500 hPa surface.

    python examples/z500_winter.py [z500.nc]

Without a file it takes the 10° field that comes with the package. Writes z500_winter.png, 17 cm wide.
"""

import sys

import cartopy.crs as ccrs
import matplotlib.pyplot as plt

import climatebn as cb

field = cb.load_z500()
if len(sys.argv) > 1:
    field = cb.regrid(cb.open_field(sys.argv[1]), cb.Grid.regular(10))
data = cb.to_nodes(cb.anomalies(field, detrend="linear"), months="DJFM")
network = cb.fit(cb.learn(data, "tabu", cb.BIC(gamma=0.5)), data, scale="sd")
print(f"{data.counted}, {len(data.names)} places, {len(network.dag.arcs)} arcs")

evidence = {
    "high over Iceland (NAO−)": {cb.regions["nao_iceland"]: 2.0},
    "low over the North Pacific (PNA+)": {cb.regions["pna_north_pacific"]: -2.0},
}
centres = {name: data.nearest(box.lat[0], box.lon[0]) for name, box in cb.regions.items() if name[:3] in ("nao", "pna")}
for words, given in evidence.items():
    answer = network.condition(given)
    print(words)
    for name, node in centres.items():
        print(f"  {name:<18} {node:<5} {answer[node].mean:+.2f} ± {answer[node].sd:.2f} sd")

figure = plt.figure(figsize=(17 / 2.54, 9 / 2.54), layout="constrained")
maps = []
for place, (words, given) in enumerate(evidence.items(), start=121):
    ax = cb.plot.map_axes(place, figure=figure, projection=ccrs.NorthPolarStereo(-60))
    maps.append(cb.plot.propagation(cb.propagate(network, given, tail="both"), ax, title=words))
cb.plot.shared_colorbar(maps, "rise of the probability given the boxed cell: ◀ low, X ≤ −1 sd | high, X ≥ 1 sd ▶")
figure.savefig("z500_winter.png", dpi=300)
