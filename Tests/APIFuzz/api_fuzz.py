#!/usr/bin/env python3
"""Holds a running service against its own /openapi.json, with requests that nobody thought of.

usage: api_fuzz.py PROGRAM [--examples N] [--seed N] [--seconds N]

Starts PROGRAM with an empty data directory, makes apps with a realm, declared versions and a job, names them in the
description as examples, so that there is something to find, and lets schemathesis (.build/venv, made by scripts/python-tools) send valid and invalid requests. The
exit code is schemathesis's; the service's log is shown where anything was found.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


class Service:
    """A `realmshift serve` of its own, ended with the block."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def __enter__(self):
        self.log = open(self.folder / "serve.log", "w+b")
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--data", str(self.folder / "data")], stderr=self.log)
        try:
            self.url = self.wait_until_ready()
            self.key = (self.folder / "data/admin.key").read_text().strip()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.log.close()

    def wait_until_ready(self):
        for _ in range(600):
            found = re.search(r"listening on (http://\S+)", self.text())
            if found:
                with urllib.request.urlopen(found.group(1) + "/readyz") as response:
                    if response.status == 200:
                        return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        sys.exit("the service did not come up:\n" + self.text())

    def text(self):
        return (self.folder / "serve.log").read_text(errors="replace")

    def call(self, method, path, body=None, **fields):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Authorization", "Bearer " + self.key)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        for name, value in fields.items():
            request.add_header(name, value)
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read())


def furnish(service, app):
    """Makes an app with something of everything, and gives the names of what it made."""
    dogs = [{"name": "Dog", "properties": {"name": "string"}}]
    grown = [{"name": "Dog", "properties": {"name": "string", "age": "int?"}}]
    realm = {"schemaVersion": 1, "schema": dogs, "objects": {"Dog": [{"_key": 0, "name": "Rex"}]}}
    path = "/v1/apps/" + app
    service.call("PUT", path)
    service.call("PUT", path + "/schemas/1", {"schema": dogs})
    service.call("PUT", path + "/schemas/2", {"schema": grown})
    service.call("PUT", path + "/schemas/3", {"schema": dogs})
    snapshot = service.call("POST", path + "/realms/ada/snapshots", realm)
    migration = {"targetVersion": 2, "dryRun": True}
    job = service.call("POST", path + "/realms/ada/migrations", migration, Prefer="wait=20")
    assert job["state"] == "succeeded", job
    # It commits nothing, so that it leaves the realm alone.
    fleet = service.call("POST", path + "/fleets", {"targetVersion": 2, "dryRun": True, "select": {"names": ["ada"]}})
    token = service.call("POST", "/v1/tokens", {"app": app, "realms": ["ada"], "scopes": ["read"], "expiresInSeconds": 86400})
    return {"app": app, "token": token["id"], "fleet": fleet["id"], "realm": "ada", "version": 3, "from": 1, "to": 2, "snapshot": snapshot["id"], "job": job["id"],
            "class": "Dog", "key": "0", "Realm-Schema-Version": 1, "recovery": share(service, path)}


def share(service, app):
    """Makes a synced realm whose sync was terminated and enabled with another schema, and gives the id of its recovery."""
    notes = [{"name": "Note", "primaryKey": "_id", "properties": {"_id": "int", "text": "string"}}]
    counted = [{"name": "Note", "primaryKey": "_id", "properties": {"_id": "int", "text": "int"}}]
    realm = {"schemaVersion": 1, "schema": notes, "objects": {"Note": [{"_id": 0, "text": "milk"}]}}
    path = app + "/realms/team"
    service.call("PUT", app + "/schemas/7", {"schema": notes})
    service.call("PUT", path, {"kind": "synced"})
    service.call("POST", path + "/snapshots", realm)
    service.call("POST", path + "/sync/terminate")
    service.call("POST", path + "/sync/enable", {"schema": counted})
    try:
        service.call("GET", path + "/objects/Note", **{"Realm-Schema-Version": "7"})
    except urllib.error.HTTPError as refused:
        return json.loads(refused.read())["recovery"]
    sys.exit("a client of the old schema was not reset")


# Paths of requests for a synced realm; everything else is asked of a local one.
SYNCED = re.compile("/(recoveries|changes|unsynced|backfills|model|sync|partners)(/|$)")


def document(service):
    """The service's description, with examples of what there is: one app to look at, and one to delete."""
    described = service.call("GET", "/openapi.json")
    described["components"]["parameters"]["IfMatch"]["schema"] = {"const": "*"}
    kept, deleted = furnish(service, "notes"), furnish(service, "spare")
    for path, item in described["paths"].items():
        shared = {"realm": "team", "class": "Note", "Realm-Schema-Version": 7} if SYNCED.search(path) else {}
        parameters = item.get("parameters", [])
        if "delete" in item:
            item["delete"]["parameters"] = [dict(one, example=deleted[one["name"]]) for one in parameters if one["name"] in deleted]
        for one in parameters:
            if one["name"] in kept:
                one["example"] = (kept | shared)[one["name"]]
    return described


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--examples", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int)
    options = parser.parse_args()
    tool = ROOT / ".build/venv/bin/schemathesis"
    with tempfile.TemporaryDirectory(prefix="realmshift-fuzz-") as folder:
        with Service(options.program, folder) as service:
            description = pathlib.Path(folder) / "openapi.json"
            description.write_text(json.dumps(document(service)))
            command = [
                str(tool), "--config-file", str(HERE / "schemathesis.toml"), "run", str(description),
                "--url", service.url, "--header", "Authorization: Bearer " + service.key,
                "--checks", "all", "--seed", str(options.seed), "--max-examples", str(options.examples),
            ]
            if options.seconds:
                command += ["--max-time", str(options.seconds)]
            hooks = dict(os.environ, PYTHONPATH=str(HERE), SCHEMATHESIS_HOOKS="hooks")
            status = subprocess.run(command, cwd=folder, env=hooks).returncode
            if status:
                print(f"seed {options.seed}; the end of the service's log:\n" + service.text()[-4000:], file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
