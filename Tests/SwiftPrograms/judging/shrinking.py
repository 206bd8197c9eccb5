"""Makes a program smaller as long as both judges still say the same of it."""

import difflib
import re

from writing.builder import NUMBER


class Candidate:
    """A smaller program."""

    def __init__(self, text):
        self.text = text

    def numbered(self, number):
        return self.text.replace(NUMBER, str(number))


def units(lines):
    """[(first, last)] of the statements and blocks, by their indentation; a block ends at its brace."""
    found = []
    for first, line in enumerate(lines):
        if not line.strip() or line.strip().startswith("}"):
            continue
        indent = len(line) - len(line.lstrip())
        last = first
        if line.rstrip().endswith(("{", " in", ":")):
            for behind in range(first + 1, len(lines)):
                text = lines[behind]
                depth = len(text) - len(text.lstrip())
                if line.rstrip().endswith(":"):
                    if depth <= indent:
                        break
                    last = behind
                elif depth == indent and text.strip().startswith("}"):
                    last = behind
                    if not text.rstrip().endswith("{"):
                        break
        found.append((first, last))
    return found


def smaller(text):
    """Texts without one statement each, with a block's statements in the block's stead, or with one of a line's statements less."""
    lines = text.rstrip("\n").split("\n")
    for first, last in units(lines):
        if lines[first].startswith(f"func f{NUMBER}(") or lines[first].startswith("    return log"):
            continue
        yield first, lines[:first] + lines[last + 1:]
        if last > first + 1:
            yield first, lines[:first] + [line[4:] for line in lines[first + 1: last]] + lines[last + 1:]
        if first == last and "; " in lines[first]:
            parts = lines[first].split("; ")
            for index in range(len(parts)):
                rest = "; ".join(parts[:index] + parts[index + 1:]).strip()
                yield first, lines[:first] + [lines[first][: len(lines[first]) - len(lines[first].lstrip())] + rest] + lines[first + 1:]
        for part in re.finditer(r" \\\([^()]*(\([^()]*\)[^()]*)*\)", lines[first]):
            yield first, lines[:first] + [lines[first][: part.start()] + lines[first][part.end():]] + lines[first + 1:]


def shrink(judge, programs, rounds=12):
    """The smallest texts that are found of [(text, kind)], of which the judges still say `kind`; all are judged together."""
    jobs = [shrinking(text, kind, rounds) for text, kind in programs]
    found, asked = {}, {index: next(job) for index, job in enumerate(jobs)}
    while asked:
        texts = [text for some in asked.values() for text in some]
        kinds = (outcome.kind for outcome, _ in judge.judge([Candidate(text) for text in texts]))
        answers = {index: [next(kinds) for _ in some] for index, some in asked.items()}
        asked = {}
        for index, answer in answers.items():
            try:
                asked[index] = jobs[index].send(answer)
            except StopIteration as end:
                found[index] = end.value
    return [found[index] for index in range(len(jobs))]


def shrinking(text, kind, rounds):
    """Yields texts to be judged, takes their outcomes' kinds, and returns the smallest text."""
    for _ in range(rounds):
        candidates = list(dict.fromkeys("\n".join(lines) + "\n" for _, lines in smaller(text)))
        kinds = yield candidates
        good = sorted((c for c, k in zip(candidates, kinds) if k == kind), key=len)
        if not good:
            break
        together = combined(good)
        kinds = yield together
        text = next((c for c, k in zip(together, kinds) if k == kind), good[0])
    return text


def combined(good):
    """Texts with ever fewer of the removals, as far as they go together; the last has one."""
    current, texts = good[0].split("\n"), [good[0]]
    for candidate in good[1:]:
        merged = common(current, candidate.split("\n"))
        if len(merged) < len(current):
            current = merged
            texts.append("\n".join(merged))
    return texts[::-1][:12] + texts[:1]


def common(first, second):
    """The lines that both have, in their order."""
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    return [line for block in matcher.get_matching_blocks() for line in first[block.a: block.a + block.size]]
