"""One function of Swift while it is made: its declarations, its statements, and the variables in scope."""

import contextlib

NUMBER = "§"  # stands for the function's number in every name that is declared outside of it


class Builder:
    """Writes `func f§(_ s: String) -> String`, which logs what it does and returns the log."""

    def __init__(self, random):
        self.random = random
        self.declarations, self.body = [], []
        self.target, self.depth = self.body, 1
        self.scope = []  # (name, type, whether it is a variable)
        self.counts = {}
        self.known = {}  # types that a construct makes once

    # Choices

    def one(self, choices):
        return self.random.choice(choices)

    def some(self, choices, low, high):
        return self.random.sample(choices, min(len(choices), self.random.randint(low, high)))

    def chance(self, share):
        return self.random.random() < share

    def number(self, low, high):
        return self.random.randint(low, high)

    @property
    def local(self):
        """Whether statements written now see the function's own variables."""
        return self.target is self.body

    def name(self, stem):
        self.counts[stem] = count = self.counts.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}{count}"

    def type_name(self, stem):
        count = self.counts[stem] = self.counts.get(stem, 0) + 1
        return stem + ("" if count == 1 else "ABCDEFGHIJ"[count - 2]) + NUMBER

    # Writing

    def line(self, text):
        self.target.append("    " * self.depth + text)

    def lines(self, *texts):
        for text in texts:
            self.line(text)

    def text(self, text):
        """Writes lines that are indented by themselves."""
        for line in text.strip("\n").split("\n"):
            self.line(line)

    @contextlib.contextmanager
    def block(self, head, end="}"):
        """A head with its braces, and a scope of its own."""
        self.line(head + (" {" if not head.endswith(" in") else ""))
        before = list(self.scope)
        self.depth += 1
        yield
        self.depth -= 1
        self.scope = before
        self.line(end)

    @contextlib.contextmanager
    def top(self):
        """Writes before the function."""
        target, depth, scope = self.target, self.depth, self.scope
        own = []
        self.target, self.depth, self.scope = own, 0, []
        yield
        self.target, self.depth, self.scope = target, depth, scope
        self.declarations.extend(own)

    def declare(self, text):
        """Declarations before the function, as text."""
        with self.top():
            self.text(text)

    def log(self, expression):
        self.line(f"log.append({expression})")

    def variable(self, stem, type, value, keyword="var", spelled=None):
        """Declares a variable, and returns its name."""
        name = self.name(stem)
        unclear = "nil" in value or "[:]" in value or "[]" in value or value.startswith(".")
        annotate = unclear or (self.chance(0.5) if spelled is None else spelled)
        self.line(f"{keyword} {name}{': ' + type.spell() if annotate else ''} = {value}")
        self.scope.append((name, type, keyword == "var"))
        return name

    def program(self):
        """The whole as text; the number is still to be put in."""
        begin = [f"func f{NUMBER}(_ s: String) -> String {{", "    let n = s.count", "    var log: [String] = []"]
        return "\n".join(self.declarations + begin + self.body + ['    return log.joined(separator: "|")', "}"]) + "\n"


def quoted(text):
    """A literal of Swift for a text."""
    special = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\u0301": "\\u{301}", "\u200d": "\\u{200D}",
        "\u0308": "\\u{308}"}
    return '"' + "".join(special.get(letter, letter) for letter in text) + '"'
