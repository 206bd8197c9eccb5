#!/usr/bin/env python3
"""Checks the description of the API against a service: openapi_check.py PROGRAM [--record FILE]

Each example fits its schema. Requests are sent as their examples have them, and the answers fit their schemas. A public generator makes
a client of the description without a warning; the client uploads a realm, migrates it and downloads it. --record writes the answers
down, by the names of their schemas.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import jsonschema_rs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "Tests/APIFuzz"))
from api_fuzz import Service  # noqa: E402


class Description:
    """The document, with its operations by name."""

    def __init__(self, document):
        self.document = document
        self.operations = {
            operation["operationId"]: (path, method.upper(), item, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items() if method != "parameters"}
        self.validated = 0

    def resolve(self, node):
        while "$ref" in node:
            kind, name = node["$ref"].split("/")[-2:]
            node = self.document["components"][kind][name]
        return node

    def validate(self, value, schema, place):
        validator = jsonschema_rs.validator_for({"components": self.document["components"], "allOf": [schema]})
        faults = [f"{list(each.instance_path)}: {each.message}" for each in validator.iter_errors(value)]
        assert not faults, f"{place} does not fit its schema: {faults[:3]}\n{json.dumps(value)[:500]}"
        self.validated += 1

    def check_examples(self, node, place="#"):
        """Each example in a part of the document, of a media type, a parameter or a schema."""
        if isinstance(node, list):
            for index, each in enumerate(node):
                self.check_examples(each, f"{place}/{index}")
        if not isinstance(node, dict):
            return
        schema = node.get("schema")
        if not isinstance(schema, dict):
            schema = {name: each for name, each in node.items() if name not in ("example", "examples")}
        # A member of a schema may be called `example`, too.
        if "example" in node and not place.endswith("/properties"):
            self.validate(node["example"], schema, place)
        if isinstance(node.get("examples"), list):
            for each in node["examples"]:
                self.validate(each, schema, place)
        for name, each in node.items():
            if name not in ("example", "examples") or place.endswith("/properties"):
                self.check_examples(each, f"{place}/{name}")


class Walk:
    """Sends requests by the names of their operations, with the examples of the description, and looks at the answers."""

    def __init__(self, service, description):
        self.service, self.description = service, description
        self.recorded, self.sent = {}, set()

    def __call__(self, name, more=None, fields=None, query="", **names):
        path, method, item, operation = self.description.operations[name]
        for each in item.get("parameters", []):
            if each["in"] == "path":
                path = path.replace("{" + each["name"] + "}", str(names.get(each["name"], each.get("example"))))
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        body = content.get("example")
        if body is not None or more is not None:
            body = {**(body or {}), **(more or {})}
            self.description.validate(body, content["schema"], f"the request of {name}")
        if body is not None and more is None:
            self.sent.add(name)
        request = urllib.request.Request(self.service.url + path + query, method=method,
                                         data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", "Bearer " + self.service.key)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        for field, value in (fields or {}).items():
            request.add_header(field.replace("_", "-"), value)
        try:
            with urllib.request.urlopen(request) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{name} was refused: {refused.status} {refused.read().decode()}") from None
        answer = operation["responses"].get(str(status))
        assert answer, f"{name} answered {status}, which is not described"
        schema = self.description.resolve(answer).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return None
        value = json.loads(text)
        self.description.validate(value, schema, f"the answer of {name}")
        listed = schema.get("properties", {}).get("items", {}).get("items", {})
        for described, each in ((schema, value), *((listed, each) for each in value.get("items", [])[:1])):
            if "$ref" in described:
                self.recorded.setdefault(described["$ref"].split("/")[-1], each)
        return value


def walk_local_realms(walk):
    walk("putApp")
    first = walk("uploadSnapshot")
    walk("putRealm")
    walk("putSchemaVersion")
    for each in ("checkSchemaVersion", "getSchemaVersion", "listSchemaVersions", "diffSchemas", "getApp", "getRealm", "listRealms"):
        walk(each)
    matrix = walk("startRehearsal", fields={"Prefer": "wait=60"})
    assert matrix["state"] == "succeeded", matrix
    walk.recorded["RehearsalMatrix"] = walk("getReport", job=matrix["id"])
    rehearsal = walk("startMigration", {"dryRun": True}, {"Prefer": "wait=60"})
    walk.recorded["Rehearsal"] = walk("getReport", job=rehearsal["id"])
    walk.recorded.pop("Job")
    job = walk("startMigration", fields={"Prefer": "wait=60"})
    assert job["state"] == "succeeded", job
    for each in ("getJob", "getJobLog"):
        walk(each, job=job["id"])
    snapshot = job["resultSnapshot"]
    for each in ("getSnapshot", "getSnapshotSchema", "getSnapshotManifest", "listObjects", "getObject"):
        walk(each, snapshot=snapshot)
    walk("getFacets", snapshot=snapshot, query="?property=age")
    walk("diffSnapshots", snapshot=first["id"], other=snapshot)
    walk("listDifferences", snapshot=first["id"], other=snapshot, query="?class=User")
    walk("restoreSnapshot", {"snapshot": first["id"]})
    fleet = walk("makeFleet")
    walk("listFleetRealms", fleet=fleet["id"])
    walk("cancelFleet", fleet=fleet["id"])
    for each in ("putRetention", "getRetention", "putExportPolicy", "getExportPolicy", "deleteExportPolicy", "listRealmVersions",
                 "getAppFigures", "listJobs", "listSnapshots", "listFleets", "listApps"):
        walk(each)


def refuse(walk):
    """A request with an unknown parameter, whose refusal names the nearest one."""
    request = urllib.request.Request(walk.service.url + "/v1/jobs?stat=failed", headers={"Authorization": "Bearer " + walk.service.key})
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        problem = json.loads(refused.read())
        assert (refused.status, problem["code"]) == (400, "unknown_parameter"), problem
        walk.description.validate(problem, {"$ref": "#/components/schemas/Problem"}, "the problem document")
        walk.recorded["Problem"] = problem
        return
    raise AssertionError("an unknown parameter was not refused")


def walk_access(walk):
    key = walk("makeKey")
    token = walk("makeToken")
    walk("getKey", apiKey=key["id"])
    walk("getToken", token=token["id"])
    for each in ("listKeys", "listTokens", "listAudit", "getCurrentSession", "getVersion", "getLiveness", "getReadiness"):
        walk(each)
    walk("createUpload", fields={"Tus-Resumable": "1.0.0", "Upload-Length": "7"}, realm="grace")


def walk_synced_realms(walk):
    notes = walk.description.operations["takeModel"][3]["requestBody"]["content"]["application/json"]["example"]["schema"]
    walk("putRealm", {"kind": "synced"}, realm="team")
    walk("uploadSnapshot", {"schema": notes, "objects": {"Note": [{"_id": n, "text": "bread"} for n in (3, 4)]}}, realm="team")
    walk("changeObjects", realm="team")
    partner = walk("makePartner", realm="team")
    for each in ("getPartner", "listViolations", "listDivergent", "abortPartner"):
        walk(each, realm="team", partner=partner["id"])
    walk("listPartners", realm="team")
    schema = walk.description.operations["enableSync"][3]["requestBody"]["content"]["application/json"]["example"]["schema"]
    sized = [dict(schema[0], properties=notes[0]["properties"] | {"size": "int"})]
    request = {"schema": sized, "targetVersion": 4}
    assert walk("startMigration", request, {"Prefer": "wait=60"}, realm="team")["state"] == "succeeded"
    walk("listUnsynced", realm="team")
    assert walk("startBackfill", fields={"Prefer": "wait=60"}, realm="team")["state"] == "succeeded"
    walk("putRealm", {"kind": "synced", "developmentMode": True}, realm="team")
    for each in ("takeModel", "terminateSync", "enableSync"):
        walk(each, realm="team")


def generate(description, folder):
    """A client, by openapi-python-client, which says what it does not understand."""
    (folder / "openapi.json").write_text(json.dumps(description.document))
    binaries = pathlib.Path(sys.executable).parent
    done = subprocess.run(
        [binaries / "openapi-python-client", "generate", "--path", "openapi.json", "--output-path", "realmshift_client",
         "--meta", "none", "--config", HERE / "client.yaml"],
        cwd=folder, capture_output=True, text=True, env={"PATH": f"{binaries}:/usr/bin:/bin"})
    said = (done.stdout + done.stderr).replace("Generating realmshift_client", "").strip()
    assert done.returncode == 0 and not said, f"the generator has something to say:\n{said[:3000]}"


def use_client(service, folder):
    """The way of a realm through the generated client."""
    sys.path.insert(0, str(folder))
    from realmshift_client import AuthenticatedClient
    from realmshift_client.api.apps import put_app
    from realmshift_client.api.migrations import start_migration
    from realmshift_client.api.schemas import put_schema_version
    from realmshift_client.api.snapshots import get_snapshot_content, get_snapshot_schema, upload_snapshot
    from realmshift_client.models import MigrationRequest, SchemaVersionRequest
    from realmshift_client.types import File
    target = json.loads((ROOT / "examples/people-v3.json").read_text())
    declaration = {"schema": target["schema"], "migration": {
        "language": "javascript", "source": (ROOT / "examples/split-names.js").read_text()}}
    with AuthenticatedClient(service.url, token=service.key, raise_on_unexpected_status=True) as client:
        put_app.sync("people", client=client)
        with open(ROOT / "examples/people.realm", "rb") as realm:
            first = upload_snapshot.sync("people", "ada", client=client, body=File(payload=realm))
        assert first.schema_version == 2 and first.object_counts["User"] == 2, first
        put_schema_version.sync("people", 3, client=client, body=SchemaVersionRequest.from_dict(declaration))
        job = start_migration.sync("people", "ada", client=client, body=MigrationRequest(target_version=3), prefer="wait=60")
        assert job.state == "succeeded" and job.to_version == 3, job
        schema = get_snapshot_schema.sync(job.result_snapshot, client=client)
        assert "firstName" in schema.schema[0].properties.to_dict(), schema
        content = get_snapshot_content.sync_detailed(job.result_snapshot, client=client).content
        assert json.loads(content)["objects"]["User"][0]["lastName"] == "Lovelace", content


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="realmshift-openapi-") as folder, Service(options.program, folder) as service:
        description = Description(service.call("GET", "/openapi.json"))
        walk = Walk(service, description)
        for part in (walk_local_realms, walk_access, walk_synced_realms, refuse):
            part(walk)
        if options.record:
            options.record.write_text(json.dumps(walk.recorded, indent=1))
        description.check_examples(description.document)
        generate(description, pathlib.Path(folder))
        use_client(service, pathlib.Path(folder))
    print(f"{len(description.operations)} operations are described, {len(walk.sent)} requests sent as their examples have them, "
          f"{description.validated} examples and answers fit their schemas; the generated client migrated a realm")


if __name__ == "__main__":
    main()
