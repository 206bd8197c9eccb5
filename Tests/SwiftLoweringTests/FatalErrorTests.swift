import Foundation
import Testing

/// A fault that stops the compiler's program stops a migration, at its line and with the same words.
struct FatalErrorTests {
    /// Each stops in its last statement.
    ///
    /// A value behind ‘of’ is one that the compiler does not see.
    private static let faults = [
        "print(of(Int.max) + 1)", "print(-of(Int.min))", "print(of(UInt8(0)) - 1)", "print(of(Int8(100)) * 2)",
        "var n = of(Int.max); n += 1",
        "print(of(5) / of(0))", "print(of(5) % of(0))", "print(of(Int.min) / of(-1))", "print(of(Int.min) % of(-1))",
        "print(UInt8(of(300)))", "print(UInt8(of(-1)))", "print(UInt(of(-1)))", "print(Int8(of(-129)))",
        "print(Int(of(Double.infinity)))", "print(Int(of(1e30)))", "print(Int(of(-1e30)))", "print(UInt8(of(-1.0)))",
        "print(Int(of(Float.infinity)))", "print(Int32(of(1e10)))",
        "let none = of(Int?.none); print(none!)", "var none = of([Int]?.none); none!.append(1)",
        "let any: Any = of(5); print(any as! String)",
        "print(of([1])[of(3)])", "print(of([1])[of(-1)])", "var items = of([1]); items[of(1)] = 2",
        "print(of([1, 2, 3])[of(2)..<of(5)])", "print(of([1, 2, 3])[of(4)...])", "print(of([1, 2, 3])[...of(3)])",
        "print(of([1, 2, 3])[of(-1)...])",
        "print(of([1, 2, 3]).dropFirst()[of(0)])", "print(of([1, 2, 3]).dropFirst()[of(3)])",
        "print(of([1, 2, 3]).prefix(of(-1)))", "print(of([1, 2, 3]).suffix(of(-1)))",
        "print(of([1, 2, 3]).dropFirst(of(-1)))", "print(of([1, 2, 3]).dropLast(of(-1)))",
        "print(of(\"abc\").prefix(of(-1)))", "print(of(\"abc\").suffix(of(-1)))",
        "print(of(\"abc\").dropFirst(of(-1)))", "print(of(\"abc\").dropLast(of(-1)))",
        "print(of([1: 2]).prefix(of(-1)))", "print(of(1..<4).dropFirst(of(-1)))",
        "print(of([1, 2]).enumerated().dropFirst(of(-1)).first!)", "print(of([1, 2]).lazy.prefix(of(-1)).count)",
        "print(of([1, 2, 3]).prefix(upTo: of(4)))", "print(of([1, 2, 3]).prefix(through: of(3)))",
        "print(of([1, 2, 3]).suffix(from: of(4)))",
        "var items = of([Int]()); items.removeLast()", "var items = of([Int]()); items.removeFirst()",
        "var items = of([1]); items.removeFirst(of(2))", "var items = of([1]); items.removeLast(of(2))",
        "var items = of([1]); items.removeFirst(of(-1))", "var items = of([1]); items.removeLast(of(-1))",
        "var items = of([1]); items.remove(at: of(1))", "var items = of([1]); items.remove(at: of(-1))",
        "var items = of([1]); items.insert(2, at: of(2))", "var items = of([1]); items.insert(2, at: of(-1))",
        "var items = of([1]); items.insert(contentsOf: [2], at: of(2))",
        "var items = of([1]); items.removeSubrange(of(0)..<of(2))",
        "var items = of([1]); items.replaceSubrange(of(0)..<of(2), with: [])",
        "var items = of([1]); items.replaceSubrange(of(-1)..<of(0), with: [])",
        "var items = of([1]); items[of(0)..<of(2)] = [1]", "var items = of([1]); items.swapAt(of(0), of(1))",
        "var part = of([1]).prefix(0); part.removeFirst()", "var part = of([1]).prefix(0); part.removeLast()",
        "var part = of([1]).prefix(1); part.removeFirst(of(2))",
        "print(Array(repeating: 1, count: of(-1)))", "print(String(repeating: \"a\", count: of(-1)))",
        "for n in stride(from: 0, to: 5, by: of(0)) { print(n) }",
        "for n in stride(from: 0.0, through: 5, by: of(0.0)) { print(n) }",
        "print(of(5)..<of(1))", "print(of(5)...of(1))", "print(of(2.5)...of(1.0))", "print(of(\"b\")..<of(\"a\"))",
        "print([\"a\": 1, of(\"a\"): 2])", "print(String(of(5), radix: of(0)))",
        "print(String(of(5), radix: of(37), uppercase: true))", "print(Int(of(\"5\"), radix: of(1)) ?? 0)",
        "let text = of(\"ab\"); print(text[text.index(text.startIndex, offsetBy: of(3))])",
        "let text = of(\"ab\"); print(text[text.endIndex])",
        "let text = of(\"ab\"); print(text.index(after: text.endIndex).utf16Offset(in: text))",
        "let text = of(\"ab\"); print(text.index(before: text.startIndex).utf16Offset(in: text))",
        "var text = of(\"\"); text.removeFirst()", "var text = of(\"\"); text.removeLast()",
        "var text = of(\"a\"); text.removeFirst(of(2))", "var text = of(\"a\"); text.removeLast(of(2))",
        "var text = of(\"a\"); text.removeLast(of(-1))", "var text = of(\"a\"); text.remove(at: text.endIndex)",
        "var text = of(\"a\"); text.insert(\"b\", at: of(\"abc\").endIndex)",
        "print(Character(of(\"\")))", "print(Character(of(\"ab\")))",
        "print(Int.random(in: of(1)..<of(1)))", "let items = of(Set<Int>()); print(items.first!)",
        "fatalError(of(\"no way\"))", "precondition(of(1) == 2, \"two\")", "assertionFailure(of(\"no\"))",
        "preconditionFailure(\"never\")", "assert(of(1) == 2)", "fatalError()", "try! broken()",
        "print(abs(of(Int.min)))", "print(of(Int8.min) % of(Int8(-1)))",
        "print(of(Int.min).quotientAndRemainder(dividingBy: of(-1)))",
        "print(of(5).quotientAndRemainder(dividingBy: of(0)))", "print(UInt8(of(Float(300))))",
        "print(of(\"abc\").prefix(2).dropFirst(of(-1)))", "print(of([1, 2]).reversed().dropFirst(of(-1)).first!)",
        "var part = of([1, 2]).prefix(2); part.remove(at: of(3))",
        "var part = of([1, 2]).prefix(2); part.insert(4, at: of(3))",
        "var part = of([1, 2]).prefix(2); part[of(2)] = 5", "var part = of([1, 2]).dropFirst(); print(part[of(0)...])",
        "var part = of([1, 2]).prefix(0); print(part.removeFirst(of(1)))",
        "print(of([1, 2, 3])[of(2)..<of(3)][of(0)..<of(1)])", "let range = of(1)...of(3); print([1, 2][range])",
        "var part = of(\"ab\").prefix(1); part.removeFirst(of(2))",
        "var part = of(\"ab\").prefix(0); part.removeFirst()",
        "var part = of(\"ab\").prefix(0); part.removeLast()", "print(\"a\"[..<of(\"abc\").endIndex])",
        "var counts = of([\"a\": 1]); counts[\"b\"]! += 1", "print(of(1), Int(of(\"x\"))!)",
        "let shape = Shape(rawValue: of(7)); print(shape!)",
        "let items = of([Int]()); defer { print(items.first!) }; print(items[of(1)])", "print(UInt8(ascii: \"é\"))",
        "var least = of(Int8.min); least.negate()",
    ]
    private static let declarations = """
        import Foundation
        struct Broken: Error { var code = 5 }
        enum Shape: Int { case round }
        func broken() throws { throw Broken() }
        func of<T>(_ value: T) -> T { value }

        """

    /// The statements of a fault, a line each.
    private static func lines(_ fault: String) -> [String] { fault.components(separatedBy: "; ").map { "    " + $0 } }

    /// The message about a fault, without its place and the addresses of types; nil without one.
    private static func words(_ errors: String) -> String? {
        let line = errors.split(separator: "\n").first { $0.contains(".swift:") || $0.hasPrefix("Could not cast") }
        return [#"^.*?\.swift:\d+(:\d+)?: "#, #" \(0x[0-9a-f]+\)"#, #"\b(Swift|program)\."#].reduce(
            line.map(String.init)
        ) {
            $0?.replacingOccurrences(of: $1, with: "", options: .regularExpression)
        }
    }

    /// The last message of the compiler's program, by fault.
    private func compiled() throws -> [String?] {
        let functions = Self.faults.enumerated().map {
            "func fault\($0)() {\n\(Self.lines($1).joined(separator: "\n"))\n}\n"
        }
        let cases = Self.faults.indices.map { "case \($0): fault\($0)()\n" }.joined()
        let main = try TemporaryFolder.shared.file(
            Self.declarations + functions.joined()
                + "switch Int(CommandLine.arguments[1])! {\n\(cases)default: break\n}\n",
            "main.swift")
        let program = try TemporaryFolder.shared.path("program")
        let outcome = try BuiltProgram.compile([main], to: program)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try Self.faults.indices.map { number in
            let stopped = try BuiltProgram.run(program: program, [String(number)])
            #expect(stopped.code != 0, "\(Self.faults[number])")
            return Self.words(stopped.errors)
        }
    }

    @Test func `stops a migration as it stops the compiler's program`() throws {
        for (fault, expected) in zip(Self.faults, try compiled()) {
            let (outcome, _) = try BlockRun.migrateDogs(
                Self.lines(fault).joined(separator: "\n"), besides: Self.declarations)
            let place =
                "Migration.swift:\(Self.declarations.split(separator: "\n").count + 3 + Self.lines(fault).count):"
            #expect(outcome.code == 1 && outcome.errors.contains(place), "\(fault): \(outcome.errors)")
            // Of arithmetic the compiler's program says nothing.
            #expect(Self.words(outcome.errors) == expected ?? "Fatal error: arithmetic overflow", "\(fault)")
        }
    }

    /// Where the compiler's program shows a value, the migration tells its type.
    @Test(arguments: [
        (
            "print(Dictionary(uniqueKeysWithValues: [(\"Ada\", 1), (of(\"Ada\"), 2)]))",
            "Fatal error: Duplicate values for a key of the type 'String'"
        ),
        (
            "print(try! JSONDecoder().decode([Kind].self, from: Data(of(\"[\\\"Ada\\\"]\").utf8)))",
            "DecodingError.dataCorrupted: Data was corrupted. Path: [0]. Debug description: Cannot initialize Kind from invalid String value"
        ),
        (
            "print(try! JSONDecoder().decode([String: Int].self, from: Data(of(\"{\\\"Ada\\\": true}\").utf8)))",
            "Path: (key). Debug description: Expected to decode Int but found bool instead."
        ),
    ])
    func `has no value of an object but what the script puts into it`(fault: String, words: String) throws {
        let (outcome, _) = try BlockRun.migrateDogs(
            fault, besides: Self.declarations + "enum Kind: String, Codable { case a }\n")
        #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!outcome.errors.split(separator: "\n")[0].contains("Ada"), "\(outcome.errors)")
    }

    /// Devices and the compiler's Foundation put them in different orders.
    @Test func `stops at numbers that differ by zeros before them`() throws {
        for call in ["localizedStandardCompare(\"file02\")", "compare(\"file02\", options: .numeric)"] {
            let (outcome, _) = try BlockRun.migrateDogs(
                "print(of(\"file2\").\(call) == .orderedSame)", besides: Self.declarations)
            #expect(
                outcome.errors.contains("The order of numbers with zeros before them is not known here"),
                "\(outcome.errors)")
        }
    }

    /// A call of what the library has in Swift stops where the script has it.
    @Test func `names the script's line where the library's own Swift stops`() throws {
        let (outcome, _) = try BlockRun.migrateDogs(
            "print((of(\"ab\") as NSString).substring(with: NSRange(location: 1, length: 3)))",
            besides: Self.declarations)
        let line = Self.declarations.split(separator: "\n").count + 4
        #expect(outcome.errors.contains("Migration.swift:\(line):"), "\(outcome.errors)")
        #expect(!outcome.errors.contains(":1:1") && !outcome.errors.contains("substring ("), "\(outcome.errors)")
    }
}
