"""Both judges on many programs: the compiler, and realmshift."""

import tempfile
from pathlib import Path

from judging.compiler import Compiled
from judging.lowered import Lowered, Outcome

PER_FILE = 200


class Judge:
    """Judges programs, some two hundred to a file; where many stop a whole migration, fewer of them are run together."""

    def __init__(self, program, together=PER_FILE):
        self.program, self.together = str(Path(program).resolve()), together

    def judge(self, programs):
        """An outcome for each of the programs, in their order, and what the compiler's program gives."""
        for start in range(0, len(programs), PER_FILE):
            part = dict(enumerate(programs[start: start + PER_FILE], 1))
            with tempfile.TemporaryDirectory(prefix="swift-programs-") as folder:
                compiled = Compiled(part, Path(folder))
                right = [number for number in part if number in compiled.outputs]
                outcomes = {}
                for at in range(0, len(right), self.together):
                    some = {number: part[number] for number in right[at: at + self.together]}
                    outcomes |= Lowered(some, Path(folder), self.program, compiled.outputs).outcomes
            for number in part:
                if number in compiled.faults:
                    yield Outcome("fault", compiled.faults[number]), None
                else:
                    yield outcomes[number], compiled.outputs[number]


def first_difference(outcome, wanted):
    """The first part of the log that differs: what came, and what the compiler's program has."""
    for got, want in zip(outcome.outputs, wanted):
        if got != want:
            for x, y in zip((got or "").split("|"), want.split("|")):
                if x != y:
                    return x, y
            return got, want
    return "", ""
