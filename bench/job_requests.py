"""Requests for one job from many connections at once."""

import multiprocessing
import re
import selectors
import shutil
import socket
import subprocess
import time

from realms import PERSON

CONNECTIONS = 32
PROCESSES = 2
SECONDS = 5


def requests(run):
    run.people()
    path = f"/v1/jobs/{any_job(run)['id']}"
    peer = run.peer.select_rate(CONNECTIONS, SECONDS)
    measure = by_wrk if shutil.which("wrk") else by_processes
    _, memory, (rate, median, late) = run.time(lambda: measure(run.service, path), 1)
    run.results.add(
        f"GET job, {CONNECTIONS} connections", [rate], "requests/s", lower=False, peer=peer, peer_name="pgbench -S",
        memory=memory, by="wrk" if measure is by_wrk else "Python", p50Milliseconds=median, p99Milliseconds=late)


def any_job(run):
    run.client.restore("people", run.people())
    return run.client.migrate("people", {"targetVersion": 2, "schema": PERSON})


def by_wrk(service, path):
    output = subprocess.run(
        ["wrk", "-t", str(PROCESSES), "-c", str(CONNECTIONS), "-d", f"{SECONDS}s", "--latency",
         "-H", "Authorization: Bearer " + service.key, f"http://127.0.0.1:{service.port}{path}"],
        check=True, capture_output=True, text=True).stdout

    def milliseconds(percent):
        number, unit = re.search(rf"{percent}%\s+([\d.]+)(us|ms|s)", output).groups()
        return round(float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], 3)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), milliseconds(50), milliseconds(99)


def by_processes(service, path):
    """The client's own share of the cores is in the figures: they are a lower bound."""
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        latencies = sorted(sum(pool.starmap(
            load, [(service.port, service.key, path, CONNECTIONS // PROCESSES)] * PROCESSES), []))
    return (len(latencies) / SECONDS, round(latencies[len(latencies) // 2] * 1000, 3),
            round(latencies[len(latencies) * 99 // 100] * 1000, 3))


def load(port, key, path, connections):
    """The latency of every request that was answered in time."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    selector, latencies, sent = selectors.DefaultSelector(), [], {}
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, bytearray())
        sent[connection] = time.monotonic()
        connection.sendall(request)
    end = time.monotonic() + SECONDS
    while (now := time.monotonic()) < end:
        for event, _ in selector.select(end - now):
            connection, answer = event.fileobj, event.data
            answer += connection.recv(1 << 16)
            if is_whole(answer):
                now = time.monotonic()
                latencies.append(now - sent[connection])
                answer.clear()
                sent[connection] = now
                connection.sendall(request)
    return latencies


def is_whole(answer):
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    if not answer.startswith(b"HTTP/1.1 200"):
        raise SystemExit("a request was refused: " + answer[:end].decode())
    length = re.search(rb"(?i)content-length: *(\d+)", answer)
    return length is not None and len(answer) >= end + 4 + int(length[1])
