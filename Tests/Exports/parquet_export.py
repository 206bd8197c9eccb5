#!/usr/bin/env python3
"""Exports realms to Parquet, reads them by pyarrow and duckdb, and compares every value with Realm JSON.

usage: parquet_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import base64
import hashlib
import json
import pathlib
import tempfile
import uuid
import zipfile

import duckdb
import export_check
import property_statistics
import pyarrow.parquet
from dates import nanoseconds_of

COLLECTIONS = ("list", "set", "dictionary")


class Expected:
    """A realm's values as Parquet has them, and the losses."""

    def __init__(self, document):
        self.classes = {each["name"]: each for each in document["schema"]}
        self.losses = {}
        self.without_key, self.numbers = set(), {}
        for name, each in self.classes.items():
            key = each.get("primaryKey")
            # Nothing can refer to an object whose key is null, nor by a collection, which some outcomes of Core's have for a key.
            if key and (each["properties"][key]["type"] in COLLECTIONS
                        or any(value[key] is None for value in document["objects"].get(name, []))):
                self.without_key.add(name)

    def stored(self, name):
        return {each: made for each, made in self.classes[name]["properties"].items() if made["type"] != "linkingObjects"}

    def value(self, made, value, place):
        if made["type"] not in COLLECTIONS:
            return self.element(made["type"], made.get("objectType"), value, place)
        kind = made["objectType"]
        target = kind if kind in self.classes else None
        element = "object" if target else kind
        if made["type"] == "dictionary":
            return {key: self.element(element, target, each, place) for key, each in value.items()}
        return [self.element(element, target, each, place) for each in value]

    def element(self, kind, target, value, place):
        if value is None:
            return None
        if kind == "object":
            if self.classes[target].get("embedded"):
                members = self.stored(target)
                if not members:
                    return True
                return {each: self.value(made, value[each], place) for each, made in members.items()}
            if target in self.without_key:
                return ("link", target, json.dumps(value))
            key = self.classes[target].get("primaryKey")
            kind = self.classes[target]["properties"][key]["type"] if key else "int"
        return self.scalar(kind, value, place)

    def scalar(self, kind, value, place):
        if kind == "mixed":
            return json.dumps(value)
        if kind in ("float", "double"):
            return repr(float(value["$numberDouble"] if isinstance(value, dict) else value))
        if kind == "data":
            return base64.b64decode(value["$binary"]["base64"])
        if kind == "date":
            number = nanoseconds_of(value["$date"])
            if not -2 ** 63 <= number < 2 ** 63:
                key = (*place, "date_range")
                self.losses[key] = self.losses.get(key, 0) + 1
                return None
            return number
        if kind == "uuid":
            return uuid.UUID(value["$uuid"]).bytes
        return next(iter(value.values())) if isinstance(value, dict) else value


def plain(value, made, expected):
    """A value of pyarrow in the form of `Expected`."""
    if value is None:
        return None
    if made["type"] in COLLECTIONS:
        kind = made["objectType"]
        inner = {"type": "object", "objectType": kind} if kind in expected.classes else {"type": kind}
        if made["type"] == "dictionary":
            return {key: plain(each, inner, expected) for key, each in value}
        return [plain(each, inner, expected) for each in value]
    kind, target = made["type"], made.get("objectType")
    if kind == "object":
        if expected.classes[target].get("embedded"):
            members = expected.stored(target)
            return True if not members else {
                each: plain(part, inner, expected) for (each, inner), part in zip(members.items(), value.values())}
        if target in expected.without_key:
            return ("link", target, json.dumps(expected.numbers[target][value]))
        key = expected.classes[target].get("primaryKey")
        kind = expected.classes[target]["properties"][key]["type"] if key else "int"
    if kind == "mixed":
        return json.dumps(json.loads(value))
    if kind in ("float", "double"):
        return repr(value)
    if kind == "uuid" and isinstance(value, uuid.UUID):
        return value.bytes
    return value


def rows_of(table):
    """The rows of a table as tuples; dates as whole nanoseconds, which Python's own have not."""
    columns = [convert(column.combine_chunks(), column.type) for column in table.columns]
    return list(zip(*columns)) if columns else [() for _ in range(table.num_rows)]


def convert(array, kind):
    types = pyarrow.types
    if types.is_timestamp(kind):
        return array.cast(pyarrow.int64()).to_pylist()
    if types.is_list(kind) or types.is_map(kind):
        if types.is_map(kind):
            keys, items = convert(array.keys, kind.key_type), convert(array.items, kind.item_type)
            elements = list(zip(keys, items))
        else:
            elements = convert(array.values, kind.value_type)
        offsets, valid = array.offsets.to_pylist(), array.is_valid().to_pylist()
        return [elements[start:end] if ok else None for start, end, ok in zip(offsets, offsets[1:], valid)]
    if types.is_struct(kind):
        parts = [convert(array.field(number), kind.field(number).type) for number in range(kind.num_fields)]
        names = [kind.field(number).name for number in range(kind.num_fields)]
        return [dict(zip(names, values)) if ok else None
                for values, ok in zip(zip(*parts), array.is_valid().to_pylist())]
    if isinstance(array, pyarrow.ExtensionArray):
        return convert(array.storage, array.storage.type)
    return array.to_pylist()


def compare(document, digests, path, _):
    expected, problems = Expected(document), []
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        manifest = json.loads(archive.read("manifest.json"))
        problems += property_statistics.problems(
            document, {each["class"]: each["properties"] for each in manifest["classes"]})
        tables, files = {}, {}
        for each in manifest["classes"]:
            objects = document["objects"].get(each["class"], [])
            if (each["objectCount"], each["digest"]) != (
                    len(objects), digests.get(each["class"], hashlib.sha256()).hexdigest()):
                problems.append(f"{each['class']}: the manifest says {each}")
            file = files[each["class"]] = pathlib.Path(folder, f"{len(files)}.parquet")
            file.write_bytes(archive.read(each["file"]))
            tables[each["class"]] = pyarrow.parquet.ParquetFile(file).read()
        for name in expected.without_key:
            place = 1 + list(expected.stored(name)).index(expected.classes[name]["primaryKey"])
            made = expected.stored(name)[expected.classes[name]["primaryKey"]]
            for row, object_ in zip(rows_of(tables[name]), document["objects"].get(name, [])):
                value = object_[expected.classes[name]["primaryKey"]]
                expected.numbers[name] = expected.numbers.get(name, {})
                expected.numbers[name][row[0]] = {"$key": row[0]} if value is None else value
                if (row[place] is None) != (value is None):
                    problems.append(f"{name}: another primary key of {made}")
        for name, table in tables.items():
            problems += compare_class(expected, name, table, document["objects"].get(name, []))
            problems += compare_duckdb(expected, name, files[name], document["objects"].get(name, []))
        said = {(each["class"], loss["property"], loss["reason"]): loss["count"]
                for each in manifest["classes"] for loss in each["losses"]}
    if said != expected.losses:
        problems.append(f"losses {said}, not {expected.losses}")
    return problems


def compare_class(expected, name, table, objects):
    stored = expected.stored(name)
    own = expected.classes[name].get("primaryKey") is None or name in expected.without_key
    head = (["_key"] if own else []) + list(stored)
    if not head:
        return []
    problems = []
    if len(table.column_names) != len(head) or table.num_rows != len(objects):
        return [f"{name}: {table.num_rows} rows of {table.column_names}, not {len(objects)} of {head}"]
    for row, object_ in zip(rows_of(table), objects):
        if own and name not in expected.without_key and row[0] != object_["_key"]:
            problems.append(f"{name}: the key {object_['_key']} is {row[0]}")
        for (each, made), cell in zip(stored.items(), row[len(row) - len(stored):]):
            wanted, found = expected.value(made, object_[each], (name, each)), plain(cell, made, expected)
            if repr(wanted) != repr(found):
                problems.append(f"{name}.{each}: {wanted!r} is {found!r}")
    return problems


def compare_duckdb(expected, name, file, objects):
    """duckdb reads the file by itself; its counts of rows and of values have to be the realm's."""
    stored = expected.stored(name)
    if not stored:
        return []
    connection = duckdb.connect()
    columns = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{file}')").fetchall()]
    wanted = [len(objects)]
    for each, made in stored.items():
        wanted.append(sum(
            expected.value(made, object_[each], ("duckdb", each)) is not None for object_ in objects))
    for key in [key for key in expected.losses if key[0] == "duckdb"]:
        del expected.losses[key]
    quoted = ['"' + each.replace('"', '""') + '"' for each in columns[len(columns) - len(stored):]]
    counts = ", ".join(f"count({each})" for each in quoted)
    found = list(connection.execute(f"SELECT count(*), {counts} FROM read_parquet('{file}')").fetchone())
    if found != wanted:
        return [f"{name}: duckdb counts {found}, not {wanted}"]
    # Every value is read, by duckdb alone.
    connection.execute(f"CREATE TABLE whole AS SELECT * FROM read_parquet('{file}')")
    return []


def main():
    export_check.main("Parquet", export_check.parser(__doc__).parse_args(), compare, "parquet.zip")


if __name__ == "__main__":
    main()
