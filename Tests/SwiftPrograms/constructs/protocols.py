"""Protocols, their extensions and compositions, and generics."""

from constructs.registry import construct
from values.named import record
from values.types import Array, Dictionary, Int, Text, scalar, tuple_type

SHAPES = """protocol Shape§ {{
    var area: Int {{ get }}
    var name: String {{ get {set} }}
    func scaled(by k: Int) -> Int
}}
extension Shape§ {{
    var text: String {{ name + "\\(area)" }}
    func scaled(by k: Int) -> Int {{ area * k }}
    func hidden() -> String {{ "ext " + name }}
}}
struct Box§: Shape§ {{
    var side = {a}
    var name = "box"
    var area: Int {{ side * side }}
}}
struct Bar§: Shape§ {{
    let x: Int
    var name: String {{ get {{ "bar" }} set {{ }} }}
    var area: Int {{ x + {b} }}
    func scaled(by k: Int) -> Int {{ x * k * 10 }}
    func hidden() -> String {{ "own" }}
}}
final class Ring§: Shape§ {{
    var name: String = "ring"
    var area = 7
    {text}
}}"""


@construct("protocol-dispatch")
def dispatch(b):
    b.declare(SHAPES.format(a=b.number(1, 5), b=b.number(1, 9), set=b.one(["", "set"]),
        text=b.one(["", 'var text: String { "R\\(area)" }', "func scaled(by k: Int) -> Int { area += k; return area }"])))
    b.lines("let ring = Ring§()", "var all: [Shape§] = [Box§(), Bar§(x: n), ring, Box§(side: 1, name: s)]")
    b.declare("func report§(_ shape: Shape§, _ more: Shape§...) -> String {\n    shape.text + more.map { $0.name }.joined()\n}\n"
        "func largest§<S: Shape§>(_ list: [S]) -> Int {\n    list.map { $0.area }.max() ?? 0\n}")
    lines = ['log.append(all.map { $0.text }.joined(separator: ","))', 'log.append("\\(all.map { $0.scaled(by: 2) })")',
        'log.append(all.map { $0.hidden() }.joined())', "log.append(Bar§(x: 1).hidden() + ring.text)",
             "ring.area = 30", "log.append(report§(all[0], ring, Bar§(x: 2)))",
             'log.append("\\(largest§([Box§(), Box§(side: n)])) \\(largest§([ring]))")',
             'log.append("\\(all.filter { $0 is Box§ }.count) \\(all.reduce(0) { $0 + $1.area })")',
             'if let box = all[0] as? Box§ { log.append("\\(box.side)") }',
             "all.append(ring); ring.area += 1; log.append(\"\\(all[4].area)\")",
             'all.sort { $0.area < $1.area }; log.append(all.map { $0.name }.joined())',
             "let copy = all; all[0] = Bar§(x: 100); log.append(copy[0].text + all[0].text)",
             'for case let bar as Bar§ in all { log.append("\\(bar.x)") }',
             "var one: Shape§ = Box§(); one = n > 2 ? one : ring; log.append(one.text)",
             "let maybe: Shape§? = all.first { $0.area > 5 }; log.append(maybe?.text ?? \"none\")"]
    b.lines(*b.some(lines, 2, 4))
    b.log("all[1].text")


@construct("protocol-mutating")
def mutating(b):
    """Mutating requirements of a protocol, and its extension's mutating methods."""
    b.declare(f"protocol Counting§ {{\n    var count: Int {{ get set }}\n    mutating func add(_ x: Int)\n}}\nextension Counting§ {{\n"
        f"    mutating func addTwice(_ x: Int) {{\n        add(x)\n        add(x)\n    }}\n    mutating func clear() {{ count = 0 }}\n}}\n"
              f"struct Plain§: Counting§ {{\n    var count = {b.number(0, 5)}\n    mutating func add(_ x: Int) {{ count += x }}\n}}\n"
              f"struct Kept§: Counting§ {{\n    var values: [Int] = []\n    var count: Int {{\n        get {{ values.reduce(0, +) }}\n"
              f"        set {{ values = [newValue] }}\n    }}\n    mutating func add(_ x: Int) {{ values.append(x) }}\n}}\n"
              "func fill§<C: Counting§>(_ c: inout C, _ n: Int) {\n    for i in 0..<n { c.add(i) }\n}")
    b.lines("var p = Plain§()", "var k = Kept§()", "var all = [p, p]", "let old = (p, k)")
    lines = ["p.addTwice(3)", "k.addTwice(n)", "k.clear()", "fill§(&p, 3)", "fill§(&k, n)", "all[1].addTwice(4)", "fill§(&all[0], 2)",
        "p.count -= 2", "k.count += 5", "all[0] = p; p.add(1)"]
    b.lines(*b.some(lines, 2, 5))
    if b.chance(0.3):
        b.lines("var any: Counting§ = p", "any.add(20)", "any.addTwice(1)", "log.append(\"\\(any.count)\")")
    b.log('"\\(p.count) \\(k.count) \\(k.values) \\(all.map { $0.count }) \\(old.0.count) \\(old.1.values)"')


@construct("protocol-static")
def static(b):
    """Initializers and static members by a type that is given."""
    extra = b.one(["",
        "extension Named§ {\n    static var title: String { name.uppercased() }\n"
        "    static func several(_ n: Int) -> [Self] { (0..<n).map { _ in Self() } }\n}\n"])
    b.declare("protocol Named§ {\n    init()\n    static var name: String { get }\n    var value: Int { get }\n}\n" + extra +
              f"struct First§: Named§ {{\n    static let name = \"first\"\n    var value = {b.number(1, 9)}\n}}\n"
              f"final class Second§: Named§ {{\n    static var name: String {{ \"second\" }}\n    var value: Int\n"
              f"    init() {{ value = {b.number(1, 9)} }}\n}}\n"
              "struct Third§: Named§ {\n    static let name = \"third\"\n    var value: Int { 3 }\n}\n"
              "func name§<T: Named§>(_ type: T.Type) -> String {\n    _ = T()\n    return T.name\n}\n"
              "func make§<T: Named§>(_ type: T.Type) -> String {\n    let made = T()\n    return T.name + \"\\(made.value)\"\n}\n"
              "func several§<T: Named§>(_ type: T.Type, _ n: Int) -> [T] {\n    (0..<n).map { _ in T() }\n}\n"
              "func same§<T: Named§>(_ x: T) -> String {\n    type(of: x).name + T.name\n}")
    lines = ["log.append(make§(First§.self))", "log.append(name§(Third§.self) + name§(First§.self))", "log.append(make§(Third§.self))",
        "log.append(make§(Second§.self))",
        'log.append("\\(several§(First§.self, n).map { $0.value })")', "log.append(same§(First§()) + same§(Second§()))",
        'log.append("\\(several§(Second§.self, 2).reduce(0) { $0 + $1.value })")',
             "let type = First§.self; log.append(type.name + make§(type))",
             "var f = First§(); f.value += n; log.append(\"\\(f.value) \\(First§().value)\")"] + (["log.append(First§.title + Second§.title)", 'log.append("\\(First§.several(2).map { $0.value })")'] if extra else [])
    b.lines(*b.some(lines, 1, 3))


@construct("protocol-composition")
def composition(b):
    b.declare(f"protocol Named§ {{\n    var name: String {{ get }}\n}}\nprotocol Aged§ {{\n    var age: Int {{ get set }}\n}}\n"
        f"protocol Pet§: Named§, Aged§ {{\n    func sound() -> String\n}}\nextension Named§ where Self: Aged§ {{\n"
        f"    var card: String {{ name + \"/\\(age)\" }}\n}}\n"
              f"struct Dog§: Pet§ {{\n    var name: String\n    var age = {b.number(1, 9)}\n    func sound() -> String {{ \"wuff\" }}\n}}\n"
              f"struct Plant§: Named§, Aged§ {{\n    let name = \"ivy\"\n    var age: Int\n}}\n"
              "func card§(_ x: Named§ & Aged§) -> String {\n    x.name + \"\\(x.age)\"\n}\nfunc older§<T: Named§ & Aged§>(_ x: T) -> T {\n"
              "    var y = x\n    y.age += 1\n    return y\n}\ntypealias Both§ = Named§ & Aged§")
    b.lines("let dog = Dog§(name: s)", "var plant = Plant§(age: n)")
    lines = ["log.append(card§(dog) + card§(plant))", "log.append(older§(dog).card + dog.card)",
        'let all: [Both§] = [dog, plant]; log.append(all.map { $0.name }.joined())', "plant = older§(plant); log.append(plant.card)",
        "let pets: [Pet§] = [dog, Dog§(name: \"x\", age: 1)]; log.append(pets.map { $0.sound() + $0.name }.joined())",
             "let named: Named§ = n > 2 ? dog : plant; log.append(named.name + \"\\(named is Pet§)\")",
             "if let pet = dog as Named§ as? Pet§ { log.append(pet.sound()) }"]
    b.lines(*b.some(lines, 2, 4))


@construct("generic-function")
def generic_functions(b):
    type = b.one([scalar, record, lambda b: tuple_type(b, 0), lambda b: Array(scalar(b))])(b)
    b.declare("func pair§<A, B>(_ a: A, _ b: B) -> (first: A, second: B) {\n    (a, b)\n}\n"
        "func change§<T>(_ list: inout [T], at i: Int, _ body: (inout T) -> Void) {\n    if list.indices.contains(i) { body(&list[i]) }\n"
        "}\n"
              "func grouped§<T, K: Hashable>(_ list: [T], by key: (T) -> K) -> [K: [T]] {\n    var out: [K: [T]] = [:]\n"
              "    for x in list { out[key(x), default: []].append(x) }\n    return out\n}\n"
              "func unique§<T: Hashable>(_ list: [T]) -> [T] {\n    var seen = Set<T>()\n"
              "    return list.filter { seen.insert($0).inserted }\n}\n"
              "func least§<T: Comparable>(_ a: T, _ b: T) -> T {\n    b < a ? b : a\n}\n"
              "func index§<T: Equatable>(of x: T, in list: [T]) -> Int? {\n    for (i, y) in list.enumerated() where y == x { return i }\n"
              "    return nil\n}\nfunc swapped§<A, B>(_ p: (A, B)) -> (B, A) {\n    (p.1, p.0)\n}\n"
              "func or§<T>(_ x: T?, _ y: @autoclosure () -> T) -> T {\n    x ?? y()\n}")
    b.line(f"var list: [{type.spell()}] = [{type.literal(b)}, {type.literal(b)}]")
    change = b.one(type.changes(b, "$0"))
    shown = Array(type).show("list")
    lines = [f"change§(&list, at: 1) {{ {change} }}",
        f"let old = list; change§(&list, at: 0) {{ {change} }}; log.append({Array(type).show('old')})",
        'log.append("\\(grouped§([1, 2, 3, n], by: { $0 % 2 }).sorted { $0.key < $1.key }.map { $0.value })")',
        'log.append("\\(unique§([n, 1, n, 3, 1])) \\(unique§(["a", s, "a"]))")',
             'log.append("\\(least§(n, 2)) \\(least§("b", s)) \\(least§(0.5, -1.5))")',
             'log.append("\\(index§(of: n, in: [1, 3, n]) ?? -1) \\(index§(of: "x", in: ["a", s]) ?? -1)")',
             "var p = pair§(n, list[0]); p.first += 1; log.append(\"\\(p.first)\" + " + type.show("p.second") + ")",
             'log.append("\\(swapped§((n, "a")).0) \\(swapped§(swapped§((1, true))).1)")',
             f"let known: {type.spell()}? = n > 2 ? list[0] : nil; var got = or§(known, {type.literal(b)}); {b.one(type.changes(b, 'got'))}; log.append({type.show('got')})", "log.append(\"\\(pair§([n], \"t\").first)\")", 'log.append("\\(pair§(pair§(1, 2), 3).first.second)")']
    b.lines(*b.some(lines, 2, 4))
    b.log(shown)


@construct("generic-type")
def generic_types(b):
    """A generic structure or class of the app."""
    kind = b.one(["struct", "struct", "final class"])
    mutating = "mutating " if kind == "struct" else ""
    b.declare(f"{kind} Stack§<Element> {{\n    var items: [Element] = []\n" + ("" if kind == "struct" else "    init() {}\n") +
        f"    {mutating}func push(_ x: Element) {{ items.append(x) }}\n    {mutating}func pop() -> Element? {{ items.popLast() }}\n"
        f"    var top: Element? {{ items.last }}\n    func mapped<T>(_ f: (Element) -> T) -> [T] {{ items.map(f) }}\n}}")
    b.lines(b.one(["var a = Stack§<Int>()", "var a: Stack§<Int> = Stack§()"]), "var c = a", "a.push(n)", "a.push(2)", "c.push(7)",
        "let x = a.pop()")
    b.log('"\\(a.items) \\(c.items) \\(x ?? -1) \\(a.top ?? 0) \\(c.mapped { "\\($0)" })"')
    if b.chance(0.5):
        b.lines("var t = Stack§<String>()", "t.push(s)", "log.append(\"\\(t.items) \\(t.pop() ?? \"\")\")")
