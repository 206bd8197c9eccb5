"""Objects by a query, from a realm of many: every object is looked at, a few fit."""

import urllib.parse

from realms import MEMBER, members, name
from service import ServiceError

FITTING = 3


def queries(run):
    snapshot = run.snapshot("members", run.realms.ndjson("members", MEMBER, {"Member": members(run.count)}))
    last, first = run.count - FITTING, name(run.count - 1)[0]
    where = urllib.parse.quote(f"id >= {last} AND firstName BEGINSWITH '{first[:1]}' OR lastName == 'nobody'")
    path = f"/v1/snapshots/{snapshot}/objects/Member?where={where}"
    expected = [index for index in range(last, run.count) if name(index)[0].startswith(first[:1])]

    def ask():
        found = [each["id"] for each in run.client.json("GET", path)["items"]]
        if found != expected:
            raise ServiceError(f"the query found {found}, not {expected}")

    ask()
    seconds, memory, _ = run.time(ask)
    run.results.add(
        f"query of {run.count} objects", [each * 1000 for each in seconds], "ms", objects=None, memory=memory)
