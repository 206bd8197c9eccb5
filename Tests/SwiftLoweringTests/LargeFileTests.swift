import Foundation
import Testing

/// Files that are so large that they are parsed in parts: they say what they say in one.
struct LargeFileTests {
    /// A class whose name and number of lines are known.
    private static func model(_ name: String, _ properties: [String] = ["var number: Int"]) -> String {
        (["class \(name): Object {"] + properties.map { "    @Persisted \($0)" } + ["}", ""]).joined(separator: "\n")
    }

    private static let hidden = "\n\nclass Hidden: Object { @Persisted var number: Int }\n\n"

    /// The text in the middle of the file, where alone it could be cut, and the classes that it declares.
    private static let middles: [(String, [String])] = [
        ("", []), ("\n", []), ("\n/*\(hidden)*/\n", []), ("\n/* /* */\(hidden)*/\n", []),
        ("\nlet text = \"\"\"\(hidden)\"\"\"\n", []), ("\nlet text = #\"\"\"\(hidden)\"\"\"#\n", []),
        ("\n#if NEVER\(hidden)#endif\n", []), ("\nenum Outer {\(hidden)}\n", ["Hidden"]),
        ("\n// of the next\(hidden)", ["Hidden"]), (hidden, ["Hidden"]),
        ("\r\n\r\nclass Hidden: Object { @Persisted var number: Int }\r\n\r\n", ["Hidden"]),
        ("\n@objc(Hidden)\nclass Other: Object { @Persisted var number: Int }\n", ["Hidden"]),
    ]

    @Test(arguments: middles)
    func `have the classes that they declare`(middle: String, classes: [String]) throws {
        let halves = ["First", "Second"].map { half in
            "import RealmSwift\n" + (0..<60).map { Self.model("\(half)\($0)") }.joined()
        }
        try #require(halves.joined().utf8.count > 4_096)
        let file = try TemporaryFolder.shared.file(halves[0] + middle + halves[1], "Models.swift")
        let outcome = try BuiltProgram.run(["schema", file])
        try #require(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let found = (json?["schema"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        let others = ["First", "Second"].flatMap { half in (0..<60).map { "\(half)\($0)" } }
        #expect(found.sorted() == (others + classes).sorted())
    }

    /// Files whose parts are each understood, and others.
    @Test(arguments: [("var wrong: Nothing", "Nothing"), ("var wrong: [", "")])
    func `say in which line they are not understood`(wrong: String, name: String) throws {
        for place in [0, 30, 59, 60, 61, 90, 119] {
            let models = (0..<120).map {
                Self.model(
                    "Model\($0)", $0 == place ? ["var number: Int", wrong] : ["var number: Int", "var other: Int"])
            }
            let text = "import RealmSwift\n\n" + models.joined(separator: "\n")
            let file = try TemporaryFolder.shared.file(text, "Models.swift")
            let outcome = try BuiltProgram.run(["schema", file])
            #expect(outcome.code == 1)
            let line = 2 + place * 5 + 3
            let said = outcome.output + outcome.errors
            let lines = wrong.hasSuffix("[") ? [line, line + 1] : [line]
            #expect(
                lines.contains { said.contains("\(file):\($0):") } && (name.isEmpty || said.contains(name)),
                "\(place): \(said)")
        }
    }

    /// Several files share the threads, and keep their order.
    @Test func `are told apart`() throws {
        let files = try (0..<7).map { number in
            try TemporaryFolder.shared.file(
                (0..<(number == 3 ? 90 : 2)).map { Self.model("Model\(number)x\($0)", ["var wrong: Nothing\(number)"]) }
                    .joined(separator: "\n"), "Models\(number).swift")
        }
        let outcome = try BuiltProgram.run(["schema"] + files)
        #expect(outcome.code == 1)
        for (number, file) in files.enumerated() {
            let said = (outcome.output + outcome.errors).split(separator: "\n").filter { $0.contains("\(file):") }
            #expect(said.count == (number == 3 ? 90 : 2))
            #expect(said.allSatisfy { $0.contains("‘Nothing\(number)’") })
            #expect(said.first?.contains("\(file):2:") ?? false)
        }
    }
}
