"""A service with a PostgreSQL of its own, and the requests to it."""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from memory import Memory
from peer import program

APP = "bench"
# The service's own tables.
DATABASE = "dbname=postgres options=-csearch_path=realmshift"


class ServiceError(Exception):
    """A request that was refused, or a job that did not succeed."""


class Client:
    """One connection that stays open, but not for longer than the service leaves it idle; of one thread."""

    PATIENCE = 10

    def __init__(self, port, key):
        self.key = key
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600, blocksize=1 << 20)
        self.used = time.monotonic()

    def call(self, method, path, body=None, **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        fields["Authorization"] = "Bearer " + self.key
        if isinstance(body, (dict, list)):
            body, fields["Content-Type"] = json.dumps(body), "application/json"
        elif hasattr(body, "fileno"):
            fields["Content-Length"] = str(os.fstat(body.fileno()).st_size)
        if time.monotonic() - self.used > self.PATIENCE:
            self.connection.close()
        self.connection.request(method, path, body=body, headers=fields)
        response = self.connection.getresponse()
        self.used = time.monotonic()
        if response.status >= 400:
            raise ServiceError(f"{method} {path}: {response.status} {response.read().decode()}")
        return response

    def json(self, method, path, body=None, **fields):
        return json.loads(self.call(method, path, body, **fields).read())

    def upload(self, realm, path, media_type, app=APP):
        with open(path, "rb") as file:
            return self.json("POST", f"/v1/apps/{app}/realms/{realm}/snapshots", file, Content_Type=media_type)["id"]

    def migrate(self, realm, request, app=APP):
        """Posts a migration, waits until it has succeeded, and returns the job."""
        return self.wait(self.json("POST", f"/v1/apps/{app}/realms/{realm}/migrations", request, Prefer="wait=300"))

    def wait(self, job):
        while job["state"] in ("queued", "running"):
            job = self.json("GET", f"/v1/jobs/{job['id']}", Prefer="wait=300")
        if job["state"] != "succeeded":
            raise ServiceError(f"job {job['state']}: {json.dumps(job['error'])}")
        return job

    def restore(self, realm, snapshot):
        self.call("POST", f"/v1/apps/{APP}/realms/{realm}/restore", {"snapshot": snapshot}).read()

    def download(self, snapshot, media_type, path):
        response = self.call("GET", f"/v1/snapshots/{snapshot}/content", Accept=media_type)
        with open(path, "wb") as file:
            while chunk := response.read(1 << 20):
                file.write(chunk)


class Service:
    WORKERS = 2

    def __init__(self, program, folder, workers=WORKERS):
        self.data = folder / "data"
        self.log = folder / "serve.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--listen", "127.0.0.1:0", "--data", str(self.data), "--workers", str(workers)],
                stdout=log, stderr=subprocess.STDOUT)
        self.memory = Memory(self.process.pid)
        self.memory.start()
        self.port = self.wait_for_port()
        self.key = (self.data / "admin.key").read_text().strip()
        self.client = self.connect()
        self.client.call("PUT", f"/v1/apps/{APP}", {}).read()

    def sql(self, text):
        """Runs a statement in the service's own database."""
        subprocess.run(
            [program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", str(self.data / "postgres"), "-U", "realmshift",
             "-c", text, DATABASE], check=True)

    def anonymous_megabytes(self):
        """Anonymous memory of the service's own process."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) // 1024

    def connect(self):
        return Client(self.port, self.key)

    def wait_for_port(self):
        for _ in range(600):
            for line in self.log.read_text().splitlines():
                if "listening on http://" in line:
                    port = int(line.rpartition(":")[2].split()[0].rstrip("/"))
                    if self.is_ready(port):
                        return port
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        sys.exit("the service did not start:\n" + self.log.read_text())

    @staticmethod
    def is_ready(port):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def stop(self):
        self.memory.ended.set()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
