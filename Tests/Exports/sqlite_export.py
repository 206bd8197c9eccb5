#!/usr/bin/env python3
"""Exports realms to SQLite, reads them by Python's sqlite3, and compares every value with Realm JSON.

usage: sqlite_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import base64
import hashlib
import json
import math
import sqlite3

import export_check
import property_statistics
from dates import nanoseconds_of
from flattened import FlattenedRelations, FlattenedRows
from relations import Comparison, Relations, Rows

DATES = ("iso", "unix", "unixMillis")


def cells(dates):
    """A value of Realm JSON as SQLite has it, and the loss."""

    def cell(kind, value):
        if kind == "mixed":
            return (None if value is None else json.dumps(value)), None
        if value is None:
            return None, None
        if kind in ("float", "double"):
            number = float(value["$numberDouble"]) if isinstance(value, dict) else float(value)
            if math.isnan(number):
                return None, "not_a_number"
            return (0.0, "sign_of_zero") if number == 0 and math.copysign(1, number) < 0 else (number, None)
        if kind == "bool":
            return int(value), None
        if kind == "data":
            return base64.b64decode(value["$binary"]["base64"]), None
        if kind == "date":
            return date(value["$date"], dates)
        if isinstance(value, dict):
            (value,) = value.values()
        return value, None

    return cell


def date(text, form):
    if form == "iso":
        return text, None
    nanoseconds = nanoseconds_of(text)
    unit = 10 ** 9 if form == "unix" else 10 ** 6
    number, rest = divmod(nanoseconds, unit)
    if not -2 ** 63 <= number < 2 ** 63:
        return None, "date_range"
    return number, "date_fraction" if rest else None


def verify(program, path, source):
    """`realmshift verify` finds nothing in an export, and what is changed in it."""
    def differences():
        done = export_check.run(program, "verify", path, "--against", source.path, *source.options, "--json")
        return json.loads(done.stdout)["differences"] if done.returncode in (0, 1) and done.stdout else done.stderr
    problems = [f"verify: {differences()}"] if differences() else []
    with sqlite3.connect(path) as database:
        tables = [name for (name,) in database.execute("SELECT table_name FROM realm_manifest WHERE object_count > 0 AND table_name NOTNULL")]
        if not tables:
            return problems
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute(f"DELETE FROM {quoted(tables[0])} WHERE _rowid_ = (SELECT min(_rowid_) FROM {quoted(tables[0])})")
    if {"kind": "missing", "table": tables[0], "column": None, "count": 1} not in differences():
        problems.append(f"verify misses a row of {tables[0]} that is missing: {differences()}")
    return problems


def compare(document, digests, path, number):
    relations = FlattenedRelations(document) if is_flat(number) else Relations(document)
    dates = DATES[number % 3]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        problems = integrity(database, document["schemaVersion"])
        made = FlattenedRows if is_flat(number) else Rows
        rows = made(relations, lambda table, place: read(database, table, place))
        restore_mixed(document, relations, rows)
        comparison = Comparison(document, rows, cells(dates))
        problems += comparison.compare()
        problems += manifest(database, relations, document, digests, comparison.losses, rows)
    return problems


def is_flat(number):
    """Every other realm is exported with its embedded objects as columns."""
    return number % 2 == 1


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def read(database, table, place):
    found = database.execute(f"SELECT * FROM {quoted(table)}" + (f" ORDER BY owner, {place}" if place else ""))
    return [column[0] for column in found.description], found.fetchall()


def integrity(database, version):
    problems = [f"integrity_check: {row[0]}" for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
    problems += [f"foreign_key_check: {row}" for row in database.execute("PRAGMA foreign_key_check")]
    expected = version if version is not None and version < 2 ** 31 else 0
    found = database.execute("PRAGMA user_version").fetchone()[0]
    return problems + ([f"user_version {found}, not {expected}"] if found != expected else [])


def restore_mixed(document, relations, rows):
    """Mixed values are text of JSON: what it says counts, not how it is written."""
    for name in relations.classes:
        single = [each for each in relations.stored(name) if not relations.is_collection(name, each)]
        for key, row in rows.objects[name].items():
            row, first = list(row), len(row) - len(single)
            for index, each in enumerate(single):
                if relations.element(name, each)[0] == "mixed":
                    row[first + index] = normal(row[first + index])
            rows.objects[name][key] = tuple(row)
        for each in relations.stored(name):
            if relations.is_collection(name, each) and relations.element(name, each)[0] == "mixed":
                for elements in rows.elements[name, each].values():
                    elements[:] = [(*row[:-1], normal(row[-1])) for row in elements]


def normal(text):
    return None if text is None else json.dumps(json.loads(text))


def manifest(database, relations, document, digests, losses, read_rows):
    problems = []
    found = {row[0]: row[1:] for row in database.execute(
        f"SELECT class, table_name, object_count, digest, properties, losses FROM {quoted(relations.manifest)}")}
    if set(found) != set(relations.classes):
        problems.append(f"the manifest has {sorted(found)}")
    problems += property_statistics.problems(
        document, {name: json.loads(properties) for name, (*_, properties, _) in found.items()})
    said = {}
    for name, (table, count, digest, _, lost) in found.items():
        rows = len(read_rows.objects[name])
        embedded = relations.classes[name].get("embedded", False)
        expected = None if embedded else digests.get(name, hashlib.sha256()).hexdigest()
        if (table, count, digest) != (relations.tables[name], rows, expected):
            problems.append(f"{name}: the manifest says {table}, {count}, {digest}; not {rows}, {expected}")
        for loss in json.loads(lost):
            said[name, loss["property"], loss["reason"]] = loss["count"]
    if said != losses:
        problems.append(f"losses {said}, not {losses}")
    return problems


def main():
    options = export_check.parser(__doc__).parse_args()
    export_check.main(
        "SQLite", options, compare, "sqlite",
        lambda number: ["--dates", DATES[number % 3], *(["--flatten"] if is_flat(number) else [])], verify)


if __name__ == "__main__":
    main()
