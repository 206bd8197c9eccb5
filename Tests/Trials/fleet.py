#!/usr/bin/env python3
"""A fleet of realms from a cold start to its undoing, while its workers are killed.

usage: fleet.py PROGRAM [--realms N] [--objects N] [--kills N] [--seed N]

Realms of five schema versions, one of a hundred of which fails, for three causes. The canary goes well and waits for a word; the
others stop at half of the failures; a mended script has what failed retried, and the rest go on; at last all of it is undone, but
for a realm that has changed meanwhile. All workers are killed, several times, while realms are migrated and while they are put back.
At each stage every realm has to hold exactly what its state in the fleet says, and each is migrated once.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from peer import program as postgres_program  # noqa: E402
from service import DATABASE, Client, Service, ServiceError  # noqa: E402

APP = "/v1/apps/tenants"
VERSIONS, TARGET = (1, 2, 3, 4, 5), 6
CAUSES = ("thrown", "duplicate", "null")


def schema(version):
    """Each version has one property more; the target has another primary key."""
    if version == TARGET:
        return [{"name": "Person", "primaryKey": "code", "properties": {
            "id": "int", "code": "string", "name": "string", "runs": "int", "length": "int"}}]
    return [{"name": "Person", "primaryKey": "id", "properties": {
        "id": "int", "first": "string", "last": "string", "code": "string", "runs": "int", "note": "string?",
        **{f"added{number}": "int?" for number in VERSIONS if 1 < number <= version}}}]


# The causes are on lines of their own, and what the first says is another text for each realm.
SCRIPT = """function migrate(migration, version) {
  migration.enumerateObjects("Person", (was, is) => {
    if (was.first === "") throw new Error(`person ${was.id} of "${was.last}" has no first name`);
    is.name = `${was.first} ${was.last}`;
    is.length = was.note.length + version;
    is.runs = was.runs + 1;
  });
}
"""
MENDED = """function migrate(migration, version) {
  migration.enumerateObjects("Person", (was, is) => {
    is.name = `${was.first || "?"} ${was.last}`;
    is.length = (was.note || "").length + version;
    is.runs = was.runs + 1;
    if (was.code === "same") is.code = `same${was.id}`;
  });
}
"""


class Tenant:
    """A realm, what it holds, and what is to become of that."""

    def __init__(self, number, objects):
        self.name, self.version, self.cause, self.objects = f"tenant-{number}", VERSIONS[number % 5], None, objects

    def persons(self):
        for number in range(self.objects):
            person = {"id": number, "first": f"first{number}", "last": self.name, "code": f"c{number}", "runs": 0, "note": "n" * (number % 7),
                      **{f"added{version}": version for version in VERSIONS if 1 < version <= self.version}}
            if number == self.objects // 2 and self.cause == "thrown":
                person["first"] = ""
            if number >= self.objects - 2 and self.cause == "duplicate":
                person["code"] = "same"
            if number == self.objects - 1 and self.cause == "null":
                person["note"] = None
            yield person

    def before(self):
        return self.version, sorted(map(canonical, self.persons()))

    def after(self):
        persons = []
        for was in self.persons():
            code = f"same{was['id']}" if was["code"] == "same" else was["code"]
            persons.append({"id": was["id"], "code": code, "name": f"{was['first'] or '?'} {was['last']}", "runs": 1,
                            "length": len(was["note"] or "") + self.version})
        return TARGET, sorted(map(canonical, persons))


def canonical(person):
    return json.dumps(person, sort_keys=True)


class Killer(threading.Thread):
    """Keeps two workers running, and kills both whenever it is told to."""

    def __init__(self, trial):
        super().__init__(daemon=True)
        self.trial, self.kills = trial, 0
        self.workers = [self.start_worker(), self.start_worker()]

    def start_worker(self):
        url = f"postgresql:///postgres?user=realmshift&host={self.trial.service.data / 'postgres'}"
        with open(self.trial.folder / "workers.log", "a") as log:
            return subprocess.Popen(
                [self.trial.options.program, "worker", "--database-url", url, "--workers", "1", "--lease", "3"],
                stdout=log, stderr=subprocess.STDOUT)

    def kill(self):
        for worker in self.workers:
            worker.send_signal(signal.SIGKILL)
        for worker in self.workers:
            worker.wait()
        self.kills += 1
        self.workers = [self.start_worker(), self.start_worker()]

    def end(self):
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait(30)


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder, self.random = options, folder, random.Random(options.seed)
        self.tenants = [Tenant(number, options.objects) for number in range(options.realms)]
        self.canary = max(options.realms // 20, 5)
        # Realms have their turns by a hash of their names, those of all versions side by side; those that fail come after the canary.
        turns = []
        for version in VERSIONS:
            same = sorted((t for t in self.tenants if t.version == version), key=lambda t: hashlib.md5(t.name.encode()).hexdigest())
            turns += [(number, version, tenant) for number, tenant in enumerate(same)]
        ordered = [tenant for _, _, tenant in sorted(turns, key=lambda turn: turn[:2])]
        self.bad = self.random.sample(ordered[self.canary:], max(options.realms // 100, 3))
        for number, tenant in enumerate(self.bad):
            tenant.cause = CAUSES[number % 3]
        self.service = Service(options.program, folder, workers=0)
        self.threads = threading.local()
        self.pool = concurrent.futures.ThreadPoolExecutor(4)

    @property
    def client(self):
        self.threads.client = getattr(self.threads, "client", None) or Client(self.service.port, self.service.key)
        return self.threads.client

    def sql(self, text):
        return int(subprocess.run(
            [postgres_program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", str(self.service.data / "postgres"), "-U", "realmshift",
             "-c", text, DATABASE], check=True, capture_output=True, text=True).stdout)

    # Stages

    def prepare(self):
        self.client.call("PUT", APP, {}).read()
        for version in VERSIONS:
            self.client.call("PUT", f"{APP}/schemas/{version}", {"schema": schema(version)}).read()
        self.client.call("PUT", f"{APP}/schemas/{TARGET}", {
            "schema": schema(TARGET), "migration": {"language": "javascript", "source": SCRIPT}}).read()
        list(self.pool.map(self.upload, self.tenants))
        versions = {item["version"]: item["count"] for item in self.client.json("GET", f"{APP}/versions")["items"]}
        expect(versions == {v: sum(t.version == v for t in self.tenants) for v in VERSIONS}, f"the versions are {versions}")

    def upload(self, tenant):
        lines = [{"schemaVersion": tenant.version, "schema": schema(tenant.version)}]
        lines += [{"class": "Person", "object": person} for person in tenant.persons()]
        self.client.call("POST", f"{APP}/realms/{tenant.name}/snapshots", "\n".join(map(json.dumps, lines)),
                         Content_Type="application/x-ndjson").read()

    def run(self):
        began = time.monotonic()
        self.prepare()
        print(f"{len(self.tenants)} realms in {time.monotonic() - began:.1f} s")
        killer = Killer(self)
        try:
            self.migrate(killer)
        finally:
            killer.end()

    def migrate(self, killer):
        stop = max(len(self.bad) // 2, 1)
        self.fleet = self.client.json("POST", f"{APP}/fleets", {
            "targetVersion": TARGET, "select": {"version": f"<{TARGET}", "names": ["tenant-*"]}, "canary": {"count": self.canary},
            "stopAfter": {"failures": stop}})["id"]
        fleet = self.wait("paused")
        expect(fleet["pauseReason"] == "canary", f"it is paused for {fleet['pauseReason']}")
        expect(fleet["counts"]["succeeded"] == self.canary and fleet["counts"]["pending"] == len(self.tenants) - self.canary,
               f"after the canary: {fleet['counts']}")
        self.check("canary")

        self.ask("resume")
        self.kill_during(killer, "running", self.options.kills)
        fleet = self.wait("paused", "failed")
        expect(fleet["counts"]["failed"] >= stop, f"it stopped at {fleet['counts']}")
        expect(0 < len(fleet["failures"]) <= 3, f"the causes are {fleet['failures']}")
        expect(sum(f["count"] for f in fleet["failures"]) == fleet["counts"]["failed"], "the failures are not all grouped")
        self.check("stop")

        self.ask("retry-failed", {"migration": {"language": "javascript", "source": MENDED}})
        self.kill_during(killer, "running", self.options.kills)
        fleet = self.wait("succeeded")
        expect(fleet["counts"]["succeeded"] == len(self.tenants) and not fleet["failures"], f"at the end: {fleet['counts']}")
        self.check("retry")

        self.changed = self.random.choice(self.tenants)
        self.upload(self.changed)
        self.ask("undo")
        self.kill_during(killer, "undoing", 1)
        fleet = self.wait("undone")
        expect(fleet["counts"]["undone"] == len(self.tenants) - 1 and fleet["counts"]["kept"] == 1, f"undone: {fleet['counts']}")
        expect(fleet["failures"][0]["sample"] == [self.changed.name], f"kept: {fleet['failures']}")
        self.check("undo")
        print(f"{killer.kills} times all workers killed: every realm is right at each stage, and was migrated once")

    def ask(self, verb, body=None):
        return self.client.json("POST", f"{APP}/fleets/{self.fleet}/{verb}", body or {})

    def look(self):
        return self.client.json("GET", f"{APP}/fleets/{self.fleet}")

    def kill_during(self, killer, state, times):
        """Kills all workers when some more of the realms have had their turn."""
        for _ in range(times):
            fleet = self.look()
            left = fleet["counts"]["succeeded"] if state == "undoing" else fleet["counts"]["pending"]
            goal = left - self.random.randrange(1, max(left // (times + 1), 2))
            while fleet["state"] == state:
                left = fleet["counts"]["succeeded"] if state == "undoing" else fleet["counts"]["pending"]
                if left <= goal:
                    break
                fleet = self.look()
            killer.kill()

    def wait(self, *states):
        deadline = time.monotonic() + 60 + self.options.realms / 20
        while True:
            fleet = self.look()
            counts = fleet["counts"]
            expect(sum(counts.values()) == len(self.tenants), f"the realms are not all counted: {counts}")
            if fleet["state"] in states and counts["running"] == 0:
                print(f"  {fleet['state']}: {counts}, {fleet['realmsPerSecond']} realms/s")
                return fleet
            expect(time.monotonic() < deadline, f"the fleet does not get further: {json.dumps(fleet)}")
            time.sleep(0.1)

    # The conditions that have to hold

    def members(self):
        members, cursor = {}, ""
        while cursor is not None:
            page = self.client.json("GET", f"{APP}/fleets/{self.fleet}/realms?limit=1000&cursor={cursor}")
            for member in page["items"]:
                expect(member["realm"] not in members, f"{member['realm']} is listed twice")
                members[member["realm"]] = member
            cursor = page["next"]
        return members

    def check(self, stage):
        members = self.members()
        expect(members.keys() == {t.name for t in self.tenants}, "the list has other realms")
        faults = [fault for fault in self.pool.map(lambda t: self.fault(t, members[t.name], stage), self.tenants) if fault]
        expect(not faults, f"{len(faults)} faults at {stage}:\n" + "\n".join(faults[:10]))
        migrated = sum(m["resultSnapshot"] is not None for m in members.values())
        uploads = len(self.tenants) + (stage == "undo")
        found = self.sql("SELECT count(*) FROM snapshot")
        expect(found == uploads + migrated, f"there are {found} snapshots of {uploads} uploads and {migrated} migrations")
        wrong = self.sql("""SELECT count(*) FROM fleet f JOIN (
            SELECT fleet_id, count(*) FILTER (WHERE state = 'pending') AS p, count(*) FILTER (WHERE state = 'succeeded') AS s,
                count(*) FILTER (WHERE state = 'failed') AS b, count(*) FILTER (WHERE state = 'undone') AS u FROM fleet_member GROUP BY 1
            ) AS m USING (fleet_id) WHERE (f.pending, f.succeeded, f.failed, f.undone) <> (p, s, b, u)""")
        expect(wrong == 0, "the fleet counts otherwise than its realms")

    def fault(self, tenant, member, stage):
        """The fault of a realm; None without one."""
        snapshot = self.client.json("GET", f"{APP}/realms/{tenant.name}")["currentSnapshot"]
        lines = self.client.call(
            "GET", f"/v1/snapshots/{snapshot}/content", Accept="application/x-ndjson").read().splitlines()
        version = json.loads(lines[0])["schemaVersion"]
        content = version, sorted(canonical(json.loads(line)["object"]) for line in lines[1:])
        state = member["state"]
        wanted = tenant.after() if state == "succeeded" else tenant.before()
        if content != wanted:
            return f"{tenant.name} is {state} and holds something else ({version})"
        if state == "failed" and tenant.cause is None:
            return f"{tenant.name} failed: {member['error']}"
        if state == "succeeded" and tenant.cause and stage != "retry":
            return f"{tenant.name} succeeded in spite of {tenant.cause}"
        if state == "kept" and tenant is not self.changed:
            return f"{tenant.name} was not put back: {member['reason']}"
        return None


def expect(condition, message):
    if not condition:
        raise SystemExit(message)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, default=10_000)
    parser.add_argument("--objects", type=int, default=100)
    parser.add_argument("--kills", type=int, default=2, help="at each stage that migrates")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        trial = Trial(options, folder)
        try:
            trial.run()
        except ServiceError as error:
            raise SystemExit(str(error))
        finally:
            trial.service.stop()


if __name__ == "__main__":
    main()
