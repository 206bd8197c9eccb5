"""A partner class: how fast objects get their partners, and what writing both sides costs."""

import json
import time

from service import APP, ServiceError

PERSON = {"name": "Person", "primaryKey": "_id", "properties": {"_id": "int", "name": "string", "age": "int"}}
PARTNER = {"name": "PersonV2", "primaryKey": "_id", "properties": {"_id": "int", "name": "string", "age": "string"}}
DEFINITION = {
    "class": "Person", "partner": PARTNER, "forward": "o => ({ name: o.name, age: String(o.age) })",
    "backward": "o => ({ name: o.name, age: Number(o.age) })"}
REALM = f"/v1/apps/{APP}/realms/partnered"
BATCH = 1_000
BATCHES = 20
PRIME = 7919


def partners(run):
    start(run)
    single = [change(run, number) for number in range(BATCHES)]
    began = time.monotonic()
    partner = run.client.json("POST", REALM + "/partners", DEFINITION)["id"]
    while (state := run.client.json("GET", f"{REALM}/partners/{partner}"))["state"] == "preparing":
        time.sleep(0.02)
    run.results.add("backfill of a partner class", [time.monotonic() - began], "s", objects=run.count)
    if state["state"] != "dual" or state["violationCount"] or state["divergent"]["count"]:
        raise ServiceError(f"the partner came to {state}")
    both = [change(run, number) for number in range(BATCHES)]
    ratio = sorted(both)[BATCHES // 2] / sorted(single)[BATCHES // 2]
    run.results.add("1000 scattered changes of both sides, for one", [ratio], "times")


def start(run):
    path = run.realms.ndjson(
        "partnered", [PERSON], {"Person": (
            json.dumps({"_id": index, "name": f"person {index}", "age": index % 100}) for index in range(run.count))})
    run.client.call("PUT", REALM, {"kind": "synced"}).read()
    run.client.upload("partnered", path, "application/x-ndjson")


def change(run, number):
    """Seconds of a batch."""
    upserts = [
        {"class": "Person", "object": {"_id": (number * BATCH + index) * PRIME % run.count, "age": number}}
        for index in range(BATCH)]
    began = time.monotonic()
    run.client.call("POST", REALM + "/changes", {"upserts": upserts}).read()
    return time.monotonic() - began
