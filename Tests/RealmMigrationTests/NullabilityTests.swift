import Columns
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Changing nullability` {
    static let scalars: [(type: PropertyType, value: Value)] = [
        (.int, .int(7)), (.bool, .bool(true)), (.float, .float(0.5)), (.double, .double(1.25)),
        (.string, .string("text")), (.data, .data([1, 2])), (.date, .date(Timestamp(seconds: 1, nanoseconds: 2))),
        (.decimal128, .decimal128(Decimal128(low: 5, high: 0x3040_0000_0000_0000))),
        (.objectId, .objectId(ObjectId(bytes: Array(1...12)) ?? .zero)),
        (.uuid, .uuid(UUID(bytes: Array(1...16)) ?? .zero)),
    ]

    private let keep = DeclaredMigration(nullability: .keep)

    private func schema(_ property: Property) -> [ObjectSchema] { [ObjectSchema("A", properties: [property])] }

    @Test(arguments: 0..<scalars.count)
    func `to optional keeps the values, a collection's elements too`(index: Int) throws {
        let (type, value) = Self.scalars[index]
        for (collection, cell) in [
            (CollectionKind.none, value), (.list, .list([value, value])), (.set, .list([value])),
            (.dictionary, .dictionary([DictionaryEntry("k", value)])),
        ] {
            let source = try TestRealm(
                schema(Property("p", type, collection: collection)), objects: ["A": [["p": cell], ["p": cell], [:]]])
            let optional = Property("p", type, collection: collection, isOptional: true)
            let migrated = try source.migrated(to: schema(optional))
            let empty = Property("p", type, collection: collection).initialValue
            #expect(try migrated.values("A", "p") == [cell, cell, empty])
            #expect(migrated.snapshot.storedSchema.classes[0].properties[0].isOptional)
        }
    }

    @Test(arguments: 0..<scalars.count, [false, true])
    func `to required resets every value, also those that are not null`(index: Int, runsScript: Bool) throws {
        let (type, value) = Self.scalars[index]
        let source = try TestRealm(
            schema(Property("p", type, isOptional: true)), objects: ["A": [["p": .null], ["p": value], ["p": value]]])
        let migrated = try source.migrated(
            to: schema(Property("p", type)),
            script: runsScript
                ? { transaction in
                    try transaction.enumerate("A") { old, new in
                        #expect(try transaction.value("p", of: try #require(new)) == type.zero)
                        guard try #require(old).key.value == 2 else { return }
                        #expect(try transaction.value("p", of: try #require(old)) == value)
                    }
                } : nil)
        #expect(try migrated.values("A", "p") == [type.zero, type.zero, type.zero])
    }

    @Test(arguments: [CollectionKind.list, .set, .dictionary])
    func `to required empties a collection`(collection: CollectionKind) throws {
        let source = try TestRealm(
            schema(Property("p", .int, collection: collection, isOptional: true)),
            objects: [
                "A": [
                    ["p": collection == .dictionary ? .dictionary([DictionaryEntry("k", .int(1))]) : .list([.int(1)])]
                ]
            ])
        let required = Property("p", .int, collection: collection)
        #expect(try source.migrated(to: schema(required)).values("A", "p") == [required.initialValue])
    }

    // MARK: nullability: keep

    @Test(arguments: 0..<scalars.count)
    func `with keep leaves every value where it is`(index: Int) throws {
        let (type, value) = Self.scalars[index]
        let source = try TestRealm(
            schema(Property("p", type, isOptional: true)),
            objects: ["A": [["p": value], ["p": value], ["p": type.zero]]])
        let migrated = try source.migrated(to: schema(Property("p", type)), options: keep)
        #expect(try migrated.values("A", "p") == [value, value, type.zero])
        #expect(!migrated.snapshot.storedSchema.classes[0].properties[0].isOptional)
    }

    @Test(arguments: [1, 2, 16_384])
    func `with keep fails with the number of nulls and the first ten keys`(rows: Int) throws {
        let source = try TestRealm(
            schema(Property("p", .int, isOptional: true)),
            objects: ["A": (0..<40).map { ["p": $0 % 3 == 0 ? .null : .int($0)] }],
            limits: .init(rows: rows, bytes: 1 << 20))
        let error = try source.failed(to: schema(Property("p", .int)), options: keep)
        #expect(error.message == "Property 'A.p' cannot be made required: it is null in 14 objects.")
        #expect(error.code == .migrationFailed)
        #expect(error.details.map(\.key) == (0..<10).map { ObjectKey($0 * 3) })
        #expect(
            error.details.allSatisfy { $0.className == "A" && $0.property == "p" && $0.message == "The value is null." }
        )
    }

    @Test func `with keep names one object as one`() throws {
        let source = try TestRealm(
            schema(Property("p", .int, isOptional: true)), objects: ["A": [["p": .int(1)], ["p": .null]]])
        #expect(
            try source.failure(to: schema(Property("p", .int)), options: keep)
                == "Property 'A.p' cannot be made required: it is null in 1 object.")
    }

    @Test(arguments: [CollectionKind.list, .set, .dictionary])
    func `with keep minds the elements of a collection`(collection: CollectionKind) throws {
        func cell(_ values: [Value]) -> Value {
            guard collection == .dictionary else { return .list(ValueOrder.sortedUnique(values)) }
            return .dictionary(values.enumerated().map { DictionaryEntry("k\($0)", $1) })
        }
        let optional = schema(Property("p", .int, collection: collection, isOptional: true))
        let required = schema(Property("p", .int, collection: collection))
        let full = try TestRealm(optional, objects: ["A": [["p": cell([.int(1), .int(2)])], ["p": cell([])]]])
        #expect(
            try full.migrated(to: required, options: keep).values("A", "p") == [cell([.int(1), .int(2)]), cell([])])
        let holed = try TestRealm(optional, objects: ["A": [["p": cell([])], ["p": cell([.int(1), .null])]]])
        let error = try holed.failed(to: required, options: keep)
        #expect(error.message == "Property 'A.p' cannot be made required: it is null in 1 object.")
        #expect(error.details.map(\.key) == [ObjectKey(1)])
    }

    @Test func `with keep succeeds where the script fills the nulls`() throws {
        let source = try TestRealm(
            schema(Property("p", .int, isOptional: true)), objects: ["A": [["p": .null], ["p": .int(5)], ["p": .null]]])
        let migrated = try source.migrated(to: schema(Property("p", .int)), options: keep) { transaction in
            try transaction.enumerate("A") { old, new in
                guard try transaction.value("p", of: try #require(old)).isNull else { return }
                try transaction.set("p", of: try #require(new), to: .int(-1))
            }
        }
        #expect(try migrated.values("A", "p") == [.int(-1), .int(5), .int(-1)])
    }

    @Test func `with keep succeeds where the script deletes the objects that have nulls`() throws {
        let source = try TestRealm(
            schema(Property("p", .int, isOptional: true)), objects: ["A": [["p": .null], ["p": .int(5)], ["p": .null]]])
        let migrated = try source.migrated(to: schema(Property("p", .int)), options: keep) { transaction in
            try transaction.enumerate("A") { _, new in
                if try transaction.value("p", of: try #require(new)).isNull {
                    try transaction.delete(try #require(new))
                }
            }
        }
        #expect(try migrated.values("A", "p") == [.int(5)])
    }

    @Test func `with keep lets a column be filled in more than one go`() throws {
        let source = try TestRealm(
            schema(Property("p", .int, isOptional: true)), objects: ["A": [["p": .null], ["p": .null]]])
        let migrated = try source.migrated(to: schema(Property("p", .int)), options: keep) { transaction in
            try transaction.replaceColumn(
                0, of: 0, rowGroup: 0, with: try ColumnArray([.int(1), .null], as: ColumnType(.int)))
            try transaction.replaceColumn(
                0, of: 0, rowGroup: 0, with: try ColumnArray([.int(1), .int(2)], as: ColumnType(.int)))
        }
        #expect(try migrated.values("A", "p") == [.int(1), .int(2)])
    }

    @Test func `without keep takes no null in a required column`() throws {
        let source = try TestRealm(schema(Property("p", .int)), objects: ["A": [["p": .int(1)]]])
        let text = try source.failure(to: schema(Property("p", .int))) { transaction in
            try transaction.replaceColumn(0, of: 0, rowGroup: 0, with: try ColumnArray([.null], as: ColumnType(.int)))
        }
        let set = try source.failure(to: schema(Property("p", .int)), options: keep) { transaction in
            try transaction.set("p", of: transaction.reference("A", 0), to: .null)
        }
        #expect(text == "Invalid null value for non-nullable property 'A.p'.")
        #expect(set == text)
    }

    @Test func `with keep lets null stand in a primary key that becomes required no more than elsewhere`() throws {
        let optional = ObjectSchema("A", primaryKey: "p", properties: [Property("p", .int, isOptional: true)])
        let required = ObjectSchema("A", primaryKey: "p", properties: [Property("p", .int)])
        let full = try TestRealm([optional], objects: ["A": [["p": .int(1)], ["p": .int(2)]]])
        #expect(try full.migrated(to: [required], options: keep).values("A", "p") == [.int(1), .int(2)])
        let holed = try TestRealm([optional], objects: ["A": [["p": .int(1)], ["p": .null]]])
        #expect(
            try holed.failure(to: [required], options: keep)
                == "Property 'A.p' cannot be made required: it is null in 1 object.")
    }
}
