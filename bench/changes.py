"""Batches of changes to synced realms, beside INSERT ... ON CONFLICT of the same batches into a jsonb table."""

import json
import re
import subprocess
import time

from peer import program
from realms import name
from service import APP, DATABASE, ServiceError

ITEM = [{"name": "Item", "primaryKey": "_id", "properties": {
    "_id": "int", "firstName": "string", "lastName": "string", "age": "int"}}]
SMALL = 10_000
SINGLES = 400
SCATTERED, SCATTERED_RUNS = 1_000, 20
INSERTED, INSERTED_RUNS = 10_000, 20
SUSTAINED_RUNS = 100
PATCHED = 16_000
PRIME = 7919
UPSERT = "ON CONFLICT (id) DO UPDATE SET object = item.object || excluded.object"


def changes(run):
    count = run.count
    large, small = Shared(run, "large", count), Shared(run, "small", SMALL)
    peer = Table(run, count)
    single(run, large, small, peer)
    reading(run, large)
    scattered(run, large, peer)
    sustained(run, large, peer)
    inserts(run, peer)


class Shared:
    """A synced realm of items."""

    def __init__(self, run, realm, count):
        self.client, self.count, self.next = run.client, count, 0
        self.path = f"/v1/apps/{APP}/realms/shared-{realm}"
        self.realm = f"shared-{realm}"
        self.client.json("PUT", self.path, {"kind": "synced"})
        self.service = run.service
        path = run.realms.ndjson(f"items-{count}", ITEM, {"Item": items(count)})
        self.snapshot = self.client.upload(self.realm, path, "application/x-ndjson")

    def batch(self, size):
        """Ages of some objects, scattered over all, other ones each time."""
        ids = [(self.next + index) * PRIME % self.count for index in range(size)]
        self.next += size
        return {"upserts": [{"class": "Item", "object": {"_id": id, "age": 100 + self.next % 50}} for id in ids]}

    def change(self, body):
        """Milliseconds of a batch, which is made before the clock starts."""
        text = json.dumps(body).encode()
        start = time.monotonic()
        response = self.client.call("POST", f"{self.path}/changes", text, Content_Type="application/json")
        answer = response.read()
        seconds = time.monotonic() - start
        self.snapshot = json.loads(answer)["id"]
        return seconds * 1000

    def patched_rows(self):
        output = subprocess.run(
            [program("psql"), "-XAtq", "-h", str(self.service.data / "postgres"), "-U", "realmshift", "-c",
             f"SELECT patched_rows FROM realm WHERE name = '{self.realm}'", DATABASE],
            check=True, capture_output=True, text=True).stdout
        return int(output)

    def wait_until_folded(self):
        for _ in range(1200):
            if self.patched_rows() < 16_384:
                return
            time.sleep(0.05)
        raise ServiceError("patches were not folded")


class Table:
    """The items as rows of jsonb."""

    def __init__(self, run, count):
        self.peer, self.folder, self.count = run.peer, run.folder, count
        self.peer.sql("CREATE TABLE item (id bigint PRIMARY KEY, object jsonb NOT NULL)")
        path = self.folder / "items.rows"
        with open(path, "w") as file:
            file.writelines(f"{index}\t{text}\n" for index, text in enumerate(items(count)))
        with open(path) as file:
            self.peer.sql("COPY item FROM STDIN", stdin=file)
        self.peer.sql("VACUUM ANALYZE item")

    def seconds(self, batches):
        """Of all batches, a statement and a transaction each, over one connection."""
        path = self.folder / "batches.sql"
        with open(path, "w") as file:
            for batch in batches:
                objects = json.dumps([each["object"] for each in batch["upserts"]])
                file.write(
                    f"INSERT INTO item SELECT (o->>'_id')::bigint, o FROM jsonb_array_elements('{objects}') o {UPSERT};\n")
        start = time.monotonic()
        subprocess.run(
            [program("psql"), "-Xq", "-v", "ON_ERROR_STOP=1", *self.peer.connection, "-f", str(path), "peer"], check=True)
        return time.monotonic() - start

    def single_milliseconds(self):
        script = self.folder / "single.sql"
        script.write_text(
            f"\\set id random(0, {self.count - 1})\n"
            "INSERT INTO item VALUES ((:id)::bigint, jsonb_build_object('_id', (:id)::bigint, 'age', 7)) " + UPSERT + ";\n")
        output = subprocess.run(
            [program("pgbench"), *self.peer.connection, "-n", "-M", "prepared", "-c", "1", "-T", "5", "-f", str(script),
             "peer"], check=True, capture_output=True, text=True).stdout
        return float(re.search(r"latency average = ([\d.]+)", output)[1])


def items(count):
    for index in range(count):
        first, last = name(index)
        yield '{"_id":%d,"firstName":"%s","lastName":"%s","age":%d}' % (index, first, last, index % 90)


def percentile(values, share):
    return sorted(values)[int(len(values) * share)]


def single(run, large, small, peer):
    times = {}
    for realm in (small, large):
        realm.change(realm.batch(1))
        times[realm] = [realm.change(realm.batch(1)) for _ in range(SINGLES)]
    p95 = percentile(times[large], 0.95)
    run.results.add(
        f"change one of {large.count} objects, p95", [p95], "ms", peer=peer.single_milliseconds(),
        peer_name="ON CONFLICT, mean", p50=round(percentile(times[large], 0.5), 2))
    run.results.add(
        f"change one object, {large.count} for {small.count} objects",
        [p95 / percentile(times[small], 0.95)], "times")


def scattered(run, realm, peer):
    batches = [realm.batch(SCATTERED) for _ in range(SCATTERED_RUNS)]
    times = [realm.change(batch) for batch in batches]
    run.results.add(
        "batch of 1000 scattered upserts", times, "ms", peer=peer.seconds(batches) / SCATTERED_RUNS * 1000,
        peer_name="ON CONFLICT")


def sustained(run, realm, peer):
    realm.wait_until_folded()
    batches = [realm.batch(SCATTERED) for _ in range(SUSTAINED_RUNS)]
    start = time.monotonic()
    for batch in batches:
        realm.change(batch)
    realm.wait_until_folded()
    seconds = time.monotonic() - start
    run.results.add(
        "scattered upserts over 100 batches, folded", [seconds], "s", objects=SCATTERED * SUSTAINED_RUNS,
        peer=peer.seconds(batches), peer_name="ON CONFLICT")


def inserts(run, peer):
    realm = Shared(run, "grown", 1)
    texts = list(items((INSERTED_RUNS + 1) * INSERTED))
    batches = []
    for number in range(INSERTED_RUNS):
        objects = [json.loads(text) for text in texts[number * INSERTED:(number + 1) * INSERTED]]
        for each in objects:
            each["_id"] += peer.count
        batches.append({"upserts": [{"class": "Item", "object": each} for each in objects]})
    seconds = sum(realm.change(batch) for batch in batches) / 1000
    run.results.add(
        "inserts in batches of 10000", [seconds], "s", objects=INSERTED * INSERTED_RUNS, peer=peer.seconds(batches),
        peer_name="ON CONFLICT")


def reading(run, realm):
    """A class with many patched objects, beside the same without patches."""
    path = run.folder / "items.out"
    folded, _, _ = run.time(lambda: run.client.download(realm.snapshot, "application/x-ndjson", path))
    rest = PATCHED - realm.patched_rows()
    while rest > 0:
        realm.change(realm.batch(min(rest, SCATTERED)))
        rest -= SCATTERED
    patched, _, _ = run.time(lambda: run.client.download(realm.snapshot, "application/x-ndjson", path))
    run.results.add(
        f"read a class with {PATCHED} patched objects, for one without", [min(folded) / min(patched)], "times",
        lower=False)
