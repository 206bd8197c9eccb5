"""Texts: Unicode, searching, cutting, indices, characters and bytes."""

from constructs.registry import construct
from writing.builder import quoted
from writing.templates import TEXTS, Values, logged


def texts(b):
    values = Values(b)
    b.lines(f"let t = {quoted(b.one(TEXTS))}", f"var u = {quoted(b.one(TEXTS))}")
    values.names["T"] = ["s", "t", "u"]
    return values


@construct("text-unicode")
def unicode(b):
    logged(b, texts(b), [
        "({T}).count", "({T}).utf8.count", "({T}).utf16.count", "({T}).unicodeScalars.count", "=({T}).uppercased()", "=({T}).lowercased()",
        "=({T}).capitalized", "{T} == {T}", "{T} < {T}", '"é" == "e\\u{301}"', '("e\\u{301}").count', "=String(({T}).reversed())",
        "Array({T})", "Array({T}).map { String($0) }", "=({T}).padding(toLength: {P}, withPad: {T} + \".\", startingAt: 0)",
        "({T}).hasPrefix({T})", "({T}).hasSuffix({T})", "=({T}).folding(options: .diacriticInsensitive, locale: nil)",
        "=({T}).precomposedStringWithCanonicalMapping", "({T}).decomposedStringWithCanonicalMapping.unicodeScalars.count",
        "({T}).unicodeScalars.map { $0.value }", "({T}).contains(\"é\")", "[{T}, {T}, {T}].sorted()",
        "Set([{T}, {T}, \"é\", \"e\\u{301}\"]).count",
        "({T}).compare({T}) == .orderedSame", "({T}).caseInsensitiveCompare({T}) == .orderedAscending",
        "({T}).localizedCaseInsensitiveContains(\"a\")", "({T}).isEmpty", "({T}).first.map { String($0) } ?? \"\"",
        "=String(repeating: {T}, count: {S})", "max({T}, {T})", "[\"ß\": 1, \"ss\": 2][\"ß\"] ?? 0", "({T}).debugDescription",
        "=({T}).description", "({T}).elementsEqual({T})", '"Σ".lowercased() + "ΑΣ".lowercased() + "ΑΣ Σ".lowercased()', "{T} + {T} == {T}",
        "({T}).first == ({T}).last", "({T}).commonPrefix(with: {T})", "[{T}]",
        ";u.append({T})", ";u += {T}", ";u = u + \"\\u{301}\"", "u.count", ";u.append({C} as Character)",
    ], 1, 3)
    b.log("u")


@construct("text-search")
def search(b):
    logged(b, texts(b), [
        "=({T}).replacingOccurrences(of: {C}, with: {T})", "=({T}).replacingOccurrences(of: {T}, with: \"_\")",
        '=({T} + "cafe\\u{301}").replacingOccurrences(of: "é", with: "E")', '=({T} + "é").replacingOccurrences(of: "e\\u{301}", with: "E")',
        "=({T}).replacingOccurrences(of: \"A\", with: \"z\", options: .caseInsensitive)",
        "=({T}).replacingOccurrences(of: \"[0-9]+\", with: \"#\", options: .regularExpression)",
        "({T}).range(of: {C}) != nil", "({T}).range(of: {T}).map { _ in ({T}).count + 1 } ?? -1",
        "=t.range(of: {C}).map { String(t[$0.upperBound...]) } ?? \"none\"",
        "=t.range(of: {C}).map { String(t[..<$0.lowerBound]) } ?? \"none\"", "({T}).contains({T})", "({T}).contains({C} as Character)",
        "({T}).contains(where: { $0.isNumber })", "({T}).firstIndex(of: {C} as Character) == nil", "({T}).allSatisfy { $0.isLetter }",
        "=({T}).filter { $0 != {C} }", "=({T}).trimmingCharacters(in: .whitespaces)",
        "=({T}).trimmingCharacters(in: .whitespacesAndNewlines)", "=({T}).trimmingCharacters(in: CharacterSet(charactersIn: {T}))",
        "=({T}).trimmingCharacters(in: .punctuationCharacters)", "({T}).range(of: {C}, options: .backwards) != nil",
        "({T}).range(of: \"B\", options: .caseInsensitive) != nil", "({T}).hasPrefix({C})", "({T}).starts(with: {T})",
        "({T}).lowercased().contains({C})",
        "=({T}).components(separatedBy: CharacterSet.decimalDigits).joined()",
        "=({T}).addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? \"nil\"", "=({T}).removingPercentEncoding ?? \"nil\"",
        "=\"a%20b%C3%A9\".removingPercentEncoding ?? \"nil\"", "=t.map { $0 == {C} ? \"*\" : String($0) }.joined()",
        "=({T}).replacingOccurrences(of: \"\", with: \"-\")", ";u = u.replacingOccurrences(of: {C}, with: {T})",
        ";u.removeAll { $0 == {C} }", ";if let r = u.range(of: {C}) { u.removeSubrange(r) }",
        ";if let r = u.range(of: {C}) { u.replaceSubrange(r, with: {T}) }",
    ], 1, 3)
    b.log("u")


@construct("text-split")
def split(b):
    logged(b, texts(b), [
        "({T}).split(separator: {C} as Character)", "({T}).split(separator: \",\", maxSplits: 1)",
        "({T}).split(separator: \",\", omittingEmptySubsequences: false).count", "({T}).components(separatedBy: {C})",
        "({T}).components(separatedBy: {T})", "({T}).split(whereSeparator: { $0.isWhitespace })",
        "({T}).split { $0 == {C} }.map(String.init)", "({T}).components(separatedBy: .whitespaces)",
        "({T}).components(separatedBy: CharacterSet(charactersIn: \",; \"))", "=({T}).prefix({S}) + \"|\"", "=String(({T}).suffix({S}))",
        "=String(({T}).dropFirst({S}))", "=String(({T}).dropLast({S}))", "=String(({T}).prefix(while: { $0 != {C} }))",
        "=String(({T}).drop(while: { $0.isLetter }))", "({T}).split(whereSeparator: { $0 == \" \" }).count",
        "({T}).split(separator: {C} as Character).first.map(String.init) ?? \"none\"",
        "=({T}).split(separator: \" \" as Character).map { $0.capitalized }.joined(separator: \"_\")",
        "({T}).enumerated().map { \"\\($0.offset)\\($0.element)\" }", "=({W}).joined(separator: {C})",
        "=({T}).map { String($0) }.joined(separator: \"-\")",
        "zip({T}, {T}).filter { $0 == $1 }.count",
        "({T}).reduce(into: [:]) { (d: inout [Character: Int], c) in d[c, default: 0] += 1 }.values.sorted()",
        "({T}).components(separatedBy: \"\\n\").count", "({T}).split(separator: \"\\n\").count", "({T}).split(separator: {T})",
        "({T}).components(separatedBy: .newlines)", "({T}).compactMap { $0.wholeNumberValue }",
        "=({T}).flatMap { [$0, $0] }.map { String($0) }.joined()", "({T}).indices.count", "=({T}).sorted().map { String($0) }.joined()",
        "Array(({T}).utf8.prefix(3))", ";u = String(u.dropFirst())", ";if !u.isEmpty { u.removeLast() }",
        ";u.insert(contentsOf: {T}, at: u.startIndex)", ";u = u.split(separator: \" \").joined(separator: \"+\")",
    ], 1, 3)
    b.log("u")


@construct("text-index")
def indices(b):
    values = texts(b)
    b.lines("u += \"xyzw\"", "let v = u", "let two = v.index(v.startIndex, offsetBy: 2)")
    logged(b, values, [
        "v[v.startIndex]", "v[two]", "=String(v[two...])", "=String(v[..<two])", "=String(v[v.startIndex...two])",
        "v.distance(from: v.startIndex, to: two)", "v[v.index(before: v.endIndex)]",
        "v.firstIndex(of: {C}).map { v.distance(from: v.startIndex, to: $0) } ?? -1",
        "v.index(v.startIndex, offsetBy: {I}, limitedBy: v.endIndex) == nil", "=v.lastIndex(of: \"x\").map { String(v[$0...]) } ?? \"\"",
        "=v.firstIndex { $0 == \"y\" }.map { String(v[..<$0]) } ?? \"\"",
        "two < v.endIndex", "v.index(after: two) > two", "=String(v[v.index(two, offsetBy: -1)..<v.endIndex])", "v.suffix(from: two).count",
        "v.prefix(upTo: two).count", "v.prefix(through: two).count", ";u.insert(\"!\", at: u.startIndex)",
        ";if !u.isEmpty { u.remove(at: u.startIndex) }", ";u.insert(\"?\", at: u.endIndex)",
        ";if u.count > 2 { u.removeSubrange(u.startIndex..<u.index(u.startIndex, offsetBy: 2)) }",
        ";if u.count > 2 { u.replaceSubrange(u.index(u.endIndex, offsetBy: -2)..., with: {T}) }",
        ";if u.count > 1 { u.removeFirst(); u.removeLast() }",
        ";let sub = v[two...]\nlog.append(\"\\(sub.count) \\(sub[sub.startIndex]) \\(sub.first!)\")",
        ";var part = v.dropFirst()\npart.removeFirst()\nlog.append(String(part) + v)",
        ";var at = v.startIndex\n"
        "while at < v.endIndex { log.append(String(v[at])); at = v.index(at, offsetBy: 2, limitedBy: v.endIndex) ?? v.endIndex }",
        ";for i in v.indices where v[i] == \"z\" { log.append(\"\\(v.distance(from: i, to: v.endIndex))\") }",
        "=(v as NSString).substring(with: NSRange(location: 0, length: 1))", "(v as NSString).length",
        "=String(v.unicodeScalars.prefix(2))", "=String(Array(v)[1])", "v.endIndex == v.index(v.startIndex, offsetBy: v.count)",
        "v.utf16.count - v.count",
    ], 1, 3)
    b.log("u + v")


@construct("character")
def characters(b):
    values = texts(b)
    b.lines(f"let c: Character = {values.fill('{C}')}", "let all = Array(t + \"aZ9 \")")
    logged(b, values, [
        "c", "c.isLetter", "c.isNumber", "c.isWhitespace", "c.isUppercase", "c.isLowercase", "c.isPunctuation", "c.isNewline", "c.isSymbol",
        "=c.uppercased()", "=c.lowercased()", "c.wholeNumberValue ?? -1", "c.hexDigitValue ?? -1", "c.asciiValue ?? 0", "c.isASCII",
        "c.utf8.count", "c.unicodeScalars.first!.value", "c == {C}", "c < {C}", "all.filter { $0.isLetter }.count",
        "all.map { $0.isNumber }", "=String(all.filter { !$0.isWhitespace })", "all.contains(c)",
        "all.firstIndex(of: c) ?? -1", "=String(c) + String(all)", "=String(repeating: c, count: {S})", "Set(all).count",
        "all.sorted().first!", "all.max()!", "=all.map(String.init).joined()", "[c: 1][{C}] ?? 0",
        "Dictionary(grouping: all, by: { $0.isLetter }).mapValues { $0.count }[true] ?? 0",
        ";switch c { case \"a\"...\"z\": log.append(\"lower\"); case \"é\", \"ß\": log.append(\"accent\"); default: log.append(\"other\") }", "[\"a\", {C}] as [Character]", "=\"\\(c)\" + \"\\u{301}\"", "(\"\\(c)\" + \"\\u{301}\").count", "c.isCased", "c.isHexDigit", "c.isMathSymbol", "c.isCurrencySymbol", "(c, 1)", "String(c).unicodeScalars.map { $0.isASCII }", "c.description", "Character({C}) == c",
    ], 1, 3)


@construct("bytes")
def data(b):
    logged(b, texts(b), [
        "Array(({T}).utf8)", "=String(decoding: [72, 105, {H}] as [UInt8], as: UTF8.self)",
        "=String(decoding: Data([0x41, {H}, 0x42]), as: UTF8.self)", "=String(bytes: [65, {H}], encoding: .utf8) ?? \"nil\"",
        "=String(data: Data([{H}, 66]), encoding: .utf8) ?? \"nil\"", "=({T}).data(using: .utf8)!.base64EncodedString()",
        "=Data(({T}).utf8).map { String(format: \"%02x\", $0) }.joined()", "Data(base64Encoded: \"aGk=\").map { [UInt8]($0) } ?? []",
        "Data(base64Encoded: {T})?.count ?? -1", "({T}).data(using: .ascii)?.count ?? -1",
        "=String(data: Data(({T}).utf8), encoding: .utf8)!", "Data([1, 2, {H}]).count", "Data([1, 2, {H}]) == Data([1, 2, 3])",
        "[UInt8](({T}).utf8.prefix(2))", "({T}).utf8.reduce(0) { $0 &* 31 &+ Int($1) }", "({T}).utf16.map { $0 }", "({T}).utf8.first ?? 0",
        "=String(decoding: ({T}).utf8.dropFirst(), as: UTF8.self)", "=String(decoding: [0xC3, 0x28, 0xE2, 0x82] as [UInt8], as: UTF8.self)",
        "Data(({T}).utf8).first ?? 0", "({T}).unicodeScalars.filter { $0.isASCII }.count", "({T}).utf8.contains(32)",
        ";var d = Data([1, 2, 3])\nlet old = d\nd.append({H})\nd[0] = 9\nlog.append(\"\\([UInt8](d)) \\([UInt8](old))\")",
        ";let part = Data([5, 6, 7, 8])[1...2]\nlog.append(\"\\(part.startIndex) \\(part[1]) \\(part.count)\")",
        ";let all = Data([5, 6, 7])\nlog.append(\"\\(all.reduce(0) { $0 + Int($1) }) \\([UInt8](all.subdata(in: 1..<3)))\")",
        "[UInt8](Data(repeating: {H}, count: 2))", "({T}).utf8.map { String($0, radix: 16) }", "({T}).cString(using: .utf8)!.count",
        "=String(cString: [72, 105, 0] as [CChar])", "({T}).lengthOfBytes(using: .utf8)",
    ], 1, 3)
