"""PostgreSQL itself, on the service's own server: what the same work costs in SQL."""

import pathlib
import re
import shutil
import statistics
import subprocess
import time

DATABASE = "peer"
MIGRATE = """UPDATE person SET object = jsonb_build_object('_key', object->'_key', 'fullName',
    (object->>'firstName') || ' ' || (object->>'lastName'), 'age', object->'age')"""
COLUMNS = """CREATE TABLE person_columns AS SELECT (object->>'_key')::bigint AS key, object->>'firstName' AS "firstName",
    object->>'lastName' AS "lastName", (object->>'age')::bigint AS age FROM person;
    ALTER TABLE person_columns ALTER age SET NOT NULL"""
ALTER = """BEGIN; ALTER TABLE person_columns RENAME "firstName" TO "givenName";
    ALTER TABLE person_columns ADD email text, DROP "lastName", ALTER age DROP NOT NULL; COMMIT"""


def program(name):
    for folder in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / name).exists():
            return str(folder / name)
    return shutil.which(name) or name


class Peer:
    """One jsonb row an object, in a database beside the service's. What was measured is kept."""

    def __init__(self, service, realms, count, runs):
        self.realms, self.count, self.runs, self.figures = realms, count, runs, {}
        self.connection = ["-h", str(service.data / "postgres"), "-U", "realmshift"]
        self.sql(f"CREATE DATABASE {DATABASE}", "postgres")

    def sql(self, text, database=DATABASE, **streams):
        arguments = [program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", *self.connection, "-c", text, database]
        streams.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(arguments, check=True, **streams).stdout

    def once(self, name, measure):
        if name not in self.figures:
            self.figures[name] = measure()
        return self.figures[name]

    def median(self, measure):
        return statistics.median(measure() for _ in range(self.runs))

    def seconds(self, text, **streams):
        start = time.monotonic()
        self.sql(text, **streams)
        return time.monotonic() - start

    def copy_in(self):
        def measure():
            path = self.realms.lines(self.count)
            self.sql("CREATE TABLE person (object jsonb NOT NULL)")

            def copy():
                self.sql("TRUNCATE person")
                with open(path) as file:
                    return self.seconds("COPY person FROM STDIN", stdin=file)
            return self.median(copy)
        return self.once("copy in", measure)

    def stored_bytes(self):
        self.copy_in()
        return self.once("bytes", lambda: int(self.sql("SELECT pg_total_relation_size('person')")))

    def copy_out(self):
        def measure():
            def copy():
                with open(self.realms.folder / "peer.lines", "w") as file:
                    return self.seconds("COPY (SELECT object FROM person) TO STDOUT", stdout=file)
            self.copy_in()
            return self.median(copy)
        return self.once("copy out", measure)

    def alter(self):
        """The declared change on a table with a column a property, which is PostgreSQL's own best case; once."""
        def measure():
            self.copy_in()
            self.sql(COLUMNS)
            return self.seconds(ALTER)
        return self.once("alter", measure)

    def update(self):
        """Once, and the last one on the table, because it changes it."""
        def measure():
            self.stored_bytes(), self.copy_out(), self.alter()
            return self.seconds(MIGRATE)
        return self.once("update", measure)

    def select_rate(self, connections, seconds):
        """Transactions a second of pgbench's SELECT of one row by its key."""
        database, pgbench = f"{DATABASE}_pgbench", [program("pgbench"), *self.connection]

        def prepare():
            self.sql(f"CREATE DATABASE {database}", "postgres")
            subprocess.run([*pgbench, "-q", "-i", "-s", "1", database], check=True, capture_output=True)
            return database
        output = subprocess.run(
            [*pgbench, "-S", "-M", "prepared", "-c", str(connections), "-j", "2", "-T", str(seconds),
             self.once("pgbench", prepare)], check=True, capture_output=True, text=True).stdout
        return float(re.search(r"tps = ([\d.]+)", output)[1])

    def database_bytes(self, database="postgres"):
        return int(self.sql(f"CHECKPOINT; SELECT pg_database_size('{database}')", "postgres"))
