#!/usr/bin/env python3
"""Uploads a realm in parts by tuspy, a public client of tus 1.0 (.build/venv, made by scripts/python-tools).

usage: tus_upload.py PROGRAM

The service is killed in the middle and started again; the client goes on where it was. What comes of it has to be what a plain upload
of the same file becomes.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from tusclient import client
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

PART = 300_000


class Service:
    """A `realmshift serve` on a data directory."""

    def __init__(self, program, folder):
        self.log = open(folder / "serve.log", "ab")
        start = self.log.tell()
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data", str(folder / "data")], stderr=self.log)
        for _ in range(600):
            text = (folder / "serve.log").read_bytes()[start:].decode(errors="replace")
            found = re.search(r"listening on (http://\S+)", text)
            if found:
                break
            if self.process.poll() is not None:
                sys.exit("the service did not come up:\n" + text)
            time.sleep(0.1)
        else:
            sys.exit("the service did not come up:\n" + text)
        self.url = found.group(1)
        self.key = (folder / "data/admin.key").read_text().strip()
        self.headers = {"Authorization": "Bearer " + self.key}

    def call(self, method, path, body=None, media_type="application/json"):
        request = urllib.request.Request(self.url + path, body, self.headers | {"Content-Type": media_type}, method=method)
        with urllib.request.urlopen(request) as response:
            return response.read()

    def content(self, realm):
        snapshot = json.loads(self.call("GET", f"/v1/apps/notes/realms/{realm}"))["currentSnapshot"]
        request = urllib.request.Request(
            f"{self.url}/v1/snapshots/{snapshot}/content", headers=self.headers | {"Accept": "application/x-ndjson"})
        with urllib.request.urlopen(request) as response:
            return response.read()

    def tus(self, realm):
        return client.TusClient(f"{self.url}/v1/apps/notes/realms/{realm}/uploads", headers=self.headers)

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait(timeout=60)
        self.log.close()


def write_realm(path):
    schema = [{"name": "Note", "properties": {"text": {"type": "string"}}}]
    with open(path, "w") as file:
        file.write(json.dumps({"schemaVersion": 1, "schema": schema}) + "\n")
        for key in range(30_000):
            file.write(json.dumps({"class": "Note", "object": {"_key": key, "text": f"note {key} {key * 7919 % 104729}"}}) + "\n")


def expect(what, holds):
    if not holds:
        sys.exit(f"tus: {what}")
    print(f"tus: {what}")


def main():
    program = sys.argv[1]
    metadata = {"filename": "ada.ndjson", "filetype": "application/x-ndjson"}
    with tempfile.TemporaryDirectory(prefix="realmshift-tus-") as name:
        folder = pathlib.Path(name)
        path = folder / "ada.ndjson"
        write_realm(path)
        size = path.stat().st_size
        service = Service(program, folder)
        try:
            service.call("PUT", "/v1/apps/notes", b"{}")
            service.call("POST", "/v1/apps/notes/realms/plain/snapshots", path.read_bytes(), "application/x-ndjson")
            plain = service.content("plain")

            whole = service.tus("whole").uploader(str(path), metadata=metadata)
            whole.upload()
            expect("one part is a plain upload", service.content("whole") == plain)

            sums = service.tus("sums").uploader(str(path), chunk_size=PART, metadata=metadata, upload_checksum=True)
            sums.upload()
            expect("parts with checksums are one, too", service.content("sums") == plain)

            broken = service.tus("broken").uploader(str(path), chunk_size=PART, metadata=metadata)
            broken.upload(stop_at=2 * PART)
            place = broken.url.removeprefix(service.url)
            service.end(signal.SIGKILL)
            service = Service(program, folder)
            again = service.tus("broken").uploader(str(path), chunk_size=PART, metadata=metadata, url=service.url + place)
            expect("a killed service has what had come", again.offset == 2 * PART and size > 3 * PART)
            again.upload()
            expect("and what comes of it is the same", service.content("broken") == plain)

            (folder / "bad.ndjson").write_text("no realm at all\n")
            try:
                service.tus("bad").uploader(str(folder / "bad.ndjson"), metadata=metadata).upload()
                expect("a bad file is refused", False)
            except (TusUploadFailed, TusCommunicationError) as error:
                expect("a bad file is refused", error.status_code in (400, 422))
        finally:
            if service.process.poll() is None:
                service.end(signal.SIGTERM)


if __name__ == "__main__":
    main()
