"""Statements around statements: loops, conditions, closures and functions that run what is in them at once."""

import contextlib

HEADS = [
    ("if n >= 0", "}"), ("do", "}"), ("for _ in 0..<2", "}"), ("for _ in 1...1", "}"), ("repeat", "} while false"),
    ("if let u = Optional(n), u >= 0", "}"), ("switch n\0default:", "}"), ("switch (n, n > 2)\0case (_, true), (_, false):", "}"),
    ("while true", "}"), ("closure", "}"), ("function", "}"), ("outer: for i in 0..<3", "}"), ("defer", "}"),
    ("for _ in stride(from: 0, to: 4, by: 2)", "}"), ("[1, 2].forEach", "}"),
]


@contextlib.contextmanager
def surrounded(b, share=0.35):
    """With a chance, statements around those that are written in here; they must not declare what is used behind them."""
    if not b.local or not b.chance(share):
        before = list(b.scope)
        yield
        b.scope = before
        return
    head, end = b.one(HEADS)
    if head == "closure":
        name = b.name("run")
        with b.block(f"let {name} = {{ () -> Void in"):
            yield
        b.line(f"{name}()")
    elif head == "function":
        name = b.name("step")
        with b.block(f"func {name}()"):
            yield
        b.line(f"{name}()")
    elif head.startswith("switch"):
        subject, case = head.split("\0")
        with b.block(subject):
            b.line(case)
            b.depth += 1
            yield
            b.depth -= 1
    elif head == "defer":
        with b.block("do"):
            with b.block("defer"):
                yield
            b.log('"deferred"')
    elif head == "while true":
        with b.block(head):
            yield
            b.line("break")
    elif head.startswith("outer"):
        with b.block(head):
            with b.block("for j in 0..<3"):
                b.line(b.one(["if j == 1 { continue outer }", "if i + j == 3 { break outer }", "guard i < 2 else { break outer }"]))
                yield
    elif head.startswith("["):
        with b.block(head + " { _ in"):
            yield
    else:
        with b.block(head, end):
            yield
