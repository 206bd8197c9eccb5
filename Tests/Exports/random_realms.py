"""Realms of random schemas: every type in every collection, names that databases take for one, values at the ends."""

NAMES = ["name", "Name", "NAME", "select", "order", "group", "rowid", "_key", "_KEY", "owner", "value", "position", "key",
         "a\"b", "a'b", "a b", "é", "É", "日本", "x;--", "p1", "p2", "p3", "p4", "index", "table", "p" * 63,
         "_id", "$oid", "xmin", "xmin_2"]
CLASSES = ["Person", "person", "Order", "Table", "sqlite_sequence", "realm_manifest", "Per\"son", "Группа", "Person_p1",
           "index", "A", "C" * 57, "pg_class", "nul", "con"]
SCALARS = ["int", "bool", "float", "double", "string", "data", "date", "decimal128", "objectId", "uuid"]
TEXTS = ["", "a", "a\0b", "\0", "é", "e\u0301", "😀", "it's", "\"quoted\"", "a,b", "line\nend\r\n", "\\N", "\\.", "\t", "NULL"]
DATES = ["1970-01-01T00:00:00Z", "2020-01-31T10:00:00.123456789Z", "1969-12-31T23:59:59.999999999Z",
         "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "+010000-01-01T00:00:00Z", "+292277026596-12-04T15:30:07Z",
         "-000001-12-31T23:59:59Z", "1600-02-29T12:00:00.5Z"]
NUMBERS = [0, 1, -1, 2 ** 63 - 1, -2 ** 63, 2 ** 53 + 1, 1000]
DOUBLES = [0.0, -0.0, 0.1, 1.0, -5e-324, 1e300, -1.7976931348623157e308, 123456789.125, 1e15, 1e16]
SPECIALS = [{"$numberDouble": "NaN"}, {"$numberDouble": "Infinity"}, {"$numberDouble": "-Infinity"}]
DECIMALS = ["0", "-0", "1.50", "1E+3", "NaN", "Infinity", "-Infinity", "9999999999999999999999999999999999E+6111",
            "1E-6176", "0.000001", "123.456"]


class RandomRealm:
    """One realm, from random numbers that can be had again."""

    def __init__(self, numbers):
        self.random = numbers
        self.classes = {}
        self.keys = {}

    def document(self):
        names = self.random.sample(CLASSES, 4)
        embedded = ["Embedded", "embedded"]
        for name in names:
            self.classes[name] = self.top_level(names + embedded)
        self.classes["Embedded"] = self.embedded(names + ["embedded"])
        self.classes["embedded"] = self.embedded(names)
        for name in names:
            self.keys[name] = self.make_keys(self.classes[name])
        objects = {name: [self.object(self.classes[name], key) for key in self.keys[name]] for name in names}
        return {"schemaVersion": self.random.choice([None, 0, 7, 2 ** 31, 2 ** 63]),
                "schema": [{"name": name, **each} for name, each in self.classes.items()], "objects": objects}

    # Schema

    def top_level(self, targets):
        properties, made = {}, {"embedded": False}
        if self.random.random() < 0.6:
            made["primaryKey"] = "id"
            properties["id"] = {"type": self.random.choice(["int", "string", "objectId", "uuid"]),
                                "optional": self.random.random() < 0.3}
        for name in self.random.sample(NAMES, self.random.randint(0, 8)):
            if name == "_key" and "primaryKey" not in made:
                # Realm JSON has the object key by that name.
                continue
            properties[name] = self.property(targets)
        return {**made, "properties": properties}

    def embedded(self, targets):
        names = self.random.sample(NAMES, self.random.randint(1, 4))
        return {"embedded": True, "properties": {name: self.property(targets) for name in names}}

    def property(self, targets):
        kind = self.random.choice(SCALARS + ["mixed", "object", "object", "object"])
        collection = self.random.choice([None, None, None, "list", "set", "dictionary"])
        if kind == "object":
            target = self.random.choice(targets)
            if collection == "set" and target.lower() == "embedded":
                collection = "list"
            optional = collection in (None, "dictionary")
            made = {"type": collection or "object", "objectType": target, "optional": optional}
            return made
        optional = kind == "mixed" or self.random.random() < 0.5
        if collection:
            return {"type": collection, "objectType": kind, "optional": optional}
        made = {"type": kind, "optional": optional}
        if kind in ("int", "string", "date", "bool", "objectId", "uuid") and self.random.random() < 0.2:
            made["indexed"] = True
        return made

    # Objects

    def make_keys(self, made):
        count = self.random.randint(0, 12)
        key = made["properties"].get("id") if "primaryKey" in made else None
        if key is None:
            return [3 * number for number in range(count)]
        keys = []
        for number in range(count * 4):
            value = None if key["optional"] and number == 3 and self.random.random() < 0.5 else self.scalar(key["type"], True)
            if value not in keys and len(keys) < count:
                keys.append(value)
        return keys

    def object(self, made, key=None):
        values = {}
        if not made["embedded"] and "primaryKey" not in made:
            values["_key"] = key
        for name, each in made["properties"].items():
            values[name] = key if made.get("primaryKey") == name else self.value(each)
        return values

    def value(self, each):
        if each["type"] not in ("list", "set", "dictionary"):
            return self.element(each, each["type"], each.get("objectType"))
        kind = each["objectType"]
        element = "object" if kind in self.classes or kind.lower() == "embedded" else kind
        made = [self.element(each, element, kind) for _ in range(self.random.randint(0, 4))]
        if element == "object" and not each["optional"]:
            made = [value for value in made if value is not None]
        if each["type"] == "list":
            return made
        if each["type"] == "set":
            unique = []
            for value in made:
                if value not in unique and not isinstance(value, float) and not self.is_container(value):
                    unique.append(value)
            return unique
        keys = self.random.sample(["", "a", "A", "é", "e\u0301", "k k", "\0", "a\0"], len(made))
        return dict(zip(keys, made))

    @staticmethod
    def is_container(value):
        if isinstance(value, list):
            return True
        return isinstance(value, dict) and not (value and next(iter(value)).startswith("$"))

    def element(self, each, kind, target):
        if kind == "object":
            if self.random.random() < 0.2:
                return None
            if target.lower() == "embedded":
                return self.object(self.classes[target])
            return self.link(target)
        if kind == "mixed":
            return self.mixed(0)
        if each["optional"] and self.random.random() < 0.25:
            return None
        return self.scalar(kind)

    def link(self, target):
        keys = self.keys[target]
        if not keys:
            return None
        place = self.random.randrange(len(keys))
        return {"$key": place} if keys[place] is None else keys[place]

    def mixed(self, depth):
        choice = self.random.randrange(8)
        if choice == 0:
            return None
        if choice == 1 and depth < 3:
            return [self.mixed(depth + 1) for _ in range(self.random.randint(0, 3))]
        if choice == 2 and depth < 3:
            return {f"k{number}": self.mixed(depth + 1) for number in range(self.random.randint(0, 3))}
        if choice == 3:
            return {"$float": self.random.choice([0.5, -0.0, "NaN", "Infinity"])}
        if choice == 4:
            target = self.random.choice(list(self.keys))
            key = self.link(target)
            return None if key is None else {"$ref": target, "$id": key}
        return self.scalar(self.random.choice(SCALARS[:2] + SCALARS[3:]))

    def scalar(self, kind, is_key=False):
        pick, number = self.random.choice, self.random.randrange
        if kind == "int":
            return pick(NUMBERS + [number(-10 ** 6, 10 ** 6)])
        if kind == "bool":
            return pick([True, False])
        if kind == "float":
            return pick([0.5, -0.0, 0.10000000149011612, 16777216.0, *SPECIALS])
        if kind == "double":
            return pick(DOUBLES + SPECIALS)
        if kind == "string":
            return pick(TEXTS + [f"text {number(100)}"])
        if kind == "data":
            return {"$binary": {"base64": pick(["", "AA==", "/+8=", "aGk="]), "subType": "00"}}
        if kind == "date":
            return {"$date": pick(DATES)}
        if kind == "decimal128":
            return {"$numberDecimal": pick(DECIMALS)}
        if kind == "objectId":
            return {"$oid": "%024x" % (number(2 ** 96) if is_key else pick([0, 1, 2 ** 96 - 1]))}
        digits = "%032x" % (number(2 ** 128) if is_key else pick([0, 1, 2 ** 128 - 1]))
        return {"$uuid": "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])}
