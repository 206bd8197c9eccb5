import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Names that differ in their normalization alone` {
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    private var classes: [ObjectSchema] {
        [
            ObjectSchema(composed, properties: [Property(composed, .int), Property(decomposed, .int)]),
            ObjectSchema(
                decomposed, properties: [Property("link", .object, objectType: composed, isOptional: true)]),
        ]
    }

    @Test func `are two properties and two classes`() throws {
        let migrated = try TestRealm(classes).migrated(to: classes) { transaction in
            let made = try transaction.create(
                in: composed, .members([(composed, .int(1)), (decomposed, .int(2))]))
            _ = try transaction.create(in: decomposed, .members([("link", .object(made))]))
        }
        let cells = try migrated.snapshot.classes.map { stored in
            try migrated.rows(of: stored)
        }
        #expect(cells == [[[.int(1), .int(2)]], [[.link(ObjectKey(0))]]])
    }

    @Test func `are emptied one by one`() throws {
        let filled = try TestRealm(classes).migrated(to: classes) { transaction in
            _ = try transaction.create(in: composed, .array([.int(1), .int(2)]))
            _ = try transaction.create(in: decomposed, .array([.null]))
        }
        let migrated = try filled.migrated(to: classes) { transaction in
            _ = try transaction.deleteData(of: decomposed)
        }
        #expect(migrated.snapshot.classes.map(\.objectCount) == [1, 0])
    }
}
