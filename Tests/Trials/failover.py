#!/usr/bin/env python3
"""A service on a PostgreSQL pair under Patroni whose primary is killed in the middle of uploads, jobs and changes.

usage: failover.py PROGRAM [--rounds N] [--lease SECONDS]

An etcd, two PostgreSQL servers with a Patroni each and synchronous replication, two API processes and two workers. While clients
upload realms, migrate them and change a synced one, the primary and its Patroni get SIGKILL; when the other is the primary, the
first one joins again, and the next round kills that. Within 30 seconds of each new primary uploads, jobs and changes have to go on,
and everything that was acknowledged to a client has to be there in the end.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from peer import program as postgres_program  # noqa: E402
from processes import Kept, children, free_port  # noqa: E402
from service import Client, ServiceError  # noqa: E402

APP = "/v1/apps/failover"
SCHEMA = [{"name": "Item", "primaryKey": "_id", "properties": {"_id": "int", "text": "string"}}]
# From the new primary to the first success of each kind of work, as the issue of it asks.
PATIENCE = 30
# How long Patroni leaves a primary that says nothing its place; its own least value.
TTL = 20
PASSING = (OSError, ServiceError, json.JSONDecodeError, http.client.HTTPException)


class Server:
    """A PostgreSQL server, and the Patroni that starts and leads it."""

    def __init__(self, pair, name):
        self.pair, self.name, self.port, self.rest = pair, name, free_port(), free_port()
        self.folder = pair.folder / name
        self.folder.mkdir(mode=0o700)
        self.process = None

    def configuration(self):
        return {
            "scope": "failover", "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            "etcd3": {"hosts": f"127.0.0.1:{self.pair.etcd_port}"},
            "bootstrap": {
                "dcs": {"ttl": TTL, "loop_wait": 2, "retry_timeout": 5, "synchronous_mode": True,
                        "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 200, "wal_log_hints": "on"}}},
                "initdb": [{"encoding": "UTF8"}, "data-checksums"],
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self.folder / "data"), "bin_dir": str(pathlib.Path(postgres_program("postgres")).parent),
                "pgpass": str(self.folder / "pgpass"),
                "parameters": {"unix_socket_directories": str(self.folder)},
                "authentication": {"superuser": {"username": "postgres", "password": "none"},
                                   "replication": {"username": "replicator", "password": "none"},
                                   "rewind": {"username": "rewinder", "password": "none"}},
            },
        }

    def start(self):
        path = self.folder / "patroni.json"
        path.write_text(json.dumps(self.configuration()))
        self.pair.give(self.folder)
        with open(self.pair.folder / f"{self.name}.log", "a") as log:
            self.process = subprocess.Popen(
                ["patroni", str(path)], stdout=log, stderr=subprocess.STDOUT, cwd=self.folder, **self.pair.user())

    def is_primary(self):
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/primary", timeout=2) as answer:
                return answer.status == 200
        return False

    def is_synchronous(self):
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/synchronous", timeout=2) as answer:
                return answer.status == 200
        return False

    def kill(self):
        """Kills Patroni first, which would start the server again, then the postmaster and all its backends."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        backends = [child.pid for child in children(postmaster)]
        for process in [self.process.pid, postmaster, *backends]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)


class Pair:
    """etcd and two servers."""

    def __init__(self, folder):
        self.folder, self.etcd_port = folder, free_port()
        self.etcd = self.servers = None

    @staticmethod
    def user():
        """PostgreSQL does not run as root."""
        return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}

    def give(self, folder):
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            for path in [folder, *folder.glob("*.json")]:
                os.chown(path, owner.pw_uid, owner.pw_gid)

    def start(self):
        peer = free_port()
        client = f"http://127.0.0.1:{self.etcd_port}"
        with open(self.folder / "etcd.log", "w") as log:
            self.etcd = subprocess.Popen(
                ["etcd", "--name", "one", "--data-dir", str(self.folder / "etcd"), "--listen-client-urls", client,
                 "--advertise-client-urls", client, "--listen-peer-urls", f"http://127.0.0.1:{peer}",
                 "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", f"one=http://127.0.0.1:{peer}"],
                stdout=log, stderr=subprocess.STDOUT)
        self.servers = [Server(self, "a"), Server(self, "b")]
        self.servers[0].start()
        self.wait("a primary", lambda: self.primary())
        self.servers[1].start()
        self.wait_until_safe()
        subprocess.run(
            [postgres_program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.primary().port),
             "-U", "postgres", "-c", "CREATE ROLE realmshift LOGIN", "-c", "CREATE DATABASE realmshift OWNER realmshift",
             "postgres"], check=True)

    def primary(self):
        return next((server for server in self.servers if server.is_primary()), None)

    def wait_until_safe(self):
        """Until what is committed is on both: a kill before would lose it, whatever a service does."""
        self.wait("a synchronous standby", lambda: any(server.is_synchronous() for server in self.servers))

    @staticmethod
    def wait(what, found, seconds=120):
        deadline = time.monotonic() + seconds
        while not (value := found()):
            if time.monotonic() > deadline:
                raise SystemExit(f"there is no {what} after {seconds} s")
            time.sleep(0.1)
        return value

    @property
    def url(self):
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"postgresql://realmshift@{hosts}/realmshift?target_session_attrs=read-write&connect_timeout=3"

    def end(self):
        for server in self.servers or []:
            server.end()
        if self.etcd:
            self.etcd.terminate()
            self.etcd.wait(30)


class Work(threading.Thread):
    """Does one thing again and again, and remembers what was acknowledged and when."""

    def __init__(self, trial, name):
        super().__init__(daemon=True, name=name)
        self.trial, self.client, self.failure = trial, None, None
        self.acknowledged, self.successes, self.repeats = {}, [], 0

    def run(self):
        try:
            number = 0
            while not self.trial.ended.is_set():
                number += 1
                self.insist(lambda: getattr(self, self.name)(number))
                self.successes.append(time.monotonic())
        except (Exception, SystemExit) as error:  # the trial tells of it, and fails
            self.failure = error

    def insist(self, action):
        while True:
            try:
                self.client = self.client or self.trial.connect()
                return action()
            except PASSING as error:
                status = str(error).partition(": ")[2][:3]
                passes = status in ("500", "502", "503", "507") or "idempotency_in_flight" in str(error)
                if isinstance(error, ServiceError) and not passes:
                    raise
                if time.monotonic() > self.trial.deadline:
                    raise SystemExit(f"{self.name} was still trying at the end of the time: {error}") from error
                self.repeats += 1
                self.client = None
                time.sleep(0.1)

    def put(self, realm, objects):
        lines = [{"schemaVersion": 1, "schema": SCHEMA}]
        lines += [{"class": "Item", "object": {"_id": key, "text": text}} for key, text in objects.items()]
        body = "\n".join(map(json.dumps, lines))
        return self.client.json("POST", f"{APP}/realms/{realm}/snapshots", body, Content_Type="application/x-ndjson")["id"]

    def uploads(self, number):
        objects = {key: f"upload {number} {key}" for key in range(50)}
        self.acknowledged[self.put(f"upload-{number % 20}", objects)] = objects

    def jobs(self, number):
        """A realm, then a migration of it; what the job says that it made is acknowledged."""
        realm, objects = f"job-{number}", {key: f"job {number} {key}" for key in range(50)}
        self.insist(lambda: self.put(realm, objects))
        script = "function migrate(m) { m.enumerateObjects('Item', (o, n) => { n.text = o.text + '!'; }); }"
        request = {"targetVersion": 2, "schema": SCHEMA, "migration": {"language": "javascript", "source": script}}
        fields = {"Idempotency_Key": f"{self.trial.name}-{number}"}
        # Where the primary died in the commit, and nobody could say of what, a repeat finds the job.
        job = self.insist(lambda: self.client.json("POST", f"{APP}/realms/{realm}/migrations", request, **fields))
        while job["state"] in ("queued", "running"):
            job = self.insist(lambda: self.client.json("GET", f"/v1/jobs/{job['id']}", Prefer="wait=5"))
        if job["state"] != "succeeded":
            raise SystemExit(f"a job {job['state']}: {job['error']}")
        self.acknowledged[job["resultSnapshot"]] = {key: text + "!" for key, text in objects.items()}

    def changes(self, number):
        """A change of one object of a synced realm, which may be made twice: the second time it is the same."""
        change = {"upserts": [{"class": "Item", "object": {"_id": number, "text": f"change {number}"}}]}
        self.client.json("POST", f"{APP}/realms/synced/changes", change)
        self.acknowledged[number] = f"change {number}"


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder, self.name = options, folder, folder.name
        self.pair, self.ended = Pair(folder), threading.Event()
        self.deadline = time.monotonic() + options.limit
        self.processes, self.ports, self.turn, self.key = [], [], 0, None

    def begin(self):
        self.pair.start()
        for number in range(2):
            port = free_port()
            self.ports.append(port)
            self.processes.append(Kept(
                [self.options.program, "serve", "--listen", f"127.0.0.1:{port}", "--workers", "0", "--data",
                 str(self.folder / f"service-{number}"), "--database-url", self.pair.url],
                self.folder / f"api-{number}.log", os.environ.copy()))
            # The first makes the tables and the key.
            Pair.wait("service", lambda port=port: self.is_ready(port))
        self.key = (self.folder / "service-0" / "admin.key").read_text().strip()
        for number in range(2):
            self.processes.append(Kept(
                [self.options.program, "worker", "--database-url", self.pair.url, "--workers", "2", "--lease",
                 str(self.options.lease)], self.folder / f"worker-{number}.log", os.environ.copy()))
        client = self.connect()
        client.call("PUT", APP, {}).read()
        client.call("PUT", f"{APP}/realms/synced", {"kind": "synced"}).read()
        lines = json.dumps({"schemaVersion": 1, "schema": SCHEMA})
        client.call("POST", f"{APP}/realms/synced/snapshots", lines, Content_Type="application/x-ndjson").read()
        client.call("PUT", f"{APP}/schemas/1", {"schema": SCHEMA}).read()

    @staticmethod
    def is_ready(port):
        with contextlib.suppress(*PASSING):
            Client(port, "none").call("GET", "/readyz").read()
            return True
        return False

    def connect(self):
        self.turn += 1
        client = Client(self.ports[self.turn % len(self.ports)], self.key)
        client.connection.timeout = 15
        return client

    def run(self):
        self.begin()
        works = [Work(self, name) for name in ("uploads", "jobs", "changes")]
        for work in works:
            work.start()
        rounds = []
        for _ in range(self.options.rounds):
            time.sleep(self.options.pause)
            self.pair.wait_until_safe()
            rounds.append(self.kill_primary(works))
        self.ended.set()
        for work in works:
            work.join(120)
            if work.failure or work.is_alive():
                raise SystemExit(f"{work.name}: {work.failure or 'still at it'}")
        self.check(works)
        counts = ", ".join(f"{len(work.acknowledged)} {work.name}" for work in works)
        print(f"{self.options.rounds} primaries killed; acknowledged and there: {counts}; "
              f"requests repeated: {sum(work.repeats for work in works)}")
        for election, times in rounds:
            print(f"new primary after {election:.1f} s; from then on: "
                  + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in times.items()))
        if any(seconds > PATIENCE for _, times in rounds for seconds in times.values()):
            raise SystemExit(f"something took more than {PATIENCE} s to go on")

    def kill_primary(self, works):
        """Seconds from the kill to the new primary, and from there to the first success of each kind of work."""
        primary = self.pair.primary()
        start = time.monotonic()
        primary.kill()
        others = [server for server in self.pair.servers if server is not primary]
        Pair.wait("new primary", lambda: any(server.is_primary() for server in others))
        moment = time.monotonic()
        primary.start()
        times = {}
        for work in works:
            Pair.wait(f"success of {work.name}", lambda work=work: work.failure or any(t > moment for t in work.successes))
            if work.failure:
                raise SystemExit(f"{work.name}: {work.failure!r}")
            times[work.name] = next(t for t in work.successes if t > moment) - moment
        return moment - start, times

    def check(self, works):
        client, faults = self.connect(), []
        for work in works[:2]:
            for snapshot, objects in work.acknowledged.items():
                try:
                    lines = client.call("GET", f"/v1/snapshots/{snapshot}/content", Accept="application/x-ndjson").read()
                except ServiceError as error:
                    faults.append(f"{work.name}: {error}")
                    client = self.connect()
                    continue
                found = {line["object"]["_id"]: line["object"]["text"] for line in map(json.loads, lines.splitlines()[1:])}
                if found != objects:
                    faults.append(f"{work.name}: snapshot {snapshot} holds {len(found)} objects")
        current = client.json("GET", f"{APP}/realms/synced")["currentSnapshot"]
        lines = client.call("GET", f"/v1/snapshots/{current}/content", Accept="application/x-ndjson").read()
        found = {line["object"]["_id"]: line["object"]["text"] for line in map(json.loads, lines.splitlines()[1:])}
        faults += [f"change {key} is lost" for key, text in works[2].acknowledged.items() if found.get(key) != text]
        if faults:
            raise SystemExit(f"{len(faults)} faults:\n" + "\n".join(faults[:20]))

    def end(self):
        self.ended.set()
        for process in self.processes[::-1]:
            process.end()
        self.pair.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lease", type=int, default=5)
    parser.add_argument("--pause", type=float, default=5, help="seconds of work before each kill")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which it has failed")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="failover-"))
    folder.chmod(0o755)
    trial = Trial(options, folder)
    try:
        trial.run()
    except BaseException:
        for log in sorted(folder.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}", file=sys.stderr)
        raise
    finally:
        trial.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
