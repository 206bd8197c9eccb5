#!/usr/bin/env python3
"""Makes a Debian package and a tarball of built programs: package.py PROGRAMS OUT [--quick]

PROGRAMS is the folder that has realmshift, realmshift-script and realmshift-swift. The package carries what of Swift's runtime they
need, the tarball all libraries but those of glibc, whose version it asks for. --quick compresses little.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bill  # noqa: E402
import manual  # noqa: E402
from libraries import SYSTEM_PACKAGE, linked  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PROGRAMS = ("realmshift", "realmshift-script", "realmshift-swift")
MAINTAINER = os.environ.get("MAINTAINER", "realmshift's maintainers <realmshift@packages.invalid>")
GLIBC = "2.36"


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def compressed(path, text):
    """A file without a time of its own in it, so that the same text gives the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


class Packaging:
    def __init__(self, programs, out, is_quick=False):
        self.programs, self.out, self.level = programs, out, 1 if is_quick else 6
        self.table = json.loads(run(str(programs / "realmshift"), "help", "--json"))
        self.version = self.table["version"]
        self.architecture = run("dpkg", "--print-architecture").strip()
        self.swift_version = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
        self.libraries = linked([programs / name for name in PROGRAMS])
        changed = run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip() if (ROOT / ".git").exists() else "0"
        # For all that writes a time: the same source gives the same package.
        self.epoch = os.environ.setdefault("SOURCE_DATE_EPOCH", changed)

    def install_programs(self, folder, carried):
        """The programs and the libraries that go along, in one folder, where each finds the others."""
        folder.mkdir(parents=True)
        for name, source in [(each, self.programs / each) for each in PROGRAMS] + [(each.name, each.path) for each in carried]:
            copy = folder / name
            shutil.copyfile(source, copy)
            copy.chmod(0o755 if name in PROGRAMS else 0o644)
            run("strip", "--strip-unneeded", str(copy))
            run("patchelf", "--set-rpath", "$ORIGIN", str(copy))

    def install_documents(self, prefix, libraries_folder, root):
        """Manual pages, completions, licences and the bill of materials below a prefix."""
        date = time.strftime("%Y-%m-%d", time.gmtime(int(self.epoch)))
        for name, text in manual.pages(self.table, date).items():
            compressed(prefix / "share/man/man1" / f"{name}.gz", text)
        write(prefix / "share/bash-completion/completions/realmshift", manual.bash(self.table))
        write(prefix / "share/zsh/vendor-completions/_realmshift", manual.zsh(self.table))
        write(prefix / "share/fish/vendor_completions.d/realmshift.fish", manual.fish(self.table))
        document = prefix / "share/doc/realmshift"
        write(document / "copyright", self.copyright())
        document_of_all = bill.bill(
            self.version, self.swift_version, self.architecture, self.libraries, libraries_folder, root, PROGRAMS)
        write(document / "sbom.cdx.json", json.dumps(document_of_all, indent=2) + "\n")
        shutil.copytree(ROOT / "examples", document / "examples")

    def copyright(self):
        """The licences of all that the Debian package carries; Swift's text is the toolchain's own."""
        resources = json.loads(run("swift", "-print-target-info"))["paths"]["runtimeResourcePath"]
        swift = (pathlib.Path(resources).parents[1] / "share/swift/LICENSE.txt").read_text()
        exception = swift[swift.index("## Runtime Library Exception"):]

        def paragraph(text):
            return "\n".join(f" {line}" if line.strip() else " ." for line in text.strip().splitlines())
        return (
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: realmshift\n\n"
            "Files: *\nCopyright: realmshift's authors\nLicense: Apache-2.0\n\n"
            "Files: usr/lib/realmshift/*\nCopyright: realmshift's authors\n 2014-2026 Apple Inc. and the Swift project authors\n"
            "License: Apache-2.0 and Apache-2.0 with Swift-exception\nComment: Swift's runtime is linked into the programs.\n\n"
            "Files: usr/lib/realmshift/lib*\nCopyright: 2014-2026 Apple Inc. and the Swift project authors\n"
            "License: Apache-2.0 with Swift-exception\n\n"
            "License: Apache-2.0\n The text is /usr/share/common-licenses/Apache-2.0 on Debian, and LICENSE in the tarball.\n\n"
            "License: Apache-2.0 with Swift-exception\n The text of Apache-2.0, as above, and this exception.\n .\n" + paragraph(exception) + "\n")

    def install_units(self, folder):
        sandbox = (HERE / "systemd/sandbox").read_text().rstrip()
        for unit in sorted((HERE / "systemd").glob("*.service")):
            write(folder / unit.name, unit.read_text().replace("@SANDBOX@", sandbox))

    def debian(self, scratch):
        """The package; it needs Debian's own libraries, and PostgreSQL where the service has no other."""
        root = scratch / "debian"
        folder = root / "usr/lib/realmshift"
        self.install_programs(folder, [each for each in self.libraries if each.is_ours])
        self.install_documents(root / "usr", folder, root)
        self.install_units(root / "usr/lib/systemd/system")
        (root / "usr/bin").mkdir()
        (root / "usr/bin/realmshift").symlink_to("../lib/realmshift/realmshift")
        write(root / "etc/realmshift/realmshift.conf", (HERE / "realmshift.conf").read_text(), 0o640)
        compressed(root / "usr/share/doc/realmshift/changelog.gz", self.changelog())
        (root / "DEBIAN").mkdir()
        needs = self.debian_libraries(scratch, folder)
        size = sum(each.lstat().st_size for each in root.rglob("*") if each.is_file()) // 1024
        write(root / "DEBIAN/control", (
            f"Package: realmshift\nVersion: {self.version}\nArchitecture: {self.architecture}\nMaintainer: {MAINTAINER}\n"
            f"Installed-Size: {size}\nDepends: {needs}, adduser\nRecommends: postgresql\nSection: database\nPriority: optional\n"
            "Description: migrates Realm databases, as a service and from the command line\n"
            " realmshift takes Realm files, brings them to another schema by a script as the\n"
            " Realm SDKs would, and gives the migrated files back: one by one in a shell, or\n"
            " thousands by its service, which keeps them in PostgreSQL.\n"
            " .\n"
            " `systemctl enable --now realmshift` starts the service; nothing else does.\n"))
        write(root / "usr/share/lintian/overrides/realmshift", (HERE / "lintian-overrides").read_text())
        write(root / "DEBIAN/conffiles", "/etc/realmshift/realmshift.conf\n")
        for script in sorted((HERE / "debian").iterdir()):
            write(root / "DEBIAN" / script.name, script.read_text(), 0o755)
        for each in [root, *root.rglob("*")]:
            if each.is_dir():
                each.chmod(0o755)
        name = f"realmshift_{self.version}_{self.architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", f"-z{self.level}", "--build", str(root), str(self.out / name))
        return name

    def changelog(self):
        date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(int(self.epoch)))
        return f"realmshift ({self.version}) stable; urgency=medium\n\n  * Built from its source.\n\n -- {MAINTAINER}  {date}\n"

    def debian_libraries(self, scratch, folder):
        """The packages that the programs and their libraries need, as Debian's own tool finds them."""
        write(scratch / "needs/debian/control", "Source: realmshift\n\nPackage: realmshift\nArchitecture: any\n")
        # Warnings: libraries that are carried have no package and no version in their names.
        listed = run("dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", f"-l{folder}",
                     *(f"-e{each}" for each in sorted(folder.iterdir())), cwd=scratch / "needs", stderr=subprocess.DEVNULL)
        return re.search(r"shlibs:Depends=(.*)", listed).group(1)

    def tarball(self, scratch):
        """The programs with all libraries but glibc's, for any system with that one."""
        name = f"realmshift-{self.version}-linux-{os.uname().machine}"
        root = scratch / name
        folder = root / "lib/realmshift"
        self.install_programs(folder, [each for each in self.libraries if each.package != SYSTEM_PACKAGE])
        self.install_documents(root, folder, root)
        self.install_units(root / "lib/systemd/system")
        (root / "bin").mkdir()
        (root / "bin/realmshift").symlink_to("../lib/realmshift/realmshift")
        write(root / "etc/realmshift/realmshift.conf", (HERE / "realmshift.conf").read_text())
        for package in {each.package for each in self.libraries if each.package not in (None, SYSTEM_PACKAGE)}:
            source = pathlib.Path(f"/usr/share/doc/{package}/copyright")
            write(root / "share/doc/realmshift/licences" / package, source.read_text(errors="replace"))
        shutil.copyfile(ROOT / "LICENSE", root / "LICENSE")
        write(root / "README", (
            f"realmshift {self.version} for Linux ({os.uname().machine}) with glibc {GLIBC} or later; tried on Debian 12.\n\n"
            "bin/realmshift runs from any folder. The service needs a PostgreSQL: --database-url, or one that is installed. The units in\n"
            "lib/systemd expect it in /usr, and a user `realmshift`. share/doc/realmshift has the licences of all libraries in\n"
            "lib/realmshift and sbom.cdx.json, which says of which Debian package and version each is; their sources are Debian's.\n"))
        archive = self.out / f"{name}.tar.gz"
        run("tar", "--sort=name", f"--mtime=@{self.epoch}", "--owner=0", "--group=0", "--numeric-owner", "-C", str(scratch),
            f"--use-compress-program=gzip -n -{self.level}", "-cf", str(archive), name)
        return archive.name


def main():
    words = [each for each in sys.argv[1:] if each != "--quick"]
    if len(words) != 2:
        sys.exit(__doc__)
    programs, out = (pathlib.Path(each).resolve() for each in words)
    out.mkdir(parents=True, exist_ok=True)
    packaging = Packaging(programs, out, is_quick="--quick" in sys.argv)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name in (packaging.debian(scratch), packaging.tarball(scratch)):
            print(out / name)


if __name__ == "__main__":
    main()
