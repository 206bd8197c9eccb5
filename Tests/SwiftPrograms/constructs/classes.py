"""Classes: superclasses, initializers, objects of their own type; structures' initializers."""

from constructs.registry import construct
from values.types import Array, Int, Text, any_type, scalar


@construct("class-inheritance")
def inheritance(b):
    """Overridden methods and properties, super, static and class members, initializers in two steps."""
    k = b.number(1, 9)
    with b.top():
        with b.block("class Base§"):
            b.lines(f"var n = {k}", 'var name: String { "base" }', "let id: Int", "static var made = 0", 'class var kind: String { "B" }')
            b.text("init(id: Int) {\n    self.id = id\n    Base§.made += 1\n    setUp()\n}\nconvenience init() {\n    self.init(id: 7)\n"
                "    n += 1\n}")
            b.lines("func setUp() { n *= 2 }", 'func text() -> String { "\\(name)\\(n)#\\(id)" }',
                "func grow(_ x: Int = 2) -> Int { n += x; return n }", 'final func both() -> String { text() + type(of: self).kind }')
        with b.block("class Middle§: Base§"):
            b.line(f"var extra: [Int] = [{b.number(0, 5)}]")
            for text in b.some(['override var name: String { "mid-" + super.name }',
                'override func text() -> String { super.text() + "\\(extra)" }', "override func setUp() { super.setUp(); extra.append(n) }",
                                'override class var kind: String { "M" }',
                                "override func grow(_ x: Int) -> Int { extra.append(x); return super.grow(x * 2) }"], 2, 4):
                b.line(text)
        with b.block("final class Leaf§: Middle§"):
            b.line("let tag: String")
            b.text(b.one(["init(tag: String) {\n    self.tag = tag\n    super.init(id: tag.count)\n    extra = []\n}",
                "init(tag: String, id: Int = 3) {\n    self.tag = tag + \"!\"\n    super.init(id: id)\n}"]))
            for text in b.some(["override func text() -> String { tag + super.text() }",
                'override var name: String { "leaf" + super.name }', "override func setUp() { n += 100; super.setUp() }"], 1, 3):
                b.line(text)
    b.line("let all: [Base§] = [Base§(id: 1), Middle§(id: 2), Leaf§(tag: s), Middle§(), Base§()]")
    lines = ['for x in all { log.append(x.both()) }', 'log.append("\\(all.map { $0.grow(n) })")',
        'log.append("\\(all.filter { $0 is Middle§ }.count)")', 'if let leaf = all[2] as? Leaf§ { log.append(leaf.tag) }',
             'for case let m as Middle§ in all { m.extra.append(9); log.append("\\(m.extra)") }',
             'log.append("\\(all[0] as? Middle§ == nil)")', 'all.forEach { _ = $0.grow(1) }', 'log.append("\\(all.map { $0.n })")',
             "let held = all[1]; held.n = 5; log.append(all[1].text())", 'log.append("\\(Base§.made > 0) \\(Leaf§.kind) \\(Base§.kind)")',
             'log.append(all.map(\\.name).joined(separator: ","))',
             'switch all[n % 5] { case let leaf as Leaf§: log.append("leaf \\(leaf.id)"); case is Middle§: log.append("middle"); default: log.append("base") }']
    b.lines(*b.some(lines, 2, 4))
    b.log("all[2].text()")


@construct("class-own-type")
def own_type(b):
    """Lists, trees and rings of objects of one class."""
    form = b.one(["list", "tree", "weak", "parent", "pair"])
    if form == "list":
        with b.top():
            with b.block(f"{b.one(['final ', ''])}class Node§"):
                b.lines("var v: Int", "var next: Node§?")
                b.text(b.one(["init(_ v: Int) { self.v = v }",
                    "init(_ v: Int, next: Node§? = nil) {\n    self.v = v\n    self.next = next\n}"]))
        b.lines("var head: Node§? = nil")
        with b.block("for i in 0..<(n % 4 + 2)"):
            b.lines("let node = Node§(i)", "node.next = head", "head = node")
        b.text(b.one(["var walk = head\nwhile let node = walk {\n    log.append(\"\\(node.v)\")\n    walk = node.next\n}",
            "func sum(_ node: Node§?) -> Int {\n    guard let node = node else { return 0 }\n    return node.v + sum(node.next)\n}\n"
            "log.append(\"\\(sum(head))\")"]))
        b.lines(*b.some(["head?.next?.v = 50", "head!.next = head?.next?.next", "head?.v += 3",
            "var before: Node§? = nil; while let h = head { head = h.next; h.next = before; before = h }; head = before"], 1, 3))
        b.log('"\\(head?.v ?? -1) \\(head?.next?.v ?? -1) \\(head?.next?.next == nil)"')
    elif form == "tree":
        with b.top():
            with b.block("final class Tree§"):
                b.lines(b.one(["let name: String", "var name: String"]), "var kids: [Tree§] = []",
                    "init(_ name: String) { self.name = name }")
                b.text(b.one(["func add(_ kid: Tree§) -> Tree§ {\n    kids.append(kid)\n    return self\n}",
                    "@discardableResult func add(_ kid: Tree§) -> Tree§ {\n    kids.insert(kid, at: 0)\n    return kid\n}"]))
                b.lines("var depth: Int { 1 + (kids.map { $0.depth }.max() ?? 0) }",
                    'func text() -> String { kids.isEmpty ? name : name + "(" + kids.map { $0.text() }.joined(separator: ",") + ")" }')
        b.lines('let root = Tree§("r")', 'let a = Tree§("a")', "_ = root.add(a)", '_ = root.add(Tree§(s)).add(Tree§("c"))',
            '_ = a.add(Tree§("d"))')
        b.lines(*b.some(["a.kids.removeAll()", "root.kids.swapAt(0, 1)",
            "let kids = root.kids; root.kids = []; log.append(\"\\(kids.count)\"); root.kids = kids + kids",
            "root.kids[0].kids.append(Tree§(\"z\"))"], 1, 2))
        b.log('root.text() + "\\(root.depth)"')
    else:
        reference = {"weak": "weak var peer: Member§?", "parent": "weak var peer: Member§?", "pair": "var peer: Member§!"}[form]
        b.declare(f"final class Member§ {{\n    var v = 1\n    {reference}\n    var all: [Int: Member§] = [:]\n"
            f"    var firsts: (Member§, Int)?\n}}")
        b.lines("let a = Member§()", "let c = Member§()", "a.peer = c", "c.peer = a")
        b.lines(*b.some(["a.peer?.v += 4", "c.peer?.peer?.v *= 3", "a.all[1] = c", "a.all[2] = a", "a.firsts = (c, 5)",
            "a.firsts?.0.v -= 1", "a.all[1]?.v += 10", "a.v = a.peer?.v ?? 0", "c.peer = nil"], 3, 5))
        b.log('"\\(a.v) \\(c.v) \\(a.all.count) \\(a.peer === c) \\(c.peer == nil) \\(a.firsts?.1 ?? 0) \\(a.all[1]?.v ?? -1)"')


@construct("initializer")
def initializers(b):
    """Initializers that delegate, fail, take labels and defaults, and memberwise ones."""
    k = b.number(2, 9)
    form = b.one(["delegate", "fail", "extension", "class", "nested", "enum"])
    if form == "delegate":
        b.declare(f"struct Size§ {{\n    var x: Int\n    var y = {k}\n    init(x: Int) {{ self.x = x }}\n    init(text: String) {{\n"
            f"        self.init(x: text.count)\n        y += x\n    }}\n    init() {{ self.init(text: \"four\") }}\n"
                  "    init(_ other: Size§, scale: Int = 2) {\n        self = other\n        x *= scale\n    }\n    init(both: Int) {\n"
                  "        self = Size§(x: both)\n        y = both\n    }\n}")
        b.lines("let all = [Size§(x: 2), Size§(text: s), Size§(), Size§(both: 4), Size§(Size§(x: n)), Size§(Size§(), scale: 3)]")
        b.log('"\\(all.map { $0.x }) \\(all.map { $0.y }) \\([1, 2].map(Size§.init(x:)).map { $0.x })"')
    elif form == "fail":
        b.declare(f"struct Code§ {{\n    let value: Int\n    init?(_ value: Int) {{\n        guard value < {k} else {{ return nil }}\n"
            f"        self.value = value\n    }}\n    init?(text: String) {{\n        guard let v = Int(text) else {{ return nil }}\n"
            f"        self.init(v)\n    }}\n}}")
        b.log('"\\([1, 5, 20].compactMap { Code§($0) }.map { $0.value }) \\(Code§(text: "3")?.value ?? -1) \\(Code§(text: s) == nil) \\(["1", "x", "50"].map { Code§(text: $0)?.value ?? 0 })"')
        b.line("if let c = Code§(n), c.value > 0 { log.append(\"ok \\(c.value)\") } else { log.append(\"no\") }")
    elif form == "extension":
        b.declare("struct Point§ {\n    var x = 0, y = 0\n    var name: String?\n}\nextension Point§ {\n"
            "    init(_ v: Int) { self.init(x: v, y: -v) }\n    init?(text: String) {\n"
            "        let parts = text.split(separator: \",\").compactMap { Int($0) }\n        if parts.count != 2 { return nil }\n"
            "        self.init(x: parts[0], y: parts[1], name: \"t\")\n    }\n    static let zero = Point§()\n"
            "    func moved(dx: Int = 1) -> Point§ {\n        var p = self\n        p.x += dx\n        return p\n    }\n}")
        b.lines(f"let p = Point§({k}), q = Point§(text: \"4,5\"), z = Point§.zero.moved().moved(dx: n)")
        b.log('"\\(p) \\(q.map { "\\($0)" } ?? "nil") \\(Point§(text: s) == nil) \\(z.x) \\(Point§(x: 1, name: "w")) \\(Point§(y: 3).y) \\(Point§.zero.x)"')
    elif form == "class":
        b.declare(f"class Shape§ {{\n    let sides: Int\n    var log = \"\"\n    init(sides: Int) {{ self.sides = sides; log += \"s\" }}\n"
            f"    convenience init(text: String) {{\n        self.init(sides: text.count)\n        log += \"t\"\n    }}\n}}\n"
                  f"class Square§: Shape§ {{\n    var size = {k}\n    override init(sides: Int) {{\n        size += sides\n"
                  f"        super.init(sides: 4)\n        log += \"q\"\n    }}\n    init(size: Int) {{\n        self.size = size\n"
                  f"        super.init(sides: 4)\n    }}\n}}\n"
                  "final class Plain§: Square§ {\n    var more = [1]\n}")
        b.lines("let all = [Shape§(sides: 3), Shape§(text: s), Square§(sides: 9), Square§(size: n), Square§(text: \"ab\"), Plain§(size: 2), Plain§(sides: 5)]")
        b.log('all.map { "\\($0.sides)\\($0.log)\\(($0 as? Square§)?.size ?? -1)" }.joined(separator: " ")')
    elif form == "nested":
        b.declare(f"struct Page§ {{\n    struct Line {{\n        var text: String\n        var width = {k}\n    }}\n"
            f"    enum Mode: String {{\n        case wide, narrow\n        static let usual = Mode.narrow\n    }}\n"
            f"    var lines: [Line] = []\n    var mode = Mode.usual\n"
            f"    init(_ texts: String...) {{ lines = texts.map {{ Line(text: $0) }} }}\n"
            f"    mutating func add(_ t: String) {{ lines.append(Line(text: t, width: lines.count)) }}\n}}")
        b.lines('var page = Page§(s, "b")', "let old = page", 'page.add("z")', "page.lines[0].width += n", "page.mode = .wide",
            'let line = Page§.Line(text: "own")')
        b.log('"\\(page.lines.map { "\\($0.text)\\($0.width)" }) \\(old.lines.map { $0.width }) \\(page.mode.rawValue) \\(old.mode) \\(line.width) \\(Page§.Mode(rawValue: "wide") == page.mode) \\(Page§.Mode(rawValue: s) == nil)"')
    else:
        b.declare(f"enum Unit§: Equatable {{\n    case metre(Int), none\n    init(_ v: Int) {{\n"
            f"        if v > {k} {{ self = .metre(v) }} else {{ self = .none }}\n    }}\n    init?(text: String) {{\n"
            f"        guard let v = Int(text) else {{ return nil }}\n        self.init(v)\n    }}\n    var length: Int {{\n"
            f"        if case .metre(let m) = self {{ return m }}\n        return 0\n    }}\n}}")
        b.log('"\\(Unit§(3)) \\(Unit§(n * 4)) \\(Unit§(text: "12") == .metre(12)) \\(Unit§(text: s) == nil) \\(Unit§(50).length) \\([1, 20].map(Unit§.init).map { $0.length })"')
