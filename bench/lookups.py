"""Single objects by primary key, from a realm of many."""

import statistics
import time

from realms import MEMBER, members, name
from service import ServiceError

LOOKUPS = 2_000
PRIME = 7919


def lookups(run):
    """The first look-up makes the index; the others, scattered over the realm, come one after the other."""
    snapshot = run.snapshot("members", run.realms.ndjson("members", MEMBER, {"Member": members(run.count)}))

    def get(index):
        start = time.monotonic()
        found = run.client.json("GET", f"/v1/snapshots/{snapshot}/objects/Member/{index}")
        seen = time.monotonic() - start
        if (found["id"], found["firstName"], found["lastName"]) != (index, *name(index)):
            raise ServiceError(f"member {index} came as {found}")
        return seen * 1000

    run.service.memory.reset()
    first = get(run.count // 2)
    times = sorted(get(index * PRIME % run.count) for index in range(LOOKUPS))
    run.results.add(
        "GET object by primary key, p50", [statistics.median(times)], "ms", memory=dict(run.service.memory.peaks),
        p95=round(times[int(len(times) * 0.95)], 3), p99=round(times[int(len(times) * 0.99)], 3),
        firstMilliseconds=round(first, 1))
