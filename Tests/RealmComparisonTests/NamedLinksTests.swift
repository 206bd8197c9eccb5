import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Values that become links to objects that have them, and links that become such values.
struct NamedLinksTests {
    private static let count = 12

    /// How the objects are known by which values stand for links.
    enum Name: CaseIterable {
        case number, text, numberInText
    }

    /// The objects that links lead to.
    private static func people(_ total: Int) -> ClassRows {
        ClassRows(
            "A", [Property("tag", .string), Property("no", .int), Property("name", .string)],
            (0..<total).map { [.string("t\($0 % 2)"), .int(Int64(1_003 + 37 * $0)), .string("name\($0)")] })
    }

    private static func value(_ name: Name, _ number: Int) -> Value {
        switch name {
        case .number: .int(Int64(1_003 + 37 * number))
        case .text: .string("name\(number)")
        case .numberInText: .string("\(1_003 + 37 * number)")
        }
    }

    private static func owners(_ shape: CollectionKind, _ property: Property, _ value: (Int) -> Value) -> ClassRows {
        ClassRows(
            "P", [property],
            (0..<count).map { row in
                switch shape {
                case .none: [value(row)]
                case .dictionary:
                    [.dictionary([DictionaryEntry("x", value(row)), DictionaryEntry("y", value(row + 1))])]
                default: [.list([value(row), value(row + 1)])]
                }
            })
    }

    private static func links(
        _ shape: CollectionKind, _ name: String, _ total: Int, by shift: (Int) -> Int = { $0 }
    ) -> ClassRows {
        let isOptional = shape == .none || shape == .dictionary
        let property = Property(name, .object, collection: shape, objectType: "A", isOptional: isOptional)
        return owners(shape, property) { .link(ObjectKey(Int64(shift($0) % total))) }
    }

    private static func names(
        _ shape: CollectionKind, _ property: String, _ name: Name, _ total: Int, by shift: (Int) -> Int = { $0 }
    ) -> ClassRows {
        let type: PropertyType = name == .number ? .int : .string
        return owners(shape, Property(property, type, collection: shape)) { value(name, shift($0) % total) }
    }

    /// Whether nothing is told of a migration, neither a loss nor a value that nobody can judge.
    private static func isQuiet(_ before: ClassRows, _ after: ClassRows, _ people: ClassRows) throws -> Bool {
        let rehearsal = try Rehearsal([before, people], [after, people])
        let told = rehearsal.losses.filter { $0.kind != .unfilled }
        return told.isEmpty && rehearsal.untold.replaced == 0 && rehearsal.untold.few == 0
    }

    private static let shapes: [CollectionKind] = [.none, .list, .dictionary]
    /// To the next object: of all, of half of them, of one.
    private static let shifts: [@Sendable (Int) -> Int] = [
        { $0 + 1 }, { $0 % 2 == 0 ? $0 + 1 : $0 }, { $0 == 5 ? $0 + 1 : $0 },
    ]

    /// One of two links to an object moves, and the other one is gone in every second object.
    @Test(arguments: [CollectionKind.none, .list, .set])
    func `are counted as often as they were`(shape: CollectionKind) throws {
        func owners(_ names: [String], lost: Bool) -> ClassRows {
            let second = Property(names[1], .object, collection: shape, objectType: "A", isOptional: shape == .none)
            return ClassRows(
                "P", [Property(names[0], .object, objectType: "A", isOptional: true), second],
                (0..<Self.count).map { row in
                    let link = Value.link(ObjectKey(Int64(row % 3)))
                    return [lost && row % 2 == 1 ? .null : link, shape == .none ? link : .list([link])]
                })
        }
        let before = owners(["author", "reviewer"], lost: false)
        #expect(try Self.isQuiet(before, owners(["writer", "checker"], lost: false), Self.people(3)))
        #expect(try !Self.isQuiet(before, owners(["writer", "checker"], lost: true), Self.people(3)))
    }

    @Test(arguments: shapes, Name.allCases)
    func `lead to the objects that have the values`(shape: CollectionKind, name: Name) throws {
        for (property, total) in [("d", 14), ("e", 14), ("d", 4), ("e", 4)] {
            let (before, people) = (Self.names(shape, "d", name, total), Self.people(total))
            #expect(try Self.isQuiet(before, Self.links(shape, property, total), people))
            for shift in Self.shifts {
                #expect(try !Self.isQuiet(before, Self.links(shape, property, total, by: shift), people))
            }
        }
    }

    @Test(arguments: shapes, Name.allCases)
    func `become the values of their objects`(shape: CollectionKind, name: Name) throws {
        for (property, total) in [("d", 14), ("e", 14), ("d", 4), ("e", 4)] {
            let (before, people) = (Self.links(shape, "d", total), Self.people(total))
            #expect(try Self.isQuiet(before, Self.names(shape, property, name, total), people))
            for shift in Self.shifts {
                #expect(try !Self.isQuiet(before, Self.names(shape, property, name, total, by: shift), people))
            }
        }
    }

    @Test func `of which no object has the value lose it, and no others do`() throws {
        let before = Self.owners(.none, Property("d", .int, isOptional: true)) { row in
            row == 2 ? .null : Self.value(.number, row == 7 ? 99 : row)
        }
        for (name, kind) in [("d", Rehearsal.Loss.Kind.null), ("e", .dropped)] {
            let after = Self.owners(.none, Property(name, .object, objectType: "A", isOptional: true)) { row in
                row == 2 || row == 7 ? .null : .link(ObjectKey(Int64(row)))
            }
            let people = Self.people(14)
            let losses = try Rehearsal([before, people], [after, people]).losses
            #expect(losses.map(\.kind) == [kind] && losses.first?.objects == NamedObjects(1, first: [7]))
        }
    }

    @Test func `are none for the values of other objects in every second object`() throws {
        let people = Self.people(24)
        let before = Self.owners(.none, Property("d", .object, objectType: "A", isOptional: true)) { row in
            .link(ObjectKey(Int64(row % 2 + 4 * (row % 3))))
        }
        let after = Self.owners(.none, Property("e", .int)) { row in
            Self.value(.number, row % 2 + 4 * (row % 3) + (row % 2 == 0 ? 2 : 0))
        }
        #expect(try !Self.isQuiet(before, after, people))
    }

    @Test func `are no values that several objects have`() throws {
        var people = Self.people(14)
        people.rows[3][2] = people.rows[4][2]
        let before = Self.links(.none, "d", 14)
        let after = Self.owners(.none, Property("e", .string)) { people.rows[$0][2] }
        let losses = try Rehearsal([before, people], [after, people]).losses
        #expect(losses.map(\.property) == ["d"] && losses.first?.objects == NamedObjects(2, first: [3, 4]))
    }

    @Test func `may be codes for values that no object has`() throws {
        let before = Self.owners(.none, Property("d", .int)) { .int(Int64($0 % 3 + 1)) }
        let after = Self.links(.none, "e", 3)
        #expect(try Self.isQuiet(before, after, Self.people(3)))
    }

    /// Words become links to objects of these names.
    @Test func `are not there where the names are cut`() throws {
        let words = ["Home", "Work", "Garden"]
        let before = ClassRows("T", [Property("category", .string)], (0..<12).map { [.string(words[$0 % 3])] })
        func told(_ name: (String) -> String) throws -> [String] {
            let link = Property("category", .object, objectType: "C", isOptional: true)
            let after = ClassRows("T", [link], (0..<12).map { [.link(ObjectKey(Int64($0 % 3)))] })
            let categories = ClassRows("C", [Property("name", .string)], words.map { [.string(name($0))] })
            return try Rehearsal([before], [after, categories]).losses.map { "\($0.className).\($0.property ?? "")" }
        }
        #expect(try told { $0 } == [])
        #expect(try told { $0.uppercased() } == [])
        #expect(try told { String($0.prefix(3)) } == ["T.category"])
    }
}
