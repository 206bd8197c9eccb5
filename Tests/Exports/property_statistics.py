"""The statistics that a manifest has to have of each property, by the objects of the realm's document: nulls, elements and extremes."""

import base64
import decimal
import math

from dates import nanoseconds_of

COLLECTIONS = ("list", "set", "dictionary")
LONGEST_TEXT = 256


def problems(document, manifest):
    """The faults of the `properties` of the classes in a manifest, by their names."""
    expected = statistics(document)
    found = []
    for name, said in manifest.items():
        properties = expected[name]
        if [each["property"] for each in said] != list(properties):
            found.append(f"{name}: the manifest has {said}")
            continue
        for entry in said:
            wanted = properties[entry["property"]].entry()
            # `hostile_names.py` looks at the names.
            names = {"property", "column", "table", "member"}
            if any(not same(entry.get(each), wanted.get(each)) for each in {*entry, *wanted} - names):
                found.append(f"{name}.{entry['property']}: the manifest says {entry}, not {wanted}")
    return found


def same(found, wanted):
    """Whether two scalars of Realm JSON have one place in their order; numbers of `jsonb` are decimal, texts without NUL."""
    found, wanted = comparable(found), comparable(wanted)
    if isinstance(wanted, float):
        return found is not None and float(found) == wanted
    if isinstance(wanted, bytes):
        return found in (wanted, wanted.replace(b"\0", "\ufffd".encode()))
    return found == wanted


def statistics(document):
    classes = {each["name"]: each for each in document["schema"]}
    made = {name: {each: Statistics(value, classes) for each, value in schema["properties"].items()
                   if value["type"] != "linkingObjects"} for name, schema in classes.items()}

    def walk(name, values):
        for each, found in made[name].items():
            found.take(values.get(each), walk)

    for name, objects in document["objects"].items():
        for each in objects:
            walk(name, each)
    return made


def comparable(value):
    """The key that orders a scalar of Realm JSON."""
    if not isinstance(value, dict):
        return value.encode() if isinstance(value, str) else value
    if "$date" in value:
        return nanoseconds_of(value["$date"])
    if "$binary" in value:
        return base64.b64decode(value["$binary"]["base64"])
    ((kind, text),) = value.items()
    if kind == "$numberDecimal":
        return decimal.Decimal(text)
    return float(text) if kind == "$numberDouble" else text


class Statistics:
    def __init__(self, made, classes):
        self.is_collection = made["type"] in COLLECTIONS
        kind = made.get("objectType") if self.is_collection else made["type"]
        self.target = kind if kind in classes else made.get("objectType")
        self.is_link = kind == "object" or kind in classes
        self.is_embedded = self.is_link and classes.get(self.target, {}).get("embedded", False)
        self.has_extremes = not self.is_link and kind != "mixed"
        self.nulls, self.elements, self.extremes = 0, 0, None

    def take(self, value, walk):
        if not self.is_collection:
            return self.single(value, walk)
        values = list(value.values()) if isinstance(value, dict) else value
        self.elements += len(values)
        for each in values:
            self.single(each, walk)

    def single(self, value, walk):
        if value is None:
            self.nulls += 1
        elif self.is_embedded:
            walk(self.target, value)
        elif self.has_extremes:
            key = comparable(value)
            if isinstance(key, (float, decimal.Decimal)) and math.isnan(key):
                return
            low, high = self.extremes or (value, value)
            self.extremes = (value if key < comparable(low) else low, value if key > comparable(high) else high)

    def entry(self):
        made = {"nulls": self.nulls, **({"elements": self.elements} if self.is_collection else {})}
        if self.extremes and not any(self.is_long(each) for each in self.extremes):
            made["minimum"], made["maximum"] = self.extremes
        return made

    @staticmethod
    def is_long(value):
        return isinstance(comparable(value), bytes) and len(comparable(value)) > LONGEST_TEXT
