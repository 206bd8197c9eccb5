#!/usr/bin/env python3
"""Event streams that are open while realms are uploaded: what they take, and whether anybody waits for them.

The jobs are marked as running by SQL, and every second some of them make progress, as if workers elsewhere had them.
"""

import concurrent.futures
import json
import pathlib
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time

APP = "streams"
STREAMS = 10_000
JOBS = 1_000
PROGRESSING = 20
EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
RUNNING = """UPDATE job SET state = 'running', attempt = 1, lease_token = gen_random_uuid(), revision = revision + 1,
    lease_until = now() + interval '1 day', started_at = now() WHERE state = 'queued'"""
PROGRESS = """UPDATE job SET revision = revision + 1, progress = json_build_object('phase', 'script', 'class', 'User',
    'objectsDone', (extract(epoch FROM now()) * 1000)::bigint %% 1000000000, 'objectsTotal', 1000000000)
    WHERE job_id IN (SELECT job_id FROM job WHERE state = 'running' ORDER BY random() LIMIT %d)"""


def streams(run):
    service = run.another_service("streams", workers=0)
    try:
        measure(run, service)
    finally:
        service.stop()


def measure(run, service):
    jobs = start_jobs(service)
    path = run.realms.people(run.count)

    def uploads():
        seconds, _, _ = run.time(lambda: service.client.upload("people", path, "application/x-ndjson"))
        return seconds
    uploads()
    alone = uploads()
    idle = service.anonymous_megabytes()
    with Streams(service, jobs) as open_streams:
        progress = Progress(run, service)
        progress.start()
        try:
            among = uploads()
            taken = service.anonymous_megabytes() - idle
        finally:
            progress.ended.set()
            progress.join()
        events = open_streams.count()
    run.results.add(
        f"{STREAMS} event streams on {JOBS} running jobs", [taken], "MiB above idle",
        streams=events["streams"], events=events["events"], threads=events["threads"])
    run.results.add(
        "upload NDJSON beside them", among, "s", objects=run.count, peer=statistics.median(alone),
        peer_name="without them")


def start_jobs(service):
    """Jobs that nobody runs, marked as running."""
    client = service.client
    client.call("PUT", f"/v1/apps/{APP}", {}).read()
    target = json.loads((EXAMPLES / "people-v3.json").read_text())
    request = {"targetVersion": target["schemaVersion"], "schema": target["schema"]}
    threads = threading.local()

    def start(index):
        client = threads.client = getattr(threads, "client", None) or service.connect()
        client.upload(f"realm-{index}", EXAMPLES / "people.realm", "application/x-realm", APP)
        return client.json("POST", f"/v1/apps/{APP}/realms/realm-{index}/migrations", request)["id"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = list(pool.map(start, range(JOBS)))
    service.sql(RUNNING)
    return jobs


class Progress(threading.Thread):
    """Lets some jobs get on every second."""

    def __init__(self, run, service):
        super().__init__(daemon=True)
        self.service, self.ended = service, threading.Event()

    def run(self):
        while True:
            self.service.sql(PROGRESS % PROGRESSING)
            if self.ended.wait(1):
                return


class Streams:
    """The clients, in a process of their own."""

    def __init__(self, service, jobs):
        self.service = service
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(service.port), service.key], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.process.stdin.write(json.dumps(jobs) + "\n")
        self.process.stdin.flush()

    def __enter__(self):
        if self.process.stdout.readline() != "open\n":
            raise RuntimeError("the streams were not opened")
        return self

    def count(self):
        threads = len(list(pathlib.Path(f"/proc/{self.service.process.pid}/task").iterdir()))
        self.process.stdin.write("count\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline()) | {"threads": threads}

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)


def client(port, key):
    """Opens the streams, says when each has begun, and reads them until its input ends."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    jobs = json.loads(sys.stdin.readline())
    selector, begun, events = selectors.DefaultSelector(), set(), 0
    selector.register(sys.stdin, selectors.EVENT_READ)
    for index in range(STREAMS):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(
            f"GET /v1/jobs/{jobs[index % len(jobs)]}/events HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {key}\r\n\r\n".encode())
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
        if index % 100 == 99:
            time.sleep(0.02)
    is_open = False
    while True:
        for ready, _ in selector.select():
            if ready.fileobj is sys.stdin:
                if not sys.stdin.readline():
                    return
                print(json.dumps({"streams": len(begun), "events": events}), flush=True)
                continue
            data = ready.fileobj.recv(1 << 16)
            if not data:
                sys.exit("a stream has ended")
            if b"retry: 2000" in data:
                begun.add(ready.fd)
            events += data.count(b"event: progress")
        if not is_open and len(begun) == STREAMS:
            is_open = True
            print("open", flush=True)


if __name__ == "__main__":
    client(int(sys.argv[1]), sys.argv[2])
