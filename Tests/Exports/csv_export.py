#!/usr/bin/env python3
"""Exports realms to CSV, reads them by Python's csv, and compares every value with Realm JSON.

usage: csv_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import csv
import hashlib
import io
import json
import zipfile

import export_check
import property_statistics

COLLECTIONS = ("list", "set", "dictionary")


def text(number):
    """A number of Realm JSON as a cell has it, to be compared as a number."""
    if isinstance(number, dict):
        return float(number["$numberDouble"])
    return float(number)


def is_same(kind, expected, cell, is_json):
    """Whether a cell holds a value; an empty cell is null or an empty text, which Python's csv takes for one."""
    if expected is None:
        return cell == ""
    if is_json:
        return json.dumps(json.loads(cell)) == json.dumps(expected)
    if kind in ("float", "double"):
        return repr(float(cell)) == repr(text(expected))
    if kind == "bool":
        return cell == ("true" if expected else "false")
    if kind == "int":
        return cell == str(expected)
    if kind == "data":
        return cell == expected["$binary"]["base64"]
    return cell == (next(iter(expected.values())) if isinstance(expected, dict) else expected)


def compare(document, digests, path, _):
    classes = {each["name"]: each for each in document["schema"]}
    problems = []
    with zipfile.ZipFile(path) as archive:
        if archive.testzip():
            return [f"the archive is damaged: {archive.testzip()}"]
        manifest = json.loads(archive.read("manifest.json"))
        problems += property_statistics.problems(
            document, {each["class"]: each["properties"] for each in manifest["classes"]})
        if {each["class"] for each in manifest["classes"]} != {
                name for name, each in classes.items() if not each.get("embedded")}:
            problems.append("other classes than the realm's")
        for each in manifest["classes"]:
            name, objects = each["class"], document["objects"].get(each["class"], [])
            if (each["objectCount"], each["digest"], each["losses"]) != (
                    len(objects), digests.get(name, hashlib.sha256()).hexdigest(), []):
                problems.append(f"{name}: the manifest says {each}")
            raw = archive.read(each["file"]).decode()
            rows = list(csv.reader(io.StringIO(raw, newline=""), strict=True))
            problems += compare_class(classes, name, objects, rows)
    return problems


def compare_class(classes, name, objects, rows):
    properties = {each: made for each, made in classes[name]["properties"].items() if made["type"] != "linkingObjects"}
    may_be_empty = [each.get("optional") for each in properties.values()] == [True]
    head = (["_key"] if may_be_empty or not classes[name].get("primaryKey") else []) + list(properties)
    if not head:
        return []
    if rows[0] != head:
        return [f"{name}: the head is {rows[0]}"]
    if len(rows) - 1 != len(objects):
        return [f"{name}: {len(objects)} objects, {len(rows) - 1} lines"]
    problems = []
    for expected, row in zip(objects, rows[1:]):
        for each, cell in zip(head, row, strict=True):
            if each not in expected:
                continue  # the object key, where Realm JSON has the primary key instead
            made = properties.get(each, {"type": "int"})
            target = classes.get(made.get("objectType"), {}) if made["type"] == "object" else {}
            key = target.get("primaryKey")
            kind = made["type"]
            if kind == "object":
                kind = target["properties"][key]["type"] if key else "int"
            optional = key is not None and target["properties"][key].get("optional", False)
            is_json = made["type"] in (*COLLECTIONS, "mixed") or target.get("embedded") or optional
            if not is_same(kind, expected[each], cell, is_json):
                problems.append(f"{name}.{each}: {expected[each]!r} is {cell!r}")
    return problems


def main():
    csv.field_size_limit(1 << 30)
    export_check.main("CSV", export_check.parser(__doc__).parse_args(), compare, "csv.zip")


if __name__ == "__main__":
    main()
