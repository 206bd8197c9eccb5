"""Fleets of small realms: how fast they are migrated, put back, listed and grouped by cause."""

import concurrent.futures
import json
import statistics
import threading
import time

APP = "fleet"
OBJECTS = 100
VERSIONS, TARGET = (1, 2, 3, 4, 5), 6
CLIENTS = 4
READS = 20

SCRIPT = """function migrate(migration, version) {
  migration.enumerateObjects("Person", (was, is) => {
    is.name = `${was.first} ${was.last}`;
    if (was.first === "") throw new Error(`no first name of ${was.id}`);
  });
}
"""


def schema(version):
    properties = {"id": "int", "first": "string", "last": "string", "age": "int"}
    if version == TARGET:
        properties |= {"name": "string"}
    else:
        properties |= {f"added{number}": "int?" for number in VERSIONS if 1 < number <= version}
    return [{"name": "Person", "primaryKey": "id", "properties": properties}]


def document(version, fails):
    """A realm of a few kilobytes as NDJSON, the same for all of its version."""
    lines = [{"schemaVersion": version, "schema": schema(version)}]
    for number in range(OBJECTS):
        first = "" if fails and number == OBJECTS // 2 else f"first{number}"
        person = {"id": number, "first": first, "last": f"last{number % 17}", "age": number}
        lines.append({"class": "Person", "object": person | {f"added{v}": v for v in VERSIONS if 1 < v <= version}})
    return "\n".join(map(json.dumps, lines))


def fleets(run):
    """One of a hundred realms fails; the rest are put back, and migrated once more, as often as there are runs."""
    path, count, threads = f"/v1/apps/{APP}", run.options.fleet, threading.local()
    run.client.call("PUT", path, {}).read()
    for version in VERSIONS:
        run.client.call("PUT", f"{path}/schemas/{version}", {"schema": schema(version)}).read()
    run.client.call("PUT", f"{path}/schemas/{TARGET}", {
        "schema": schema(TARGET), "migration": {"language": "javascript", "source": SCRIPT}}).read()
    documents = {(version, fails): document(version, fails) for version in VERSIONS for fails in (False, True)}

    def upload(number):
        threads.client = getattr(threads, "client", None) or run.service.connect()
        threads.client.call(
            "POST", f"{path}/realms/realm-{number}/snapshots", documents[VERSIONS[number % 5], number % 100 == 7],
            Content_Type="application/x-ndjson").read()

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(upload, range(count)))
    singles = one_by_one(run, path, [f"single-{number}" for number in range(min(count, 1000))], documents)
    speeds, back, memory = [], [], {}
    for _ in range(max(run.options.runs // 2, 1)):
        seconds, memory, fleet = run.time(lambda: migrate(run, path), 1)
        speeds.append(count / seconds[0])
        read = reads(run, f"{path}/fleets/{fleet}")
        began = time.monotonic()
        run.client.call("POST", f"{path}/fleets/{fleet}/undo", {}).read()
        wait(run, f"{path}/fleets/{fleet}", "undone")
        back.append(count / (time.monotonic() - began))
    run.results.add("migrate a fleet of small realms", speeds, "realms/s", lower=False, memory=memory, peer=singles, peer_name="jobs, one a realm")
    run.results.add("undo a fleet of small realms", back, "realms/s", lower=False)
    run.results.add("a fleet, its causes and versions", [read[0]], "ms")
    run.results.add("a fleet's failed realms, listed", [read[1]], "ms")


def one_by_one(run, path, names, documents):
    """Realms a second that are migrated by a job each."""
    threads = threading.local()

    def client():
        threads.client = getattr(threads, "client", None) or run.service.connect()
        return threads.client

    def upload(pair):
        client().call("POST", f"{path}/realms/{pair[1]}/snapshots", documents[VERSIONS[pair[0] % 5], False],
                      Content_Type="application/x-ndjson").read()

    def post(name):
        return client().json("POST", f"{path}/realms/{name}/migrations", {"targetVersion": TARGET})

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(upload, enumerate(names)))
        began = time.monotonic()
        for job in list(pool.map(post, names)):
            run.client.wait(job)
    return len(names) / (time.monotonic() - began)


def migrate(run, path):
    """From the request until the last realm has had its turn."""
    fleet = run.client.json("POST", f"{path}/fleets", {"targetVersion": TARGET, "select": {"names": ["realm-*"]}})["id"]
    wait(run, f"{path}/fleets/{fleet}", "failed")
    return fleet


def wait(run, fleet, state):
    while run.client.json("GET", fleet)["state"] != state:
        time.sleep(0.1)


def reads(run, fleet):
    """Milliseconds of a look at the fleet, and at the first page of its failures."""
    times = []
    for path in (fleet, fleet + "/realms?state=failed&limit=100"):
        single = []
        for _ in range(READS):
            began = time.monotonic()
            run.client.call("GET", path).read()
            single.append((time.monotonic() - began) * 1000)
        times.append(statistics.median(single))
    return times
