"""The shared libraries that programs need: where they lie, and whose they are."""

import pathlib
import re
import subprocess

# Libraries that every system with that version of glibc has, and that nobody may carry beside another.
SYSTEM_PACKAGE = "libc6"


class Library:
    """A file that a program is linked with; its package is Debian's, or none for the toolchain's own."""

    def __init__(self, name, path):
        self.name, self.path = name, pathlib.Path(path).resolve()
        self.package = owner(self.path)

    @property
    def is_ours(self):
        return self.package is None


def owner(path):
    """The Debian package that has installed a file."""
    # Packages name files as they were before /lib became a link to /usr/lib.
    listed = subprocess.run(
        ["dpkg", "-S", str(path), str(path).removeprefix("/usr")], capture_output=True, text=True).stdout
    return listed.partition(":")[0] or None


def linked(programs):
    """All libraries that programs are linked with, and those of these, by name."""
    found = {}
    for program in programs:
        listed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
        missing = re.findall(r"(\S+) => not found", listed)
        if missing:
            raise SystemExit(f"{program} needs libraries that are not here: {', '.join(missing)}")
        for name, path in re.findall(r"(\S+) => (/\S+)", listed):
            if name not in found:
                found[name] = Library(name, path)
    return [found[name] for name in sorted(found)]


def package_field(package, field):
    return subprocess.run(
        ["dpkg-query", "-W", "-f", f"${{{field}}}", package], check=True, capture_output=True, text=True).stdout
