"""Expressions from templates: `{T}` is a text, `{I}` a whole number, and so on; a line is one call of the library."""

import contextlib
import re

from writing.builder import quoted

TEXTS = ["abc", "Hello, World", " a b ", "é", "e\u0301", "cafe\u0301 é", "ß", "straße", "İi", "🇩🇪🇫🇷", "👨\u200d👩\u200d👧!", "naïve café",
    "ΟΔΟΣ", "a,b,,c", "x=1;y=2", "tab\there", "line1\nline2\r\nend",
         "ﬁne", "１２", "Å", "日本語", "слово", "one two  three", "aXbXc", "", "12", "-7.5", "aaa", "ABBA", "O'Neil \"x\" \\y", "q\u0308q", "ǆ",
         "mixed Case word's"]
LETTERS = ["a", "b", "é", ",", " ", "X", "ß", "1", "🙂", "e\u0301", "-"]


class Values:
    """Values for the placeholders: literals, or the function's constants."""

    def __init__(self, b, own=True):
        self.b = b
        self.names = {"T": ["s"], "I": ["n"]} if own else {}

    def __call__(self, match):
        b, kind = self.b, match[1]
        names = self.names.get(kind, [])
        if names and b.chance(0.5):
            return b.one(names)
        return {
            "T": lambda: quoted(b.one(TEXTS)), "C": lambda: quoted(b.one(LETTERS)), "I": lambda: str(b.number(-9, 30)),
            "P": lambda: str(b.number(1, 9)), "S": lambda: str(b.number(0, 4)),
            "D": lambda: b.one(["0.5", "-2.25", "1e10", "3.0", "0.1", "123456.789", "-0.0", "1e-7", "2.5", "1.5", "100.0", "1e16", "7.0e22",
            "0.30000000000000004"]),
            "A": lambda: "[" + ", ".join(str(b.number(-5, 20)) for _ in range(b.number(1, 5))) + "]",
            "W": lambda: "[" + ", ".join(quoted(b.one(TEXTS[:1] + TEXTS[3:9] + TEXTS[18:])) for _ in range(b.number(1, 4))) + "]",
            "M": lambda: "[" + ", ".join(f"{quoted(k)}: {b.number(0, 9)}" for k in b.some(["a", "b", "c", "é", ""], 1, 3)) + "]",
            "E": lambda: "Set([" + ", ".join(str(b.number(0, 6)) for _ in range(b.number(1, 4))) + "])",
            "B": lambda: b.one(["true", "false"]), "F": lambda: b.one(["{ $0 > %d }", "{ $0 %% 2 == %d }", "{ x in x < %d }"]) % b.number(0,
            1),
            "H": lambda: str(b.number(0, 255)),
        }[kind]()

    def fill(self, template):
        return re.sub(r"\{([A-Z])\}", self, template)


def logged(b, values, templates, low, high):
    """Logs some of the templates, or runs those that are statements (they begin with `;`)."""
    for template in b.some(templates, low, high):
        text = values.fill(template)
        if text.startswith(";"):
            with b.block("do") if re.search(r"(^|\n)(let|var) ", text[1:]) else contextlib.nullcontext():
                b.lines(*text[1:].split("\n"))
        else:
            b.log(f'"\\({text})"' if not text.startswith("=") else text[1:])
