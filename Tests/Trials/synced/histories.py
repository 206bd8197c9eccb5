"""Random histories: a step at a time, each said as a request, so that it can be told and done again."""

from .model import Reset, elements
from .worlds import SCRIPTS
from .schemas import ABSENT, as_json

TEXTS = ["", "ada", "Bob", "eve", "x y", "zoe"]
NUMBERS = [-1, 0, 1, 2, 7, 41]


class Generator:
    """Makes the steps of a history up, looking at what the model holds."""

    def __init__(self, random, world, realm, options):
        self.random, self.world, self.realm, self.options = random, world, realm, options

    # ---- values ----------------------------------------------------------------------------------------------------

    def key(self, name, number):
        kind = self.realm.state.stored[name].properties["_id"].type if self.realm.state.stored.get(name) else \
            next(v[name] for v in self.realm.versions.values() if v.get(name)).properties["_id"].type
        if name == "Note2":
            return self.world.keys[name].format(number if self.random.random() < 0.97 else f"0{number}")
        return {"int": number, "string": f"k{number}", "objectId": ("$oid", f"{number:024x}"),
                "uuid": ("$uuid", f"00000000-0000-4000-8000-{number:012x}")}[kind]

    def some_key(self, schema, name, there, fresh=False):
        found = list(there.get(name, {}))
        if found and not fresh:
            return self.random.choice(found)
        return self.key(name, self.random.randrange(self.options["keys"]))

    def value(self, schema, prop, there):
        random = self.random
        if prop.kind == "value":
            return self.element(schema, prop, there)
        items = [x for x in (self.element(schema, prop, there, False) for _ in range(random.choice([0, 1, 1, 2, 3]))) if x is not None]
        if prop.kind == "dictionary":
            return {random.choice("abc"): x if random.random() < 0.9 else None for x in items}
        return items

    def element(self, schema, prop, there, may_be_null=True):
        random = self.random
        if prop.type == "object":
            if may_be_null and random.random() < 0.2:
                return None
            if schema.is_embedded(prop):
                inner = schema[prop.target]
                return {n: self.value(schema, p, there) for n, p in inner.properties.items() if random.random() < 0.8}
            found = list(there.get(prop.target, {}))
            return random.choice(found) if found else None
        if prop.optional and may_be_null and random.random() < 0.25:
            return None
        if prop.type == "string" and prop.name in ("years",):
            return random.choice(["7", "07", "41", "-1", "0", "" if random.random() < 0.3 else "2"] + (["forty"] if random.random() < 0.05 else []))
        if prop.name == "label" and random.random() < 0.8 and len(TEXTS) > 2:
            return "L-" + random.choice(TEXTS)
        return {"int": lambda: random.choice(NUMBERS), "string": lambda: random.choice(TEXTS), "bool": lambda: random.random() < 0.5,
                "double": lambda: random.choice([0.5, 1.5, -2.25])}.get(prop.type, lambda: self.key("Tag", 1))()

    # ---- batches ---------------------------------------------------------------------------------------------------

    def version(self):
        served = [v for v in (None, *self.realm.versions) if self.realm.is_served(v)]
        every = [None, *self.realm.versions]
        return self.random.choice(served if self.random.random() < 0.97 else every)

    def batch(self):
        random, version = self.random, self.version()
        try:
            schema = self.realm.schema(version)
            there = {name: dict(objects) for name, objects in self.realm.state.view(schema).items()}
        except Reset:
            schema, there = self.realm.versions[version], {}
        server = self.realm.state.declared
        # Changes of things that the realm lacks are refused, and not worth many batches.
        classes = [c for c in schema.top_level if server.get(c.name) or random.random() < 0.03]
        upserts, deletes = [], []
        for _ in range(random.choice([1, 1, 2, 2, 3, 5, 8])):
            found = random.choice(classes)
            if random.random() < 0.2:
                deletes.append((found.name, self.some_key(schema, found.name, there, random.random() < 0.15)))
                continue
            key = self.some_key(schema, found.name, there, random.random() < 0.35)
            known = server.get(found.name)
            there.setdefault(found.name, {}).setdefault(key, None)
            names = [n for n, p in found.properties.items() if n != found.key and random.random() < 0.45]
            names = [n for n in names if known is None or n in known.properties or random.random() < 0.02]
            values = {n: self.value(schema, found.properties[n], there) for n in names}
            upserts.append((found.name, {found.key: key, **values}))
        if random.random() < 0.03:
            self.break_one(upserts)
        return {"op": "batch", "version": version, "base": self.base(), "batch": {
            "upserts": [{"class": c, "object": as_json(o)} for c, o in upserts],
            "deletes": [{"class": c, "key": as_json(k)} for c, k in deletes]}}

    def base(self):
        marks = self.realm.marks
        return self.random.randrange(1, min(len(marks), 6) + 1) if marks and self.random.random() < 0.12 else None

    def break_one(self, upserts):
        """Makes a batch wrong in some way."""
        if not upserts:
            return
        _, given = self.random.choice(upserts)
        self.random.choice([
            lambda: given.pop("_id"), lambda: given.update(_id=[1]), lambda: given.update(nonsense=1),
            lambda: upserts.append(("Nonsense", {"_id": 1})), lambda: given.update({n: {"a": [1]} for n in list(given)[1:]}),
            lambda: upserts.append(("Note", {"_id": 1, "tags": [as_json(self.key("Tag", 999))]}))])()

    def delete_all(self):
        version = self.version()
        try:
            schema = self.realm.schema(version)
        except Reset:
            return None
        view = self.realm.state.view(schema)
        only = self.random.choice(sorted(view)) if self.random.random() < 0.8 else None
        deletes = [{"class": c, "key": as_json(k)} for c, found in view.items() if only in (None, c) for k in found]
        return {"op": "batch", "version": version, "base": None, "batch": {"upserts": [], "deletes": deletes}}

    def bulk(self, count):
        """A batch that makes many persons, of which each has the next one for a friend."""
        keys = [self.key("Person", 1000 + i) for i in range(count)]
        there = self.realm.state.declared["Person"].properties
        return {"op": "batch", "version": None, "base": None, "batch": {"deletes": [], "upserts": [
            {"class": "Person", "object": {"_id": key, "name": TEXTS[i % 5], "age": i, **({"friends": [keys[i - 1]]} if "friends" in there else {})}}
            for i, key in enumerate(keys)]}}

    # ---- steps -----------------------------------------------------------------------------------------------------

    def step(self):
        """The next step."""
        while True:
            found = self.special() if self.random.random() < self.options["special"] else self.batch()
            if found is not None:
                return found

    def special(self):
        random = self.random
        kinds = {"delete_all": 2, "empty": 1, "again": 3, "make": 6, "abort": 2, "cutOver": 1.5, "add": 4, "index": 1, "add_class": 0.7, "backfill": 5, "hold": 2,
                 "work": 4, "kill": 3 if self.options["kills"] else 0}
        kind = random.choices(list(kinds), list(kinds.values()))[0]
        return getattr(self, "do_" + kind)()

    def do_delete_all(self):
        return self.delete_all() if self.random.random() < 0.5 else None

    def do_empty(self):
        return {"op": "empty", "version": self.version(), "batch": self.random.choice([{}, {"upserts": []}, {"upserts": [], "deletes": []}])}

    def do_again(self):
        return {**self.batch(), "op": "twice", "base": None}

    def do_make(self):
        busy = {p.name for p in self.realm.partners if p.writes_both or p.state == "done"}
        free = [n for n in self.world.partners if n not in busy]
        return {"op": "make", "partner": self.random.choice(free)} if free else None

    def active(self):
        return [p.name for p in self.realm.partners if p.writes_both]

    def do_abort(self):
        return {"op": "abort", "partner": self.random.choice(self.active())} if self.active() else None

    def do_cutOver(self):
        return {"op": "cutOver", "partner": self.random.choice(self.active()), "accept": self.random.random() < 0.7} if self.active() else None

    def do_add(self):
        declared = self.realm.state.declared
        open_ones = [(n, p) for n, p in self.world.additions
                     if declared.get(n) and not any(x in declared[n].properties for x in p)]
        if not open_ones:
            return None
        some = self.random.sample(open_ones, min(len(open_ones), self.random.choice([1, 1, 2])))
        return {"op": "add", "properties": [[n, p] for n, p in some], "defaults": self.random.random() < 0.6}

    def do_index(self):
        c = self.random.choice(self.realm.state.declared.top_level)
        free = [n for n, p in c.properties.items() if n != c.key and p.kind == "value" and p.type in ("int", "string")
                and not (isinstance(p.given, dict) and p.given.get("indexed"))]
        return {"op": "index", "class": c.name, "property": self.random.choice(free)} if free else None

    def do_add_class(self):
        free = [c for c in self.world.classes if self.realm.state.declared.get(c["name"]) is None]
        return {"op": "add_class", "class": self.random.choice(free)} if free else None

    def do_backfill(self):
        state = self.realm.state
        lacking = sorted({(c.name, n) for c in state.declared.top_level for n, p in c.properties.items()
                          if p.requires_value and any(o.get(n) is ABSENT for o in state.objects.get(c.name, {}).values())})
        if not lacking:
            return None
        name, prop = self.random.choice(lacking)
        given = state.declared[name].properties[prop]
        fill = {"value": as_json(self.element(state.declared, given, {}, False))}
        if (name, prop) in SCRIPTS and self.random.random() < 0.5:
            fill = {"script": SCRIPTS[name, prop][0]}
        return {"op": "backfill", "class": name, "property": prop, **fill}

    def do_hold(self):
        return {"op": "hold", "kill": self.options["kills"] and self.random.random() < 0.5}

    def do_work(self):
        return {"op": "work"}

    def do_kill(self):
        return {**self.batch(), "op": "kill", "after": round(self.random.random() ** 2 * 0.02, 4)}


__all__ = ["Generator", "elements"]
