"""The results of functions in the compiler's program."""

import json
import re
import subprocess

from judging.files import INPUTS, MODULE, File

ARGUMENTS = ["-Onone", "-swift-version", "5", "-suppress-warnings", "-module-name", MODULE]


class Compiled:
    """The outputs of programs by their number; those that the compiler refuses, and that trap, are faults of the generator."""

    def __init__(self, programs, folder, swiftc="swiftc"):
        self.folder, self.swiftc = folder, swiftc
        self.outputs, self.faults = {}, {}
        self.build(dict(programs))

    def build(self, programs):
        while programs:
            wrong = self.compile(programs)
            if not wrong:
                self.run(programs)
                return
            self.faults.update(wrong)
            programs = {number: p for number, p in programs.items() if number not in wrong}

    def compile(self, programs):
        """Faults by number; without one there is a program."""
        source = File(programs)
        (self.folder / "Programs.swift").write_text(source.text)
        calls = "".join(f"    show({n}, f{n})\n" for n in sorted(programs))
        (self.folder / "main.swift").write_text(MAIN.replace("INPUTS", json.dumps(INPUTS, ensure_ascii=False)).replace("CALLS", calls))
        done = subprocess.run([self.swiftc, *ARGUMENTS, "Programs.swift", "main.swift", "-o", "program"], cwd=self.folder,
            capture_output=True, text=True)
        if done.returncode == 0:
            return {}
        wrong = {}
        for line, words in re.findall(r"Programs\.swift:(\d+):\d+: error: (.*)", done.stderr):
            number = source.number(int(line))
            if number is not None:
                wrong.setdefault(number, f"{words}: {source.lines[int(line) - 1].strip()}")
        if wrong:
            return wrong
        if len(programs) == 1:
            return {number: "the compiler fails: " + done.stderr[-300:] for number in programs}
        return self.halves(programs)

    def halves(self, programs):
        """The compiler names no line: looks for the program in halves."""
        numbers = sorted(programs)
        wrong = {}
        for half in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2:]):
            wrong.update(self.compile({n: programs[n] for n in half}))
        return wrong or {numbers[0]: "the compiler fails on these together"}

    def run(self, programs):
        numbers, start = sorted(programs), 0
        while start < len(numbers):
            done = subprocess.run([self.folder / "program", str(numbers[start])], capture_output=True, text=True, timeout=300)
            for line in done.stdout.split("\n"):
                if line.startswith("["):
                    number, *outputs = json.loads(line)
                    self.outputs[number] = [text.replace(MODULE + ".", "") for text in outputs]
            missing = [i for i in range(start, len(numbers)) if numbers[i] not in self.outputs]
            if not missing:
                return
            self.faults[numbers[missing[0]]] = "traps: " + done.stderr[:300].strip()
            start = missing[0] + 1


MAIN = """import Foundation
setvbuf(stdout, nil, _IOLBF, 0)
let first = Int(CommandLine.arguments[1])!
func show(_ number: Int, _ body: (String) -> String) {
    guard number >= first else { return }
    let all: [Any] = [number] + INPUTS.map(body)
    print(String(decoding: try! JSONSerialization.data(withJSONObject: all), as: UTF8.self))
}
func showAll() {
CALLS}
showAll()
"""
