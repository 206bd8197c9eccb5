#!/usr/bin/env python3
"""Runs the clients of docs/clients against the service: a realm is migrated, a migration that fails changes nothing.

usage: clients.py PROGRAM

Python and Swift are run, TypeScript is compiled in its strict mode and run by Node, Kotlin is parsed. Each has a token with the scope `device`
for one realm, with which nothing else can be done.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import tree_sitter
import tree_sitter_kotlin

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "docs/clients"
# The names that identity providers give users.
REALM = "auth0|ada+1@example.com"
MAIN = {
    "main.swift": """
        import Foundation
        let words = CommandLine.arguments
        do {
            try await migrate(
                server: words[1], token: ProcessInfo.processInfo.environment["REALMSHIFT_TOKEN"] ?? "", app: words[2], realm: words[3],
                file: URL(fileURLWithPath: words[4]), version: Int(words[5]) ?? 0)
        } catch let failure as MigrationFailure {
            FileHandle.standardError.write(Data(failure.reason.utf8))
            exit(1)
        }
        """,
    "main.mjs": """
        import { readFile, writeFile } from "node:fs/promises";
        import { migrate } from "./migrate.js";
        const [server, app, realm, file, version] = process.argv.slice(2);
        const migrated = await migrate(
            server, process.env.REALMSHIFT_TOKEN, app, realm, new Blob([await readFile(file)]), Number(version));
        await writeFile(file, Buffer.from(await migrated.arrayBuffer()));
        """,
}


class Service:
    def __init__(self, program, folder):
        self.folder, log = folder, folder / "log"
        self.process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--data", folder / "data"], stderr=log.open("wb"))
        while not (found := re.search(rb"listening on (\S+)", log.read_bytes())):
            if self.process.poll() is not None:
                sys.exit("the service did not come up:\n" + log.read_text())
            time.sleep(0.1)
        self.url = found.group(1).decode()
        self.key = (folder / "data/admin.key").read_text().strip()

    def ask(self, method, path, body=None, key=None):
        """The status and the JSON of the answer."""
        fields = {"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def call(self, method, path, body=None, key=None):
        status, answer = self.ask(method, path, body, key)
        if status >= 300:
            sys.exit(f"{method} {path}: {status} {answer}")
        return answer


def declare(service):
    """Version 3 as the examples have it, and version 4, whose script fails."""
    schema = json.loads((ROOT / "examples/people-v3.json").read_text())["schema"]
    source = (ROOT / "examples/split-names.js").read_text()
    service.call("PUT", "/v1/apps/notes")
    for version, text in ((3, source), (4, "function migrate(migration) { throw new Error('no such luck'); }")):
        service.call("PUT", f"/v1/apps/notes/schemas/{version}", {"schema": schema, "migration": {"language": "javascript", "source": text}})


def token(service):
    """What a backend gives a device: its own key can do no more than that either."""
    backend = service.call("POST", "/v1/keys", {"name": "backend", "scopes": ["device"], "apps": ["notes"]})["key"]
    return service.call("POST", "/v1/tokens", {"app": "notes", "realms": [REALM], "scopes": ["device"]}, backend)["token"]


def built(folder):
    """The commands of the clients that can be run."""
    for name, text in MAIN.items():
        (folder / name).write_text(text)
    for client in CLIENTS.glob("migrate.*"):
        shutil.copy(client, folder)
    subprocess.run(["swiftc", "-swift-version", "6", "-warnings-as-errors", "migrate.swift", "main.swift", "-o", "client"], cwd=folder, check=True)
    subprocess.run(["tsc", "--strict", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom", "migrate.ts"], cwd=folder, check=True)
    (folder / "package.json").write_text('{"type": "module"}')
    return {"Python": [sys.executable, folder / "migrate.py"], "Swift": [folder / "client"], "TypeScript": ["node", folder / "main.mjs"]}


def check(name, command, program, service, key):
    """Runs a client: once to a version that can be reached, and once to one whose script fails."""
    faults, file = [], service.folder / f"{name}.realm"
    shutil.copy(ROOT / "examples/people.realm", file)

    def run(version):
        return subprocess.run(
            [*command, service.url, "notes", REALM, file, str(version)], env=os.environ | {"REALMSHIFT_TOKEN": key}, capture_output=True,
            text=True, timeout=120)

    before, failed = file.read_bytes(), run(4)
    if failed.returncode == 0 or "no such luck" not in failed.stderr:
        faults.append(f"{name}: a migration that fails is told as {failed.returncode} {failed.stderr}")
    if file.read_bytes() != before:
        faults.append(f"{name}: a migration that fails has changed the file")
    done = run(3)
    expected = service.folder / f"{name}.expected.realm"
    subprocess.run(
        [program, "migrate", ROOT / "examples/people.realm", "--schema", ROOT / "examples/people-v3.json", "--script",
         ROOT / "examples/split-names.js", "--output", expected], check=True, capture_output=True)
    same = subprocess.run([program, "diff", file, expected, "--objects", "--exit-code"], capture_output=True, text=True)
    if done.returncode or same.returncode:
        faults.append(f"{name}: the migrated file is another: {done.stderr} {same.stdout} {same.stderr}")
    return faults


def narrowness(service, key):
    """What a device tries besides, and gets."""
    realm = "/v1/apps/notes/realms/auth0%7Cada%2B1%40example.com"
    tried = [
        ("GET", realm, None, 403), ("DELETE", realm, None, 403), ("PUT", realm, {"labels": {}}, 403), ("GET", "/v1/jobs", None, 403),
        ("GET", "/v1/apps/notes/realms", None, 403), ("POST", f"{realm}/migrations", {"targetVersion": 3, "dryRun": True}, 403),
        ("POST", "/v1/apps/notes/realms/eve/migrations", {"targetVersion": 3}, 404), ("POST", "/v1/keys", {}, 403),
    ]
    for method, path, body, expected in tried:
        status, answer = service.ask(method, path, body, key)
        if status != expected:
            yield f"{method} {path} with the token of a device: {status} {answer}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    program = pathlib.Path(parser.parse_args().program).resolve()
    faults = []
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_kotlin.language()))
    if parser.parse((CLIENTS / "migrate.kt").read_bytes()).root_node.has_error:
        faults.append("Kotlin: it can't be parsed")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="clients-"))
    folder.chmod(0o755)
    service = Service(program, folder)
    try:
        declare(service)
        key = token(service)
        for name, command in built(folder).items():
            faults += check(name, command, program, service, key)
        faults += narrowness(service, key)
    finally:
        service.process.terminate()
        service.process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
    print(*faults, f"{len(faults)} faults", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
