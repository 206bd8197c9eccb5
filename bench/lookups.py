"""Single objects by primary key, from a realm of many."""

import re
import subprocess
import time

from realms import MEMBER, members, name
from service import ServiceError

SECONDS = 5
CHECKED = 100
PRIME = 7919
# The objects of the realm in a scattered order, one request after the other on one connection.
SCRIPT = """
local number = 0
request = function()
  number = (number + {prime}) % {count}
  return wrk.format("GET", "{path}" .. number)
end
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("failed %d p50 %f p95 %f p99 %f\\n",
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000, latency:percentile(99) / 1000))
end
"""


def lookups(run):
    """The first look-up makes the index."""
    snapshot = run.snapshot("members", run.realms.ndjson("members", MEMBER, {"Member": members(run.count)}))
    path = f"/v1/snapshots/{snapshot}/objects/Member/"
    start = time.monotonic()
    check(run, path, run.count // 2)
    first = time.monotonic() - start
    for index in range(CHECKED):
        check(run, path, index * PRIME % run.count)
    script = run.folder / "lookups.lua"
    script.write_text(SCRIPT.format(prime=PRIME, count=run.count, path=path))
    rows = []
    _, memory, _ = run.time(lambda: rows.append(measure(run.service, script)))
    p50, p95, p99 = ([row[place] for row in rows] for place in range(3))
    run.results.add(
        "GET object by primary key, p95", p95, "ms", memory=memory, p50=sorted(p50)[len(p50) // 2],
        p99=sorted(p99)[len(p99) // 2], firstMilliseconds=round(first * 1000, 1))


def check(run, path, index):
    found = run.client.json("GET", path + str(index))
    if (found["id"], found["firstName"], found["lastName"]) != (index, *name(index)):
        raise ServiceError(f"member {index} came as {found}")


def measure(service, script):
    """Milliseconds that 50, 95 and 99 of 100 requests take at most, by wrk."""
    output = subprocess.run(
        ["wrk", "-t", "1", "-c", "1", "-d", f"{SECONDS}s", "-s", str(script),
         "-H", "Authorization: Bearer " + service.key, f"http://127.0.0.1:{service.port}/"],
        check=True, capture_output=True, text=True).stdout
    failed, *percentiles = re.search(r"failed (\d+) p50 (\S+) p95 (\S+) p99 (\S+)", output).groups()
    if int(failed):
        raise ServiceError(f"{failed} requests for objects failed")
    return [float(each) for each in percentiles]
