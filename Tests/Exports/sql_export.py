#!/usr/bin/env python3
"""Exports realms to SQL, has psql run it in an empty schema, and compares every value with Realm JSON.

usage: sql_export.py PROGRAM [--shared DIR] [--whole] [--random N] [--seed N] [--jobs N]
"""

import base64
import decimal
import hashlib
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

import export_check
import property_statistics
from dates import nanoseconds_of
from relations import Comparison, Names, Relations, Rows

BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
SYSTEM_COLUMNS = ("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid")


class Server:
    """A PostgreSQL of this run alone."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.user = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        data = self.folder / "data"
        subprocess.run([*self.user, BINARIES / "initdb", "-N", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8",
                        "--locale=C"], check=True, capture_output=True)
        subprocess.run([*self.user, BINARIES / "pg_ctl", "-w", "-D", data, "-l", self.folder / "log", "-o",
                        f"-k {self.folder} -c listen_addresses= -c fsync=off", "start"], check=True, capture_output=True)

    @property
    def url(self):
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def psql(self, schema, *arguments):
        environment = {**os.environ, "PGOPTIONS": f"-c search_path={schema} -c timezone=UTC -c client_min_messages=error"}
        return subprocess.run(
            [BINARIES / "psql", "-X", "-q", "-h", self.folder, "-U", "postgres", "-d", "postgres", "-v",
             "ON_ERROR_STOP=1", *arguments], capture_output=True, text=True, env=environment, encoding="utf-8")

    def close(self):
        subprocess.run([*self.user, BINARIES / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop"],
                       capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgresRelations(Relations):
    """PostgreSQL tells names apart by every byte, and has no more than 63 of them."""

    def __init__(self, document):
        super().__init__(document)
        names = PostgresNames()
        self.manifest, self.options = names.take("realm_manifest"), names.take("realm_export")
        self.tables = {name: names.take(name) for name in self.classes}
        self.collections = {key: names.take(f"{key[0]}_{key[1]}") for key in self.collections}


class PostgresNames(Names):
    def __init__(self):
        super().__init__(fold=lambda name: name)

    def take(self, wanted):
        name = wanted.replace("\0", "\ufffd") or "_"
        if name.startswith("pg_"):
            name = "_" + name
        candidate, number = cut(name, 63), 1
        while candidate in self.taken:
            number += 1
            candidate = cut(name, 63 - len(f"_{number}")) + f"_{number}"
        self.taken.add(candidate)
        return candidate


def cut(name, limit):
    return name.encode()[:limit].decode(errors="ignore")


def cell(kind, value):
    """A value of Realm JSON as PostgreSQL has it, and the loss."""
    if kind == "mixed":
        return (None if value is None else mixed(json.loads(json.dumps(value).replace("\\u0000", "\\ufffd")))), None
    if value is None:
        return None, None
    if kind in ("float", "double"):
        number = float(value["$numberDouble"]) if isinstance(value, dict) else float(value)
        return repr(number), None
    if kind == "bool":
        return bool(value), None
    if kind == "data":
        return base64.b64decode(value["$binary"]["base64"]), None
    if kind == "date":
        number, rest = divmod(nanoseconds_of(value["$date"]), 1000)
        if not -210866803200 * 10 ** 6 <= number < 9224318016000 * 10 ** 6:
            return None, "date_range"
        return number, "date_fraction" if rest else None
    if kind == "decimal128":
        number = decimal.Decimal(value["$numberDecimal"])
        lost = "sign_of_zero" if number == 0 and number.is_signed() and not number.is_nan() else None
        return ("NaN" if number.is_nan() else abs(number) if number == 0 else number), lost
    if kind == "string":
        return value.replace("\0", "\ufffd"), "nul_in_text" if "\0" in value else None
    return next(iter(value.values())) if isinstance(value, dict) else value, None


def mixed(value):
    """A value of jsonb: its numbers are decimal, members come in another order."""
    if isinstance(value, bool) or not isinstance(value, (int, float, list, dict)):
        return value
    if isinstance(value, list):
        return [mixed(each) for each in value]
    if isinstance(value, dict):
        return {key: mixed(value[key]) for key in sorted(value)}
    return decimal.Decimal(repr(value)).normalize() + 0


def parse(kind, text):
    """A cell of COPY's text format as a value."""
    if text == "\\N":
        return None
    text = unescape(text)
    if kind in ("bigint", "integer"):
        return int(text)
    if kind == "boolean":
        return text == "t"
    if kind == "real":
        return repr(struct.unpack("f", struct.pack("f", float(text)))[0])
    if kind == "double precision":
        return repr(float(text))
    if kind == "bytea":
        return bytes.fromhex(text[2:])
    if kind == "numeric":
        return "NaN" if text == "NaN" else decimal.Decimal(text)
    if kind == "jsonb":
        return mixed(json.loads(text, parse_float=float))
    if kind == "timestamp with time zone":
        era = text.endswith(" BC")
        day, clock = text.removesuffix(" BC").removesuffix("+00").split(" ")
        year, rest = day.split("-", 1)
        year = 1 - int(year) if era else int(year)
        return nanoseconds_of(f"{'-' if year < 0 else ''}{abs(year):04}-{rest}T{clock}Z") // 1000
    return text


def unescape(text):
    out, index = [], 0
    while index < len(text):
        if text[index] == "\\":
            letters = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
            out.append(letters.get(text[index + 1], text[index + 1]))
            index += 2
        else:
            out.append(text[index])
            index += 1
    return "".join(out)


def mixed_losses(value):
    """The losses of a mixed value in jsonb."""
    text = json.dumps(value)
    return [loss for loss, found in (("nul_in_text", "\\u0000" in text), ("sign_of_zero", has_minus_zero(value))) if found]


def has_minus_zero(value):
    if isinstance(value, (dict, list)):
        return any(has_minus_zero(each) for each in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and value == 0 and math.copysign(1, value) < 0


class PostgresComparison(Comparison):
    def lose(self, name, each, losses):
        for loss in losses:
            self.losses[name, each, loss] = self.losses.get((name, each, loss), 0) + 1

    def collection(self, name, each, expected, rows):
        if isinstance(expected, dict):
            self.lose(name, each, ["nul_in_text" for key in expected if "\0" in key])
        super().collection(name, each, expected, rows)

    def value(self, name, each, expected, found):
        kind, _ = self.relations.element(name, each)
        if kind in ("decimal128", "mixed"):
            wanted, loss = self.cell(kind, expected)
            self.lose(name, each, mixed_losses(expected) if kind == "mixed" else [loss] if loss else [])
            if wanted != found:
                self.problems.append(f"{name}.{each}: {expected!r} is {found!r} and not {wanted!r}")
            return
        super().value(name, each, expected, found)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def read(server, schema, table, place):
    name = table.replace("'", "''")
    types = server.psql(schema, "-At", "-F", "\x1f", "-c", (
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        f"WHERE relname = '{name}' AND relnamespace = '{schema}'::regnamespace AND attnum > 0 ORDER BY attnum")).stdout
    columns = [line.split("\x1f") for line in types.split("\n") if line]
    order = f' ORDER BY owner, "{place}"' if place else ""
    out = server.psql(schema, "-c", f"COPY (SELECT * FROM {quoted(table)}{order}) TO STDOUT")
    if out.returncode != 0:
        raise RuntimeError(out.stderr)
    rows = [tuple(parse(kind, text) for (_, kind), text in zip(columns, line.split("\t"), strict=True))
            for line in out.stdout.split("\n")[:-1]]
    return [name for name, _ in columns], rows


def is_copied(number):
    """Every other realm is copied into the database without a script."""
    return number % 2 == 1


def compare(server, document, digests, path, number):
    schema = f"s{number}"
    if not is_copied(number):
        server.psql("public", "-c", f"CREATE SCHEMA {schema}")
        done = server.psql(schema, "-1", "-f", path)
        if done.returncode != 0:
            return [f"psql: {done.stderr.strip()[:500]}"]
    relations = PostgresRelations(document)
    rows = Rows(relations, lambda table, place: read(server, schema, table, place))
    comparison = PostgresComparison(document, rows, cell)
    problems = comparison.compare()
    said = {}
    for name, table, count, digest, properties, losses in read(server, schema, relations.manifest, None)[1]:
        embedded = relations.classes[name].get("embedded", False)
        expected = None if embedded else digests.get(name, hashlib.sha256()).hexdigest()
        if (table, count, digest) != (relations.tables[name], len(rows.objects[name]), expected):
            problems.append(f"{name}: the manifest says {table}, {count}, {digest}")
        problems += property_statistics.problems(document, {name: properties})
        for loss in losses:
            said[name, loss["property"], loss["reason"]] = int(loss["count"])
    if said != comparison.losses:
        problems.append(f"losses {said}, not {comparison.losses}")
    server.psql("public", "-c", f"DROP SCHEMA {schema} CASCADE")
    return problems


def main():
    options = export_check.parser(__doc__).parse_args()
    server = Server()
    try:
        export_check.main("SQL", options, lambda *realm: compare(server, *realm), "sql",
            database=lambda number: (server.url, f"s{number}") if is_copied(number) else None)
    finally:
        server.close()


if __name__ == "__main__":
    main()
