"""Properties: computed, observed, lazy, static."""

from constructs.registry import construct
from values.named import structure
from values.places import Place, change_inout
from values.types import Array, Dictionary, Int, Optional, Text, any_type, scalar, tuple_type


@construct("computed-property")
def computed(b):
    """Getters and setters that count, through assignment, operators and inout."""
    kind = b.one(["struct", "final class", "class"])
    with b.top():
        with b.block(f"{kind} Meter§"):
            b.lines("var raw = 2", "var gets = 0", "var sets = 0", "var list = [1, 2]")
            with b.block("var level: Int"):
                b.line("get { raw * 10 }")
                value = b.one(["newValue", "value"])
                with b.block("set" if value == "newValue" else "set(value)"):
                    b.lines("sets += 1", f"raw = {value} / 10")
            with b.block("var first: Int"):
                b.lines("get { list[0] }", "set { list[0] = newValue; sets += 1 }")
            with b.block("var pair: (Int, String)"):
                b.lines('get { (raw, "r\\(raw)") }', "set { raw = newValue.0 + newValue.1.count }")
            b.line("var total: Int { list.reduce(raw, +) }")
    b.declare("func raise§(_ x: inout Int) {\n    x += 15\n}")
    b.line(b.one(["var m = Meter§()", "var m: Meter§ = Meter§()"]))
    b.lines("var all = [Meter§(), Meter§()]", "var total = 7")
    for _ in range(b.number(3, 5)):
        m = b.one(["m", "m", "all[1]"])
        b.line(b.one([f"{m}.level += {b.number(5, 30)}", f"raise§(&{m}.level)", f"{m}.first -= 4", f"raise§(&{m}.first)",
            f"{m}.level = {m}.total", f"{m}.pair.0 += 5",
                      f'{m}.pair = (n, "xyz")', f"swap(&{m}.raw, &total)", f"{m}.list.append({m}.level)", f"all = [m, m]", f"m = all[0]"]))
    b.log('"\\(m.raw) \\(m.sets) \\(m.gets) \\(m.list) \\(m.level) \\(m.total) \\(m.pair)"')
    b.log('all.map { "\\($0.raw):\\($0.sets)" }.joined(separator: ",")')


@construct("observer")
def observers(b):
    """willSet and didSet, also of both classes of an overridden property."""
    kind = b.one(["struct", "class", "class"])
    plain = b.chance(0.4)
    type = b.one([Int(), Text()]) if plain else b.one([Int(), Text(), Array(Int()), Optional(Int()), tuple_type(b, 0),
        Dictionary(Text(), Int())])
    with b.top():
        with b.block(f"{kind} Watch§"):
            b.line("var log: [String] = []")
            with b.block(f"var x: {type.spell()} = {type.literal(b)}"):
                if b.chance(0.5):
                    b.line(f"willSet {{ log.append(\"will \" + {type.show('newValue')}) }}")
                form = b.one(["did", "old", "named", "correct"])
                if form == "correct":
                    b.line(f"didSet {{ if log.count > 4 {{ x = {type.literal(b)} }}; log.append({type.show('x')}) }}")
                else:
                    before = {"did": '""', "old": type.show("oldValue"), "named": type.show("was")}[form]
                    b.line(f"didSet{'(was)' if form == 'named' else ''} {{ log.append({before} + \">\" + {type.show('x')}) }}")
            b.line("var y = 0 { didSet { if y != oldValue { log.append(\"y\\(y)\") } } }")
            made = b.chance(0.6)
            if made:
                b.line("init() {}")
                with b.block(f"init(_ x: {type.spell()})"):
                    b.lines("self.x = x", "y = 3")
            with b.block(f"{'mutating ' if kind == 'struct' else ''}func work()"):
                b.lines(b.one(type.changes(b, "x")), b.one(["y += 1", "y += 0", "self.y = 9"]))
        if kind == "class":
            with b.block("class Below§: Watch§"):
                with b.block(f"override var x: {type.spell()}"):
                    if b.chance(0.4):
                        b.line('willSet { log.append("below will") }')
                    b.line(f"didSet {{ log.append(\"below \" + {type.show('oldValue')}) }}")
    name = b.one(["Watch§", "Below§"]) if kind == "class" else "Watch§"
    b.line(f"var w = {name}({b.one(['', type.literal(b)]) if made else ''})")
    b.line("let copy = w")
    for _ in range(b.number(2, 4)):
        choice = b.number(0, 3)
        if choice == 0:
            b.line(b.one(["w.work()", "w.y += 2", "w.y = copy.y"]))
        elif choice == 1 and not plain:
            change_inout(b, Place("w.x", type), b.one(["function", "closure", "generic"]))
        else:
            b.line(b.one(type.changes(b, "w.x")))
    b.log('"\\(w.log) \\(copy.log.count) \\(w.y)"')
    b.log(type.show("w.x"))


@construct("lazy")
def lazies(b):
    """Lazy properties are made when they are first read, once for each value."""
    kind = b.one(["struct", "final class", "class"])
    type = b.one([Array(Int()), Int(), Text(), tuple_type(b, 0), Dictionary(Text(), Int())])
    initial = {"Array": "[base, 2]", "Int": "base * 2", "Text": '"b\\(base)"'}.get(type.__class__.__name__)
    with b.top():
        with b.block(f"{kind} Late§"):
            b.line("var base: Int")
            if kind != "struct":
                b.line("var made = 0")
                b.line("init(_ base: Int) { self.base = base }")
            form = b.one(["value", "closure"]) if initial else "literal"
            if form == "value":
                b.line(f"lazy var it: {type.spell()} = {initial}")
            elif form == "closure":
                with b.block(f"lazy var it: {type.spell()} =", "}()"):
                    if kind != "struct":
                        b.line("made += 1")
                    b.line(f"return {initial}")
            else:
                b.line(f"lazy var it: {type.spell()} = {type.literal(b)}")
            b.line("lazy var second: String = \"s\" + String(describing: base)")
            if kind == "struct":
                b.line("init(_ base: Int) { self.base = base }")
                b.text("mutating func read() -> String {\n    second + \"!\"\n}")
    b.line("var a = Late§(3)")
    b.lines(*b.some(["_ = a.it", "a.base = 10", "log.append(a.second)"], 0, 3))
    b.line("var c = a")
    for _ in range(b.number(2, 3)):
        who = b.one("ac")
        b.line(b.one([f"{who}.base += 1", f"{who}.second += \"+\"", f"_ = {who}.second"] + type.changes(b, f"{who}.it")))
    if kind == "struct" and b.chance(0.5):
        b.log("c.read()")
    b.log(type.show("a.it"))
    b.log(type.show("c.it"))
    b.log('"\\(a.second) \\(c.second) \\(a.base) \\(c.base)"' + (' + "\\(a.made)"' if kind != "struct" else ""))


@construct("static")
def statics(b):
    """Static constants, variables and shared objects; they live from call to call."""
    with b.top():
        with b.block("final class Shared§"):
            b.lines("var n = 1", "var names: [String] = []", f"static let {b.one(['shared', 'instance'])} = Shared§()")
            member = b.target[-1].split("static let ")[1].split(" ")[0]
            b.lines("static var made = 0", "static let limit = 3", f"private static var cache: [Int: String] = [:]")
            b.text('static func text(_ i: Int) -> String {\n    if let known = cache[i] { return "known " + known }\n    made += 1\n'
                '    cache[i] = "t\\(i * limit)"\n    return cache[i]!\n}')
        with b.block(b.one(["struct Setting§", "enum Setting§", "final class Setting§"])):
            b.lines("static var level = 1", "static var rows = [1, 2]",
                "static var doubled: Int { get { level * 2 } set { level = newValue / 2 } }", "static let start: [Int] = { [level, 7] }()")
    b.declare("func add§(_ x: inout Int) {\n    x += 5\n}")
    lines = [f"Shared§.{member}.n += 1", f"Shared§.{member}.names.append(\"q\")", "Setting§.level += 2", "Setting§.rows.append(n)",
        "Setting§.doubled += 4", "add§(&Setting§.level)",
             f"add§(&Shared§.{member}.n)", "log.append(Shared§.text(n % 2))", "log.append(Shared§.text(1))", "Setting§.rows[0] -= 1",
             "add§(&Setting§.rows[1])", "log.append(\"\\(Setting§.start)\")",
             f"let held = Shared§.{member}; held.n *= 2", "var rows = Setting§.rows; rows.append(0)"]
    b.lines(*b.some(lines, 4, 6))
    b.log(f'"\\(Shared§.{member}.n) \\(Shared§.{member}.names) \\(Shared§.made) \\(Setting§.level) \\(Setting§.rows) \\(Setting§.doubled) \\(Shared§.{member} === Shared§.{member})"')
