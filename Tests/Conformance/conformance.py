#!/usr/bin/env python3
"""Runs migration cases through `realmshift migrate` and compares every outcome with Realm Core's.

usage: conformance.py PROGRAM CASES… [--only TEXT] [--every N] [--verbose] [--documents] [--row-groups N] [--jobs N]

CASES are folders of <id>/case.json with or without <id>/before.realm. Prints a table of the cases by kind and ends with
`N passed, N failed`. The outcomes that Realm Core itself calls defects (`quirk`) are counted apart: docs/quirks.md says
what realmshift does instead.

With --anonymize each case without a script starts from an anonymized copy: what comes has to be what Realm Core gave, but for
the values.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


class Documents:
    """Compares two documents as the corpus defines equality."""

    def __init__(self, expected, actual, unstable):
        self.expected, self.actual, self.unstable = expected, actual, set(unstable)
        self.classes = {c["name"]: c for c in expected["schema"]}
        self.keys = {name: {} for name in self.unstable}
        self.problems = []

    def compare(self):
        if self.expected["schemaVersion"] != self.actual["schemaVersion"]:
            self.note("schemaVersion", self.expected["schemaVersion"], self.actual["schemaVersion"])
        schemas = [{c["name"]: self.canonical(c) for c in d["schema"]} for d in (self.expected, self.actual)]
        if schemas[0] != schemas[1]:
            self.note("schema", *schemas)
        for name in sorted(set(self.expected["objects"]) | set(self.actual["objects"])):
            self.compare_class(name, *(d["objects"].get(name, []) for d in (self.expected, self.actual)))
        return self.problems

    @staticmethod
    def canonical(schema):
        properties = {
            name: {
                "type": p["type"],
                "objectType": p.get("objectType"),
                "optional": p.get("optional", False),
                "indexed": p.get("indexed", False),
                "property": p.get("property"),
            }
            for name, p in schema["properties"].items()
        }
        return {
            "primaryKey": schema.get("primaryKey"),
            "embedded": schema.get("embedded", False),
            "properties": properties,
        }

    def compare_class(self, name, expected, actual):
        if len(expected) != len(actual):
            return self.note(f"{name}: count", len(expected), len(actual))
        if name in self.unstable:
            expected, actual = (sorted(o, key=self.sort_key) for o in (expected, actual))
        for index, (e, a) in enumerate(zip(expected, actual)):
            self.compare_object(f"{name}[{index}]", self.classes[name], e, a)

    @staticmethod
    def sort_key(value):
        return json.dumps({k: v for k, v in value.items() if k != "_key"}, sort_keys=True)

    def compare_object(self, where, schema, expected, actual):
        if not isinstance(expected, dict) or not isinstance(actual, dict):
            return self.note(where, expected, actual) if expected != actual else None
        if set(expected) != set(actual):
            return self.note(where, sorted(expected), sorted(actual))
        for member, value in expected.items():
            if member == "_key":
                self.compare_key(f"{where}._key", schema["name"], value, actual[member])
            else:
                self.compare_property(f"{where}.{member}", schema["properties"][member], value, actual[member])

    def compare_key(self, where, name, expected, actual):
        if name in self.unstable:
            if self.keys[name].setdefault(expected, actual) != actual:
                self.note(where, expected, actual)
        elif not self.same(expected, actual):
            self.note(where, expected, actual)

    def compare_property(self, where, prop, expected, actual):
        kind = prop["type"]
        if kind in ("list", "set", "dictionary"):
            element = {"type": prop["objectType"], "objectType": prop["objectType"]}
            if prop["objectType"] in self.classes:
                element["type"] = "object"
            if type(expected) is not type(actual) or len(expected) != len(actual):
                return self.note(where, expected, actual)
            if kind == "dictionary":
                if set(expected) != set(actual):
                    return self.note(where, expected, actual)
                pairs = [(expected[k], actual[k]) for k in expected]
            elif kind == "set":
                pairs = zip(sorted(expected, key=self.text), sorted(actual, key=self.text))
            else:
                pairs = zip(expected, actual)
            for index, (e, a) in enumerate(pairs):
                self.compare_property(f"{where}[{index}]", element, e, a)
        elif kind == "object" and self.classes[prop["objectType"]].get("embedded"):
            self.compare_object(where, self.classes[prop["objectType"]], expected, actual)
        elif kind == "object" and prop["objectType"] in self.unstable and expected is not None:
            self.compare_key(where, prop["objectType"], expected, actual)
        elif not self.same(expected, actual):
            self.note(where, expected, actual)

    @staticmethod
    def text(value):
        return json.dumps(value, sort_keys=True)

    @classmethod
    def same(cls, expected, actual):
        """Equal as JSON texts: 1 and 1.0 differ, as they do in a mixed value."""
        return cls.text(expected) == cls.text(actual)

    def note(self, where, expected, actual):
        self.problems.append(f"{where}: expected {shorten(expected)}, got {shorten(actual)}")


def shape(value):
    """A value without what an anonymized copy replaces: nulls, booleans, and how many there are, stay."""
    if isinstance(value, list):
        return sorted((shape(each) for each in value), key=Documents.text)
    if isinstance(value, dict) and not any(member.startswith("$") for member in value):
        return sorted((shape(each) for each in value.values()), key=Documents.text)
    return value if value is None or isinstance(value, bool) else "value"


def shapes(document):
    return {
        "schemaVersion": document["schemaVersion"],
        "schema": {each["name"]: Documents.canonical(each) for each in document["schema"]},
        "objects": {name: [shape(each) for each in objects] for name, objects in document["objects"].items()},
    }


def shorten(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 300 else text[:300] + "…"


def run(program, folder, documents, row_groups, anonymize=False):
    case = load(folder / "case.json")
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        source = folder / "before.realm"
        if documents or not source.exists():
            source = temporary / "before.json"
            source.write_text(json.dumps(case["before"]), encoding="utf-8")
        if anonymize:
            if "script" in case:
                return case, None
            copy = temporary / "copy.realm"
            subprocess.run([program, "convert", source, copy, "--anonymize", "--quiet"], check=True)
            source = copy
        target, output = temporary / "target.json", temporary / "after.json"
        target.write_text(json.dumps(case["target"]), encoding="utf-8")
        command = [program, "migrate", source, "--schema", target, "--output", output, "--json"]
        if row_groups:
            command += ["--row-groups", str(row_groups)]
        if "script" in case:
            script = temporary / "migration.js"
            script.write_text(case["script"]["source"], encoding="utf-8")
            command += ["--script", script]
        if "mode" in case:
            command += ["--mode", case["mode"][0].lower() + case["mode"][1:]]
        if case.get("handleBackLinks"):
            command.append("--resolve-embedded")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return case, ["took longer than 120 seconds"]
        problems = judge(case, done, output, anonymize)
        if done.returncode == 0 and source.suffix == ".realm" and "script" not in case:
            problems = problems or compare_copy(program, command, output, temporary)
        return case, problems


def compare_copy(program, command, output, temporary):
    """From file to file leaves are copied, to standard output they are decoded: the values have to be the same."""
    copied, decoded = temporary / "copied.realm", temporary / "decoded.realm"
    place = command.index(output)
    subprocess.run(command[:place] + [copied] + command[place + 1:], check=True, capture_output=True)
    with open(decoded, "wb") as file:
        stream = command[:place] + ["-", "--to", "realm"] + command[place + 1:]
        subprocess.run(stream, check=True, stdout=file, stderr=subprocess.PIPE)
    documents = []
    for realm in (copied, decoded):
        document = realm.with_suffix(".json")
        subprocess.run([program, "convert", realm, document, "--quiet"], check=True)
        documents.append(load(document))
    return [] if documents[0] == documents[1] else ["a copied file has other values than a decoded one"]


def judge(case, done, output, anonymize):
    error = case["expected"].get("error")
    if error is None:
        if done.returncode != 0:
            return [f"expected a document, exit code {done.returncode}: {done.stderr.strip()[-500:]}"]
        if anonymize:
            expected, actual = (shapes(each) for each in (case["expected"]["document"], load(output)))
            return [f"{part}: expected {shorten(expected[part])}, got {shorten(actual[part])}"
                    for part in expected if expected[part] != actual[part]]
        return Documents(case["expected"]["document"], load(output), case.get("unstableKeys", [])).compare()
    if done.returncode != 1:
        return [f"expected the error {error['message']!r}, exit code {done.returncode}: {done.stderr.strip()[-500:]}"]
    try:
        problem = json.loads(done.stderr.strip().splitlines()[-1])
    except (ValueError, IndexError):
        return [f"standard error ends with no problem document: {done.stderr.strip()[-500:]}"]
    problems = []
    for member, expected in (("detail", error["message"]), ("realmCode", error.get("code"))):
        if problem.get(member) != expected:
            problems.append(f"{member}: expected {expected!r}, got {problem.get(member)!r}")
    if output.exists():
        problems.append("an output was written although the migration failed")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cases", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="run one case in N")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--documents", action="store_true", help="start from the JSON document even where there is a file")
    parser.add_argument("--row-groups", type=int, metavar="N", help="store N objects together, to meet odd boundaries")
    parser.add_argument("--anonymize", action="store_true", help="start from a copy without what is personal")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folders = []
    for cases in options.cases:
        found = sorted(f for f in cases.iterdir() if (f / "case.json").exists() and options.only in f.name)
        if not found and not options.only:
            sys.exit(f"no cases in {cases}")
        folders += found[::options.every]
    if not folders:
        sys.exit(f"no case has {options.only!r} in its name")
    table = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(
            lambda folder: run(
                options.program, folder, options.documents, options.row_groups, options.anonymize), folders)
        for folder, (case, problems) in zip(folders, outcomes):
            if problems is None:
                continue
            outcome = "passed" if not problems else "quirks" if case.get("quirk") else "failed"
            table[case["group"]][outcome] += 1
            if problems and (outcome == "failed" or options.verbose):
                print(f"{outcome} {folder.name}")
                for problem in problems[:5]:
                    print(f"    {problem}")
    print_table(table)
    sys.exit(1 if any(row["failed"] for row in table.values()) else 0)


def print_table(table):
    print(f"\n{'kind':<14}{'cases':>7}{'passed':>8}{'failed':>8}{'quirks':>8}")
    total = collections.Counter()
    for group in sorted(table):
        row = table[group]
        total += row
        print(f"{group:<14}{sum(row.values()):>7}{row['passed']:>8}{row['failed']:>8}{row['quirks']:>8}")
    print(f"{'all':<14}{sum(total.values()):>7}{total['passed']:>8}{total['failed']:>8}{total['quirks']:>8}\n")
    print(f"{total['passed'] + total['quirks']} passed, {total['failed']} failed")


if __name__ == "__main__":
    main()
