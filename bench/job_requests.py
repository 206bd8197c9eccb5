"""Requests for one job from many connections at once."""

import re
import statistics
import subprocess

from realms import PERSON
from service import ServiceError

CONNECTIONS = 32
THREADS = 2
SECONDS = 3


def requests(run):
    run.people()
    path = f"/v1/jobs/{any_job(run)['id']}"
    peers, rates, late = [], [], []

    def measure():
        # By turns, so that both see the same machine.
        peers.append(run.peer.select_rate(CONNECTIONS, SECONDS))
        rate, percentile = load(run.service, path)
        rates.append(rate)
        late.append(percentile)
    _, memory, _ = run.time(measure)
    run.results.add(
        f"GET job, {CONNECTIONS} connections", rates, "requests/s", lower=False, peer=statistics.median(peers), peer_name="pgbench -S",
        memory=memory, p99Milliseconds=statistics.median(late))


def any_job(run):
    run.client.restore("people", run.people())
    return run.client.migrate("people", {"targetVersion": 2, "schema": PERSON})


def load(service, path):
    """Requests a second, and the milliseconds that 99 of 100 take at most, by wrk."""
    output = subprocess.run(
        ["wrk", "-t", str(THREADS), "-c", str(CONNECTIONS), "-d", f"{SECONDS}s", "--latency",
         "-H", "Authorization: Bearer " + service.key, f"http://127.0.0.1:{service.port}{path}"],
        check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output:
        raise ServiceError("requests for a job were refused")
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()
    milliseconds = float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), round(milliseconds, 3)
