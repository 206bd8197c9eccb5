import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Primary keys` {
    private let unkeyed = ObjectSchema("A", properties: [Property("id", .int), Property("name", .string)])
    private let keyed = ObjectSchema(
        "A", primaryKey: "id", properties: [Property("id", .int), Property("name", .string)])
    private let named = ObjectSchema(
        "A", primaryKey: "name", properties: [Property("id", .int), Property("name", .string)])
    private let duplicates = "Primary key property 'A.id' has duplicate values after migration."

    private func realm(_ schema: ObjectSchema, _ ids: [Int64], rows: Int = 2) throws -> TestRealm {
        try TestRealm(
            [schema], objects: ["A": ids.map { ["id": .int($0), "name": .string("name \($0)")] }],
            limits: .init(rows: rows, bytes: 1 << 20))
    }

    @Test(arguments: [false, true])
    func `may be added to unique values, which stay`(runsScript: Bool) throws {
        let migrated = try realm(unkeyed, [3, 1, 2]).migrated(to: [keyed], script: runsScript ? { _ in } : nil)
        #expect(try migrated.values("A", "id") == [.int(3), .int(1), .int(2)])
        #expect(try migrated.values("A", "_key") == [.int(0), .int(1), .int(2)])
        #expect(migrated.snapshot.storedSchema.classes[0].primaryKey == "id")
    }

    @Test(arguments: [false, true], [1, 2, 16_384])
    func `may not be added to values that are not unique`(runsScript: Bool, rows: Int) throws {
        let source = try realm(unkeyed, [1, 2, 1, 3, 3], rows: rows)
        let error = try source.failed(to: [keyed], script: runsScript ? { _ in } : nil)
        #expect(error.message == duplicates)
        #expect(error.code == .migrationFailed)
        #expect(error.details.map(\.key) == [nil] + [0, 2, 3, 4].map { ObjectKey($0) })
        #expect(error.details.map(\.primaryKey) == [nil, .int(1), .int(1), .int(3), .int(3)])
        #expect(
            error.details.map(\.message) == [
                "4 objects have a primary key that another object has.", "Object 2 has the same primary key.",
                "Object 0 has the same primary key.", "Object 4 has the same primary key.",
                "Object 3 has the same primary key.",
            ])
    }

    @Test func `may be added where the script deletes the duplicates`() throws {
        let migrated = try realm(unkeyed, [1, 2, 1, 3, 1]).migrated(to: [keyed]) { transaction in
            var seen: Set<Value> = []
            try transaction.enumerate("A") { _, new in
                let new = try #require(new)
                if !seen.insert(try transaction.value("id", of: new)).inserted { try transaction.delete(new) }
            }
        }
        #expect(try migrated.values("A", "id") == [.int(1), .int(2), .int(3)])
    }

    @Test(arguments: [1, 2, 16_384], [false, true])
    func `may have no duplicates in a class that the migration adds`(rows: Int, assigns: Bool) throws {
        let added = ObjectSchema(
            "B", primaryKey: "id", properties: [Property("id", .int), Property("name", .string)])
        let source = try realm(unkeyed, [1, 2, 1], rows: rows)
        func create(_ transaction: MigrationTransaction, _ ids: [Int64]) throws {
            for (index, id) in ids.enumerated() {
                let object = try transaction.create(
                    in: "B", .array([.int(assigns ? 10 + Int64(index) : id), .string("")]))
                if assigns { try transaction.set("id", of: object, to: .int(id)) }
            }
        }
        let error = try source.failed(to: [unkeyed, added]) { try create($0, [1, 2, 1]) }
        #expect(error.message == "Primary key property 'B.id' has duplicate values after migration.")
        #expect(error.details.map(\.primaryKey) == [nil, .int(1), .int(1)])
        let migrated = try source.migrated(to: [unkeyed, added]) { try create($0, [1, 2, 3]) }
        #expect(try migrated.values("B", "id") == [.int(1), .int(2), .int(3)])
        let policy = PrimaryKeyPolicy(className: "B", onDuplicate: .keepFirst)
        let kept = try source.migrated(
            to: [unkeyed, added], options: DeclaredMigration(primaryKeyPolicies: [policy])
        ) { try create($0, [1, 2, 1]) }
        #expect(try kept.values("B", "id") == [.int(1), .int(2)])
    }

    @Test(arguments: [
        ("Bb", "The policy for primary keys of class 'Bb' has no such class in the target schema."),
        ("C", "The policy for primary keys of class 'C' has no effect, as the class has no primary key."),
    ])
    func `has no policy where there is none`(className: String, message: String) throws {
        let policy = PrimaryKeyPolicy(className: className, onDuplicate: .keepFirst)
        let target = [
            ObjectSchema("B", primaryKey: "id", properties: [Property("id", .int)]),
            ObjectSchema("C", properties: [Property("id", .int)]),
        ]
        let error = #expect(throws: MigrationError.self) {
            try realm(keyed, [1]).migrated(to: target, options: DeclaredMigration(primaryKeyPolicies: [policy])) { _ in
            }
        }
        #expect(error?.message == message)
    }

    @Test func `may go to another property`() throws {
        let migrated = try realm(keyed, [1, 2]).migrated(to: [named])
        #expect(migrated.snapshot.storedSchema.classes[0].primaryKey == "name")
        #expect(try migrated.values("A", "_key") == [.int(0), .int(1)])
    }

    @Test func `may go to another property that the script fills`() throws {
        let migrated = try realm(keyed, Array(10..<20)).migrated(to: [named]) { transaction in
            try transaction.enumerate("A") { old, new in
                guard case .int(let id) = try transaction.value("id", of: try #require(old)) else { return }
                try transaction.set("name", of: try #require(new), to: .string(String(id)))
            }
            for id in 10..<20 as Range<Int64> {
                let found = try #require(try transaction.object(in: 0, side: .new, primaryKey: .string(String(id))))
                #expect(try transaction.value("id", of: found) == .int(id))
            }
        }
        #expect(try migrated.values("A", "name") == (10..<20).map { .string(String($0)) })
    }

    @Test func `may be dropped, and then have duplicates`() throws {
        let migrated = try realm(keyed, [1, 2]).migrated(to: [unkeyed]) { transaction in
            _ = try transaction.create(in: "A", .array([.int(1), .string("")]))
        }
        #expect(try migrated.values("A", "id") == [.int(1), .int(2), .int(1)])
    }

    @Test func `may be modified, in a circle too`() throws {
        let migrated = try realm(keyed, [1, 2, 3]).migrated(to: [keyed]) { transaction in
            try transaction.enumerate("A") { old, new in
                guard case .int(let id) = try transaction.value("id", of: try #require(old)) else { return }
                try transaction.set("id", of: try #require(new), to: .int(id % 3 + 1))
            }
        }
        #expect(try migrated.values("A", "id") == [.int(2), .int(3), .int(1)])
    }

    @Test(arguments: [1, 2, 16_384])
    func `may not be the same after the script, whatever made them so`(rows: Int) throws {
        let set = try realm(keyed, [1, 2, 3], rows: rows).failure(to: [keyed]) { transaction in
            try transaction.set("id", of: transaction.reference("A", 1), to: .int(3))
        }
        let created = try realm(keyed, [1, 2, 3], rows: rows).failure(to: [keyed]) { transaction in
            _ = try transaction.create(in: "A", .array([.int(3), .string("")]))
        }
        #expect(set == duplicates)
        #expect(created == duplicates)
    }

    @Test func `may not be the same after another property took the name of the primary key`() throws {
        let stored = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int), Property("other", .int)])
        let target = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int)])
        let source = try TestRealm(
            [stored], objects: ["A": [["id": .int(1), "other": .int(5)], ["id": .int(2), "other": .int(5)]]])
        let rename = PropertyRename(className: "A", from: "other", to: "id")
        #expect(try source.failure(to: [target], renames: [rename]) == duplicates)
        let unique = try TestRealm(
            [stored], objects: ["A": [["id": .int(1), "other": .int(6)], ["id": .int(2), "other": .int(5)]]])
        #expect(try unique.migrated(to: [target], renames: [rename]).values("A", "id") == [.int(6), .int(5)])
    }

    @Test func `are found by their new values after a rename`() throws {
        let stored = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int), Property("other", .int)])
        let target = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int)])
        let source = try TestRealm([stored], objects: ["A": [["id": .int(1), "other": .int(6)]]])
        _ = try source.migrated(to: [target]) { transaction in
            let before = try transaction.object(in: 0, side: .new, primaryKey: .int(1))
            #expect(before?.key.value == 0)
            try transaction.renameProperty(of: "A", from: "other", to: "id")
            let after = try transaction.object(in: 0, side: .new, primaryKey: .int(6))
            #expect(after?.key.value == 0)
            let gone = try transaction.object(in: 0, side: .new, primaryKey: .int(1))
            #expect(gone == nil)
        }
    }

    @Test func `may be the same for a while`() throws {
        let migrated = try realm(keyed, [1, 2, 3]).migrated(to: [keyed]) { transaction in
            let again = try transaction.create(in: "A", .array([.int(2), .string("again")]))
            let found = try #require(try transaction.object(in: 0, side: .new, primaryKey: .int(2)))
            try transaction.delete(found)
            let other = try transaction.object(in: 0, side: .new, primaryKey: .int(2))
            #expect(other == again)
        }
        #expect(try migrated.values("A", "id") == [.int(1), .int(3), .int(2)])
    }

    @Test(arguments: [false, true])
    func `may be given again after their objects were deleted`(atOnce: Bool) throws {
        let migrated = try realm(keyed, [1, 2]).migrated(to: [keyed]) { transaction in
            if atOnce {
                _ = try transaction.deleteData(of: "A")
            } else {
                try transaction.enumerate("A") { _, new in try transaction.delete(try #require(new)) }
            }
            for id in [2, 4] as [Int64] { _ = try transaction.create(in: "A", .array([.int(id), .string("")])) }
        }
        #expect(try migrated.values("A", "id") == [.int(2), .int(4)])
        #expect(try migrated.values("A", "_key") == [.int(2), .int(3)])
    }

    @Test func `count null as a value`() throws {
        let optional = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int, isOptional: true)])
        let plain = ObjectSchema("A", properties: optional.properties)
        let one = try TestRealm([plain], objects: ["A": [["id": .null], ["id": .int(1)]]])
        #expect(try one.migrated(to: [optional]).values("A", "id") == [.null, .int(1)])
        let two = try TestRealm([plain], objects: ["A": [["id": .null], ["id": .int(1)], ["id": .null]]])
        #expect(try two.failure(to: [optional]) == duplicates)
    }

    @Test func `compare strings bytewise, without normalisation or case`() throws {
        let source = try TestRealm(
            [unkeyed],
            objects: ["A": ["\u{e9}", "e\u{301}", "E\u{301}", ""].map { ["name": .string($0)] }])
        #expect(try source.migrated(to: [named]).objects("A").count == 4)
    }

    @Test func `may change their type, filled by the script or with one object at most`() throws {
        let texts = ObjectSchema(
            "A", primaryKey: "id", properties: [Property("id", .string), Property("name", .string)])
        let filled = try realm(keyed, [1, 2]).migrated(to: [texts]) { transaction in
            try transaction.enumerate("A") { old, new in
                guard case .int(let id) = try transaction.value("id", of: try #require(old)) else { return }
                try transaction.set("id", of: try #require(new), to: .string("\(id)"))
            }
        }
        #expect(try filled.values("A", "id") == [.string("1"), .string("2")])
        #expect(try realm(keyed, [1]).migrated(to: [texts]).values("A", "id") == [.string("")])
        #expect(try realm(keyed, [1, 2]).failure(to: [texts]) == duplicates)
    }

    @Test func `keep links to their objects whatever becomes of the values`() throws {
        let owner = ObjectSchema("Owner", properties: [Property("a", .object, objectType: "A", isOptional: true)])
        let source = try TestRealm(
            [keyed, owner],
            objects: [
                "A": [["id": .int(1), "name": .string("one")], ["id": .int(2), "name": .string("two")]],
                "Owner": [["a": .link(ObjectKey(1))]],
            ])
        let migrated = try source.migrated(to: [named, owner]) { transaction in
            try transaction.set("id", of: transaction.reference("A", 1), to: .int(9))
        }
        #expect(try migrated.values("Owner", "a") == [.link(ObjectKey(1))])
    }

    @Test func `are asked for with a value of their type`() throws {
        let text = try realm(keyed, [1]).failure(to: [keyed]) { transaction in
            _ = try transaction.object(in: 0, side: .new, primaryKey: .string("1"))
        }
        #expect(text == "Expected 'A.id' to be a number or bigint, got a string")
        let none = try realm(unkeyed, [1]).failure(to: [unkeyed]) { transaction in
            _ = try transaction.object(in: 0, side: .new, primaryKey: .int(1))
        }
        #expect(none == "Object type 'A' has no primary key")
    }
}
