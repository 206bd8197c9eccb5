#!/usr/bin/env python3
"""Functions of Swift at random: what realmshift makes of them, beside the compiler's program.

usage: swift_programs.py PROGRAM [--functions N] [--seed N] [--constructs A,B] [--shrink N] [--write FOLDER]
       swift_programs.py PROGRAM --keep | --kept | --causes

Each function is about one construct of the language or its library, and logs what it does. It gives what the compiler's program
gives (equal), or is refused before anything runs; one that gives something else (different), or stops, is a failure. The
first failures of each construct are made smaller, and printed with the seed that made them.
`--keep` writes the fixed sample of `make test` with the compiler's outputs, and `--kept` runs it, without a compiler.
"""

import argparse
import collections
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import causes  # noqa: E402
import sample  # noqa: E402
from constructs.registry import CONSTRUCTS  # noqa: E402
from generate import make  # noqa: E402
from judging.files import INPUTS  # noqa: E402
from judging.judge import Judge, first_difference  # noqa: E402
from judging.shrinking import Candidate, shrink  # noqa: E402

KINDS = ["equal", "different", "refused", "stopped", "fault"]


class Run:
    """All programs of a run, and what becomes of them."""

    def __init__(self, options):
        self.options, self.judge = options, Judge(options.program, options.together)
        self.counts = collections.defaultdict(collections.Counter)
        self.refusals, self.failures = collections.Counter(), []

    def programs(self):
        """As many for each construct, in an order at random so that a file has all kinds."""
        names = self.options.constructs.split(",") if self.options.constructs else list(CONSTRUCTS)
        each = -(-self.options.functions // len(names))
        programs = [make(name, f"{self.options.seed}.{index}") for name in names for index in range(each)]
        random.Random(self.options.seed).shuffle(programs)
        return programs

    def run(self):
        programs = self.programs()
        for index, (program, (outcome, wanted)) in enumerate(zip(programs, self.judge.judge(programs))):
            self.counts[program.construct][outcome.kind] += 1
            if outcome.kind == "refused":
                self.refusals[outcome.words] += 1
            elif outcome.kind != "equal":
                self.failures.append((program, outcome, wanted))
                words = "got {!r}, by the compiler {!r}".format(*first_difference(outcome,
                    wanted)) if outcome.kind == "different" else outcome.words
                print(f"{outcome.kind:9} {program.construct} {program.seed}: {words[:240]}", flush=True)
            if index % 1000 == 999:
                print(f"{index + 1} functions: {self.told(self.total())}", flush=True)
        self.shrink()
        self.tell()
        return any(self.total()[kind] for kind in ("different", "stopped", "fault"))

    def total(self):
        return sum(self.counts.values(), collections.Counter())

    def told(self, counts):
        return ", ".join(f"{counts[kind]} {kind}" for kind in KINDS)

    def shrink(self):
        """The smallest programs of the first failures of each construct."""
        done, chosen = collections.Counter(), []
        for program, outcome, _ in self.failures:
            if outcome.kind != "fault" and done[program.construct] < self.options.shrink:
                done[program.construct] += 1
                chosen.append((program, outcome))
        texts = shrink(self.judge, [(program.text, outcome.kind) for program, outcome in chosen])
        judged = self.judge.judge([Candidate(text) for text in texts])
        for (program, outcome), text, (now, wanted) in zip(chosen, texts, judged):
            words = "gets {!r}, by the compiler {!r}".format(*first_difference(now,
                wanted)) if now.kind == "different" else now.words.split("\n")[0]
            print(f"\n// {outcome.kind}: {program.construct}, seed {program.seed}: {words}\n{Candidate(text).numbered('')}", flush=True)
            if self.options.write:
                self.write(program, f"{outcome.kind}: {words}", text, wanted)

    def write(self, program, words, text, wanted):
        """A smallest program as a file, with a line about it in LIST.txt."""
        folder, name = pathlib.Path(self.options.write), f"{program.construct}-{program.seed}.swift"
        folder.mkdir(parents=True, exist_ok=True)
        outputs = "".join(f"// f({text!r}) = {output!r}\n" for text, output in zip(INPUTS, wanted))
        (folder / name).write_text(f"// {words}\n// By the compiler:\n{outputs}{Candidate(text).numbered('')}")
        with open(folder / "LIST.txt", "a") as list_file:
            list_file.write(f"{name} {words[:240]}\n")

    def tell(self):
        print()
        for name, counts in self.counts.items():
            print(f"{name:22} {self.told(counts)}")
        print("\nRefused, by their words, with a line of one:")
        grouped, lines = collections.Counter(), {}
        for words, count in self.refusals.items():
            words, _, line = words.partition(" [")
            grouped[words] += count
            lines.setdefault(words, line.rstrip("]"))
        told = [f"{count:5} {words[:160]}  {lines[words][:140]}" for words, count in grouped.most_common()]
        print("\n".join(told))
        if self.options.write:
            (pathlib.Path(self.options.write) / "REFUSED.txt").write_text("\n".join(told) + "\n")
        total = self.total()
        print(f"\nseed {self.options.seed}: {self.told(total)} of {sum(total.values())}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--functions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--constructs")
    parser.add_argument("--together", type=int, default=200, help="how many functions are run in one migration")
    parser.add_argument("--shrink", type=int, default=1, help="how many failures of each construct are made smaller")
    parser.add_argument("--write", help="a folder for the smallest programs")
    parser.add_argument("--keep", action="store_true", help="make the fixed sample")
    parser.add_argument("--kept", action="store_true", help="run the fixed sample")
    parser.add_argument("--causes", action="store_true", help="look for the causes of causes.py, with a program that has them")
    options = parser.parse_args()
    if options.keep:
        sys.exit(sample.keep(Judge(options.program, options.together)))
    if options.kept:
        sys.exit(sample.check(options.program))
    if options.causes:
        sys.exit(causes.find(Judge(options.program, options.together)))
    sys.exit(Run(options).run())


if __name__ == "__main__":
    main()
