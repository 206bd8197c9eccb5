"""Holds what the service answers against the model."""

import json

from .model import Reset, partner_key
from .schemas import ABSENT, as_json


class Difference(Exception):
    """The service and the model do not say the same."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def short(value, length=600):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= length else text[:length] + "…"


def shown(value):
    return "<absent>" if value is ABSENT else json.dumps(as_json(value), ensure_ascii=False, sort_keys=True)


def linked(state, held, prop):
    """The identities of the objects that an object links to by a property."""
    value = held.get(prop.name)
    keys = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return {state.identities.get(prop.target, {}).get(key) for key in keys if key is not None and key is not ABSENT}


def require_same(kind, place, found, expected):
    """Raises `Difference` where two views are not the same, with the first objects that differ."""
    lines = []
    for name in sorted(set(found) | set(expected)):
        have, want = found.get(name, {}), expected.get(name, {})
        for key in sorted(set(have) | set(want), key=str):
            if key not in want:
                lines.append(f"{name} {key} is there and should not be: {shown(have[key])}")
            elif key not in have:
                lines.append(f"{name} {key} is not there and should be: {shown(want[key])}")
            else:
                for prop in sorted(set(have[key]) | set(want[key])):
                    a, b = have[key].get(prop, ABSENT), want[key].get(prop, ABSENT)
                    if a != b or type(a) is not type(b):
                        lines.append(f"{name} {key}.{prop} is {shown(a)} and should be {shown(b)}")
    if lines:
        raise Difference(kind, f"{place}:\n  " + "\n  ".join(lines[:12]) + (f"\n  and {len(lines) - 12} more" if len(lines) > 12 else ""))


class Follower:
    """A client of a version that follows the feed, and knows nothing but what that told it."""

    def __init__(self, version):
        self.version = version
        self.reset()

    def reset(self):
        self.objects, self.since = {}, None

    def follow(self, host, path, schema):
        """Takes what the feed has; `schema` is what the client has.

        Returns the status; with 409 the client forgets all.
        """
        more = f"?since={self.since}" if self.since else ""
        status, lines = host.call("GET", f"{path}/changes{more}", version=self.version, raw=True, Accept="application/x-ndjson")
        if status != 200:
            if status in (409, 410):
                self.reset()
            return status, lines
        for line in map(json.loads, lines.splitlines()):
            self.take(line, schema)
        return status, lines

    def take(self, line, schema):
        if "schema" in line:
            for change in line["schema"]:
                if change["kind"] == "removeObjectType":
                    self.objects.pop(change["class"], None)
        elif "snapshot" in line:
            self.since = line["snapshot"]
        elif line.get("deleted"):
            self.held(line["class"]).pop(key_of(schema, line["class"], line["key"]), None)
        else:
            found = schema.whole(schema[line["class"]], line["object"])
            self.held(line["class"])[found[schema[line["class"]].key]] = found

    def held(self, name):
        return self.objects.setdefault(name, {})


def key_of(schema, name, given):
    found = schema[name]
    return schema.scalar(found.properties[found.key].type, given)


class Comparison:
    """Compares a realm of a service with its model."""

    def __init__(self, host, path, realm):
        self.host, self.path, self.realm = host, path, realm
        self.followers = {v: Follower(v) for v in (None, *realm.versions)}

    def get(self, path, version=None):
        status, data = self.host.call("GET", self.path + path, version=version)
        if status != 200:
            raise Difference("status", f"GET {path} of version {version} gave {status} {short(data)}, expected 200")
        return data

    def all(self, path, version=None):
        items, cursor = [], ""
        while True:
            page = self.get(f"{path}{'&' if '?' in path else '?'}limit=500{cursor}", version)
            items += page["items"]
            if not page.get("next"):
                return items
            cursor = f"&cursor={page['next']}"

    def found(self, version):
        """The objects that clients of a version read."""
        schema = self.realm.schema(version)
        view = {}
        for c in schema.top_level:
            objects = [schema.whole(c, x) for x in self.all(f"/objects/{c.name}", version)]
            view[c.name] = {o[c.key]: o for o in objects}
            if len(objects) != len(view[c.name]):
                raise Difference("view", f"{c.name} has a primary key twice: {[o[c.key] for o in objects]}")
        return view

    # ---- checks ----------------------------------------------------------------------------------------------------

    def check(self, thoroughly=True):
        self.check_views()
        if thoroughly:
            self.check_feeds()
            self.check_findings()
            self.check_unsynced()

    def check_views(self):
        for version in (None, *self.realm.versions):
            if not self.realm.is_served(version):
                self.check_refusal(version)
                continue
            expected, found = self.realm.view(version), self.found(version)
            self.forgive_preparing(expected, found)
            require_same("view", f"what version {version} reads", found, expected)

    def forgive_preparing(self, expected, found):
        """Objects that the job of a partner has not reached may be there or not, and so may links to them; objects that clients named have to be."""
        for partner in self.realm.preparing:
            if not partner.is_within:
                for key in set(expected.get(partner.right, {})) - partner.named:
                    if key not in found.get(partner.right, {}):
                        del expected[partner.right][key]
                for key, have in found.get(partner.right, {}).items():
                    want = expected.get(partner.right, {}).get(key)
                    if want is not None:
                        for name, prop in self.realm.state.declared[partner.right].properties.items():
                            if name in want and prop.target == partner.right:
                                want[name] = have[name]
                continue
            for key, want in expected.get(partner.left, {}).items():
                have = found.get(partner.left, {}).get(key, {})
                for name in partner.added:
                    if key not in partner.named and name in want and name in have:
                        want[name] = have[name]

    def check_refusal(self, version):
        shown = self.realm.versions[version]
        name = shown.top_level[0].name
        gone = {r if isinstance(r, str) else r[0] for r in self.realm.state.retired}
        name = next((c.name for c in shown.top_level if c.name in gone), name)
        for what, (status, data) in {
                "read": self.host.call("GET", f"{self.path}/objects/{name}", version=version),
                "feed": self.host.call("GET", f"{self.path}/changes", version=version, raw=True),
                "change": self.host.call("POST", f"{self.path}/changes", {"upserts": [], "deletes": []}, version=version)}.items():
            self.require_reset(what, version, status, data)

    def require_reset(self, what, version, status, data):
        data = json.loads(data) if isinstance(data, str) and data.startswith("{") else data
        if status != 409 or not isinstance(data, dict) or data.get("code") != "client_reset_required":
            raise Difference("reset", f"a {what} of version {version} gave {status} {short(data, 200)}, expected 409 client_reset_required")
        cut_over = any(p.state == "done" for p in self.realm.partners)
        aborted = any(p.state == "aborted" for p in self.realm.partners)
        if cut_over and not aborted and not data.get("recovery"):
            raise Difference("recovery", f"the 409 of version {version} after a cut-over has no recovery: {short(data, 300)}")

    def check_feeds(self):
        if self.realm.preparing:
            return
        for version, follower in self.followers.items():
            try:
                schema = self.realm.schema(version)
            except Reset:
                status, data = follower.follow(self.host, self.path, None)
                self.require_reset("feed", version, status, data)
                follower.reset()
                continue
            since = follower.since
            status, lines = follower.follow(self.host, self.path, schema)
            if status == 410:
                raise Difference("feed", f"the feed of version {version} since {since} gave 410 {short(lines, 200)}")
            if status != 200:
                raise Difference("feed", f"the feed of version {version} gave {status} {short(lines, 200)}, expected 200")
            place = f"what the feed told version {version}, the last time since {since}"
            require_same("feed", place, {n: o for n, o in follower.objects.items() if o}, self.realm.view(version))

    def check_feed_since(self, mark, version):
        """Brings a client that has an older snapshot up to now."""
        if self.realm.preparing or mark.is_vague:
            return
        try:
            schema = self.realm.schema(version)
        except Reset:
            return
        if version is not None and not mark.state.serves(schema) or mark.state.declared is not self.realm.state.declared:
            return
        follower = Follower(version)
        follower.since = mark.snapshot
        follower.objects = mark.state.view(schema)
        status, lines = follower.follow(self.host, self.path, schema)
        if status != 200:
            raise Difference("feed", f"the feed of version {version} since {mark.snapshot} gave {status} {short(lines, 200)}")
        require_same("feed", f"the objects of version {version} at {mark.snapshot} and what the feed told since",
                     follower.objects, self.realm.view(version))

    def check_findings(self):
        for partner in self.realm.partners:
            if partner.state != "dual":
                continue
            violations, divergent = self.realm.findings(partner)
            schema = self.realm.state.declared
            # A partner that a client made before the job came to it, and of whose object `forward` fails, is in either list.
            either = {k for k in divergent if partner_key(partner, partner.left, k) in partner.named and self.realm.fails(partner, k)}
            for name, expected in (("violations", violations), ("divergent", divergent)):
                found = [key_of(schema, partner.left, x["key"]) for x in self.all(f"/partners/{partner.id}/{name}")]
                found, expected = ([k for k in keys if k not in either] for keys in (found, expected))
                if sorted(found, key=str) != sorted(expected, key=str):
                    raise Difference(name, f"the {name} of the partner {partner.right} of {partner.left} are {sorted(found, key=str)}, "
                                           f"expected {sorted(expected, key=str)}")

    def check_unsynced(self):
        if self.realm.preparing:
            return
        items = self.all("/unsynced")
        schema = self.realm.state.declared
        unknown = {x["class"] for x in items if schema.get(x["class"]) is None}
        if unknown:
            raise Difference("unsynced", f"unsynced are objects of classes that are not in the schema: {unknown}")
        found = {(x["class"], key_of(schema, x["class"], x["key"])) for x in items}
        if found != self.realm.state.missing():
            raise Difference("unsynced", f"unsynced are {sorted(found, key=str)}, expected {sorted(self.realm.state.missing(), key=str)}")

    def check_difference(self, before, after):
        """The differences between two snapshots of one schema."""
        if before.state.declared is not after.state.declared or before.is_vague or after.is_vague:
            return
        path = f"/v1/snapshots/{before.snapshot}/diff/{after.snapshot}"
        status, data = self.host.call("GET", path)
        if status != 200:
            raise Difference("difference", f"GET {path} gave {status} {short(data)}")
        schema = after.state.declared
        found = {c["class"]: (c["added"], c["removed"], c["changed"]) for c in data["classes"] if not schema[c["class"]].embedded}
        found = {c: counts for c, counts in found.items() if any(counts)}
        expected, changed, renewed = {}, {}, {}
        for c in schema.top_level:
            was, now = ({s.identities.get(c.name, {}).get(k): o for k, o in s.objects.get(c.name, {}).items()}
                        for s in (before.state, after.state))
            # Values of the schema's properties alone: others are not compared.
            def differs(a, b, c=c):
                return any(a.get(n) != b.get(n) for n in c.properties)
            changed[c.name] = [k for k in was if k in now and differs(was[k], now[k])]
            # Embedded objects that are written anew with the same values are others to the service, as are objects that are made
            # again under the primary key of a deleted one: who has them, or links to them, may be told.
            embedded = [n for n, p in c.properties.items() if schema.is_embedded(p)]
            links = [p for n, p in c.properties.items() if p.target and n not in embedded]
            renewed[c.name] = [k for k in was if k in now and k not in changed[c.name]
                               and (any(was[k].get(n) is not now[k].get(n) for n in embedded)
                                    or any(linked(before.state, was[k], p) != linked(after.state, now[k], p) for p in links))]
            self.check_objects_of(path, schema, c, was, now, changed[c.name], renewed[c.name])
            counts = (len([k for k in now if k not in was]), len([k for k in was if k not in now]), len(changed[c.name]))
            if any(counts):
                expected[c.name] = counts
        def is_like(counts, wanted, more):
            return counts[:2] == wanted[:2] and wanted[2] <= counts[2] <= wanted[2] + more
        if not all(is_like(found.get(c, (0, 0, 0)), expected.get(c, (0, 0, 0)), len(renewed[c])) for c in renewed):
            raise Difference("difference", f"between {before.snapshot} and {after.snapshot} (added, removed, changed) are {found}, "
                                           f"expected {expected}")

    def check_objects_of(self, path, schema, object_class, was, now, changed, renewed):
        """The objects that differ, as they were and as they are."""
        items, cursor = [], ""
        while cursor is not None:
            status, data = self.host.call("GET", f"{path}/objects?class={object_class.name}&limit=1000{cursor}")
            if status != 200:
                raise Difference("difference", f"GET {path}/objects?class={object_class.name} gave {status} {short(data)}")
            items += data["items"]
            cursor = f"&cursor={data['next']}" if data["next"] else None

        def whole(given):
            return None if given is None else schema.whole(object_class, given)
        found = [(whole(x["before"]), whole(x["after"])) for x in items]

        def declared(held):
            return None if held is None else self.realm.state.show_all(schema, object_class, held)
        expected = [(declared(was.get(k)), declared(now.get(k))) for k in {**was, **now} if k not in was or k not in now or k in changed]
        may_be = [(declared(was[k]), declared(now[k])) for k in renewed]
        for some, others, text in ((found, expected + may_be, "is told and should not be"), (expected, found, "is not told")):
            for pair in some:
                if pair not in others:
                    raise Difference("difference", f"between two snapshots, {path}: {object_class.name} from {shown(pair[0])} to "
                                                   f"{shown(pair[1])} {text}")
