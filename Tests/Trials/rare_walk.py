"""Goes where clients seldom go: whatever stumbles, is large, is undone or comes too late, in an app of many realms."""

import base64
import concurrent.futures
import http.server
import json
import os
import pathlib
import signal
import threading
import time
import urllib.request

from store_statements import text

NOTE = {"name": "Note", "primaryKey": "id", "properties": {"id": "int", "text": "string"}}
WIDER = {"name": "Note", "primaryKey": "id", "properties": {"id": "int", "text": "string", "more": "string?"}}
SYNCED = {"name": "Note", "primaryKey": "_id", "properties": {"_id": "int", "text": "string"}}
# Objects of a realm of several row groups, whose primary keys have an index.
LARGE = 70_000
# Objects of a realm whose class gets a partner.
PAIRED = 5_000
# Changed rows from which on a realm is folded.
FOLDED = 17_000
# Some seconds; scripts have no clock that goes on.
BUSY = "let x = 0; for (let i = 0; i < 1e9; i++) x = (x * 31 + i) % 7;"


def script(source):
    return {"schema": [WIDER], "migration": {"language": "javascript", "source": f"function migrate(m, old) {{ {source} }}"}}


def document(objects, schema=NOTE):
    return {"schemaVersion": 1, "schema": [schema], "objects": {"Note": objects}}


def notes(count, length=12):
    return [{"id": n, "text": base64.b64encode(os.urandom(length)).decode()} for n in range(count)]


def with_id(objects):
    """As a synced realm has them."""
    return [{"_id": each["id"]} | {name: value for name, value in each.items() if name != "id"} for each in objects]


class Walk:
    def __init__(self, service):
        self.service, self.call = service, service.call
        self.app = "/v1/apps/shop"

    def upload(self, realm, objects):
        return self.call("POST", f"{self.app}/realms/{realm}/snapshots", document(objects))

    def upload_synced(self, realm, objects):
        self.call("PUT", f"{self.app}/realms/{realm}", {"kind": "synced"})
        self.call("POST", f"{self.app}/realms/{realm}/snapshots", document(with_id(objects), SYNCED))

    def wait(self, job):
        for _ in range(600):
            job = self.call("GET", f"/v1/jobs/{job['id']}", Prefer="wait=5")
            if job["state"] not in ("queued", "running"):
                return job
        raise SystemExit(f"a job does not end: {job}")

    def migrate(self, realm, order, expect=None):
        return self.call("POST", f"{self.app}/realms/{realm}/migrations", {"targetVersion": 2} | order)

    def settled(self, fleet):
        for _ in range(600):
            made = self.call("GET", f"{self.app}/fleets/{fleet['id']}")
            if made["state"] not in ("canary", "running", "undoing"):
                return made
            time.sleep(0.1)
        raise SystemExit(f"a fleet does not settle: {made}")

    def fleet(self, names, **members):
        """A fleet to the declared schema."""
        return self.call("POST", f"{self.app}/fleets", {"targetVersion": 2, "select": {"names": names}} | {
            name: value for name, value in members.items() if name != "schema"})

    def apps(self):
        self.call("PUT", "/v1/apps/gone")
        self.call("POST", "/v1/apps/gone/realms/a/snapshots", document(notes(3)))
        self.call("DELETE", "/v1/apps/gone")
        self.call("PUT", f"{self.app}/schemas/900", {"schema": [NOTE]})
        self.call("DELETE", f"{self.app}/schemas/900")
        self.call("PUT", f"{self.app}/realms/developed", {"kind": "synced"})
        self.call("PUT", f"{self.app}/realms/developed", {"kind": "synced", "developmentMode": True})
        rehearsal = self.call("POST", f"{self.app}/rehearsals", {"targetVersion": 2})
        self.wait(rehearsal)
        first = self.upload("dropped", notes(3))
        self.upload("dropped", notes(4))
        self.call("DELETE", f"/v1/snapshots/{first['id']}")

    def uploads(self):
        fields = {"Tus_Resumable": "1.0.0"}
        for end in ("late", "deleted"):
            with self.service.open("POST", f"{self.app}/realms/parts/uploads", b"", Upload_Length="100", **fields) as made:
                place = made.headers["Location"]
            if end == "late":
                self.call("PATCH", place, b"x", expect=409, Upload_Offset="7", Content_Type="application/offset+octet-stream", **fields)
            self.call("DELETE", place, **fields)

    def large(self):
        """Realms whose segments are staged, and indexed; one upload and one attempt leave theirs."""
        snapshot = self.upload("large", notes(LARGE))
        for key in (5, LARGE - 1):
            self.call("GET", f"/v1/snapshots/{snapshot['id']}/objects/Note/{key}")
        self.call("GET", f"/v1/snapshots/{snapshot['id']}/content", Accept="application/x-ndjson")
        broken = json.dumps(document(notes(LARGE))).encode()[:-2] + b"?"
        self.call("POST", f"{self.app}/realms/broken/snapshots", broken, expect=400)
        change = "m.enumerateObjects('Note', (a, b) => { b.text = a.text + '.'; if (a.id === %s) throw new Error('no'); });"
        self.wait(self.migrate("large", script(change % (LARGE - 1))))
        self.wait(self.migrate("large", script(change % -1)))
        self.call("DELETE", f"{self.app}/realms/large")

    def jobs(self):
        for name in ("logs", "slow", "held", "late", "unread", "killed", "lost", "bad"):
            self.upload(name, notes(5))
        self.wait(self.migrate("logs", script("for (let i = 0; i < 11000; i++) console.log('line ' + i);")))
        failed = self.wait(self.migrate("bad", script("throw new Error('no');")))
        self.call("POST", f"/v1/jobs/{failed['id']}/retry")
        self.wait(failed)
        held = self.migrate("held", {"runAt": "2099-01-01T00:00:00Z"})
        self.call("POST", f"/v1/jobs/{held['id']}/cancel")
        late = self.migrate("late", {"runAt": "2099-01-01T00:00:00Z"})
        self.call("PUT", f"{self.app}/schemas/2", script("console.log('another revision');"))
        unread = self.migrate("unread", {"runAt": "2099-01-01T00:00:00Z"})
        self.service.sql(
            f"UPDATE migration_job SET request = '[]' WHERE job_id = '{unread['id']}';"
            f"UPDATE job SET run_at = now() WHERE job_id IN ('{late['id']}', '{unread['id']}');")
        self.wait(late)
        for _ in range(100):
            if self.service.sql(f"SELECT state FROM job WHERE job_id = '{unread['id']}'").strip() == "failed":
                break
            time.sleep(0.1)
        self.service.sql(f"DELETE FROM job WHERE job_id = '{unread['id']}'")
        busy = "console.log('busy');" + BUSY
        killed, lost = self.migrate("killed", script(busy)), self.migrate("lost", script(busy))
        time.sleep(1.5)
        self.call("DELETE", f"/v1/jobs/{lost['id']}", expect=409)
        # Of a worker that is gone.
        self.service.sql(
            "UPDATE job SET lease_until = now() - interval '1 hour', lease_token = gen_random_uuid()"
            f" WHERE job_id = '{lost['id']}' AND state = 'running'")
        self.kill_hosts()
        for job in (killed, lost):
            self.wait(job)

    def kill_hosts(self):
        """Kills the processes that run scripts, so that their attempts are lost."""
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                name, rest = status.read_text().split(")", 1)
                if name.endswith("(realmshift-host") and int(rest.split()[1]) == self.service.process.pid:
                    os.kill(int(status.parent.name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                continue

    def streams(self):
        """Waits and events, by a key and by a token, of a job, a fleet and a synced realm."""
        token = self.call("POST", "/v1/tokens", {"app": "shop", "realms": ["watched"], "scopes": ["read", "write", "migrate"]})["token"]
        snapshot = self.upload("watched", notes(5))
        slow = script(BUSY)
        job = self.migrate("watched", slow)
        as_token = {"Authorization": f"Bearer {token}"}
        self.call("GET", f"/v1/snapshots/{snapshot['id']}", **as_token)
        self.upload("f0", notes(3))
        fleet = self.fleet(["f0"], **slow)
        self.upload_synced("stream", notes(3))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            futures = [
                pool.submit(self.listen, f"/v1/jobs/{job['id']}/events", 4, **as_token),
                pool.submit(self.listen, f"{self.app}/fleets/{fleet['id']}/events", 4, Accept="text/event-stream"),
                pool.submit(self.listen, f"{self.app}/realms/stream/changes", 4, Accept="text/event-stream")]
            time.sleep(0.5)
            self.change("stream", [{"id": 1, "text": "changed"}])
            for future in futures:
                future.result()
        self.call("GET", f"/v1/jobs/{job['id']}", **as_token)
        self.call("GET", f"/v1/jobs/{job['id']}/log", **as_token)
        self.wait(job)
        self.call("GET", f"{self.app}/realms/watched/snapshots", **as_token)
        self.settled(fleet)

    def listen(self, path, seconds, **fields):
        end = time.monotonic() + seconds
        try:
            with self.service.open("GET", path, None, timeout=seconds, **fields) as answer:
                while time.monotonic() < end and answer.readline():
                    pass
        except TimeoutError:
            pass

    def change(self, realm, objects, expect=None, **fields):
        return self.call(
            "POST", f"{self.app}/realms/{realm}/changes",
            {"upserts": [{"class": "Note", "object": each} for each in with_id(objects)]}, expect=expect, **fields)

    def quarantine(self):
        self.upload("odd", notes(5))
        order = script("m.enumerateObjects('Note', (a, b) => { if (a.id > 2) throw new Error('odd'); });") | {"onError": "quarantine"}
        job = self.wait(self.migrate("odd", order))
        self.call("GET", f"/v1/jobs/{job['id']}/quarantine")
        again = self.call("POST", f"/v1/jobs/{job['id']}/quarantine/retry", {
            "migration": {"language": "javascript", "source": "function migrate(m) { m.enumerateObjects('Note', (a, b) => { b.text = 'x'; }); }"}})
        self.wait(again)
        kept = script("m.enumerateObjects('Note', (a, b) => { if (a.id > 3) throw new Error('odd'); });") | {"onError": "quarantine"}
        failing = script("if (m.oldRealm.objects('Note').length > 4) throw new Error('many');")
        for name, count in (("f1", 5), ("f2", 6), ("f3", 3)):
            self.upload(name, notes(count))
        dry = self.settled(self.fleet(["f1", "f2", "f3"], dryRun=True, **failing))
        self.call("GET", f"{self.app}/fleets/{dry['id']}")
        done = self.settled(self.fleet(["f1", "f2", "f3"], **failing))
        self.call("POST", f"{self.app}/fleets/{done['id']}/retry-failed", {"migration": kept["migration"]})
        self.settled(done)
        self.call("POST", f"{self.app}/fleets/{done['id']}/undo")
        self.settled(done)
        odd = self.settled(self.fleet(["f1", "f2"], **kept))
        self.call("GET", f"{self.app}/fleets/{odd['id']}")
        slow = self.fleet(["f3"], **script(BUSY))
        self.call("POST", f"{self.app}/fleets/{slow['id']}/cancel")
        self.settled(slow)
        self.call("POST", f"{self.app}/fleets", {"targetVersion": 2, "select": {"names": ["nobody"]}}, expect=422)
        gone = self.fleet(["f1"], **script(BUSY))
        time.sleep(1)
        self.service.sql(f"DELETE FROM job WHERE fleet_id = '{gone['id']}'")
        self.settled(gone)

    def synced(self):
        """A large synced realm that is folded, and one that is changed while a partner is prepared."""
        self.upload_synced("crew", notes(LARGE))
        self.change("crew", [{"id": 5, "text": "one"}])
        self.change("crew", [{"id": n * 7, "text": "some"} for n in range(20)])
        self.change("crew", [{"id": n, "text": "many"} for n in range(FOLDED)])
        for _ in range(600):
            if self.service.sql("SELECT patched_rows FROM realm WHERE name = 'crew'").strip() == "0":
                break
            time.sleep(0.1)
        realm = f"{self.app}/realms/pair"
        self.upload_synced("pair", notes(PAIRED))
        partner = self.call("POST", f"{realm}/partners", {
            "class": "Note", "partner": SYNCED | {"name": "NoteV2", "properties": SYNCED["properties"] | {"more": "string?"}}, "forward": "o => ({text: o.text})", "backward": "o => ({text: o.text})"})
        while self.call("GET", f"{realm}/partners/{partner['id']}")["state"] == "preparing":
            self.change("pair", [{"id": PAIRED - 1 - n, "text": "ahead"} for n in range(3)])
            self.call("POST", f"{realm}/changes", {"upserts": [
                {"class": "NoteV2", "object": {"_id": PAIRED - 9, "more": "given"}}]})
        self.change("pair", [{"id": PAIRED - 2, "text": "after"}])
        self.call("GET", f"{realm}/partners")

    def repeated(self):
        """A request that fails for the database's sake is given up, and a session that was long unused is noted."""
        with self.service.open("POST", "/v1/sessions", b"") as answer:
            cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.service.sql("UPDATE session SET used_at = now() - interval '1 hour'")
        with urllib.request.urlopen(urllib.request.Request(self.service.url + "/v1/sessions/current", headers={"Cookie": cookie})):
            pass

    def webhooks(self):
        """A receiver takes an event, is gone, and what waits for it is given up and recovered."""
        status = 204

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        declared = {"url": f"http://127.0.0.1:{receiver.server_port}/", "events": ["realm.created"]}
        made = self.call("POST", f"{self.app}/webhooks", declared)
        hook = f"{self.app}/webhooks/{made['id']}"
        self.call("GET", f"{self.app}/webhooks")
        self.call("POST", f"{hook}/rotate-secret", {"overlapSeconds": 60})

        def settled(number):
            self.call("PUT", f"{self.app}/realms/hooked{number}", {})
            for _ in range(100):
                if not self.call("GET", f"{hook}/deliveries?state=pending")["items"]:
                    return self.call("GET", f"{hook}/deliveries")["items"][0]
                time.sleep(0.1)
            raise SystemExit("an event is not delivered")

        settled(1)
        status = 410
        delivery = f"{hook}/deliveries/{settled(2)['id']}"
        self.call("PUT", hook, declared)
        self.call("POST", f"{hook}/recover", {"since": "2026-01-01T00:00:00Z"})
        self.call("PUT", hook, declared)
        self.call("GET", delivery)
        self.call("POST", f"{delivery}/resend", expect=409)
        # One that waits while its webhook is disabled.
        self.call("PUT", hook, declared | {"url": "http://127.0.0.1:1/"})
        self.call("PUT", f"{self.app}/realms/hooked3", {})
        self.call("PUT", hook, declared | {"enabled": False})
        time.sleep(2)
        self.call("GET", hook)
        self.call("DELETE", hook)
        receiver.shutdown()

    def restart(self):
        """The service hands a job back that runs, and looks for what is old when it is there again."""
        self.upload("handed", notes(3))
        job = self.migrate("handed", script(BUSY))
        time.sleep(1)
        self.service.stop()
        self.service.start()
        self.wait(job)

    def direct(self):
        """Statements that only what takes long, or two at the same moment, lead to: as they stand in the sources."""
        app = "(SELECT app_id FROM app WHERE name = 'shop')"
        realm = f"(SELECT realm_id FROM realm WHERE app_id = {app} AND name = 'seed')"
        partner = f"(SELECT partner_id FROM partner WHERE app_id = {app} LIMIT 1)"
        batch = "(SELECT batch_id FROM segment_batch LIMIT 1)"
        none = "'ffffffff-ffff-7fff-bfff-ffffffffffff'::uuid"
        texts = [
            text("INSERT INTO segment_reader (", app, none, realm, "900"),
            text("DELETE FROM segment_reader WHERE app_id = ", app, none),
            text("SELECT count(*) AS count FROM ( SELECT FROM realm WHERE app_id = ", app, none, "10000", having="realm_id > "),
            text("SELECT received FROM upload", app, none),
            text("SELECT count(DISTINCT run) AS runs", app, batch, "0", "1"),
            text("INSERT INTO primary_key_page (app_id, batch_id, ordinal, run, first_hash, bytes) SELECT app_id, ",
                 none, "0", app, batch, "0", "1"),
            text("SELECT object_key, properties FROM partner_object", app, partner, "0", "9"),
            text("SELECT object_key FROM partner_object", app, partner, "ARRAY[1, 2]", having="kind = 'written' AND object_key = ANY("),
            text("SELECT object_key FROM partner_object", app, partner, "ARRAY[1, 2]", having="reason IS NOT NULL"),
            text("DELETE FROM partner_object WHERE app_id = ", app, partner, "ARRAY[1, 2]", having="kind = 'given'"),
            text("INSERT INTO partner_object AS o", app, partner, "ARRAY[1, 2]", "ARRAY['a', 'b']"),
            text("UPDATE idempotent_request SET held_until = now() + ", "20", f"ARRAY[{none}]", "ARRAY['a']", f"ARRAY[{none}]"),
            text("SELECT FROM api_key WHERE scopes @>", "ARRAY['admin']"),
            text("UPDATE idempotent_request SET held_until = '-infinity'", none, "'a'", none),
        ]
        self.service.sql(";".join(texts), counted=True)

    def go(self, directly=True):
        parts = [self.apps, self.uploads, self.large, self.jobs, self.streams, self.quarantine, self.synced, self.repeated, self.webhooks, self.restart]
        for part in parts + [self.direct] * directly:
            start = time.monotonic()
            part()
            if os.environ.get("VERBOSE"):
                print(f"{part.__name__}: {time.monotonic() - start:.1f} s", flush=True)
