import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel
import Testing

/// The files that hold every type in every form of leaf, against the values that Realm Core returns for them.
struct AllTypesTests {
    private static let folder = SharedFiles.root?.appending(path: "realms/generated")

    @Test(
        .enabled(if: folder != nil, "shared files are missing"),
        arguments: ["all-types-v24.realm", "all-types-v24-compact.realm"])
    func `reads every type in every form`(_ name: String) throws {
        let folder = try #require(Self.folder)
        let realm = try ReadRealm(try SharedFiles.bytes(folder.appending(path: name)))
        let truth = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "all-types-v24.json")))
        #expect(realm.snapshot.schemaVersion == 7)
        var cells = 0
        for stored in realm.snapshot.classes {
            let table = try #require(truth["class_" + stored.schema.name])
            try checkColumns(of: stored.schema, against: table)
            let objects = try #require(realm.objects[stored.schema.name])
            let expected = try #require(table["objs"]?.members)
            #expect(objects.map { String($0.key) } == expected.map(\.name))
            for (object, expected) in zip(objects, expected) {
                for (property, value) in zip(stored.schema.properties, object.values) {
                    let wanted = try #require(expected.value[property.name])
                    let read = TruthCoding(tables: truth).encode(value, of: property)
                    #expect(TruthCoding.isSame(read, wanted), "\(stored.schema.name)[\(object.key)].\(property.name)")
                    cells += 1
                }
            }
        }
        print("\(name): \(cells) cells compared")
    }

    private func checkColumns(of schema: ObjectSchema, against table: JSONValue) throws {
        #expect(schema.primaryKey == table["pk"]?.string)
        #expect(schema.kind == (table["type"] == 1 ? .embedded : .topLevel))
        let columns = try #require(table["cols"]?.elements)
        #expect(schema.properties.map(\.name) == columns.compactMap { $0.elements?.first?.string })
        for (property, column) in zip(schema.properties, columns) {
            let column = try #require(column.elements)
            #expect(property.isOptional == (column[2] == 1), "\(schema.name).\(property.name)")
            let flags: [(CollectionKind, JSONValue)] = [
                (.list, column[3]), (.set, column[4]), (.dictionary, column[5]),
            ]
            let collection = flags.first { $0.1 == 1 }?.0 ?? CollectionKind.none
            #expect(property.collection == collection)
            let target = property.objectType.map { "class_" + $0 } ?? ""
            #expect(target == column[6].string)
            let isIndexed = property.index != .none || property.name == schema.primaryKey
            #expect(isIndexed == (column[7] == 1))
        }
    }
}

/// The coding of values of the file beside `all-types-v24`, REALM_FORMAT section 22.
struct TruthCoding {
    let tables: JSONValue

    func encode(_ value: Value, of property: Property) -> JSONValue {
        switch value {
        case .list(let elements): .array(elements.map { encode($0, of: property) })
        case .dictionary(let entries):
            .object(entries.map { JSONMember(Hexadecimal.encode($0.key.utf8), encode($0.value, of: property)) })
        case .link(let key): .string(link(to: property.objectType ?? "", key))
        case .typedLink(let name, let key): .string(link(to: name, key))
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        case .string(let text): .string("s:" + Hexadecimal.encode(text.utf8))
        case .data(let bytes): .string("b:" + Hexadecimal.encode(bytes))
        case .date(let date): .string("t:\(date.seconds):\(date.nanoseconds)")
        case .decimal128(let number): .string("d:\(number)")
        case .objectId(let id): .string("o:\(id)")
        case .uuid(let id): .string("u:\(id)")
        case .float(let number): .string("f:" + Self.hexadecimal(UInt64(number.bitPattern), digits: 8))
        case .double(let number): .string("g:" + Self.hexadecimal(number.bitPattern, digits: 16))
        }
    }

    /// Decimals are the same if their bits are, whatever the text.
    static func isSame(_ lhs: JSONValue, _ rhs: JSONValue) -> Bool {
        switch (lhs, rhs) {
        case (.array(let lhs), .array(let rhs)): lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isSame($0, $1) }
        case (.object(let lhs), .object(let rhs)):
            lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.name == $1.name && isSame($0.value, $1.value) }
        case (.string(let lhs), .string(let rhs)) where lhs.hasPrefix("d:"):
            rhs.hasPrefix("d:") && Decimal128(String(lhs.dropFirst(2))) == Decimal128(String(rhs.dropFirst(2)))
        default: lhs == rhs
        }
    }

    private func link(to className: String, _ key: ObjectKey) -> String {
        "l:\(tables["class_" + className]?["key"]?.int ?? -1):\(key.value)"
    }

    private static func hexadecimal(_ bits: UInt64, digits: Int) -> String {
        let text = String(bits, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
