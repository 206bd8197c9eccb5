"""Types of values as the generator knows them: how they are spelt, made, shown, changed, and which places they have."""

from writing.builder import quoted

WORDS = ["a", "b", "xy", "Zoe", "é", "ok", "10", "ß", "日本", "🙂", ""]


class Type:
    plain = True  # "\(value)" says all of it, and always the same
    hashable = True
    equatable = True
    ordered = False

    def show(self, e):
        """An expression of type String."""
        return f'"\\({e})"' if self.plain else self.shown(e)

    def parts(self, b, e):
        """[(condition or None, place, type)] inside of the place e."""
        return []

    def condition(self, b, e):
        """An expression of type Bool."""
        return f"{self.show(e)}.count > {b.number(2, 9)}"


class Int(Type):
    ordered = True

    def spell(self):
        return "Int"

    def literal(self, b):
        return b.one(["n", "n * 2", "-n", "n % 3"]) if b.local and b.chance(0.2) else str(b.number(-3, 40))

    def changes(self, b, e):
        k = b.number(1, 9)
        return [f"{e} += {k}", f"{e} -= {k}", f"{e} = {k}", f"{e} = {e} % 100 * {k}", f"{e} &+= {k}", f"{e} = max({e}, {k})", f"{e} ^= {k}"]


class Text(Type):
    ordered = True

    def spell(self):
        return "String"

    def literal(self, b):
        return b.one(["s", 's + "!"', '"\\(n)"']) if b.local and b.chance(0.2) else quoted(b.one(WORDS))

    def changes(self, b, e):
        w = quoted(b.one(WORDS))
        return [f"{e} += {w}", f"{e}.append({w})", f"{e} = {w}", f"{e} = {w} + {e}", f"{e}.append(contentsOf: {w})",
            f"{e} = {e}.uppercased()"]


class Bool(Type):
    def spell(self):
        return "Bool"

    def literal(self, b):
        return b.one(["true", "false"])

    def changes(self, b, e):
        return [f"{e}.toggle()", f"{e} = !{e}", f"{e} = {b.one(['true', 'false'])}"]


class Double(Type):
    ordered = True

    def spell(self):
        return "Double"

    def literal(self, b):
        return b.one(["0.5", "-1.25", "3.0", "1e3", "0.1", "2.75"])

    def changes(self, b, e):
        return [f"{e} += 0.5", f"{e} = {e} / 4", f"{e} -= 1.1", f"{e} = -{e}", f"{e} *= 1.5"]


class Array(Type):
    def __init__(self, element):
        self.element, self.plain = element, element.plain
        self.hashable, self.equatable = element.hashable, element.equatable

    def spell(self):
        return f"[{self.element.spell()}]"

    def literal(self, b):
        return "[" + ", ".join(self.element.literal(b) for _ in range(b.number(2, 3))) + "]"

    def shown(self, e):
        return f'{e}.map {{ {self.element.show("$0")} }}.joined(separator: ",")'

    def changes(self, b, e):
        x = self.element.literal(b)
        return [f"{e}.append({x})", f"{e}.insert({x}, at: 0)", f"{e} += [{x}]", f"{e}.reverse()", f"_ = {e}.popLast()",
                f"{e} = [{x}, {self.element.literal(b)}]", f"{e}.removeAll()", f"if !{e}.isEmpty {{ {e}.removeFirst() }}",
                f"if {e}.count > 1 {{ {e}.swapAt(0, 1) }}", f"{e}.append(contentsOf: {e}.prefix(1))"]

    def parts(self, b, e):
        i = b.number(0, 1)
        return [(f"{e}.count > {i}", f"{e}[{i}]", self.element), (f"{e}.count > 1", f"{e}[{e}.count - 1]", self.element)]


class Dictionary(Type):
    plain = False

    def __init__(self, key, value):
        self.key, self.value = key, value
        self.hashable, self.equatable = value.hashable, value.equatable

    def spell(self):
        return f"[{self.key.spell()}: {self.value.spell()}]"

    def keys(self):
        return ['"k"', '"l"', '"m"'] if isinstance(self.key, Text) else ["1", "2", "3"]

    def literal(self, b):
        return "[" + ", ".join(f"{k}: {self.value.literal(b)}" for k in b.some(self.keys(), 1, 2)) + "]"

    def shown(self, e):
        return f'{e}.sorted {{ $0.key < $1.key }}.map {{ "\\($0.key):\\({self.value.show("$0.value")})" }}.joined(separator: ",")'

    def changes(self, b, e):
        k, x = b.one(self.keys()), self.value.literal(b)
        return [f"{e}[{k}] = {x}", f"{e}.removeValue(forKey: {k})", f"{e}[{k}] = nil", f"{e}.updateValue({x}, forKey: {k})",
            f"{e} = [{k}: {x}]"]

    def parts(self, b, e):
        k = b.one(self.keys())
        default = (None, f"{e}[{k}, default: {self.value.literal(b)}]", self.value)
        return [default, (f"{e}[{k}] != nil", f"{e}[{k}]!", self.value), (None, f"{e}[{k}]?", self.value)]


class Optional(Type):
    def __init__(self, wrapped):
        self.wrapped, self.plain = wrapped, wrapped.plain
        self.hashable, self.equatable = wrapped.hashable, wrapped.equatable

    def spell(self):
        wrapped = self.wrapped.spell()
        return f"{wrapped}?"

    def literal(self, b):
        return "nil" if b.chance(0.25) else self.wrapped.literal(b)

    def shown(self, e):
        return f'({e}.map {{ {self.wrapped.show("$0")} }} ?? "nil")'

    def changes(self, b, e):
        return [f"{e} = {self.wrapped.literal(b)}", f"{e} = nil"] if b.chance(0.5) else [f"{e} = {self.wrapped.literal(b)}"]

    def parts(self, b, e):
        return [(f"{e} != nil", f"{e}!", self.wrapped), (None, f"{e}?", self.wrapped)]


class Tuple(Type):
    hashable = False
    equatable = False

    def __init__(self, labels, types):
        self.labels, self.types = labels, types
        self.plain = all(type.plain for type in types)

    def spell(self):
        return "(" + ", ".join((f"{l}: " if l else "") + t.spell() for l, t in zip(self.labels, self.types)) + ")"

    def literal(self, b):
        return "(" + ", ".join((f"{l}: " if l else "") + t.literal(b) for l, t in zip(self.labels, self.types)) + ")"

    def members(self):
        return [(str(i) if not l else l, t) for i, (l, t) in enumerate(zip(self.labels, self.types))]

    def shown(self, e):
        return '"(' + " ".join(f"\\({t.show(f'{e}.{m}')})" for m, t in self.members()) + ')"'

    def changes(self, b, e):
        m, t = b.one(self.members())
        return t.changes(b, f"{e}.{m}") + [f"{e} = {self.literal(b)}"]

    def parts(self, b, e):
        return [(None, f"{e}.{m if b.chance(0.8) else i}", t) for i, (m, t) in enumerate(self.members())]


class Set(Type):
    plain = False

    def __init__(self, element):
        self.element = element

    def spell(self):
        return f"Set<{self.element.spell()}>"

    def literal(self, b):
        return f"{self.spell()}([" + ", ".join(self.element.literal(b) for _ in range(b.number(0, 3))) + "])"

    def shown(self, e):
        return f'{e}.map {{ {self.element.show("$0")} }}.sorted().joined(separator: ",")'

    def changes(self, b, e):
        x = self.element.literal(b)
        return [f"{e}.insert({x})", f"{e}.remove({x})", f"{e} = {e}.union([{x}])", f"{e}.removeAll()", f"{e}.formUnion([{x}])"]


SCALARS = [Int(), Text(), Bool(), Double()]


def scalar(b):
    return b.one([Int(), Int(), Text(), Text(), Bool(), Double()])


def tuple_type(b, depth):
    count = b.number(2, 3)
    labels = b.one([[None] * count, ["id", "total", "name"][:count], ["x", "y", "z"][:count]])
    return Tuple(labels, [Int()] + [any_type(b, depth - 1) for _ in range(count - 1)])


def any_type(b, depth, named=None):
    """A type; `named` makes the app's own ones."""
    if depth <= 0 or b.chance(0.35):
        return scalar(b)
    makers = [
        lambda: Array(any_type(b, depth - 1, named)), lambda: Dictionary(b.one([Int(), Text()]), unwrapped(any_type(b, depth - 1, named))),
        lambda: Optional(unwrapped(any_type(b, depth - 1, named))), lambda: tuple_type(b, depth), lambda: Set(b.one([Int(), Text()])),
    ]
    return b.one(makers + ([lambda: named(b, depth - 1)] * 4 if named else []))()


def unwrapped(type):
    """No optional of optionals, and no optional in a dictionary: they are refused by what the documents say."""
    return type.wrapped if isinstance(type, Optional) else type
