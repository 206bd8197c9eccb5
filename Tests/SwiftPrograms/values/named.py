"""Structures, enumerations and classes of the app, as types of values."""

from values.types import Array, Int, Text, Type, any_type, scalar

FIELDS = ["x", "size", "title", "list", "mark", "rest"]


class Structure(Type):
    """A structure with fields, mutating methods, and some computed properties."""

    def __init__(self, name, fields):
        self.name, self.fields, self.methods, self.computed = name, fields, [], []
        types = [type for _, type in fields]
        self.plain = all(type.plain for type in types)
        self.hashable = all(type.hashable for type in types)
        self.equatable = all(type.equatable for type in types)
        self.defaults = {}

    def spell(self):
        return self.name

    def literal(self, b):
        given = [(f, t) for f, t in self.fields if f not in self.defaults or b.chance(0.6)]
        return f"{self.name}(" + ", ".join(f"{f}: {t.literal(b)}" for f, t in given) + ")"

    def shown(self, e):
        return '"<' + " ".join(f"\\({t.show(f'{e}.{f}')})" for f, t in self.fields) + '>"'

    def changes(self, b, e):
        f, t = b.one(self.fields)
        own = [f"{e}.{m}" for m in self.methods]
        return t.changes(b, f"{e}.{f}")[:3] + own * 3 + [f"{e} = {self.literal(b)}"]

    def parts(self, b, e):
        return [(None, f"{e}.{f}", t) for f, t in self.fields] + [(None, f"{e}.{c}", t) for c, t in self.computed]


def structure(b, depth=1, fields=None, protocols="", extra=None, stem="Item"):
    """Declares a structure."""
    fields = fields or [(name, any_type(b, depth)) for name in b.some(FIELDS, 1, 3)]
    type = Structure(b.type_name(stem), fields)
    with b.top():
        with b.block(f"struct {type.name}{protocols and ': ' + protocols}"):
            for field, kind in fields:
                if b.chance(0.5):
                    type.defaults[field] = kind.literal(b)
                b.line(f"var {field}: {kind.spell()}" + (f" = {type.defaults[field]}" if field in type.defaults else ""))
            methods(b, type, "mutating ")
            computed(b, type)
            if extra:
                extra(b, type)
        if b.chance(0.1):
            on_one_line(b)
    return type


def on_one_line(b):
    """The declaration as people write short ones: its members behind semicolons."""
    joined = "; ".join(line.strip() for line in b.target)
    for written, wanted in (("{; ", "{ "), ("; }", " }"), ("}; set", "} set")):
        joined = joined.replace(written, wanted)
    b.target[:] = [joined]


def methods(b, type, keyword):
    """Methods that change the value."""
    for index in range(b.number(1, 3)):
        name = ["bump", "turn", "reset"][index]
        itself = b.one(["self.", ""])
        with b.block(f"{keyword}func {name}()"):
            if keyword and b.chance(0.35):
                b.line(f"self = {type.literal(b)}")
            else:
                for field, kind in b.some(type.fields, 1, 2):
                    b.line(b.one(kind.changes(b, itself + field)))
        type.methods.append(f"{name}()")
    if keyword and b.chance(0.4):
        with b.block(f"{keyword}func put(_ other: {type.name})"):
            b.line("self = other")
            field, kind = b.one(type.fields)
            b.line(b.one(kind.changes(b, field)))
        type.methods.append(f"put({type.literal(b)})")


def computed(b, type):
    """A computed property that can be set."""
    numbers = [f for f, t in type.fields if isinstance(t, Int)]
    if numbers and b.chance(0.5):
        with b.block("var twice: Int"):
            b.line(f"get {{ {numbers[0]} &* 2 }}")
            b.line(f"set {{ {numbers[0]} = newValue / 2 }}")
        type.computed.append(("twice", Int()))


class Enumeration(Type):
    """An enumeration whose cases may have values."""

    def __init__(self, name, cases):
        self.name, self.cases, self.methods = name, cases, []
        types = [type for _, values in cases for _, type in values]
        self.plain = all(type.plain for type in types)
        self.hashable = all(type.hashable for type in types)
        self.equatable = all(type.equatable for type in types)

    def spell(self):
        return self.name

    def literal(self, b):
        case, values = b.one(self.cases)
        given = ", ".join((f"{l}: " if l else "") + t.literal(b) for l, t in values)
        return f"{self.name}.{case}" + (f"({given})" if values else "")

    def shown(self, e):
        return f"{e}.shown"

    def changes(self, b, e):
        return [f"{e}.{m}" for m in self.methods] * 2 + [f"{e} = {self.literal(b)}"]


def enumeration(b, depth=1, protocols="", extra=None, payloads=True, stem="Kind"):
    """Declares an enumeration with a mutating method, and a text of it."""
    cases = []
    for case in b.some(["idle", "run", "jump", "stop", "wait"], 2, 4):
        count = b.one([0, 1, 1, 2]) if payloads else 0
        labels = b.one([[None, None], ["by", "to"], [None, "of"]])
        cases.append((case, [(labels[i], any_type(b, depth - 1)) for i in range(count)]))
    if not any(values for _, values in cases) and payloads:
        cases[0] = (cases[0][0], [(None, Int())])
    type = Enumeration(b.type_name(stem), cases)
    with b.top():
        with b.block(f"enum {type.name}{protocols and ': ' + protocols}"):
            for case, values in cases:
                given = ", ".join((f"{l}: " if l else "") + t.spell() for l, t in values)
                b.line(f"case {case}" + (f"({given})" if values else ""))
            mutating(b, type)
            shown(b, type)
            if extra:
                extra(b, type)
    return type


def mutating(b, type):
    for name in b.some(["next", "grow"], 1, 2):
        with b.block(f"mutating func {name}()"):
            with b.block("switch self"):
                for case, values in type.cases:
                    names = ["v", "w"][: len(values)]
                    pattern = f"case .{case}" + (f"({', '.join(('var ' if b.chance(0.5) else 'let ') + x for x in names)})" if values
                        else "")
                    b.line(pattern + ":")
                    b.depth += 1
                    variables = [x for x in names if f"var {x}" in pattern]
                    for x, (_, t) in zip(names, values):
                        if x in variables:
                            b.line(b.one(t.changes(b, x)))
                    again = ", ".join((f"{l}: " if l else "") + x for x, (l, _) in zip(names, values))
                    same = f".{case}({again})" if values and b.chance(0.6) else type.literal(b)
                    b.line(f"self = {same}")
                    b.depth -= 1
        type.methods.append(f"{name}()")


def shown(b, type):
    with b.block("var shown: String"):
        with b.block("switch self"):
            for case, values in type.cases:
                names = ["v", "w"][: len(values)]
                pattern = b.one([f"case .{case}({', '.join('let ' + x for x in names)})",
                    f"case let .{case}({', '.join(names)})"]) if values else f"case .{case}"
                text = "".join(f" \\({t.show(x)})" for x, (_, t) in zip(names, values))
                b.line(f'{pattern}: return "{case}{text}"')


class Class(Type):
    """A class with fields and an initializer."""

    plain = hashable = equatable = False

    def __init__(self, name, fields):
        self.name, self.fields, self.methods = name, fields, []

    def spell(self):
        return self.name

    def literal(self, b):
        return f"{self.name}(" + ", ".join(t.literal(b) for _, t in self.fields) + ")"

    def shown(self, e):
        return '"@' + " ".join(f"\\({t.show(f'{e}.{f}')})" for f, t in self.fields) + '"'

    def changes(self, b, e):
        f, t = b.one(self.fields)
        return t.changes(b, f"{e}.{f}")[:3] + [f"{e}.{m}" for m in self.methods] * 2

    def parts(self, b, e):
        return [(None, f"{e}.{f}", t) for f, t in self.fields]


def reference(b, depth=1, stem="Box", fields=None):
    """Declares a class."""
    fields = fields or [(name, any_type(b, depth)) for name in b.some(FIELDS, 1, 2)]
    type = Class(b.type_name(stem), fields)
    with b.top():
        with b.block(f"{b.one(['final ', ''])}class {type.name}"):
            for field, kind in fields:
                b.line(f"var {field}: {kind.spell()}")
            with b.block("init(" + ", ".join(f"_ {f}: {t.spell()}" for f, t in fields) + ")"):
                for field, _ in fields:
                    b.line(f"self.{field} = {field}")
            methods(b, type, "")
    return type


def app_type(b, depth):
    """A type of the app, new or known."""
    known = b.known.setdefault("types", [])
    if known and b.chance(0.4):
        return b.one(known)
    made = b.one([structure, structure, enumeration, reference])(b, depth)
    known.append(made)
    return made


def record(b, depth=0):
    """A structure with a number and a text, as apps have them."""
    return structure(b, 0, [("n", Int()), ("name", Text())] + ([("list", Array(scalar(b)))] if b.chance(0.5) else []), stem="Record")
