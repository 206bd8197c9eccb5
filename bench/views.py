"""Reads of a synced realm as the schema versions of clients show it, beside the same reads without a version."""

import statistics
import time

from changes import ITEM, PRIME, Shared
from service import APP

GETS = 400


def views(run):
    """The slower of two versions counts: one that an addition is hidden from, and one that shows all."""
    realm = Shared(run, "viewed", run.count)
    added = [ITEM[0] | {"properties": ITEM[0]["properties"] | {"note": "string?"}}]
    for version, schema in ((1, ITEM), (2, added)):
        run.client.call("PUT", f"/v1/apps/{APP}/schemas/{version}", {"schema": schema}).read()
    run.client.migrate(realm.realm, {"schema": added})
    versions = {None: {}, 1: {"Realm_Schema_Version": "1"}, 2: {"Realm_Schema_Version": "2"}}
    single = {version: [] for version in versions}
    for index in range(GETS):
        # By turns, so that what else the machine does meets all of them.
        for version, fields in versions.items():
            single[version].append(get(run, realm, index * PRIME % realm.count, fields))
    add(run, "GET object through a view, for plainly", {v: statistics.median(times) for v, times in single.items()})
    whole = {version: [] for version in versions}
    for _ in range(run.options.runs):
        for version, fields in versions.items():
            whole[version].append(read(run, realm, fields))
    add(run, "read all objects through a view, for plainly", {v: min(times) for v, times in whole.items()})


def add(run, name, seconds):
    slower = max(seconds[1], seconds[2])
    run.results.add(name, [slower / seconds[None]], "times", plainMilliseconds=round(seconds[None] * 1000, 2))


def get(run, realm, key, fields):
    began = time.monotonic()
    run.client.call("GET", f"{realm.path}/objects/Item/{key}", **fields).read()
    return time.monotonic() - began


def read(run, realm, fields):
    began = time.monotonic()
    response = run.client.call("GET", f"{realm.path}/changes", Accept="application/x-ndjson", **fields)
    while response.read(1 << 20):
        pass
    return time.monotonic() - began
