"""fetch against a server on this machine: success, a broken line, a changed file, wrong content, nobody there."""

import http.server
import threading

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from click.testing import CliRunner

from climatebn.cli.fetch import command
from climatebn.errors import ClimateBNError
from climatebn.ingest.field.download import check_ncep, fetch_ncep


def original(months=756, units="degC", lon=144):
    """A file in the layout of the original; whole degrees, so that it packs small."""
    values = np.broadcast_to((np.arange(months) % 12)[:, None, None], (months, 73, lon))
    return xr.DataArray(
        values.astype(np.float32),
        dims=("time", "lat", "lon"),
        coords={
            "time": pd.date_range("1948-01", periods=months, freq="MS"),
            "lat": np.linspace(90, -90, 73),
            "lon": np.arange(lon) * 2.5,
        },
        attrs={"units": units},
        name="air",
    )


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("original") / "air.nc"
    original().to_netcdf(path, encoding={"air": {"zlib": True}})
    return path.read_bytes()


@pytest.fixture
def server(content):
    """Serves ``server.content``; breaks off after ``server.limit`` bytes; keeps the Range of each request."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked = self.headers.get("Range")
            ranges.append(asked)
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and running.resumes else 0
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(running.content) - start))
            self.send_header("ETag", running.tag)
            self.end_headers()
            self.wfile.write(running.content[start : running.limit])

        def log_message(self, *_):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    ranges = running.ranges = []
    running.content, running.limit, running.tag, running.resumes = content, None, "v1", True
    running.url = f"http://127.0.0.1:{running.server_port}/air.mon.mean.nc"
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_download_into_a_new_folder(server, content, tmp_path):
    path = fetch_ncep(tmp_path / "new", url=server.url, progress=False)
    assert path.read_bytes() == content
    assert names(tmp_path / "new") == ["air.mon.mean.nc"]
    asked = len(server.ranges)
    assert fetch_ncep(tmp_path / "new", url=server.url) == path
    assert len(server.ranges) == asked  # what is there is only checked


@pytest.mark.parametrize("resumes", [True, False])
def test_broken_download_goes_on(server, content, tmp_path, resumes):
    server.limit, server.resumes = len(content) // 2, resumes
    with pytest.raises(ClimateBNError, match="the same command goes on from there"):
        fetch_ncep(tmp_path, url=server.url, progress=False)
    (partial,) = names(tmp_path)
    assert partial.endswith(".part")  # never looks complete
    have = (tmp_path / partial).stat().st_size
    assert have > len(content) / 4
    server.limit = None
    assert fetch_ncep(tmp_path, url=server.url, progress=False).read_bytes() == content
    assert server.ranges[-1] == f"bytes={have}-"
    assert names(tmp_path) == ["air.mon.mean.nc"]


def test_a_partial_of_an_older_version_is_not_continued(server, content, tmp_path):
    server.limit = len(content) // 2
    with pytest.raises(ClimateBNError):
        fetch_ncep(tmp_path, url=server.url, progress=False)
    server.limit, server.tag = None, "v2"
    assert fetch_ncep(tmp_path, url=server.url, progress=False).read_bytes() == content
    assert server.ranges[-1] is None


def test_a_link_in_place_of_the_partial_file_is_not_followed(server, content, tmp_path):
    server.limit = len(content) // 2
    with pytest.raises(ClimateBNError):
        fetch_ncep(tmp_path / "in", url=server.url, progress=False)
    (partial,) = (tmp_path / "in").iterdir()
    partial.unlink()
    (tmp_path / "precious.txt").write_text("precious")
    partial.symlink_to(tmp_path / "precious.txt")
    server.limit = None
    assert fetch_ncep(tmp_path / "in", url=server.url, progress=False).read_bytes() == content
    assert (tmp_path / "precious.txt").read_text() == "precious"


def test_wrong_content_never_gets_the_name(server, tmp_path):
    server.content = b"<html>moved</html>"
    with pytest.raises(ClimateBNError, match="cannot read"):
        fetch_ncep(tmp_path, url=server.url, progress=False)
    assert names(tmp_path) == []


def test_nobody_there_says_what_to_place_where(server, tmp_path):
    dead = server.url.replace(str(server.server_port), "9")  # the discard port: no one listens
    with pytest.raises(ClimateBNError) as error:
        fetch_ncep(tmp_path, url=dead, progress=False)
    assert f"place it as {tmp_path.resolve() / 'air.mon.mean.nc'}" in str(error.value)
    assert dead in str(error.value)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"months": 700}, r"its months are 1948-01 … 2006-04, which must hold 1948-01 … 2010-12"),
        ({"units": "K"}, "its units are 'K', not 'degC'"),
        ({"lon": 72}, "its grid is 73 × 72, not 73 × 144"),
    ],
)
def test_another_file_is_refused(tmp_path, change, words):
    path = tmp_path / "air.mon.mean.nc"
    original(**change).to_netcdf(path, encoding={"air": {"zlib": True}})
    with pytest.raises(ClimateBNError, match=words):
        check_ncep(path)
    with pytest.raises(ClimateBNError, match=words):
        fetch_ncep(tmp_path)


def test_command(tmp_path, content):
    (tmp_path / "air.mon.mean.nc").write_bytes(content)
    answer = CliRunner().invoke(command, ["ncep", "--to", str(tmp_path)])
    assert (answer.exit_code, answer.stdout) == (0, f"{tmp_path / 'air.mon.mean.nc'}\n")
    assert "note: " in answer.stderr
    assert "is not the file whose SHA-256 is known here" in answer.stderr
    assert "not each byte" in answer.stderr
    assert CliRunner().invoke(command, ["ncep", "--to", str(tmp_path), "--quiet"]).output == ""
    assert CliRunner().invoke(command, ["era5"]).exit_code == 2
