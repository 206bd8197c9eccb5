"""A clean Debian in a folder, in which packages are installed and tried as their user would."""

import json
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Documentation"))
import pages  # noqa: E402

# File systems that programs in there ask for.
KINDS = (("proc", "proc"), ("tmpfs", "dev/shm"))


class CleanRoot:
    """Debian 12 with its essential packages alone, made by debootstrap; gone with the test."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        # debootstrap's steps are in its own log.
        done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(self.folder)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        self.mount()
        # Files that go with the test need not outlive a power loss.
        (self.folder / "etc/dpkg/dpkg.cfg.d/unsafe").write_text("force-unsafe-io\n")
        # Nothing that is installed starts by itself.
        (self.folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.folder / "usr/sbin/policy-rc.d").chmod(0o755)
        return self

    def __exit__(self, *_):
        self.unmount()

    def mount(self):
        self.is_mounted = True
        for kind, place in KINDS:
            (self.folder / place).mkdir(exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, str(self.folder / place)], check=True)

    def unmount(self):
        if self.is_mounted:
            for _, place in KINDS:
                subprocess.run(["umount", "-l", str(self.folder / place)], check=True)
        self.is_mounted = False

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

    def boot(self, script):
        """Starts the system with its own systemd, which runs a script, and waits for its end; answers what the script printed."""
        (self.folder / "root/trial.sh").write_text(f"#!/bin/bash\nexec >/root/trial.log 2>&1\ntrap 'systemctl poweroff' EXIT\n{script}")
        (self.folder / "root/trial.sh").chmod(0o755)
        units = self.folder / "etc/systemd/system"
        (units / "trial.service").write_text("[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nExecStart=/root/trial.sh\n")
        wanted = units / "multi-user.target.wants"
        wanted.mkdir(exist_ok=True)
        (wanted / "trial.service").symlink_to("../trial.service")
        self.unmount()
        console = subprocess.run(
            ["systemd-nspawn", "--register=no", "--keep-unit", "--private-network", "--quiet", "-D", str(self.folder), "-b"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500)
        self.mount()
        log = self.folder / "root/trial.log"
        assert log.exists(), console.stdout[-3000:] + console.stderr[-3000:]
        return log.read_text()


# The unit is started, not its command alone: the sandbox decides whether scripts can run.
TRIAL = r"""set -ex
systemctl start realmshift
curl -fsS --retry 100 --retry-all-errors --retry-delay 1 http://127.0.0.1:8080/readyz
export REALMSHIFT_SERVER=http://127.0.0.1:8080 HOME=/root
key=/var/lib/realmshift/admin.key
test "$(stat -c %U:%a $key)" = realmshift:600
cd /usr/share/doc/realmshift/examples
realmshift declare notes --schema people-v3.json --script split-names.js --api-key-file $key
realmshift push notes people.realm --realm ada --api-key-file $key
realmshift migrate notes/ada --to-version 3 --server $REALMSHIFT_SERVER --api-key-file $key
realmshift pull notes/ada --output /root/migrated.json --api-key-file $key
# The tutorial, as its reader would: in an empty folder, with the package alone.
mkdir /root/tutorial
(set +x; cd /root/tutorial && KEY=$(cat $key) bash /root/tutorial.sh)
process=$(systemctl show -p MainPID --value realmshift)
test "$(stat -c %U /proc/$process)" = realmshift
grep -q '^CapBnd:.0000000000000000$' /proc/$process/status
grep -q '^Seccomp:.2$' /proc/$process/status
for host in $(cat /proc/$process/task/*/children); do
    if grep -q realmshift /proc/$host/cmdline; then
        test "$(readlink /proc/$host/ns/net)" != "$(readlink /proc/$process/ns/net)"
    fi
done
systemctl reload realmshift
echo 'REALMSHIFT_DATABASE_URL=postgresql:///postgres?user=realmshift&host=/var/lib/realmshift/postgres' >/etc/realmshift/realmshift.conf
systemctl start realmshift-worker
until journalctl -u realmshift-worker | grep 'waiting for jobs'; do systemctl is-active realmshift-worker; sleep 1; done
systemctl stop realmshift-worker
systemctl is-active realmshift
systemctl stop realmshift
test "$(systemctl show -p Result --value realmshift)$(systemctl show -p Result --value realmshift-worker)" = successsuccess
if journalctl -u realmshift -u realmshift-worker | grep -E 'run without|systemd.*(Unknown|ignoring|Failed)'; then exit 1; fi
echo the service was as it should be
"""


def service_in(clean, package):
    """Installs the package with what it recommends, runs the service by its unit, migrates a realm in it, and walks the tutorial."""
    clean.put(package, "tmp/realmshift.deb")
    clean.install("/tmp/realmshift.deb", "curl", "jq", "sqlite3", "systemd", "systemd-sysv")
    (clean.folder / "root/tutorial.sh").write_text(pages.script("tutorial.md"))
    assert clean.run("realmshift", "--version").startswith("realmshift ")
    log = clean.boot(TRIAL)
    assert "\nthe service was as it should be\n" in log, log[-4000:]
    check(json.loads((clean.folder / "root/migrated.json").read_text()))
    clean.run("apt-get", "remove", "-y", "-qq", "realmshift")
    assert not (clean.folder / "usr/lib/realmshift").exists()
    assert (clean.folder / "var/lib/realmshift/admin.key").exists(), "the data stays when the program goes"


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
