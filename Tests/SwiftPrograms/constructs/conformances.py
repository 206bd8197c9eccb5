"""A type's own equality, order, hash, descriptions and words of errors."""

from constructs.registry import construct
from values.named import enumeration, structure
from values.types import Array, Bool, Dictionary, Int, Optional, Text, any_type, scalar

EQUALS = ["a.id == b.id", "a.id % 10 == b.id % 10", "a.name.lowercased() == b.name.lowercased()", "a.id == b.id || a.name == b.name",
    "abs(a.id - b.id) < 2"]


def item(b, protocols, members, kind=None):
    """A structure or a class with a number and a text, and members of its own."""
    kind = kind or b.one(["struct", "struct", "final class", "class"])
    with b.top():
        with b.block(f"{kind} Item§: {protocols}"):
            b.lines(b.one(["let id: Int", "var id: Int"]), b.one(["let name: String", "var name: String"]))
            if kind != "struct" or b.chance(0.3):
                b.text("init(id: Int, name: String) {\n    self.id = id\n    self.name = name\n}")
            for text in members:
                b.text(text)
    return kind


def value(b):
    return f'Item§(id: {b.one(["1", "2", "11", "12", "n"])}, name: {b.one([chr(34) + w + chr(34) for w in ["a", "A", "b", "é"]] + ["s"])})'


@construct("equality")
def equality(b):
    """An app's == counts wherever elements are compared."""
    body = b.one(EQUALS)
    name = b.one([("a", "b"), ("l", "r"), ("lhs", "rhs")])
    body = body.replace("a.", "@1.").replace("b.", "@2.").replace("@1", name[0]).replace("@2", name[1])
    item(b, "Equatable", [f"static func == ({name[0]}: Item§, {name[1]}: Item§) -> Bool {{ {body} }}"])
    v = lambda: value(b)
    b.line(f"let list = [{v()}, {v()}, {v()}]")
    lines = [f'log.append("\\(list.contains({v()}))")', f'log.append("\\(list.firstIndex(of: {v()}) ?? -1)")',
        f'log.append("\\({v()} == {v()}) \\({v()} != {v()})")', f'log.append("\\(list == [{v()}, {v()}, {v()}])")',
        f'log.append("\\([{v()}] == [{v()}]) \\([{v()}] != [{v()}])")',
             f'log.append("\\(Optional({v()}) == {v()}) \\(list.first == {v()})")', f'log.append("\\(["k": {v()}] == ["k": {v()}])")',
             f'log.append("\\(list.lastIndex(of: {v()}) ?? -1)")', f'log.append("\\(list.filter {{ $0 == {v()} }}.count)")',
             f'log.append("\\(list.elementsEqual([{v()}, {v()}, {v()}])) \\(list.starts(with: [{v()}]))")',
             f'log.append("\\(list.split(separator: {v()}).map {{ $0.count }})")',
             f'switch {v()} {{ case list[0]: log.append("first"); case list[1]: log.append("second"); default: log.append("none") }}',
             f"let maybe: Item§? = n > 2 ? {v()} : nil; log.append(\"\\(maybe == {v()}) \\(maybe == nil) \\(maybe != {v()})\")",
             f'log.append("\\(({v()}, 1) == ({v()}, 1))")', f'log.append("\\([[{v()}]].contains([{v()}]))")',
             f"var rest = list; rest.removeAll {{ $0 == {v()} }}; log.append(\"\\(rest.count)\")"]
    b.lines(*b.some(lines, 2, 4))


@construct("equality-synthesized")
def synthesized(b):
    """Equality that the compiler writes, of nested values."""
    make = b.one([structure, enumeration])
    for _ in range(20):
        b.declarations.clear()
        b.counts.clear()
        type = make(b, 2, protocols=b.one(["Equatable", "Hashable", "Equatable"]))
        if type.equatable and type.hashable:
            break
    else:
        type = structure(b, fields=[("x", Int()), ("title", Optional(Text()))], protocols="Equatable")
    b.lines(f"let a: {type.spell()} = {type.literal(b)}", "var c = a", "let list = [a, c]", "log.append(\"\\(a == c)\")")
    for _ in range(b.number(1, 3)):
        b.line(b.one(type.changes(b, "c")))
        b.log('"\\(a == c) \\(list.contains(c)) \\([a] == [c]) \\(list.firstIndex(of: c) ?? -1)"')
    b.log(f'"\\({type.literal(b)} == {type.literal(b)}) \\(a != {type.literal(b)}) \\(Optional(a) == c) \\(["x": a] == ["x": c])"'
        if not isinstance(type, Array) else '""')


@construct("hashable")
def hashable(b):
    """== and hash of the app decide which elements a set and which keys a dictionary holds."""
    own = b.chance(0.75)
    equal, combine = b.one([("a.id == b.id", "hasher.combine(id)"),
        ("a.name.lowercased() == b.name.lowercased()", "hasher.combine(name.lowercased())"),
        ("a.id % 10 == b.id % 10", "hasher.combine(id % 10)"),
        ("a.id == b.id && a.name == b.name", "hasher.combine(id)\n    hasher.combine(name)")])
    members = [f"static func == (a: Item§, b: Item§) -> Bool {{ {equal} }}", f"func hash(into hasher: inout Hasher) {{\n    {combine}\n}}"]
    item(b, "Hashable", members if own else [], None if own else "struct")
    v = lambda: value(b)
    b.line(f"var set: Set<Item§> = [{v()}, {v()}]" if b.chance(0.5) else f"var set = Set([{v()}, {v()}, {v()}])")
    b.line("var counts: [Item§: Int] = [:]")
    lines = [f"log.append(\"\\(set.insert({v()}).inserted)\")", f"log.append(\"\\(set.contains({v()}))\")", f"set.remove({v()})",
        f"counts[{v()}, default: 0] += 1", f"counts[{v()}] = 5", f"log.append(\"\\(counts[{v()}] ?? -1)\")",
        f"log.append(\"\\(set.union([{v()}]).count) \\(set.intersection([{v()}, {v()}]).count)\")",
             f"log.append(\"\\(Dictionary(grouping: [{v()}, {v()}, {v()}], by: {{ $0 }}).values.map {{ $0.count }}.sorted())\")",
             f"log.append(\"\\(set == Set([{v()}, {v()}]))\")", f"set.formUnion([{v()}])",
             f"log.append(\"\\(set.isSubset(of: [{v()}, {v()}, {v()}]))\")", f"log.append(\"\\(set.subtracting([{v()}]).count)\")",
             f"counts.removeValue(forKey: {v()})", f"log.append(\"\\(Set([{v()}, {v()}].map {{ $0.id }}).count)\")",
             f"if let old = set.update(with: {v()}) {{ log.append(\"\\(old.id)\") }}"]
    b.lines(*b.some(lines, 3, 5))
    b.log('"\\(set.count) \\(counts.count) \\(counts.values.reduce(0, +))"')


@construct("hashable-nil")
def hashable_nil(b):
    """nil, "null", "" and such are different values in sets and as keys; so are 1 and "1"."""
    form = b.one(["struct", "enum", "optional", "nested", "any"])
    texts = ['nil', '"null"', '"nil"', '""', '"undefined"', '"a,b"', '"a"', "s"]
    t = lambda: b.one(texts[:2] if b.chance(0.6) else texts)
    if form == "struct":
        b.declare("struct Key§: Hashable {\n    let a: String?\n    var b: String? = nil\n    var n: Int? = nil\n}")
        make = lambda: f"Key§(a: {t()}{b.one([', b: ' + t(), '', ', n: 1', ', b: ' + t() + ', n: nil'])})"
        spelled = "Key§"
    elif form == "enum":
        b.declare("enum Key§: Hashable {\n    case text(String?), number(Int?), none, pair(String, String?)\n}")
        make = lambda: b.one([f"Key§.text({t()})", f"Key§.number({b.one(['nil', '0', '1'])})", "Key§.none", f'Key§.pair("a", {t()})'])
        spelled = "Key§"
    elif form == "optional":
        make, spelled = t, "String?"
    elif form == "nested":
        b.declare("struct Inner§: Hashable {\n    var x: String?\n    var list: [String?] = []\n}\nstruct Key§: Hashable {\n"
            "    var inner: Inner§?\n    var names: [String] = []\n}")
        make = lambda: b.one([f"Key§(inner: Inner§(x: {t()}))", f"Key§(inner: nil)", f"Key§(inner: Inner§(x: {t()}, list: [{t()}, {t()}]))",
            f'Key§(inner: nil, names: [{b.one(["s", chr(34) + "a,b" + chr(34)])}])', 'Key§(inner: nil, names: ["a", "b"])'])
        spelled = "Key§"
    else:
        b.declare("struct Key§: Hashable {\n    let a: AnyHashable\n}")
        make = lambda: f"Key§(a: {b.one(['1', chr(34) + '1' + chr(34), '1.5', 'true', chr(34) + 'true' + chr(34)])})"
        spelled = "Key§"
    b.line(f"var seen = Set<{spelled}>()" if spelled != "String?" else "var seen: Set<String?> = []")
    b.line(f"let all: [{spelled}] = [{', '.join(make() for _ in range(4))}]")
    b.log('all.map { seen.insert($0).inserted ? "new" : "dup" }.joined(separator: ",")')
    b.log(f'"\\(Set(all).count) \\(all.contains({make()})) \\(all.firstIndex(of: {make()}) ?? -1)"')
    if spelled != "String?":
        b.line(f"var counts: [{spelled}: Int] = [:]")
        b.line("for x in all { counts[x, default: 0] += 1 }")
        b.log('"\\(counts.values.sorted()) \\(all[0] == all[1])"')


@construct("comparable")
def comparable(b):
    """An app's < decides sorted, min, max and the operators."""
    form = b.one(["struct", "struct", "class", "enum", "payload", "raw"])
    if form in ("struct", "class"):
        less = b.one(["a.id < b.id", "a.name < b.name", "a.id > b.id", "(a.name.count, a.id) < (b.name.count, b.id)",
            "a.id % 10 < b.id % 10"])
        equal = ["static func == (a: Item§, b: Item§) -> Bool { a.id == b.id }"] if form == "class" or b.chance(0.3) else []
        item(b, "Comparable", [f"static func < (a: Item§, b: Item§) -> Bool {{ {less} }}"] + equal, form)
        make, shown = (lambda: value(b)), (lambda e: f'"\\({e}.id)\\({e}.name)"')
    else:
        head = {"enum": "enum Item§: Comparable {\n    case low, mid, high\n}",
            "payload": "enum Item§: Comparable {\n    case low, mid(Int), high(Int, String)\n}",
                "raw": "enum Item§: Int, Comparable {\n    case low = 3, mid = 1, high = 2\n"
                "    static func < (a: Item§, b: Item§) -> Bool { a.rawValue < b.rawValue }\n}"}[form]
        b.declare(head)
        make = lambda: "Item§." + b.one(["low", "mid" + ("(%d)" % b.number(0, 3) if form == "payload" else ""),
            "high" + ('(%d, "%s")' % (b.number(0, 2), b.one("ab")) if form == "payload" else "")])
        shown = lambda e: f'"\\({e})"'
    b.line(f"var list: [Item§] = [{', '.join(make() for _ in range(4))}]")
    lines = [f"log.append(list.sorted().map {{ {shown('$0')} }}.joined())",
        f"log.append(list.sorted(by: >).map {{ {shown('$0')} }}.joined())", f"log.append(list.min().map {{ {shown('$0')} }} ?? \"\")",
        f"log.append(list.max().map {{ {shown('$0')} }} ?? \"\")", "list.sort()",
        f'log.append("\\({make()} < {make()}) \\({make()} >= {make()}) \\({make()} > {make()}) \\({make()} <= {make()})")',
             f"let m = max({make()}, {make()}); log.append({shown('m')})",
             f"let l = min({make()}, {make()}, {make()}); log.append({shown('l')})", "list.reverse()",
             f'log.append("\\(list.filter {{ $0 < {make()} }}.count)")', f"list.append({make()})", "list.sort(by: >)",
             f'log.append("\\(list == list.sorted()) \\(list.first! < list.last!)")']
    b.lines(*b.some(lines, 3, 5))
    b.log(f"list.map {{ {shown('$0')} }}.joined()")


@construct("description")
def description(b):
    """An app's description and debugDescription, wherever values are written into text."""
    form = b.one(["struct", "enum", "class", "both", "debug", "raw", "none"])
    plain = 'var description: String { "<\\(id):\\(name)>" }'
    debug = 'var debugDescription: String { "D\\(id)" }'
    if form == "enum":
        b.declare('enum Item§: CustomStringConvertible {\n    case one, two(Int)\n    var description: String {\n        switch self {\n'
            '        case .one: return "ONE"\n        case .two(let x): return "TWO\\(x)"\n        }\n    }\n}')
        make = lambda: b.one(["Item§.one", "Item§.two(n)", "Item§.two(4)"])
    elif form == "raw":
        b.declare(f'enum Item§: {b.one(["String", "Int"])}, CustomStringConvertible {{\n    case one, two\n'
            f'    var description: String {{ "r" + String(describing: rawValue) }}\n}}')
        make = lambda: b.one(["Item§.one", "Item§.two"])
    else:
        protocols, members = {"struct": ("CustomStringConvertible", [plain]), "class": ("CustomStringConvertible", [plain]),
            "both": ("CustomStringConvertible, CustomDebugStringConvertible", [plain, debug]),
                              "debug": ("CustomDebugStringConvertible", [debug]), "none": ("Equatable", [])}[form]
        item(b, protocols, members, "final class" if form == "class" else "struct")
        make = lambda: value(b)
    v = make
    b.declare("struct Holder§ {\n    var item: Item§\n    var maybe: Item§?\n}")
    b.line(f"let x = {v()}")
    lines = ['log.append("\\(x)")', "log.append(String(describing: x))", f'log.append("\\([x, {v()}])")', f'log.append("\\([1: {v()}])")',
        'log.append("\\((x, 1))")', 'log.append("\\((item: x, n: n))")', 'log.append("\\(Holder§(item: x))")',
        f'log.append("\\(Holder§(item: x, maybe: {v()}))")',
        f"let o: Item§? = n > 2 ? {v()} : nil; log.append(\"\\(String(describing: o))\")",
             "log.append(String(reflecting: x))", 'log.append("\\([[x]])")', "log.append(\"\\(x)\\(x)\")",
             f'log.append([x, {v()}].map {{ "\\($0)" }}.joined())', f'log.append([x, {v()}].map(String.init(describing:)).joined())',
             "let any: Any = x; log.append(\"\\(any)\")", 'log.append("\\([x].description)")'] \
        + (["log.append(x.description)", "let c: CustomStringConvertible = x; log.append(c.description)"] if form not in ("debug",
            "none") else [])
    b.lines(*b.some(lines, 2, 5))


@construct("error-words")
def errors(b):
    """LocalizedError's words, and errors in text."""
    kind = b.one(["struct", "enum", "enum"])
    words = b.one(['"custom \\(code)"', 'code > 2 ? "many" : "few"', "nil"])
    if kind == "struct":
        b.declare(f"struct Failure§: LocalizedError {{\n    var code = 1\n    var errorDescription: String? {{ {words} }}\n}}")
        make = lambda: b.one(["Failure§()", "Failure§(code: n)"])
    else:
        b.declare(f"enum Failure§: {b.one(['LocalizedError', 'Error, LocalizedError'])}, Equatable {{\n    case empty, bad(Int)\n"
            f"    var code: Int {{\n        if case .bad(let c) = self {{ return c }}\n        return 0\n    }}\n"
            f"    var errorDescription: String? {{\n        switch self {{\n        case .empty: return \"empty\"\n"
            f"        case .bad: return {words}\n        }}\n    }}\n}}")
        make = lambda: b.one(["Failure§.empty", "Failure§.bad(n)", "Failure§.bad(5)"])
    own = "nil" not in words
    b.declare(f"func check§(_ t: String) throws -> Int {{\n"
        f"    guard t.count > {b.number(0, 4)} else {{ throw {make().replace('(code: n)', '(code: 9)').replace('(n)', '(3)')} }}\n"
        f"    return t.count\n}}")
    read = ["error.localizedDescription"] if own else ["\"\\((error as? LocalizedError)?.errorDescription ?? \"none\")\""]
    lines = [f"do {{ throw {make()} }} catch {{ log.append({b.one(read)}) }}",
        f"do {{ log.append(\"\\(try check§(s))\") }} catch {{ log.append({b.one(read)}) }}",
        f"do {{ _ = try check§(\"\"); log.append(\"ok\") }} catch let e as Failure§ {{ log.append(\"\\(e.code) \\(e)\") }} catch {{ log.append(\"other\") }}",
             f"log.append({make()}.errorDescription ?? \"nil\")", "let r = (try? check§(s)) ?? -1; log.append(\"\\(r)\")",
             f"let e: Error = {make()}; log.append(\"\\(e)\")"] + ([f"let e2: Error = {make()}; log.append(e2.localizedDescription)",
             f"log.append({make()}.localizedDescription)"] if own else [])
    b.lines(*b.some(lines, 2, 4))


@construct("operator")
def operators(b):
    """Operators of a type: binary, prefix, assigning."""
    kind = "struct"
    b.declare(f"{kind} Vector§: Equatable {{\n    var x = 0\n    var y = 0\n"
        f"    static func + (a: Vector§, b: Vector§) -> Vector§ {{ Vector§(x: a.x + b.x, y: a.y + b.y) }}\n"
        f"    static func - (a: Vector§, b: Vector§) -> Vector§ {{ Vector§(x: a.x - b.x, y: a.y - b.y) }}\n"
        f"    static func * (a: Vector§, k: Int) -> Vector§ {{ Vector§(x: a.x * k, y: a.y * k) }}\n"
              "    static prefix func - (a: Vector§) -> Vector§ { Vector§(x: -a.x, y: -a.y) }\n"
              "    static func += (a: inout Vector§, b: Vector§) { a.x += b.x; a.y += b.y }\n"
              "    static func < (a: Vector§, b: Vector§) -> Bool { a.x < b.x }\n"
              "    static func == (a: Vector§, b: Vector§) -> Bool { a.x == b.x }\n}")
    b.lines(f"var v = Vector§(x: n, y: {b.number(1, 9)})", "let w = Vector§(x: 2, y: 1)", "var all = [v, w]", 'var d = ["k": v]')
    lines = ["v += w", "all[0] += w", 'd["k"]! += v', 'd["q", default: w] += v', "v = -v", "v = v + w * 3",
        "log.append(\"\\(v < w) \\(v == w) \\(v != w)\")", "all.append(v - w)", "log.append(\"\\(all.reduce(Vector§()) { $0 + $1 })\")",
        "log.append(\"\\(all.contains(Vector§(x: 2, y: 100)))\")", "log.append(\"\\(all.reduce(Vector§(), +).x)\")", "d[\"k\"]? += w",
        "log.append(\"\\(all.sorted(by: <).map { $0.x })\")"]
    b.lines(*b.some(lines, 3, 5))
    b.log('"\\(v) \\(all.map { "\\($0.x)/\\($0.y)" }) \\(d["k"]!.y) \\(d["q"]?.x ?? -1)"')
