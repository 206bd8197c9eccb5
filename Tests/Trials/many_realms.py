#!/usr/bin/env python3
"""Measures the service with few and with many realms, by turns in one run.

usage: many_realms.py PROGRAM [--realms 1000 100000] [--fleet 10000] [--runs N]

Two services run at once, whose databases SQL has filled with realms, two snapshots and ten ended jobs each (statement_costs.py). Each list,
GET, upload, migration and fleet of a hundred is asked of the one and of the other in turn, through the API. Its median with many realms may
be 1.5 times that with few; a fleet of 10,000 may have 0.8 of the speed that it has where there are no other realms.
"""

import argparse
import pathlib
import statistics
import sys
import tempfile
import time

from statement_costs import WIDER, Service, fill, make_seed, migrate, realm, run_fleet

MOST = 1.5
LEAST_OF_FLEET = 0.8
# Realms of a fleet whose steps are measured.
FLEET_STEP = 100
THIRD = {"schema": WIDER, "migration": {
    "language": "javascript", "source": "function migrate(m) { m.enumerateObjects('Note', (a, b) => { b.text = a.text + '.'; }); }"}}


class Subject:
    """A service with some realms."""

    def __init__(self, program, count):
        self.count, self.number = count, 0
        self.temporary = tempfile.TemporaryDirectory(prefix="many-realms-", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.temporary.name)
        self.folder.chmod(0o755)
        self.service = Service(program, self.folder)
        make_seed(self.service)
        fill(self.service, count)
        self.call = self.service.call
        self.middle = f"r{count // 2:07}"
        self.snapshot = self.call("GET", f"/v1/apps/shop/realms/{self.middle}")["currentSnapshot"]
        self.fleet = self.call("GET", "/v1/apps/shop/fleets")["items"][0]["id"]
        self.job = self.call("GET", "/v1/jobs?limit=1")["items"][0]["id"]
        # Nothing but what is measured goes on.
        self.service.sql("CHECKPOINT")

    def close(self):
        self.service.stop()
        self.temporary.cleanup()

    def gets(self):
        shop = "/v1/apps/shop"
        paths = [f"{shop}/realms?limit=100{more}" for more in ("", "&version=2", "&version=%3C2", "&label=tenant:t7")]
        paths += [f"/v1/jobs?limit=50{more}" for more in ("", "&state=failed", "&state=queued", "&app=shop", f"&app=shop&realm={self.middle}")]
        paths += [f"{shop}/realms/{self.middle}", f"{shop}/realms/{self.middle}/snapshots", f"{shop}/versions", f"{shop}/schemas",
                  f"{shop}/fleets", f"{shop}/fleets/{self.fleet}", f"{shop}/fleets/{self.fleet}/realms?limit=50",
                  f"{shop}/fleets/{self.fleet}/realms?state=failed", f"/v1/jobs/{self.job}", f"/v1/jobs/{self.job}/log",
                  "/v1/apps", shop, "/v1/audit?limit=50", "/v1/audit?limit=50&app=shop", "/v1/tokens?limit=50", "/v1/keys", "/metrics"]
        paths += [f"/v1/snapshots/{self.snapshot}{part}" for part in ("", "/schema", "/manifest", "/objects/Note", "/content?format=json")]
        return paths

    def upload(self):
        self.number += 1
        return realm(self.service, f"new{self.number}")

    def migration(self):
        migrate(self.service, f"new{self.number}")

    def restore(self):
        snapshots = self.call("GET", f"/v1/apps/shop/realms/new{self.number}/snapshots")["items"]
        self.call("POST", f"/v1/apps/shop/realms/new{self.number}/restore", {"snapshot": snapshots[-1]["id"]})

    def fleet_step(self):
        """Realms that another fleet has not had: those of a hundred names each."""
        self.number += 1
        start = 1 + (self.number * FLEET_STEP) % (self.count - FLEET_STEP)
        run_fleet(self.service, *(f"r{start + n:07}" for n in range(FLEET_STEP)), wait=0.02, version=3)

    def deletion(self):
        self.call("DELETE", f"/v1/apps/shop/realms/new{self.number}")


def timed(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def compare(few, many, runs):
    """Medians in milliseconds of each action, with few and with many."""
    actions = [(path.replace(few.snapshot, "…").replace(few.fleet, "…").replace(few.job, "…").replace(few.middle, "…"), (
        lambda path=path: few.call("GET", path), lambda other=other: many.call("GET", other)))
        for path, other in zip(few.gets(), many.gets())]
    actions += [(name, (getattr(few, name), getattr(many, name))) for name in ("upload", "migration", "restore", "deletion")]
    rows = []
    for name, pair in actions:
        times = ([], [])
        for number in range(runs):
            for index in (0, 1) if number % 2 else (1, 0):
                if name in ("migration", "restore", "deletion"):
                    (few, many)[index].upload()
                if name == "restore":
                    (few, many)[index].migration()
                times[index].append(timed(pair[index]))
        rows.append((name, *(1000 * statistics.median(each) for each in times)))
    steps = ([], [])
    for number in range(max(3, runs // 4)):
        for index in (0, 1) if number % 2 else (1, 0):
            steps[index].append(timed((few, many)[index].fleet_step))
    rows.append((f"fleet of {FLEET_STEP}", *(1000 * statistics.median(each) for each in steps)))
    return rows


def fleet_speed(subject, size):
    """Realms that a fleet migrates in a second."""
    pattern = f"r{'0' * (7 - len(str(size)) + 1)}*"
    seconds = timed(lambda: run_fleet(subject.service, pattern, wait=0.1, version=3))
    return (size - 1) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, nargs=2, default=(1_000, 100_000), metavar=("FEW", "MANY"))
    parser.add_argument("--fleet", type=int, default=10_000, help="realms of the large fleet, a power of ten; 0 for none")
    parser.add_argument("--runs", type=int, default=21)
    options = parser.parse_args()
    many = Subject(options.program, options.realms[1])
    few = Subject(options.program, options.realms[0])
    try:
        for subject in (few, many):
            subject.call("PUT", "/v1/apps/shop/schemas/3", THIRD)
        rows = compare(few, many, options.runs)
        few.close()
        few = Subject(options.program, options.fleet) if options.fleet else None
        speeds = []
        if few:
            few.call("PUT", "/v1/apps/shop/schemas/3", THIRD)
            speeds = [fleet_speed(each, options.fleet) for each in (few, many)]
    finally:
        for subject in (few, many):
            if subject:
                subject.close()
    slow = [name for name, before, after in rows if after > MOST * before]
    for name, before, after in sorted(rows, key=lambda row: -row[2] / row[1]):
        print(f"{before:9.2f} ms {after:9.2f} ms {after / before:6.2f}  {name}")
    if speeds:
        print(f"a fleet of {options.fleet}: {speeds[0]:.0f} and {speeds[1]:.0f} realms a second, {speeds[1] / speeds[0]:.2f}")
    for name in slow:
        print(f"with {options.realms[1]} realms more than {MOST} times as long: {name}")
    return bool(slow) or bool(speeds) and speeds[1] < LEAST_OF_FLEET * speeds[0]


if __name__ == "__main__":
    sys.exit(main())
