#!/usr/bin/env python3
"""Exports realms whose classes and properties have hostile names to every format, has programs that are not ours open them,
and looks whether all is there and nothing else has changed.

usage: hostile_names.py PROGRAM
"""

import csv
import io
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import zipfile

import bson
import duckdb
import tree_sitter
import tree_sitter_c_sharp
import tree_sitter_dart
import tree_sitter_kotlin
import tree_sitter_typescript
from bson import json_util
from export_check import run
from sql_export import Server, quoted

NAMES = [
    # words of SQL, of languages, and of what they call for
    "select", "table", "group", "user", "order", "class", "case", "init", "self", "Self", "Type", "constructor", "__proto__",
    "prototype", "toString", "hasOwnProperty", "None", "object", "String", "Object", "Data", "_", "__", "val", "dynamic",
    # names of catalogs, and of what exports have themselves
    "pg_authid", "pg_class", "information_schema", "sqlite_master", "sqlite_sequence", "SQLITE_X", "realm_manifest", "realm_export",
    "rowid", "ctid", "xmin", "oid", "text", "_id", "_key", "$oid", "$numberLong", "manifest",
    # marks
    'a"b', "a'b", "a`b", "a$b", "a\\b", "a.b", "a/b", "a\tb", "a\nb", "a\r\n\\! echo x", 'a"); DROP TABLE t; --', ":schema", "*/ x",
    "${x}", "\\(x)", "=1+1",
    # what isn't seen
    "a\0b", "a\u2028b", "a\u202eb", "\u200b", " ", "\ufeff", "\u0301",
    # files
    "..", ".", "nul", "-rf",
    # differing in case, in composition, and at the end of the longest
    "NUL", "\u00e9", "e\u0301", "\u212b", "\u00c5", "x" * 57, "x" * 56 + "y", "\u65e5\u672c", "\U00010400",
]

# A row that would make a superuser of the catalog's table of roles.
ROLE = {"oid": 4242424, "rolname": "evil", "rolsuper": True, "rolinherit": True, "rolcreaterole": True, "rolcreatedb": True,
        "rolcanlogin": True, "rolreplication": True, "rolbypassrls": True, "rolconnlimit": -1, "rolpassword": None,
        "rolvaliduntil": None}


def document():
    """A class of each name with properties of others, one with them all, and objects of every class."""
    classes, objects = [], {}
    for number, name in enumerate(NAMES):
        other = NAMES[(number + 1) % len(NAMES)]
        taken = {name if name != "_key" else "k": {"type": "string", "indexed": True}}
        taken[f"{other}2"] = {"type": "list", "objectType": "int"}
        taken["link"] = {"type": "object", "objectType": other, "optional": True}
        if name == "pg_authid":
            taken = {each: {"type": kinds[type(value)], "optional": value is None} for each, value in ROLE.items()}
            objects[name] = [{"_key": 0, **ROLE}]
        else:
            first = next(iter(taken))
            objects[name] = [{"_key": key, first: name, f"{other}2": [1, 2], "link": 0} for key in range(2)]
        classes.append({"name": name, "properties": taken})
    every = [name for name in NAMES if name != "_key"]
    classes.append({"name": "Every", "properties": {name: {"type": "string"} for name in every}})
    objects["Every"] = [{"_key": 0, **{name: name for name in every}}]
    classes.append({"name": "Sets", "properties": {name: {"type": "set", "objectType": "string"} for name in every}})
    objects["Sets"] = [{"_key": 0, **{name: [name] for name in every}}]
    return {"schemaVersion": 1, "schema": classes, "objects": objects}


kinds = {int: "int", str: "string", bool: "bool", type(None): "string"}


class Checks:
    """The faults by format."""

    def __init__(self, program, folder):
        self.program, self.folder, self.problems = program, folder, []
        self.document = document()
        self.realm = folder / "names.json"
        self.realm.write_text(json.dumps(self.document))

    def expect(self, right, problem):
        if not right:
            self.problems.append(problem)

    def convert(self, output, *options):
        made = run(self.program, "convert", self.realm, output, *options, "--quiet")
        self.expect(made.returncode == 0, f"convert to {output}: {made.stderr.strip()}")
        return made.returncode == 0

    def counts(self, manifest, title):
        """Each class is in the manifest once, under a place of its own."""
        self.expect(len({place for _, place, _ in manifest}) == len(manifest), f"{title}: two classes have one place")
        said = {name.replace("\0", "\ufffd"): count for name, _, count in manifest}
        wanted = {name.replace("\0", "\ufffd"): len(values) for name, values in self.document["objects"].items()}
        self.expect(said == wanted, f"{title}: the manifest says {said}")

    def statistics(self, name, properties, columns, title):
        """A property is in the column of its name, or of the one that the manifest says."""
        for each in properties:
            place = each.get("column", each["property"].replace("\0", "\ufffd") if title == "SQL" else each["property"])
            if "table" not in each and "elements" not in each and place not in columns:
                self.problems.append(f"{title}: {name!r}.{each['property']!r} should be the column {place!r} of {columns}")

    # SQL

    def sql(self):
        path = self.folder / "names.sql"
        if not self.convert(path):
            return
        server = Server()
        try:
            server.psql("public", "-c", "CREATE TABLE public.pg_authid (a text); CREATE TABLE public.\"Every\" (a text); CREATE SCHEMA s2")
            before = self.state(server)
            for schema, search, arguments in [
                    ("own", "public", ["-1", "-v", "schema=own"]), ("s2", "s2", ["-1"]), ("ow\"n'; --", "public", ["-v", "schema=ow\"n'; --"])]:
                done = server.psql(search, *arguments, "-f", path)
                self.expect(done.returncode == 0, f"psql into {schema}: {done.stderr[:300]}")
                self.expect(self.state(server) == before, f"psql into {schema}: something else has changed")
                self.tables(server, schema)
            copied = run(self.program, "convert", self.realm, server.url, "--quiet")
            self.expect(copied.returncode == 0, f"copy: {copied.stderr.strip()[:300]}")
            self.expect(self.state(server) == before, "copy: something else has changed")
            self.tables(server, "names")
            self.stops_at_an_error(server, path)
        finally:
            server.close()

    @staticmethod
    def state(server):
        """All that is in the catalog of other schemas than the exports', and the rows of all tables there."""
        others = "NOT IN ('own', 's2', 'names', 'ow\"n''; --', 'pg_toast')"
        whole = ["authid", "auth_members", "database", "db_role_setting", "tablespace", "language", "extension", "cast", "am",
                 "event_trigger", "default_acl", "init_privs", "largeobject_metadata", "foreign_server", "publication", "seclabel"]
        found = [server.psql("public", "-Atc", f"SELECT t::text FROM pg_catalog.pg_{each} t ORDER BY 1").stdout for each in whole]
        for each, column in [("class", "relnamespace"), ("proc", "pronamespace"), ("operator", "oprnamespace"), ("type", "typnamespace"),
                             ("constraint", "connamespace")]:
            name = {"class": "relname || relkind || relowner || coalesce(relacl::text, '')"}.get(each, "t::text")
            found.append(server.psql("public", "-Atc", (
                f"SELECT {name} FROM pg_catalog.pg_{each} t JOIN pg_namespace n ON n.oid = {column} WHERE nspname {others} "
                "ORDER BY 1")).stdout)
        found.append(server.psql("public", "-Atc", f"SELECT nspname, nspacl FROM pg_namespace WHERE nspname {others} ORDER BY 1").stdout)
        found.append(server.psql("public", "-Atc", 'TABLE public."pg_authid"; TABLE public."Every"').stdout)
        return found

    def tables(self, server, schema):
        place = quoted(schema)
        out = server.psql("public", "-Atc", f"SELECT json_agg(json_build_array(class, table_name, object_count, properties)) FROM {place}.realm_manifest")
        manifest = json.loads(out.stdout)
        self.counts([each[:3] for each in manifest], "SQL")
        for name, table, count, properties in manifest:
            columns = server.psql("public", "-Atc", (
                "SELECT json_agg(attname) FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace "
                f"WHERE attnum > 0 AND nspname = '{schema.replace(chr(39), chr(39) * 2)}' AND relname = '{table.replace(chr(39), chr(39) * 2)}'"))
            self.statistics(name, properties, json.loads(columns.stdout), "SQL")
            found = server.psql("public", "-Atc", f"SELECT count(*) FROM {place}.{quoted(table)}").stdout
            self.expect(found == f"{count}\n", f"SQL: {table!r} has {found!r} rows, not {count}")

    def stops_at_an_error(self, server, path):
        """Where a table can't be made, its rows are not taken for statements."""
        realm = self.folder / "trap.json"
        realm.write_text(json.dumps({"schema": [{"name": "A", "properties": {"a": "string", "b": "string"}}], "objects": {
            "A": [{"_key": 0, "a": ";CREATE ROLE evil SUPERUSER;", "b": ""}]}}))
        run(self.program, "convert", realm, self.folder / "trap.sql", "--quiet")
        server.psql("public", "-c", 'CREATE SCHEMA trap; CREATE TABLE trap."A" (x integer)')
        server.psql("trap", "-v", "ON_ERROR_STOP=0", "-f", self.folder / "trap.sql")
        roles = server.psql("public", "-Atc", "SELECT rolname FROM pg_roles WHERE rolname = 'evil'").stdout
        self.expect(roles == "", "SQL: rows were run as statements")

    # SQLite

    def sqlite(self):
        for options in ([], ["--flatten"]):
            path = self.folder / f"names{len(options)}.sqlite"
            if not self.convert(path, *options):
                continue
            with sqlite3.connect(path) as database:
                self.expect(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "SQLite: damaged")
                manifest = database.execute("SELECT class, table_name, object_count, properties FROM realm_manifest").fetchall()
                self.counts([each[:3] for each in manifest], "SQLite")
                for name, table, count, properties in manifest:
                    columns = [each[1] for each in database.execute(f"PRAGMA table_info({quoted(table)})")]
                    self.statistics(name, json.loads(properties), columns, "SQLite")
                    found = database.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()[0]
                    self.expect(found == count, f"SQLite: {table!r} has {found} rows, not {count}")
            dumped = subprocess.run(["sqlite3", "-batch", path, ".dump"], capture_output=True)
            again = subprocess.run(["sqlite3", "-batch", "-bail", self.folder / f"again{len(options)}.sqlite"],
                                   input=dumped.stdout, capture_output=True)
            self.expect(dumped.returncode == 0 and again.returncode == 0, f"SQLite: a dump is not read: {again.stderr[:300]}")

    # Files of classes

    def archive(self, ending):
        path = self.folder / f"names.{ending}.zip"
        if not self.convert(path):
            return
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            folded = {unicodedata.normalize("NFKC", name).casefold() for name in names}
            self.expect(len(folded) == len(names), f"{ending}: file systems take two files for one: {sorted(names)}")
            for name in names:
                fine = name == "manifest.json" or name.endswith(f".{ending}")
                fine = fine and not any(unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp") or each in '/\\:*?"<>|' for each in name)
                self.expect(fine and name[0] not in ".-" and name.split(".")[0].lower() != "nul", f"{ending}: a file {name!r}")
            manifest = json.loads(archive.read("manifest.json"))
            self.counts([(each["class"], each["file"], each["objectCount"]) for each in manifest["classes"]], ending)
            out = self.folder / f"out-{ending}"
            archive.extractall(out)
        unzipped = subprocess.run(["unzip", "-tq", path], capture_output=True) if shutil.which("unzip") else None
        self.expect(unzipped is None or unzipped.returncode == 0, f"{ending}: unzip refuses it")
        for each in manifest["classes"]:
            getattr(self, ending)(each, out / each["file"])

    def csv(self, entry, path):
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode(), newline=""), strict=True))
        head = rows[0]
        self.expect(len(set(head)) == len(head), f"CSV: two columns of {entry['class']!r} have one name")
        self.expect("\0" not in "".join(head), f"CSV: a NUL in a name of {entry['class']!r}")
        self.expect(len(rows) - 1 == entry["objectCount"], f"CSV: {entry['class']!r} has {len(rows) - 1} rows")
        for each in entry["properties"]:
            self.expect(each.get("column", each["property"]) in head, f"CSV: no column of {each['property']!r} in {head}")

    def parquet(self, entry, path):
        with duckdb.connect() as database:
            rows = database.execute("SELECT count(*) FROM read_parquet($1)", [str(path)]).fetchone()[0]
            names = [each[0] for each in database.execute("SELECT name FROM parquet_schema($1)", [str(path)]).fetchall()]
            database.execute("SELECT * FROM read_parquet($1)", [str(path)]).fetchall()
        self.expect(rows == entry["objectCount"], f"Parquet: {entry['class']!r} has {rows} rows")
        for each in entry["properties"]:
            self.expect(each.get("column", each["property"]) in names, f"Parquet: no column of {each['property']!r} in {names}")

    def ejson(self, entry, path):
        ids = []
        for line in path.read_text().split("\n")[:-1]:
            found = json_util.loads(line)
            bson.encode(found)
            ids.append(found["_id"])
            self.expect(not [name for name in found if name.startswith("$")], f"EJSON: a document {list(found)}")
            for each in entry["properties"]:
                name = each.get("member", each["property"])
                self.expect(name in found, f"EJSON: no member of {each['property']!r} in {list(found)}")
                if entry["class"] == "Every":
                    self.expect(found[name] == each["property"], f"EJSON: {each['property']!r} is {found[name]!r}")
        self.expect(len(set(ids)) == entry["objectCount"], f"EJSON: {entry['class']!r} has {ids} for ids")

    # Models

    def models(self):
        languages = {
            "realm-kotlin": tree_sitter_kotlin.language, "room": tree_sitter_kotlin.language, "realm-dart": tree_sitter_dart.language,
            "realm-js": tree_sitter_typescript.language_typescript, "realm-dotnet": tree_sitter_c_sharp.language}
        for target in ["realm-swift", "grdb", *languages]:
            folder = self.folder / target
            folder.mkdir()
            made = run(self.program, "models", self.realm, "--target", target, "--output", folder)
            self.expect(made.returncode == 0, f"models {target}: {made.stderr.strip()}")
            if made.returncode != 0:
                continue
            (path,) = folder.iterdir()
            source = path.read_bytes()
            hidden = [each for each in source.decode() if unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp", "Co") and each != "\n"]
            self.expect(not hidden, f"models {target}: {hidden} is not escaped")
            if target in languages:
                # Kotlin has more letters than the grammar.
                source = "".join("x" if each.isalpha() and not each.isascii() else each for each in source.decode()).encode()
                tree = tree_sitter.Parser(tree_sitter.Language(languages[target]())).parse(source)
                self.expect(not tree.root_node.has_error, f"models {target}: {first_error(tree.root_node, source)}")
            else:
                parsed = subprocess.run(["swiftc", "-frontend", "-parse", path], capture_output=True, text=True)
                self.expect(parsed.returncode == 0 and not parsed.stderr, f"models {target}: {parsed.stderr[:500]}")


def first_error(node, source):
    for child in node.children:
        if child.has_error and not child.is_error:
            return first_error(child, source)
        if child.is_error or child.is_missing:
            return first_error(child, source) if child.has_error and child.children else f"{child} {child.text!r}"
    line = source.split(b"\n")[node.start_point[0]].decode()
    return f"line {node.start_point[0] + 1}: {line!r}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        checks = Checks(sys.argv[1], pathlib.Path(folder))
        checks.sql()
        checks.sqlite()
        for ending in ["csv", "parquet", "ejson"]:
            checks.archive(ending)
        checks.models()
        for problem in checks.problems[:40]:
            print("FAILED", problem)
        print(f"Hostile names: {len(NAMES)} names, {len(checks.problems)} problems")
        sys.exit(1 if checks.problems else 0)


if __name__ == "__main__":
    main()
