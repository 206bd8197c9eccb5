"""The fixed sample: functions whose outputs by the compiler are kept, so that no compiler is needed to compare."""

import json
import pathlib
import tempfile

from constructs.registry import CONSTRUCTS
from generate import make
from judging.compiler import Compiled
from judging.lowered import Lowered
from judging.shrinking import Candidate
from writing.builder import NUMBER

FOLDER = pathlib.Path(__file__).resolve().parent / "kept"
SEPARATOR = "// ---- "
SIZE, SEED = 200, "kept"


def keep(judge):
    """Writes the sample: of each construct three, as far as they are equal; one of them may be refused."""
    names = list(CONSTRUCTS)
    each = -(-SIZE // len(names))
    programs = [make(name, f"{SEED}.{index}") for name in names for index in range(each * 2)]
    kept, counts = [], {}
    for made, (outcome, _) in zip(programs, judge.judge(programs)):
        have = counts.setdefault(made.construct, {"equal": 0, "refused": 0})
        if outcome.kind not in have or sum(have.values()) >= each or outcome.kind == "refused" and have["refused"]:
            continue
        have[outcome.kind] += 1
        kept.append((made, outcome.kind))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "sample.swift.txt").write_text("".join(f"{SEPARATOR}{made.construct} {made.seed} {kind}\n{made.text}" for made, kind in kept))
    write_outputs([made for made, _ in kept])
    print(f"{len(kept)} functions are kept, {sum(kind == 'refused' for _, kind in kept)} of them refused")
    return 0


def write_outputs(programs):
    """Writes the compiler's outputs; the programs have their numbers in the sample, since names of types end with them."""
    with tempfile.TemporaryDirectory(prefix="swift-programs-") as folder:
        outputs = Compiled(dict(enumerate(programs, 1)), pathlib.Path(folder)).outputs
    lines = [json.dumps(outputs[number], ensure_ascii=False) for number in range(1, len(programs) + 1)]
    (FOLDER / "outputs.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


def read():
    """[(title, kind, program, outputs)]"""
    parts = (FOLDER / "sample.swift.txt").read_text().split(SEPARATOR)[1:]
    outputs = json.loads((FOLDER / "outputs.json").read_text())
    for part, output in zip(parts, outputs, strict=True):
        head, text = part.split("\n", 1)
        construct, seed, kind = head.split(" ")
        yield f"{construct} {seed}", kind, Candidate(text), output


def check(program):
    """Runs the sample: all equal, but for those that were refused when it was made, which may be."""
    cases = dict(enumerate(read(), 1))
    with tempfile.TemporaryDirectory(prefix="swift-programs-") as folder:
        lowered = Lowered({n: case[2] for n, case in cases.items()}, pathlib.Path(folder), str(pathlib.Path(program).resolve()),
            {n: case[3] for n, case in cases.items()})
    wrong = 0
    for number, (title, kind, made, wanted) in cases.items():
        outcome = lowered.outcomes[number]
        if outcome.kind in ("different", "stopped") or outcome.kind == "refused" != kind:
            wrong += 1
            print(f"{title} is {outcome.kind}: {outcome.words or f'got {outcome.outputs}, by the compiler {wanted}'}\n"
                f"{made.numbered(number)}")
    print(f"{len(cases)} functions of Swift: {sum(o.kind == 'equal' for o in lowered.outcomes.values())} equal, {sum(o.kind == 'refused' for o in lowered.outcomes.values())} refused, {wrong} wrong")
    return 1 if wrong else 0
