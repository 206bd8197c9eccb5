"""Exports of one realm of many objects, each beside what the sqlite3 shell takes to import its rows from CSV."""

import subprocess
import time
import zipfile

from realms import members
from service import ServiceError

# A query by name needs these: a primary key and an index.
INDEXED = [{"name": "Member", "primaryKey": "id", "properties": {
    "id": "int", "firstName": "string", "lastName": {"type": "string", "indexed": True}, "age": "int"}}]
TABLE = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE "Member" ("id" INTEGER PRIMARY KEY NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
    "age" INTEGER NOT NULL);
CREATE INDEX "index_Member_lastName" ON "Member" ("lastName");
"""


def exports(run):
    path = run.realms.ndjson("indexed-members", INDEXED, {"Member": members(run.count)})
    snapshot = run.snapshot("members", path)
    out = run.folder / "exported"
    run.step("export to CSV", lambda: fetch(run, snapshot, "csv", out), objects=run.count)
    rows = run.folder / "members.csv"
    unpack(out, rows)
    peer = min(import_rows(run, rows) for _ in range(run.options.runs))
    run.step(
        "export to SQLite", lambda: fetch(run, snapshot, "sqlite", out), objects=run.count, peer=peer,
        peer_name="sqlite3 .import")
    check(out, run.count)
    for title, name in (("SQL", "sql"), ("Parquet", "parquet"), ("EJSON", "ejson")):
        run.step(f"export to {title}", lambda: fetch(run, snapshot, name, out), objects=run.count)
    one_core(run, path, rows, out)


def fetch(run, snapshot, name, path):
    response = run.client.call("GET", f"/v1/snapshots/{snapshot}/content?format={name}")
    with open(path, "wb") as file:
        while chunk := response.read(1 << 20):
            file.write(chunk)


def unpack(archive, path):
    """The rows without the line of names, which sqlite3 would take for one."""
    with zipfile.ZipFile(archive) as opened, opened.open("Member.csv") as file, open(path, "wb") as out:
        file.readline()
        while chunk := file.read(1 << 20):
            out.write(chunk)


def import_rows(run, rows, prefix=()):
    database = run.folder / "imported.sqlite"
    database.unlink(missing_ok=True)
    start = time.monotonic()
    subprocess.run(
        [*prefix, "sqlite3", database], input=f"{TABLE}\n.mode csv\n.import {rows} Member\n", text=True, check=True,
        capture_output=True)
    seconds = time.monotonic() - start
    check(database, run.count)
    return seconds


def check(database, count):
    found = subprocess.run(
        ["sqlite3", database, "SELECT count(*), sum(age), max(id) FROM Member"], capture_output=True, text=True)
    expected = f"{count}|{sum(number % 90 for number in range(count))}|{count - 1}"
    if found.stdout.strip() != expected:
        raise ServiceError(f"the database has {found.stdout.strip()} and not {expected}: {found.stderr.strip()}")


def one_core(run, path, rows, out):
    """The same from a file to a file, by the program alone, on one core each."""
    prefix = ("taskset", "-c", "0")
    realm = run.folder / "members.realm"
    program = run.options.program
    subprocess.run([program, "convert", path, realm, "--quiet", "--force"], check=True)
    peer = min(import_rows(run, rows, prefix) for _ in range(run.options.runs))
    seconds = []
    for _ in range(run.options.runs):
        target = out.with_suffix(".sqlite")
        start = time.monotonic()
        subprocess.run([*prefix, program, "convert", realm, target, "--quiet", "--force"], check=True)
        seconds.append(time.monotonic() - start)
    check(target, run.count)
    run.results.add(
        "convert .realm to SQLite, one core", seconds, "s", objects=run.count, peer=peer, peer_name="sqlite3 .import")
