"""Places that are given as inout, changed through optionals and defaults, or assigned as a whole by `self =`."""

from constructs.registry import construct
from values.named import app_type, enumeration, record, structure
from values.places import Place, change, change_inout, change_text, conditioned
from values.types import Array, Bool, Dictionary, Double, Int, Optional, Set, Text, any_type, scalar, tuple_type, unwrapped


def through(b, type, places, times=(1, 3)):
    """Changes places of a variable by inout, beside a copy of it."""
    name = b.variable("value", type, type.literal(b), spelled=True)
    b.line(f"let before = {name}")
    for _ in range(b.number(*times)):
        change_inout(b, b.one(places(name)))
        b.log(type.show(name))
    b.log(type.show("before"))


@construct("inout-variable")
def variables(b):
    type = any_type(b, 2, app_type)
    through(b, type, lambda name: [Place(name, type)])


@construct("inout-member")
def members(b):
    inner = b.one([scalar, lambda b: tuple_type(b, 1), record, lambda b: Array(scalar(b))])(b)
    type = structure(b, fields=[("x", inner), ("list", Array(b.one([inner, Int()]))), ("n", Int())], stem="Owner")
    deep = Array(type) if b.chance(0.4) else type

    def places(name):
        root, condition = (f"{name}[1]", [f"{name}.count > 1"]) if deep is not type else (name, [])
        return [Place(f"{root}.x", inner, condition), Place(f"{root}.list", type.fields[1][1], condition),
            Place(f"{root}.n", Int(), condition)] \
            + [Place(f"{root}.{c}", t, condition) for c, t in type.computed]
    through(b, deep, places)


@construct("inout-element")
def elements(b):
    type = Array(b.one([scalar, lambda b: tuple_type(b, 1), record, lambda b: enumeration(b, 1), lambda b: Array(scalar(b))])(b))
    through(b, type, lambda name: [Place(e, t, [c]) for c, e, t in type.parts(b, name)])


@construct("inout-dictionary")
def dictionary(b):
    value = b.one([scalar, lambda b: tuple_type(b, 1), record, lambda b: Array(scalar(b))])(b)
    type = Dictionary(b.one([Int(), Text()]), value)
    through(b, type, lambda name: [Place(e, t, [c] if c else []) for c, e, t in type.parts(b, name) if not e.endswith("?")])


@construct("inout-deep")
def deep(b):
    """Places behind several steps: an optional's value, a tuple's member, a property of an object."""
    type = Optional(unwrapped(any_type(b, 1, record)))
    outer = structure(b, fields=[("maybe", type), ("pair", tuple_type(b, 1))], stem="Deep")
    through(b, outer, lambda name: [Place(f"{name}.maybe", type), Place(f"{name}.maybe!", type.wrapped, [f"{name}.maybe != nil"]),
        Place(f"{name}.pair.0", Int())])


@construct("dictionary-default")
def defaults(b):
    value = b.one([scalar, lambda b: Array(scalar(b)), record, lambda b: tuple_type(b, 1), lambda b: Dictionary(Text(), scalar(b)),
        lambda b: Set(Int())])(b)
    type = Dictionary(b.one([Int(), Text()]), value)
    name = b.variable("sums", type, b.one([type.literal(b), "[:]"]), spelled=True)
    for _ in range(b.number(2, 4)):
        key = b.one(type.keys())
        default = value.literal(b)
        if getattr(value, "methods", None) and b.chance(0.5):
            b.line(f"{name}[{key}, default: {default}].{b.one(value.methods)}")
        else:
            change(b, Place(f"{name}[{key}, default: {default}]", value))
    b.log(type.show(name))
    b.log(f'"\\({name}.count)"')


@construct("optional-chain")
def chains(b):
    """Changes behind `?`, which happen or do not."""
    value = b.one([record, lambda b: tuple_type(b, 1), lambda b: Array(Int()), lambda b: structure(b, 1), lambda b: Int()])(b)
    type = b.one([Dictionary(Text(), value), Optional(value)])
    name = b.variable("maybe", type, type.literal(b), spelled=True)
    chained = f'{name}["k"]?' if isinstance(type, Dictionary) else f"{name}?"
    for _ in range(b.number(2, 4)):
        place = Place(chained, value)
        if b.chance(0.7):
            parts = [p for p in value.parts(b, chained) if p[0] is None]
            if parts:
                _, e, t = b.one(parts)
                place = Place(e, t)
        change(b, place)
        b.log(type.show(name))
    if b.chance(0.4):
        b.log(f'"\\(({chained.replace("?", "")} == nil))"' if value.equatable else f'"\\({chained[:-1]} != nil)"')


@construct("mutating-method")
def mutating(b):
    """Mutating methods on places of every kind."""
    value = b.one([record, structure, enumeration])(b)
    type = b.one([value, Array(value), Dictionary(Text(), value), structure(b, fields=[("inner", value), ("n", Int())], stem="Outer")])
    name = b.variable("value", type, type.literal(b), spelled=True)
    b.line(f"let before = {name}")
    for _ in range(b.number(2, 4)):
        place = Place(name, type)
        for condition, e, t in ([] if type is value else b.some(type.parts(b, name), 3, 3)):
            if t is value:
                place = Place(e, t, [condition] if condition else [])
        if place.type is value:
            with conditioned(b, place):
                b.line(f"{place.expression}.{b.one(value.methods)}")
        else:
            change(b, place)
        b.log(type.show(name))
    b.log(type.show("before"))


@construct("self-assign")
def self_assigned(b):
    """Mutating methods that assign self, of structures and of enumerations."""
    if b.chance(0.5):
        type = enumeration(b, 1, extra=_self_switch)
    else:
        type = structure(b, 1, extra=_self_literal)
    name = b.variable("value", type, type.literal(b))
    b.line(f"var copy = {name}")
    for _ in range(b.number(2, 4)):
        target = b.one([name, name, "copy"])
        b.line(f"{target}.{b.one(type.methods)}")
        b.log(f"{type.show(name)} + \"/\" + {type.show('copy')}")
    literals = [type.literal(b) for _ in range(2)]
    for literal in literals:
        b.log(type.show(literal))


def _self_switch(b, type):
    plain = [case for case, values in type.cases if not values]
    with b.block("mutating func assign(_ other: Self)"):
        b.line(b.one(["self = other", "let was = self; self = other; _ = was"]))
    type.methods.append(f"assign({type.literal(b)})")
    if len(plain) == 2:
        with b.block("mutating func toggle()"):
            with b.block(f"if case .{plain[0]} = self"):
                b.line(f"self = .{plain[1]}")
            with b.block("else"):
                b.line(f"self = .{plain[0]}")
        type.methods.append("toggle()")


def _self_literal(b, type):
    field, kind = b.one(type.fields)
    with b.block("mutating func restart(keeping: Bool)"):
        b.line(f"let old = self")
        b.line(f"self = {type.literal(b)}")
        b.line(f"if keeping {{ self.{field} = old.{field} }}")
    type.methods.append(f"restart(keeping: {b.one(['true', 'false'])})")


EXTENDED = {
    "Int": (Int(), ["self += 1", "self = self * 2 % 50", "self = -self", "self = Swift.max(self, 3)", "negate()"]),
    "String": (Text(), ["self += self", 'self = "<" + self + ">"', "self = String(self.reversed())", 'append("!")', "self = uppercased()"]),
    "Bool": (Bool(), ["self = !self", "toggle()"]),
    "Double": (Double(), ["self /= 2", "self = self.rounded()", "self += 0.25"]),
    "Array": (Array(Int()), ["if count > 1 { self[1] = self[0] }", "self = []", "if !isEmpty { removeLast() }", "reverse()",
    "self += self.prefix(1)", "self.append(contentsOf: self)"]),
    "Dictionary": (Dictionary(Text(), Int()), ["self = [:]", "removeAll()", "self = filter { _ in true }"]),
    "Optional": (Optional(Int()), ["self = nil"]),
    "Set": (Set(Int()), ["self = []", "removeAll()"]),
}


@construct("extension-mutating")
def extensions(b):
    """Mutating methods in extensions of the library's types."""
    library = b.one(["Int", "Int", "String", "String", "Bool", "Double", "Array", "Array", "Array", "Dictionary", "Optional", "Set"])
    type, bodies = EXTENDED[library]
    method = b.name("alter") + "§"
    with b.top():
        with b.block(f"extension {library}"):
            plain = b.chance(0.5)
            with b.block(f"mutating func {method}({'' if plain else '_ times: Int = 1'})"):
                if plain:
                    b.line(b.one(bodies))
                else:
                    with b.block("for _ in 0..<times"):
                        b.lines(*b.some(bodies, 1, 2))
    holder = structure(b, fields=[("x", type), ("n", Int())], stem="Holder")
    form = b.one(["variable", "member", "element", "dictionary", "inout"])
    call = f"{method}({'' if plain else b.one(['', '', '2'])})"
    if form == "variable":
        b.lines(f"var v: {type.spell()} = {type.literal(b)}", "let old = v", f"v.{call}")
        b.log(type.show("v"))
        b.log(type.show("old"))
    elif form == "member":
        b.lines(f"var h = {holder.literal(b)}", "let old = h", f"h.x.{call}")
        b.log(holder.show("h"))
        b.log(holder.show("old"))
    elif form in ("element", "dictionary") and not isinstance(type, Optional):
        outer = Array(type) if form == "element" else Dictionary(Text(), type)
        b.lines(f"var v: {outer.spell()} = {outer.literal(b)}", "let old = v")
        condition, e, _ = b.one(outer.parts(b, "v"))
        with conditioned(b, Place(e, type, [condition] if condition else [])):
            b.line(f"{e}.{call}")
        b.log(outer.show("v"))
        b.log(outer.show("old"))
    else:
        b.declare(f"func apply§(_ x: inout {type.spell()}) {{\n    x.{call}\n}}")
        b.lines(f"var v: {type.spell()} = {type.literal(b)}", "apply§(&v)", f"v.{call}")
        b.log(type.show("v"))


@construct("evaluated-once")
def evaluated_once(b):
    """Indices and keys with effects, which count once and in their order."""
    b.text('func at(_ i: Int, _ mark: String) -> Int {\n    log.append("\\(mark)\\(i)")\n    return i\n}')
    b.text('func key(_ k: String) -> String {\n    log.append("key \\(k)")\n    return k\n}')
    b.declare("struct Cell§ {\n    var x = 1\n    var list = [1, 2]\n    mutating func add(_ k: Int) -> Int {\n        x += k\n"
        "        return x\n    }\n}")
    b.declare("func grow§(_ x: inout Int, by k: Int) {\n    x += k\n}")
    b.lines("var cells = [Cell§(), Cell§()]", 'var sums: [String: Int] = ["a": 1]', "var grid = [[1, 2], [3, 4]]", "var pair = (1, [5, 6])")
    statements = [
        'cells[at(0, "i")].x += at(3, "v")', 'cells[at(1, "i")].list[at(0, "j")] *= at(2, "v")',
        'sums[key("a"), default: at(7, "d")] += at(1, "v")',
        'sums[key("b"), default: at(7, "d")] += at(1, "v")', 'grid[at(0, "i")][at(1, "j")] -= at(4, "v")',
        'grow§(&grid[at(1, "i")][at(0, "j")], by: at(2, "v"))',
        'log.append("\\(cells[at(0, "i")].add(at(5, "v")))")', 'swap(&grid[at(0, "i")][0], &pair.0)', 'pair.1[at(1, "i")] = at(9, "v")',
        '(grid[at(0, "i")][0], pair.0) = (at(1, "v"), at(2, "w"))', 'sums[key("c")] = at(4, "v")',
        'grow§(&sums[key("z"), default: 3], by: at(1, "v"))',
        'if at(1, "a") > at(2, "b") || at(3, "c") == 3 { log.append("or") }', 'log.append("\\(sums[key("q")] ?? at(6, "n"))")',
        'cells[at(0, "i")].list.append(at(8, "v"))',
        'sums[key("a")]? += at(2, "v")', 'sums[key("none")]? += at(2, "v")', 'cells[at(1, "i")] = cells[at(0, "j")]',
    ]
    for statement in b.some(statements, 3, 5):
        b.line(statement)
    b.log('"\\(cells.map { "\\($0.x)\\($0.list)" }) \\(sums.sorted { $0.key < $1.key }.map { "\\($0.key)\\($0.value)" }) \\(grid) \\(pair)"')
