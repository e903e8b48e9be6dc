"""The explorer in a real browser: what it answers, what it shows, what it keeps in its address, what it never does."""

import csv
import io
import json
import re
from dataclasses import replace

import made_networks
import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.analysis.correlation import correlation_network
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.plot.propagation_map import ChangeNorm

EVIDENCE = [{"X81": 2.0}, {"X81": 2.0, "X300": -1.0}, {"X81": 2.0, "X82": 1.5, "X99": 1.8}]
REGIONS = [{"nino34": 2.0}, {"indian_ocean": -1.5, "X81": 1.0}]


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A page with a network, an ensemble and a correlation network."""
    data = made_networks.field_data()
    models = {"one": made_networks.world(), "many": made_networks.worlds(), "pairs": correlation_network(data, 2000)}
    path = cb.explore(models, tmp_path_factory.mktemp("page") / "explorer.html", data=data)
    return path, list(models.values())


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    return cb.explore(made_networks.world(), tmp_path_factory.mktemp("page") / "explorer.html")


def by_node(model, field):
    """A map as one number a node, in the order of names."""
    nodes = model.nodes
    return field.values[np.searchsorted(nodes.grid_lat, nodes.lat), np.searchsorted(nodes.grid_lon, nodes.lon)]


def asked(tab, evidence, **options):
    return np.array(tab.run(f"climatebn.answer({json.dumps(evidence)}, {json.dumps(options)})"))


@pytest.mark.parametrize("network", [0, 1, 2])
def test_answers_are_those_of_propagate(tab, three, network):
    path, models = three
    tab.open(path)
    assert tab.run("climatebn.names") == list(models[0].names)
    for evidence in EVIDENCE + REGIONS:
        for tail, threshold in (("upper", 1.0), ("lower", 0.5)):
            expected = by_node(models[network], cb.propagate(models[network], evidence, threshold, tail).difference)
            found = asked(tab, evidence, threshold=threshold, tail=tail, network=network)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_learned_members_under_much_evidence_side_by_side(tab, tmp_path):
    data = made_networks.field_data()
    ens = cb.ensemble(data, "tabu", cb.BIC(gamma=0.5), resamples=4, progress=False)
    tab.open(cb.explore(ens, tmp_path / "page.html"))
    rng = np.random.default_rng(11)
    for centre in (0, 80, 150, 395, 630, 647):  # at the poles neighbours are nearly the same
        east = np.abs((data.nodes.lon - data.nodes.lon[centre] + 180) % 360 - 180)
        near = np.argsort(np.abs(data.nodes.lat - data.nodes.lat[centre]) + east, kind="stable")[:6]
        values = rng.normal() + 0.7 * rng.normal(size=len(near))
        evidence = {data.names[node]: round(float(value), 2) for node, value in zip(near, values, strict=True)}
        expected = by_node(ens, cb.propagate(ens, evidence).difference)
        np.testing.assert_allclose(asked(tab, evidence), expected, rtol=0, atol=1e-6)


def test_a_box_is_a_region(tab, single):
    bn = made_networks.world()
    tab.open(single)
    box = cb.Region(lat=(-25, 15), lon=(160, -150))
    expected = by_node(bn, cb.propagate(bn, {box: 1.5}).difference)
    np.testing.assert_allclose(asked(tab, {"-25/15/160/-150": 1.5}), expected, rtol=0, atol=1e-9)


def test_networks_in_the_units_of_the_data(tab, tmp_path):
    bn = made_networks.world(scale="none")
    tab.open(cb.explore(bn, tmp_path / "page.html"))
    for evidence in ({"X81": 1.0, "X200": -2.0}, {"nino34": 1.2}):
        for units in (None, "sd", "data"):
            expected = by_node(bn, cb.propagate(bn, evidence, 0.7, units=units).difference)
            options = {"threshold": 0.7} | ({"units": units} if units else {})
            np.testing.assert_allclose(asked(tab, evidence, **options), expected, rtol=0, atol=1e-9)


def test_the_spread_of_an_ensemble(tab, three):
    path, models = three
    post = models[1].propagate({"X81": 2.0}, tail="both")
    tab.open(f"{path}#e=X81:2&t=1&v=both&n=1&m=-1")
    for tail in ("upper", "lower"):
        for kind, name in (("low", f"difference_{tail}_low"), ("high", f"difference_{tail}_high")):
            found = np.array(tab.run(f"[...shown[0].answer.{kind}.{tail}]"))
            np.testing.assert_allclose(found, by_node(models[1], post[name]), rtol=0, atol=1e-6)
        found = tab.run(f"[...shown[0].answer.agreement.{tail}]")
        expected = by_node(models[1], post[f"agreement_{tail}"])
        told = [np.nan if value is None else value for value in found]
        np.testing.assert_allclose(told, expected)
    ocean = models[1].region_mean({"X81": 2.0}, (-25, 20), (45, 100))
    rows = "[...document.querySelectorAll('#regions tr')].map(row => row.textContent)"
    row = tab.run(f"{rows}.find(text => text.includes('Indian Ocean+'))")
    mean, half = re.search(r"([+−][\d.]+) ± ([\d.]+)", row).groups()
    assert float(mean.replace("−", "-")) == pytest.approx(ocean["mean"], abs=0.006)
    assert float(half) == pytest.approx(ocean["high"] - ocean["mean"], abs=0.006)
    dots = tab.run("panels[0].dots.getAttribute('d').split('M').length - 1")
    warm = post["difference_upper"].clip(min=0) >= post["difference_lower"].clip(min=0)
    agreement = by_node(models[1], post["agreement_upper"].where(warm, post["agreement_lower"]))
    assert dots == (agreement < 0.9).sum()


def test_click_shows_numbers_link_and_words_and_click_again_removes(tab, single):
    bn = made_networks.world()
    post = cb.propagate(bn, {"X81": 2.0}, tail="both")
    tab.open(single)
    assert tab.run("document.querySelectorAll('[aria-label][data-node]').length") == 648
    tab.click('[aria-label="X81, 5°S 135°W"]')
    assert tab.text("#live").startswith("X81, 5°S 135°W, set to +2.0 sd.")
    assert tab.run("location.hash") == "#e=X81:2&t=1&v=both"
    assert tab.run("document.querySelector('[data-node=\"80\"]').getAttribute('aria-pressed')") == "true"
    at = int(np.abs(by_node(bn, post.posterior_upper) - 0.5).argmin())
    tab.mouse("mouseMoved", *tab.middle(f'[data-node="{at}"]'))
    shown = tab.text("#readout")
    assert shown.startswith(f"{bn.names[at]} {place_name(bn.lat[at], bn.lon[at])}")
    before, after = (by_node(bn, post[f"{kind}_upper"])[at] for kind in ("prior", "posterior"))
    mean, sd = (by_node(bn, post[kind])[at] for kind in ("mean", "sd"))
    assert f"{100 * before:.0f} % → {100 * after:.0f} % {after - before:+.2f}" in shown
    assert f"mean {mean:+.2f} ± {float(f'{sd:.2f}'):g} sd" in shown
    first = tab.run("document.querySelector('#places tbody tr').textContent")
    rise = np.maximum(by_node(bn, post.difference_upper), by_node(bn, post.difference_lower))
    rise[80] = 0
    assert first.startswith(bn.names[int(rise.argmax())])
    assert f"{rise.max():+.2f}" in first
    tab.click('[aria-label="X81, 5°S 135°W"]')
    assert tab.text("#live") == "X81 removed. No evidence is left."
    assert tab.run("location.hash") == "#t=1&v=both"
    assert tab.complaints() == []
    assert all(address.startswith("file:") for address in tab.requests())


def test_colours_are_those_of_the_map(tab, single):
    tab.open(single)
    cases = (-0.3, 0.83, "upper"), (-0.01, 0.02, "lower"), (-0.35, 0.95, "both"), (-0.05, 0.15, "both")
    for low, high, tail in cases:
        norm = ChangeNorm(low, high, tail)
        values = np.linspace(low - 0.02, high + 0.02, 60)
        expected = (norm.colours(norm(values))[:, :3] * 255).round().astype(int).tolist()
        script = f"(() => {{ const s = changeScale({low}, {high}, '{tail}', content.colours);"
        script += f"return {values.tolist()}.map(v => s.colour(v)) }})()"
        found = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in tab.run(script)]
        assert found == expected


def test_a_link_brings_back_the_view(tab, three):
    path, _ = three
    tab.open(f"{path}#e=X81:2,nino34:-1.5,-25/15/160/-150:1&t=1.5&v=low&n=1&m=0&d=1&a=long&k=8000")
    assert tab.run("[...state.evidence.entries()]") == [["X81", 2], ["nino34", -1.5], ["-25/15/160/-150", 1]]
    assert tab.run("document.querySelectorAll('.panel:not([hidden])').length") == 3
    assert tab.run("document.getElementById('view-low').checked")
    again = tab.run("toAddress(state, models.length)")
    before = tab.run("panels.map(p => p.painted.join())")
    tab.open(f"{path}{again}")
    assert tab.run("panels.map(p => p.painted.join())") == before
    for broken in ("#e=nowhere:2", "#e=X81:x&t=-1&v=what&n=9&m=9&a=all&k=x", "#e=%E0%A4%A:1", "#&&=", "#e=X81"):
        tab.open(f"{path}{broken}")
        assert tab.run("state.evidence.size") == 0
        assert tab.run("state.threshold") == 1
    assert tab.complaints() == []


def test_two_networks_under_the_same_evidence(tab, three):
    path, models = three
    tab.open(path)
    tab.click("#elNino")
    titles = [tab.run(f"panels[{k}].title.textContent") for k in (0, 1)]
    assert titles == [f"one {models[0].coefficients.nnz} arcs", "many ensemble of 6 networks"]
    tab.click("#contrast")
    expected = [by_node(model, cb.propagate(model, {"X81": 2.0}).difference) for model in models[:2]]
    tab.click("label[for=view-high]")
    reach = tab.run(
        "(s => Math.max(-s.low, s.high))(scaleOf(shown.map(o => valuesOf(o.answer, 'high')), 'high', false))"
    )
    scale = f"changeScale({-reach}, {reach}, 'upper', content.colours)"
    assert tab.run("panels[2].painted") == tab.run(f"{(expected[0] - expected[1]).tolist()}.map({scale}.colour)")
    tab.run("(s => { s.value = 2; s.dispatchEvent(new Event('change')) })(document.getElementById('second'))")
    assert tab.run("shown.map(one => one.model.label)") == ["one", "pairs"]
    tab.run("setEvidence('nino34', 1)")
    assert tab.text("#problem") == ""
    assert tab.run("shown.map(one => one.answer === null)") == [False, False]


def test_impossible_evidence_is_said(tab, single):
    tab.open(single)
    with pytest.raises(RuntimeError, match=r"X81 is \+9.0 standard deviations from its mean; the limit is ±8"):
        asked(tab, {"X81": 9.0})
    with pytest.raises(RuntimeError, match="unknown evidence X9999"):
        asked(tab, {"X9999": 1.0})


def test_evidence_that_contradicts_itself_is_said_on_the_page(tab, tmp_path):
    numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1e-8}
    bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
    with pytest.raises(ClimateBNError, match="jointly impossible: the other values leave a"):
        bn.condition({"a": 2.0, "b": -2.0})
    tab.open(cb.explore(bn, tmp_path / "page.html"))
    tab.click('[aria-label="a"]')
    tab.click('[aria-label="b"]')
    assert tab.run("document.getElementById('problem').hidden")
    tab.run("setEvidence('b', -2)")
    assert "jointly impossible: the other values leave a" in tab.text("#problem")
    assert not tab.run("document.getElementById('problem').hidden")


def test_names_of_nodes_are_text_wherever_they_stand(tab, tmp_path):
    evil = "<script>window.hit=1</script>"
    other = '"><img src=x onerror="window.hit=2">'
    numbers = {evil: 0.0, other: 0.0}, {evil: 1.0, other: 1.0}
    bn = cb.GaussianBN.from_parameters((evil, other), {(evil, other): 1.0}, *numbers)
    path = cb.explore({"</title><script>window.hit=3</script>": bn}, tmp_path / "page.html")
    assert evil not in path.read_text()
    tab.open(path)
    assert tab.run("climatebn.names") == [evil, other]
    tab.click('[data-node="0"]')
    tab.mouse("mouseMoved", *tab.middle('[data-node="1"]'))
    assert evil in tab.text("#evidence")
    assert other in tab.text("#readout")
    assert other in tab.text("#places")
    assert tab.run("window.hit === undefined && document.querySelectorAll('img, #panels script').length === 0")
    assert tab.complaints() == []
    rows = list(csv.reader(io.StringIO(tab.run("csvOf([['=1+1', names[1]]])"))))
    assert rows == [["'=1+1", other]]


def test_the_policy_lets_nothing_else_in(tab, single):
    tab.open(single)
    policy = tab.run("document.querySelector('meta[http-equiv]').content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src 'none'" in policy
    refused = "new Promise(done => { const s = document.createElement('script'); s.textContent = 'window.hit = 1';"
    refused += "document.body.append(s); setTimeout(() => done(window.hit === undefined), 50) })"
    assert tab.run(refused)
    assert tab.run("fetch('https://example.org/').then(() => false, () => true)")


def test_regions_as_nodes_are_drawn_as_polygons(tab, tmp_path):
    box = "POLYGON (({0} {1}, {2} {1}, {2} {3}, {0} {3}, {0} {1}))"
    polygons = [box.format(160, -10, 200, 10), box.format(0, 30, 40, 60), ""]
    nodes = Nodes.of_regions(("ocean", "land", "index"), [(0, 180), (45, 20), None], polygons)
    numbers = dict.fromkeys(nodes.names, 0.0), dict.fromkeys(nodes.names, 1.0)
    bn = replace(cb.GaussianBN.from_parameters(nodes.names, {("ocean", "land"): 0.5}, *numbers), nodes=nodes)
    tab.open(cb.explore(bn, tmp_path / "page.html"))
    tab.click('[aria-label="ocean, 0° 180°"]')
    assert asked(tab, {"ocean": 2.0}).tolist() == pytest.approx(cb.propagate(bn, {"ocean": 2.0}).difference.values)
    left, right = tab.run("(b => [b.left, b.right])(panels[0].cells[0].getBoundingClientRect())")
    assert right - left > 50
    assert tab.run("panels[0].cells[2].dataset.tile") == "yes"
    assert tab.complaints() == []


def test_regions_without_a_polygon_are_dots_within_the_map_and_tiles_stand_under_it(tab, tmp_path):
    polygons = ["POLYGON ((0 30, 40 30, 40 60, 0 60, 0 30))", "", ""]
    nodes = Nodes.of_regions(("land", "dot", "index"), [(45, 20), (-30, 60), None], polygons)
    numbers = dict.fromkeys(nodes.names, 0.0), dict.fromkeys(nodes.names, 1.0)
    bn = replace(cb.GaussianBN.from_parameters(nodes.names, {("land", "index"): 2.0}, *numbers), nodes=nodes)
    tab.open(cb.explore(bn, tmp_path / "page.html"))
    inside = "(() => { const [m, d] = [panels[0].svg, panels[0].cells[1]].map(p => p.getBoundingClientRect());"
    assert tab.run(
        f"{inside} return d.left > m.left && d.right < m.right && d.top > m.top && d.bottom < m.bottom }})()"
    )
    clipped = "document.querySelector('clipPath rect').getAttribute('height') * 1"
    assert tab.run(f"panels[0].view[3] - {clipped}") > 28
    assert tab.run("part('place').placeholder") == "place: land or 45°N 20°E"
    tab.click('[data-node="0"]')
    assert "Strongest answer elsewhere: index: " in tab.text("#live")
    assert tab.complaints() == []


def test_keys_alone_are_enough(tab, single):
    tab.open(single)
    tab.run("panels[0].focus(80)")
    tab.press("Enter")
    tab.press("+")
    assert tab.run("state.evidence.get('X81')") == 2.5
    tab.press("ArrowRight")
    assert tab.run("document.activeElement.getAttribute('aria-label')") == "X99, 5°S 125°W"
    tab.press("-")
    assert tab.run("[...state.evidence]") == [["X81", 2.5], ["X99", -0.5]]
    tab.press("Delete")
    tab.press("ArrowLeft")
    tab.press("Enter")
    assert tab.run("state.evidence.size") == 0
    assert tab.run("document.querySelectorAll('[data-node][tabindex=\"0\"]').length") == 1


def test_the_tabulator_key_goes_from_the_controls_to_one_place_of_each_map(tab, three):
    tab.open(f"{three[0]}#e=X81:2,X300:1&n=0&m=1")
    reached = []
    for _ in range(40):
        tab.press("Tab")
        reached.append(tab.run("document.activeElement.id || document.activeElement.getAttribute('aria-label')"))
        if reached[-1] == "remove X300":
            break
    lines = ["value of X81 in sd", "remove X81", "value of X300 in sd", "remove X300"]
    assert reached[reached.index("contrast") + 1 :] == ["X81, 5°S 135°W", "X81, 5°S 135°W", *lines]


def test_the_keyboard_stays_where_evidence_was_removed(tab, single):
    tab.open(f"{single}#e=X81:2,X300:1")
    tab.run("document.querySelector('#evidence button').focus()")
    tab.press("Enter")
    assert tab.run("document.activeElement.getAttribute('aria-label')") == "remove X300"
    tab.press("Enter")
    assert tab.run("[state.evidence.size, document.activeElement.id]") == [0, "place"]


def test_before_a_question_cells_are_outlined_and_there_is_no_colour_bar(tab, single):
    tab.open(single)
    tall = "['.outlines', '#bar'].map(part => document.querySelector(part).getBoundingClientRect().height > 0)"
    assert tab.run(tall) == [True, False]
    assert tab.run("document.querySelector('.outlines').getAttribute('d').split('M').length") > 648
    tab.click('[data-node="80"]')
    assert tab.run(tall) == [False, True]


def test_a_dragged_box_is_evidence_on_its_mean(tab, single):
    tab.open(single)
    (x1, y1), (x2, y2) = (tab.middle(f'[aria-label^="{name},"]') for name in ("X46", "X99"))
    tab.mouse("mousePressed", x1, y1, buttons=1)
    tab.mouse("mouseMoved", (x1 + x2) / 2, (y1 + y2) / 2, buttons=1)
    tab.mouse("mouseMoved", x2, y2, buttons=1)
    tab.mouse("mouseReleased", x2, y2)
    (key, value) = tab.run("[...state.evidence][0]")
    assert value == 2
    south, north, west, east = map(float, key.split("/"))
    assert (south, north, west, east) == pytest.approx((-5, 5, -155, -125), abs=1)
    assert "mean of" in tab.text("#evidence")


def drag(tab, start, end):
    """Press at one point, move to another, let go there."""
    tab.mouse("mouseMoved", *start)
    tab.mouse("mousePressed", *start, buttons=1)
    for share in (0.3, 0.6, 1.0):
        tab.mouse("mouseMoved", *(a + share * (b - a) for a, b in zip(start, end, strict=True)), buttons=1)
    tab.mouse("mouseReleased", *end)


def test_a_box_may_be_let_go_beside_the_map_and_may_go_around_the_globe(tab, single):
    tab.open(single)
    box = "(b => [b.left, b.right, (b.top + b.bottom) / 2])(panels[0].svg.getBoundingClientRect())"
    left, right, middle = tab.run(box)
    drag(tab, (right - 60, middle - 30), (right + 40, middle + 30))
    assert tab.run("[state.evidence.size, !!document.querySelector('.rubber')]") == [1, False]
    tab.click("#clear")
    drag(tab, (left + 2, middle - 20), (right - 2, middle + 20))
    assert tab.run("listEvidence()[0].numbers.length") == 36 * 2
    tab.click("#clear")
    tab.click('[aria-label^="X81,"]')  # a click is a click again
    assert tab.run("[...state.evidence]") == [["X81", 2]]
    assert tab.complaints() == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("X81", "X81"), ("-5, -135", "X81"), ("-5;225", "X81"), ("−5 −135", "X81"), ("5°S 135°W", "X81"),
        ("5s, 135w", "X81"), ("Niño 3.4", "nino34"), ("500, 900", None), ("5,", None), ("<b>", None), ("5 10 15", None),
    ],
)  # fmt: skip
def test_places_are_typed_as_the_page_writes_them(tab, single, text, found):
    tab.open(single)
    tab.run(f"typed({json.dumps(text)})")
    assert tab.run("[...state.evidence.keys()]") == ([found] if found else [])
    assert tab.text("#live").startswith("No place or region is called") is (found is None)


def test_of_standard_deviations_the_smallest_answer_most(tab, single):
    bn = made_networks.world()
    tab.open(f"{single}#e=X81:2&v=sd")
    sd = by_node(bn, cb.propagate(bn, {"X81": 2.0}).sd)
    assert tab.run("document.querySelector('#places tbody tr').textContent").startswith(bn.names[np.argsort(sd)[1]])


def test_a_link_to_places_that_are_not_there_says_so(tab, single):
    tab.open(f"{single}#e=X9999:2,X81:1,<b>:1")
    assert tab.text("#live") == "The link names what this network has not: X9999, <b>."
    tab.open(f"{single}#e=X81:1")
    assert tab.text("#live") == ""


def test_a_region_is_outlined_as_one(tab, single):
    sides = "panels[0].boxes.getAttribute('d').split('M').length - 1"
    tab.open(f"{single}#e=X81:2")
    assert tab.run(sides) == 4
    tab.open(f"{single}#e=-10/10/150/180:2")  # three columns of two cells
    assert tab.run(sides) == 10
    tab.open(f"{single}#e=-10/10/-180/180:2")  # around the globe: two circles
    assert tab.run(sides) == 72
    assert tab.complaints() == []


def test_correlations_beside_those_of_the_sample(tab, three):
    path, models = three
    data = made_networks.field_data()
    tab.open(f"{path}#e=X81:2&v=both&n=0&m=-1")
    tab.mouse("mouseMoved", *tab.middle('[aria-label^="X300,"]'))
    columns = data.values[:, [80, 299]]
    covariance = models[0].covariance(["X81", "X300"])[[80, 299]]
    implied = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    observed = np.corrcoef(columns.T)[0, 1]
    told = re.search(r"network ([+−]?[\d.]+), sample ([+−]?[\d.]+)", tab.text("#readout")).groups()
    assert [float(text.replace("−", "-")) for text in told] == pytest.approx([implied, observed], abs=0.0051)


def test_a_telephone_sees_all_of_it(tab, single):
    tab.resize(400, 800, mobile=True)
    tab.open(f"{single}#e=X81:2&v=both")
    assert tab.run("document.documentElement.scrollWidth") <= 400
    sides = tab.run("(() => { const b = panels[0].svg.getBoundingClientRect(); return [b.left, b.right, b.top] })()")
    assert sides[0] >= 0
    assert sides[1] <= 400
    assert sides[2] < 400  # the map is there without scrolling


def test_csv_and_png(tab, single):
    bn = made_networks.world()
    tab.open(f"{single}#e=X81:2&v=both")
    tab.run("window.saved = []; download = (name, blob) => saved.push([name, blob]); saveCsv()")
    rows = list(csv.DictReader(io.StringIO(tab.run("saved[0][1].text()"))))
    posterior = by_node(bn, cb.propagate(bn, {"X81": 2.0}).posterior)
    np.testing.assert_allclose([float(row["posterior_upper"]) for row in rows], posterior, atol=1e-9)
    assert [row["node"] for row in rows if row["evidence"] == "1"] == ["X81"]
    tab.run("savePng()")
    assert tab.run("saved[1][0] + saved[1][1].type") == "explorer.pngimage/png"
    assert tab.run("saved[1][1].size") > 30_000
    assert tab.complaints() == []


def test_png_of_a_difference_has_its_colour_bar(tab, three):
    page, _ = three
    tall = "createImageBitmap(saved[0][1]).then((picture) => picture.height)"
    heights = []
    for contrast in ("", "&d=1"):
        tab.open(f"{page}#e=X81:2&v=both&n=0&m=1{contrast}")
        tab.run("window.saved = []; download = (name, blob) => saved.push([name, blob]); savePng()")
        heights.append(tab.run(tall))
    row = tab.run("(1400 - 3 * 24) / 2 * panels[0].view[3] / panels[0].view[2] + 44 + 24")
    assert heights[1] - heights[0] > row + 70
    assert tab.complaints() == []


@pytest.mark.parametrize(("degrees", "arcs", "largest"), [(10, 4200, 5e6), (5, 15_000, 30e6)])
def test_clicks_add_evidence_in_a_small_page(tab, tmp_path, degrees, arcs, largest):
    path = cb.explore(made_networks.made_up(degrees, arcs), tmp_path / "page.html")
    assert path.stat().st_size <= largest
    tab.open(path)
    click = "panels[0].cells[{}].dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    tab.run(click.format(3))
    for node in (50, 300, 400, 500, 600):
        tab.run(click.format(node))
    assert tab.run("state.evidence.size") == 6


def test_networks_that_do_not_fit_are_refused(tmp_path):
    bn = made_networks.world()
    with pytest.raises(ClimateBNError, match="same nodes"):
        cb.explore([bn, made_networks.made_up(30, 10)], tmp_path / "page.html")
    with pytest.raises(ClimateBNError, match=r"fitted Gaussian networks.*got Dag"):
        cb.explore(bn.dag, tmp_path / "page.html")
    with pytest.raises(ClimateBNError, match="empty"):
        cb.explore([], tmp_path / "page.html")
    classes = pd.DataFrame({"a": pd.Categorical([0, 1, 0, 1]), "b": pd.Categorical([0, 0, 1, 1])})
    with pytest.raises(ClimateBNError, match=r"got DiscreteBN.*no answers for classes"):
        cb.explore(cb.fit(cb.Dag.from_arcs(["a", "b"], []), classes), tmp_path / "page.html")
    series = pd.DataFrame(np.random.default_rng(1).standard_normal((60, 2)), columns=["a", "b"])
    lagged = cb.fit(cb.learn(series, "tabu", cb.BIC(), lags=1, progress=False), series)
    with pytest.raises(ClimateBNError, match=r"got DynamicBN.*horizon"):
        cb.explore(lagged, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_jupyter_shows_the_page_in_a_frame_of_its_own(tab, tmp_path):
    path = cb.explore(made_networks.made_up(30, 10))
    html = path._repr_html_()
    assert html.startswith("<iframe")
    holder = tmp_path / "notebook.html"
    holder.write_text(f"<!doctype html><meta charset=utf-8><body>{html}</body>", encoding="utf-8")
    tab.open(holder)
    assert tab.run("document.querySelector('iframe').sandbox.contains('allow-same-origin')") is False
    tab.run("new Promise(done => setTimeout(done, 300))")
    assert tab.complaints() == []
