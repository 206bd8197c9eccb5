import Foundation
import Testing

/// Files that a compiler refuses, or that nest without end: each is refused with its line, and no host ends by it.
struct CyclicSourceTests {
    private static let block = """
        import RealmSwift
        class Person: Object { @Persisted var name: String }
        let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
            migration.enumerateObjects(ofType: "Person") { _, new in new!["name"] = VALUE }
        })

        """

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: String
        let declarations: String
        /// The words that the message has, with the line.
        let words: [String]
    }

    static let cases = [
        Case(
            testDescription: "type aliases", value: "String(A())", declarations: "typealias A = B\ntypealias B = [A]",
            words: ["‘A’ stands for itself", "‘B’ stands for itself", ".swift:6:", ".swift:7:"]),
        Case(
            testDescription: "a type alias in a class", value: "\"\"",
            declarations: "class C { typealias A = A?\n var a: A }", words: ["‘A’ stands for itself", ".swift:6:"]),
        Case(
            testDescription: "superclasses", value: "A().description", declarations: "class A: B {}\nclass B: A {}",
            words: ["‘A’ inherits from itself", "‘B’ inherits from itself", ".swift:6:", ".swift:7:"]),
        Case(
            testDescription: "globals", value: "a", declarations: "let a = b\nlet b = a + \"x\"",
            words: ["needs itself", ".swift:6:"]),
        Case(
            testDescription: "a structure in itself", value: "S().name",
            declarations: "struct S {\n    var name = \"\"\n    var s = S()\n}",
            words: ["‘S’ has a property that holds one of itself", ".swift:6:"]),
        Case(
            testDescription: "structures in each other", value: "\"\"",
            declarations: "struct S { var t: T? }\nstruct T { let s: S }",
            words: ["‘S’ has", "‘T’ has", ".swift:6:", ".swift:7:"]),
        Case(
            testDescription: "many operators", value: "\"\"",
            declarations: "let long = " + Array(repeating: "\"x\"", count: 2_000).joined(separator: " + "),
            words: ["joins more than 1000 operators", ".swift:6:"]),
        Case(
            testDescription: "a long chain", value: "\"\"",
            declarations: "let long = \"x\"" + String(repeating: ".lowercased()", count: 20_000),
            words: ["nests deeper", ".swift:6:"]),
        Case(
            testDescription: "brackets in a row", value: "\"\"",
            declarations: "let nested = " + String(repeating: "[", count: 300) + "1"
                + String(repeating: "]", count: 300),
            words: ["brackets open here", ".swift:6:"]),
        Case(
            testDescription: "generic types in each other", value: "\"\"",
            declarations: "let nested: " + String(repeating: "Array<", count: 10_000) + "Int"
                + String(repeating: ">", count: 10_000) + " = []",
            words: ["brackets open here", ".swift:6:"]),
        Case(
            testDescription: "aliases that double", value: "String(describing: none)",
            declarations: "let none: A40? = nil\ntypealias A0 = (Int, Int)\n"
                + (1...40).map { "typealias A\($0) = (A\($0 - 1), A\($0 - 1))" }.joined(separator: "\n"),
            words: ["stands for so much"]),
        Case(
            testDescription: "a generic function of ever other types", value: "grow(1, 3)",
            declarations: "func grow<T>(_ x: T, _ n: Int) -> String { n == 0 ? \"\" : grow([x], n - 1) }",
            words: ["nests ever deeper", ".swift:6:"]),
        Case(
            testDescription: "a generic type of ever other types", value: "String(Deep<Int>(n: 1).more())",
            declarations:
                "struct Deep<T> { var n: Int; func more() -> Int { n == 0 ? 0 : Deep<[T]>(n: n - 1).more() } }",
            words: ["nest ever deeper", ".swift:6:"]),
    ]

    @Test(arguments: cases) func `are refused with their line`(file: Case) throws {
        let script = Self.block.replacingOccurrences(of: "VALUE", with: file.value) + file.declarations + "\n"
        let path = try TemporaryFolder.shared.file(script, "Cyclic.swift")
        let outcome = try BuiltProgram.run(["script", "check", path])
        #expect(outcome.code == 1)
        for word in file.words {
            #expect(outcome.output.contains(word), "\(word): \(outcome.output)\(outcome.errors)")
        }
    }

    @Test func `nested literals and calls are read once`() throws {
        let literal = String(repeating: "[1, ", count: 60) + "2" + String(repeating: "]", count: 60)
        let calls = String(repeating: "same(", count: 30) + "\"x\"" + String(repeating: ")", count: 30)
        let script =
            Self.block.replacingOccurrences(of: "VALUE", with: calls)
            + "func same<T>(_ x: T) -> T { x }\nlet nested: [Any] = \(literal)\n"
        let path = try TemporaryFolder.shared.file(script, "Nested.swift")
        let outcome = try BuiltProgram.run(["script", "check", path])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test func `a thousand operators are read`() throws {
        let sum = Array(repeating: "\"x\"", count: 900).joined(separator: " + ")
        let script = Self.block.replacingOccurrences(of: "VALUE", with: "long") + "let long: String = \(sum)\n"
        let path = try TemporaryFolder.shared.file(script, "Long.swift")
        let outcome = try BuiltProgram.run(["script", "check", path])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// They are as many parts of one expression, and no deeper for it.
    @Test func `twenty thousand interpolations in a text are read`() throws {
        let text = String(repeating: "\\(count) ", count: 20_000)
        let script =
            Self.block.replacingOccurrences(of: "VALUE", with: "long") + "let count = 1\nlet long = \"\(text)\"\n"
        let path = try TemporaryFolder.shared.file(script, "Text.swift")
        let outcome = try BuiltProgram.run(["script", "check", path])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }
}
