"""The example studies run on the embedded fields and find what is known."""

import re
import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.image import imread

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def said(request, tmp_path, monkeypatch, capsys):
    """What an example prints; its figure lies in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [request.param])
    monkeypatch.setenv("CLIMATEBN_QUIET", "1")
    with mpl.rc_context({"backend": "agg"}):
        runpy.run_path(str(EXAMPLES / request.param), run_name="__main__")
    plt.close("all")
    assert imread(tmp_path / request.param.replace(".py", ".png")).shape[1] == pytest.approx(17 / 2.54 * 300, abs=2)
    return capsys.readouterr().out


@pytest.mark.parametrize("said", ["sst_boxes.py"], indirect=True)
def test_el_nino_warms_the_indian_ocean(said):
    assert "492 months, 439 places" in said
    assert "123 months of DJF" in said
    links = re.findall(r"correlation (\S+), in the network (\S+)\n", said)
    assert len(links) == 2
    for sample, implied in links:
        assert 0.4 < float(sample) < 0.8
        assert 0.3 < float(implied) < float(sample)
    assert re.search(r"the strongest: nino34 .* indian_ocean", said)


@pytest.mark.parametrize("said", ["z500_winter.py"], indirect=True)
def test_centres_of_nao_and_pna(said):
    assert "172 months of DJFM" in said
    means = [float(mean) for mean in re.findall(r"(\S+) ± ", said)]
    names = re.findall(r"  (\w+) +X\d+ ", said)
    nao, pna = (dict(zip(names[part], means[part], strict=True)) for part in (slice(0, 6), slice(6, 12)))
    assert nao["nao_iceland"] == 2
    assert nao["nao_azores"] == pytest.approx(-1, abs=0.35)
    assert pna["pna_alberta"] > 1
    assert pna["pna_hawaii"] > 0.2
    assert pna["pna_gulf_coast"] < -0.4
