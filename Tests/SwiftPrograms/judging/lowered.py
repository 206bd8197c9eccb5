"""The results of functions in realmshift: equal, different, refused or stopped."""

import json
import re
import subprocess

from judging.files import INPUTS, File


class Outcome:
    """How one program ended; `words` say why it was refused or stopped, `outputs` are those of a run."""

    def __init__(self, kind, words="", outputs=None):
        self.kind, self.words, self.outputs = kind, words, outputs


class Lowered:
    """The outcomes of programs by their number; all run in one migration, without those that keep it from ending."""

    def __init__(self, programs, folder, program, expected):
        self.folder, self.program, self.expected = folder, program, expected
        self.outcomes = {}
        self.run(dict(programs))

    def run(self, programs):
        while programs:
            source = self.write(programs)
            done = self.call("migrate", "in.json", "--schema", "Programs.swift", "--script", "Programs.swift", "--to-version", "2",
                "--timeout", "60", "--output", "out.json", "--quiet")
            if done.returncode == 0:
                self.compare(programs)
                return
            removed = self.refused(source) or self.stopped(source, programs, done)
            if not removed:
                self.halves(programs, done)
                return
            self.outcomes.update(removed)
            programs = {n: p for n, p in programs.items() if n not in removed}

    def write(self, programs):
        columns = "".join(f"    @Persisted var o{n}: String?\n" for n in sorted(programs))
        calls = "".join(f'        w!["o{n}"] = f{n}(o!["s"] as! String)\n' for n in sorted(programs))
        source = File(programs, "import Foundation\nimport RealmSwift\n", BLOCK.replace("COLUMNS", columns).replace("CALLS", calls))
        (self.folder / "Programs.swift").write_text(source.text)
        properties = {"s": "string"} | {f"o{n}": "string?" for n in programs}
        rows = [{"_key": i, "s": text} | {f"o{n}": None for n in programs} for i, text in enumerate(INPUTS)]
        (self.folder / "in.json").write_text(json.dumps({"schemaVersion": 1, "schema": [{"name": "Row", "properties": properties}],
            "objects": {"Row": rows}}))
        (self.folder / "out.json").unlink(missing_ok=True)
        return source

    def call(self, *arguments):
        try:
            return subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=180)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, -1, "", "takes more than three minutes")

    def refused(self, source):
        """All that the check refuses."""
        check = self.call("script", "check", "Programs.swift")
        found = {}
        for line, words in re.findall(r"Programs\.swift:(\d+):\d+: error: (.*)", check.stdout + check.stderr):
            number = source.number(int(line))
            if number is not None:
                found.setdefault(number, Outcome("refused", f"{words} [{source.lines[int(line) - 1].strip()}]"))
        return found

    def stopped(self, source, programs, done):
        """The program of the line that is named, where it stops by itself, too."""
        words = (done.stderr + done.stdout).strip().split("\n")[0]
        for line in re.findall(r"Programs\.swift:(\d+):", words):
            number = source.number(int(line))
            if number is not None and len(programs) > 1:
                self.run({number: programs[number]})
                return {number: self.outcomes[number]} if self.outcomes[number].kind == "stopped" else {}
        return {}

    def halves(self, programs, done):
        """No line is named: looks for the program in halves."""
        numbers = sorted(programs)
        if len(numbers) == 1:
            words = (done.stderr + done.stdout).strip().split("\n")[0]
            self.outcomes[numbers[0]] = Outcome("stopped", re.sub(r"Programs\.swift:\d+:\d+: ", "", words))
            return
        for half in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2:]):
            self.run({n: programs[n] for n in half})

    def compare(self, programs):
        rows = json.loads((self.folder / "out.json").read_text())["objects"]["Row"]
        for number in programs:
            got = [row.get(f"o{number}") for row in rows]
            self.outcomes[number] = Outcome("equal" if got == self.expected[number] else "different", outputs=got)


BLOCK = """
class Row: Object {
    @Persisted var s: String
COLUMNS}
let config = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
    migration.enumerateObjects(ofType: "Row") { o, w in
CALLS    }
})
"""
