import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Links to a class that is gone, or for which links to another class stand: its objects are parts of those that link to them.
struct LinkedPartsTests {
    private static let count = 12

    /// Links of each object: the numbers of the objects to which they lead, two of each but for single links.
    private static func links(_ shape: CollectionKind, of row: Int, by shift: (Int) -> Int = { $0 }) -> Value {
        func link(_ number: Int) -> Value { .link(ObjectKey(Int64(shift(number)))) }
        return switch shape {
        case .none: link(row)
        case .dictionary:
            .dictionary([DictionaryEntry("x", link(2 * row)), DictionaryEntry("y", link(2 * row + 1))])
        default: .list([link(2 * row), link(2 * row + 1)])
        }
    }

    private static func owners(
        _ shape: CollectionKind, _ name: String, _ target: String, by shift: (Int) -> Int = { $0 }
    ) -> ClassRows {
        let property = Property(
            name, .object, collection: shape, objectType: target, isOptional: shape == .none || shape == .dictionary)
        return ClassRows("P", [property], (0..<count).map { [links(shape, of: $0, by: shift)] })
    }

    private static func people(_ name: String, _ shape: CollectionKind) -> ClassRows {
        let total = shape == .none ? count : 2 * count
        return ClassRows(
            name, [Property("name", .string), Property("no", .int)],
            (0..<total).map { [.string("name\($0)"), .int(Int64(1_000 + 37 * $0))] })
    }

    @Test func `counts links between objects that are gone, which nobody follows`() throws {
        func ring(_ name: String, isLinked: Bool) -> ClassRows {
            ClassRows(
                name, [Property("name", .string), Property("next", .object, objectType: name, isOptional: true)],
                (0..<Self.count).map { row in
                    let next = Value.link(ObjectKey(Int64((row + 1) % Self.count)))
                    return [.string("name\(row)"), isLinked ? next : .null]
                })
        }
        let before = [Self.owners(.none, "d", "A"), ring("A", isLinked: true)]
        let rehearsal = try Rehearsal(before, [Self.owners(.none, "d", "B"), ring("B", isLinked: false)])
        #expect(rehearsal.untold.replaced == Self.count)
    }

    private static func told(_ rehearsal: Rehearsal) -> [String] {
        rehearsal.losses.compactMap { loss in loss.property.map { "\(loss.className).\($0)" } }
    }

    private static let shapes: [CollectionKind] = [.none, .list, .set, .dictionary]

    @Test(arguments: shapes, ["d", "e"])
    func `are followed to copies of their objects in another class`(shape: CollectionKind, name: String) throws {
        let total = Self.people("A", shape).rows.count
        let renames = name == "d" ? [] : [SchemaRename.property(className: "P", from: "d", to: "e")]
        func told(_ shift: (Int) -> Int) throws -> [String] {
            let before = [Self.owners(shape, "d", "A"), Self.people("A", shape)]
            let after = [Self.owners(shape, name, "B", by: shift), Self.people("B", shape)]
            return Self.told(try Rehearsal(before, after, renames: renames))
        }
        #expect(try told { $0 } == [])
        // The links of each object lead to the copies of the next one's, or those of two do.
        let step = total / Self.count
        #expect(try told { ($0 + step) % total } == ["P.d"])
        #expect(try told { $0 < 2 * step ? ($0 + step) % (2 * step) : $0 } == ["P.d"])
        guard shape != .none else { return }
        // All of the links of an object lead to copies of the objects of its own, in another order or by another key.
        let isTold = shape != .set
        #expect(try told { $0 < 6 ? $0 ^ 1 : $0 } == (isTold ? ["P.d"] : []))
    }

    @Test(arguments: shapes)
    func `are followed to objects that have the values or link to them where their class stays`(
        shape: CollectionKind
    ) throws {
        let people = Self.people("A", shape)
        let total = people.rows.count
        let copies = Self.people("B", shape)
        let roles = ClassRows(
            "B", [Property("person", .object, objectType: "A", isOptional: true)],
            (0..<total).map { [.link(ObjectKey(Int64($0)))] })
        for made in [copies, roles] {
            func told(_ shift: (Int) -> Int) throws -> [String] {
                let after = [Self.owners(shape, "d", "B", by: shift), made, people]
                return Self.told(try Rehearsal([Self.owners(shape, "d", "A"), people], after))
            }
            #expect(try told { $0 } == [])
            #expect(try told { ($0 + total / Self.count) % total } == ["P.d"])
        }
    }

    @Test(arguments: ["d", "e"]) func `are told where there was none`(name: String) throws {
        func filled(_ isFilled: (Int) -> Bool) throws -> Rehearsal.Untold {
            func owners(_ name: String, _ target: String, _ isLinked: (Int) -> Bool) -> ClassRows {
                let property = Property(name, .object, objectType: target, isOptional: true)
                let links = (0..<Self.count).map { isLinked($0) ? Value.link(ObjectKey(Int64($0))) : .null }
                return ClassRows("P", [property], links.map { [$0] })
            }
            let before = [owners("d", "A") { $0 % 3 > 0 }, Self.people("A", .none)]
            return try Rehearsal(before, [owners(name, "B", isFilled), Self.people("B", .none)]).untold
        }
        #expect(try filled { $0 % 3 > 0 }.filled == 0)
        #expect(try filled { $0 % 3 > 0 || $0 == 6 }.filled == 1)
        #expect(try filled { _ in true }.filled == Self.count / 3)
    }

    @Test func `leave those objects alone that nothing linked to`() throws {
        let people = Self.people("A", .none)
        let owner = Property("d", .object, objectType: "A", isOptional: true)
        let before = [ClassRows("P", [owner], (0..<3).map { _ in [.link(ObjectKey(4))] }), people]
        let after = [ClassRows("P", people.schema.properties, (0..<3).map { _ in people.rows[4] })]
        let losses = try Rehearsal(before, after).losses.filter { $0.property == nil }
        #expect(losses.map(\.objects.count) == [Self.count - 1] && losses.first?.objects.keys.contains(4) == false)
    }

    @Test func `are told as links that are null where they are`() throws {
        let people = Self.people("A", .none)
        let property = Property("d", .object, objectType: "B", isOptional: true)
        let after = [
            ClassRows("P", [property], (0..<Self.count).map { [$0 == 3 ? .null : .link(ObjectKey(Int64($0)))] }),
            Self.people("B", .none),
        ]
        let losses = try Rehearsal([Self.owners(.none, "d", "A"), people], after).losses
        #expect(losses.map(\.kind) == [.link] && losses.first?.objects == NamedObjects(1, first: [3]))
    }

    @Test func `are followed to properties of the object itself`() throws {
        let people = Self.people("A", .none)
        func told(_ shift: (Int) -> (Int, Int)) throws -> [String] {
            let rows = (0..<Self.count).map { row in
                [people.rows[shift(row).0][0], people.rows[shift(row).1][1]]
            }
            let after = [ClassRows("P", people.schema.properties, rows)]
            return Self.told(try Rehearsal([Self.owners(.none, "d", "A"), people], after))
        }
        #expect(try told { ($0, $0) } == [])
        #expect(try told { (($0 + 1) % Self.count, ($0 + 1) % Self.count) } == ["P.d"])
        #expect(try told { ($0, ($0 + 1) % Self.count) } == ["P.d"])
    }

    @Test func `say nothing of objects that are too large to be read by each of them`() throws {
        // Each of two objects is linked from all, and they are linked with each other.
        let large = (0..<2_000).map { Value.int($0) }
        let before = [
            ClassRows(
                "P", [Property("d", .object, collection: .list, objectType: "A")],
                (0..<Self.count).map { _ in [.list([.link(ObjectKey(0)), .link(ObjectKey(1))])] }),
            ClassRows(
                "A",
                [
                    Property("all", .int, collection: .list),
                    Property("next", .object, objectType: "A", isOptional: true),
                ],
                (0..<2).map { [.list(large), .link(ObjectKey(1 - $0))] }),
        ]
        let after = [ClassRows("P", [Property("n", .int)], (0..<Self.count).map { [.int(Int64($0))] })]
        let rehearsal = try Rehearsal(before, after)
        // The links between the two are not followed either.
        #expect(Self.told(rehearsal) == [] && rehearsal.untold.replaced == Self.count + 2)
    }

    @Test func `lead from embedded objects to large ones of another class`() throws {
        let numbers = (0..<Self.count).map { row in Value.list((0..<1_500).map { .int(Int64(row * 10_000 + $0)) }) }
        func told(_ shift: (Int) -> Int) throws -> [String] {
            func owners(_ target: String) -> ClassRows {
                let property = Property("e", .object, objectType: target, isOptional: true)
                return ClassRows("P", [property], (0..<Self.count).map { [.link(ObjectKey(Int64($0)))] })
            }
            let all = [Property("all", .int, collection: .list)]
            return Self.told(
                try Rehearsal(
                    [owners("E"), ClassRows("E", kind: .embedded, all, numbers.map { [$0] })],
                    [owners("L"), ClassRows("L", all, numbers.indices.map { [numbers[shift($0)]] })]))
        }
        #expect(try told { $0 } == [])
        #expect(try told { ($0 + 1) % Self.count } == ["P.e"])
    }
}
