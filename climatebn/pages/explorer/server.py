"""The page from a process on this machine, for networks too large to be inside a file.

It listens on 127.0.0.1 alone. The address holds a token that only its reader knows; requests must name this very host
and port (Host), and questions must come from the page itself (Origin), so that no other page in the same browser and
no name that was bent to 127.0.0.1 gets an answer. Questions are short, and every one is checked.
"""

import json
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from climatebn.errors import ClimateBNError
from climatebn.pages.explorer.content import content
from climatebn.pages.explorer.document import TITLE, document, policy
from climatebn.pages.explorer.models import Model
from climatebn.pages.explorer.sample import unit_rows
from climatebn.pages.explorer.served import answer

HERE = "127.0.0.1"
LARGEST_QUESTION = 65_536  # bytes
SECONDS = 30.0  # that a question may take to arrive, and a silent reader may keep a connection
FAREWELL = 1.0  # seconds in which a sender of too much is still listened to, so that the refusal reaches it


class ExplorerServer(ThreadingHTTPServer):
    """Serves one page and answers its questions; ``serve_forever`` until ``shutdown``."""

    daemon_threads = True

    def __init__(self, models: Mapping[str, Model], data: Any = None, port: int = 0) -> None:
        self.models = list(models.values())
        self.rows = None if data is None else unit_rows(self.models[0].names, data)
        self.page = document(content(models, served=True), TITLE, served=True).encode()
        self.token = secrets.token_urlsafe(24)
        self.one_at_a_time = threading.Lock()
        super().__init__((HERE, port), Handler)

    @property
    def address(self) -> str:
        """Where the page is, with its token."""
        return f"http://{HERE}:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """The names that a browser on this machine may call it by."""
        return f"{HERE}:{self.server_port}", f"localhost:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who went away is no error."""


class Handler(BaseHTTPRequestHandler):
    """GET /token/ is the page, POST /token/answer a question; everything else is refused."""

    server: ExplorerServer
    server_version = "climatebn"
    sys_version = ""
    timeout = SECONDS

    def do_GET(self) -> None:
        """The page."""
        if self._known("/"):
            self._send(200, self.server.page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """A question of the page."""
        if not self._known("/answer"):
            return None
        if self.headers.get("Origin") not in [f"http://{host}" for host in self.server.hosts]:
            return self._refuse(403, "questions come from the page itself")
        if self.headers.get_content_type() != "application/json":
            return self._refuse(415, "questions are JSON")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self._refuse(411, "a question says how long it is")
        if len(length) > 9 or int(length) > LARGEST_QUESTION:
            said = length if len(length) < 10 else "10⁹ or more"
            self._refuse(413, f"a question has at most {LARGEST_QUESTION} bytes; this one is said to have {said}")
            return self._part()
        try:
            asked = json.loads(self._arrived(int(length)))
            with self.server.one_at_a_time:
                told = answer(self.server.models, asked, self.server.rows)
        except TimeoutError:
            return self._refuse(408, f"the question did not arrive within {SECONDS:g} s")
        except ClimateBNError as error:
            return self._refuse(400, str(error))
        except (ValueError, RecursionError):
            return self._refuse(400, "a question must be JSON")
        return self._send(200, json.dumps(told).encode(), "application/json")

    def _arrived(self, length: int) -> bytes:
        """So many bytes, or fewer if the sender ends; an error when they take too long, however they trickle."""
        ends, body, piece = time.monotonic() + SECONDS, b"", b"-"
        try:
            while piece and len(body) < length:
                self.connection.settimeout(max(ends - time.monotonic(), 0.001))
                piece = self.rfile.read1(length - len(body))
                body += piece
        finally:
            self.connection.settimeout(SECONDS)
        return body

    def _part(self) -> None:
        """Take leave of a sender of too much: a connection closed on unread bytes would lose the refusal on its way."""
        ends = time.monotonic() + FAREWELL
        try:
            self.connection.shutdown(socket.SHUT_WR)
            while (left := ends - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(LARGEST_QUESTION):
                    break
        except OSError:
            pass  # it went, or is silent

    def _known(self, end: str) -> bool:
        """Whether the request names this host and the token; refused if not."""
        if self.headers.get("Host") not in self.server.hosts:
            self._refuse(403, "this page is for this machine only")
        elif self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(403, "other pages get no answer")
        elif not secrets.compare_digest(self.path.encode(), f"/{self.server.token}{end}".encode()):
            self._refuse(404, "there is nothing at this address")
        else:
            return True
        return False

    def _refuse(self, code: int, words: str) -> None:
        self.close_connection = True
        self._send(code, json.dumps({"error": words}).encode(), "application/json")

    def _send(self, code: int, body: bytes, kind: str) -> None:
        self.send_response(code)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": f"{policy(True)}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address, and with it the token, is not for logs."""
