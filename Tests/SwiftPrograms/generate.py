"""Makes functions: each is about one construct, and some have a piece about another one in them."""

import random

import constructs.classes  # noqa: F401
import constructs.closures  # noqa: F401
import constructs.collections  # noqa: F401
import constructs.conformances  # noqa: F401
import constructs.control  # noqa: F401
import constructs.copies  # noqa: F401
import constructs.foundation  # noqa: F401
import constructs.numbers  # noqa: F401
import constructs.overloads  # noqa: F401
import constructs.places  # noqa: F401
import constructs.properties  # noqa: F401
import constructs.protocols  # noqa: F401
import constructs.texts  # noqa: F401
import constructs.views  # noqa: F401
from constructs.registry import CONSTRUCTS
from writing.builder import NUMBER, Builder

# Constructs that nearly every script has, and that are mixed into others.
COMPANIONS = ["tuple-copy", "struct-copy", "enum-copy", "closure-capture", "capture-list", "inout-variable", "dictionary-default",
    "optional-chain", "loop", "switch",
              "guard-defer", "array-mutation", "slice", "equality", "description", "mutating-method", "evaluated-once", "text-split",
              "int-arithmetic"]


class Program:
    """A function with what it needs, as text that lacks its number."""

    def __init__(self, construct, seed, text):
        self.construct, self.seed, self.text = construct, seed, text

    def numbered(self, number):
        return self.text.replace(NUMBER, str(number))


def make(construct, seed):
    """The program of a construct and a seed, always the same one."""
    b = Builder(random.Random(f"{construct} {seed}"))
    CONSTRUCTS[construct](b)
    if b.chance(0.15):
        mix(b, b.one([name for name in COMPANIONS if name != construct]))
    return Program(construct, seed, b.program())


def mix(b, companion):
    """Another construct's piece in a block of its own, before or behind the function's statements."""
    other = Builder(b.random)
    CONSTRUCTS[companion](other)
    head = b.one(["do {", "for _ in 0..<2 {", "if n < 50 {"])
    block = ["    " + head] + ["    " + line for line in other.body] + ["    }"]
    block = [line.replace(NUMBER, NUMBER + "b") for line in block]
    b.declarations += [line.replace(NUMBER, NUMBER + "b") for line in other.declarations]
    b.body = block + b.body if b.chance(0.5) else b.body + block
