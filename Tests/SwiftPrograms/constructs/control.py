"""Control flow: patterns, guards, loops, errors, conditions as values, optionals, casts."""

from constructs.registry import construct
from values.named import enumeration
from values.types import Array, Int, scalar


@construct("switch")
def switches(b):
    """Patterns of every kind."""
    form = b.one(["int", "tuple", "enum", "text", "optional", "type", "character"])
    if form == "int":
        cases = b.some(["case 0:", "case 1, 2:", "case 3...5:", "case ..<0:", "case 6..<9 where n % 2 == 0:",
            "case let x where x % 3 == 0:", "case (let x) where x > 20:"], 2, 5)
        subject = b.one(["n", "n * 3 - 4", "s.utf8.count", "i"])
    elif form == "tuple":
        cases = b.some(["case (0, _):", "case (_, true):", "case (1...4, false):", "case let (x, y) where x > 3 && !y:",
            "case (let x, true) where x > 1:", "case (2, let y):"], 2, 5)
        subject = b.one(["(n, s.isEmpty)", "(i, i % 2 == 0)", "(n % 3, n > 2)"])
    elif form == "text":
        cases = b.some(['case "abc":', 'case "":', 'case "a", "b":', 'case let x where x.hasPrefix("a"):', 'case "a"..."z":', "case s:"], 2,
            5)
        subject = b.one(["s", "s.lowercased()", '["a", "abc", "q"][i % 3]'])
    elif form == "optional":
        cases = b.some(["case nil:", "case .none:", "case 3?:", "case .some(3):", "case let x? where x > 2:",
            "case .some(let x) where x < 2:", "case .some(1...4):"], 2, 5)
        subject = b.one(["Int(s)", "[1, 3, 5].first { $0 > n }", "i > 1 ? i : nil"])
    elif form == "type":
        cases = b.some(["case let x as Int where x > 1:", "case is String:", "case let x as Double:", "case let x as [Int]:",
            "case 3 as Int:", "case is Bool:"], 2, 5)
        subject = b.one(["([n, s, 2.5, [1], true, 3] as [Any])[i % 6]", "(i > 1 ? n : s) as Any"][:1])
    elif form == "character":
        cases = b.some(['case "a":', 'case "a"..."f":', 'case "0"..."9", " ":', "case let x where x.isUppercase:", 'case "é", "ü":'], 2, 4)
        subject = 'c'
    else:
        b.declare("indirect enum Term§ {\n    case number(Int), add(Term§, Term§), name(String, times: Int), nothing\n}")
        b.line("let terms: [Term§] = [.number(n), .add(.number(1), .name(s, times: 2)), .name(\"x\", times: n), .nothing, .add(.nothing, .number(4))]")
        cases = b.some(["case .number(0...2):", "case .number(let x):", "case let .add(.number(x), _):",
            "case .add(_, .number(let x)) where x > 3:", "case .name(let x, times: 2...):", "case let .name(x, times: k) where k > 0:",
            "case .name(_, let k):", "case .add:"], 3, 6)
        subject = "terms[i % 5]"
    loop = 'for c in "aF3 " + s' if form == "character" else b.one(["for i in 0..<6", "for i in [1, 4, 0, 2]",
        "for i in (0...5).reversed()"])
    with b.block(loop):
        with b.block(f"switch {subject}"):
            for index, case in enumerate(cases):
                b.line(case)
                names = [x for x in ("x", "y",
                    "k") if f"let {x}" in case or f"({x}" in case and "let" in case or f", {x})" in case and "let" in case or f": {x})"
                    in case and "let" in case]
                shown = " ".join(f"\\({x})" for x in names)
                b.depth += 1
                b.log(f'"{index} {shown}"')
                if not names and b.chance(0.15) and index + 1 < len(cases) and "let" not in cases[index + 1]:
                    b.line("fallthrough")
                elif b.chance(0.15):
                    b.line(b.one(["if n > 2 { break }", "continue"]))
                    b.log('"behind"') if "break" in b.target[-1] else None
                b.depth -= 1
            b.line("default:")
            b.depth += 1
            b.line(b.one(['log.append("else")', "break"]))
            b.depth -= 1
    if form == "enum":
        terms_again(b)


def terms_again(b):
    """Patterns outside of a switch."""
    b.line(b.one(['if case .name(let x, _) = terms[2], x == "x" { log.append("if case") }',
        'guard case .number(let k) = terms[0] else { return "no" }\n    log.append("\\(k)")',
        "for case .number(let x) in terms { log.append(\"n\\(x)\") }",
        "log.append(\"\\(terms.filter { if case .nothing = $0 { return true } else { return false } }.count)\")"]))


@construct("guard-defer")
def defers(b):
    k = b.number(1, 4)
    b.text(f"func work(_ x: Int) -> String {{\n    var out = \"w\"\n    defer {{ log.append(\"end \\(x) \\(out)\") }}\n"
        f"    guard x > {k} else {{\n        out += \"low\"\n        return out\n    }}\n    defer {{ out += \"d\" }}\n"
        f"    if x == {k + 1} {{\n        defer {{ out += \"inner\" }}\n        out += \"if\"\n    }}\n"
        f"    guard let first = s.first, first != \"z\" else {{ return out + \"none\" }}\n    out += String(first)\n    return out\n}}")
    with b.block(f"for i in 0..<{k + 4}"):
        b.line("defer { log.append(\"loop \\(i)\") }")
        b.line(b.one([f"if i == {k} {{ continue }}", f"guard i != {k} else {{ break }}", f"if i % 2 == 0 {{ continue }}"]))
        b.log(b.one(["work(i)", "work(n - i)"]))
    b.text("func nested() throws -> Int {\n    defer { log.append(\"one\") }\n    defer { log.append(\"two\") }\n"
        "    if n == 0 { throw CocoaError(.fileNoSuchFile) }\n    return n\n}" if b.chance(0.2) else "func nested() -> Int {\n"
        "    var x = 1\n    defer { x = 100 }\n    defer { log.append(\"two \\(x)\") }\n    x += n\n    return x\n}")
    b.log('"\\((try? nested()) ?? -1)"' if "throws" in "".join(b.target) else '"\\(nested())"')


@construct("loop")
def loops(b):
    """Labels, break and continue, ranges that are read once, variables of loops."""
    b.line("var total = 0")
    k = b.number(2, 5)
    lines = [
        f"outer: for i in 0..<{k} {{\n    for j in 0..<{k} {{\n        if j == i {{ continue outer }}\n"
        f"        if i + j > {k + 1} {{ break outer }}\n        total += i * 10 + j\n    }}\n    total += 1000\n}}",
        f"var x = {k * 7}\nwhile x > 1 {{\n    x = x % 2 == 0 ? x / 2 : x - 3\n    total += x\n    if total > 500 {{ break }}\n}}",
        f"var y = 0\nrepeat {{\n    y += 1\n    if y == 2 {{ continue }}\n    total += y\n}} while y < {k}",
        "var list = [1, 2, 3]\nfor x in list {\n    list.append(x)\n    total += list.count\n}\nlog.append(\"\\(list)\")",
        f"var limit = {k}\nfor i in 0..<limit {{\n    limit -= 1\n    total += i\n}}",
        "var actions: [() -> Int] = []\nfor i in 0..<3 {\n    var j = i\n    actions.append { j += 10; return j + i }\n    j += 1\n}\n"
        "log.append(\"\\(actions.map { $0() }) \\(actions.map { $0() })\")",
        "for var i in 0..<3 {\n    i *= 2\n    total += i\n}",
        "for (key, value) in [\"a\": 1, \"b\": n].sorted(by: { $0.key < $1.key }) where value > 0 {\n    log.append(key + \"\\(value)\")\n}", "for case let x? in [1, nil, n] {\n    total += x\n}", "for case (let x, true) in [(1, true), (2, false), (n, true)] {\n    total += x\n}", "for c in s where c != \"b\" {\n    log.append(String(c))\n}", "var stack = [n, 3]\nwhile let top = stack.popLast() {\n    total += top\n    if top > 1 && stack.count < 3 { stack.append(top / 2) }\n}", "search: do {\n    for x in [1, n, 5] where x == 3 {\n        log.append(\"found\")\n        break search\n    }\n    log.append(\"not found\")\n}", "check: if n > 1 {\n    if total % 2 == 0 { break check }\n    log.append(\"odd\")\n}", "for _ in 0..<n { total += 1 }", "var it = 0\nwhile true {\n    it += 1\n    guard it < 4 else { break }\n    switch it {\n    case 2: continue\n    default: total += it\n    }\n}", "for row in [[1, 2], [n], []] {\n    for (i, x) in row.enumerated() { total += i * x }\n    if row.isEmpty { log.append(\"empty\") }\n}", "for i in (0..<3).reversed() { log.append(\"\\(i)\") }", "walk: while true {\n    for i in 0... {\n        if i > n { break walk }\n        total += i\n    }\n}",
    ]
    for text in b.some(lines, 1, 3):
        b.text(text)
    b.log('"\\(total)"')


@construct("throws")
def throws(b):
    own = b.number(1, 5)
    b.declare("enum Fault§: Error, Equatable {\n    case low(Int), named(String), other\n}\nstruct Big§: Error {\n    var value = 1\n}\n"
              f"func check§(_ x: Int, _ t: String) throws -> Int {{\n    if x < {own} {{ throw Fault§.low(x) }}\n"
              f"    if x > 6 {{ throw Big§(value: x) }}\n    guard !t.isEmpty else {{ throw Fault§.named(t) }}\n    return x * 2\n}}\n"
              f"func outer§(_ x: Int, _ log: inout [String]) throws -> String {{\n    defer {{ log.append(\"defer\") }}\n"
              f"    let y = try check§(x, \"t\")\n    log.append(\"passed\")\n    do {{\n        return \"\\(try check§(y, \"\"))\"\n"
              f"    }} catch Fault§.low {{\n        return \"inner\"\n    }}\n}}")
    lines = ["do {\n    log.append(\"\\(try check§(n, s))\")\n} catch Fault§.low(let x) {\n    log.append(\"low \\(x)\")\n"
        "} catch let big as Big§ where big.value > 7 {\n    log.append(\"big \\(big.value)\")\n} catch is Fault§ {\n"
        "    log.append(\"fault\")\n} catch {\n    log.append(\"\\(error)\")\n}",
             "log.append(\"\\((try? check§(n, s)) ?? -1)\")",
             "for i in 0..<8 {\n    do {\n        log.append(try outer§(i, &log2))\n    } catch let fault as Fault§ {\n"
             "        log.append(\"f \\(fault == .low(i)) \\(fault)\")\n    } catch {\n        log.append(\"e\")\n    }\n}",
             "let all = (0..<8).compactMap { try? check§($0, \"q\") }\nlog.append(\"\\(all)\")",
             "do {\n    let list = try [3, n, 5].map { try check§($0, s) }\n    log.append(\"\\(list)\")\n} catch {\n"
             "    log.append(error is Big§ ? \"big\" : \"fault\")\n}",
             "if let x = try? check§(5, s), x > 3 {\n    log.append(\"x\\(x)\")\n} else {\n    log.append(\"none\")\n}",
             "var result = Result<Int, Error> { try check§(n, s) }\nswitch result {\ncase .success(let x): log.append(\"ok \\(x)\")\n"
             "case .failure(let e): log.append(\"bad \\(e is Fault§)\")\n}",
             "do {\n    do { _ = try check§(0, \"\") } catch Fault§.named { log.append(\"never\") }\n} catch {\n"
             "    log.append(\"outer \\(error as? Fault§ == .low(0))\")\n}",
             "func again() throws {\n    do { _ = try check§(n, \"\") } catch { log.append(\"again\"); throw error }\n}\n"
             "do { try again(); log.append(\"fine\") } catch { log.append(\"caught\") }", "log.append((try? outer§(4, &log2)) ?? \"nil\")",
             "do {\n    guard n > 3 else { throw Fault§.other }\n    log.append(\"many\")\n} catch Fault§.other, Fault§.low {\n"
             "    log.append(\"few\")\n} catch { log.append(\"?\") }"]
    b.line("var log2: [String] = []")
    for text in b.some(lines, 1, 3):
        b.text(text)
    b.log('log2.joined(separator: ",")')


@construct("value-conditions")
def conditions(b):
    """if and switch as values, ternaries, && and || with effects, nil-coalescing."""
    k = b.number(1, 5)
    b.text('func note(_ x: Bool, _ t: String) -> Bool {\n    log.append(t)\n    return x\n}')
    lines = [f"let a = if n > {k} {{ \"many\" }} else if n == 0 {{ \"none\" }} else {{ \"few\" }}\nlog.append(a)",
        f"let c: Int = switch n {{\ncase 0: -1\ncase 1...{k}: n * 10\ndefault: n + 1\n}}\nlog.append(\"\\(c)\")",
        f"log.append(n > {k} ? \"x\" : n > 1 ? \"y\" : \"z\")",
        "if note(n > 2, \"a\") && note(true, \"b\") || note(false, \"c\") { log.append(\"yes\") }",
        "let either = note(n > 9, \"p\") || !note(s.isEmpty, \"q\")\nlog.append(\"\\(either)\")",
        "let late: String\nif n > 2 { late = s } else { late = \"short\" }\nlog.append(late)",
        "func word(_ x: Int) -> String {\n    switch x {\n    case 0: \"zero\"\n    case 1, 2: \"some\"\n    default: \"\\(x)\"\n    }\n}\n"
        "log.append(word(n) + word(1))",
        "let picked = [1, 2, 3].map { x -> String in if x > n { return \"big\" }; return x == 2 ? \"two\" : \"\" }\n"
        "log.append(\"\\(picked)\")", "var x = n\nx = x > 2 ? x - 2 : x + 2\nlog.append(\"\\(x > 2 ? 1.5 : 2)\")",
        "let t = (n > 1, n > 4)\nlog.append(t == (true, false) ? \"between\" : \"out\")",
        "let pair = n % 2 == 0 ? (1, \"e\") : (2, \"o\")\nlog.append(pair.1)",
        "let value: Int? = n > 3 ? n : nil\nlog.append(\"\\(value ?? (n > 1 ? 1 : 0))\")"]
    for text in b.some(lines, 2, 4):
        b.text(text)


@construct("optional")
def optionals(b):
    b.declare("struct Owner§ {\n    var name: String\n    var pet: Pet§?\n    func find(_ k: Int) -> Pet§? { k > 2 ? pet : nil }\n}\n"
        "struct Pet§ {\n    var age: Int?\n    var names: [String] = []\n    func older(_ k: Int) -> Int? { age.map { $0 + k } }\n}")
    b.lines("var o: Owner§? = n > 3 ? nil : Owner§(name: s, pet: Pet§(age: n, names: [\"p\"]))",
        "var p = Owner§(name: \"P\", pet: Pet§(age: nil))", "let x: Int? = Int(s) ?? (n > 2 ? n : nil)")
    lines = ["log.append(\"\\(o?.pet?.age ?? -1) \\(p.pet?.age ?? -2)\")", "log.append(o?.name ?? p.name)",
        "log.append(\"\\(x.map { $0 * 2 } ?? 0) \\(x.flatMap { $0 > 3 ? $0 : nil } ?? -1)\")",
        "if let pet = o?.pet, let age = pet.age, age > 1 { log.append(\"\\(age)\") } else { log.append(\"no\") }",
        "if let x { log.append(\"x\\(x)\") }", "o?.pet?.names.append(\"q\"); log.append(\"\\(o?.pet?.names ?? [])\")",
        "p.pet?.age = 4; log.append(\"\\(p.pet!.age!)\")", "o?.pet = nil; log.append(\"\\(o?.pet == nil) \\(o == nil)\")",
        "log.append(\"\\(p.find(3)?.older(2) ?? -1) \\(o?.find(3)?.older(1) ?? -1)\")",
        "log.append(\"\\(x == nil) \\(x == 3) \\(x != nil)\")",
        "log.append(String(describing: x)); log.append(\"\\(String(describing: o?.pet?.age))\")",
        "log.append(\"\\([x, 1, nil].compactMap { $0 })\")",
        "if o?.pet?.names.append(\"z\") != nil { log.append(\"appended\") } else { log.append(\"not\") }",
        "func need(_ v: Int?) -> String { guard let v = v else { return \"missing\" }; return \"\\(v)\" }; log.append(need(x) + need(4))",
        "var y = x; y = y ?? 5; y! += 1; log.append(\"\\(y!)\")",
             "if var z = x { z += 1; log.append(\"\\(z)\") }", "let first = s.first.map(String.init) ?? \"none\"; log.append(first)",
             "log.append(\"\\((o?.name.count ?? 0) + (x ?? 1))\")", "while let q = o { log.append(q.name); o = nil }",
             "var list: [Int?] = [1, nil]; list[1] = x; list.append(nil); log.append(\"\\(list)\")",
             "let nested = [\"a\": [1: \"one\"]]; log.append(nested[\"a\"]?[1] ?? \"-\"); log.append(nested[\"b\"]?[1] ?? \"-\")",
             "log.append(\"\\(x.map { \"v\\($0)\" } ?? \"nil\")\")",
             "switch (x, o?.name) { case (let v?, _): log.append(\"v\\(v)\"); case (nil, let name?): log.append(name); default: log.append(\"both nil\") }", "let forced: Int! = n; log.append(\"\\(forced + 1)\")", "if x ?? 0 > 2, o?.name != s { log.append(\"both\") }"]
    b.lines(*b.some(lines, 3, 5))


@construct("cast")
def casts(b):
    """Any, is, as?, as!, collections of Any."""
    b.lines("let all: [Any] = [n, s, 2.5, true, [1, n], [\"k\": n], (1, \"t\")]",
        "let info: [String: Any] = [\"n\": n, \"s\": s, \"list\": [1, 2], \"sub\": [\"x\": 1.5], \"none\": NSNull()]")
    lines = ['log.append("\\(all.compactMap { $0 as? Int })")', 'log.append("\\(all.compactMap { $0 as? String })")',
        'log.append("\\((info["n"] as? Int) ?? -1) \\((info["s"] as? Int) ?? -1)")', 'log.append("\\(info["list"] as? [Int] ?? [])")',
        'log.append("\\((info["sub"] as? [String: Double])?["x"] ?? 0)")',
        'if let d = info["sub"] as? [String: Any], let x = d["x"] as? Double { log.append("\\(x)") }',
        'log.append("\\(all[0] is Int) \\(all[1] is Int) \\(all[2] is Double) \\(all[3] is Bool)")',
        'log.append("\\(info["none"] is NSNull) \\(info["zz"] == nil)")', 'log.append("\\(all[0] as! Int + 1)")',
        'let any: Any = n; switch any { case let x as Int where x > 2: log.append("big"); case is Int: log.append("int"); default: log.append("?") }', 'log.append("\\(all.filter { $0 is String || $0 is Double }.count)")', 'let o: Any? = info["s"]; log.append((o as? String) ?? "no")', 'let x = all[4] as? [Int] ?? []; log.append("\\(x.count)")', 'log.append("\\((all[5] as? [String: Int])?["k"] ?? 0)")', 'for v in all { if let t = v as? String { log.append(t) } else if let i = v as? Int { log.append("\\(i)") } }', 'log.append("\\(all[0]) \\(all[2]) \\(all[3])")', 'log.append("\\(n as Any) \\(Double(n) as Any)")', 'var mixed: [Any] = [1]; mixed.append("a"); mixed[0] = 2.5; log.append("\\(mixed)")', 'let num = NSNumber(value: n); log.append("\\(num.intValue) \\(num == 3)")', "let a: Any = [1, 2]; var l = a as! [Int]; l.append(3); log.append(\"\\(l) \\(a)\")"]
    b.lines(*b.some(lines, 2, 5))


@construct("enum-raw")
def raw(b):
    kind = b.one(["String", "Int", "Int"])
    cases = {"String": b.one(["red, green = \"G\", blue", "red = \"r\", green, blue = \"\""]),
        "Int": b.one(["red, green, blue", "red = 3, green, blue = 9", "red = -1, green, blue"])}[kind]
    b.declare(f"enum Color§: {kind}, CaseIterable {{\n    case {cases}\n    var next: Color§ {{\n        let all = Color§.allCases\n"
        f"        return all[(all.firstIndex(of: self)! + 1) % all.count]\n    }}\n    static let favourite: Color§ = .green\n"
        f"    init(_ x: Int) {{ self = x > 2 ? .red : .blue }}\n    mutating func advance() {{ self = next }}\n"
        f"    static func named(_ t: String) -> Color§? {{ allCases.first {{ \"\\($0)\" == t }} }}\n}}")
    raws = {"String": ['"red"', '"G"', "s", '"r"', '""'], "Int": ["0", "3", "n", "-1", "9"]}[kind]
    lines = ['log.append("\\(Color§.allCases) \\(Color§.allCases.map { $0.rawValue })")',
        f'log.append("\\(Color§(rawValue: {b.one(raws)}).map {{ "\\($0)" }} ?? "none")")',
        f'log.append("\\(Color§(rawValue: {b.one(raws)}) ?? .blue)")',
        "var c = Color§(n); let d = c; c.advance(); c.advance(); log.append(\"\\(c) \\(d) \\(c == d)\")",
        'log.append("\\(Color§.favourite.next) \\(Color§.named("blue") == .blue)")',
        "switch Color§(n) { case .red: log.append(\"R\"); case .green, .blue: log.append(\"GB\") }",
        'log.append("\\(Set([Color§.red, .green, .red]).count) \\([Color§.red: 1][.red] ?? 0)")',
        "var counts: [Color§: Int] = [:]; for x in [Color§.red, .blue, .red] { counts[x, default: 0] += 1 }; log.append(\"\\(Color§.allCases.map { counts[$0] ?? 0 })\")", 'log.append("\\(Color§.blue.hashValue == Color§.blue.hashValue)")', f'log.append("\\([{", ".join(raws[:3])}].compactMap(Color§.init(rawValue:)))")', 'log.append("\\(Color§.red == .green) \\(Color§.red != .green) \\([Color§.red].contains(.red))")', "log.append(String(describing: Color§.green) + \"\\(Color§.green.rawValue)\")", "let pair = (Color§.red, 1); if case (.red, let x) = pair { log.append(\"\\(x)\") }", "var list = Color§.allCases; list[0].advance(); list.reverse(); log.append(\"\\(list) \\(Color§.allCases[0])\")"]
    b.lines(*b.some(lines, 3, 5))


@construct("concurrency")
def concurrency(b):
    """Work that is started and not awaited: it does not run before the function returns, or is refused."""
    b.declare(f"func load§() async -> Int {{\n    {b.number(1, 9)}\n}}")
    b.lines("var total = n", b.one(["Task { _ = await load§() }", 'DispatchQueue.main.async { print("later") }',
        "DispatchQueue.global().async { _ = 1 }", "DispatchQueue.main.asyncAfter(deadline: .now() + 1) { print(1) }",
        'Task.detached { print("x") }', "OperationQueue().addOperation { _ = 2 }"]), "total += 1")
    b.log('"\\(total)"')


@construct("subscript")
def subscripts(b):
    """Subscripts of the app's types, and key paths."""
    b.declare(f"struct Grid§ {{\n    var cells = [1, 2, 3, 4]\n    subscript(x: Int, y: Int) -> Int {{\n"
        f"        get {{ cells[x + y * 2] }}\n        set {{ cells[x + y * 2] = newValue }}\n    }}\n"
        f"    subscript(name: String) -> Int? {{ cells.first {{ \"\\($0)\" == name }} }}\n}}")
    b.lines("var g = Grid§()", "let old = g")
    lines = ["g[1, 0] += 5", "g[0, 1] = n", "g.cells.swapAt(0, 1)", "log.append(\"\\(g[\"3\"] ?? -1) \\(g[1, 1])\")", "g.cells[3] -= 1",
        "log.append(\"\\([g, old].map { $0[0, 0] })\")"]
    b.lines(*b.some(lines, 1, 3))
    if b.chance(0.4):
        b.line(b.one(["let path = \\Grid§.cells; log.append(\"\\(g[keyPath: path])\")", "g[keyPath: \\.cells].append(3)",
            "log.append(\"\\([g, old].map(\\.cells.count))\")"]))
    b.log('"\\(g.cells) \\(old.cells)"')
