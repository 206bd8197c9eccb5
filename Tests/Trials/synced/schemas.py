"""Schemas of synced realms, and values in the forms of Realm JSON."""

# The value of a required property that nobody has filled.
ABSENT = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()

EMPTY = {"int": 0, "string": "", "bool": False, "double": 0.0, "objectId": ("$oid", "0" * 24),
         "uuid": ("$uuid", "00000000-0000-0000-0000-000000000000")}
COLLECTIONS = ("list", "set", "dictionary")


class Refused(Exception):
    """A request that has to be refused, and changes nothing."""


class Property:
    """A property: `kind` is `value` or one of the collections, `type` one of values or `object`."""

    def __init__(self, name, given):
        given = {"type": given} if isinstance(given, str) else given
        self.name, self.given = name, given
        self.kind = given["type"] if given["type"] in COLLECTIONS else "value"
        inner = given.get("objectType") if self.kind != "value" else given["type"]
        self.optional, self.default = given.get("optional", False), given.get("default")
        self.target = None if inner in EMPTY else given["objectType"]
        self.type = "object" if self.target else inner

    def is_like(self, other):
        """Whether clients that have the one read what is stored for the other."""
        return (self.kind, self.type, self.target, self.optional) == (other.kind, other.type, other.target, other.optional)

    @property
    def requires_value(self):
        return self.kind == "value" and self.type != "object" and not self.optional

    @property
    def empty(self):
        """The value of a property that nobody gave one, and that has no declared default."""
        if self.kind != "value":
            return {} if self.kind == "dictionary" else []
        return None if self.optional or self.type == "object" else EMPTY[self.type]

    @property
    def initial(self):
        return self.empty if self.default is None else self.default


class ObjectClass:
    def __init__(self, given):
        self.given, self.name = given, given["name"]
        self.embedded, self.key = given.get("embedded", False), given.get("primaryKey")
        self.properties = {name: Property(name, p) for name, p in given["properties"].items()}

    def adding(self, properties):
        return ObjectClass({**self.given, "properties": {**self.given["properties"], **properties}})

    def without(self, names):
        return ObjectClass({**self.given, "properties": {n: p for n, p in self.given["properties"].items() if n not in names}})


class Schema:
    def __init__(self, classes):
        """From classes as Realm JSON has them, or as `ObjectClass`."""
        classes = [c if isinstance(c, ObjectClass) else ObjectClass(c) for c in classes]
        self.classes = {c.name: c for c in classes}

    def __getitem__(self, name):
        return self.classes[name]

    def get(self, name):
        return self.classes.get(name)

    @property
    def json(self):
        return [c.given for c in self.classes.values()]

    @property
    def top_level(self):
        return [c for c in self.classes.values() if not c.embedded]

    def replacing(self, changed):
        return Schema([changed if c.name == changed.name else c for c in self.classes.values()])

    def adding(self, added):
        return Schema([*self.classes.values(), added])

    def without(self, name):
        return Schema([c for c in self.classes.values() if c.name != name])

    def is_embedded(self, prop):
        return prop.type == "object" and self.classes[prop.target].embedded

    # ---- values ----------------------------------------------------------------------------------------------------

    def scalar(self, type_name, given):
        """The value of Realm JSON as the model has it.

        Raises `Refused` where it is none of the type.
        """
        if type_name in ("objectId", "uuid"):
            tag = "$oid" if type_name == "objectId" else "$uuid"
            if isinstance(given, dict) and list(given) == [tag]:
                return (tag, given[tag])
        elif type_name == "double" and isinstance(given, (int, float)) and not isinstance(given, bool):
            return float(given)
        elif type(given) is {"int": int, "string": str, "bool": bool, "double": float}[type_name]:
            return given
        raise Refused(f"{given!r} is no {type_name}")

    def value(self, prop, given, embedded):
        """A property's value; `embedded` reads the members of an embedded object."""
        def element(item):
            if item is None:
                may_be = prop.optional or prop.type == "object" and prop.kind in ("value", "dictionary")
                if not may_be:
                    raise Refused(f"{prop.name} is null")
                return None
            if self.is_embedded(prop):
                return embedded(self[prop.target], item)
            if prop.type == "object":
                target = self[prop.target]
                return self.scalar(target.properties[target.key].type, item)
            return self.scalar(prop.type, item)

        if prop.kind == "value":
            return element(given)
        if prop.kind == "dictionary":
            if not isinstance(given, dict):
                raise Refused(f"{prop.name} is no dictionary")
            return {key: element(item) for key, item in given.items()}
        if not isinstance(given, list):
            raise Refused(f"{prop.name} is no {prop.kind}")
        return as_set([element(x) for x in given]) if prop.kind == "set" else [element(x) for x in given]

    def whole(self, object_class, given):
        """An object as the service answers it, with every property of its class."""
        if set(given) - set(object_class.properties):
            raise Refused(f"members that {object_class.name} has not: {sorted(set(given) - set(object_class.properties))}")
        return {name: self.value(p, given[name], self.whole) if name in given else ABSENT
                for name, p in object_class.properties.items()}


def as_set(values):
    """The elements of a set, in an order of their own."""
    return sorted(set(values), key=lambda v: (str(type(v)), v))


def as_json(value):
    """A value as Realm JSON has it."""
    if isinstance(value, tuple):
        return {value[0]: value[1]}
    if isinstance(value, list):
        return [as_json(x) for x in value]
    if isinstance(value, dict):
        return {k: as_json(v) for k, v in value.items() if v is not ABSENT}
    return value


def in_path(value):
    """A primary key as paths name it."""
    return str(value[1] if isinstance(value, tuple) else value)
