"""Does the steps of a history, on the service and in the model."""

import contextlib
import copy
import http.client
import threading
import time

from .comparison import Comparison, Difference, key_of, require_same, short
from .model import Conflict, Partner, Realm, Refused, Reset, Unknown
from .schemas import ObjectClass, Property, as_json
from .worlds import SCRIPTS

NO_ANSWER = (OSError, http.client.HTTPException)


class Trial:
    """One realm of an app of its own, and its model."""

    number = 0

    def __init__(self, host, world, prefix):
        Trial.number += 1
        self.host, self.world = host, world
        self.app = f"/v1/apps/{prefix}-{Trial.number}"
        self.path = self.app + "/realms/team"
        self.realm = Realm(world.schema, world.versions)
        self.comparison = Comparison(host, self.path, self.realm)
        self.fills, self.log, self.batches, self.refusals = [], [], 0, 0
        self.call("PUT", self.app, {})
        for version, schema in world.versions.items():
            self.call("PUT", f"{self.app}/schemas/{version}", {"schema": schema})
        self.call("PUT", self.path, {"kind": "synced"})
        self.call("POST", self.path + "/snapshots", {"schemaVersion": 1, "schema": world.schema, "objects": {}})
        self.mark()

    # ---- requests --------------------------------------------------------------------------------------------------

    def request(self, method, path, body=None, version=None):
        answer = self.host.call(method, path, body, version)
        self.log.append((method, path, version, body, answer[0]))
        return answer

    def call(self, method, path, body=None, version=None):
        status, data = self.request(method, path, body, version)
        if status >= 300:
            raise Difference("status", f"{method} {path} gave {status} {short(data)}, expected a success")
        return data

    def mark(self):
        self.realm.mark(self.call("GET", self.path)["currentSnapshot"])

    def marked(self, back):
        """The mark so many before the end; nil where there are not so many."""
        marks = self.realm.marks
        return marks[-back] if back is not None and back <= len(marks) else None

    # ---- jobs ------------------------------------------------------------------------------------------------------

    def wait(self, job, seconds=120):
        end = time.monotonic() + seconds
        while True:
            status, found = self.host.call("GET", f"/v1/jobs/{job}", Prefer="wait=1")
            if status == 200 and found["state"] in ("succeeded", "failed", "cancelled"):
                return found
            if time.monotonic() > end:
                raise Difference("job", f"a job did not end in {seconds} s: {short(found)}")

    def work(self):
        """Lets jobs run; backfills that waited are done."""
        self.host.work()
        fills, self.fills = self.fills, []
        for job, name, prop, value in fills:
            self.end_fill(job, name, prop, value)

    def settle(self, seconds=90):
        """Waits until every partner is made."""
        self.work()
        end = time.monotonic() + seconds
        while self.realm.preparing:
            self.look_at_partners()
            if time.monotonic() > end:
                raise Difference("job", f"a partner is still preparing after {seconds} s")
        self.mark()

    def look_at_partners(self):
        for partner in self.realm.preparing:
            found = self.host.call("GET", f"{self.path}/partners/{partner.id}")[1]
            if found["state"] == "dual":
                partner.state = "dual"
            elif found["state"] != "preparing":
                raise Difference("partner", f"the partner {partner.name} is {found['state']}, expected preparing or dual")

    # ---- steps -----------------------------------------------------------------------------------------------------

    def do(self, step):
        """Raises `Difference`."""
        if self.host.works and self.realm.preparing:
            self.look_at_partners()
        getattr(self, "do_" + step["op"])(step)

    def do_batch(self, step):
        classes = {upsert["class"] for upsert in step["batch"]["upserts"]}
        # While a partner may lack links, an object that is named on both sides keeps its own.
        if any({partner.left, partner.right} <= classes and not partner.is_within for partner in self.realm.preparing):
            self.settle()
        base = self.marked(step.get("base"))
        body = {**step["batch"], "base": base.snapshot} if base else step["batch"]
        expected, after = self.foresee(step, base)
        self.batches += 1
        status, data = self.request("POST", self.path + "/changes", body, step["version"])
        if status == 200 and not body["upserts"] and not body["deletes"]:
            # It makes no snapshot.
            status = 201
        self.judge(step, expected, after, status, data)

    def foresee(self, step, base=None):
        """The expected outcome of a batch: a name and the realm's state after it, or how many objects it is about."""
        realm, before = self.realm, (self.realm.state, set(self.realm.touched))
        try:
            applied = realm.change(step["batch"], step["version"], base.snapshot if base else None)
            return ("done", applied), (realm.state, realm.touched)
        except Refused as refusal:
            return ("refused", str(refusal)), None
        except Conflict:
            return ("conflict", None), None
        except Reset:
            return ("reset", None), None
        except Unknown:
            kind, after = self.foresee(step)
            return (f"{kind[0]} or conflict", kind[1]), after
        finally:
            realm.state, realm.touched = before

    def judge(self, step, expected, after, status, data):
        (kind, detail), told = expected, f"a batch of version {step['version']} gave {status} {short(data, 300)}"
        if status == 201:
            if not kind.startswith("done"):
                raise Difference("status", f"{told}, expected a refusal: {kind} {detail or ''}")
            self.take(step, after)
            # The partners that a deletion is to find may not be made yet.
            self.require_unsynced(step, data["unsynced"])
            if data["applied"] != detail and not self.realm.preparing:
                raise Difference("applied", f"{told}, expected applied {detail}")
            self.realm.mark(data["id"])
            return
        self.refusals += 1
        code = data.get("code") if isinstance(data, dict) else None
        fits = {"refused": status in (400, 422), "conflict": code == "change_conflict", "reset": code == "client_reset_required",
                # A link to a partner that its job has not made yet.
                "done": bool(self.realm.preparing) and code == "broken_link"}
        if not any(fits[one] for one in kind.split(" or ")):
            raise Difference("status", f"{told}, expected {kind} {detail or ''}")

    def require_unsynced(self, step, told):
        """The objects that the batch leaves without a required value are told."""
        if self.realm.preparing:
            return
        schema = self.realm.state.declared
        found = {(x["class"], key_of(schema, x["class"], x["key"])) for x in told}
        named = set()
        for upsert in step["batch"]["upserts"]:
            c = schema[upsert["class"]]
            named.add((c.name, key_of(schema, c.name, upsert["object"][c.key])))
        expected = named & self.realm.state.missing()
        if found != expected:
            raise Difference("unsynced", f"the answer to a batch tells that unsynced are {found}, expected {expected}")

    def take(self, step, after):
        self.realm.state, self.realm.touched = after
        for partner in self.realm.preparing:
            for upsert in step["batch"].get("upserts", []):
                with contextlib.suppress(Refused, KeyError):
                    schema = self.realm.schema(step["version"])
                    found = schema[upsert["class"]]
                    if found.name in (partner.left, partner.right):
                        partner.named.add(key_of(schema, found.name, upsert["object"][found.key]))

    def do_twice(self, step):
        self.do_batch(step)
        self.do_batch(step)

    def do_empty(self, step):
        if not self.realm.is_served(step["version"]) or self.realm.preparing:
            return
        before = self.call("GET", self.path)["currentSnapshot"]
        status, data = self.request("POST", self.path + "/changes", step["batch"], step["version"])
        after = self.call("GET", self.path)["currentSnapshot"]
        if before != after:
            raise Difference("empty", f"an empty batch gave {status} and made a snapshot")

    def do_hold(self, step):
        self.host.hold(step["kill"])
        self.host.kills += step["kill"]

    def do_work(self, step):
        self.work()

    def do_make(self, step):
        request, functions = self.world.partners[step["partner"]]
        partner = Partner(request, functions)
        partner.name = step["partner"]
        realm = self.realm
        trial = copy.copy(realm)
        trial.partners = list(realm.partners)
        try:
            trial.make_partner(partner)
            refusal = None
        except Refused as error:
            refusal = error
        status, data = self.request("POST", self.path + "/partners", request)
        if status == 201:
            if refusal:
                raise Difference("status", f"making the partner {partner.name} gave 201, expected a refusal: {refusal}")
            partner.id = data["id"]
            realm.state, realm.touched, realm.is_vague, realm.partners = trial.state, trial.touched, True, trial.partners
            return
        was_there = any(p.name == partner.name for p in realm.partners)
        if not (refusal and 400 <= status < 500) and not (was_there and data.get("code") == "partner_state"):
            raise Difference("status", f"making the partner {partner.name} gave {status} {short(data)}, expected 201")

    def active(self, name):
        return next((p for p in self.realm.partners if p.name == name and p.writes_both), None)

    def do_abort(self, step):
        partner = self.active(step["partner"])
        if partner is None:
            return
        try:
            before = self.realm.state
            state = partner.state
            self.realm.abort(partner)
            refusal = None
        except Refused as error:
            refusal = error
        status, data = self.request("POST", f"{self.path}/partners/{partner.id}/abort")
        if (status == 200) == bool(refusal):
            raise Difference("status", f"the abort of {partner.name} gave {status} {short(data)}, expected {refusal or 200}")
        if status != 200:
            self.realm.state, partner.state = before, state
        self.mark()

    def do_cutOver(self, step):
        partner = self.active(step["partner"])
        if partner is None:
            return
        if self.host.works:
            self.settle()
        violations = self.realm.findings(partner)[0] if step["accept"] and partner.state == "dual" else []
        expected = partner.state == "dual"
        if expected:
            try:
                self.realm.cut_over(partner, violations)
            except Refused:
                expected = False
        status, data = self.request("POST", f"{self.path}/partners/{partner.id}/cut-over", {"accept": [as_json(k) for k in violations]})
        if (status == 200) != expected:
            raise Difference("cut-over", f"the cut-over to {partner.name}, which is {partner.state}, gave {status} {short(data)}, "
                                         f"expected {'200' if expected else 'a refusal'}")
        self.mark()

    def do_index(self, step):
        declared = self.realm.state.declared
        known = declared.get(step["class"])
        if known is None or step["property"] not in known.properties:
            return
        given = known.properties[step["property"]].given
        given = {**(given if isinstance(given, dict) else {"type": given}), "indexed": True}
        self.migrate(declared.replacing(known.adding({step["property"]: given})), False, step)

    def do_add_class(self, step):
        declared = self.realm.state.declared
        if declared.get(step["class"]["name"]) is None:
            self.migrate(declared.adding(ObjectClass(step["class"])), False, step)

    def do_add(self, step):
        declared = self.realm.state.declared
        target = declared
        for name, properties in step["properties"]:
            known = target.get(name)
            if known is None or any(n in known.properties for n in properties):
                return
            links = [Property(n, p).target for n, p in properties.items()]
            if any(to is not None and target.get(to) is None for to in links):
                return
            target = target.replacing(target[name].adding(properties))
        # Objects that a partner's job makes later have the defaults, as all new ones have, and may have the first embedded ones.
        names = {name for name, _ in step["properties"]}
        if any(partner.right in names or any(declared[name].embedded for name in names) for partner in self.realm.preparing):
            self.settle()
        self.migrate(target, step["defaults"], step)

    def migrate(self, target, applies_defaults, step):
        self.work()
        request = {"schema": target.json}
        if applies_defaults:
            request["migration"] = {"applyDefaults": "existing"}
        before = self.realm.state
        try:
            touched = self.realm.migrate(target, applies_defaults)
        except Refused:
            touched = None
        status, data = self.host.call("POST", self.path + "/migrations", request)
        self.log.append(("POST", self.path + "/migrations", None, {**request, "schema": f"as it is, and {step}"}, status))
        job = self.wait(data["id"]) if status == 202 or status == 201 or status == 200 else None
        succeeded = job is not None and job["state"] == "succeeded"
        if succeeded != (touched is not None):
            raise Difference("migration", f"the migration gave {status} {short(job.get('error') if job else data)}, "
                                          f"expected {'success' if touched is not None else 'a refusal'}")
        if touched is None:
            self.realm.state = before
        else:
            # Defaults that a migration writes reach the partner.
            self.realm.follow(touched, before)
        self.mark()

    def do_backfill(self, step):
        name, prop = step["class"], step["property"]
        declared = self.realm.state.declared.get(name)
        if declared is None or prop not in declared.properties:
            return
        # Of two at once, each object is filled by either.
        if any((waiting[1], waiting[2]) == (name, prop) for waiting in self.fills):
            return
        if "script" in step:
            fill, value = {"script": step["script"]}, SCRIPTS[name, prop][1]
        else:
            given = self.realm.state.declared.value(declared.properties[prop], step["value"], None)
            fill, value = {"value": step["value"]}, lambda o: given
        status, data = self.request("POST", self.path + "/backfills", {"class": name, "property": prop, **fill})
        if status not in (200, 202):
            raise Difference("backfill", f"a backfill of {name}.{prop} gave {status} {short(data)}, expected 202")
        self.fills.append((data["id"], name, prop, value))
        if self.host.works:
            self.work()

    def end_fill(self, job, name, prop, value):
        found = self.wait(job)
        declared = self.realm.state.declared.get(name)
        is_there = declared is not None and prop in declared.properties
        if found["state"] != "succeeded":
            if is_there and not self.refuses_fill(name, prop, value):
                raise Difference("backfill", f"the backfill of {name}.{prop} {found['state']}: {short(found.get('error'))}")
            return
        if is_there:
            self.realm.backfill(name, prop, value)
        self.mark()

    def refuses_fill(self, name, prop, value):
        """Whether a partner's function does not take what a backfill makes of an object."""
        before = self.realm.state, set(self.realm.touched)
        try:
            self.realm.backfill(name, prop, value)
        except Refused:
            return True
        finally:
            self.realm.state, self.realm.touched = before
        return False

    def do_kill(self, step):
        """Kills the service while a batch is on its way: it is there as a whole or not at all."""
        works = self.host.works
        expected, after = self.foresee(step)
        answer = []

        def send():
            with contextlib.suppress(*NO_ANSWER):
                answer.append(self.host.call("POST", self.path + "/changes", step["batch"], step["version"]))
        self.host.hold()
        thread = threading.Thread(target=send)
        thread.start()
        time.sleep(step["after"])
        self.host.kill()
        thread.join()
        self.host.start()
        self.log.append(("KILL", self.path + "/changes", step["version"], step["batch"], answer[0][0] if answer else None))
        self.batches += 1
        if answer:
            self.judge(step, expected, after, *answer[0])
        elif expected[0].startswith("done"):
            self.decide(step, after)
        if works:
            self.work()
        self.mark()

    def decide(self, step, after):
        """Finds out whether a batch without an answer was done."""
        found = self.comparison.found(None)
        before = self.realm.state, self.realm.touched, [set(p.named) for p in self.realm.partners]
        self.take(step, after)
        try:
            expected = self.realm.view(None)
            self.comparison.forgive_preparing(expected, found)
            require_same("kill", "a batch that was on its way", found, expected)
        except Difference as difference:
            self.realm.state, self.realm.touched = before[:2]
            for partner, named in zip(self.realm.partners, before[2]):
                partner.named = named
            expected = self.realm.view(None)
            self.comparison.forgive_preparing(expected, found)
            try:
                require_same("kill", "without the batch that was on its way", found, expected)
            except Difference as other:
                raise Difference("kill", f"a batch is there in part:\n{difference}\n{other}") from None

    def do_check(self, step):
        if self.host.works:
            self.settle()
        self.comparison.check()
        since = self.marked(step.get("since"))
        if since:
            for version in (None, *self.realm.versions):
                self.comparison.check_feed_since(since, version)
        before, after = self.marked(step.get("before")), self.marked(1)
        if before and before is not after and not self.realm.preparing:
            self.comparison.check_difference(before, after)


def told(log):
    """The requests of a log, a line each."""
    used = {version for _, _, version, _, _ in log}

    def is_needed(method, path):
        return method != "GET" and (method != "PUT" or "/schemas/" not in path or int(path.rpartition("/")[2]) in used)
    return "\n".join(f"  {method} {path}{'' if version is None else f' (version {version})'} "
                     f"{short(body, 8000) if body is not None else ''} -> {status}"
                     for method, path, version, body, status in log if is_needed(method, path))
