"""Lazy views, parts of texts with the indices of the whole, iterators, and sets of options."""

from constructs.registry import construct
from writing.builder import quoted
from writing.templates import TEXTS

STEPS = ['.map { x -> Int in log.append("m\\(x)"); return x * 3 + 1 }', '.filter { x -> Bool in log.append("f\\(x)"); return x % 2 == 0 }',
    '.compactMap { x -> Int? in log.append("c\\(x)"); return x > 2 ? x + 1 : nil }',
    '.prefix(while: { x -> Bool in log.append("p\\(x)"); return x < 12 })', '.drop(while: { x -> Bool in log.append("d\\(x)"); return x < 3 })']
ENDS = ["view.first ?? -1", 'view.first { log.append("w\\($0)"); return $0 > 7 } ?? -1', "view.contains(10)", "view.contains { $0 > 7 }",
    "view.allSatisfy { $0 < 9 }", "view.reduce(0, +)", "Array(view)", "view.min() ?? 0", "view.max() ?? 0", "view.count", "view.isEmpty",
    "view.sorted()", 'view.map { "\\($0)" }.joined(separator: "-")', "view.reduce(into: 0) { $0 += $1 }", "Set(view).count"]


@construct("lazy-view")
def lazy_view(b):
    base = b.one(["[1, 2, 3, 4, 5, 6]", "(1...6)", "(0..<n)", "s.map { $0.isLetter ? 2 : 3 }"])
    steps = "".join(b.one(STEPS) for _ in range(b.number(1, 3)))
    b.line(f"let view = {base}.lazy{steps}")
    for end in b.some(ENDS, 1, 3):
        b.log(f'"\\({end})"')
    if b.chance(0.4):
        b.line('for x in view { log.append("i\\(x)"); if x > 9 { break } }')


@construct("text-parts")
def text_parts(b):
    letter = b.one(["\"a\"", "\"e\"", "\" \"", "\",\"", "\"ñ\"", "\"-\""])
    b.line(f"let whole = {quoted(b.one(TEXTS))} + {b.one(['s', quoted(b.one(TEXTS)), quoted('a,b e-ñ')])}")
    part = b.one([f"whole.split(separator: {letter}).last ?? whole[...]", "whole.dropFirst(2)", "whole.suffix(4)", "whole.prefix(5)",
        f"whole.drop {{ $0 != {letter} }}", f"whole.prefix {{ $0 != {letter} }}", "whole.dropFirst().dropLast()",
        f"whole.firstIndex(of: {letter}).map {{ whole[$0...] }} ?? whole[...]"])
    b.line(f"{b.one(['let', 'var'])} part = {part}")
    distance = "whole.distance(from: whole.startIndex, to: {})"
    for template in b.some(["part", "part.count", distance.format("part.startIndex"), distance.format("part.endIndex"),
            f"part.firstIndex(of: {letter}).map {{ String(whole[$0...]) }} ?? \"none\"",
            f"part.lastIndex(of: {letter}).map {{ String(whole[..<$0]) }} ?? \"none\"",
            f"part.range(of: {letter}).map {{ {distance.format('$0.lowerBound')} }} ?? -1", "part.indices.map { whole[$0] }",
            "part == whole", "[part]", "part.isEmpty ? \"\" : String(part[part.startIndex])", "part.uppercased()", "(part as Any) is String",
            "part.base == whole", "Set([part, whole[...]]).count", f"part.split(separator: {letter})", "part.reversed().map { $0 }",
            "Array(part).count", "part.hasPrefix(\"a\")", "part.first.map { String($0) } ?? \"-\"", "part + \"!\"", "part < \"m\"",
            "part.index(part.startIndex, offsetBy: part.count) == part.endIndex", "String(part.filter { $0 != \" \" })",
            "part.trimmingCharacters(in: .whitespaces)", "part.components(separatedBy: \",\")"], 2, 5):
        b.log(f'"\\({template})"')
    if b.chance(0.5):
        b.lines("var rest = part", "var taken = \"\"")
        b.line(b.one(["while let next = rest.popFirst() { taken.append(next); if taken.count > 2 { break } }",
            "while let next = rest.first { taken.append(next); rest = rest.dropFirst() }", "if !rest.isEmpty { taken.append(rest.removeLast()) }"]))
        b.log(f'taken + "/\\(rest)/\\({distance.format("rest.startIndex")})"')


@construct("option-set")
def option_set(b):
    raw = b.one(["Int", "UInt8", "UInt"])
    b.declare(f"struct Flags§: OptionSet {{\n    let rawValue: {raw}\n    static let a = Flags§(rawValue: 1 << 0)\n"
        f"    static let b = Flags§(rawValue: 1 << 1)\n    static let c = Flags§(rawValue: 1 << 2)\n    static let all: Flags§ = [.a, .b, .c]\n}}")
    sets = ["[]", "[.a]", "[.a, .c]", ".all", ".b", "Flags§(rawValue: 5)"]
    b.lines(f"var x: Flags§ = {b.one(sets)}", f"let y: Flags§ = {b.one(sets)}", "let before = x")
    for change in b.some(["insert(.b)", "remove(.a)", "formUnion(y)", "formIntersection(y)", "subtract(y)", "formSymmetricDifference(y)",
            "insert(y)"], 1, 3):
        b.line(f"x.{change}")
    for question in b.some(["x.rawValue", "x == y", "x.contains(.a)", "x.contains(y)", "x.isSubset(of: y)", "x.isSuperset(of: y)",
            "x.isDisjoint(with: y)", "x.isEmpty", "x.union(y).rawValue", "x.intersection(y).rawValue", "x.subtracting(y).rawValue",
            "x.symmetricDifference([.a, .b]).rawValue", "[x, y].map(\\.rawValue)", "x.isStrictSubset(of: .all)"], 2, 4):
        b.log(f'"\\({question})"')
    b.log('"\\(before.rawValue)"')


@construct("iterator")
def iterator(b):
    base = b.one(["s", "[1, 2, 3]", "(0..<n)", "\"aé\""])
    b.lines(f"var steps = {base}.makeIterator()", "_ = steps.next()", "var copy = steps")
    b.log('"\\(steps.next().map { "\\($0)" } ?? "nil") \\(copy.next().map { "\\($0)" } ?? "nil")"')
    b.line('while let next = copy.next() { log.append("\\(next)") }')
    b.log('"\\(steps.next() == nil) \\(copy.next() == nil)"')
    b.line(b.one(["let made = sequence(first: n) { $0 > 0 ? $0 / 2 : nil }", "let made = sequence(first: 1) { $0 < 50 ? $0 * 3 : nil }"]))
    for end in b.some(["Array(made)", "made.prefix(while: { $0 > 1 })", "made.reduce(0, +)", "made.map { $0 + 1 }",
            "made.first { $0 % 2 == 0 } ?? -1", "made.contains(1)"], 1, 3):
        b.log(f'"\\({end})"')
