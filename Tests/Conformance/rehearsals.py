#!/usr/bin/env python3
"""Rehearses migration cases through `realmshift rehearse` and holds what it says against what really became of the objects.

usage: rehearsals.py PROGRAM CASES… [--only TEXT] [--jobs N]

CASES are folders as conformance.py takes them. Of a case with a document for an outcome the losses are worked out here, from the
document before and the one that Realm Core made; the report has to name exactly those, but for values that stand elsewhere in the
document afterwards, and to find nothing that fails. What a report says beyond a value at a time (values that become empty, one value
for all, what is cut otherwise than at its end, properties that are never filled) has to be so. Of a case with an error for an outcome
the report has to say that error. Ends with `N passed, N failed`.
"""

import argparse
import concurrent.futures
import decimal
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from conformance import load

NAMED = 20
# Kinds that say more than what became of one value.
BEYOND = {"zero", "emptied", "uniform", "exchanged", "merged", "rounded", "truncated", "unfilled"}
SLIPS = {"undefined", "null", "NaN", "[object Object]", "Invalid Date"}


def rehearse(program, folder):
    case = load(folder / "case.json")
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        source = folder / "before.realm"
        if not source.exists():
            source = temporary / "before.json"
            source.write_text(json.dumps(case["before"]), encoding="utf-8")
        target = temporary / "target.json"
        target.write_text(json.dumps(case["target"]), encoding="utf-8")
        command = [program, "rehearse", source, "--schema", target, "--json"]
        if "script" in case:
            script = temporary / "migration.js"
            script.write_text(case["script"]["source"], encoding="utf-8")
            command += ["--script", script]
        if "mode" in case:
            command += ["--mode", case["mode"][0].lower() + case["mode"][1:]]
        if case.get("handleBackLinks"):
            command.append("--resolve-embedded")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return case, judge(case, done)


def judge(case, done):
    error = case["expected"].get("error")
    if done.returncode not in (0, 1):
        return [f"exit code {done.returncode}: {done.stderr.strip()[-500:]}"]
    if not done.stdout.strip():
        # A schema that is none is a fault of the command's own files, and no finding of a realm's.
        ok = error is not None and error.get("code") == "SchemaValidationFailed"
        return [] if ok else [f"no report: {done.stderr.strip()[-500:]}"]
    report = json.loads(done.stdout)
    if error is not None:
        if (report["error"] or {}).get("detail") != error["message"]:
            return [f"expected the error {error['message']!r}, got {report['error']}"]
        return [] if done.returncode == 1 else ["exit code 0 of a migration that fails"]
    return sound(case, report, done.returncode)


def sound(case, report, status):
    """The faults of the report of a migration that succeeds."""
    problems = []
    if report["error"] is not None:
        return [f"the migration fails: {report['error']}"]
    for member in ("collisions", "missingBranches", "skippedVersions", "carriedOver", "slowExpressions", "checks"):
        if report[member]:
            problems.append(f"{member}: {report[member]}")
    if not case.get("handleBackLinks") and (report["orphans"] or report["owners"]):
        problems.append(f"orphans {report['orphans']}, owners {report['owners']}")
    losses = Losses(case)
    found = {}
    for loss in report["losses"]:
        if loss["property"] is None or loss["kind"] == "dropped" or loss["class"] not in losses.classes:
            continue
        found[loss["class"], loss["property"], loss["kind"]] = (loss["count"], loss["keys"])
    for place in sorted(set(found) | set(losses.expected)):
        problem = losses.problem(place, found.get(place))
        if problem:
            problems.append(f"{place}: {problem}")
    errors = [f for f in report["findings"] if f["level"] == "error"]
    if (status == 1) != bool(errors):
        problems.append(f"exit code {status} with {len(errors)} errors")
    return problems


class Losses:
    """The lost values of objects that are there before and after, by class, property and kind."""

    def __init__(self, case):
        self.before, self.after = case["before"], case["expected"]["document"]
        self.renames = {}
        for op in case.get("ops", []):
            if op["op"] == "renameProperty":
                self.rename(op["class"], op["from"], op["to"])
        old = {c["name"]: c for c in self.before["schema"]}
        new = {c["name"]: c for c in self.after["schema"]}
        unstable = set(case.get("unstableKeys", []))
        self.classes = {
            name
            for name in set(old) & set(new)
            if not old[name].get("embedded") and not new[name].get("embedded") and name not in unstable
            # Objects of other classes can't be told apart in documents.
            and "primaryKey" not in old[name] and "primaryKey" not in new[name]
        }
        self.expected = {}
        for name in self.classes:
            self.compare(name, old, new)

    def rename(self, name, old, new):
        for (other, target), source in list(self.renames.items()):
            if other == name and target == old:
                del self.renames[other, target]
                old = source
        self.renames[name, new] = old

    def compare(self, name, old, new):
        before = {o["_key"]: o for o in self.before["objects"].get(name, [])}
        after = {o["_key"]: o for o in self.after["objects"].get(name, [])}
        for target, new_property in new[name]["properties"].items():
            source = self.renames.get((name, target), target)
            old_property = old[name]["properties"].get(source)
            if old_property is None or "linkingObjects" in (old_property["type"], new_property["type"]):
                continue
            for key in sorted(set(before) & set(after)):
                kind = self.kind(before[key][source], after[key][target], old_property, new_property)
                if kind is not None:
                    keys, taken = self.expected.setdefault((name, source, kind), ([], []))
                    keys.append(key)
                    if self.is_taken(name, key, before[key][source], target):
                        taken.append(key)

    def is_taken(self, name, key, value, target):
        """Whether all words of a value are in other properties of its object, or in objects of other classes."""
        object_ = next(o for o in self.after["objects"][name] if o["_key"] == key)
        rest = [v for p, v in object_.items() if p not in ("_key", target)]
        others = [objects for other, objects in self.after["objects"].items() if other != name]
        return words(value) <= words(rest) | words(others)

    def problem(self, place, found):
        """The fault of a report about a place; None without one."""
        count, named = found or (0, [])
        keys, taken = self.expected.get(place, ([], []))
        if place[2] in BEYOND and not keys:
            return None if all(self.is_so(place, key) for key in named) else f"{named} are not"
        sure = [key for key in keys if key not in taken]
        if not len(sure) <= count <= len(keys) or not set(named) <= set(keys):
            return f"expected {(len(keys), keys[:NAMED])}, of which {taken} may be elsewhere, got {found}"
        return None if count > NAMED or set(sure) <= set(named) else f"expected {sure}, got {named}"

    def is_so(self, place, key):
        name, source, kind = place
        target = next((t for (n, t), s in self.renames.items() if n == name and s == source), source)
        values = {o["_key"]: o.get(target) for o in self.after["objects"][name]}
        if kind == "uniform":
            return len({json.dumps(v, sort_keys=True) for v in values.values()}) == 1
        olds = {o["_key"]: o[source] for o in self.before["objects"][name]}
        if kind in ("exchanged", "merged"):
            texts = [{json.dumps(v, sort_keys=True) for v in side.values()} for side in (olds, values)]
            return len(texts[1]) * 4 <= len(texts[0]) if kind == "merged" else not texts[1] - texts[0]
        old = olds[key]
        if kind in ("emptied", "zero"):
            return empty(values[key]) and not empty(old)
        return kind == "rounded" or less(old, values[key])

    def kind(self, old, new, old_property, new_property):
        if same(old, new) or not self.tells(old_property):
            return None
        types = [(p["type"], p.get("objectType")) for p in (old_property, new_property)]
        is_link = old_property["type"] == "object"
        if new is None:
            return "link" if is_link else "null"
        if isinstance(new, str) and new_property["type"] == "string" and new in SLIPS:
            return "wrongType"
        became_required = old_property["optional"] and not new_property["optional"]
        if old is None:
            return "nullToZero" if became_required and empty(new) else None
        links = old_property.get("objectType") in {c["name"] for c in self.before["schema"]}
        if links and is_link and new_property["type"] != "object" and empty(new) and not isinstance(old, dict):
            return "link"
        if links:
            return "link" if self.lost_link(old, new, old_property) else None
        if types[0] == types[1] and not became_required:
            return cut(old, new, new_property["type"])
        a, b = number(old), number(new)
        if a is not None and b is not None:
            return None if a == b else "zero" if b == 0 else "inexact"
        if empty(new) and not empty(old):
            return "zero"
        if isinstance(old, str) and b is not None:
            start = re.match(r"\s*[-+]?\d+(\.\d+)?", old)
            if start and b in (decimal.Decimal(start[0]), int(float(start[0]))):
                return "inexact"
        return cut(old, new, new_property["type"]) if types[0] == types[1] else None

    def tells(self, old_property):
        """Whether links to the same object are the same in both documents."""
        name = old_property.get("objectType")
        schemas = [{c["name"]: c for c in d["schema"]}.get(name) for d in (self.before, self.after)]
        if schemas[0] is None or schemas[1] is None:
            return True
        return all(schemas[0].get(m) == schemas[1].get(m) for m in ("primaryKey", "embedded"))

    def lost_link(self, old, new, old_property):
        name = old_property["objectType"]
        schema = {c["name"]: c for c in self.after["schema"]}.get(name)
        if old_property["type"] not in ("list", "set", "dictionary") or schema is None or schema.get("embedded"):
            return False
        member = schema.get("primaryKey", "_key")
        there = [o[member] for o in self.after["objects"].get(name, [])]
        return any(link is not None and link not in there for link in (old.values() if isinstance(old, dict) else old))


def words(value):
    """The words of values, numbers among them by their digits."""
    if isinstance(value, dict):
        return set().union(*(words(k) | words(v) for k, v in value.items()))
    if isinstance(value, list):
        return set().union(*map(words, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {re.sub(r"\D", "", str(value)).strip("0")}
    return {w.strip("0") for w in re.findall(r"\w+", str(value).lower())}


def same(a, b):
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def empty(value):
    if isinstance(value, dict) and len(value) == 1:
        (form, inner), = value.items()
        if form == "$date":
            return inner == "1970-01-01T00:00:00Z"
        if form == "$binary":
            return inner["base64"] == ""
        if form == "$numberDecimal":
            return inner == "0"
        if form in ("$oid", "$uuid"):
            return set(inner) <= set("0-")
    return value in (0, False, "", [], {})


def less(old, new):
    """Whether a part of a value is not in another one."""
    if same(old, new) or empty(old):
        return False
    if empty(new) or not isinstance(new, type(old)):
        return True
    if isinstance(old, str):
        return len(new) < len(old)
    if isinstance(old, list):
        return len(new) < len(old) or any(map(less, old, new))
    if isinstance(old, dict):
        if any(form in old for form in ("$date", "$binary")):
            return True
        return any(not empty(v) and (k not in new or less(v, new[k])) for k, v in old.items())
    return True


def number(value):
    if isinstance(value, dict) and list(value) == ["$numberDecimal"]:
        value = value["$numberDecimal"]
    if isinstance(value, (int, float)):
        return decimal.Decimal(repr(value) if isinstance(value, float) else int(value))
    if isinstance(value, str):
        try:
            return decimal.Decimal(value) if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", value) else None
        except decimal.InvalidOperation:
            return None
    return None


def cut(old, new, kind):
    if kind == "string" and new and len(new) < len(old) and old.startswith(new):
        return "truncated" if any(ord(c) > 32 for c in old[len(new):]) else None
    if kind == "list" and new and len(new) < len(old) and same(old[: len(new)], new):
        return "truncated"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cases", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folders = [
        f for cases in options.cases for f in sorted(cases.iterdir()) if (f / "case.json").exists() and options.only in f.name
    ]
    if not folders:
        sys.exit("no cases")
    passed = failed = lost = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for folder, (case, problems) in zip(folders, pool.map(lambda f: rehearse(options.program, f), folders)):
            if case.get("quirk"):
                continue
            if "document" in case["expected"]:
                lost += bool(Losses(case).expected)
            if problems:
                failed += 1
                print(f"failed {folder.name}")
                for problem in problems[:5]:
                    print(f"    {problem}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed; values are lost in {lost}")
    sys.exit(1 if failed or not (lost or options.only) else 0)


if __name__ == "__main__":
    main()
