#!/usr/bin/env python3
"""Walks the pages of docs/ as a reader would: pages.py PROGRAM [PAGE…] | --script PAGE | --check

Each page becomes one script of bash, run in an empty folder beside a service: its `sh` blocks as they are, its `console` blocks command by
command, whose output has to be the one shown but for times, sizes and ids. A block whose language is followed by a name is that
file. A command that begins with `!` has to be refused. All `json` blocks are parsed. --script prints the script of a page, for another
machine; --check looks at links, JSON, options and how sentences begin, and runs nothing.

The environment has URL and KEY of the service, and EXAMPLES, the folder of the examples.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "Tests/APIFuzz"))

# Pages that go on where the one before has ended.
TOGETHER = ("api.md", "realm-json.md", "partner-classes.md", "webhooks.md")
# Pages whose service has to be empty; the others have apps of their own.
ALONE = ("api.md", "shell.md", "tutorial.md")
# Languages whose blocks are looked at by others: Tests/SwiftLoweringTests has a test for each.
READ_ONLY = {"kotlin", "objc", "text", "js", "swift"}
# A page that waits for something that never comes fails.
LONGEST_SECONDS = 300

PRELUDE = r"""set -euo pipefail
export LC_ALL=C.UTF-8 HOME=$PWD/.home; mkdir -p "$HOME"
refused() { if "$@"; then echo "this was not refused: $*"; exit 1; fi; }
# Times, sizes, rates and ids differ from run to run.
stable() {
    sed -E -e 's/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/ID/g' -e 's/[0-9.]+ s$/N s/' -e 's/[0-9,]+ bytes/N bytes/g' \
        -e 's/^bytes [0-9]+/bytes N/' -e 's/ +[0-9.,]+ (realms|objects)\/s//g' -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g' -e 's/ +$//'
}
shown() {
    stable <"$1" >.expected
    { eval "$2"; } >.output 2>&1 || true
    stable <.output >.printed
    diff -u .expected .printed || { echo "the page shows another output of: $2"; exit 1; }
}
"""


def blocks(page):
    """The blocks of a page: what follows the first fence, and the lines."""
    found, fence = [], None
    for line in (DOCS / page).read_text().split("\n"):
        if line.startswith("```"):
            if fence is None:
                fence = (line[3:].split(), [])
                found.append(fence)
            else:
                fence = None
        elif fence is not None:
            fence[1].append(line)
    assert fence is None, f"{page} has a block without an end"
    return found


def examples(lines):
    """The commands of a console block, each with the lines that it prints."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def written(name, lines, mark="END_OF_FILE"):
    folder = [f"mkdir -p {name.rpartition('/')[0]}"] if "/" in name else []
    return "\n".join([*folder, f"cat >{name} <<'{mark}'", *lines, mark])


def step(info, lines):
    """A block as lines of the script; nothing where it is not for a shell."""
    language = info[0] if info else ""
    if len(info) > 1:
        return written(info[1], lines)
    if language == "sh":
        return "\n".join(re.sub(r"^! ", "refused ", line) for line in lines)
    if language == "console":
        return "\n".join(
            written(".shown", output) + "\n" + written(".command", [command]) + '\nshown .shown "$(cat .command)"'
            for command, output in examples(lines))
    return ""


def script(page):
    """The script of a page, or of all that it goes on with."""
    pages = TOGETHER if page in TOGETHER else (page,)
    return PRELUDE + "\n".join(step(*block) for each in pages for block in blocks(each)) + "\n"


def is_run(page):
    return any(step(*block) for block in blocks(page))


def walk(page, url, key, programs=None, more=None):
    """Runs a page in a folder of its own; exits where a command does other than the page says."""
    with tempfile.TemporaryDirectory(prefix="realmshift-page-") as folder:
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
        environment = os.environ | {"URL": url, "KEY": key, "EXAMPLES": str(ROOT / "examples")} | (more or {})
        environment["PATH"] = f"{programs or ''}:{environment['PATH']}".lstrip(":")
        run = subprocess.run(
            ["bash", "-c", script(page)], cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    if run.returncode:
        sys.exit(f"docs/{page} does not do what it says:\n{run.stdout[-3000:]}{run.stderr[-3000:]}")


class Machine:
    """Commands of a machine with systemd, for pages that say `sudo`: they act on a service of the walk."""

    SUDO = '#!/bin/bash\nexec "${@//\\/var\\/lib\\/realmshift/$DATA}"\n'
    # The walk restarts its service when it sees the file.
    SYSTEMCTL = '#!/bin/bash\ntouch "$DATA/restart"; while [ -e "$DATA/restart" ]; do sleep 0.1; done\n'

    def __init__(self, service, folder):
        self.service, self.data, self.folder = service, service.folder / "data", pathlib.Path(folder)
        for name, text in (("sudo", self.SUDO), ("systemctl", self.SYSTEMCTL)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def environment(self):
        return {"DATA": str(self.data), "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def watch(self):
        while not self.ended.wait(0.1):
            if (self.data / "restart").exists():
                self.service.__exit__()
                self.service.__enter__()
                (self.data / "restart").unlink()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def all_pages():
    return ["../README.md", *sorted(str(each.relative_to(DOCS)) for each in DOCS.rglob("*.md"))]


def anchors(path):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def link_faults(path):
    """The links of a page that lead nowhere."""
    faults = []
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = (path.parent / name).resolve() if name else path
        if not other.exists() or anchor and anchor not in anchors(other):
            faults.append(f"{path.relative_to(ROOT)} leads to {target}, which is not there")
    return faults


def check():
    """Looks at all pages without running anything."""
    paths = [(DOCS / page).resolve() for page in all_pages()]
    faults = []
    for path in paths:
        faults += link_faults(path)
        text = path.read_text()
        name = path.relative_to(ROOT)
        bad = re.findall(r"(?:^|[.:] |\n\n)((?:What|Whoever|Whatever) [^.?]*\.)", re.sub(r"^#.*$|\|.*$", "", text, flags=re.M))
        faults += [f"{name}: a sentence begins without its noun: {each}" for each in bad]
    for page in all_pages():
        for info, lines in blocks(page):
            if info[:1] == ["json"]:
                # Several documents may stand in a block, a line each.
                text = "\n".join(lines)
                try:
                    json.loads(text)
                except ValueError:
                    for line in lines:
                        json.loads(line)
    assert not faults, "\n".join(faults)
    return len(paths)


def check_options(program):
    """Each option that a page names is one of the program's."""
    table = json.loads(subprocess.run([program, "help", "--json"], check=True, capture_output=True, text=True).stdout)
    known = {option["name"] for each in table["commands"] + table["serverCommands"] for option in each["options"]} | {"--help"}
    for page in all_pages():
        if page.startswith("maintainers/"):
            continue
        for command in re.findall(r"(?:^|[`$ ])realmshift ([^`\n|>;]*)", (DOCS / page).read_text()):
            for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", command):
                assert option in known, f"docs/{page} names {option}, which no command has: realmshift {command}"


    shown = "".join((DOCS / page).read_text() for page in all_pages())
    for each in table["commands"] + table["serverCommands"]:
        assert re.search(rf"(?:^|[`$ ])realmshift {each['name']}\b", shown, re.M), f"no page shows `realmshift {each['name']}`"


def walk_all(pages, program):
    """Walks pages beside one service."""
    from api_fuzz import Service
    with tempfile.TemporaryDirectory(prefix="realmshift-docs-") as folder, tempfile.TemporaryDirectory() as commands, \
            Service(program, folder) as service, Machine(service, commands) as machine:
        for page in pages:
            begin, key = time.monotonic(), service.key
            walk(page, service.url, key, program.parent, machine.environment())
            service.call("GET", "/v1/apps")
            assert page != "how-to/lost-administrator-key.md" or service.key != key, "the lost key still works"
            print(f"docs/{page} does what it says ({time.monotonic() - begin:.1f} s)")


def main():
    words = sys.argv[1:]
    if words[:1] == ["--script"]:
        return print(script(words[1]), end="")
    print(f"{check()} pages have links that lead somewhere and JSON that is some")
    if words == ["--check"]:
        return None
    program = pathlib.Path(words[0]).resolve()
    check_options(program)
    pages = words[1:] or [each for each in all_pages() if is_run(each) and each not in TOGETHER[1:]]
    shared = [each for each in pages if each not in ALONE]
    for group in [shared] * bool(shared) + [[each] for each in pages if each in ALONE]:
        walk_all(group, program)
    return None


if __name__ == "__main__":
    main()
