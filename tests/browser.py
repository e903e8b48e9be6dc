"""Headless Chromium, driven through its own DevTools protocol over a pipe: no driver and no package is needed.

Tests that need it are left out where there is no browser; with CLIMATEBN_BROWSER=required they fail instead.
"""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium on this machine (Debian: apt-get install chromium)"
SECONDS = 60.0


def binary():
    """The browser on this machine, or None."""
    asked = os.environ.get("CLIMATEBN_BROWSER", "")
    named = [asked] if asked and asked != "required" else []
    return next(filter(None, map(shutil.which, [*named, *NAMES])), None)


class Browser:
    """One browser process; `page` opens a tab."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="climatebn-browser-")
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()
        to_browser, from_browser = _high(to_browser), _high(from_browser)

        def as_three_and_four():
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        options = (
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
            "--remote-debugging-pipe", "--force-device-scale-factor=1", f"--user-data-dir={self.profile}",
            "about:blank",
        )  # fmt: skip
        self.process = subprocess.Popen(
            [binary(), *options],
            preexec_fn=as_three_and_four,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.numbers, self.buffer, self.events = itertools.count(1), b"", []

    def call(self, method, session=None, **parameters):
        """One call; its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next(SECONDS)
            if told is None:
                raise TimeoutError(f"the browser did not answer {method}")
            if told.get("id") == number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']['message']}")
                return told["result"]
            self.events.append(told)

    def collect(self, seconds=0.0):
        """Events so far, waiting a little for more."""
        while (told := self._next(seconds)) is not None:
            self.events.append(told)
        return self.events

    def _next(self, seconds):
        ends = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read], [], [], max(0.0, ends - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self.read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def page(self, width=1400, height=1000):
        return Page(self, width, height)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        os.close(self.write)
        os.close(self.read)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """One tab: open a file, run scripts, click, press keys, look."""

    def __init__(self, browser, width, height):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width, height=1000, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def open(self, address):
        """Open a file or an address and wait until it is loaded."""
        file, mark, state = str(address).partition("#")
        address = (file if "://" in file else Path(file).resolve().as_uri()) + mark + state
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        ends = time.monotonic() + SECONDS
        while not self.run("document.readyState === 'complete' && location.href !== 'about:blank'"):
            assert time.monotonic() < ends, "the page is not loaded"
            time.sleep(0.02)
        return self

    def run(self, script):
        """The value of an expression in the page; promises are waited for."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise RuntimeError(told["exceptionDetails"]["exception"].get("description", "an error in the page"))
        return told["result"].get("value")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector):
        """Click the middle of an element, as a mouse does."""
        x, y = self.middle(selector)
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, buttons=1)
        self.mouse("mouseReleased", x, y)

    def middle(self, selector):
        box = f"document.querySelector({json.dumps(selector)})"
        return self.run(
            f"(() => {{ {box}.scrollIntoView({{block: 'nearest'}}); const b = {box}.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )

    def mouse(self, kind, x, y, buttons=0):
        pressed = kind != "mouseMoved"
        more = {"button": "left" if pressed or buttons else "none", "clickCount": int(pressed), "buttons": buttons}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def press(self, key, text=None):
        """Press a key, e.g. ArrowRight, Enter, +."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else None) if text is None else text
        down = {"text": text} if text else {}
        down |= {"windowsVirtualKeyCode": 9} if key == "Tab" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path, whole=True):
        """Save a screenshot as PNG."""
        content = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(content))
        return path

    def complaints(self):
        """Errors and warnings on the console."""
        found = []
        for event in self._own():
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"]["exception"].get("description"))
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
                found.append(event["params"]["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning"):
                found.append(str(event["params"]["args"]))
        return found

    def requests(self):
        """Addresses that the page asked for."""
        return [e["params"]["request"]["url"] for e in self._own() if e["method"] == "Network.requestWillBeSent"]

    def _own(self):
        return [event for event in self.browser.collect(0.05) if event.get("sessionId") == self.session]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


def _high(end):
    """A file descriptor moved above 9: a copy to 3 or 4 cannot cover it then."""
    import fcntl

    copy = fcntl.fcntl(end, fcntl.F_DUPFD, 10)
    os.close(end)
    return copy


if __name__ == "__main__":
    import sys

    found = binary()
    sys.stdout.write(f"Browser tests ran in {found}.\n" if found else f"Browser tests were left out: {MISSING}.\n")
