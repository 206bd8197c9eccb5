import Columns
import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Enumerating objects` {
    private let a = ObjectSchema("A", properties: [Property("n", .int)])
    private let b = ObjectSchema("B", properties: [Property("n", .int)])

    private func realm(_ numbers: [Int64] = [1, 2, 3], rows: Int = 2) throws -> TestRealm {
        try TestRealm(
            [a], objects: ["A": numbers.map { ["n": .int($0)] }], limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
    }

    /// The numbers of the visited pairs, old and new.
    private func visited(
        _ className: String, in transaction: MigrationTransaction,
        _ body: ((ObjectReference?, ObjectReference?) throws -> Void)? = nil
    ) throws -> [[Value?]] {
        var visited: [[Value?]] = []
        try transaction.enumerate(className) { old, new in
            visited.append([
                try old.map { try transaction.value("n", of: $0) }, try new.map { try transaction.value("n", of: $0) },
            ])
            try body?(old, new)
        }
        return visited
    }

    private func pairs(_ numbers: [Int64]) -> [[Value?]] { numbers.map { [.int($0), .int($0)] } }

    @Test(arguments: [1, 2, 3, 16_384])
    func `pairs every old object with its new one, in order`(rows: Int) throws {
        _ = try realm(rows: rows).migrated(to: [a]) { transaction in
            let seen = try visited("A", in: transaction)
            #expect(seen == pairs([1, 2, 3]))
        }
    }

    @Test func `visits nothing in an empty class`() throws {
        _ = try realm([]).migrated(to: [a]) { transaction in
            let seen = try visited("A", in: transaction)
            #expect(seen.isEmpty)
        }
    }

    @Test func `visits nothing for a class that neither schema has`() throws {
        _ = try realm().migrated(to: [a]) { transaction in
            let seen = try visited("NoSuchClass", in: transaction)
            #expect(seen.isEmpty)
        }
    }

    @Test func `gives the old objects alone for a class that the target has not`() throws {
        _ = try realm().migrated(to: [b]) { transaction in
            let seen = try visited("A", in: transaction)
            #expect(seen == [[.int(1), nil], [.int(2), nil], [.int(3), nil]])
        }
    }

    @Test func `still gives the old objects of such a class when its data was deleted`() throws {
        _ = try realm().migrated(to: [b]) { transaction in
            _ = try transaction.deleteData(of: "A")
            #expect(try visited("A", in: transaction).count == 3)
        }
    }

    @Test func `gives the objects there are now for a class that is new`() throws {
        _ = try realm().migrated(to: [a, b]) { transaction in
            #expect(try visited("B", in: transaction).isEmpty)
            for number in 1...3 as ClosedRange<Int64> {
                _ = try transaction.create(in: "B", .members([("n", .int(number))]))
            }
            #expect(try visited("B", in: transaction) == [[nil, .int(1)], [nil, .int(2)], [nil, .int(3)]])
        }
    }

    @Test(arguments: [1, 2, 3, 16_384])
    func `does not visit what is created meanwhile, in a class that is new`(rows: Int) throws {
        let migrated = try realm(rows: rows).migrated(to: [a, b]) { transaction in
            for number in 1...3 as ClosedRange<Int64> {
                _ = try transaction.create(in: "B", .members([("n", .int(number))]))
            }
            let seen = try visited("B", in: transaction) { _, _ in
                _ = try transaction.create(in: "B", .members([("n", .int(9))]))
            }
            #expect(seen == [[nil, .int(1)], [nil, .int(2)], [nil, .int(3)]])
        }
        #expect(try migrated.objects("B").count == 6)
    }

    @Test func `does not visit objects that the script created, where the class was there before`() throws {
        _ = try realm().migrated(to: [a]) { transaction in
            _ = try transaction.create(in: "A", .members([("n", .int(4))]))
            #expect(try visited("A", in: transaction) == pairs([1, 2, 3]))
        }
    }

    @Test(arguments: [1, 2, 3, 16_384])
    func `skips what was deleted before, and what is deleted meanwhile`(rows: Int) throws {
        let migrated = try realm([1, 2, 3, 4, 5], rows: rows).migrated(to: [a]) { transaction in
            let first = try visited("A", in: transaction) { _, new in
                guard let new else { return }
                if try transaction.value("n", of: new) == .int(2) { try transaction.delete(new) }
                if try transaction.isValid(new), try transaction.value("n", of: new) == .int(3) {
                    try transaction.delete(transaction.reference("A", 3))
                }
            }
            #expect(first == pairs([1, 2, 3, 5]))
            #expect(try visited("A", in: transaction) == pairs([1, 3, 5]))
        }
        #expect(try migrated.values("A", "n") == [.int(1), .int(3), .int(5)])
    }

    @Test func `visits nothing when all objects were deleted one by one`() throws {
        _ = try realm().migrated(to: [a]) { transaction in
            try transaction.enumerate("A") { _, new in try transaction.delete(try #require(new)) }
            #expect(try visited("A", in: transaction).isEmpty)
        }
    }

    @Test func `visits the rest where objects were deleted and others created`() throws {
        let migrated = try realm().migrated(to: [a]) { transaction in
            try transaction.enumerate("A") { _, new in
                let new = try #require(new)
                guard try transaction.value("n", of: new) == .int(2) else { return }
                try transaction.delete(new)
                _ = try transaction.create(in: "A", .members([("n", .int(10))]))
            }
            #expect(try visited("A", in: transaction) == pairs([1, 3]))
        }
        #expect(try migrated.values("A", "n") == [.int(1), .int(3), .int(10)])
    }

    @Test func `visits nothing when each object was replaced by another`() throws {
        let migrated = try realm().migrated(to: [a]) { transaction in
            try transaction.enumerate("A") { _, new in
                try transaction.delete(try #require(new))
                _ = try transaction.create(in: "A", .members([("n", .int(0))]))
            }
            #expect(try visited("A", in: transaction).isEmpty)
        }
        #expect(try migrated.values("A", "n") == [.int(0), .int(0), .int(0)])
    }

    @Test(arguments: [false, true])
    func `visits nothing after the data was deleted, even if objects were created then`(creates: Bool) throws {
        let migrated = try realm().migrated(to: [a]) { transaction in
            #expect(try visited("A", in: transaction).count == 3)
            #expect(try transaction.deleteData(of: "A"))
            if creates { _ = try transaction.create(in: "A", .members([("n", .int(4))])) }
            #expect(try visited("A", in: transaction).isEmpty)
        }
        #expect(try migrated.values("A", "n") == (creates ? [.int(4)] : []))
    }

    @Test func `may be nested, of the same class and of another`() throws {
        let source = try TestRealm(
            [a, b], objects: ["A": [["n": .int(1)], ["n": .int(2)]], "B": [["n": .int(5)], ["n": .int(6)]]])
        _ = try source.migrated(to: [a, b]) { transaction in
            var seen: [Value] = []
            try transaction.enumerate("A") { old, _ in
                try transaction.enumerate("B") { _, inner in
                    seen.append(try transaction.value("n", of: try #require(old)))
                    seen.append(try transaction.value("n", of: try #require(inner)))
                }
                try transaction.enumerate("A") { inner, _ in
                    seen.append(try transaction.value("n", of: try #require(inner)))
                }
            }
            #expect(seen == [1, 5, 1, 6, 1, 2, 2, 5, 2, 6, 1, 2].map { .int($0) })
        }
    }

    @Test func `deletes in one enumeration what another goes on to skip`() throws {
        let migrated = try realm([1, 2, 3, 4]).migrated(to: [a]) { transaction in
            var outer: [Value] = []
            try transaction.enumerate("A") { old, _ in
                outer.append(try transaction.value("n", of: try #require(old)))
                try transaction.enumerate("A") { inner, new in
                    guard try transaction.value("n", of: try #require(inner)) == .int(3) else { return }
                    try transaction.delete(try #require(new))
                }
            }
            #expect(outer == [.int(1), .int(2), .int(4)])
        }
        #expect(try migrated.values("A", "n") == [.int(1), .int(2), .int(4)])
    }

    @Test func `goes over a class whose objects become embedded`() throws {
        let part = ObjectSchema("Part", properties: [Property("n", .int)])
        let whole = ObjectSchema(
            "Whole", properties: [Property("part", .object, objectType: "Part", isOptional: true)])
        let source = try TestRealm(
            [part, whole],
            objects: [
                "Part": [["n": .int(1)], ["n": .int(2)]],
                "Whole": [["part": .link(ObjectKey(0))], ["part": .link(ObjectKey(1))]],
            ])
        let embedded = ObjectSchema("Part", kind: .embedded, properties: part.properties)
        _ = try source.migrated(to: [embedded, whole]) { transaction in
            let seen = try visited("Part", in: transaction)
            #expect(seen == pairs([1, 2]))
        }
    }

    @Test func `sees the old value of what was set on the new object`() throws {
        _ = try realm().migrated(to: [a]) { transaction in
            try transaction.enumerate("A") { _, new in try transaction.set("n", of: try #require(new), to: .int(0)) }
            #expect(
                try visited("A", in: transaction) == [[.int(1), .int(0)], [.int(2), .int(0)], [.int(3), .int(0)]])
        }
    }

    @Test func `does not let old objects be written or deleted`() throws {
        let text = "Cannot modify the old realm: its objects are read only in a migration."
        let setting = try realm().failure(to: [a]) { transaction in
            try transaction.enumerate("A") { old, _ in try transaction.set("n", of: try #require(old), to: .int(0)) }
        }
        let deleting = try realm().failure(to: [a]) { transaction in
            try transaction.enumerate("A") { old, _ in try transaction.delete(try #require(old)) }
        }
        #expect(setting == text)
        #expect(deleting == text)
    }
}
