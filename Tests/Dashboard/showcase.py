"""A service as it is after some months of use, for pictures and for whoever works at the pages."""

import base64
import struct
import zlib

FIRST = ["Ada", "Grace", "Alan", "Barbara", "Edsger", "Radia", "Donald", "Frances", "Tony", "Margaret"]
LAST = ["Lovelace", "Hopper", "Turing", "Liskov", "Dijkstra", "Perlman", "Knuth", "Allen", "Hoare", "Hamilton"]

SPLIT = """function migrate(migration, oldSchemaVersion) {
  if (oldSchemaVersion >= 2) return;
  migration.enumerateObjects("Person", (oldPerson, newPerson) => {
    const words = oldPerson.name.split(" ");
    newPerson.lastName = words.pop();
    newPerson.firstName = words.join(" ");
  });
}
"""
# Some notes have no title, which the script does not expect.
RATE = """function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Note", (oldNote, newNote) => {
    // Stars were words once.
    newNote.stars = oldNote.title.length % 6;
    if (oldNote.title === "") throw new Error("a note without a title");
  });
}
"""


# A week of figures, which nobody waits for: more and more realms, from version to version.
HISTORY = """
    SET search_path = realmshift;
    INSERT INTO job_hour (app_id, hour, kind, state, counts, seconds)
    SELECT owner, date_trunc('hour', now()) - n * interval '1 hour', 'migration', state, ARRAY[0, 0, 0, number], number * 0.02
    FROM (SELECT app_id FROM app WHERE name = 'notes' UNION ALL SELECT NULL) AS owners (owner), generate_series(1, 167) AS n,
        LATERAL (VALUES ('succeeded', (n * 7) % 11 + (abs(n % 24 - 12) * n) % 9), ('failed', CASE WHEN n % 23 = 3 THEN 1 + n % 4 ELSE 0 END))
            AS ended (state, number)
    WHERE number > 0;
    INSERT INTO realm_hour (app_id, hour, realms, stored_bytes, versions)
    SELECT owner, date_trunc('hour', now()) - n * interval '1 hour', one + two + three, 2000 * (one + two + three),
        json_build_array(json_build_object('version', 3, 'count', three), json_build_object('version', 2, 'count', two),
                         json_build_object('version', 1, 'count', one))
    FROM (SELECT app_id FROM app WHERE name = 'notes' UNION ALL SELECT NULL) AS owners (owner), generate_series(1, 167, 5) AS n,
        LATERAL (SELECT 4 + n / 16 AS one, greatest(0, 9 - abs(n - 60) / 12) AS two, greatest(0, 11 - n / 6) AS three) AS moved;
"""


def picture(number):
    """A small PNG in one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + bytes([40 + number * 20 % 200, 90, 200 - number * 15 % 150]) * 24
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 24, 24, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * 24)) + chunk(b"IEND", b""))


def schema(version):
    person = {"_id": "int", "name": "string"} if version == 1 else {"_id": "int", "firstName": "string", "lastName": "string"}
    note = {"_id": "int", "title": {"type": "string", "indexed": True}, "text": "string", "author": "Person", "tags": "Tag[]",
            "written": "date", "any": "mixed", **({"stars": "int"} if version >= 3 else {})}
    return [
        {"name": "Person", "primaryKey": "_id", "properties": {
            **person, "age": "int", "picture": "data?", "home": "Address", "friends": "Person[]"}},
        {"name": "Note", "primaryKey": "_id", "properties": note},
        {"name": "Tag", "primaryKey": "name", "properties": {
            "name": "string", "notes": {"type": "linkingObjects", "objectType": "Note", "property": "tags"}}},
        {"name": "Address", "embedded": True, "properties": {"street": "string", "city": "string"}},
    ]


def without_text(version):
    """The schema of a version whose notes lose their text, and whose people their picture."""
    classes = schema(version)
    del classes[0]["properties"]["picture"], classes[1]["properties"]["text"]
    return classes


def realm(seed, people=10, notes=60):
    mixed = [1, "1", {"$float": 1.5}, True, None, {"$date": "2026-03-01T10:00:00Z"}]
    return {"schemaVersion": 1, "schema": schema(1), "objects": {
        "Person": [{
            "_id": number, "name": f"{FIRST[number % 10]} {LAST[(number + number // 10) % 10]}", "age": 20 + (number * 7 + seed) % 60,
            "picture": {"$binary": {"base64": base64.b64encode(picture(number)).decode(), "subType": "00"}},
            "home": {"street": f"{number + 1} Main Street", "city": ["London", "Paris", "Rome"][number % 3]},
            "friends": [(number + 1) % people, (number + 3) % people]} for number in range(people)],
        "Note": [{
            "_id": number, "title": f"Note {number}", "text": "Milk, bread and a theorem. " * (1 + number % 3), "author": number % people,
            "tags": [["home", "work", "later"][number % 3]] if number % 4 else [], "any": mixed[number % 6],
            "written": {"$date": f"2026-{1 + number % 12:02}-{1 + number % 28:02}T08:00:00Z"}} for number in range(notes)],
        "Tag": [{"name": name} for name in ("home", "work", "later")]}}


def fill(service):
    """Two apps: notes, of which a fleet waits with a canary that failed, and a crew with a synced realm."""
    service.call("PUT", "/v1/apps/notes")
    for version, source in ((1, None), (2, SPLIT), (3, RATE)):
        migration = source and {"language": "javascript", "source": source}
        service.call("PUT", f"/v1/apps/notes/schemas/{version}", {"schema": schema(version), **({"migration": migration} if migration else {})})
    for number in range(24):
        name = f"{FIRST[number % 10].lower()}-{number}"
        content = realm(number)
        if number % 8 == 5:
            content["objects"]["Note"][7]["title"] = ""
        service.call("PUT", f"/v1/apps/notes/realms/{name}", {"kind": "local", "labels": {"ring": str(number % 3)}})
        service.call("POST", f"/v1/apps/notes/realms/{name}/snapshots", content)
        if number % 3:
            migrate(service, name, 2)
        if number % 6 == 1:
            migrate(service, name, 3)
    service.call("PUT", "/v1/apps/notes/schemas/4", {"schema": without_text(3)})
    migrate(service, f"{FIRST[3].lower()}-3", 4, dryRun=True)
    fleet = service.call("POST", "/v1/apps/notes/fleets", {
        "targetVersion": 3, "select": {"version": "<3"}, "canary": {"percent": 40}, "stopAfter": {"failures": 2}})
    synced(service)
    service.sql(HISTORY)
    return fleet["id"]


def migrate(service, name, version, **more):
    job = service.call("POST", f"/v1/apps/notes/realms/{name}/migrations", {"targetVersion": version, **more})
    while job["state"] in ("queued", "running"):
        job = service.call("GET", f"/v1/jobs/{job['id']}", fields={"Prefer": "wait=5"})
    return job


def synced(service):
    person = {"name": "Person", "primaryKey": "_id", "properties": {"_id": "int", "name": "string", "age": "int"}}
    service.call("PUT", "/v1/apps/crew")
    service.call("PUT", "/v1/apps/crew/realms/team", {"kind": "synced"})
    service.call("POST", "/v1/apps/crew/realms/team/snapshots", {"schemaVersion": 1, "schema": [person], "objects": {
        "Person": [{"_id": number, "name": FIRST[number], "age": 30 + number} for number in range(10)]}})
