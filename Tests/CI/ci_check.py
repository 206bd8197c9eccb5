#!/usr/bin/env python3
"""Holds the examples of docs/ci.md to the schemas of GitHub and GitLab, runs their command, and holds the reports to SARIF's schema.

usage: ci_check.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT_IN = {".github/workflows/migrations.yml": "vendor.github-workflows", ".gitlab-ci.yml": "vendor.gitlab-ci"}


def blocks():
    """The files that the page shows, by their names."""
    page = (ROOT / "docs/ci.md").read_text()
    return {name: text for name, text in re.findall(r"```(?:yaml|json) (\S+)\n(.*?)```", page, re.S)}


def check_workflows(files, folder):
    problems = []
    for name, schema in BUILT_IN.items():
        path = folder / pathlib.Path(name).name
        path.write_text(files[name])
        checked = subprocess.run(
            [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, path], capture_output=True, text=True)
        if checked.returncode != 0:
            problems.append(f"{name}: {checked.stdout}{checked.stderr}")
        # A mistake is found, or finding none would mean nothing.
        path.write_text(files[name].replace("script:" if "gitlab" in name else "runs-on:", "scripts-on:"))
        if subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, path],
                          capture_output=True).returncode == 0:
            problems.append(f"{name}: a mistake was not found")
    return problems


def check_reports(program, files, folder):
    migrations = folder / "migrations"
    migrations.mkdir()
    for name in ["realmshift.json", "people-v2.json"]:
        (migrations / name).write_text(files[name])
    for name in ["people.realm", "people-v3.json", "split-names.js"]:
        (migrations / name).write_bytes((ROOT / "examples" / name).read_bytes())
    # The script of the page loses nothing; one that fails gives the reports something to say.
    (migrations / "broken.js").write_text("function migrate(m) {\n  m.enumerateObjects('User', (o, n) => { n.age = o.none.length; });\n}\n")
    description = json.loads(files["realmshift.json"])
    problems = []
    for script, status in [("split-names.js", 0), ("broken.js", 1)]:
        description["versions"][1]["script"] = script
        (migrations / "realmshift.json").write_text(json.dumps(description))
        command = re.search(r"realmshift (ci .*)", files[".gitlab-ci.yml"])[1].split()
        ran = subprocess.run([program, *command, "--force", "--quiet"], cwd=folder, capture_output=True, text=True)
        if ran.returncode != status:
            problems.append(f"{script}: exit code {ran.returncode}: {ran.stdout}{ran.stderr}")
            continue
        log = json.loads((folder / "migrations.sarif").read_text())
        problems += [f"{script}: SARIF: {each}" for each in sarif_problems(log)]
        results = log["runs"][0]["results"]
        suites = xml.etree.ElementTree.parse(folder / "migrations.xml").getroot()
        failures = int(suites.get("failures"))
        if (status == 1) != (failures > 0) or (status == 1) != any(each["level"] == "error" for each in results):
            problems.append(f"{script}: {failures} failures, {results}")
        if status == 1 and not any(
                place["physicalLocation"].get("region") and place["physicalLocation"]["artifactLocation"]["uri"].endswith(script)
                for each in results for place in each["locations"]):
            problems.append(f"{script}: no result is at its line")
    return problems


def sarif_problems(log):
    """What SARIF 2.1.0 requires of the members that the program writes (OASIS, sections 3.13 to 3.30)."""
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    if log["version"] != "2.1.0" or not log["$schema"].endswith("sarif-2.1.0.json"):
        yield "no version"
    for result in log["runs"][0]["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"the rule {result['ruleId']} is another"
        if result["level"] not in ("none", "note", "warning", "error") or not result["message"]["text"]:
            yield f"a result without level or message: {result}"
        for place in result["locations"]:
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            if re.search(r"[^A-Za-z0-9._~/%-]", uri):
                yield f"no reference: {uri}"
            if place["physicalLocation"].get("region", {"startLine": 1})["startLine"] < 1:
                yield "a line before the first"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = blocks()
        problems = check_workflows(files, folder) + check_reports(program, files, folder)
    for problem in problems:
        print("FAILED", problem)
    print(f"CI: {len(BUILT_IN)} workflows, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
