import CJavaScriptCore
import RealmMigration
import RealmModel

/// Assertions about a realm before and after a migration, in the world that is there for a script.
extension JavaScriptMigration {
    /// Calls every check that the script declares.
    ///
    /// - Parameter begins: takes the name of each check before it is called, with what those before it came to.
    /// - Returns: what they came to, in the order in which the text names them.
    /// - Throws: `MigrationError` where the program fails outside of its checks, or memory runs out; what the store throws.
    func check(
        _ transaction: MigrationTransaction, begins: (String, [RealmCheckResult]) throws -> Void
    ) throws -> [RealmCheckResult] {
        try within(transaction, usesColumns: true, progressed: { _ in }) { _ in
            let named = try context.evaluate(Self.named(in: source), name: "realmshift")
            let checks = try context.call(
                try context.member("findChecks", of: prelude.reference), try context.element(0, of: named),
                try context.element(1, of: named))
            let run = try context.member("runCheck", of: prelude.reference)
            var results: [RealmCheckResult] = []
            for index in 0..<max(try context.length(of: checks), 0) {
                let check = try context.element(index, of: checks)
                let name = try context.element(0, of: check)
                try begins(try context.string(name).bounded(), results)
                results.append(try result(try context.call(run, name, try context.element(1, of: check))))
            }
            _ = try context.call(try context.member("endChecks", of: prelude.reference))
            return results
        }
    }

    /// The words that stand before a declared name.
    private static let declarations: Set<String> = ["function", "const", "let", "var", "class"]

    /// The runs of a text that are names or words of the language, of ASCII alone.
    private static func words(of source: String) -> [String] {
        source.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                false
            default: true
            }
        }.lazy.filter { $0.allSatisfy { $0 < 0x80 } }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Names in a text that are looked at, at most.
    private static let nameLimit = 1_000

    /// A program whose value is the script's global object, and the names of a text that begin with “check”, each with the function
    /// of that name: constants and variables are no members of the object, and are seen in the script's own scope alone.
    ///
    /// A name has its place where it is declared, else where it stands first.
    private static func named(in source: String) -> String {
        var (places, declared): ([String: Int], Set<String>) = ([:], [])
        var before = ""
        for (place, word) in words(of: source).enumerated() {
            defer { before = word }
            guard word.hasPrefix("check"), places[word] != nil || places.count < nameLimit else { continue }
            let isFirstDeclared = declarations.contains(before) && declared.insert(word).inserted
            if isFirstDeclared || places[word] == nil { places[word] = place }
        }
        let pairs = places.sorted { $0.value < $1.value }.map { name, _ in
            "[\"\(name)\", typeof \(name) === \"undefined\" ? undefined : \(name)]"
        }
        return "[globalThis, [\(pairs.joined(separator: ", "))]]"
    }

    /// - Parameter description: name, whether it holds, the message or null, and what `describe` makes of an error, or null.
    private func result(_ description: JSValueRef) throws -> RealmCheckResult {
        let name = try context.string(try context.element(0, of: description)).bounded()
        let thrown = try context.element(3, of: description)
        guard context.type(of: thrown) == kJSTypeNull else {
            let error = try failure(description: thrown)
            guard let error = error as? MigrationError, error.script != .memoryLimit else { throw error }
            let known = error.details.lazy.compactMap(\.line).first
            return RealmCheckResult(
                name: name, passed: false, message: error.message, line: try known ?? line(of: thrown))
        }
        let message = try context.element(2, of: description)
        return RealmCheckResult(
            name: name, passed: try context.int(try context.element(1, of: description)) != 0,
            message: context.type(of: message) == kJSTypeNull ? nil : try context.string(message).bounded())
    }

    private func line(of thrown: JSValueRef) throws -> Int? {
        let line = try context.int(try context.element(1, of: thrown))
        return line > 0 ? line : nil
    }
}
