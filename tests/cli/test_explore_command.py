"""`climatebn explore` without a browser: what it writes, serves, opens and refuses."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import climatebn as cb
from climatebn.cli import explore, group
from climatebn.pages.explorer import server


@pytest.fixture
def networks(tmp_path, monkeypatch):
    """Two networks of four places in the current folder, and the addresses that a browser was asked to open."""
    monkeypatch.chdir(tmp_path)
    field = cb.anomalies(cb.load_ncep()).isel(lat=slice(8, 10), lon=slice(0, 2))
    data = cb.to_nodes(field)
    bn = cb.fit(cb.Dag.from_arcs(data.names, [(data.names[0], data.names[1])]), data)
    bn.save("first.nc")
    replace(bn, residual_variances=bn.residual_variances * 2).save("second.nc")
    opened = []
    monkeypatch.setattr(explore.webbrowser, "open", opened.append)
    return opened


def run(*words):
    return CliRunner().invoke(group, ["explore", *words])


def test_a_page_is_written_and_opened(networks, tmp_path):
    shown = run("first.nc", "second.nc", "--open")
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("explorer.html (")
    assert networks == [(tmp_path / "explorer.html").as_uri()]
    page = (tmp_path / "explorer.html").read_text(encoding="utf-8")
    assert '"first"' in page
    assert '"second"' in page
    quiet = run("first.nc", "--out", "other.html", "--quiet")
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert (tmp_path / "other.html").exists()
    assert len(networks) == 1


@pytest.mark.parametrize("words", [("--serve",), ()], ids=["asked", "too large for a page"])
def test_it_serves_until_interrupted(networks, tmp_path, monkeypatch, words):
    asked = []

    def interrupted(self):
        asked.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(server.ExplorerServer, "serve_forever", interrupted)
    if not words:
        monkeypatch.setattr(explore, "INSIDE", 3)
    shown = run("first.nc", "--open", *words)
    assert shown.exit_code == 0, shown.output
    first, last = shown.output.splitlines()
    assert first == f"{networks[0]} on this machine only; Ctrl-C ends it"
    assert last == "ended"
    assert [one.address for one in asked] == networks
    assert not list(tmp_path.glob("*.html"))


def test_a_large_network_with_a_name_for_its_page_is_written(networks, tmp_path, monkeypatch):
    monkeypatch.setattr(explore, "INSIDE", 3)
    assert run("first.nc", "--out", "large.html").exit_code == 0
    assert (tmp_path / "large.html").exists()


def test_what_is_refused(networks, tmp_path):
    before = (tmp_path / "first.nc").read_bytes()
    for words, said in (
        (("first.nc", "--serve", "--out", "a.html"), "--serve writes no file"),
        (("first.nc", "--out", "./first.nc"), "is a network itself"),
        (("first.nc", "--serve", "--port", "70000"), "70000"),
    ):
        refused = run(*words)
        assert refused.exit_code == 2
        assert said in refused.output
    assert (tmp_path / "first.nc").read_bytes() == before
    np.save("numbers.npy", np.ones(2))
    assert isinstance(run("numbers.npy").exception, cb.errors.ClimateBNError)
