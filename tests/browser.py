"""
A headless Chromium for tests: opens a page, presses keys, looks, and keeps everything that went wrong in the page.

It is spoken to over two pipes (`--remote-debugging-pipe`), JSON with a null byte behind each message, so that no port
is opened and no library is needed. No page reaches any other machine.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next((found for name in PROGRAMS if (found := shutil.which(name))), "")
MISSING = "needs Chromium (Debian: chromium)"
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
"""Seconds until an answer must be there."""

READ = 1 << 16
ENTRANCE = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""Chromium reads from 3 and writes to 4: puts our pipes there, and becomes it."""

KEYS = {
    "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "PageUp": 33,
    "PageDown": 34, " ": 32, "Enter": 13, "Tab": 9,
}  # fmt: skip
TYPED = {" ": " ", "Enter": "\r"}


class Browser:
    """One page of one Chromium; `errors` is what its console has told so far, and every failed request."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._rest = b""
        self._number = 0
        self._session = ""
        self._loaded = False
        self.errors: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return what Chromium answers to *method*."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])

    def open(self, address: str | Path) -> None:
        """Open a page, or a file, and wait until all of it is loaded."""
        self._loaded = False
        self.ask("Page.navigate", url=address.resolve().as_uri() if isinstance(address, Path) else address)
        while not self._loaded:
            self._next()

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, or of what it promises."""
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go, as a person does: what the page does not prevent, the browser does."""
        code = {" ": "Space"}.get(key, key)
        event = {"key": key, "code": code, "windowsVirtualKeyCode": KEYS[key]}
        typed = {"text": TYPED[key]} if key in TYPED else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **event, **typed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector: str) -> None:
        """Press the mouse on the middle of the first element that *selector* finds, moved into sight."""
        x, y = self.evaluate(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            " found.scrollIntoView({block: 'center', behavior: 'instant'}); const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def look(self, width: int, height: int = 800, *, dark: bool = False, script: bool = True) -> None:
        """Show pages in a window of this size; *script*: run what they bring."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)

    def screenshot(self, file: Path, *, whole: bool = False) -> None:
        """Keep what the window shows, or the *whole* page, as a PNG."""
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """Let Chromium end."""
        self._session = ""
        with suppress(AssertionError, OSError):
            self.ask("Browser.close")

    def _next(self) -> dict[str, Any]:
        """Return the next message, noted if it tells of something wrong."""
        until = monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], max(0.0, until - monotonic()))
            assert ready, "Chromium gives no answer"
            read = os.read(self._back, READ)
            assert read, "Chromium has ended"
            self._rest += read
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.loadingFailed":
            self.errors.append(params["errorText"])


@contextmanager
def started() -> Iterator[Browser]:
    """Give a browser, ended afterwards."""
    to_read, to = os.pipe()
    back, back_write = os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        pipes = (str(to_read), str(back_write))
        process = subprocess.Popen(
            [sys.executable, "-c", ENTRANCE, *pipes, PROGRAM, *SWITCHES, f"--user-data-dir={folder}"],
            pass_fds=(to_read, back_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(back_write)
        try:
            browser = Browser(to, back)
            yield browser
            browser.close()
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
            os.close(to)
            os.close(back)
