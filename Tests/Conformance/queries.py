#!/usr/bin/env python3
"""Runs queries through `realmshift objects` and compares what they find with what Realm Core finds.

usage: queries.py PROGRAM FOLDERS… [--only TEXT] [--jobs N]

A folder has `queries.json`, a list of {"realm", "class", "query", "keys" | "error"}, and the realms beside it. `keys` are primary
keys, or object keys where the class has none, in any order. An error is a refusal: its text has to be Realm's, but for that of
a syntax error. A query that meets a defect of Realm Core's (docs/quirks.md) is counted apart where its outcome differs.
Ends with `N passed, N failed`.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys

LIST = r"\s*\{([^}]*)\}"
NULL = re.compile(r"\b(null|nil)\b", re.IGNORECASE)
FRACTION = re.compile(r"^[+-]?(\d+\.\d*[1-9]\d*|\.\d*[1-9]\d*|inf|infinity|nan)$", re.IGNORECASE)


def listed(query, names, operator):
    """The elements of the lists behind an operator, of properties of the objects themselves."""
    for match in re.finditer(rf"(?<![\w.$@])(\w+)\s+{operator}{LIST}", query):
        if match[1] in names:
            yield [element.strip() for element in match[2].split(",")]


def dates(query, _):
    return any(
        int(year) >= 2038 or int(year) <= 1901 for year in re.findall(r"\b(\d{4,})-\d+-\d+[@T]\d+:\d+:\d+", query)
    )


def mistyped(query, types):
    others = {name for name, kind in types.items() if re.match(r"(float|double|bool|data|date)\??$", kind)}
    integers = {name for name, kind in types.items() if re.match(r"int\??$", kind)}
    return any(listed(query, others, "(?:IN|in)")) or any(
        all(map(FRACTION.match, elements)) for elements in listed(query, integers, "(?:IN|in)")
    )


def limits(query, types):
    own = {name for name, kind in types.items() if re.match(r"(int|date)\??$", kind)}
    return any(
        NULL.search(element) or FRACTION.match(element)
        for elements in listed(query, own, r"(?i:between)")
        for element in elements
    )


def extremes(query, _):
    return re.search(r"(>=|=>)\s*-9223372036854775808|(<=|=<)\s*9223372036854775807", query)


def repeated(query, _):
    return re.search(r"\b(ALL|all)\b[^{]*(=|IN|in)\s*\{[^}]*,[^}]*,", query)


DEFECTS = {
    "dates out of 32 bits": dates,
    "constants of another type left out of IN": mistyped,
    "keys of an empty dictionary": lambda query, _: re.search(r"\.@keys\b", query),
    "BETWEEN and what is no limit": limits,
    "the least and the greatest integer": extremes,
    "ALL and a list of three": repeated,
    "stars side by side": lambda query, _: re.search(r"(?i:like)(\[c\])?\s*['\"][^'\"]*\*\*", query),
    "the size of a value that has none": lambda query, _: re.search(r"@(size|count)\b", query) and "m.@" in query,
}


@functools.lru_cache(maxsize=None)
def types(program, realm, name):
    """The properties of a class and their types, as `realmshift inspect` prints them."""
    output = subprocess.run([program, "inspect", realm], capture_output=True, text=True, check=True).stdout
    found, inside = {}, False
    for line in output.splitlines():
        if not line.startswith(" "):
            inside = re.match(rf"{re.escape(name)}[:,]", line) is not None
        elif inside and ":" in line:
            prop, kind = line.strip().split(": ", 1)
            found[prop] = kind
    return found


def ask(program, folder, case):
    realm = str(folder / case["realm"])
    arguments = [program, "objects", realm, case["class"], "--where", case["query"], "--limit", "1000000"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        message = done.stderr.split("\n")[0]
        if "error" not in case:
            return f"refused: {message}"
        # The place behind the message, and the name that is next, are not Realm's.
        if "syntax error" not in case["error"] and case["error"] not in message:
            return f"refused with {message}, not {case['error']}"
        return None
    if "error" in case:
        return f"taken, not refused: {case['error']}"
    objects = [json.loads(line) for line in done.stdout.split("\n") if line]
    primary = case.get("primaryKey", "_id")
    found = {json.dumps(each.get(primary, each["_key"] if "_key" in each else None)) for each in objects}
    expected = {json.dumps(key) for key in case["keys"]}
    if found == expected:
        return None
    return f"missing {shown(expected - found)}, too many {shown(found - expected)}"


def shown(keys):
    keys = sorted(keys)
    return f"{len(keys)} ({', '.join(keys[:4])})" if keys else "none"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    passed, failed = 0, 0
    for folder in options.folders:
        cases = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
        cases = [case for case in cases if options.only in case["query"]]
        marked = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            outcomes = pool.map(lambda case: ask(options.program, folder, case), cases)
            for case, problem in zip(cases, outcomes):
                known = problem and defect(options.program, folder, case)
                passed += problem is None
                if known:
                    marked[known] += 1
                elif problem:
                    failed += 1
                    print(f"FAILED {case['realm']} {case['query']}: {problem}")
        print(f"{folder.name}: {len(cases)} queries, {sum(marked.values())} meet a defect of Realm Core")
        for name, count in sorted(marked.items()):
            print(f"    {count} {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def defect(program, folder, case):
    own = types(program, str(folder / case["realm"]), case["class"])
    return next((name for name, meets in DEFECTS.items() if meets(case["query"], own)), None)


if __name__ == "__main__":
    sys.exit(main())
