"""Arrays, slices, dictionaries, sets and sequences."""

from constructs.registry import construct
from values.named import record
from values.types import Array, Int, Text, scalar, tuple_type
from writing.templates import Values, logged


def lists(b):
    values = Values(b)
    b.lines(f"let a = {values.fill('{A}')} + [n]", f"var c = {values.fill('{A}')} + [1, 2]", f"let w = {values.fill('{W}')} + [s]")
    values.names["A"], values.names["W"] = ["a", "c"], ["w"]
    return values


@construct("array-methods")
def methods(b):
    logged(b, lists(b), [
        "({A}).map { $0 * 2 }", "({A}).filter {F}", "({A}).reduce(0, +)", "({A}).reduce(into: [Int]()) { $0.insert($1, at: 0) }",
        "({A}).sorted()", "({A}).sorted(by: >)", "({A}).reversed().map { $0 }", "({A}).first ?? 0", "({A}).last ?? 0", "({A}).min() ?? 0",
        "({A}).max() ?? 0", "({A}).contains({I})", "({A}).contains(where: {F})", "({A}).first(where: {F}) ?? -1",
        "({A}).last(where: {F}) ?? -1", "({A}).firstIndex(of: {I}) ?? -1",
        "({A}).lastIndex(where: {F}) ?? -1", "({A}).allSatisfy {F}", "({A}).prefix({S})", "({A}).suffix({S})", "({A}).dropFirst({S})",
        "({A}).dropLast()", "({A}).prefix(while: {F})", "({A}).drop(while: {F})", "({A}).compactMap { $0 > 2 ? $0 : nil }",
        "({A}).flatMap { [$0, -$0] }", "[{A}, {A}].joined().map { $0 }", "[{A}, {A}].flatMap { $0 }", "=({W}).joined(separator: \", \")",
        "({W}).map(\\.count)", "({W}).sorted()", "({W}).sorted { ($0.count, $0) < ($1.count, $1) }",
        "({A}).enumerated().map { $0.offset * $0.element }", "({A}).split(separator: 1).map { Array($0) }", "({A}).split { $0 < 0 }.count",
        "({A}).indices.map { $0 }", "({A}).indices.contains({I})", "({A}) == {A}", "({A}).elementsEqual({A})", "({A}).starts(with: [1])",
        "({A}).isEmpty", "({A}).count", "Array(repeating: {P}, count: {S})", "({A}) + {A}", "({A}).min(by: { abs($0) < abs($1) }) ?? 0",
        "({A}).lexicographicallyPrecedes({A})", "Array(({A}).reversed()[0...])", "({A}).first.map { $0 + 1 }",
        "({A}).dropFirst().first ?? 0", "({A}).dropFirst().reduce(0, -)", "({A}).suffix(2).map { $0 * 3 }",
        "({A}).prefix(2) == ({A}).prefix(2)", "(({A}).lazy.map { $0 + 1 }.first ?? -1)", "Array(({A}).lazy.filter {F})",
        "({A}).forEach { _ in }", ";({A}).forEach { log.append(\"\\($0)\") }", "({A}).shuffled().count",
        "({A}).max { $0 % 5 < $1 % 5 } ?? 0", "[[1, 2], {A}].map { $0.reduce(0, +) }", "({A}).firstIndex { $0 > {I} } ?? -1",
        "({A}).map(String.init)", "({A}).description", "({A}).randomElement() != nil", "[Int?](arrayLiteral: 1, nil).compactMap { $0 }",
        "[1, nil, {I}].compactMap { $0 }", "[1, nil, {I}]", "[{W}, [\"z\"]]",
    ], 2, 4)


@construct("array-mutation")
def mutation(b):
    values = lists(b)
    b.lines("let old = c", "var v = 3")
    logged(b, values, [
        ";c.append({I})", ";c.insert({I}, at: 1)", ";c.remove(at: 0)", ";c.removeFirst()", ";c.removeLast()", ";c.swapAt(0, 1)",
        ";c.reverse()", ";c.sort()", ";c.sort(by: >)", ";c.removeAll(where: {F})\nc += [3, 4, 5]", ";c += {A}",
        ";c.append(contentsOf: {A})", ";c[0] += {I}", ";c[c.count - 1] = {I}", ";c.replaceSubrange(0..<1, with: {A})", ";c[0..<1] = [7, 8]",
        ";c.insert(contentsOf: {A}, at: 0)", ";c.removeSubrange(0..<1)\nc += [6]", ";c = c.map { $0 + 1 }",
        ";let x = c.popLast()\nlog.append(\"\\(x ?? -1)\")\nc += [1, 2]",
        ";let x = c.remove(at: c.count - 1)\nlog.append(\"\\(x)\")\nc += [1]", ";var d = c\nd[0] = 100\nlog.append(\"\\(c == d)\")",
        ";for i in c.indices { c[i] *= 2 }", ";for x in c where x > 2 { c.append(x) }", ";for (i, x) in c.enumerated() { c[i] = x - i }",
        ";c.removeFirst(1)\nc += [2]", ";c.removeLast(1)\nc += [2]", ";c = Array(c.prefix(3)) + [1]", ";c.reserveCapacity(10)",
        ";var m = [[1], [2, 3]]\nm[0].append({I})\nm[1][0] -= 1\nlet q = m\nm[0] = m[1]\nlog.append(\"\\(m) \\(q)\")", ";swap(&c[0], &v)",
        ";let at = c.partition { $0 > 3 }\nlog.append(\"\\(at)\")\nc.sort()", ";c.shuffle()\nc.sort()", ";c = [] + c", ";c = c.reversed()",
        ";c.append(c.removeFirst())",
    ], 2, 4)
    b.log('"\\(c) \\(old) \\(v)"')


@construct("slice")
def slices(b):
    """Slices have their array's indices, and are copies of it."""
    b.lines(f"let all = [10, 20, 30, 40, 50, n]", b.one(["let part = all[1...3]", "let part = all[2..<5]", "let part = all.dropFirst(2)",
        "let part = all.dropLast()", "let part = all[2...]", "let part = all[..<3]", "let part = all.suffix(3)", "let part = all.prefix(4)",
        "let part = all.drop { $0 < 25 }", "let part = all.prefix { $0 < 45 }"]), "let i = part.startIndex")
    lines = ['log.append("\\(part)")', 'log.append("\\(part.startIndex) \\(part.endIndex) \\(part.count)")',
        'log.append("\\(part[i]) \\(part[i + 1])")', 'log.append("\\(part.indices)")',
        'for k in part.indices { log.append("\\(k):\\(part[k])") }',
        'log.append("\\(part.firstIndex(of: 30) ?? -1) \\(part.lastIndex(of: 20) ?? -1)")',
        'log.append("\\(part.firstIndex { $0 > 25 } ?? -1)")',
        "var total = 0; for k in 0..<6 where part.indices.contains(k) { total += part[k] }; log.append(\"\\(total)\")",
        'log.append("\\(part.map { $0 / 10 }) \\(part.reduce(0, +))")', 'log.append("\\(Array(part)[0])")',
        'for (k, x) in part.enumerated() { log.append("\\(k)\\(x)") }', 'log.append("\\(zip(part.indices, part).map { $0 * $1 })")',
        "var own = part; own[i] = 99; log.append(\"\\(own) \\(part) \\(all[i])\")",
        "var own2 = part; own2.append(7); own2.removeFirst(); log.append(\"\\(own2.startIndex) \\(own2)\")",
        "var base = all; base[1...2] = [0]; log.append(\"\\(base)\")",
        "var base2 = all; base2[0..<2].reverse(); base2[1...3].sort(by: >); log.append(\"\\(base2)\")",
        'log.append("\\(part.first ?? 0) \\(part.last ?? 0) \\(part.min() ?? 0) \\(part.sorted(by: >))")',
        'log.append("\\(part.reversed().first ?? 0)")',
        "let inner = part.dropFirst(); log.append(\"\\(inner.startIndex) \\(inner[inner.startIndex])\")",
        "let list: [Int] = Array(part); log.append(\"\\(list == part.map { $0 }) \\(list.startIndex)\")",
        "func sum(_ x: ArraySlice<Int>) -> Int { x.isEmpty ? 0 : x[x.startIndex] + sum(x.dropFirst()) }; log.append(\"\\(sum(part))\")",
        'log.append("\\(part + [1]) \\([1] + part)")', 'log.append("\\(part == all[part.indices])")',
        "var walk = all[...]; while let x = walk.popFirst() { if x == 30 { break } }; log.append(\"\\(walk.startIndex) \\(walk)\")",
        "var d = [\"k\": part]; d[\"k\"]![i] += 5; log.append(\"\\(d[\"k\"]!) \\(part)\")",
        "let at = part.index(after: i); log.append(\"\\(part[at]) \\(part.distance(from: i, to: part.endIndex)) \\(part[part.index(i, offsetBy: 1)])\")", "log.append(\"\\(part.split(separator: 30).map { $0.startIndex })\")", "for x in stride(from: part.endIndex - 1, through: part.startIndex, by: -1) { log.append(\"\\(part[x])\") }"]
    b.lines(*b.some(lines, 2, 4))


@construct("dictionary-methods")
def dictionaries(b):
    values = Values(b)
    b.lines(f"var d: [String: Int] = {values.fill('{M}')}", f"let e = {values.fill('{M}')}", "d[s] = n", "let old = d")
    values.names["M"] = ["d", "e"]
    show = "sorted { $0.key < $1.key }.map { \"\\($0.key)=\\($0.value)\" }"
    logged(b, values, [
        "({M}).count", "({M}).keys.sorted()", "({M}).values.sorted()", f"({{M}}).mapValues {{ $0 * 2 }}.{show}",
        f"({{M}}).filter {{ $0.value > 2 }}.{show}", f"({{M}}).filter {{ key, value in key < \"b\" || value > {{P}} }}.{show}",
        f"({{M}}).merging({{M}}) {{ $0 + $1 }}.{show}", f"({{M}}).merging({{M}}, uniquingKeysWith: {{ _, new in new }}).{show}",
        "({M})[\"a\"] ?? -1", "({M})[\"zz\", default: {I}]", "({M}).compactMapValues { $0 > 3 ? $0 : nil }.keys.sorted()",
        "({M}).contains { $0.value == {P} }", "({M}).reduce(0) { $0 + $1.value }",
        "({M}).sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { $0.key }", "({M}).map { $0.key + \"\\($0.value)\" }.sorted()",
        "({M}).max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? \"\"",
        f"Dictionary(grouping: {{A}}, by: {{ $0 % 3 }}).sorted {{ $0.key < $1.key }}.map {{ $0.value }}",
        f"Dictionary(uniqueKeysWithValues: zip([\"x\", \"y\"], {{A}} + [1, 2])).{show}",
        f"Dictionary({{W}}.map {{ ($0, $0.count) }}, uniquingKeysWith: +).{show}",
        f"Dictionary(uniqueKeysWithValues: [1, 2].map {{ (\"k\\($0)\", $0) }}).{show}", "({M}) == {M}", "({M}).isEmpty",
        "({M}).first(where: { $0.key == \"a\" })?.value ?? -1", "({M}).allSatisfy { $0.value >= 0 }", "({M}).keys.contains(\"a\")",
        "({M}).min { $0.key < $1.key }?.key ?? \"\"",
        "({M}).reduce(into: [Int: [String]]()) { $0[$1.value, default: []].append($1.key) }.mapValues { $0.sorted() }.sorted { $0.key < $1.key }.map { $0.value }",
        ";d[\"a\"] = nil", ";d[\"b\", default: 5] += {P}", ";d[\"c\"]? *= 3", ";d.removeValue(forKey: \"a\")", ";d.merge({M}) { $0 - $1 }",
        ";log.append(\"\\(d.updateValue({I}, forKey: \"a\") ?? -1)\")", ";for (k, v) in d where v > 1 { d[k] = v - 1 }",
        ";for k in d.keys { d[k]! += 1 }", ";d = d.mapValues { -$0 }", ";d = d.filter { $0.key != \"a\" }",
        ";log.append(\"\\(d.removeValue(forKey: \"b\") ?? -2)\")", ";if let i = d.index(forKey: \"a\") { d.remove(at: i) }",
        ";d.removeAll()", ";if d[\"a\"] == nil { d[\"a\"] = 1 } else { d[\"a\"]! += 10 }",
        ";var m: [Int: [String]] = [:]\nfor (k, v) in d { m[v, default: []].append(k) }\n"
        "log.append(\"\\(m.mapValues { $0.count }.values.sorted())\")", ";d.merge([(\"q\", 1), (\"q\", 2)], uniquingKeysWith: max)",
    ], 2, 4)
    b.log(f'"\\(d.{show}) \\(old.{show})"')


@construct("set-methods")
def sets(b):
    values = Values(b)
    b.lines(f"var x: Set<Int> = {values.fill('{E}')}", f"let y = {values.fill('{E}')}", "let old = x")
    values.names["E"] = ["x", "y"]
    logged(b, values, [
        "({E}).union({E}).sorted()", "({E}).intersection({E}).sorted()", "({E}).subtracting({E}).sorted()",
        "({E}).symmetricDifference({E}).sorted()", "({E}).contains({I})", "({E}).isSubset(of: {E})", "({E}).isSuperset(of: {E})",
        "({E}).isDisjoint(with: {E})", "({E}).count", "({E}) == {E}", "({E}).map { $0 * 2 }.sorted()", "({E}).filter {F}.sorted()",
        "({E}).min() ?? -1", "({E}).max() ?? -1", "({E}).reduce(0, +)", "Set({A}).count", "Set({W}).sorted()", "({E}).union({A}).count",
        "({E}).isEmpty", "({E}).sorted(by: >).map { String($0) }", "({E}).first(where: { $0 == 3 }) ?? -1", "({E}).contains(where: {F})",
        "({E}).allSatisfy {F}",
        "[{E}, {E}].reduce(Set<Int>()) { $0.union($1) }.sorted()", "Set([{E}, {E}]).count", "({E}).isStrictSubset(of: {E})",
        "({E}).subtracting({A}).sorted()", ";log.append(\"\\(x.insert({S}).inserted)\")", ";x.remove({S})", ";x.formUnion({E})",
        ";x.subtract({E})", ";x.formIntersection({E})", ";x.formSymmetricDifference({E})", ";log.append(\"\\(x.remove({S}) ?? -1)\")",
        ";for v in x where v > 2 { x.remove(v) }", ";x = x.filter { $0 != 1 }",
        ";var z = x\nz.insert(100)\nlog.append(\"\\(x.count) \\(z.count)\")", ";x.removeAll()", ";if x.isEmpty { x = [{S}, 2] }",
        ";if let m = x.min() { x.remove(m) }", "Array(x.sorted().prefix(2))",
        "Dictionary(grouping: x, by: { $0 % 2 }).mapValues { $0.count }.sorted { $0.key < $1.key }.map { $0.value }",
    ], 2, 4)
    b.log('"\\(x.sorted()) \\(old.sorted())"')


@construct("sequence")
def sequences(b):
    logged(b, lists(b), [
        "zip({A}, {W}).map { \"\\($0)\\($1)\" }", "zip(1..., {W}).map { \"\\($0)\" + $1 }", "zip(1...3, {A}).map { $0 * $1 }",
        "Array(zip({A}, {A})).count", "stride(from: 0, to: 10, by: {P}).map { $0 }", "stride(from: 10, through: 0, by: -{P}).map { $0 }",
        "Array(stride(from: 0.0, through: 1.0, by: 0.25))", "(1...{P}).map { $0 * $0 }", "(0..<{P}).reversed().map { $0 }",
        "(1...{P}).filter {F}", "(1...{P}).reduce(0, +)", "(0..<{P}).contains({I})", "(1...{P}).contains({I})", "({S}...9).count",
        "Array({S}..<6)", "(0..<{P}).forEach { _ in }", "({A}).enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }",
        "({W}).enumerated().reversed().map { \"\\($0.offset)\\($0.element)\" }",
        "({A}).enumerated().max { $0.element < $1.element }?.offset ?? -1", "sequence(first: 1) { $0 < 50 ? $0 * 3 : nil }.map { $0 }",
        "Array(sequence(first: {P}, next: { $0 > 1 ? $0 / 2 : nil }))", "({A}).lazy.filter {F}.map { $0 + 1 }.count",
        "(1...).prefix(3).map { $0 }", "(1...3).flatMap { x in (1...x).map { $0 * x } }", "Array(repeating: {A}, count: 2).joined().count",
        "({A}).reduce((0, 0)) { ($0.0 + $1, max($0.1, $1)) }", "({A}).reduce(into: (sum: 0, n: 0)) { $0.sum += $1; $0.n += 1 }",
        "({A}).reduce([]) { $0 + [$1 * 2] }",
        "({A}).reduce(into: [:]) { (d: inout [Int: Int], x) in d[x % 3, default: 0] += x }.sorted { $0.key < $1.key }.map { $0.value }",
        "(\"a\"...\"e\").contains(\"c\")", "(0.5..<1.5).contains({D})", "(1...9).clamped(to: 3...20)",
        "(1..<4).lowerBound + (1..<4).upperBound", "(3...5).overlaps(5..<7)", "Range(1...3)", "(1...3) == (1...3)",
        "[1...2, 4...5].flatMap { $0 }", "({A}).min() == ({A}).sorted().first",
        ";var it = ({A}).makeIterator()\nwhile let x = it.next() { log.append(\"\\(x)\") }",
        ";for (x, y) in zip({A}, {A}) where x < y { log.append(\"\\(x)<\\(y)\") }",
        ";for i in stride(from: 9, to: 0, by: -{P}) { log.append(\"\\(i)\") }",
        ";for (i, x) in ({W}).enumerated().dropFirst() { log.append(\"\\(i)\" + x) }",
        ";for x in ({A}).reversed() { log.append(\"\\(x)\") }", "({A}).first { $0 > {I} }.map { $0 * 2 } ?? 0",
        "({W}).lazy.map { $0.count }.contains(3)", "zip({A}, ({A}).dropFirst()).map { $1 - $0 }",
        "({A}).sorted().prefix(2).reversed().map { $0 }", "(0..<3).map { i in (0..<2).map { i * 2 + $0 } }",
    ], 2, 4)


@construct("sorting")
def sorting(b):
    """Orders by several keys, which keep equal elements as they were."""
    shape = b.one(["tuple", "record", "text"])
    if shape == "record":
        b.declare("struct Row§ {\n    var k: Int\n    var t: String\n}")
        make, k, t = (lambda: f'Row§(k: {b.number(0, 3)}, t: {b.one(["s", chr(34) + b.one(["b", "a", "é", "B", "z"]) + chr(34)])})'), "k", "t"
    else:
        make, k, t = (lambda: f'(k: {b.number(0, 3)}, t: "{b.one(["b", "a", "é", "B", "z"])}")'), "k", "t"
    b.line(f"var rows = [{', '.join(make() for _ in range(5))}]")
    b.line("let before = rows")
    show = '.map { "\\($0.k)\\($0.t)" }.joined(separator: " ")'
    lines = [f"log.append(rows.sorted {{ $0.{k} < $1.{k} }}{show})",
        f"log.append(rows.sorted {{ $0.{k} == $1.{k} ? $0.{t} < $1.{t} : $0.{k} > $1.{k} }}{show})",
        f"log.append(rows.sorted {{ ($0.{t}, $0.{k}) < ($1.{t}, $1.{k}) }}{show})", f"rows.sort {{ $0.{t} > $1.{t} }}",
        f"rows.sort(by: {{ a, b in a.{k} < b.{k} }})",
        f"log.append(rows.sorted {{ a, b in if a.{k} != b.{k} {{ return a.{k} < b.{k} }}; return a.{t}.count < b.{t}.count }}{show})",
        f"log.append(\"\\(rows.min {{ $0.{k} < $1.{k} }}!.t) \\(rows.max {{ $0.{k} < $1.{k} }}!.t)\")",
        f"log.append(\"\\(rows.map {{ $0.{t} }}.sorted()) \\(rows.map(\\.k).sorted(by: >))\")",
        f"rows[0].{k} += n; rows.sort {{ $0.{k} < $1.{k} }}", "rows.reverse()",
        f"log.append(\"\\(rows.map {{ $0.{t}.lowercased() }}.sorted(by: <))\")",
        f"log.append(Dictionary(grouping: rows) {{ $0.{k} }}.sorted {{ $0.key < $1.key }}.map {{ \"\\($0.key):\" + $0.value.map {{ $0.t }}.joined() }}.joined(separator: \" \"))", f"log.append(\"\\([\"b\", \"A\", \"é\", \"e\", \"Z\", s, \"z\"].sorted())\")", "log.append(\"\\([2.5, -1, 0.0, Double(n)].sorted())\")"]
    b.lines(*b.some(lines, 3, 5))
    b.log(f"rows{show} + before{show}")
