#!/usr/bin/env python3
"""Exports realms to Extended JSON, reads them by MongoDB's bson, and compares every value with Realm JSON.

usage: ejson_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import base64
import json
import uuid
import zipfile

import bson
import export_check
import property_statistics
from bson import json_util
from dates import nanoseconds_of

OPTIONS = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL, datetime_conversion=bson.DatetimeConversion.DATETIME_MS,
    uuid_representation=bson.UuidRepresentation.UNSPECIFIED)
COLLECTIONS = ("list", "set", "dictionary")


class Expected:
    """A realm's values as MongoDB has them, and the losses."""

    def __init__(self, document):
        self.document = document
        self.classes = {each["name"]: each for each in document["schema"]}
        self.losses = {}

    def lose(self, place, reason):
        key = (*place, reason)
        self.losses[key] = self.losses.get(key, 0) + 1

    def object(self, name, value, place=None):
        made = {}
        key = self.classes[name].get("primaryKey")
        if place is None and key != "_id":
            made["_id"] = self.scalar(self.classes[name]["properties"][key]["type"], value[key], None) if key else \
                bson.Int64(value["_key"])
        for each, property_ in self.classes[name]["properties"].items():
            if property_["type"] != "linkingObjects":
                at = place or (name, each)
                made[self.member(name, each, place is None)] = self.value(property_, value[each], at)
        return made

    def member(self, name, each, is_whole):
        """The member that a property is: `_id` is the primary key or the object key, `$` begins no name, and NUL is in none."""
        taken = {"_id"} if is_whole else set()
        for property_, made in self.classes[name]["properties"].items():
            if made["type"] == "linkingObjects":
                continue
            wanted = candidate = ("_" if property_.startswith("$") else "") + property_.replace("\0", "\ufffd")
            number = 1
            while candidate in taken and not (is_whole and property_ == "_id" == self.classes[name].get("primaryKey")):
                number += 1
                candidate = f"{wanted}_{number}"
            taken.add(candidate)
            if property_ == each:
                return candidate

    def name(self, text, place):
        if "\0" in text and place:
            self.lose(place, "nul_in_text")
        return text.replace("\0", "\ufffd")

    def value(self, made, value, place):
        if made["type"] not in COLLECTIONS:
            return self.element(made["type"], made.get("objectType"), value, place)
        kind = made["objectType"]
        target = kind if kind in self.classes else None
        element = "object" if target else kind
        if made["type"] == "dictionary":
            return {self.name(key, place): self.element(element, target, each, place) for key, each in value.items()}
        return [self.element(element, target, each, place) for each in value]

    def element(self, kind, target, value, place):
        if value is None:
            return None
        if kind == "mixed":
            return self.mixed(value, place)
        if kind != "object":
            return self.scalar(kind, value, place)
        if self.classes[target].get("embedded"):
            return self.object(target, value, place)
        return self.link(target, value, place)

    def link(self, target, value, place):
        if isinstance(value, dict) and "$key" in value:
            self.lose(place, "link_to_null_key")
            return None
        key = self.classes[target].get("primaryKey")
        return self.scalar(self.classes[target]["properties"][key]["type"] if key else "int", value, place)

    def scalar(self, kind, value, place):
        if value is None:
            return None
        if kind == "int":
            return bson.Int64(value)
        if kind in ("float", "double"):
            return float(value["$numberDouble"] if isinstance(value, dict) else value)
        if kind == "data":
            return base64.b64decode(value["$binary"]["base64"])
        if kind == "date":
            return self.date(value["$date"], place)
        if kind == "decimal128":
            return bson.Decimal128(value["$numberDecimal"])
        if kind == "objectId":
            return bson.ObjectId(value["$oid"])
        if kind == "uuid":
            return bson.Binary(uuid.UUID(value["$uuid"]).bytes, 4)
        return value

    def date(self, text, place):
        number, rest = divmod(nanoseconds_of(text), 10 ** 6)
        fits = -2 ** 63 <= number < 2 ** 63
        if (rest or not fits) and place:
            self.lose(place, "date_fraction" if fits else "date_range")
        return bson.DatetimeMS(number) if fits else None

    def mixed(self, value, place):
        if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
            return value
        if isinstance(value, int):
            return bson.Int64(value)
        if isinstance(value, list):
            return [self.mixed(each, place) for each in value]
        first = next(iter(value), "")
        kinds = {"$date": "date", "$uuid": "uuid", "$numberDouble": "double", "$numberDecimal": "decimal128",
                 "$oid": "objectId", "$binary": "data"}
        if first in kinds:
            return self.scalar(kinds[first], value, place)
        if first == "$float":
            return float(value["$float"])
        if first == "$ref":
            return bson.DBRef(value["$ref"], self.link(value["$ref"], value["$id"], place))
        return {self.name(key, place): self.mixed(each, place) for key, each in value.items()}


def compare(document, digests, path, _):
    expected, problems = Expected(document), []
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        problems += property_statistics.problems(
            document, {each["class"]: each["properties"] for each in manifest["classes"]})
        said = {(each["class"], loss["property"], loss["reason"]): loss["count"]
                for each in manifest["classes"] for loss in each["losses"]}
        for each in manifest["classes"]:
            lines = archive.read(each["file"]).decode().split("\n")[:-1]
            objects = document["objects"].get(each["class"], [])
            if len(lines) != len(objects):
                problems.append(f"{each['class']}: {len(objects)} objects, {len(lines)} documents")
            for line, object_ in zip(lines, objects):
                found, wanted = json_util.loads(line, json_options=OPTIONS), expected.object(each["class"], object_)
                bson.encode(found)
                if repr(found) != repr(wanted):
                    problems.append(f"{each['class']}: {wanted!r} is {found!r}")
    if said != expected.losses:
        problems.append(f"losses {said}, not {expected.losses}")
    return problems


def main():
    export_check.main("EJSON", export_check.parser(__doc__).parse_args(), compare, "ejson.zip")


if __name__ == "__main__":
    main()
