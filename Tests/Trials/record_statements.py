#!/usr/bin/env python3
"""Records the statements that a program sends to its database, with the types of their parameters.

usage: record_statements.py PROGRAM OUTPUT

OUTPUT gets a line of JSON for each. Tests/StoreCoreTests/Fixtures has those of the last program, whose statements the tables of this one
have to bear: a service is upgraded while processes of the last program run. After a release it is recorded anew, by the program that was
released.
"""

import json
import pathlib
import shutil
import socket
import struct
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Documentation"))
import pages  # noqa: E402
import rare_walk  # noqa: E402
from statement_costs import Service, make_seed  # noqa: E402


class Recorder:
    """Stands between clients and a server of PostgreSQL, and reads what clients have it parse."""

    def __init__(self, server):
        self.server, self.found, self.lock = str(server), {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server)
            threading.Thread(target=self.forward, args=(server, client), daemon=True).start()
            threading.Thread(target=self.record, args=(client, server), daemon=True).start()

    @staticmethod
    def forward(source, target):
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
        except OSError:
            pass
        finally:
            target.close()

    def record(self, client, server):
        """Passes messages on: the first has no letter, and all have their length."""
        stream, is_first = client.makefile("rb"), True
        try:
            while head := stream.read(4 if is_first else 5):
                rest = stream.read(struct.unpack("!I", head[-4:])[0] - 4)
                if head[:1] == b"P" and not is_first:
                    self.note(rest)
                is_first = False
                server.sendall(head + rest)
        except OSError:
            pass
        finally:
            server.close()

    def note(self, message):
        _, query, types = message.split(b"\0", 2)
        count = struct.unpack("!H", types[:2])[0]
        with self.lock:
            self.found[query.decode()] = struct.unpack(f"!{count}I", types[2:])


class Recorded(Service):
    """A service whose database is that of another one, by way of a recorder."""

    def __init__(self, host, folder):
        self.host, self.program, self.folder = host, host.program, folder
        self.recorder = Recorder(host.folder / "data/postgres/.s.PGSQL.5432")
        url = f"postgresql://realmshift@127.0.0.1:{self.recorder.port}/postgres?sslmode=disable"
        self.arguments = ["--lease", "3", "--database-url", url]
        (folder / "data").mkdir()
        shutil.copy(host.folder / "data/admin.key", folder / "data/admin.key")
        self.start()

    def sql(self, text, counted=False):
        return self.host.sql(text, counted)


def main():
    program, output = sys.argv[1:]
    temporary = [tempfile.TemporaryDirectory(prefix="record-", ignore_cleanup_errors=True) for _ in range(2)]
    folders = [pathlib.Path(each.name) for each in temporary]
    for folder in folders:
        folder.chmod(0o755)
    host = Service(program, folders[0], "--workers", "0")
    try:
        service = Recorded(host, folders[1])
        try:
            make_seed(service)
            pages.walk("api.md", service.url, service.key)
            rare_walk.Walk(service).go(directly=False)
        finally:
            service.stop()
        names = dict(line.split("|") for line in host.sql("SELECT oid, typname FROM pg_type").split())
        version = int(host.sql("SELECT max(number) FROM database_migration"))
    finally:
        host.stop()
        for each in temporary:
            each.cleanup()
    lines = [json.dumps({"tables": version})]
    for query, types in sorted(service.recorder.found.items()):
        if "database_migration" not in query and "pg_" not in query and not query.startswith(("SET", "LISTEN")):
            lines.append(json.dumps({"sql": query, "types": [names[str(each)] for each in types]}, ensure_ascii=False))
    pathlib.Path(output).write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} statements, of tables of version {version}")


if __name__ == "__main__":
    main()
