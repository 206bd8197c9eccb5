#!/usr/bin/env python3
"""Two versions of an app write to one realm while a partner class is filled and its workers are killed.

usage: partner_trial.py PROGRAM [--seconds N] [--objects N] [--writers N] [--seed N]

Writers of version 1 change persons, writers of version 2 their partners; each has objects of its own, and some that all share.
Meanwhile the partner is made and filled, by workers that are killed at random. Afterwards both sides have to hold the same by
`forward`, no write that was acknowledged may be missing, and nothing may go on by itself.
"""

import argparse
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
from service import Client, Service, ServiceError  # noqa: E402

REALM = "/v1/apps/bench/realms/team"
PERSON = {"name": "Person", "primaryKey": "_id", "properties": {"_id": "int", "name": "string", "age": "int"}}
PARTNER = {"name": "PersonV2", "primaryKey": "_id",
           "properties": {"_id": "int", "name": "string", "age": "string", "email": "string?"}}
FORWARD = "o => ({ name: o.name, age: String(o.age) })"
BACKWARD = "o => ({ name: o.name, age: Number(o.age) })"
SHARED = 50
# Identifiers of the objects that a writer makes begin here.
OWN = 10_000_000


class Writer(threading.Thread):
    """Writes as a client of one version until it is told to stop, and remembers what was acknowledged."""

    def __init__(self, trial, number, version):
        super().__init__(daemon=True)
        self.trial, self.number, self.version = trial, number, version
        self.random = random.Random(trial.options.seed * 1000 + number)
        self.client = Client(trial.service.port, trial.service.key)
        # By id the age that is to be there; None for an object that is to be gone, and absent for one that nobody knows.
        self.expected, self.acknowledged, self.failure = {}, 0, None
        self.made = 0

    def run(self):
        try:
            while not self.trial.stopped.is_set():
                self.write()
        except Exception as error:  # the trial tells of it, and fails
            self.failure = error

    def value(self, age):
        return age if self.version == 1 else str(age)

    def write(self):
        upserts, deletes, becomes = [], [], {}
        class_name = "Person" if self.version == 1 else "PersonV2"
        for _ in range(self.random.randrange(1, 6)):
            kind = self.random.random()
            age = self.random.randrange(1, 1_000_000)
            if kind < 0.15:
                key = OWN + self.number * 1_000_000 + self.made
                self.made += 1
                upserts.append({"_id": key, "name": f"made {key}", "age": self.value(age)})
                becomes[key] = age
            elif kind < 0.25:
                upserts.append({"_id": self.random.randrange(SHARED), "age": self.value(age)})
            elif kind < 0.32 and self.expected:
                key = self.random.choice(list(self.expected))
                deletes.append(key)
            else:
                count = self.trial.options.objects - SHARED
                key = SHARED + self.random.randrange(count) // self.trial.writers * self.trial.writers + self.number
                if key >= self.trial.options.objects or self.expected.get(key, 0) is None:
                    continue
                upserts.append({"_id": key, "age": self.value(age)})
                becomes[key] = age
        upserts = [u for u in upserts if u["_id"] not in deletes]
        for key in deletes:
            becomes[key] = None
        batch = {"upserts": [{"class": class_name, "object": u} for u in upserts],
                 "deletes": [{"class": class_name, "key": k} for k in deletes]}
        # Before there are partners, the new version has only what it makes.
        if self.version == 2 and not self.trial.is_dual.is_set():
            batch["upserts"] = [u for u in batch["upserts"] if u["object"]["_id"] >= OWN]
            batch["deletes"] = [d for d in batch["deletes"] if d["key"] >= OWN]
            becomes = {k: v for k, v in becomes.items() if k >= OWN}
        if not batch["upserts"] and not batch["deletes"]:
            return
        self.client.call("POST", REALM + "/changes", batch, Realm_Schema_Version=str(self.version)).read()
        self.expected.update(becomes)
        self.acknowledged += 1


class Killer(threading.Thread):
    """Keeps two workers running, and kills one of them again and again."""

    def __init__(self, trial):
        super().__init__(daemon=True)
        self.trial, self.kills, self.workers = trial, 0, []
        self.random = random.Random(trial.options.seed)

    def start_worker(self):
        url = f"postgresql:///postgres?user=realmshift&host={self.trial.service.data / 'postgres'}"
        return subprocess.Popen(
            [self.trial.options.program, "worker", "--database-url", url, "--workers", "1", "--lease", "2"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self):
        self.workers = [self.start_worker(), self.start_worker()]
        while not self.trial.stopped.wait(self.random.uniform(0.3, 2.5)):
            victim = self.random.randrange(2)
            self.workers[victim].send_signal(signal.SIGKILL)
            self.workers[victim].wait()
            self.kills += 1
            self.workers[victim] = self.start_worker()

    def end(self):
        for worker in self.workers:
            worker.terminate()
            worker.wait(30)


class Trial:
    def __init__(self, options, folder):
        self.options, self.writers = options, options.writers * 2
        self.stopped, self.is_dual = threading.Event(), threading.Event()
        self.service = Service(options.program, folder, workers=0)
        self.client = self.service.client

    def prepare(self, folder):
        for version, schema in ((1, PERSON), (2, PARTNER)):
            self.client.call("PUT", f"/v1/apps/bench/schemas/{version}", {"schema": [schema]}).read()
        self.client.call("PUT", REALM, {"kind": "synced"}).read()
        path = folder / "persons.ndjson"
        with open(path, "w") as file:
            file.write(json.dumps({"schemaVersion": 1, "schema": [PERSON]}) + "\n")
            for key in range(self.options.objects):
                person = {"_id": key, "name": f"person {key}", "age": key % 100}
                file.write(json.dumps({"class": "Person", "object": person}) + "\n")
        self.client.upload("team", path, "application/x-ndjson")

    def run(self, folder):
        self.prepare(folder)
        old = [Writer(self, number, 1) for number in range(self.options.writers)]
        new = [Writer(self, number + self.options.writers, 2) for number in range(self.options.writers)]
        killer = Killer(self)
        killer.start()
        for writer in old:
            writer.start()
        time.sleep(0.2)
        partner = self.client.json("POST", REALM + "/partners", {
            "class": "Person", "partner": PARTNER, "forward": FORWARD, "backward": BACKWARD})["id"]
        for writer in new:
            writer.start()
        end = time.monotonic() + self.options.seconds
        filled_during = None
        while time.monotonic() < end:
            time.sleep(0.1)
            if not self.is_dual.is_set() and self.state(partner) == "dual":
                filled_during = self.options.seconds - (end - time.monotonic())
                self.is_dual.set()
        left = self.client.json("GET", f"{REALM}/partners/{partner}")["backfill"]
        self.stopped.set()
        for thread in old + new + [killer]:
            thread.join(60)
        try:
            for writer in old + new:
                if writer.failure:
                    raise SystemExit(f"a writer of version {writer.version} failed: {writer.failure}")
            deadline = time.monotonic() + 120
            while self.state(partner) != "dual":
                if time.monotonic() > deadline:
                    raise SystemExit(f"the partner is not filled: {self.client.json('GET', REALM + '/partners/' + partner)}")
                time.sleep(0.1)
        finally:
            killer.end()
        self.check(partner, old + new)
        batches = sum(w.acknowledged for w in old + new)
        when = f"filled after {filled_during:.1f} s" if filled_during else f"filled after the writers, who left it at {left}"
        print(f"{batches} batches of {self.writers} writers, {killer.kills} workers killed, {when}: both sides are the same")

    def state(self, partner):
        return self.client.json("GET", f"{REALM}/partners/{partner}")["state"]

    def objects(self):
        lines = self.client.call("GET", REALM + "/changes", Accept="application/x-ndjson").read().splitlines()
        sides = {"Person": {}, "PersonV2": {}}
        for line in map(json.loads, lines):
            if "object" in line:
                sides[line["class"]][line["object"]["_id"]] = line["object"]
        return sides["Person"], sides["PersonV2"]

    def check(self, partner, writers):
        before = self.client.json("GET", REALM)["currentSnapshot"]
        persons, partners = self.objects()
        faults = []
        if persons.keys() != partners.keys():
            faults.append(f"objects of one side alone: {sorted(persons.keys() ^ partners.keys())[:10]}")
        for key in persons.keys() & partners.keys():
            person, other = persons[key], partners[key]
            if (person["name"], str(person["age"])) != (other["name"], other["age"]):
                faults.append(f"the sides of {key} differ: {person} {other}")
        for writer in writers:
            for key, age in writer.expected.items():
                found = persons.get(key, {}).get("age")
                if found != age:
                    faults.append(f"version {writer.version}: {key} was acknowledged as {age} and is {found}")
        told = self.client.json("GET", f"{REALM}/partners/{partner}")
        if told["divergent"]["count"] or told["violationCount"]:
            faults.append(f"findings: {told['divergent']} {told['violations']}")
        time.sleep(1)
        if self.client.json("GET", REALM)["currentSnapshot"] != before:
            faults.append("the realm changes though nobody writes")
        if faults:
            raise SystemExit(f"{len(faults)} faults:\n" + "\n".join(faults[:20]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--objects", type=int, default=200_000)
    parser.add_argument("--writers", type=int, default=8, help="of each version")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        trial = Trial(options, folder)
        try:
            trial.run(folder)
        except ServiceError as error:
            raise SystemExit(str(error))
        finally:
            trial.service.stop()


if __name__ == "__main__":
    main()
