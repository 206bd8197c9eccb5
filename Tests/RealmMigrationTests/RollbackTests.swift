import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `A migration that fails` {
    private struct ScriptFault: Error, Equatable {}

    private let a = ObjectSchema("A", properties: [Property("n", .int), Property("s", .string)])
    private let keyed = ObjectSchema("A", primaryKey: "n", properties: [Property("n", .int), Property("t", .string)])

    private func realm() throws -> TestRealm {
        try TestRealm([a], objects: ["A": (0..<5).map { ["n": .int($0 / 2), "s": .string("\($0)")] }])
    }

    @Test func `passes on what the script threw, and leaves the source as it was`() throws {
        let source = try realm()
        let (before, snapshot) = (try source.contents(), source.snapshot)
        #expect(throws: ScriptFault()) {
            try source.migrated(to: [keyed], memory: MemoryLimits(cachedBytes: 0, dirtyBytes: 0)) { transaction in
                try transaction.enumerate("A") { _, new in
                    try transaction.set("t", of: try #require(new), to: .string("changed"))
                    try transaction.set("n", of: try #require(new), to: .int(7))
                }
                _ = try transaction.deleteData(of: "A")
                throw ScriptFault()
            }
        }
        #expect(try source.contents() == before)
        #expect(source.snapshot == snapshot)
    }

    @Test func `at its end leaves the source as it was, and it can be migrated after all`() throws {
        let source = try realm()
        #expect(
            try source.failure(to: [keyed]) { transaction in
                try transaction.enumerate("A") { _, new in
                    try transaction.set("t", of: try #require(new), to: .string("changed"))
                }
            } == "Primary key property 'A.n' has duplicate values after migration.")
        #expect(try source.migrated(to: [a]).contents() == source.contents())
        let unique = try source.migrated(to: [keyed]) { transaction in
            try transaction.enumerate("A") { old, new in
                try transaction.set("n", of: try #require(new), to: .int(try #require(old).key.value))
            }
        }
        #expect(try unique.values("A", "n") == (0..<5).map { .int($0) })
    }

    @Test func `runs no script where the target is no valid schema`() throws {
        let message = try realm().failure(
            to: [ObjectSchema("A", primaryKey: "none", properties: [Property("n", .int)])]
        ) { _ in Issue.record("The script ran.") }
        #expect(
            message
                == "Schema validation failed due to the following errors:\n- Specified primary key 'A.none' does not exist."
        )
    }
}
