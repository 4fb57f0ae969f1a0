# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A headless Chromium by its debugging pipe: JSON messages that end with a zero byte, in on descriptor 3, out on 4."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds, for a machine that has much else to do


def same(what, wanted, got):
    if wanted != got:
        raise AssertionError(f"{what}: wanted {wanted!r:.2000}, got {got!r:.2000}")


class Browser:
    def __init__(self, program):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                   "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
                   "--hide-scrollbars", f"--user-data-dir={self.home.name}", "about:blank"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "sh", program, *options],
            pass_fds=(to_read, from_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.home.name, TZ="UTC"))
        os.close(to_read)
        os.close(from_write)
        self.rest = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.home.cleanup()

    def message(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            if not select.select([self.source], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.source, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            got = self.message()
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]
            self.events.append(got)

    def open(self, file):
        """Loads it; what went wrong from now on is in events."""
        # Or another fragment of the same file would load nothing.
        self.load(lambda: self.call("Page.navigate", url="about:blank"))
        self.events = []
        self.load(lambda: self.call("Page.navigate", url="file://" + file))

    def load(self, begin):
        """What `begin` makes the browser load; the page before is gone then."""
        before = len(self.events)
        begin()
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[before:]):
            self.events.append(self.message())

    def ask(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition):
        """For what the page does by itself."""
        deadline = time.monotonic() + 20
        while not self.ask(condition):
            if time.monotonic() > deadline:
                raise AssertionError(f"never came: {condition}")
            time.sleep(0.01)

    def complaints(self):
        """Exceptions, messages on the console, and anything that was to be loaded besides the file itself."""
        found = []
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(f"{method}: {json.dumps(about)[:300]}")
            elif method == "Network.requestWillBeSent" and about["type"] != "Document":
                if not about["request"]["url"].startswith("data:"):
                    found.append("asks for " + about["request"]["url"])
        return found

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def touch(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, start, end):
        self.point(*start)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", buttons=1, clickCount=1)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=end[0], y=end[1], button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def press(self, key, shift=False):
        """A key by its name, or a character."""
        code = {"Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35,
                "Escape": 27, "PageUp": 33, "PageDown": 34, "Enter": 13, "Backspace": 8}.get(key) or ord(key.upper())
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, modifiers=8 if shift else 0, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))
