"""A clean Debian in a folder, in which packages are installed and tried as their user would."""

import json
import pathlib
import re
import shlex
import subprocess
import time

MIRROR = "http://deb.debian.org/debian"


class CleanRoot:
    """Debian 12 with its essential packages alone, made by debootstrap; gone with the test."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        # debootstrap's steps are in its own log.
        done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(self.folder), MIRROR], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        self.mounted = []
        for kind, place in (("proc", "proc"), ("tmpfs", "dev/shm")):
            (self.folder / place).mkdir(exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, str(self.folder / place)], check=True)
            self.mounted.append(self.folder / place)
        # Nothing that is installed starts by itself.
        (self.folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.folder / "usr/sbin/policy-rc.d").chmod(0o755)
        return self

    def __exit__(self, *_):
        for place in reversed(self.mounted):
            subprocess.run(["umount", "-l", str(place)], check=True)

    def command(self, words, user=None):
        # Behind the colon nothing: the group that the user has.
        identity = [f"--userspec={user}:"] if user else []
        return ["chroot", *identity, str(self.folder), "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", *words]

    def run(self, *words, user=None):
        done = subprocess.run(self.command(words, user), capture_output=True, text=True)
        assert done.returncode == 0, f"{shlex.join(words)} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def put(self, source, target):
        (self.folder / target).write_bytes(pathlib.Path(source).read_bytes())

    def install(self, *packages):
        self.run("apt-get", "update", "-qq")
        self.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", *packages)


def unit_of(clean, name):
    """The settings of a unit, as it is installed; the last one counts."""
    text = (clean.folder / "usr/lib/systemd/system" / name).read_text()
    return dict(re.findall(r"^(\w+)=(.*)$", text, flags=re.M))


def environment_of(clean, path):
    lines = (clean.folder / path.lstrip("-").lstrip("/")).read_text().splitlines()
    return dict(line.partition("=")[::2] for line in map(str.strip, lines) if line and not line.startswith("#"))


def command_of(clean, unit):
    """A unit's command as systemd would run it: variables that stand alone become words."""
    environment = environment_of(clean, unit["EnvironmentFile"])
    words = []
    for word in unit["ExecStart"].split():
        words += shlex.split(environment[word[1:]].strip('"')) if word.startswith("$") else [word]
    return words


def service_in(clean, package):
    """Installs the package with what it recommends, runs the service as its unit says, and migrates a realm in it."""
    clean.put(package, "tmp/realmshift.deb")
    clean.install("/tmp/realmshift.deb", "curl", "jq")
    unit = unit_of(clean, "realmshift.service")
    assert clean.run("realmshift", "--version").startswith("realmshift ")
    examples = "/usr/share/doc/realmshift/examples"
    state = f"/var/lib/{unit['StateDirectory']}"
    # What systemd does before the command: the state's folder, which is the user's.
    clean.run("install", "-d", "-m", unit["StateDirectoryMode"], "-o", unit["User"], "-g", unit["Group"], state)
    service = subprocess.Popen(
        clean.command(["sh", "-c", 'umask "$0" && cd / && exec "$@"', unit["UMask"], *command_of(clean, unit)], unit["User"]),
        stderr=open(clean.folder / "tmp/serve.log", "w"))
    try:
        for _ in range(600):
            if service.poll() is not None or "listening on" in (clean.folder / "tmp/serve.log").read_text():
                break
            time.sleep(0.2)
        log = (clean.folder / "tmp/serve.log").read_text()
        assert "listening on" in log and service.poll() is None, log
        migrate_by_api(clean, state, examples)
        service.terminate()
        assert service.wait(90) == 0, (clean.folder / "tmp/serve.log").read_text()
    finally:
        if service.poll() is None:
            service.terminate()
            service.wait(90)
    clean.run("apt-get", "remove", "-y", "-qq", "realmshift")
    assert not (clean.folder / "usr/lib/realmshift").exists()
    assert (clean.folder / "var/lib/realmshift/admin.key").exists(), "the data stays when the program goes"


def migrate_by_api(clean, state, examples):
    """An app, a realm, a declared version and a migration, by curl."""
    script = f"""set -e
key=$(cat {state}/admin.key); cd {examples}
api() {{ curl -fsS --retry 20 --retry-all-errors --retry-delay 1 -H "Authorization: Bearer $key" "$@"; }}
api -X PUT localhost:8080/v1/apps/notes >/dev/null
api -X POST localhost:8080/v1/apps/notes/realms/ada/snapshots -H 'Content-Type: application/x-realm' --data-binary @people.realm >/dev/null
jq -n --slurpfile target people-v3.json --rawfile source split-names.js \
  '{{schema: $target[0].schema, migration: {{language: "javascript", source: $source}}}}' |
  api -X PUT localhost:8080/v1/apps/notes/schemas/3 -H 'Content-Type: application/json' -d @- >/dev/null
api -X POST localhost:8080/v1/apps/notes/realms/ada/migrations -H 'Prefer: wait=60' -H 'Content-Type: application/json' \
  -d '{{"targetVersion": 3}}' >/tmp/job.json
api "localhost:8080/v1/snapshots/$(jq -r .resultSnapshot /tmp/job.json)/content" -H 'Accept: application/json'
"""
    check(json.loads(clean.run("sh", "-c", script)))


def tarball_in(clean, tarball):
    """Unpacks the tarball where there is nothing but glibc, and migrates a file by a script in JavaScript, and reads Swift."""
    clean.put(tarball, "tmp/realmshift.tar.gz")
    clean.run("sh", "-c", "cd /opt && tar -xzf /tmp/realmshift.tar.gz && mv realmshift-* realmshift")
    assert clean.run("/opt/realmshift/bin/realmshift", "--version").startswith("realmshift ")
    examples = "/opt/realmshift/share/doc/realmshift/examples"
    shown = clean.run(
        "/opt/realmshift/bin/realmshift", "migrate", f"{examples}/people.realm", "--schema", f"{examples}/people-v3.json",
        "--script", f"{examples}/split-names.js", "--output", "-", "--to", "json", user="nobody")
    check(json.loads(shown))
    (clean.folder / "tmp/Dog.swift").write_text("import RealmSwift\nclass Dog: Object { @Persisted var name: String }\n")
    schema = json.loads(clean.run("/opt/realmshift/bin/realmshift", "schema", "/tmp/Dog.swift", user="nobody"))
    assert schema["schema"][0]["name"] == "Dog"


def check(realm):
    names = sorted((each["firstName"], each["lastName"]) for each in realm["objects"]["User"])
    assert names == [("Ada", "Lovelace"), ("Alan", "Turing")], names
