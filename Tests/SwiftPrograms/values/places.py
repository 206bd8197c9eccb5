"""Places: variables, members, elements and values of dictionaries, and statements that change them."""

import contextlib

from writing.surroundings import surrounded


class Place:
    """An expression that can be changed, where its conditions hold."""

    def __init__(self, expression, type, conditions=(), root=None):
        self.expression, self.type, self.conditions = expression, type, tuple(conditions)
        self.root = root or expression

    @property
    def chained(self):
        """Whether it goes through an optional, so that nothing happens where that is nil."""
        outside = self.expression.split('"')[::2]
        return any("?" in part for part in outside)


def descend(b, place, share=0.6, limit=3):
    """The place or one inside of it."""
    while limit and b.chance(share):
        parts = place.type.parts(b, place.expression)
        if place.chained:
            parts = [p for p in parts if p[0] is None and "default:" not in p[1] and p[1].startswith(place.expression)]
        if not parts:
            break
        condition, expression, type = b.one(parts)
        place = Place(expression, type, place.conditions + ((condition,) if condition else ()), place.root)
        limit -= 1
    return place


def candidate(b, share=0.6, chained=True, writable=True):
    """A place of a variable in scope, or None."""
    roots = [(name, type) for name, type, variable in b.scope if variable or not writable]
    if not roots:
        return None
    name, type = b.one(roots)
    for _ in range(6):
        place = descend(b, Place(name, type, root=name), share)
        if chained or not place.chained:
            return place
    return Place(name, type, root=name)


@contextlib.contextmanager
def conditioned(b, place):
    """Writes what follows where the place's conditions hold."""
    if not place.conditions:
        yield
        return
    conditions = list(dict.fromkeys(place.conditions))
    with b.block("if " + ", ".join(conditions)):
        yield


def change_text(b, place):
    """A statement that changes the place."""
    changes = place.type.changes(b, place.expression)
    if place.chained:
        e = place.expression
        changes = [c for c in changes if c.startswith(e) and c.count(e) == 1] or [f"{e} = {place.type.literal(b)}"]
    return b.one(changes)


def change(b, place):
    """Changes the place in one of many ways, inside of other statements perhaps."""
    with surrounded(b):
        with conditioned(b, place):
            b.line(change_text(b, place))


def change_inout(b, place, way=None):
    """Changes the place through an inout parameter."""
    way = way or b.one(["function", "function", "function", "local", "closure", "generic", "method", "returning", "swap", "two"])
    with_place = f"&{place.expression}"
    spelled = place.type.spell()
    call = None
    if way in ("function", "returning"):
        name = b.name("change") + "§"
        result = " -> String" if way == "returning" else ""
        with b.top():
            with b.block(f"func {name}(_ x: inout {spelled}){result}"):
                if result:
                    b.line(f"let before = {place.type.show('x')}")
                for _ in range(b.number(1, 2)):
                    b.line(b.one(place.type.changes(b, "x")))
                if result:
                    b.line("return before")
        call = f"log.append({name}({with_place}))" if result else f"{name}({with_place})"
    elif way == "local":
        name = b.name("alter")
        with b.block(f"func {name}(_ x: inout {spelled}, _ times: Int)"):
            b.line(f"for _ in 0..<times {{ {b.one(place.type.changes(b, 'x'))} }}")
        call = f"{name}({with_place}, {b.number(1, 2)})"
    elif way == "closure":
        name = b.name("touch")
        b.line(f"let {name}: (inout {spelled}) -> Void = {{ x in {b.one(place.type.changes(b, 'x'))} }}")
        call = f"{name}({with_place})"
    elif way == "generic":
        if "update" not in b.known:
            b.known["update"] = True
            b.declare("func update§<T>(_ x: inout T, _ body: (inout T) -> Void) {\n    body(&x)\n}")
        changes = [c for c in place.type.changes(b, "$0")]
        call = f"update§({with_place}) {{ {b.one(changes)} }}"
    elif way == "method":
        name = b.type_name("Changer")
        with b.top():
            with b.block(f"struct {name}"):
                b.line("var calls = 0")
                with b.block(f"mutating func run(on x: inout {spelled})"):
                    b.lines("calls += 1", b.one(place.type.changes(b, "x")))
        variable = b.name("changer")
        b.line(f"var {variable} = {name}()")
        call = f"{variable}.run(on: {with_place})"
    elif way == "swap":
        other = b.variable("other", place.type, place.type.literal(b), spelled=True)
        call = f"swap(&{other}, {with_place})"
    else:
        name = b.name("move") + "§"
        with b.top():
            with b.block(f"func {name}(from x: inout {spelled}, to y: inout {spelled})"):
                b.lines("y = x", b.one(place.type.changes(b, "x")))
        other = b.variable("target", place.type, place.type.literal(b), spelled=True)
        call = f"{name}(from: {with_place}, to: &{other})"
    with surrounded(b, 0.2):
        with conditioned(b, place):
            b.line(call)


def log_all(b, limit=4):
    """Logs the variables in scope."""
    for name, type, _ in b.scope[-limit:]:
        b.log(type.show(name))
