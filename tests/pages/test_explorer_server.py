"""The page served on this machine: the same answers, and nothing for anybody else."""

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace

import made_networks
import numpy as np
import pytest

import climatebn as cb
from climatebn.analysis.correlation import correlation_network
from climatebn.errors import ClimateBNError
from climatebn.pages.explorer import server as server_module
from climatebn.pages.explorer.served import answer
from climatebn.pages.explorer.server import LARGEST_QUESTION, ExplorerServer

QUESTION = {"model": 0, "evidence": [["X81", 2.0]], "threshold": 1, "units": "sd", "about": "X81"}


@pytest.fixture(scope="module")
def server():
    data = made_networks.field_data()
    models = {"one": made_networks.world(), "many": made_networks.worlds(), "pairs": correlation_network(data, 2000)}
    with ExplorerServer(models, data) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def asked(server, method="POST", path=None, body="", **headers):
    """One request; its status and what it said."""
    body = json.dumps(QUESTION) if body == "" else body
    host = f"127.0.0.1:{server.server_port}"
    usual = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(host, timeout=20)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    wanted = {name: value for name, value in {**usual, **headers}.items() if value is not None}
    connection.request(method, f"/{server.token}/answer" if path is None else path, body, wanted)
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return reply.status, content


@pytest.mark.parametrize("network", [0, 1, 2])
def test_the_served_page_answers_as_the_file_does(tab, server, tmp_path, network):
    data = made_networks.field_data()
    models = dict(zip(("one", "many", "pairs"), server.models, strict=True))
    evidence = "{X81: 2, nino34: 1, '-25/15/40/80': -1}"
    script = f"climatebn.answer({evidence}, {{threshold: 0.8, tail: 'lower', network: {network}}})"
    state = f"#e=X300:1,X81:2&v=both&n={network}&m=-1"
    read = "Promise.resolve().then(() => new Promise(done => setTimeout(done, 400))).then(() => (look(99), [panels[0]."
    read += "painted.join(), panels[0].dots.getAttribute('d'), document.getElementById('readout').textContent]))"
    tab.open(f"{cb.explore(models, tmp_path / 'page.html', data)}{state}")
    expected, seen = tab.run(script), tab.run(read)
    tab.open(f"{server.address}{state}")
    np.testing.assert_allclose(tab.run(script), expected, rtol=0, atol=1e-6)
    assert tab.run(read) == seen
    assert tab.complaints() == []


def test_the_correlation_beside_a_place_is_with_the_evidence_set_last(tab):
    numbers = dict.fromkeys(("3", "1", "2"), 0.0), dict.fromkeys(("3", "1", "2"), 1.0)
    bn = cb.GaussianBN.from_parameters(("3", "1", "2"), {("3", "2"): 1.0}, *numbers)
    with ExplorerServer({"one": bn}) as running:
        threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        try:
            tab.open(f"{running.address}#e=3:1,1:1")  # an object would sort them: 1, 3
            tab.run("new Promise(done => setTimeout(done, 400)).then(() => look(2))")
            assert "correlation with 1: network 0.00" in tab.text("#readout")
        finally:
            running.shutdown()


def test_errors_are_said_on_the_served_page(tab, server):
    tab.open(server.address)
    with pytest.raises(RuntimeError, match=r"X81 is \+9.0 standard deviations from its mean"):
        tab.run("climatebn.answer({X81: 9})")


def test_it_listens_on_this_machine_only(server):
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.token) >= 32


@pytest.mark.parametrize(
    ("status", "change"),
    [
        (200, {}),
        (403, {"Host": "example.org"}),
        (403, {"Host": "127.0.0.1"}),
        (403, {"Host": "evil.example:80"}),
        (403, {"Origin": "https://example.org"}),
        (403, {"Origin": None}),
        (403, {"Origin": "null"}),
        (403, {"Sec_Fetch_Site": "cross-site"}),
        (415, {"Content_Type": "text/plain"}),
        (404, {"path": "/answer"}),
        (404, {"path": "/0123456789abcdef0123456789abcdef/answer"}),
        (413, {"body": " " * (LARGEST_QUESTION + 1)}),
        (400, {"body": "{"}),
        (400, {"body": "[" * 5000}),
        (400, {"body": json.dumps({**QUESTION, "more": 1})}),
        (501, {"method": "PUT"}),
    ],
)
def test_who_gets_an_answer(server, status, change):
    assert asked(server, **change)[0] == status


def opened(server, length):
    """A connection on which a question of so many bytes was announced and none of it sent."""
    host = f"127.0.0.1:{server.server_port}"
    lines = (f"POST /{server.token}/answer HTTP/1.1", f"Host: {host}", f"Origin: http://{host}")
    lines += ("Content-Type: application/json", f"Content-Length: {length}", "", "")
    connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=20)
    connection.sendall("\r\n".join(lines).encode())
    return connection


def all_of(connection):
    """What comes until the other side ends; its status and its last line."""
    content = b"".join(iter(lambda: connection.recv(65_536), b"")).decode()
    connection.close()
    return int(content.split()[1]), json.loads(content.splitlines()[-1])


@pytest.mark.parametrize(("length", "said"), [(65_537, "65537"), (10**8, "100000000"), (10**30, "10⁹ or more")])
def test_a_question_that_is_too_long_is_refused_before_it_is_sent(server, length, said):
    began = time.monotonic()
    status, told = all_of(opened(server, length))
    assert time.monotonic() - began < 5
    assert status == 413
    assert told["error"] == f"a question has at most 65536 bytes; this one is said to have {said}"


def test_who_sends_too_much_still_hears_why(server):
    connection = opened(server, 20_000_000)
    for _ in range(100):
        connection.sendall(bytes(200_000))
    assert all_of(connection)[0] == 413


@pytest.mark.parametrize("trickle", [False, True])
def test_a_false_length_holds_nobody_up(server, monkeypatch, trickle):
    monkeypatch.setattr(server_module, "SECONDS", 1.0)
    connection = opened(server, 500)
    connection.sendall(b"{")
    assert asked(server)[0] == 200  # others are answered meanwhile
    began = time.monotonic()
    while trickle and time.monotonic() - began < 1.5 and not select.select([connection], [], [], 0.1)[0]:
        connection.sendall(b" ")
    status, told = all_of(connection)
    assert time.monotonic() - began < 10
    assert (status, told["error"]) == (408, "the question did not arrive within 1 s")


def test_a_question_that_ends_early_is_refused(server):
    connection = opened(server, 500)
    connection.sendall(b"{")
    connection.shutdown(socket.SHUT_WR)
    assert all_of(connection)[0] == 400


def test_the_page_needs_token_and_host(server):
    assert asked(server, "GET", f"/{server.token}/", None)[1] == server.page
    assert asked(server, "GET", "/", None)[0] == 404
    assert asked(server, "GET", f"/{server.token}/../etc/passwd", None)[0] == 404
    assert asked(server, "GET", f"/{server.token}/", None, Host="rebound.example:1")[0] == 403
    for status, content in (asked(server, "GET", "/", None), asked(server, path="/x")):
        assert status == 404
        assert server.token.encode() not in content


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": 3}, {"model": -1}, {"model": True}, {"units": "K"}, {"threshold": -1}, {"threshold": "1"},
        {"evidence": {"X81": 2}}, {"evidence": [["X81"]]}, {"evidence": [["X81", None]]}, {"evidence": [[81, 2.0]]},
        {"evidence": [["X81", float("inf")]]}, {"evidence": [["X" * 201, 2]]}, {"evidence": [["X81", 2]] * 201},
        {"evidence": [["nowhere", 2]]}, {"about": "nowhere"}, {"about": 3},
    ],
    ids=str,
)  # fmt: skip
def test_questions_are_checked(server, wrong):
    with pytest.raises(ClimateBNError):
        answer(server.models, {**QUESTION, **wrong})


def test_the_command_serves_until_interrupted(tmp_path, browser):
    made_networks.world().save(tmp_path / "network.nc")
    command = [sys.executable, "-m", "climatebn.cli", "explore", "network.nc", "--serve"]
    settings = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=settings)
    address = process.stdout.readline().split()[0]
    page = browser.page()
    page.open(address)
    assert len(page.run("climatebn.answer({X81: 2})")) == 648
    page.close()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "ended\n"
    assert process.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["network.nc"]


def test_the_command_writes_a_page(tmp_path, tab):
    bn = made_networks.world()
    bn.save(tmp_path / "first.nc")
    replace(bn, residual_variances=bn.residual_variances * 2).save(tmp_path / "second.nc")
    made_networks.worlds().save(tmp_path / "many.nc")
    command = [sys.executable, "-m", "climatebn.cli", "explore", "first.nc", "second.nc", "many.nc"]
    told = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert told.startswith("explorer.html (")
    tab.open(tmp_path / "explorer.html")
    assert tab.run("models.map(model => model.label)") == ["first", "second", "many"]
    wrong = subprocess.run([*command, "--out", "first.nc"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "is a network itself" in wrong.stderr
