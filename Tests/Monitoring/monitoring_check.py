#!/usr/bin/env python3
"""Checks the alerts and the dashboard of monitoring/ against a real /metrics: monitoring_check.py PROGRAM

Each metric that they name has to be there, and promtool brings about the state of each alert: it fires then, and not while all is well.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

import yaml

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "monitoring"
METRIC = re.compile(r"\brealmshift_\w+")


def metrics(program):
    """The names of the series that a service has, those of histograms with their ends."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data", folder + "/data"], stderr=subprocess.PIPE, text=True)
        try:
            for line in process.stderr:
                if found := re.search(r"listening on (\S+)", line):
                    break
            else:
                sys.exit("the service did not start")
            key = pathlib.Path(folder, "data/admin.key").read_text().strip()
            request = urllib.request.Request(found.group(1) + "/metrics", headers={"Authorization": f"Bearer {key}"})
            text = urllib.request.urlopen(request).read().decode()
        finally:
            process.terminate()
            process.communicate(timeout=60)
    names = set()
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M):
        names |= {name + end for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    return names


def main():
    known = metrics(sys.argv[1])
    rules = [rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    expressions = [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]
    unknown = {name for text in expressions for name in METRIC.findall(text)} - known
    assert not unknown, f"/metrics has none of {', '.join(sorted(unknown))}"

    tests = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    fired = {case["alertname"] for test in tests for case in test["alert_rule_test"] if case.get("exp_alerts")}
    silent = {rule["alert"] for rule in rules} - fired
    assert not silent, f"no test has {', '.join(sorted(silent))} fire"
    subprocess.run(["promtool", "check", "rules", FOLDER / "alerts.yml"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["promtool", "test", "rules", "alerts_test.yml"], check=True, stdout=subprocess.DEVNULL, cwd=FOLDER)
    print(f"monitoring: {len(rules)} alerts fire when they have to, and {len(panels)} panels show what there is")


if __name__ == "__main__":
    main()
