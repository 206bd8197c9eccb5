"""Ways in which a value is kept elsewhere: each makes a copy, whatever becomes of the place."""

from values.named import Class, Structure
from values.places import conditioned
from values.types import Array, Dictionary, Int, Optional, Text, Tuple
from writing.builder import NUMBER


def _variable(b, e, t):
    return b.variable("copy", t, e)


def _constant(b, e, t):
    return b.variable("kept", t, e, "let")


def _array(b, e, t):
    return b.variable("row", Array(t), b.one([f"[{e}, {e}]", f"Array(repeating: {e}, count: 2)"]), spelled=True)


def _appended(b, e, t):
    name = b.variable("history", Array(t), "[]", spelled=True)
    b.line(b.one([f"{name}.append({e})", f"{name} += [{e}]", f"{name}.insert({e}, at: 0)"]))
    return name


def _dictionary(b, e, t):
    name = b.variable("kept", Dictionary(Text(), t), "[:]", spelled=True)
    b.line(b.one([f'{name}["k"] = {e}', f'{name}.updateValue({e}, forKey: "k")', f'{name}["k", default: {e}] = {e}']))
    return name


def _optional(b, e, t):
    return b.variable("maybe", Optional(t), e, spelled=True)


def _bound(b, e, t):
    optional = b.name("found")
    b.line(f"let {optional}: {t.spell()}? = {e}")
    with b.block(f"if var p = {optional}"):
        b.line(b.one(t.changes(b, "p")))
        b.log(t.show("p"))
    b.log(f"{optional}.map {{ {t.show('$0')} }} ?? \"none\"")


def _returned(b, e, t):
    name = b.name("get")
    with b.block(f"func {name}() -> {t.spell()}"):
        b.line(f"{b.one(['return ', ''])}{e}")
    return b.variable("got", t, f"{name}()")


def _closure(b, e, t):
    name = b.name("give")
    b.line(f"let {name} = {{ {e} }}")
    return b.variable("given", t, f"{name}()")


def _passed(b, e, t):
    name = b.name("pass") + NUMBER
    with b.top():
        with b.block(f"func {name}(_ x: {t.spell()}) -> {t.spell()}"):
            b.lines("var y = x", b.one(t.changes(b, "y")), "return y")
    return b.variable("passed", t, f"{name}({e})")


def _pair(b, e, t):
    return b.variable("pair", Tuple([None, None], [t, Int()]), f"({e}, 1)")


def _loop(b, e, t):
    with b.block(f"for var x in [{e}]"):
        b.line(b.one(t.changes(b, "x")))
        b.log(t.show("x"))


def _switch(b, e, t):
    with b.block(f"switch {e}"):
        b.line("case var x:")
        b.depth += 1
        b.line(b.one(t.changes(b, "x")))
        b.log(t.show("x"))
        b.depth -= 1


def _mapped(b, e, t):
    return b.variable("mapped", Array(t), f"[{e}].map {{ x -> {t.spell()} in var y = x; {b.one(t.changes(b, 'y'))}; return y }}")


def _holder(b, e, t):
    type = Structure(b.type_name("Holder"), [("held", t)])
    b.declare(f"struct {type.name} {{\n    var held: {t.spell()}\n}}")
    return b.variable("holder", type, f"{type.name}(held: {e})")


def _object(b, e, t):
    type = Class(b.type_name("Owner"), [("held", t)])
    b.declare(f"final class {type.name} {{\n    var held: {t.spell()}\n    init(_ held: {t.spell()}) {{ self.held = held }}\n}}")
    return b.variable("owner", type, f"{type.name}({e})", b.one(["let", "var"]))


def _ternary(b, e, t):
    return b.variable("chosen", t, b.one([f"n > 2 ? {e} : {e}", f"n < 0 ? {t.literal(b)} : {e}"]), spelled=True)


def _exchanged(b, e, t):
    first, second = b.variable("left", t, e, spelled=True), b.variable("right", t, t.literal(b), spelled=True)
    b.line(b.one([f"({first}, {second}) = ({second}, {first})", f"swap(&{first}, &{second})"]))
    return second


def _parameter_tuple(b, e, t):
    name = b.name("both") + NUMBER
    with b.top():
        with b.block(f"func {name}(_ x: {t.spell()}) -> (old: {t.spell()}, new: {t.spell()})"):
            b.lines("var y = x", b.one(t.changes(b, "y")), "return (x, y)")
    return b.variable("both", Tuple(["old", "new"], [t, t]), f"{name}({e})")


WAYS = [_variable, _variable, _constant, _array, _appended, _dictionary, _optional, _bound, _returned, _closure, _passed, _pair, _loop,
        _switch, _mapped, _holder, _object, _ternary, _exchanged, _parameter_tuple]
OPEN = [way for way in WAYS if way not in (_bound, _loop, _switch)]


def copy(b, place, ways=None):
    """Keeps a copy of the place's value; a variable with it is in scope from here on where nothing has to hold."""
    ways = ways or WAYS
    if isinstance(place.type, Optional):
        ways = [w for w in ways if w not in (_optional, _bound, _dictionary)] or [_variable]
    with conditioned(b, place):
        way = b.one(ways)
        name = way(b, place.expression, place.type)
        if place.conditions and name:
            b.log(b.scope[-1][1].show(b.scope[-1][0]))
    return name


def reader(b, name, type):
    """A closure or a function that reads a variable later: by reference, or as a capture list has copied it."""
    call = b.name("read")
    form = b.one(["reference", "listed", "named", "function"])
    if form == "function":
        with b.block(f"func {call}() -> String"):
            b.line(f"return {type.show(name)}")
    else:
        head, inner = {"reference": ("", name), "listed": (f"[{name}] ", name), "named": (f"[was = {name}] ", "was")}[form]
        b.line(f"let {call} = {{ {head}() -> String in {type.show(inner)} }}")
    return call
