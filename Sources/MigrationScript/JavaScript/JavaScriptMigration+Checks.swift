import CJavaScriptCore
import RealmMigration
import RealmModel

/// Assertions about a realm before and after a migration, in the world that is there for a script.
extension JavaScriptMigration {
    /// Calls every check that the script declares.
    ///
    /// - Returns: what they came to, in the order in which they are declared.
    /// - Throws: `MigrationError` where the program fails outside of its checks, or memory runs out; what the store throws.
    func check(_ transaction: MigrationTransaction) throws -> [RealmCheckResult] {
        try within(transaction, usesColumns: true, progressed: { _ in }) {
            let declared = try context.evaluate(Self.checks, name: "realmshift")
            let outcome = try context.call(
                try context.member("runChecks", of: prelude.reference), try context.element(0, of: declared),
                try context.element(1, of: declared))
            return try (0..<max(try context.length(of: outcome), 0)).map {
                try result(try context.element($0, of: outcome))
            }
        }
    }

    /// The script's global object, and a check that is no member of it; evaluated in the script's own scope.
    private static let checks = "[globalThis, typeof check === \"undefined\" ? undefined : check]"

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
