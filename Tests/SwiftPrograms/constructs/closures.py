"""Closures: what they capture and when, where they are kept, and functions that are values."""

from constructs.registry import construct
from values.named import record
from values.types import Array, any_type, scalar, tuple_type


@construct("closure-capture")
def captures(b):
    """Closures share the variables that they name."""
    type = b.one([scalar, lambda b: tuple_type(b, 1), record, lambda b: Array(scalar(b))])(b)
    b.line(f"var v: {type.spell()} = {type.literal(b)}")
    b.line("var count = 0")
    with b.block("let change ="):
        b.lines("count += 1", b.one(type.changes(b, "v")))
    b.line(f"let show = {{ {type.show('v')} + \" \\(count)\" }}")
    b.text("func counter(_ step: Int) -> () -> Int {\n    var total = 0\n    return {\n        total += step\n        count += 1\n"
        "        return total\n    }\n}")
    b.lines(f"let one = counter({b.number(1, 4)})", f"let two = counter({b.number(1, 9)})")
    calls = ["change()", "log.append(show())", 'log.append("\\(one())")', 'log.append("\\(two())")', b.one(type.changes(b, "v")),
        "count += 10", "defer { change() }", "_ = two()",
             "let again = change; again()"]
    b.lines(*b.some(calls, 4, 7))
    b.log("show()")


@construct("capture-list")
def capture_lists(b):
    """A capture list copies what a variable is at that time."""
    type = b.one([scalar, scalar, lambda b: tuple_type(b, 0), record, lambda b: Array(scalar(b))])(b)
    b.line(f"var v: {type.spell()} = {type.literal(b)}")
    b.line("var i = 1")
    form = b.one(["one", "two", "named", "loop", "parameter", "nested", "object"])
    if form == "one":
        b.line(f"let get = {{ [v] in {type.show('v')} }}")
    elif form == "two":
        b.line(f"let get = {{ [v, i] () -> String in {type.show('v')} + \"\\(i)\" }}")
    elif form == "named":
        b.line(f"let get = {{ [old = v, j = i + 1] in {type.show('old')} + \"\\(j * i)\" }}")
    elif form == "parameter":
        b.line(f"let take = {{ [v] (x: Int) -> String in {type.show('v')} + \"\\(x)\" }}")
        b.line("let get = { take(i) }")
    elif form == "nested":
        b.line(f"let get = {{ [i] () -> String in let inner = {{ [v] in {type.show('v')} + \"\\(i)\" }}; return inner() }}")
    elif form == "object":
        b.declare("final class Cell§ {\n    var x = 1\n}")
        b.lines("var cell = Cell§()", f"let get = {{ [cell, v] () -> String in \"\\(cell.x)\" + {type.show('v')} }}", "cell.x = 5",
            "cell = Cell§()", "log.append(\"\\(cell.x)\")")
    else:
        b.line("var steps: [() -> String] = []")
        with b.block(b.one(["while i < 4", "for _ in 0..<3"])):
            b.line(b.one([f"steps.append {{ [i] in \"\\(i)\" }}", f"steps.append {{ [v, i] in {type.show('v')} + \"\\(i)\" }}",
                "let show = { [i] in \"\\(i)\" }; steps.append(show)",
                          f"steps += [{{ [was = i * 2, v] () -> String in \"\\(was)\" + {type.show('v')} }}]"]))
            b.lines("i += 1", b.one(type.changes(b, "v")))
        b.line('let get = { steps.map { $0() }.joined(separator: ",") }')
    b.lines(b.one(type.changes(b, "v")), "i += 5")
    b.log("get()")
    b.line(b.one(type.changes(b, "v")))
    b.log(f"get() + {type.show('v')} + \"\\(i)\"")


@construct("closure-kept")
def kept(b):
    """Closures in arrays, dictionaries, properties and optionals."""
    keep = b.one(["array", "dictionary", "property", "optional", "returned", "tuple"])
    b.line("var total = 1")
    k = b.number(2, 5)
    if keep == "array":
        b.line(f"var actions: [(Int) -> Int] = [{{ $0 + {k} }}, {{ x in total += x; return total }}]")
        b.line(b.one(["actions.append { $0 * $0 }", "actions.insert({ _ in n }, at: 0)", "for i in 1...2 { actions.append { $0 * i } }"]))
        b.log('"\\(actions.map { $0(3) }) \\(actions.reduce(2) { $1($0) }) \\(actions[1](4)) \\(total)"')
    elif keep == "dictionary":
        b.line(f'var actions: [String: (Int) -> Int] = ["add": {{ $0 + {k} }}, "total": {{ total += $0; return total }}]')
        b.log('"\\(actions["add"]?(3) ?? -1) \\(actions["no"]?(3) ?? -1) \\(actions["total"]!(4)) \\(total)"')
        b.lines('actions["add"] = actions["total"]', 'log.append("\\(actions["add"]!(1)) \\(total)")')
    elif keep == "property":
        b.declare("final class Button§ {\n    var action: ((Int) -> Void)?\n    var pressed = 0\n    let title: () -> String\n"
            "    init(title: @escaping () -> String) { self.title = title }\n"
                  "    func press() { pressed += 1; action?(pressed) }\n}")
        b.lines('let button = Button§(title: { "t\\(total)" })', "button.press()", "button.action = { total += $0 }", "button.press()",
            "button.press()")
        b.line(b.one(["button.action = nil", "button.action = { [weak button] x in total = x * 100 + (button?.pressed ?? 0) }",
            "let saved = button.action; button.action = { saved?($0 * 2) }"]))
        b.line("button.press()")
        b.log('"\\(total) \\(button.pressed) \\(button.title())"')
    elif keep == "optional":
        b.line(f"var action: ((Int, String) -> String)? = n > 2 ? {{ \"\\($0)\" + $1 }} : nil")
        b.log('action?(1, "a") ?? "none"')
        b.line('action = { x, y in y + "\\(x + total)" }')
        b.line("total = 7")
        b.log('action!(2, "b")')
    elif keep == "returned":
        b.declare(f"func compose§<A, B, C>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> C) -> (A) -> C {{\n    {{ g(f($0)) }}\n}}"
            if b.chance(0.5) else
                  "func compose§(_ f: @escaping (Int) -> Int, _ g: @escaping (Int) -> String) -> (Int) -> String {\n    { x in g(f(x)) }\n}")
        b.line(f"let chained = compose§({{ (x: Int) -> Int in x + {k} }}, {{ (x: Int) -> String in \"<\\(x) \\(total)>\" }})")
        b.lines("total = 4", "log.append(chained(1) + chained(n))")
    else:
        b.lines("let pair = (add: { (x: Int) in total += x }, read: { total })", f"pair.add({k})", "total *= 2", "pair.add(1)")
        b.log('"\\(pair.read()) \\(total)"')


@construct("method-value")
def method_values(b):
    """Methods, initializers, operators and functions given as values."""
    b.declare("struct Tag§ {\n    let text: String\n    var n = 1\n    init(_ text: String) { self.text = text }\n"
        "    init(number: Int) { text = \"#\\(number)\"; n = number }\n"
              "    func with(_ x: Int) -> String { text + \"\\(x + n)\" }\n    static func make(_ i: Int) -> Tag§ { Tag§(number: i) }\n}")
    b.declare("final class Sink§ {\n    var got: [String] = []\n    func take(_ x: String) { got.append(x) }\n"
        "    func both(_ x: String, _ k: Int) { got.append(x + \"\\(k)\") }\n}")
    b.declare("func twice§(_ x: Int) -> Int {\n    x * 2\n}")
    b.text('func shorten(_ t: String) -> String {\n    String(t.prefix(2))\n}')
    b.lines(f"let words = [s, \"beta\", \"c\"]", "let sink = Sink§()", "var tag = Tag§(\"t\")")
    lines = ["words.forEach(sink.take)", 'log.append(words.map(shorten).joined(separator: "."))', 'log.append("\\([1, 2, n].map(twice§))")',
        'log.append("\\([1, 2].map(Tag§.init(number:)).map { $0.text })")',
             'log.append("\\(words.map(Tag§.init).map { $0.text.count })")', 'log.append("\\([3, 4].map(Tag§.make).map(\\.text))")',
             "let with = tag.with; tag.n = 50; log.append(with(1) + tag.with(1))",
             'log.append("\\([1, 2, 3].reduce(0, +)) \\([3, 9, 4].reduce(0, max)) \\([2, 1].sorted(by: >))")',
             'log.append("\\(words.map(\\.count)) \\([1, 2].map(String.init))")', "let take: (String) -> Void = sink.take; take(\"v\")",
             'log.append("\\([n, -2].map(abs)) \\(["1", "x"].compactMap(Int.init)) \\(["5", "q"].map { Int($0) ?? 0 })")',
             'zip(words, [1, 2]).forEach(sink.both)', "let f = twice§; log.append(\"\\(f(f(n)))\")",
             "log.append([1, 2].map(tag.with).joined())", "let unapplied = Tag§.with; log.append(unapplied(tag)(3))",
             'log.append("\\(words.filter(\\.isEmpty).count) \\(words.sorted(by: <)))")',
             "let pick = n > 2 ? shorten : { $0 + \"?\" }; log.append(pick(\"long\"))"]
    b.lines(*b.some(lines, 1, 3))
    b.log('"\\(sink.got)"')


@construct("closure-call")
def calls(b):
    """Trailing closures, several of them, autoclosures, defaults, rethrows, variadics."""
    form = b.one(["several", "autoclosure", "default", "rethrows", "variadic", "immediate", "recursive", "inout"])
    k = b.number(1, 9)
    if form == "several":
        b.declare("func run§(_ x: Int, first: (Int) -> Int, then: (Int) -> String = { \"d\\($0)\" }) -> String {\n    then(first(x))\n}")
        b.log(b.one(["run§(n) { $0 + 1 } then: { \"<\\($0)>\" }", "run§(n) { $0 * 2 }",
            "run§(n, first: { $0 - 1 }, then: { x in \"\\(x)\\(n)\" })", "run§(n, first: { -$0 }) { \"!\\($0)\" }"]))
    elif form == "autoclosure":
        b.declare("func either§(_ a: Bool, _ other: @autoclosure () -> String) -> String {\n    a ? \"yes\" : other() + other()\n}")
        b.lines("var calls = 0", "func other() -> String { calls += 1; return \"o\\(calls)\" }")
        b.log(f"either§(n > {k}, other()) + either§(n < 0, other()) + either§(true, other())")
        b.log('"\\(calls)"')
    elif form == "default":
        b.declare(f"func pad§(_ t: String, to width: Int = {k}, with p: Character = \".\", _ done: (() -> Void)? = nil) -> String {{\n"
            f"    done?()\n    return t + String(repeating: p, count: max(0, width - t.count))\n}}")
        b.lines("var done = 0")
        b.log('pad§(s) + pad§("a", to: 3) + pad§("b", with: "-") { done += 1 } + pad§("c", to: 2, with: "+", { done += 10 })')
        b.log('"\\(done)"')
    elif form == "rethrows":
        b.declare("struct Bad§: Error {\n    let at: Int\n}\nfunc each§(_ list: [Int], _ body: (Int) throws -> Int) rethrows -> [Int] {\n"
            "    var out: [Int] = []\n    for x in list { out.append(try body(x)) }\n    return out\n}")
        b.log(f'"\\(each§([1, 2]) {{ $0 * {k} }}) \\((try? each§([1, n]) {{ if $0 > 2 {{ throw Bad§(at: $0) }}; return $0 }}) ?? [])"')
        b.text("do {\n    log.append(\"\\(try each§([n, 2, 3]) { x in guard x < 3 else { throw Bad§(at: x) }; return -x })\")\n"
            "} catch let bad as Bad§ {\n    log.append(\"bad \\(bad.at)\")\n} catch {\n    log.append(\"other\")\n}")
    elif form == "variadic":
        b.declare("func sum§(_ first: Int, _ more: Int..., scale: Int = 1) -> Int {\n    more.reduce(first, +) * scale + more.count\n}")
        b.log(f'"\\(sum§({k})) \\(sum§(1, 2, 3)) \\(sum§(n, 4, scale: {k})) \\([1, 2].map {{ sum§($0, n) }})"')
    elif form == "immediate":
        b.line(f"let value: String = {{ guard n > {k % 4} else {{ return \"few\" }}; var t = s; t += \"*\"; return t }}()")
        b.log("value")
    elif form == "recursive":
        b.text("func fib(_ x: Int) -> Int {\n    x < 2 ? x : fib(x - 1) + fib(x - 2)\n}")
        b.line("var depth: ((Int) -> Int)!")
        b.line("depth = { $0 <= 0 ? 0 : 1 + depth($0 / 2) }")
        b.log(f'"\\(fib({k})) \\(depth(n * {k}))"')
    else:
        b.line(f"let doubled: (inout [Int]) -> Int = {{ list in list += list; return list.count }}")
        b.lines("var list = [n, 1]", "let copy = list", "let size = doubled(&list)")
        b.log('"\\(list) \\(copy) \\(size)"')
