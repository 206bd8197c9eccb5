"""A browser that tells of all that a page must not do, and a service for it to look at."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

EXECUTABLE = "/usr/bin/chromium"
# A browser says this of each answer of 400 and above to `fetch`, be it expected or not.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


class Service:
    """A `realmshift serve` in a folder."""

    def __init__(self, program, folder, arguments=()):
        self.folder, self.log = folder, folder / "serve.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--listen", "127.0.0.1:0", "--data", str(folder / "data"), *arguments], stderr=log)
        while not (found := re.search(r"listening on (https?://\S+)", self.log.read_text(errors="replace"))):
            if self.process.poll() is not None:
                sys.exit("the service did not come up:\n" + self.log.read_text(errors="replace"))
            time.sleep(0.1)
        self.url = found.group(1)
        while not (folder / "data/admin.key").exists():
            time.sleep(0.1)
        self.key = (folder / "data/admin.key").read_text().strip()

    def call(self, method, path, body=None, fields={}):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data, {"Authorization": "Bearer " + self.key, "Content-Type": "application/json", **fields}, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.read().decode(errors='replace')}")
        return json.loads(text) if text else None

    def sql(self, text):
        subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder / "data/postgres", "-U", "realmshift", "postgres"],
                       input=text, text=True, check=True)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=60)


class Watch:
    """Takes down what a page must not do: errors in its console, requests to elsewhere, markup that was data."""

    def __init__(self, page, url):
        self.page, self.url, self.faults, self.expected, self.leaves = page, url, [], None, None
        page.on("console", lambda message: self.heard(message))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: self.asked(request.url))
        page.on("dialog", lambda dialog: self.opened(dialog))

    def heard(self, message):
        is_expected = REFUSED.match(message.text) or (self.expected and self.expected in message.text)
        if message.type in ("error", "warning") and not is_expected:
            self.faults.append(f"{message.type} in the console: {message.text}")

    def opened(self, dialog):
        if self.leaves:
            self.leaves(dialog)
            dialog.accept()
        else:
            self.faults.append(f"dialog: {dialog.message}")
            dialog.dismiss()

    def asked(self, url):
        if not url.startswith((self.url + "/", "data:", "blob:")):
            self.faults.append(f"a request to elsewhere: {url}")

    def check(self, step):
        if self.page.locator('img[src="x"], [onerror]').count():
            self.faults.append("data became markup")
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.faults.append("the page is wider than its window")
        if self.faults:
            sys.exit(f"{step}: " + "; ".join(self.faults))


def launch(playwright):
    """Debian's Chromium without a window."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=EXECUTABLE, args=arguments)


def is_there():
    return pathlib.Path(EXECUTABLE).exists()
