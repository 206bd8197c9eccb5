"""One realm of many objects: uploads, migrations, downloads, and what it takes on disk."""

import json
import os
import statistics

from realms import PATIENT, name, patients
from service import ServiceError

FORMATS = {".realm": "application/x-realm", "NDJSON": "application/x-ndjson", "JSON": "application/json"}
FULL_NAME = [{"name": "Person", "properties": {"fullName": "string", "age": "int"}}]
FULL_NAME_SCRIPT = """
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Person", (oldPerson, newPerson) => {
    newPerson.fullName = oldPerson.firstName + " " + oldPerson.lastName;
  });
}
"""
FULL_NAME_SWIFT = """
func migrate(migration: Migration, oldSchemaVersion: UInt64) {
    migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
        let firstName = oldObject!["firstName"] as! String
        let lastName = oldObject!["lastName"] as! String
        newObject!["fullName"] = "\\(firstName) \\(lastName)"
    }
}
"""
CARD = [{"name": "Patient", "properties": {
    "label": "string", "address": "string", "phone": "string", "index": "string", "summary": "string"}}]
CARD_SCRIPT = """
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Patient", (oldPatient, newPatient) => {
    const index = oldPatient.weight / (oldPatient.height * oldPatient.height);
    newPatient.label = `${oldPatient.lastName}, ${oldPatient.firstName} (${oldPatient.born})`;
    newPatient.address = `${oldPatient.street}, ${oldPatient.city}`;
    newPatient.phone = oldPatient.phone.replace(/^0(\\d+)\\/(\\d+)-(\\d+)$/, "+49 $1 $2 $3");
    newPatient.index = index.toFixed(2);
    newPatient.summary = (oldPatient.active ? "active: " : "gone: ") + oldPatient.note;
  });
}
"""
DECLARED_REQUEST = {
    "targetVersion": 2,
    "schema": [{"name": "Person", "properties": {"givenName": "string", "age": "int?", "email": "string?"}}],
    "migration": {"renames": [{"class": "Person", "from": "firstName", "to": "givenName"}]},
}


def by_script(schema, source):
    return {"targetVersion": 2, "schema": schema, "migration": {"language": "javascript", "source": source}}


def upload(run):
    copied = {"objects": run.count, "peer": run.peer.copy_in(), "peer_name": "COPY jsonb"}
    paths = {".realm": run.realms.realm, "NDJSON": run.realms.people, "JSON": run.realms.json}
    for title, path in paths.items():
        file = path(run.count)
        uploaded = run.step(
            f"upload {title}", lambda: run.client.upload("people", file, FORMATS[title]),
            megabytes=round(os.path.getsize(file) / 1e6, 1), **copied)
        run.snapshots["people"] = uploaded


def script(run):
    run.people()
    peer = run.peer.update()
    run.migrate(
        "migrate by script", "people", by_script(FULL_NAME, FULL_NAME_SCRIPT),
        objects=run.count, peer=peer, peer_name="UPDATE jsonb")


def swift(run):
    request = {"targetVersion": 2, "schema": FULL_NAME, "migration": {
        "language": "swift", "sources": [{"name": "Migration.swift", "text": FULL_NAME_SWIFT}]}}
    first = run.people()
    plain, _, _ = run.time(
        lambda: run.client.migrate("people", by_script(FULL_NAME, FULL_NAME_SCRIPT)),
        before=lambda: run.client.restore("people", first))
    run.migrate(
        "migrate by Swift block", "people", request, objects=run.count, peer=statistics.median(plain),
        peer_name="JavaScript")


def heavy(run):
    path = run.realms.ndjson("patients", PATIENT, {"Patient": patients(run.count)})
    run.snapshot("patients", path)
    run.migrate("migrate by heavy script", "patients", by_script(CARD, CARD_SCRIPT), objects=run.count)


def declared(run):
    first = run.people()
    seconds, memory, _ = run.time(
        lambda: run.client.migrate("people", DECLARED_REQUEST), before=lambda: run.client.restore("people", first))
    run.results.add(
        "declared changes", [each * 1000 for each in seconds], "ms", memory=memory, peer=run.peer.alter() * 1000,
        peer_name="ALTER TABLE")


def download(run):
    peer = run.peer.copy_out()
    snapshot = run.people()
    for title, media_type in reversed(FORMATS.items()):
        path = run.folder / "downloaded"
        run.step(
            f"download {title}", lambda: run.client.download(snapshot, media_type, path), objects=run.count,
            peer=peer, peer_name="COPY jsonb")
        if title == "NDJSON":
            check(path, run.count)
        path.unlink()


def check(path, count):
    """The last object has to be the last one that was uploaded."""
    with open(path, "rb") as file:
        file.seek(-400, os.SEEK_END)
        last = json.loads(file.read().splitlines()[-1])["object"]
    first_name, last_name = name(count - 1)
    if (last["firstName"], last["lastName"], last["age"]) != (first_name, last_name, (count - 1) % 90):
        raise ServiceError(f"the last object that was downloaded is {last}")


def storage(run):
    """The database grows by more than the segments: columns, indexes, rows' headers, and free space in pages."""
    before = run.peer.database_bytes()
    stored = run.client.upload("stored", run.realms.people(run.count), FORMATS["NDJSON"])
    grown = run.peer.database_bytes() - before
    bytes_of_jsonb, bytes_of_file = run.peer.stored_bytes(), os.path.getsize(run.realms.realm(run.count))
    snapshot = run.client.json("GET", f"/v1/snapshots/{stored}")
    kept = snapshot["storedBytes"]
    run.results.add("stored bytes of the snapshot", [kept], "B", peer=bytes_of_jsonb, peer_name="jsonb rows")
    run.results.add("stored bytes of the snapshot, to file", [kept], "B", peer=bytes_of_file, peer_name=".realm file")
    run.results.add("growth of the database", [grown], "B", peer=bytes_of_jsonb, peer_name="jsonb rows")
