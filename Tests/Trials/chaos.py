#!/usr/bin/env python3
"""Jobs of many realms while everything that runs them is killed at random, and nothing may be lost or done twice.

usage: chaos.py PROGRAM [--jobs N] [--realms N] [--lease SECONDS] [--pause SECONDS] [--seed N]

Two API processes, three workers and a private PostgreSQL; what dies is started again, as a supervisor of services does. Clients
migrate each realm from version to version. Meanwhile workers, script hosts, API processes, PostgreSQL's backends and its
postmaster get SIGKILL, connections are cut, and, where root runs the trial, the disk is full for seconds. Afterwards every job
has to have succeeded, each once, and every realm has to hold exactly what it would without all that.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from peer import program as postgres_program  # noqa: E402
from processes import Kept, Relay, children, free_port  # noqa: E402
from service import DATABASE, Client, ServiceError  # noqa: E402

APP = "/v1/apps/chaos"
PERSONS = 300
VERSIONS = (2, 3, 4, 5)
DISK_BYTES = 640 << 20
# Errors of a client when something dies under it; all are tried again.
PASSING = (OSError, ServiceError, json.JSONDecodeError, __import__("http.client").client.HTTPException)


def schema(version):
    return [{"name": "Person", "primaryKey": "_id", "properties": {
        "_id": "int", "name": "string", **({f"added{version}": "int?"} if version > 1 else {})}}]


def script(version):
    """Appends the version, in a second or so: a step that was done twice, or left out, shows."""
    return ("function migrate(migration) { let sum = 0; for (let i = 0; i < 1e9; i++) { sum = (sum + i) | 0; }"
            f" migration.enumerateObjects('Person', (was, is) => {{ is.name = was.name + '+{version}'; }}); }}")


class Migrator(threading.Thread):
    """Leads some realms from version to version, and tries again whatever fails on the way."""

    def __init__(self, trial, realms):
        super().__init__(daemon=True)
        self.trial, self.realms, self.failure, self.repeats = trial, realms, None, 0
        self.client = None

    def run(self):
        try:
            for realm in self.realms:
                self.insist(lambda realm=realm: self.upload(realm))
            for version in VERSIONS:
                for realm in self.realms:
                    self.insist(lambda realm=realm, version=version: self.migrate(realm, version))
                for realm in self.realms:
                    self.insist(lambda realm=realm, version=version: self.follow(realm, version))
        except (Exception, SystemExit) as error:  # the trial tells of it, and fails
            self.failure = error

    def insist(self, action):
        while True:
            if time.monotonic() > self.trial.deadline:
                raise SystemExit("a client was still trying at the end of the time")
            try:
                self.client = self.client or self.trial.connect()
                return action()
            except PASSING as error:
                if isinstance(error, ServiceError) and not self.passes(str(error)):
                    raise
                self.repeats += 1
                self.client = None
                time.sleep(0.1)

    @staticmethod
    def passes(text):
        """A refusal that is not this request's fault."""
        status = text.partition(": ")[2][:3]
        return status in ("429", "500", "502", "503", "507") or "migration_active" in text

    def state(self, realm):
        """The version that a realm has, and its job where one is not over."""
        found = self.client.json("GET", f"{APP}/realms/{realm}")
        snapshot = self.client.json("GET", f"/v1/snapshots/{found['currentSnapshot']}")
        jobs = self.client.json("GET", f"/v1/jobs?app=chaos&realm={realm}&limit=5")["items"]
        active = [job for job in jobs if job["state"] in ("queued", "running")]
        return snapshot["schemaVersion"], active[0]["id"] if active else None

    def content(self, realm):
        current = self.client.json("GET", f"{APP}/realms/{realm}")["currentSnapshot"]
        return self.client.call(
            "GET", f"/v1/snapshots/{current}/content", Accept="application/x-ndjson").read().splitlines()

    def upload(self, realm):
        lines = [{"schemaVersion": 1, "schema": schema(1)}]
        lines += [{"class": "Person", "object": {"_id": key, "name": f"{realm} {key}"}} for key in range(PERSONS)]
        self.client.call("POST", f"{APP}/realms/{realm}/snapshots", "\n".join(map(json.dumps, lines)),
                         Content_Type="application/x-ndjson").read()

    def migrate(self, realm, version):
        reached, job = self.state(realm)
        if reached < version and job is None:
            self.client.call("POST", f"{APP}/realms/{realm}/migrations", {
                "targetVersion": version, "schema": schema(version),
                "migration": {"language": "javascript", "source": script(version)}}).read()

    def follow(self, realm, version):
        reached, job = self.state(realm)
        if reached >= version:
            return
        if job is None:
            return self.migrate(realm, version) or self.follow(realm, version)
        while self.client.json("GET", f"/v1/jobs/{job}", Prefer="wait=5")["state"] in ("queued", "running"):
            if time.monotonic() > self.trial.deadline:
                raise SystemExit(f"job {job} was not over at the end of the time")
        if self.state(realm)[0] < version:
            raise SystemExit(f"job {job} is over and {realm} has not reached version {version}: "
                             f"{self.client.json('GET', f'/v1/jobs/{job}')}")


class Killer(threading.Thread):
    """Kills something, again and again, and remembers when."""

    def __init__(self, trial):
        super().__init__(daemon=True)
        self.trial, self.random, self.failure = trial, random.Random(trial.options.seed), None
        # (kind, the moment from which work has to go on, the process that was killed)
        self.events, self.ended = [], threading.Event()

    KINDS = {"worker": 5, "host": 4, "cut": 3, "api": 2, "backend": 2, "postmaster": 2, "disk": 1}

    def run(self):
        try:
            # Each kind once, then at random: a short trial has all of them, too.
            first = self.random.sample(list(self.KINDS), len(self.KINDS))
            while not self.ended.wait(self.random.uniform(0.5, 1.5) * self.trial.options.pause):
                kind = first.pop() if first else self.random.choices(
                    list(self.KINDS), weights=list(self.KINDS.values()))[0]
                process = getattr(self, kind)()
                if process is not None:
                    self.events.append((kind, time.time(), process))
        except (Exception, SystemExit) as error:  # the trial tells of it, and fails
            self.failure = error

    def kill(self, processes):
        if not processes:
            return None
        process = self.random.choice(processes)
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            return None
        return process

    def worker(self):
        return self.kill([worker.pid for worker in self.trial.workers if worker.is_running])

    def host(self):
        """Of those that have something to do where there are any; the third of a job would be its script's failure."""
        try:
            spared = {int(row[0]) for row in self.trial.sql(
                "SELECT split_part(worker, ':', 2) FROM job WHERE state = 'running' AND host_losses >= 2")}
        except subprocess.CalledProcessError:
            return None  # the database is away
        hosts = [host for worker in self.trial.workers if worker.is_running and worker.pid not in spared
                 for host in children(worker.pid)]
        return self.kill([host.pid for host in hosts if host.is_busy] or [host.pid for host in hosts])

    def api(self):
        return self.kill([api.pid for api in self.trial.apis if api.is_running])

    def backend(self):
        return self.kill([child.pid for child in children(self.trial.postmaster()) if " realmshift " in child.command])

    def postmaster(self):
        return self.kill([pid for pid in [self.trial.postmaster()] if pid])

    def cut(self):
        return sum(relay.cut() for relay in self.trial.relays) or None

    def disk(self):
        if not self.trial.has_disk:
            return None
        ballast = self.trial.data / "ballast"
        try:
            with open(ballast, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 20))
        except OSError:
            pass  # it is full
        time.sleep(self.random.uniform(1, 2.5))
        ballast.unlink()
        return 0


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder, self.data = options, folder, folder / "disk"
        self.data.mkdir(mode=0o755)
        self.has_disk = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", self.data], stderr=subprocess.DEVNULL).returncode == 0
        self.deadline = time.monotonic() + options.limit
        self.relays, self.apis, self.workers, self.client_ports, self.turn = [], [], [], [], 0
        self.key = None

    # The processes that run

    def begin(self):
        self.start_api("first", ["--data", self.data / "service"], self.data)
        self.wait_until_ready()
        self.key = (self.data / "service" / "admin.key").read_text().strip()
        socket = self.folder / "socket"
        socket.mkdir()
        self.relays.append(Relay.of_files(socket / ".s.PGSQL.5432", self.data / "service" / "postgres" / ".s.PGSQL.5432"))
        url = f"postgresql:///postgres?user=realmshift&host={socket}"
        self.start_api("second", ["--data", self.folder / "second", "--database-url", url], self.folder)
        for number in range(3):
            self.workers.append(Kept(
                [self.options.program, "worker", "--database-url", url, "--workers", "1", "--lease", str(self.options.lease)],
                self.folder / f"worker-{number}.log", self.environment))
        client = Migrator(self, [])
        client.insist(lambda: client.client.call("PUT", APP, {}).read())

    @property
    def environment(self):
        spool = self.folder / "spool"
        spool.mkdir(exist_ok=True)
        return {**os.environ, "TMPDIR": str(spool)}

    def start_api(self, name, arguments, place):
        port = free_port()
        self.apis.append(Kept(
            [self.options.program, "serve", "--listen", f"127.0.0.1:{port}", "--workers", "0", *map(str, arguments)],
            self.folder / f"{name}.log", self.environment))
        relay = Relay.of_ports(port)
        self.relays.append(relay)
        self.client_ports.append(relay.port)

    def wait_until_ready(self):
        while time.monotonic() < self.deadline:
            try:
                self.key = "none"
                self.connect().call("GET", "/readyz").read()
                return
            except PASSING:
                time.sleep(0.1)
        raise SystemExit("the service did not start: " + (self.folder / "first.log").read_text()[-2000:])

    def connect(self):
        self.turn += 1
        client = Client(self.client_ports[self.turn % len(self.client_ports)], self.key)
        client.connection.timeout = 20
        return client

    def postmaster(self):
        try:
            return int((self.data / "service" / "postgres" / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def sql(self, text):
        output = subprocess.run(
            [postgres_program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.data / "service" / "postgres", "-U", "realmshift",
             "-c", text, DATABASE], check=True, stdout=subprocess.PIPE, text=True).stdout
        return [line.split("|") for line in output.splitlines()]

    # The trials

    def run(self):
        self.begin()
        realms = [f"realm-{number}" for number in range(self.options.realms)]
        threads = min(10, len(realms))
        migrators = [Migrator(self, realms[number::threads]) for number in range(threads)]
        killer, start = Killer(self), time.monotonic()
        for thread in migrators + [killer]:
            thread.start()
        for migrator in migrators:
            migrator.join()
        killer.ended.set()
        killer.join(30)
        for thread in migrators + [killer]:
            if thread.failure:
                raise SystemExit(f"{type(thread).__name__}: {thread.failure!r}")
        seconds = time.monotonic() - start
        self.wait_until_calm()
        figures = self.check(realms)
        times = self.resumptions(killer.events)
        self.check_orphans()
        kills = collections.Counter(kind for kind, _, _ in killer.events)
        print(f"{figures['jobs']} jobs of {len(realms)} realms in {seconds:.0f} s on 3 workers, lease {self.options.lease} s")
        print("killed: " + ", ".join(f"{kind} {kills[kind]}" for kind in Killer.KINDS)
              + ("" if self.has_disk else " (the disk was not filled: only root mounts one to fill)"))
        print(f"attempts lost: {figures['lost']}; requests repeated: {sum(m.repeats for m in migrators)}")
        print(f"from a kill to resumption: median {statistics.median(times):.2f} s, longest {max(times):.2f} s, "
              f"{max(times) / self.options.lease:.2f} leases" if times else "nothing that was killed had work")
        print("every job succeeded once, every realm holds what it should, no orphan is left")
        if times and max(times) > 2 * self.options.lease:
            raise SystemExit("the longest resumption took more than two leases")

    def wait_until_calm(self):
        client = Migrator(self, [])
        for _ in range(20):
            client.insist(lambda: client.client.call("GET", "/readyz").read())
            time.sleep(0.1)

    def check(self, realms):
        """Every job succeeded, each version of each realm was made once, and the contents are right."""
        faults = []
        jobs = self.sql("SELECT state, count(*), sum(attempt - 1) FROM job GROUP BY state")
        if {row[0] for row in jobs} != {"succeeded"}:
            faults.append(f"jobs: {jobs}")
        wrong = self.sql("""
            SELECT r.name, count(s.snapshot_id), count(DISTINCT s.job_id), count(DISTINCT s.schema_version) FROM realm r
            LEFT JOIN snapshot s ON s.app_id = r.app_id AND s.realm_id = r.realm_id AND s.created_by = 'migration'
            GROUP BY r.name HAVING count(s.snapshot_id) <> %d OR count(DISTINCT s.job_id) <> %d
                OR count(DISTINCT s.schema_version) <> %d""" % ((len(VERSIONS),) * 3))
        faults += [f"snapshots, jobs and versions of a realm: {row}" for row in wrong]
        client = Migrator(self, [])
        suffix = "".join(f"+{version}" for version in VERSIONS)
        for realm in realms:
            lines = client.insist(lambda realm=realm: client.content(realm))
            head, *objects = map(json.loads, lines)
            expected = [{"_id": key, "name": f"{realm} {key}{suffix}", f"added{VERSIONS[-1]}": None} for key in range(PERSONS)]
            found = [line["object"] for line in objects]
            if head["schemaVersion"] != VERSIONS[-1] or sorted(found, key=lambda o: o["_id"]) != expected:
                faults.append(f"{realm} does not hold what it should: {found[:2]}")
        if faults:
            raise SystemExit(f"{len(faults)} faults:\n" + "\n".join(faults[:20]))
        return {"jobs": sum(int(row[1]) for row in jobs), "lost": sum(int(row[2]) for row in jobs)}

    def resumptions(self, events):
        """Seconds from each kill to the moment at which what it hit went on.

        Of a worker, its jobs to their next attempts; of a host, its job to its next attempt; of all else, whatever began or
        ended next anywhere.
        """
        attempts = [(job, int(number), float(start), float(end), worker, code) for job, number, start, end, worker, code in self.sql("""
            SELECT job_id, attempt, extract(epoch FROM started_at), extract(epoch FROM ended_at), worker, problem->>'code'
            FROM job_attempt""")]
        last = {job: float(start) for job, start in self.sql(
            "SELECT job_id, extract(epoch FROM attempt_started_at) FROM job")}
        starts = {(job, number): start for job, number, start, *_ in attempts}
        moments = sorted(list(starts.values()) + list(last.values()) + [a[3] for a in attempts]
                         + [float(row[0]) for row in self.sql("SELECT extract(epoch FROM finished_at) FROM job")])
        times = []
        for kind, moment, process in events:
            if kind in ("worker", "host"):
                hit = [a for a in attempts if a[2] <= moment <= a[3] and (
                    kind == "worker" and a[4].split(":")[1] == str(process)
                    or kind == "host" and a[5] == "script_host_crashed" and a[3] - moment < 1)]
                times += [starts.get((a[0], a[1] + 1), last[a[0]]) - moment for a in hit]
            else:
                later = [m for m in moments if m > moment]
                times += [later[0] - moment] if later else []
        return times

    def check_orphans(self):
        """Maintenance removes the remains of killed uploads and attempts, and nothing else."""
        self.sql("UPDATE segment_batch SET touched_at = touched_at - interval '1 day', garbage_since = garbage_since - interval '1 day'")
        self.sql("DELETE FROM segment_reader")
        self.sql("UPDATE chore SET held_until = now() - interval '1 second'")
        left = """
            SELECT count(*) FROM segment_batch WHERE state <> 'committed' UNION ALL
            SELECT count(*) FROM segment s WHERE NOT EXISTS (
                SELECT FROM snapshot p, unnest(p.segment_batches, p.segment_ordinals) AS n (batch, ordinal)
                WHERE p.app_id = s.app_id AND n.batch = s.batch_id AND n.ordinal = s.ordinal
            ) AND NOT EXISTS (
                SELECT FROM segment_column c, unnest(c.segment_batches, c.segment_ordinals) AS n (batch, ordinal)
                WHERE c.app_id = s.app_id AND n.batch = s.batch_id AND n.ordinal = s.ordinal)"""
        deadline = time.monotonic() + 60
        while any(int(row[0]) for row in self.sql(left)):
            if time.monotonic() > deadline:
                raise SystemExit(f"orphans are left after maintenance: {self.sql(left)}")
            time.sleep(0.5)

    def end(self):
        for process in self.workers + self.apis[::-1]:
            process.end()
        for relay in self.relays:
            relay.close()
        if self.has_disk:
            subprocess.run(["umount", self.data], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, default=50, help="each is migrated four times")
    parser.add_argument("--lease", type=int, default=5)
    parser.add_argument("--pause", type=float, default=1.5, help="seconds between two kills, on the average")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which it has failed")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    print(f"seed {options.seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="chaos-"))
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
