import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `What a script writes` {
    private func changed(
        _ property: Property, _ value: Value? = nil,
        _ body: @escaping (MigrationTransaction, ObjectReference) throws -> Void
    ) throws -> Value {
        let classes = [ObjectSchema("A", properties: [property])]
        let source = try TestRealm(classes, objects: ["A": [["p": value ?? property.initialValue]]])
        return try source.migrated(to: classes) { try body($0, $0.reference("A", 0)) }.values("A", "p")[0]
    }

    private func failure(
        _ property: Property, _ body: @escaping (MigrationTransaction, ObjectReference) throws -> Void
    ) throws -> MigrationError {
        try #require(#expect(throws: MigrationError.self) { try changed(property, nil, body) })
    }

    @Test(arguments: [("$a", "start with '$'"), ("a.b", "contain '.'"), (".", "contain '.'")])
    func `has no keys of dictionaries that Realm refuses`(key: String, fault: String) throws {
        let dictionary = Property("p", .int, collection: .dictionary)
        let mixed = Property("p", .mixed, isOptional: true)
        let members = ObjectInput.members([(key, .int(1))])
        let errors = [
            try failure(dictionary) { try $0.setEntry(key, of: 0, of: $1, to: .int(1)) },
            try failure(dictionary) { try $0.set(0, of: $1, to: members) },
            try failure(mixed) { try $0.set(0, of: $1, to: .array([members])) },
        ]
        for error in errors {
            #expect(error.message == "Dictionary::insert: key must not \(fault)")
            #expect(error.code == .invalidDictionaryKey)
        }
    }

    @Test(arguments: ["", "a$", "a"])
    func `has all other keys`(key: String) throws {
        let written = try changed(Property("p", .int, collection: .dictionary)) {
            try $0.setEntry(key, of: 0, of: $1, to: .int(1))
        }
        #expect(written == .dictionary([DictionaryEntry(key, .int(1))]))
    }

    @Test(arguments: [PropertyType.string, .mixed])
    func `is not longer than Realm's strings and data`(type: PropertyType) throws {
        let property = Property("p", type, isOptional: true)
        let longest = String(repeating: "x", count: RealmLimits.stringBytes)
        #expect(try changed(property) { try $0.set(0, of: $1, to: .string(longest)) } == .string(longest))
        let text = try failure(property) { try $0.set(0, of: $1, to: .string(longest + "x")) }
        #expect(text.message == "String too big")
        let bytes = [UInt8](repeating: 0, count: RealmLimits.dataBytes + 1)
        let data = try failure(Property("p", .data)) { try $0.set(0, of: $1, to: .data(bytes)) }
        #expect(data.message == "Binary too big")
        #expect([text.code, data.code] == [.limitExceeded, .limitExceeded])
    }

    @Test(arguments: [(0.0, -0.0), (-0.0, 0.0)])
    func `is not written over an equal number`(old: Double, new: Double) throws {
        let (kept, input) = (Value.double(old), ObjectInput.double(new))
        #expect(try changed(Property("p", .double), kept) { try $0.set(0, of: $1, to: input) } == kept)
        #expect(try changed(Property("p", .mixed, isOptional: true), kept) { try $0.set(0, of: $1, to: input) } == kept)
        let list = try changed(Property("p", .double, collection: .list), .list([kept])) {
            try $0.setElement(0, of: 0, of: $1, to: input)
        }
        #expect(list == .list([kept]))
        let replaced = try changed(Property("p", .double, collection: .list), .list([kept])) {
            try $0.set(0, of: $1, to: .array([input]))
        }
        #expect(replaced == .list([.double(new)]))
        let entries = [DictionaryEntry("k", kept)]
        let dictionary = try changed(Property("p", .double, collection: .dictionary), .dictionary(entries)) {
            try $0.setEntry("k", of: 0, of: $1, to: input)
        }
        #expect(dictionary == .dictionary(entries))
    }

    @Test func `is written over an equal decimal that stands alone, and over no other`() throws {
        let old = Value.decimal128(try #require(Decimal128("1.0")))
        let number = try #require(Decimal128("1.00"))
        #expect(
            try changed(Property("p", .decimal128), old) { try $0.set(0, of: $1, to: .decimal128(number)) }
                == .decimal128(number))
        #expect(
            try changed(Property("p", .mixed, isOptional: true), old) { try $0.set(0, of: $1, to: .decimal128(number)) }
                == old)
        #expect(
            try changed(Property("p", .mixed, isOptional: true), .int(1)) {
                try $0.set(0, of: $1, to: .decimal128(number))
            } == .decimal128(number))
        let list = try changed(Property("p", .decimal128, collection: .list), .list([old])) {
            try $0.setElement(0, of: 0, of: $1, to: .decimal128(number))
        }
        #expect(list == .list([old]))
    }
}
