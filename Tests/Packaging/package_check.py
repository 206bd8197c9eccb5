#!/usr/bin/env python3
"""Checks the packages of built programs: package_check.py PROGRAMS [--packages DIR] [--root]

Packages the programs, or takes packages that are there; unpacks both, and checks what is in them, that every program finds its
libraries there or in Debian, the bill of materials against ldd and dpkg, manual pages, completions and units. --root installs the
package in a clean Debian, starts that with its own systemd, runs service and worker by their units, and migrates a realm there; the
tarball's programs migrate one in another, which has nothing but glibc.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from clean_root import CleanRoot, service_in, tarball_in  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("realmshift", "realmshift-script", "realmshift-swift")


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def all_commands(table):
    return table["commands"] + table["serverCommands"]


def unpack(packages, folder):
    """The trees of the Debian package and of the tarball."""
    package, = packages.glob("*.deb")
    tarball, = packages.glob("*.tar.gz")
    run("dpkg-deb", "-R", package, folder / "debian")
    run("tar", "-xzf", tarball, "-C", folder)
    tree, = (each for each in folder.iterdir() if each.name.startswith("realmshift-"))
    return package, tarball, folder / "debian", tree


def linked(program):
    """The libraries that the loader takes, by name."""
    listed = run("ldd", program)
    assert "not found" not in listed, f"{program} lacks a library:\n{listed}"
    return dict(re.findall(r"(\S+) => (/\S+)", listed))


def components(tree, prefix):
    document = json.loads((tree / prefix / "share/doc/realmshift/sbom.cdx.json").read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"])
    return document["metadata"]["component"], document["components"]


def check_bill(tree, prefix, is_whole):
    """The package has the files that the bill names, byte for byte, and no others; the rest is Debian's, of the stated version."""
    main, parts = components(tree, prefix)
    said = {}
    for part in [main, *parts]:
        assert part["version"] and part["bom-ref"] and ("licenses" in part or part["bom-ref"].startswith("deb:")), part
        for file in part.get("components", []):
            said[file["name"]] = file["hashes"][0]["content"]
    folder = tree / prefix / "lib/realmshift"
    there = {str(each.relative_to(tree)): hashlib.sha256(each.read_bytes()).hexdigest() for each in folder.iterdir()}
    assert said == there, f"the bill and {folder} differ: {set(said.items()) ^ set(there.items())}"
    packages = {part["name"]: part["version"] for part in parts if part["bom-ref"].startswith("deb:")}
    for program in PROGRAMS[:2]:
        assert not any(re.match("libswift|libFoundation", name) for name in linked(folder / program)), f"{program} loads Swift's runtime"
    assert {"swift", "swift-foundation", "swift-corelibs-libdispatch"} <= {part["name"] for part in parts}
    used = set()
    for program in PROGRAMS:
        for name, path in linked(folder / program).items():
            real = pathlib.Path(path).resolve()
            if folder in real.parents:
                continue
            owner = run("sh", "-c", f"dpkg -S {real} || dpkg -S {str(real).removeprefix('/usr')}").partition(":")[0]
            assert owner == "libc6" or not is_whole, f"{program} takes {name} from {real}, which other systems may not have"
            assert packages.get(owner) == run("dpkg-query", "-W", "-f", "${Version}", owner), f"{owner} is not in the bill as it is here"
            used.add(owner)
    carried = {part["name"] for part in parts if part["bom-ref"].startswith("deb:") and part.get("components")}
    assert set(packages) == used | carried, f"the bill names packages that nothing needs: {set(packages) - used - carried}"
    assert bool(carried) == is_whole
    for name in carried:
        assert (tree / "share/doc/realmshift/licences" / name).stat().st_size > 100, f"the licence of {name} is missing"


def check_manual(tree, prefix, table):
    """A page for each command, which has all of its options, and which mandoc finds nothing wrong with."""
    folder = tree / prefix / "share/man/man1"
    wanted = {"realmshift.1.gz"} | {f"realmshift-{each['name']}.1.gz" for each in all_commands(table)}
    assert {each.name for each in folder.iterdir()} == wanted
    for page in sorted(folder.iterdir()):
        text = run("gzip", "-dc", page)
        if shutil.which("mandoc"):
            faults = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text, capture_output=True, text=True).stdout
            assert not faults, f"{page.name}: {faults}"
            shown = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=400"], input=text, capture_output=True, text=True, check=True).stdout
            shown = re.sub(r".\x08", "", shown)
            for command in all_commands(table):
                if page.name == f"realmshift-{command['name']}.1.gz":
                    missing = [each["name"] for each in command["options"] if not re.search(rf"^ +{each['name']}\b", shown, flags=re.M)]
                    assert not missing, f"{page.name} lacks {missing}"
                    assert all(example in shown for example in command["examples"]), page.name


def check_completions(tree, prefix, table):
    """Each shell completes the name of a command, an option, and a word of a choice."""
    share = tree / prefix / "share"
    names = {each["name"] for each in all_commands(table)}
    script = share / "bash-completion/completions/realmshift"

    def bash(*words):
        quoted = " ".join(f"'{each}'" for each in words)
        return run("bash", "-c", f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _realmshift; "
                   "printf '%s\\n' \"${COMPREPLY[@]}\"").split()
    assert set(bash("realmshift", "")) == names | {"help"}
    assert bash("realmshift", "migrate", "--sch") == ["--schema"]
    assert bash("realmshift", "migrate", "a", "--mode", "read") == ["readOnly"]
    assert bash("realmshift", "migrate", "x") == [], "a name that is no option is a file's"
    if shutil.which("fish"):
        def fish(line):
            source = share / "fish/vendor_completions.d/realmshift.fish"
            shown = run("fish", "--private", "-c", f"source {source}; complete -C '{line}'", env={**os.environ, "HOME": "/nonexistent"})
            return {each.partition("\t")[0] for each in shown.splitlines()}
        assert names <= fish("realmshift ")
        assert fish("realmshift migrate --sch") == {"--schema"}
        assert fish("realmshift convert a --dates=uni") == {"--dates=unix", "--dates=unixMillis"}
    if shutil.which("zsh"):
        source = share / "zsh/vendor-completions/_realmshift"
        run("zsh", "-n", source)
        # _arguments says what it was given; each option of the command has to be in it.
        given = run("zsh", "-f", "-c", f"_arguments() {{ print -rl -- $@ }}; words=(realmshift migrate x); CURRENT=3; source {source}")
        wanted = {option["name"] for each in all_commands(table) if each["name"] == "migrate" for option in each["options"]}
        assert sorted(wanted) == sorted(re.findall(r"^\*(--[a-z-]+)\[", given, flags=re.M))


def check_units(tree):
    """systemd takes the units, and finds little to complain about."""
    units = sorted((tree / "usr/lib/systemd/system").glob("*.service"))
    assert [each.name for each in units] == ["realmshift-worker.service", "realmshift.service"]
    with tempfile.TemporaryDirectory() as scratch:
        # The command has to be there: the unit's own path is the installed one.
        for unit in units:
            text = unit.read_text().replace("/usr/bin/realmshift", str(tree / "usr/bin/realmshift"))
            pathlib.Path(scratch, unit.name).write_text(text)
        copies = [str(pathlib.Path(scratch, each.name)) for each in units]
        said = subprocess.run(["systemd-analyze", "verify", "--man=no", *copies], capture_output=True, text=True)
        assert said.returncode == 0 and not [line for line in said.stderr.splitlines() if "realmshift" in line], said.stderr
        for copy in copies:
            shown = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=25", "--no-pager", copy],
                                   capture_output=True, text=True)
            assert shown.returncode == 0, shown.stdout + shown.stderr
            print(re.search(r"Overall exposure level.*", shown.stdout).group(0))


def check_package(package, tree, table):
    control = (tree / "DEBIAN/control").read_text()
    assert f"Version: {table['version']}\n" in control
    needed = set(re.findall(r"[a-z0-9.+-]+(?= \(>=|,|$)", re.search(r"^Depends: (.*)$", control, flags=re.M).group(1)))
    direct = {part["name"] for part in components(tree, "usr")[1] if part["bom-ref"].startswith("deb:")}
    assert needed - {"adduser"} <= direct, f"the package asks for what nothing needs: {needed - direct}"
    assert {"libc6", "libpq5", "libjavascriptcoregtk-4.1-0"} <= needed
    if shutil.which("lintian"):
        said = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", str(package)], capture_output=True, text=True)
        assert said.returncode == 0, said.stdout + said.stderr
    for library in (tree / "usr/lib/realmshift").iterdir():
        path = re.search(r"(?:RUNPATH|RPATH).*\[(.*)\]", run("readelf", "-d", library))
        assert path and path.group(1) == "$ORIGIN", f"{library.name} looks for libraries in {path and path.group(1)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--root", action="store_true")
    options = parser.parse_args()
    table = json.loads(run(options.programs.resolve() / "realmshift", "help", "--json"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        packages = options.packages
        if not packages:
            packages = folder / "packages"
            run(sys.executable, ROOT / "packaging/package.py", options.programs, packages, "--quick")
        package, tarball, debian, tree = unpack(packages, folder)
        check_package(package, debian, table)
        check_bill(debian, "usr", is_whole=False)
        check_bill(tree, "", is_whole=True)
        for each, prefix in ((debian, "usr"), (tree, "")):
            check_manual(each, prefix, table)
            check_completions(each, prefix, table)
        check_units(debian)
        if options.root:
            with CleanRoot(folder / "installed") as clean:
                service_in(clean, package)
            with CleanRoot(folder / "bare") as clean:
                tarball_in(clean, tarball)
    print("the package and the tarball have what they need, and say it")


if __name__ == "__main__":
    main()
