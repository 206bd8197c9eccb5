#!/usr/bin/env python3
"""Drives a service by the commands of a shell alone: shell_client.py PROGRAM [--realms N]

Realms of three schema versions are pushed and migrated by a fleet that fails for two causes, is mended, finishes and is undone, once
with --json and once in a terminal, whose screens are looked at; a job is watched in a terminal and cancelled; and an upload whose
connection breaks, and whose program is killed, goes on where it was.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(ROOT / "bench")]
from screen import Terminal  # noqa: E402
from service import Service  # noqa: E402

VERSIONS, TARGET = (1, 2, 3), 4
OBJECTS = 5
# A fleet that pauses at the third failure of many, however many realms are at work then.
STOP = 3
START = ("fleet", "start", "tenants", "--to-version", str(TARGET), "--stop-after", str(STOP), "--concurrency", "20")
SCRIPT = """function migrate(migration, version) {
  migration.enumerateObjects("Person", (was, is) => {
    if (was.first === "") throw new Error(`person ${was.id} has no first name`);
    is.length = was.note.length;
    is.name = `${was.first} ${was.last}`;
  });
}
"""
MENDED = SCRIPT.replace('if (was.first === "") throw new Error(`person ${was.id} has no first name`);', "").replace(
    "was.note.length", '(was.note ?? "").length')


def schema(version):
    properties = {"id": "int", "name": "string", "length": "int"} if version == TARGET else {
        "id": "int", "first": "string", "last": "string", "note": "string?",
        **{f"added{number}": "int?" for number in VERSIONS if 1 < number <= version}}
    return [{"name": "Person", "primaryKey": "id", "properties": properties}]


class Tenant:
    """A realm of the trial, and how it fails."""

    def __init__(self, number):
        self.name, self.version = f"tenant-{number:03}", VERSIONS[number % 3]
        # Of twenty realms one fails, by turns for either cause.
        self.cause = (None, "first", "note")[(number % 20 == 7) + (number % 40 == 27)]

    def persons(self):
        for number in range(OBJECTS):
            is_bad = number == OBJECTS - 1
            yield {"id": number, "first": "" if self.cause == "first" and is_bad else f"first{number}", "last": self.name,
                   "note": None if self.cause == "note" and is_bad else "n" * number,
                   **{f"added{each}": each for each in VERSIONS if 1 < each <= self.version}}

    def before(self):
        return {"schemaVersion": self.version, "schema": schema(self.version), "objects": {"Person": list(self.persons())}}

    def after(self):
        return [{"id": each["id"], "name": f"{each['first']} {each['last']}", "length": len(each["note"] or "")}
                for each in self.persons()]


class BreakingProxy:
    """Passes one connection after the other on, and stops the first one when so many bytes of requests have gone through."""

    def __init__(self, port, limit, cuts, tls=None):
        self.target, self.limit, self.cuts, self.tls, self.passed = port, limit, cuts, tls, 0
        self.reached = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                if self.tls:
                    try:
                        client = self.tls.wrap_socket(client, server_side=True)
                    except OSError:
                        continue
                server = socket.create_connection(("127.0.0.1", self.target))
                threading.Thread(target=self.pass_on, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self.pass_on, args=(server, client, False), daemon=True).start()

    def pass_on(self, source, target, is_request):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
                if not is_request:
                    continue
                self.passed += len(data)
                if self.passed >= self.limit and not self.reached.is_set():
                    self.reached.set()
                    if self.cuts:
                        break
                    # Neither side hears any more: whoever waits has to be killed.
                    threading.Event().wait()
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Shell:
    def __init__(self, program, folder, service):
        self.program, self.folder, self.service = program, folder, service
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8",
            "REALMSHIFT_SERVER": f"http://127.0.0.1:{service.port}", "REALMSHIFT_KEY": service.key}

    def run(self, *words, code=0, **environment):
        done = subprocess.run([self.program, *words], cwd=self.folder, env={**self.environment, **environment},
                              capture_output=True, text=True)
        assert done.returncode == code, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def lines(self, *words, code=0, **environment):
        return [json.loads(line) for line in self.run(*words, "--json", code=code, **environment).splitlines()]

    def terminal(self, *words):
        return Terminal([self.program, *words], {**self.environment, "PWD": str(self.folder)})


def counts(fleet):
    return {state: count for state, count in fleet["counts"].items() if count}


def check_realms(shell, tenants, migrated):
    """Every realm holds what it has to hold, by its file."""
    out = shell.folder / ("after" if migrated else "before")
    out.mkdir(exist_ok=True)
    assert len(shell.lines("pull", "tenants/*", "--output", str(out), "--to", "json", "--force")) == len(tenants)
    for tenant in tenants:
        realm = json.loads((out / f"{tenant.name}.json").read_text())
        persons = sorted(({k: v for k, v in each.items() if k != "_key"} for each in realm["objects"]["Person"]), key=lambda each: each["id"])
        wanted = (TARGET, tenant.after()) if migrated else (tenant.version, list(tenant.persons()))
        assert (realm["schemaVersion"], persons) == wanted, f"{tenant.name}: {realm['schemaVersion']}, {persons}"


def with_json(shell, tenants):
    """A fleet by lines of JSON: it fails, is mended, finishes and is undone."""
    bad = {tenant.name: tenant.cause for tenant in tenants if tenant.cause}
    events = shell.lines(*START, code=5)
    assert {event["event"] for event in events} <= {"fleet", "end"} and events[-1]["event"] == "end"
    fleet = events[-1]["data"]
    assert fleet["state"] == "paused" and fleet["pauseReason"] == "failures", fleet
    assert STOP <= fleet["counts"]["failed"] <= len(bad), counts(fleet)
    name = f"tenants/{fleet['id']}"
    failed = shell.lines("fleet", "realms", name, "--state", "failed")
    assert len(failed) == fleet["counts"]["failed"] and all(each["error"]["code"] == "script_failed" for each in failed)
    causes = sorted(collections.Counter(bad[each["realm"]] for each in failed).values())
    assert causes == sorted(failure["count"] for failure in fleet["failures"]), fleet["failures"]
    assert [each["id"] for each in shell.lines("fleet", "list", "tenants")] == [fleet["id"]]
    fleet = shell.lines("fleet", "retry", name, "--script", "mended.js")[-1]["data"]
    assert counts(fleet) == {"succeeded": len(tenants)} and fleet["state"] == "succeeded", fleet
    versions, = (each["versions"] for each in shell.lines("apps") if each["name"] == "tenants")
    assert [(each["version"], each["count"]) for each in versions] == [(TARGET, len(tenants))], versions
    check_realms(shell, tenants, migrated=True)
    fleet = shell.lines("fleet", "undo", name)[-1]["data"]
    assert counts(fleet) == {"undone": len(tenants)} and fleet["state"] == "undone", fleet
    check_realms(shell, tenants, migrated=False)


def in_terminal(shell, tenants):
    """The same as a person sees it: one page that is drawn again, and stands there at the end."""
    terminal = shell.terminal(*START)
    assert terminal.end() == 5, terminal.screen.text
    check_pages(terminal, len(tenants))
    page = terminal.screen.text
    assert re.search(rf"^fleet of tenants to version {TARGET}: paused \(failures\), \d+ of {len(tenants)} realms", page), page
    assert re.search(r"^[█░]{10,40} \d+ %", page, flags=re.M), page
    failed = int(re.search(r"\bfailed (\d+)\b", page).group(1))
    groups = [int(count) for count in re.findall(r"^  (\d+) × script_failed: .* \(tenant-", page, flags=re.M)]
    assert failed >= STOP and sum(groups) == failed and "\nfailures:\n" in page, page
    name = f"tenants/{shell.lines('fleet', 'list', 'tenants')[0]['id']}"
    terminal = shell.terminal("fleet", "retry", name, "--script", str(shell.folder / "mended.js"))
    assert terminal.end() == 0, terminal.screen.text
    check_pages(terminal, len(tenants))
    assert f"succeeded, {len(tenants)} of {len(tenants)} realms" in terminal.screen.text
    assert re.search(rf"^█+ 100 %.*\nsucceeded {len(tenants)}$", terminal.screen.text, flags=re.M), terminal.screen.text
    terminal = shell.terminal("fleet", "undo", name)
    assert terminal.end() == 0 and f"undone {len(tenants)}" in terminal.screen.text, terminal.screen.text
    check_realms(shell, tenants, migrated=False)


def check_pages(terminal, realms):
    """Every page that was drawn is whole: a title alone at its head, and each realm in one place."""
    assert terminal.screens
    for page in terminal.screens:
        assert page.startswith("fleet of tenants") and page.count("fleet of tenants") == 1, page
        numbers = re.findall(r"\b(?:succeeded|unchanged|failed|running|pending|undone|kept) ([\d,]+)\b", page)
        assert sum(int(number.replace(",", "")) for number in numbers) == realms, page


def bars(shell, tenants):
    """A bar for each file that is pushed, which stays with what became of it; realms that are the same again."""
    some = tenants[:3]
    terminal = shell.terminal("push", "tenants", str(shell.folder / "realms/tenant-00[0-2].json"))
    assert terminal.end() == 0, terminal.screen.text
    lines = terminal.screen.text.splitlines()
    assert len(lines) == len(some), lines
    for line, tenant in zip(lines, some):
        assert re.fullmatch(rf"{tenant.name}\.json █{{20}} 100 % tenants/{tenant.name}, {OBJECTS} objects", line), line


def watch_job(shell):
    """A job in a terminal: class, bar, speed and log, up to its cancellation from elsewhere."""
    persons = [{"id": number, "text": "t"} for number in range(20_000)]
    slow = [{"name": "Slow", "primaryKey": "id", "properties": {"id": "int", "text": "string"}}]
    (shell.folder / "slow.json").write_text(json.dumps({"schemaVersion": 1, "schema": slow, "objects": {"Slow": persons}}))
    (shell.folder / "slow-v2.json").write_text(json.dumps({"schemaVersion": 2, "schema": slow}))
    # Minutes unless it is cancelled: a clock of the service goes on by a microsecond when a script looks. Progress is seen soon.
    (shell.folder / "slow.js").write_text("""function migrate(migration) {
      console.log("it begins");
      migration.enumerateObjects("Slow", (was, is) => { const end = Date.now() + 2000; while (Date.now() < end) {} is.text = "u"; });
    }""")
    shell.run("declare", "slow", "--schema", "slow-v2.json", "--script", "slow.js")
    shell.run("push", "slow", "slow.json")
    terminal = shell.terminal("migrate", "slow/slow", "--to-version", "2", "--server", shell.environment["REALMSHIFT_SERVER"])
    terminal.read_until(r"(?m)^Slow [█░]+ \d+ %  [\d,]+ of 20,000 objects")
    terminal.read_until(r"(?m)^  it begins$")
    job, = shell.lines("jobs", "list", "--app", "slow", "--state", "running")
    assert f"migration of slow/slow to version 2: running  {job['id']}" in terminal.screen.text, terminal.screen.text
    # Who is tired of looking ends the command, and not the job.
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130 and "the jobs go on: realmshift watch" in terminal.screen.text, terminal.screen.text
    terminal = shell.terminal("watch", "slow/slow")
    terminal.read_until(r"(?m)^Slow [█░]+ \d+ %")
    shell.run("jobs", "cancel", job["id"])
    assert terminal.end() == 1
    page = terminal.screen.text
    assert "migration of slow/slow to version 2: cancelled" in page and page.count("migration of slow/slow") == 1, page
    assert shell.lines("watch", "slow/slow", code=1)[-1]["data"]["state"] == "cancelled"


def watch_gone(shell):
    """A rehearsal that goes with its realm ends its watch."""
    api = shell.service.connect()
    trial = {"targetVersion": 2, "dryRun": True}
    terminal = shell.terminal("watch", api.json("POST", "/v1/apps/slow/realms/slow/migrations", trial)["id"])
    terminal.read_until(r"(?m)^Slow [█░]+ \d+ %")
    api.call("DELETE", "/v1/apps/slow/realms/slow").read()
    assert terminal.end() == 1 and "There is no job" in terminal.screen.text, terminal.screen.text


def interrupted(shell):
    """An upload goes on after a break of its connection, and after the end of its program."""
    big = [{"name": "Big", "properties": {"text": "string"}}]
    objects = [{"_key": number, "text": f"{number:x}" * 240} for number in range(60_000)]
    path = shell.folder / "big.json"
    path.write_text(json.dumps({"schemaVersion": 1, "schema": big, "objects": {"Big": objects}}))
    size = path.stat().st_size
    # Each break may cost some parts of 4 MiB, by how soon the service notices it; to begin anew costs half of the file.
    most = size + (16 << 20)
    assert size * 1.5 > most, size
    proxy = BreakingProxy(shell.service.port, size // 2, cuts=True)
    pushed, = shell.lines("push", "big", "big.json", "--create", REALMSHIFT_SERVER=f"http://127.0.0.1:{proxy.port}")
    assert pushed["objectCounts"] == {"Big": len(objects)} and proxy.reached.is_set()
    assert size <= proxy.passed < most, f"{proxy.passed} bytes were sent for a file of {size}"
    proxy = BreakingProxy(shell.service.port, size // 2, cuts=False)
    environment = {**shell.environment, "REALMSHIFT_SERVER": f"http://127.0.0.1:{proxy.port}"}
    command = [shell.program, "push", "big", "big.json", "--realm", "again", "--json"]
    process = subprocess.Popen(command, cwd=shell.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert proxy.reached.wait(120)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = subprocess.run(command, cwd=shell.folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["objectCounts"] == {"Big": len(objects)}
    assert size <= proxy.passed < most, f"{proxy.passed} bytes were sent for a file of {size}"
    assert not list((shell.folder / "home").rglob("upload-*")), "what is sent has no note any more"


def by_tls(shell):
    """The key goes only to who has a certificate that is trusted."""
    certificate, key = shell.folder / "cert.pem", shell.folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=realms", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    proxy = BreakingProxy(shell.service.port, sys.maxsize, cuts=True, tls=context)
    url = f"https://127.0.0.1:{proxy.port}"
    assert shell.lines("apps", "--ca-file", str(certificate), REALMSHIFT_SERVER=url)
    passed = proxy.passed
    shell.run("apps", code=3, REALMSHIFT_SERVER=url)
    shell.run("apps", "--ca-file", str(certificate), code=3, REALMSHIFT_SERVER=url.replace("127.0.0.1", "localhost"))
    assert proxy.passed == passed, "a request was sent to who is not trusted"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--realms", type=int, default=200)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for each in ("service", "realms", "home"):
            (folder / each).mkdir()
        service = Service(program, folder / "service")
        try:
            shell = Shell(program, folder, service)
            tenants = [Tenant(number) for number in range(options.realms)]
            for tenant in tenants:
                (folder / "realms" / f"{tenant.name}.json").write_text(json.dumps(tenant.before()))
            (folder / "target.json").write_text(json.dumps({"schemaVersion": TARGET, "schema": schema(TARGET)}))
            (folder / "script.js").write_text(SCRIPT)
            (folder / "mended.js").write_text(MENDED)
            shell.run("declare", "tenants", "--schema", "target.json", "--script", "script.js")
            assert len(shell.lines("push", "tenants", "realms/*.json")) == options.realms
            with_json(shell, tenants)
            in_terminal(shell, tenants)
            bars(shell, tenants)
            watch_job(shell)
            watch_gone(shell)
            interrupted(shell)
            by_tls(shell)
        finally:
            service.stop()
    print(f"{options.realms} realms were driven from a shell, by lines and in a terminal; uploads went on after breaks")


if __name__ == "__main__":
    main()
