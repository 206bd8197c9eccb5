#!/usr/bin/env python3
"""Exports realms to SQLite, reads them by Python's sqlite3, and compares every value with Realm JSON.

usage: sqlite_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import argparse
import base64
import concurrent.futures
import datetime
import hashlib
import json
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

from relations import Comparison, Relations, Rows
from sources import all_sources

DATES = ("iso", "unix", "unixMillis")


def cells(dates):
    """What SQLite has of a value of Realm JSON, and what is lost."""

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


def nanoseconds_of(text):
    """Nanoseconds since 1970 of RFC 3339 with years of any length."""
    day, _, clock = text.rstrip("Z").rpartition("T")
    sign = -1 if day.startswith("-") else 1
    year, month, day = (int(part) for part in day.lstrip("+-").split("-"))
    eras, year = divmod(sign * year, 400)
    # Every 400 years have the same calendar; Python's begins with the year 1.
    days = eras * 146097 + datetime.date(year + 400, month, day).toordinal() - datetime.date(400, 1, 1).toordinal()
    hours, minutes, seconds = clock.partition(".")[0].split(":")
    fraction = int(clock.partition(".")[2].ljust(9, "0"))
    days_before_1970 = 719528
    second = (days - days_before_1970) * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return second * 10 ** 9 + fraction


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def check(program, source, dates, folder):
    """What is wrong with the export of a realm; None where the realm can't be read at all."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        lines, exported = pathlib.Path(temporary, "realm.ndjson"), pathlib.Path(temporary, "realm.sqlite")
        read = run(program, "convert", source.path, lines, *source.options, "--quiet")
        if read.returncode != 0:
            return None if source.may_be_refused else [f"convert: {read.stderr.strip()}"]
        made = run(program, "convert", source.path, exported, *source.options, "--dates", dates, "--quiet")
        if made.returncode != 0:
            return [f"convert: {made.stderr.strip()}"]
        document, digests = read_lines(lines)
        return compare(document, digests, exported, dates)


def read_lines(path):
    """The document that NDJSON is, and the digest of each class's lines."""
    digests = {}
    with open(path, "rb") as file:
        document = json.loads(file.readline())
        objects = document["objects"] = {}
        for line in file:
            each = json.loads(line)
            objects.setdefault(each["class"], []).append(each["object"])
            digests.setdefault(each["class"], hashlib.sha256()).update(line)
    return document, digests


def compare(document, digests, path, dates):
    relations = Relations(document)
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        problems = integrity(database, document["schemaVersion"])
        rows = Rows(relations, lambda table, place: read(database, table, place))
        restore_mixed(document, relations, rows)
        comparison = Comparison(document, rows, cells(dates))
        problems += comparison.compare()
        problems += manifest(database, relations, document, digests, comparison.losses)
    return problems


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


def manifest(database, relations, document, digests, losses):
    problems = []
    found = {row[0]: row[1:] for row in database.execute(
        f"SELECT class, table_name, object_count, digest, losses FROM {quoted(relations.manifest)}")}
    if set(found) != set(relations.classes):
        problems.append(f"the manifest has {sorted(found)}")
    said = {}
    for name, (table, count, digest, lost) in found.items():
        rows = database.execute(f"SELECT count(*) FROM {quoted(relations.tables[name])}").fetchone()[0]
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--shared", default="../shared", help="the folder of the corpus")
    parser.add_argument("--whole", action="store_true", help="all of the corpus rather than a sample")
    parser.add_argument("--random", type=int, default=40, help="how many made-up realms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = all_sources(options.shared, folder, options.seed, options.random, options.whole)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(
                lambda pair: (pair[1].title, check(options.program, pair[1], DATES[pair[0] % 3], folder)),
                enumerate(sources))
            passed, failed, refused = 0, 0, 0
            for title, problems in results:
                if problems is None:
                    refused += 1
                elif problems:
                    failed += 1
                    print(f"FAILED {title}", *problems[:8], sep="\n    ")
                else:
                    passed += 1
    print(f"SQLite: {passed} passed, {failed} failed; {refused} are no realms that can be read")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
