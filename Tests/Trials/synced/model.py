"""A synced realm as its rules have it: objects, views of versions, partners, and every consequence of a batch.

It keeps all objects in dictionaries, shares no code with the service, and knows nothing of HTTP. Objects are never changed in
place, so that a state of the realm is kept by keeping its dictionaries.
"""

import contextlib
import itertools

from .schemas import ABSENT, Refused, Schema, as_set


class Conflict(Exception):
    """Somebody changed an object of a batch since its base."""


class Reset(Exception):
    """A client's version is not served any more."""


class Unknown(Exception):
    """The rules permit a success and a refusal."""


class State:
    """The contents of a realm at one moment."""

    def __init__(self, declared, stored, objects, identities, retired, readable):
        # `stored` has what left the schema, too; objects and identities are by class and primary key.
        self.declared, self.stored, self.objects, self.identities = declared, stored, objects, identities
        # Names of classes, and pairs of class and property, that clients once had; and the versions that are served.
        self.retired, self.readable = retired, readable

    # ---- views -----------------------------------------------------------------------------------------------------

    def serves(self, shown):
        """Whether clients of a declared schema are served."""
        for seen in shown.classes.values():
            server = self.declared.get(seen.name)
            if server is None:
                if seen.name in self.retired:
                    return False
                continue
            if (server.embedded, server.key) != (seen.embedded, seen.key):
                return False
            for name, prop in seen.properties.items():
                other = server.properties.get(name)
                if (seen.name, name) in self.retired if other is None else not prop.is_like(other):
                    return False
        return True

    def is_whole(self, class_name, key):
        """Whether an object is there, and lacks nothing that its class requires."""
        found = self.objects.get(class_name, {}).get(key)
        if found is None or self.declared.get(class_name) is None:
            return False
        return all(found[n] is not ABSENT for n, p in self.declared[class_name].properties.items() if p.requires_value)

    def missing(self):
        """The objects that lack a value, as pairs of class and key."""
        return {(c.name, k) for c in self.declared.top_level for k in self.objects.get(c.name, {}) if not self.is_whole(c.name, k)}

    def view(self, shown):
        """The objects that clients of a schema have, by class and primary key."""
        return {c.name: {key: self.show(shown, c, found) for key, found in self.objects.get(c.name, {}).items()
                         if self.is_whole(c.name, key)}
                for c in shown.top_level}

    def show_all(self, shown, object_class, found):
        """An object with what clients would not be shown."""
        def value(prop, held):
            if prop.type != "object" or not shown.is_embedded(prop) or held is None:
                return held
            if prop.kind == "value":
                return self.show_all(shown, shown[prop.target], held)
            if prop.kind == "dictionary":
                return {k: x if x is None else self.show_all(shown, shown[prop.target], x) for k, x in held.items()}
            return [self.show_all(shown, shown[prop.target], x) for x in held]
        return {name: value(prop, found[name]) for name, prop in object_class.properties.items()}

    def show(self, shown, object_class, found):
        server = self.declared[object_class.name]

        def value(prop, held):
            if prop.type != "object":
                return held
            if prop.kind == "dictionary":
                return {k: element(prop, x) for k, x in held.items()}
            if prop.kind == "value":
                return element(prop, held)
            return [x for x in (element(prop, y) for y in held) if x is not None]

        def element(prop, held):
            if held is None or not shown.is_embedded(prop):
                return held if held is not None and self.is_whole(prop.target, held) else None
            return self.show(shown, shown[prop.target], held)

        return {name: value(prop, found[name]) if name in server.properties else prop.empty
                for name, prop in object_class.properties.items()}


class Partner:
    """A class or a property that stands in for another one; the functions take and give dictionaries."""

    def __init__(self, request, functions):
        self.request, self.forward, self.backward = request, functions.forward, functions.backward
        # By side what makes the other side's key, where the types differ.
        self.keys = functions.keys
        self.left, self.right = request["class"], request["partner"]["name"]
        self.property, self.state = request.get("property"), "preparing"
        # Keys of objects that clients named while it was prepared: those are on both sides.
        self.named = set()
        self.added = list(request["partner"]["properties"]) if self.property else []

    @property
    def is_within(self):
        return self.property is not None

    @property
    def writes_both(self):
        return self.state in ("preparing", "dual")


class Draft:
    """Changes on their way into a realm's next state."""

    serial = itertools.count()

    def __init__(self, state):
        self.before = state
        self.stored, self.declared = state.stored, state.declared
        self.objects = {name: dict(found) for name, found in state.objects.items()}
        self.identities = {name: dict(found) for name, found in state.identities.items()}
        self.touched, self.cleared = set(), set()

    def has(self, class_name, key):
        return key in self.objects.get(class_name, {})

    def make(self, class_name, key):
        """An object under a key, made of initial values where none is there."""
        found = self.objects.setdefault(class_name, {})
        if key in found:
            return
        properties = self.stored[class_name].properties
        declared = self.declared.get(class_name)
        shown = declared.properties if declared else {}
        found[key] = {n: shown.get(n, p).initial for n, p in properties.items()}
        found[key][self.stored[class_name].key] = key
        self.identities.setdefault(class_name, {})[key] = next(self.serial)

    def set(self, class_name, key, values):
        self.objects[class_name][key] = {**self.objects[class_name][key], **values}
        self.touched.add((class_name, key))

    def delete(self, wanted):
        """Deletes objects, and clears the links to them; returns those that were there, as pairs of class and key."""
        gone = {(c, k) for c, k in wanted if self.has(c, k)}
        for class_name, key in gone:
            del self.objects[class_name][key]
            del self.identities[class_name][key]
        self.touched |= gone
        targets = {c for c, _ in gone}
        for owner in self.stored.top_level:
            if not links(self.stored, owner) & targets:
                continue
            for other, found in self.objects.get(owner.name, {}).items():
                cleared = self.without_links(owner, found, gone)
                if cleared is not found:
                    self.objects[owner.name][other] = cleared
                    self.cleared.add((owner.name, other))
                    self.touched.add((owner.name, other))
        return gone

    def without_links(self, owner, found, gone):
        """An object without its links to those that are gone; the same one where it has none."""
        changed = {}
        for name, prop in owner.properties.items():
            held = found.get(name)
            if prop.type != "object" or held is None:
                continue
            if self.stored.is_embedded(prop):
                inner = self.stored[prop.target]

                def clear(x, inner=inner):
                    return x if x is None else self.without_links(inner, x, gone)
            else:
                def clear(x, target=prop.target):
                    return None if (target, x) in gone else x
            if prop.kind == "value":
                new = clear(held)
            elif prop.kind == "dictionary":
                new = {k: clear(x) for k, x in held.items()}
            else:
                new = [x for x in (clear(y) for y in held) if x is not None]
            if new != held:
                changed[name] = new
        return {**found, **changed} if changed else found


class Realm:
    """A realm, its snapshots and its partners."""

    def __init__(self, schema, versions):
        declared = Schema(schema)
        self.state = State(declared, declared, {c.name: {} for c in declared.top_level}, {}, frozenset(), None)
        self.versions = {int(n): Schema(classes) for n, classes in versions.items()}
        self.partners = []
        # Of each snapshot that a client may name, the state and what was touched since the one before.
        self.marks = []
        self.touched, self.is_vague, self.reshaped = set(), False, set()

    def schema(self, version):
        """The objects that clients of a version have.

        Raises `Reset` where they are not served any more.
        """
        if version is None:
            return self.state.declared
        shown = self.versions[version]
        if not self.state.serves(shown):
            raise Reset()
        return shown

    def is_served(self, version):
        try:
            self.schema(version)
        except Reset:
            return False
        return True

    def view(self, version):
        return self.state.view(self.schema(version))

    @property
    def preparing(self):
        return [p for p in self.partners if p.state == "preparing"]

    def mark(self, snapshot):
        """Notes the snapshot that the service has by now."""
        if self.marks and self.marks[-1].snapshot == snapshot:
            return
        self.marks.append(Mark(snapshot, self.state, self.touched, self.is_vague or bool(self.preparing), self.reshaped))
        self.touched, self.is_vague, self.reshaped = set(), False, set()

    def commit(self, draft):
        gone = {(c, k) for c, k in draft.touched if k not in self.state.objects.get(c, {}) and not draft.has(c, k)}
        s = self.state
        self.state = State(s.declared, s.stored, draft.objects, draft.identities, s.retired, s.readable)
        self.touched |= draft.touched - gone | self.shown_again(s, draft)

    def shown_again(self, before, draft):
        """The owners of links to objects that have all values now: clients are shown these links from here on."""
        filled = {(c, k) for c, k in draft.touched if k in before.objects.get(c, {}) and not before.is_whole(c, k)
                  and self.state.is_whole(c, k)}
        if not filled:
            return set()
        targets = {c for c, _ in filled}
        return {(owner.name, k) for owner in draft.stored.top_level if links(draft.stored, owner) & targets
                for k, o in draft.objects.get(owner.name, {}).items() if draft.without_links(owner, o, filled) is not o}

    def evolve(self, declared, stored=None, objects=None, retired=None):
        s = self.state
        self.state = State(declared, s.stored if stored is None else stored, s.objects if objects is None else objects, s.identities,
                           s.retired if retired is None else retired, s.readable)

    # ---- batches ---------------------------------------------------------------------------------------------------

    def change(self, batch, version=None, base=None):
        """Does a batch, or raises `Refused`, `Conflict` or `Reset` and does nothing; returns how many objects it was about.

        Without a base the last writer wins.
        """
        shown = self.schema(version)
        upserts, deletes = self.read(batch, shown)
        if base is not None:
            self.require_unchanged({(c, k) for c, k, _ in upserts} | set(deletes), base)
        draft = Draft(self.state)
        applied = self.apply(draft, shown, upserts, deletes)
        if upserts or deletes:
            self.commit(draft)
        return applied

    def read(self, batch, shown):
        upserts, deletes = [], []

        def known(name):
            found = shown.get(name)
            if found is None or found.embedded or found.key is None:
                raise Refused(f"no class {name} with a primary key")
            return found

        def members(object_class, given):
            if not isinstance(given, dict):
                raise Refused("no object")
            for name in given:
                if name not in object_class.properties:
                    raise Refused(f"no property {object_class.name}.{name}")
            return {name: shown.value(object_class.properties[name], x, members) for name, x in given.items()}

        def key_of(object_class, given):
            return shown.scalar(object_class.properties[object_class.key].type, given)

        for upsert in batch.get("upserts", []):
            found = known(upsert["class"])
            if found.key not in upsert["object"]:
                raise Refused("no primary key")
            values = members(found, upsert["object"])
            upserts.append((found.name, values.pop(found.key), values))
        for delete in batch.get("deletes", []):
            found = known(delete["class"])
            deletes.append((found.name, key_of(found, delete["key"])))
        return upserts, deletes

    def require_unchanged(self, objects, base):
        after = next(i for i, m in enumerate(self.marks) if m.snapshot == base) + 1
        later = self.marks[after:]
        touched = self.touched.union(*(m.touched for m in later))
        if objects & touched:
            raise Conflict()
        reshaped = self.reshaped.union(*(m.reshaped for m in later))
        if any(m.is_vague for m in later) or self.is_vague or self.marks[after - 1].is_vague or {c for c, _ in objects} & reshaped:
            raise Unknown()

    def apply(self, draft, shown, upserts, deletes):
        server = self.state.declared
        for class_name, key, values in upserts:
            self.require_stored(shown, class_name, values)
            if server.get(class_name) is None:
                raise Refused(f"{class_name} is not in the realm's schema")
            draft.make(class_name, key)
        for class_name, key, values in upserts:
            was = draft.objects[class_name][key]
            properties = shown[class_name].properties
            draft.set(class_name, key, {n: self.given(draft, shown, properties[n], x, was[n]) for n, x in values.items()})
        gone = draft.delete(deletes)
        deleted, active = set(deletes), [p for p in self.partners if p.writes_both]
        for partner in active:
            if not partner.is_within:
                for side, other in ((partner.left, partner.right), (partner.right, partner.left)):
                    pairs = partner_keys(partner, side, [k for c, k in deletes if c == side])
                    there = draft.delete({(other, k) for k in pairs.values()})
                    gone |= {(side, k) for k, found in pairs.items() if (other, found) in there}
                    deleted |= there
        self.delete_retired(draft, deleted)
        for partner in active:
            self.write_partner(draft, partner, upserts)
        return len(upserts) + len(gone & set(deletes))

    def delete_retired(self, draft, deleted):
        """Deletes the objects of classes that left the schema whose other sides are deleted; nobody sees that."""
        seen = draft.touched, draft.cleared
        draft.touched, draft.cleared = set(), set()
        for partner in reversed(self.partners):
            sides = {"done": (partner.right, partner.left), "aborted": (partner.left, partner.right)}.get(partner.state)
            if sides and not partner.is_within and sides[1] in self.state.retired:
                pairs = partner_keys(partner, sides[0], [k for c, k in deleted if c == sides[0]])
                deleted = deleted | draft.delete({(sides[1], k) for k in pairs.values()})
        draft.touched, draft.cleared = seen

    def require_stored(self, shown, class_name, values):
        server = self.state.declared.get(class_name)
        for name, value in values.items():
            if server is None or name not in server.properties:
                raise Refused(f"{class_name}.{name} is not in the realm's schema")
            prop = shown[class_name].properties[name]
            if shown.is_embedded(prop):
                for inner in elements(prop, value):
                    self.require_stored(shown, prop.target, inner)

    def given(self, draft, shown, prop, value, was):
        """A property's value as it is stored: links lead to objects, embedded objects keep what the client does not see."""
        if prop.type != "object":
            return value
        if not shown.is_embedded(prop):
            for target in elements(prop, value):
                if not draft.has(prop.target, target):
                    raise Refused(f"a link to {prop.target} {target}, which is not there")
            return value

        def element(item, old):
            return item if item is None else self.embedded(draft, shown, prop.target, item, old)

        if prop.kind == "value":
            return element(value, was)
        if prop.kind == "dictionary":
            return {k: element(x, (was or {}).get(k)) for k, x in value.items()}
        return [element(x, was[i] if was and i < len(was) else None) for i, x in enumerate(value)]

    def embedded(self, draft, shown, class_name, values, was):
        seen = shown[class_name].properties
        result = {}
        for name, prop in draft.stored[class_name].properties.items():
            old = was[name] if was else None
            if name in values:
                result[name] = self.given(draft, shown, seen[name], values[name], old)
            elif name in seen or was is None:
                declared = self.state.declared[class_name].properties.get(name, prop)
                result[name] = seen.get(name, declared).initial
            else:
                result[name] = old
        return result

    # ---- partners --------------------------------------------------------------------------------------------------

    def write_partner(self, draft, partner, upserts, before=None):
        """Writes the other side of what a batch changed.

        Objects that a client names go before those that only lost a link, and partners before the objects that they stand
        in for. An object that is named on both sides gets its partner first, each without what it is given itself. Where nobody
        named an object, only its consequences are written: `before` is the state where none was named.
        """
        earlier = Draft(before or draft.before)
        twice = {} if before else self.named_twice(draft, partner, upserts)
        if partner.is_within:
            named = {k: False for c, k, _ in upserts if c == partner.left}
            for c, k, values in upserts:
                if c == partner.left and any(n in partner.added for n in values):
                    named[k] = True
            left, right = {k for k, is_new in named.items() if not is_new}, {k for k, is_new in named.items() if is_new}
            lost = {k for c, k in draft.cleared if c == partner.left} - set(named), set()
        else:
            left, right = ({k for c, k, _ in upserts if c == side} for side in (partner.left, partner.right))
            lost = tuple({k for c, k in draft.cleared if c == side} for side in (partner.left, partner.right))
        if before:
            left, right, lost = set(), set(), (lost[0] | left, lost[1] | right if not partner.is_within else set())
        covered, forth = set(), {}

        def rest(is_forward, keys):
            side = partner.left if is_forward else partner.right
            keys = [k for k in keys if draft.has(side, k)]
            if partner.is_within:
                return keys
            return [k for k in keys if (partner_key(partner, side, k) if not is_forward else k) not in covered]
        for is_forward, keys in ((False, right), (True, left)):
            keys = rest(is_forward, set(keys) | set(twice) if is_forward else set(keys) - {other for other, _, _ in twice.values()})
            if not partner.is_within:
                covered |= {partner_key(partner, partner.right, k) if not is_forward else k for k in keys}
            answers = self.answers(draft, partner, is_forward, keys)
            if is_forward:
                forth, own = dict(answers), {other: given for other, _, given in twice.values()}
                answers = [(o, {n: x for n, x in answer.items() if n not in own.get(o, ())}) for o, answer in answers]
            self.put(draft, partner, is_forward, answers)
        self.write_twice(draft, partner, twice, forth)
        # Of what was lost on both sides each says what follows before either is written.
        answers = [(f, self.answers(draft, partner, f, rest(f, keys), earlier)) for f, keys in ((False, lost[1]), (True, lost[0]))]
        for is_forward, found in answers:
            self.put(draft, partner, is_forward, found)

    @staticmethod
    def named_on(partner, upserts, is_left):
        """By key what a batch gives the objects of a side: the names, and whether they give way to the partner's."""
        found = {}
        for class_name, key, values in upserts:
            new, old = set(values) & set(partner.added), partner.property in values
            is_named = class_name == (partner.left if is_left else partner.right)
            if is_named and (not partner.is_within or (old or not new if is_left else new)):
                found.setdefault(key, []).append((set(values), partner.is_within and bool(new)))
        return found

    def named_twice(self, draft, partner, upserts):
        """By key the objects that a batch names on both sides: the other key, and what it gives either."""
        left, right = (self.named_on(partner, upserts, is_left) for is_left in (True, False))
        return {k: (o, left[k], set().union(*(names for names, _ in right[o])))
                for k, o in partner_keys(partner, partner.left, left).items()
                if o in right and draft.has(partner.left, k) and draft.has(partner.right, o)}

    def write_twice(self, draft, partner, twice, forth):
        """Writes objects that are named on both sides as their partners, without what the batch gives them.

        Raises `Refused` where that contradicts what the partner says, and not because functions lose it.
        """
        answers = self.answers(draft, partner, False, [other for other, _, _ in twice.values()])
        for key, answer in answers:
            other, left, right = twice[key]
            alone = self.answer_without(draft, partner, other, {n: x for n, x in forth[other].items() if n in right})
            held = draft.objects[partner.left][key]
            for name in [n for n in answer if any(n in names for names, _ in left)]:
                if alone.get(name, ABSENT) == answer[name] or plain(held[name]) == answer[name]:
                    del answer[name]
                elif any(name in names and not gives_way for names, gives_way in left):
                    raise Refused(f"{name} of {key!r} contradicts the partner")
        self.put(draft, partner, False, answers)

    def answer_without(self, draft, partner, other, forth):
        """The result of `backward` for a partner that has what `forward` gave; nothing where it fails."""
        held = draft.objects[partner.right]
        whole = held[other]
        held[other] = {**whole, **forth}
        try:
            return self.answer(draft, partner, False, other)
        except Refused:
            return {}
        finally:
            held[other] = whole

    def inputs(self, draft, partner, is_forward, key):
        """An object as a function sees it."""
        class_name = partner.left if is_forward else partner.right
        names = list(draft.declared[class_name].properties)
        if partner.is_within:
            names = [n for n in names if (n not in partner.added if is_forward else n != partner.property)]
        found = draft.objects[class_name][key]
        return {n: plain(found[n]) for n in names}

    def answer(self, draft, partner, is_forward, key):
        """The result of a function for an object, without its key.

        Raises `Refused` where it fails.
        """
        function = partner.forward if is_forward else partner.backward
        target = draft.declared[partner.right if is_forward else partner.left]
        answer = function(self.inputs(draft, partner, is_forward, key))
        if answer.get(target.key, key) != (partner_key(partner, partner.left if is_forward else partner.right, key)):
            raise Refused("a function that makes the key of more than the other key")
        return {n: answered(draft, target.properties[n], x) for n, x in answer.items() if n != target.key}

    def derive(self, draft, partner, is_forward, keys):
        self.put(draft, partner, is_forward, self.answers(draft, partner, is_forward, keys))

    def answers(self, draft, partner, is_forward, keys, earlier=None):
        """The results of a function, by the keys of the other side; where only consequences are meant, without what it gave for objects as
        they were earlier, and without properties that the other side has otherwise than then by itself."""
        side, other = (partner.left, partner.right) if is_forward else (partner.right, partner.left)
        answers = [(partner_key(partner, side, k), self.answer(draft, partner, is_forward, k)) for k in keys]
        if earlier is None:
            return answers
        given = [self.given_before(earlier, partner, is_forward, k) for k in keys]

        def is_own(key, name):
            if not draft.has(other, key) or not earlier.has(other, key):
                return False
            was = earlier.objects[other][key]
            return draft.objects[other][key][name] != was[name] if name in was else is_forward
        return [(key, {n: x for n, x in answer.items() if (n not in was or was[n] != x) and not is_own(key, n)})
                for (key, answer), was in zip(answers, given)]

    def put(self, draft, partner, is_forward, answers):
        """Writes what a function gives to the other side."""
        other = partner.right if is_forward else partner.left
        for key, _ in answers:
            draft.make(other, key)
        for key, answer in answers:
            properties = draft.declared[other].properties
            draft.set(other, key, {n: existing(draft, properties[n], x) for n, x in answer.items()})

    def given_before(self, earlier, partner, is_forward, key):
        """The earlier result of a function for an object; nothing where it failed, or the object had no other side."""
        side = partner.left if is_forward else partner.right
        if not earlier.has(side, key) or is_forward and not earlier.has(partner.right, partner_key(partner, side, key)):
            return {}
        try:
            return self.answer(earlier, partner, is_forward, key)
        except Refused:
            return {}

    def findings(self, partner):
        """The keys of objects that break the law, and of those whose partners hold something else than `forward` gives."""
        draft = Draft(self.state)
        found = ([], [])
        for key in draft.objects.get(partner.left, {}):
            other = partner_keys(partner, partner.left, [key]).get(key)
            if not draft.has(partner.right, other):
                found[0].append(key)
                continue
            for keys, is_forward, (c, k), (d, l) in (
                    (found[0], False, (partner.right, other), (partner.left, key)),
                    (found[1], True, (partner.left, key), (partner.right, other))):
                try:
                    answer = self.answer(draft, partner, is_forward, k)
                except Refused:
                    keys.append(key)
                    continue
                held = draft.objects[d][l]
                if any(plain(held[n]) != x for n, x in answer.items()):
                    keys.append(key)
        return found

    def fails(self, partner, key):
        """Whether `forward` fails for an object."""
        try:
            self.answer(Draft(self.state), partner, True, key)
        except Refused:
            return True
        return False

    def make_partner(self, partner):
        """Makes a partner; from here on it is as if every object had its own at once.

        Raises `Refused` where it can't be.
        """
        s = self.state
        if any(p.writes_both and {p.left, p.right} & {partner.left, partner.right} for p in self.partners):
            raise Refused("a partner of a partner")
        existing = s.declared.get(partner.left)
        if existing is None:
            raise Refused("no such class")
        objects, added = s.objects, partner.request["partner"]["properties"]
        if partner.is_within:
            if partner.property not in existing.properties or any(n in existing.properties for n in added):
                raise Refused("no such property, or one that is there")
            declared = s.declared.replacing(existing.adding(added))
            # The values of one that was taken back are gone.
            remains = {n for p in self.partners if p.state == "aborted" and p.is_within and p.left == partner.left for n in p.added}
            known = s.stored[partner.left].without(remains & set(added))
            fresh = {n: p for n, p in added.items() if n not in known.properties}
            stored = s.stored.replacing(known.adding(fresh))
            empty = {n: p.initial for n, p in stored[partner.left].properties.items() if n in fresh}
            objects = {**objects, partner.left: {k: {**o, **empty} for k, o in objects[partner.left].items()}}
        else:
            if s.declared.get(partner.right) is not None:
                raise Refused("the class is there")
            declared = s.declared.adding(Schema([partner.request["partner"]])[partner.right])
            stored = s.stored.without(partner.right).adding(declared[partner.right])
            objects = {**objects, partner.right: {}}
        retired = s.retired - {partner.right} if not partner.is_within else s.retired - {(partner.left, n) for n in added}
        self.is_vague = True
        self.evolve(declared, stored, objects, retired)
        draft = Draft(self.state)
        draft.touched = set()
        if not partner.is_within:
            draft.identities[partner.right] = {}
        self.derive(draft, partner, True, list(draft.objects[partner.left]))
        # The job makes them, sooner or later.
        draft.touched = set()
        self.commit(draft)
        self.partners.append(partner)

    def abort(self, partner):
        """Takes a partner back: its side leaves the schema, and clients that have it are refused."""
        s = self.state
        if partner.is_within:
            declared = s.declared.replacing(s.declared[partner.left].without(partner.added))
            gone = {(partner.left, n) for n in partner.added}
        else:
            declared, gone = s.declared.without(partner.right), {partner.right}
            require_unlinked(declared, partner.right)
        self.leave(partner, declared, gone, "aborted")

    def cut_over(self, partner, accepted):
        """Lets a partner stand alone.

        Raises `Refused` where an object breaks the law and is not accepted, or something links to the class.
        """
        if set(self.findings(partner)[0]) - set(accepted):
            raise Refused("objects break the law")
        s = self.state
        if partner.is_within:
            declared, gone = s.declared.replacing(s.declared[partner.left].without([partner.property])), {(partner.left, partner.property)}
        else:
            declared, gone = s.declared.without(partner.left), {partner.left}
            require_unlinked(declared, partner.left)
        self.leave(partner, declared, gone, "done")

    def leave(self, partner, declared, gone, state):
        partner.state, self.is_vague = state, True
        self.evolve(declared, retired=self.state.retired | gone)

    # ---- additions and backfills -----------------------------------------------------------------------------------

    def migrate(self, target, applies_defaults):
        """Adds what a schema has more; what clients lose by that is told by `missing`."""
        s = self.state
        stored, objects = s.stored, dict(s.objects)
        touched = set()
        for wanted in target.classes.values():
            known = stored.get(wanted.name)
            if known is None:
                stored = stored.adding(wanted)
                objects.setdefault(wanted.name, {})
                continue
            added = {n: p for n, p in wanted.properties.items() if n not in known.properties}
            if not added:
                continue

            def value(prop):
                if applies_defaults and prop.default is not None:
                    return prop.default
                return ABSENT if prop.requires_value else prop.empty
            values = {n: value(p) for n, p in added.items()}
            if wanted.embedded:
                if any(x is ABSENT for x in values.values()) and any_embedded(s, wanted.name):
                    raise Refused("embedded objects would lack a value")
                values = {n: p.initial if x is ABSENT else x for (n, x), p in zip(values.items(), added.values())}
                changes = applies_defaults and any(p.default is not None for p in added.values())
                for owner in s.stored.top_level:
                    found = {k: inside(s.stored, owner, o, wanted.name, values) for k, o in objects.get(owner.name, {}).items()}
                    touched |= {(owner.name, k) for k, o in found.items() if changes and o is not objects[owner.name][k]}
                    objects[owner.name] = found
            else:
                if any(p.requires_value for p in added.values()):
                    self.reshaped = self.reshaped | {wanted.name}
                if applies_defaults and any(p.default is not None for p in added.values()):
                    touched |= {(wanted.name, k) for k in objects[wanted.name]}
                objects[wanted.name] = {k: {**o, **values} for k, o in objects[wanted.name].items()}
            stored = stored.replacing(known.adding({n: p.given for n, p in added.items()}))
        self.evolve(target, stored, objects, frozenset(r for r in s.retired if not has(target, r)))
        self.touched |= touched
        return touched

    def follow(self, objects, before=None):
        """Runs the functions of partners for objects that a job changed; where it named none of them, `before` is what was there."""
        draft = Draft(self.state)
        for partner in self.partners:
            if partner.writes_both:
                changed = [(c, k, {}) for c, k in objects]
                self.write_partner(draft, partner, changed, before)
        self.commit(draft)

    def backfill(self, class_name, name, value):
        """Gives a required property to all objects that lack it; `value` makes it of what a function sees of an object."""
        draft = Draft(self.state)
        lacking = [k for k, o in draft.objects[class_name].items() if o[name] is ABSENT]
        declared = draft.declared[class_name].properties
        for key in lacking:
            draft.set(class_name, key, {name: value({n: plain(draft.objects[class_name][key][n]) for n in declared if n != name})})
        self.commit(draft)
        self.follow({(class_name, k) for k in lacking})


class Mark:
    """A snapshot that clients may name, and what came about since the one before.

    It is vague where a partner came or went; reshaped are classes that got a property which objects may lack.
    """

    def __init__(self, snapshot, state, touched, is_vague, reshaped):
        self.snapshot, self.state, self.touched, self.is_vague, self.reshaped = snapshot, state, touched, is_vague, reshaped


def has(schema, retired):
    if isinstance(retired, str):
        return schema.get(retired) is not None
    found = schema.get(retired[0])
    return found is not None and retired[1] in found.properties


def require_unlinked(schema, class_name):
    for owner in schema.classes.values():
        if any(p.target == class_name for p in owner.properties.values()):
            raise Refused(f"{owner.name} links to {class_name}")


def links(schema, object_class, seen=()):
    """The classes that objects of a class link to, embedded objects included."""
    found = set()
    for prop in object_class.properties.values():
        if prop.type == "object" and schema.is_embedded(prop):
            if prop.target not in seen:
                found |= links(schema, schema[prop.target], (*seen, prop.target))
        elif prop.type == "object":
            found.add(prop.target)
    return found


def elements(prop, value):
    """The links or embedded objects of a property's value."""
    if value is None:
        return []
    found = [value] if prop.kind == "value" else value.values() if prop.kind == "dictionary" else value
    return [x for x in found if x is not None]


def partner_key(partner, side, key):
    """The key that an object has on the other side, which follows from its own alone.

    Raises `Refused` where the functions do not lead back from it.
    """
    if not partner.keys:
        return key
    other = partner.right if side == partner.left else partner.left
    found = partner.keys[side](key)
    if partner.keys[other](found) != key:
        raise Refused(f"the key {key!r} leads to {found!r}, and not back")
    return found


def partner_keys(partner, side, keys):
    """The keys of the other side, without those that lead nowhere."""
    found = {}
    for key in keys:
        with contextlib.suppress(Refused):
            found[key] = partner_key(partner, side, key)
    return found


def plain(value):
    """A value as functions see it."""
    if value is ABSENT:
        return None
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def answered(draft, prop, value):
    """The result of a function for a property.

    Raises `Refused` where it does not fit.
    """
    def embedded(object_class, given):
        return {n: draft.declared.value(object_class.properties[n], x, embedded) for n, x in given.items()}
    return draft.declared.value(prop, as_given(value), embedded)


def as_given(value):
    """Identifiers in the form of Realm JSON, which values of functions are checked in."""
    if isinstance(value, tuple):
        return {value[0]: value[1]}
    if isinstance(value, list):
        return [as_given(v) for v in value]
    return {k: as_given(v) for k, v in value.items()} if isinstance(value, dict) else value


def existing(draft, prop, value):
    """A function's value with the links that lead to an object, and whole embedded objects."""
    if prop.type != "object":
        return value

    def element(x):
        if x is None:
            return None
        if not draft.declared.is_embedded(prop):
            return x if draft.has(prop.target, x) else None
        inner = draft.stored[prop.target].properties
        declared = draft.declared[prop.target].properties
        return {n: existing(draft, p, x[n]) if n in x else declared.get(n, p).initial for n, p in inner.items()}

    if prop.kind == "value":
        return element(value)
    if prop.kind == "dictionary":
        return {k: element(x) for k, x in value.items()}
    found = [x for x in map(element, value) if x is not None]
    return as_set(found) if prop.kind == "set" else found


def any_embedded(state, class_name):
    found = []
    for owner in state.stored.top_level:
        for held in state.objects.get(owner.name, {}).values():
            inside(state.stored, owner, held, class_name, {}, found)
    return bool(found)


def inside(stored, owner, held, class_name, values, found=None):
    """An object with more in its embedded objects of a class; the same one where it has none of these."""
    changed = {}
    for name, prop in owner.properties.items():
        if prop.type != "object" or not stored.is_embedded(prop) or not held.get(name):
            continue

        def element(x, prop=prop):
            if x is None:
                return None
            inner = inside(stored, stored[prop.target], x, class_name, values, found)
            if prop.target != class_name:
                return inner
            if found is not None:
                found.append(x)
            return {**inner, **values}
        was = held[name]
        if prop.kind == "value":
            new = element(was)
        elif prop.kind == "dictionary":
            new = {k: element(x) for k, x in was.items()}
        else:
            new = [element(x) for x in was]
        if new != was:
            changed[name] = new
    return {**held, **changed} if changed else held
