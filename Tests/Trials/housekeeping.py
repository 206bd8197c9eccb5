#!/usr/bin/env python3
"""Measures who waits for housekeeping.

usage: housekeeping.py PROGRAM [--snapshots N] [--lease SECONDS]

Retention removes snapshots, of realms with eleven each, while clients upload, read and migrate, and the worker that has a job is killed.
PostgreSQL says whenever a statement waits for a lock for a tenth of a second. Exits with 1 where one did, where the job did not
run elsewhere within two leases, or where a snapshot is left.
"""

import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from statement_costs import Service, copies, make_seed, migrate, realm

OF_REALM = 10
LOCK_WAIT = 100
ENDLESS = {"targetVersion": 2, "migration": {"language": "javascript", "source": "function migrate() { for (;;) {} }"},
           "limits": {"timeoutSeconds": 300}}


def fill(service, count):
    """Realms with a current snapshot and ten older ones, which share its segments."""
    numbers, now = f"generate_series(1, {count // OF_REALM}) AS n", round(time.time() * 1000)

    def snapshot_id(age):
        # UUIDv7: the store goes by the time in it.
        milliseconds = f"({now} - {age} * 86400000::bigint)"
        return f"(lpad(to_hex({milliseconds}), 12, '0') || '7' || substr(md5({age} || '-' || n), 14))::uuid"
    script = "SET session_replication_role = replica;\n"
    script += copies(service, "realm", f"realm row, {numbers} WHERE row.name = 'seed'", {
        "realm_id": "md5('realm' || n)::uuid", "name": "'r' || n", "current_id": snapshot_id(0)})
    script += copies(
        service, "snapshot", f"snapshot row, {numbers}, generate_series(0, {OF_REALM}) AS age"
        " WHERE row.snapshot_id = (SELECT current_id FROM realm WHERE name = 'seed')",
        {"realm_id": "md5('realm' || n)::uuid", "snapshot_id": snapshot_id("age"),
         "created_at": "now() - age * interval '1 day'"})
    service.sql(script)
    service.sql("ANALYZE")


class Workers:
    """Two worker processes, of which the one that has a job can be killed."""

    def __init__(self, service, lease):
        self.service = service
        self.processes = [subprocess.Popen(
            [service.program, "worker", "--workers", "1", "--lease", str(lease), "--database-url",
             f"postgresql:///postgres?host={service.folder}/data/postgres&user=realmshift"],
            stderr=subprocess.DEVNULL) for _ in range(2)]

    def kill_the_one_with(self, job):
        name = self.service.sql(f"SELECT worker FROM job WHERE job_id = '{job}'")
        pid = int(name.split(":")[1])
        [process for process in self.processes if process.pid == pid][0].send_signal(signal.SIGKILL)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(60)


def wait(service, job, attempt, seconds):
    """Seconds until an attempt of a job runs; None where it did not in that time."""
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        found = service.call("GET", f"/v1/jobs/{job}")
        if found["state"] == "running" and found["attempt"] == attempt:
            return time.monotonic() - start
        time.sleep(0.05)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--snapshots", type=int, default=50_000)
    parser.add_argument("--lease", type=int, default=5)
    options = parser.parse_args()
    temporary = tempfile.TemporaryDirectory(prefix="housekeeping-", ignore_cleanup_errors=True)
    folder = pathlib.Path(temporary.name)
    folder.chmod(0o755)
    service = Service(
        options.program, folder, "--workers", "0", settings=f"log_lock_waits = on\ndeadlock_timeout = {LOCK_WAIT}ms\n")
    workers, log = Workers(service, options.lease), folder / "data/postgres.log"
    try:
        make_seed(service)
        fill(service, options.snapshots)
        realm(service, "endless")
        job = service.call("POST", "/v1/apps/shop/realms/endless/migrations", ENDLESS)["id"]
        wait(service, job, 1, 30)
        service.call("PUT", "/v1/apps/shop/retention", {"keepSnapshots": 1})
        service.sql("UPDATE chore SET held_until = now() - interval '1 second'")
        # The filling of the tables is not what is looked at.
        log_start = log.stat().st_size
        start, left, slowest, taken, number = time.monotonic(), options.snapshots, 0.0, None, 0
        while left:
            asked = time.monotonic()
            realm(service, f"r{1 + number % 100}")
            migrate(service, f"r{1 + number % 100}")
            slowest = max(slowest, time.monotonic() - asked)
            number += 1
            left = int(service.sql("SELECT count(*) FROM snapshot s JOIN realm r USING (app_id, realm_id)"
                                   " WHERE s.snapshot_id <> r.current_id AND s.created_at < now() - interval '12 hours'"))
            if taken is None and left < options.snapshots * 0.9:
                workers.kill_the_one_with(job)
                taken = wait(service, job, 2, 20 * options.lease) or float("inf")
                service.call("POST", f"/v1/jobs/{job}/cancel", {})
            if time.monotonic() > start + 1800:
                break
        seconds = time.monotonic() - start
    finally:
        workers.stop()
        service.stop()
    waits = re.findall(r"still waiting for .*", log.read_bytes()[log_start:].decode(errors="replace"))
    temporary.cleanup()
    print(f"{options.snapshots - left} snapshots removed in {seconds:.0f} s, {number} uploads with their migrations meanwhile, the slowest in "
          f"{slowest * 1000:.0f} ms; {len(waits)} statements waited {LOCK_WAIT} ms for a lock; the job of a killed worker ran elsewhere after "
          f"{taken:.1f} s, leases last {options.lease} s")
    for each in waits[:5]:
        print("  " + each)
    return bool(left or waits or taken > 2 * options.lease)


if __name__ == "__main__":
    sys.exit(main())
