#!/usr/bin/env python3
"""Measures the main job on a large realm: upload, migrate by script, download, through HTTP and PostgreSQL.

usage: bench.py PROGRAM [--objects N]

Starts a service with a PostgreSQL of its own in a temporary folder, and prints one line of JSON a step: its seconds,
objects per second, and the peak memory of every process of the service so far.
"""

import argparse
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

SCHEMA = [
    {
        "name": "Person",
        "properties": {"firstName": "string", "lastName": "string", "age": "int"},
    }
]
TARGET = [{"name": "Person", "properties": {"fullName": "string", "age": "int"}}]
SCRIPT = """
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Person", (oldPerson, newPerson) => {
    newPerson.fullName = oldPerson.firstName + " " + oldPerson.lastName;
  });
}
"""
FIRST = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Tony", "Radia", "Niklaus"]
LAST = ["Lovelace", "Turing", "Hopper", "Dijkstra", "Liskov", "Knuth", "Allen", "Hoare", "Perlman", "Wirth"]


class Memory(threading.Thread):
    """Watches a process and all its descendants, and keeps the peak of anonymous and shared memory by kind."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.peaks, self.ended = root, {}, threading.Event()

    def run(self):
        while not self.ended.wait(0.05):
            for pid in self.family():
                self.look(pid)

    def family(self):
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
                except OSError:
                    continue
                parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
        found, waiting = [], [self.root]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += parents.get(pid, [])
        return found

    def look(self, pid):
        try:
            lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        size = sum(int(fields.get(name, "0").split()[0]) for name in ("RssAnon", "RssShmem"))
        command = os.path.basename(words[0].decode(errors="replace"))
        role = words[1].decode(errors="replace") if len(words) > 1 and pid != self.root else ""
        kind = "service" if pid == self.root else "host" if role == "host" else command.split(":")[0] or "process"
        self.peaks[kind] = max(self.peaks.get(kind, 0), size // 1024)


class Service:
    def __init__(self, program, folder):
        self.log = open(folder / "serve.log", "w+")
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data", str(folder / "data")],
            stdout=self.log, stderr=subprocess.STDOUT)
        self.memory = Memory(self.process.pid)
        self.memory.start()
        self.port = self.wait_for_port(folder)
        self.key = (folder / "data" / "admin.key").read_text().strip()

    def wait_for_port(self, folder):
        for _ in range(600):
            for line in (folder / "serve.log").read_text().splitlines():
                if "listening on http://" in line:
                    port = int(line.rpartition(":")[2].split()[0].rstrip("/"))
                    if self.is_ready(port):
                        return port
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        sys.exit("the service did not start:\n" + (folder / "serve.log").read_text())

    @staticmethod
    def is_ready(port):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def call(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        fields["Authorization"] = "Bearer " + self.key
        if isinstance(body, (dict, list)):
            body, fields["Content-Type"] = json.dumps(body), "application/json"
        connection.request(method, path, body=body, headers=fields)
        response = connection.getresponse()
        if response.status >= 400:
            sys.exit(f"{method} {path}: {response.status} {response.read().decode()}")
        return response

    def json(self, method, path, body=None, **fields):
        return json.loads(self.call(method, path, body, **fields).read())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.memory.ended.set()


def write_people(path, count):
    with open(path, "w") as file:
        file.write(json.dumps({"schemaVersion": 1, "schema": SCHEMA}) + "\n")
        for index in range(count):
            first, last = FIRST[index % 10], LAST[index // 10 % 10]
            file.write(
                '{"class":"Person","object":{"_key":%d,"firstName":"%s","lastName":"%s%d","age":%d}}\n'
                % (key(index), first, last, index % 997, index % 90))


def key(sequence):
    """The object key that Realm gives the object of a sequence number."""
    return (sequence & 0xFF) | ((sequence & ~0xFF) << 8)


def step(service, name, count, body):
    start = time.monotonic()
    result = body()
    seconds = time.monotonic() - start
    print(json.dumps({
        "step": name, "seconds": round(seconds, 3), "objects": count, "objectsPerSecond": round(count / seconds),
        "peakMegabytes": service.memory.peaks,
    }), flush=True)
    return result


def migrate(service, realm, request):
    job = service.json("POST", f"/v1/apps/bench/realms/{realm}/migrations", request, Prefer="wait=300")
    while job["state"] in ("queued", "running"):
        job = service.json("GET", f"/v1/jobs/{job['id']}", Prefer="wait=300")
    if job["state"] != "succeeded":
        sys.exit(json.dumps(job))
    return job["resultSnapshot"]


def download(service, snapshot, accept, path):
    response = service.call("GET", f"/v1/snapshots/{snapshot}/content", Accept=accept)
    with open(path, "wb") as file:
        while chunk := response.read(1 << 20):
            file.write(chunk)
    return path


def check(path, count):
    """The last object has to be the one that the script made of the last one uploaded."""
    with open(path, "rb") as file:
        file.seek(-400, os.SEEK_END)
        last = json.loads(file.read().splitlines()[-1])["object"]
    index = count - 1
    expected = f"{FIRST[index % 10]} {LAST[index // 10 % 10]}{index % 997}"
    if last["fullName"] != expected or last["age"] != index % 90:
        sys.exit(f"the last object is {last}, expected {expected}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--objects", type=int, default=1_000_000)
    options = parser.parse_args()
    count = options.objects
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        write_people(folder / "people.ndjson", count)
        service = Service(options.program, folder)
        try:
            service.call("PUT", "/v1/apps/bench", {}).read()
            with open(folder / "people.ndjson", "rb") as file:
                step(service, "upload NDJSON", count, lambda: service.json(
                    "POST", "/v1/apps/bench/realms/people/snapshots", file, Content_Type="application/x-ndjson"))
            migrated = step(service, "migrate by script", count, lambda: migrate(service, "people", {
                "targetVersion": 2, "schema": TARGET, "migration": {"language": "javascript", "source": SCRIPT}}))
            ndjson = step(service, "download NDJSON", count, lambda: download(
                service, migrated, "application/x-ndjson", folder / "migrated.ndjson"))
            check(ndjson, count)
            step(service, "download JSON", count, lambda: download(
                service, migrated, "application/json", folder / "migrated.json"))
            renamed = [{"name": "Person", "properties": {"name": "string", "age": "int?", "email": "string?"}}]
            step(service, "rename, add and make optional", count, lambda: migrate(service, "people", {
                "targetVersion": 3, "schema": renamed, "migration": {
                    "renames": [{"class": "Person", "from": "fullName", "to": "name"}]}}))
        finally:
            service.stop()


if __name__ == "__main__":
    main()
