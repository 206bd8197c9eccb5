#!/usr/bin/env python3
"""Has two services send events to receivers of every kind while their database and one of them are killed.

usage: webhooks.py PROGRAM [--realms 5000 | --short] [--seed N]

Each realm is made and removed, which is two events. One receiver takes everything, one fails often, one answers without an end, one is slow,
one redirects, one has a certificate that nobody trusts, one is gone, and one has a name that leads to an address which the operator does not
permit. Checks that each event is listed as delivered or as not
delivered, that what is listed as delivered has arrived, that no event arrives under two ids, that its signature is right by an independent
implementation, that the numbers of a realm grow, that no event is sent twice at a time, and that nobody is held back by the slow one.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import standardwebhooks

from processes import Kept, free_port

# The receivers listen here, which the service is permitted; it is not permitted 127.0.0.1.
HOST = "127.0.0.2"
# How long the service sends an event again.
RETRY_SECONDS = 12
# Bytes of an answer that may be on their way when the service has had enough: buffers of both sides.
BUFFERED = 16 << 20
# Realms of the short form, in which the service itself is not killed: what it has on its way then waits for the end of its lease.
SHORT = 100


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """A connection breaks off where the service is killed."""


class Receiver:
    """A server that takes events in some way, and remembers them."""

    def __init__(self, name, host=HOST, answer=lambda receiver: 204, tls=None):
        self.name, self.answer, self.lock, self.open = name, answer, threading.Lock(), set()
        self.requests, self.taken, self.faults = 0, collections.defaultdict(list), []
        # The secret, and that of after a rotation; the events that were signed with it.
        self.secret, self.next_secret, self.signed_anew = None, None, set()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.take(self.path, self.headers, body)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/stolen")
                if status != 200:
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.close_connection = True
                self.end_headers()
                written = 0
                with contextlib.suppress(OSError):
                    while written < BUFFERED:
                        written += self.wfile.write(bytes(1 << 16))
                if written >= BUFFERED:
                    receiver.faults.append(f"{receiver.name}: {written} bytes of an answer were read")

            def log_message(self, *_):
                pass

        self.server = Server((host, 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://{host}:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, path, headers, body):
        with self.lock:
            self.requests += 1
            if path != "/hook":
                self.faults.append(f"{self.name}: a redirect was followed to {path}")
            if headers["webhook-id"] in self.open and self.name != "slow":
                self.faults.append(f"{self.name}: {headers['webhook-id']} is sent twice at a time")
            self.open.add(headers["webhook-id"])
        try:
            return self.answered(headers, body)
        finally:
            with self.lock:
                self.open.discard(headers["webhook-id"])

    def answered(self, headers, body):
        status = self.answer(self)
        if status in (200, 204):
            try:
                event = self.verified(headers, body)
            except Exception as error:
                with self.lock:
                    self.faults.append(f"{self.name}: {type(error).__name__}: {error}")
                return 400
            with self.lock:
                self.taken[headers["webhook-id"]].append(event)
        return status

    def verified(self, headers, body):
        """The event, which is signed with the first secret, also after a rotation."""
        fields = {name: headers[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
        if self.next_secret and " " in fields["webhook-signature"]:
            standardwebhooks.Webhook(self.next_secret).verify(body, fields)
            self.signed_anew.add(fields["webhook-id"])
        return standardwebhooks.Webhook(self.secret).verify(body, fields)


class Trial:
    def __init__(self, program, realms, seed):
        self.random, self.realms, self.faults = random.Random(seed), realms, []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="webhooks-"))
        self.folder.chmod(0o755)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"

        def serve(port, data, *arguments):
            return Kept(
                [program, "serve", "--listen", f"127.0.0.1:{port}", "--data", self.folder / data, "--webhook-allow", HOST,
                 "--webhook-retry", str(RETRY_SECONDS), *arguments], self.folder / "log", None)

        self.service = serve(port, "data")
        self.until("the service is ready", lambda: self.ask("GET", "/readyz", key=False) is not None, 60)
        self.key = (self.folder / "data/admin.key").read_text().strip()
        self.call("PUT", "/v1/apps/shop")
        database = f"postgresql://realmshift@/postgres?host={self.folder}/data/postgres"
        self.other = serve(free_port(), "other", "--workers", "0", "--database-url", database)

    # Asking

    def ask(self, method, path, body=None, key=True):
        """The answer, or None where the service or its database is away."""
        fields = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if key else {})
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, fields, method=method), timeout=30) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code == 404 and method == "DELETE":
                return {}
            if error.code < 500:
                sys.exit(f"{method} {path}: {error.code} {text}")
        except OSError:
            pass
        return None

    def call(self, method, path, body=None):
        """The answer, however long the service is away."""
        deadline = time.monotonic() + 120
        while (answer := self.ask(method, path, body)) is None:
            if time.monotonic() > deadline:
                sys.exit(f"{method} {path} is not answered")
            time.sleep(0.1)
        return answer

    def until(self, what, is_so, seconds):
        deadline = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > deadline:
                sys.exit(f"it took too long until {what}; the log ends with\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.2)

    def declare(self, receiver, url=None):
        made = self.call("POST", "/v1/apps/shop/webhooks", {"url": url or receiver.url})
        receiver.secret, receiver.path = made["secret"], f"/v1/apps/shop/webhooks/{made['id']}"
        return receiver

    def deliveries(self, receiver, state=None):
        items, cursor = [], ""
        while cursor is not None:
            page = self.call(
                "GET", f"{receiver.path}/deliveries?limit=1000" + (f"&state={state}" if state else "") + (f"&cursor={cursor}" if cursor else ""))
            items += page["items"]
            cursor = page["next"]
        return items

    # Doing

    def go(self):
        chance = self.random.random
        good = self.declare(Receiver("good"))
        flaky = self.declare(Receiver("flaky", answer=lambda _: 503 if chance() < 0.2 else 204))
        talkative = self.declare(Receiver("talkative", answer=lambda _: 200))
        slow = self.declare(Receiver("slow", answer=lambda _: time.sleep(20) or 204))
        redirecting = self.declare(Receiver("redirecting", answer=lambda _: 302))
        untrusted = self.declare(Receiver("untrusted", tls=self.own_certificate()))
        gone = self.declare(Receiver("gone", answer=lambda _: 410))
        inside = Receiver("inside", host="127.0.0.1")
        self.declare(inside, f"http://localhost:{inside.server.server_port}/hook")
        started = time.monotonic()
        self.make_events(good)
        print(f"{2 * self.realms} changes in {time.monotonic() - started:.1f} s")
        self.until("the good receiver has everything", lambda: not self.call(
            "GET", f"{good.path}/deliveries?limit=1&state=pending")["items"], 600)
        print(f"all are with the good receiver after {time.monotonic() - started:.1f} s")
        # The slow one has had few, and held nobody back.
        # Of either service eight at first, and one at a time from then on.
        self.check(slow.requests <= 2 * (8 + (time.monotonic() - started) / 10), f"{slow.requests} requests to the slow receiver")
        self.disable(slow, redirecting, untrusted, inside)
        self.recover(flaky)
        self.recover(talkative)
        print(f"all are with the receiver that fails after {time.monotonic() - started:.1f} s")
        self.check(self.call("GET", gone.path)["disabledReason"] == "gone", "the webhook that is gone is not disabled")
        for receiver in (slow, redirecting, untrusted, inside):
            self.until("nothing waits any more", lambda: not self.call(
                "GET", f"{receiver.path}/deliveries?limit=1&state=pending")["items"], 120)
        events = self.check_good(good)
        receivers = (good, flaky, talkative, slow, redirecting, untrusted, gone, inside)
        for receiver in receivers:
            self.check_listed(receiver, events)
        self.check(inside.requests == 0, "a request came to an address that is not permitted")
        # Either service may have eight on their way before the first answer is written down.
        self.check(gone.requests <= 2 * 8, f"{gone.requests} requests came to the receiver that was gone")
        self.check(untrusted.requests == 0, "an event was sent to who has a certificate that nobody trusts")
        self.check_refusals((redirecting, "redirects"), (untrusted, "SSL"), (inside, "inside the network"))
        self.check_resend(good)
        for receiver in receivers:
            self.faults += receiver.faults

    def own_certificate(self):
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
             "-subj", "/CN=receiver", "-addext", f"subjectAltName=IP:{HOST}"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context

    def make_events(self, good):
        faults = {self.realms // 4: self.kill_database, self.realms // 2: lambda: self.rotate(good)}
        if self.realms > SHORT:
            faults[3 * self.realms // 4] = self.service.process.kill

        def change(number):
            if fault := faults.get(number):
                fault()
            self.call("PUT", f"/v1/apps/shop/realms/r{number}", {})
            self.call("DELETE", f"/v1/apps/shop/realms/r{number}")

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(change, range(self.realms)))

    def kill_database(self):
        os.kill(int((self.folder / "data/postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def rotate(self, receiver):
        """From here on each event has two signatures; those that are on their way may have one."""
        made = self.call("POST", f"{receiver.path}/rotate-secret", {"overlapSeconds": 86_400})
        receiver.next_secret = made["secret"]

    def recover(self, receiver):
        """Has what was given up sent again, until all of it has arrived."""
        since = "2026-01-01T00:00:00Z"

        def is_done():
            if self.call("GET", f"{receiver.path}/deliveries?limit=1&state=pending")["items"]:
                return False
            return self.call("POST", f"{receiver.path}/recover", {"since": since}) == {"count": 0, "isComplete": True}

        self.until(f"the {receiver.name} receiver has everything", is_done, 900)

    def disable(self, *receivers):
        """Disables webhooks to which events would be sent for ever: what waits is given up."""
        for receiver in receivers:
            url = self.call("GET", receiver.path)["url"]
            self.call("PUT", receiver.path, {"url": url, "enabled": False})

    # Checking

    def check(self, is_so, fault):
        if not is_so:
            self.faults.append(fault)

    def check_good(self, good):
        """Each realm was made once and removed once, in this order, whatever was killed; returns the ids of the events."""
        numbers, ids = {}, collections.defaultdict(set)
        for id, events in good.taken.items():
            self.check(all(event == events[0] for event in events), f"{id} has several bodies")
            event = events[0]
            ids[event["type"], event["data"]["name"]].add(id)
            numbers[event["type"], event["data"]["name"]] = event["sequence"]
        for number in range(self.realms):
            name = f"r{number}"
            for kind in ("realm.created", "realm.deleted"):
                self.check(len(ids[kind, name]) == 1, f"{kind} of {name} arrived under {len(ids[kind, name])} ids")
            if ("realm.created", name) in numbers and ("realm.deleted", name) in numbers:
                self.check(numbers["realm.created", name] < numbers["realm.deleted", name], f"the numbers of {name} do not grow")
        repeated = sum(len(events) > 1 for events in good.taken.values())
        print(f"{len(good.taken)} events, of which {repeated} arrived several times")
        return set(good.taken)

    def check_listed(self, receiver, events):
        listed = self.deliveries(receiver)
        states = collections.Counter(delivery["state"] for delivery in listed)
        print(f"{receiver.name}: {receiver.requests} requests, {dict(states)}")
        ids = [delivery["id"] for delivery in listed]
        self.check(len(ids) == len(set(ids)), f"{receiver.name}: a delivery is listed twice")
        if receiver.name != "gone":
            self.check(set(ids) == events, f"{receiver.name}: {len(set(ids) ^ events)} events are listed that are none, or are not listed")
        delivered = {delivery["id"] for delivery in listed if delivery["state"] == "delivered"}
        self.check(delivered <= set(receiver.taken), f"{receiver.name}: {len(delivered - set(receiver.taken))} events are listed as delivered, and are not")
        if receiver.name in ("good", "flaky", "talkative"):
            self.check(delivered == events, f"{receiver.name}: {len(events - delivered)} events are not delivered")

    def check_refusals(self, *reasons):
        for receiver, words in reasons:
            tried = [delivery for delivery in self.deliveries(receiver) if delivery["attempts"]]
            self.check(tried and any(words in delivery["lastError"] for delivery in tried), f"{receiver.name}: no delivery says “{words}”")

    def check_resend(self, good):
        id = self.deliveries(good)[0]["id"]
        before = len(good.taken[id])
        self.call("POST", f"{good.path}/deliveries/{id}/resend")
        self.until("an event came once more", lambda: len(good.taken[id]) > before, 60)
        self.check(id in good.signed_anew, "an event is not signed with the secret of after the rotation")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, default=5_000)
    parser.add_argument("--short", action="store_true", help=f"with {SHORT} realms")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    trial = Trial(pathlib.Path(options.program).resolve(), SHORT if options.short else options.realms, options.seed)
    try:
        trial.go()
    finally:
        trial.other.end()
        trial.service.end()
        shutil.rmtree(trial.folder, ignore_errors=True)
    print(*trial.faults[:20], f"{len(trial.faults)} faults", sep="\n")
    return bool(trial.faults)


if __name__ == "__main__":
    sys.exit(main())
