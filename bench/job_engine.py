"""The queue itself: how soon a job begins, how many a second go through it, and what keeps it from that."""

import contextlib
import subprocess
import time

from peer import program
from service import DATABASE, ServiceError
from small_realms import EXAMPLES, instant, request

APP = "engine"
SINGLES = 200
DRAINED = 4_000
KEPT = 10_000
SHARE = KEPT // 10
# Jobs a second while a transaction is open elsewhere: fewer than go through, so that none waits for the one before.
RATE = 100
LOOPS = 4
BESIDE = 20
SEED = "seed"
# Realms that share the segments of one that was uploaded.
REALMS = """INSERT INTO realm (app_id, realm_id, name, kind)
    SELECT app_id, gen_random_uuid(), 'realm-' || number, 'local'
    FROM app CROSS JOIN generate_series(1, %d) AS number WHERE name = 'bench';
    INSERT INTO snapshot (app_id, snapshot_id, realm_id, schema_version, created_by, manifest, object_counts, stored_bytes,
        column_batches, column_ordinals, segment_batches, segment_ordinals)
    SELECT s.app_id, gen_random_uuid(), r.realm_id, s.schema_version, s.created_by, s.manifest, s.object_counts, s.stored_bytes,
        s.column_batches, s.column_ordinals, s.segment_batches, s.segment_ordinals
    FROM snapshot s JOIN realm r USING (app_id) WHERE r.current_id IS NULL;
    UPDATE realm r SET current_id = s.snapshot_id FROM snapshot s
    WHERE s.app_id = r.app_id AND s.realm_id = r.realm_id AND r.current_id IS NULL;
    ANALYZE"""
QUEUE = """WITH queued AS (
        INSERT INTO job (job_id, kind, exclusive, app_id, realm_id, app_name, realm_name, run_at)
        SELECT gen_random_uuid(), 'migration', true, r.app_id, r.realm_id, a.name, r.name, clock_timestamp()
        FROM generate_series(%d, %d) AS number JOIN realm r ON r.name = 'realm-' || number JOIN app a USING (app_id)
        RETURNING app_id, job_id, realm_id)
    INSERT INTO migration_job (app_id, job_id, source_id, from_version, to_version, request)
    SELECT q.app_id, q.job_id, s.snapshot_id, s.schema_version, 3,
        '{"steps": "direct", "mode": "automatic", "resolveEmbeddedConstraints": false, "dryRun": false}'
    FROM queued q JOIN realm r USING (app_id, realm_id) JOIN snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id;
    SELECT pg_notify('realmshift_queue', app_id || ' 0 0') FROM app WHERE name = 'bench';"""


def engine(run):
    begin_when_idle(run)
    begin_beside_loops(run)
    drain(run)
    drain_beside_transaction(run)


def begin_when_idle(run):
    client = run.client
    client.call("PUT", f"/v1/apps/{APP}", {}).read()
    waits = start_singles(client, APP, SINGLES, 0.03)
    add(run, "enqueue to start, idle, p95", waits)


def begin_beside_loops(run):
    """Every worker has a script of one app that never ends, and more of them wait."""
    client = run.client
    endless = request()
    endless["migration"] = {"language": "javascript", "source": "function migrate() { for (;;) {} }"}
    endless["limits"] = {"timeoutSeconds": 300}
    client.call("PUT", "/v1/apps/looping", {}).read()
    jobs = []
    for index in range(LOOPS):
        client.upload(f"realm-{index}", EXAMPLES / "people.realm", "application/x-realm", "looping")
        jobs.append(client.json("POST", f"/v1/apps/looping/realms/realm-{index}/migrations", endless)["id"])
    try:
        time.sleep(1)
        waits = start_singles(client, "beside", BESIDE, 0.2)
    finally:
        for job in jobs:
            client.call("POST", f"/v1/jobs/{job}/cancel", {}).read()
    add(run, "enqueue to start beside another app's endless scripts, p95", waits)


def start_singles(client, app, count, pause):
    """Milliseconds that each of some jobs waited by the database's clock, one after the other."""
    client.call("PUT", f"/v1/apps/{app}", {}).read()
    realms = [f"single-{index}" for index in range(count)]
    for realm in realms:
        client.upload(realm, EXAMPLES / "people.realm", "application/x-realm", app)
    waits = []
    for realm in realms:
        time.sleep(pause)
        job = client.migrate(realm, request(), app)
        waits.append((instant(job["startedAt"]) - instant(job["createdAt"])) * 1000)
    return waits


def add(run, title, values):
    values = sorted(values)
    run.results.add(
        title, [percentile(values, 95)], "ms", p50=round(percentile(values, 50), 2), largest=round(values[-1], 2))


def percentile(values, share):
    return values[min(len(values) * share // 100, len(values) - 1)]


def drain(run):
    with queue(run, "drained", DRAINED) as service:
        ask(service, QUEUE % (1, DRAINED))
        with worker(run, service):
            wait_for(service, DRAINED)
        seconds = float(ask(service, "SELECT extract(epoch FROM max(finished_at) - min(started_at)) FROM job"))
    run.results.add(f"drain {DRAINED} brief migrations", [DRAINED / seconds], "jobs/s", lower=False)


def drain_beside_transaction(run):
    """Jobs come steadily while a transaction elsewhere keeps PostgreSQL from clearing up behind any of them."""
    with queue(run, "kept", KEPT) as service, transaction(service), worker(run, service):
        start, step = time.monotonic(), 10
        for first in range(1, KEPT, step):
            ask(service, QUEUE % (first, first + step - 1))
            time.sleep(max(0, start + (first + step) / RATE - time.monotonic()))
        wait_for(service, KEPT)
        waits = [float(line) * 1000 for line in ask(
            service, "SELECT extract(epoch FROM started_at - created_at) FROM job ORDER BY created_at").split()]
        time.sleep(1)
        dead = int(ask(service, "SELECT sum(n_tup_upd + n_tup_del) FROM pg_stat_user_tables"))
    first, last = (percentile(sorted(part), 95) for part in (waits[:SHARE], waits[-SHARE:]))
    run.results.add(
        f"dead rows a job, of {KEPT} beside a long transaction", [dead / KEPT], "rows")
    run.results.add(
        f"queue time p95, the last {SHARE} of {KEPT} for the first", [last / first], "times",
        firstMilliseconds=round(first, 2), lastMilliseconds=round(last, 2))


@contextlib.contextmanager
def queue(run, name, realms):
    """A service without workers, with so many realms that are to be migrated to a declared version."""
    service = run.another_service(name, workers=0)
    try:
        client = service.connect()
        target = request()
        client.upload(SEED, EXAMPLES / "people.realm", "application/x-realm")
        client.call(
            "PUT", f"/v1/apps/bench/schemas/{target['targetVersion']}",
            {"schema": target["schema"], "migration": None}).read()
        ask(service, REALMS % realms)
        yield service
    finally:
        service.stop()


@contextlib.contextmanager
def worker(run, service):
    url = f"postgresql:///postgres?user=realmshift&host={service.data / 'postgres'}"
    process = subprocess.Popen(
        [run.options.program, "worker", "--database-url", url, "--workers", "2"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


@contextlib.contextmanager
def transaction(service):
    process = subprocess.Popen(psql(service), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    process.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM job;\n")
    process.stdin.flush()
    try:
        yield
    finally:
        process.stdin.close()
        process.wait(60)


def psql(service, *arguments):
    return [program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", str(service.data / "postgres"), "-U", "realmshift",
            *arguments, DATABASE]


def ask(service, sql):
    return subprocess.run(psql(service, "-c", sql), check=True, stdout=subprocess.PIPE, text=True).stdout


def wait_for(service, count):
    deadline = time.monotonic() + 300
    while int(ask(service, "SELECT count(*) FROM job WHERE state = 'succeeded'")) < count:
        if time.monotonic() > deadline:
            raise ServiceError("the queue was not drained in five minutes")
        time.sleep(0.5)
