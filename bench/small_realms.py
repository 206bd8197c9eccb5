"""Many realms of a few kilobytes: how fast they are taken and migrated, and how long a single one takes."""

import concurrent.futures
import datetime
import json
import pathlib
import statistics
import threading
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
APP = "small"
CLIENTS = 4
SINGLES = 60


def request():
    target = json.loads((EXAMPLES / "people-v3.json").read_text())
    source = (EXAMPLES / "split-names.js").read_text()
    return {"targetVersion": target["schemaVersion"], "schema": target["schema"],
            "migration": {"language": "javascript", "source": source}}


def small(run):
    run.client.call("PUT", f"/v1/apps/{APP}", {}).read()
    realms = [f"realm-{index}" for index in range(run.options.realms)]
    singles = [f"single-{index}" for index in range(SINGLES)]
    file, migration, threads = EXAMPLES / "people.realm", request(), threading.local()

    def client():
        threads.client = getattr(threads, "client", None) or run.service.connect()
        return threads.client

    def upload(realm):
        client().upload(realm, file, "application/x-realm", APP)

    def post(realm):
        return client().json("POST", f"/v1/apps/{APP}/realms/{realm}/migrations", migration)

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        seconds, memory, _ = run.time(lambda: list(pool.map(upload, realms)), 1)
        run.results.add("upload small realms", [len(realms) / seconds[0]], "realms/s", lower=False, memory=memory)
        seconds, memory, _ = run.time(lambda: migrate_all(run, pool, post, realms), 1)
        run.results.add("migrate small realms", [len(realms) / seconds[0]], "migrations/s", lower=False, memory=memory)
        list(pool.map(upload, singles))
    add_singles(run, [single(run, realm, migration) for realm in singles])


def migrate_all(run, pool, post, realms):
    """From the first request until the last job has succeeded."""
    for job in list(pool.map(post, realms)):
        run.client.wait(job)


def single(run, realm, migration):
    """Milliseconds from its start to its end by the service's clock, and from the request to the answer by ours."""
    time.sleep(0.02)
    start = time.monotonic()
    job = run.client.migrate(realm, migration, APP)
    seen = time.monotonic() - start
    started, finished = instant(job["startedAt"]), instant(job["finishedAt"])
    return (finished - started) * 1000, seen * 1000


def instant(text):
    """Seconds since 1970 of an RFC 3339 time in UTC, with any number of digits of its fraction."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    moment = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return moment.timestamp() + float("0." + (fraction or "0"))


def add_singles(run, pairs):
    for title, values in zip(("started to succeeded", "request to answer"), zip(*pairs)):
        values = sorted(values)
        run.results.add(
            f"one small realm, {title}, p50", [statistics.median(values)], "ms",
            p95=round(values[len(values) * 95 // 100], 2), largest=round(values[-1], 2))
