import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Values of an object that are parted among several others, of which each has some.
struct PartedObjectsTests {
    private static let count = 10

    /// The classes that the values of an object move to.
    enum Shape: CaseIterable {
        case embedded, linked, linkedInTurn, halfEmbedded, halfLinked
    }

    private static func texts(_ names: [String]) -> [Property] { names.map { Property($0, .string) } }

    private static func part(_ name: String, _ target: String) -> Property {
        Property(name, .object, objectType: target, isOptional: true)
    }

    private static func link(_ row: Int) -> Value { .link(ObjectKey(Int64(row))) }

    /// An owner with a part that has three values.
    private static func before(_ kind: ClassKind) -> [ClassRows] {
        let rows = 0..<count
        let parts = rows.map { row in ["a", "b", "c"].map { Value.string("\($0)\(row)") } }
        return [
            ClassRows("P", [part("e", "E")], rows.map { [link($0)] }),
            ClassRows("E", kind: kind, texts(["a", "b", "c"]), parts),
        ]
    }

    /// The same values in two objects, or in one and a property.
    private static func after(_ shape: Shape, _ areExchanged: (Int) -> Bool) -> [ClassRows] {
        let rows = 0..<count
        func text(_ name: String, _ row: Int) -> Value {
            .string("\(!areExchanged(row) || name == "c" ? name : name == "a" ? "b" : "a")\(row)")
        }
        let kind: ClassKind = [.embedded, .halfEmbedded].contains(shape) ? .embedded : .topLevel
        let first = ClassRows("F", kind: kind, texts(["a", "c"]), rows.map { [text("a", $0), text("c", $0)] })
        let second = ClassRows("G", kind: kind, texts(["b"]), rows.map { [text("b", $0)] })
        switch shape {
        case .embedded, .linked:
            return [
                ClassRows("P", [part("f", "F"), part("g", "G")], rows.map { [link($0), link($0)] }), first, second,
            ]
        case .linkedInTurn:
            let both = ClassRows(
                "F", texts(["a", "c"]) + [part("g", "G")], rows.map { [text("a", $0), text("c", $0), link($0)] })
            return [ClassRows("P", [part("f", "F")], rows.map { [link($0)] }), both, second]
        case .halfEmbedded, .halfLinked:
            return [
                ClassRows("P", [part("f", "F")] + texts(["b"]), rows.map { [link($0), text("b", $0)] }), first,
            ]
        }
    }

    private static func told(_ before: [ClassRows], _ after: [ClassRows]) throws -> Set<String> {
        Set(try Rehearsal(before, after).losses.map { "\($0.className).\($0.property ?? "") \($0.kind)" })
    }

    @Test(arguments: Shape.allCases, [ClassKind.embedded, .topLevel])
    func `are all there, and keep their names`(shape: Shape, kind: ClassKind) throws {
        let before = Self.before(kind)
        #expect(try Self.told(before, Self.after(shape) { _ in false }) == [])
        #expect(try Self.told(before, Self.after(shape) { _ in true }) == ["P.e exchanged"])
        #expect(try Self.told(before, Self.after(shape) { $0 < 3 }) == ["P.e exchanged"])
    }

    @Test(arguments: Shape.allCases) func `are copied while the object of a link stays`(shape: Shape) throws {
        let before = Self.before(.topLevel)
        #expect(try Self.told(before, Self.after(shape) { _ in false } + [before[1]]) == [])
        #expect(try Self.told(before, Self.after(shape) { _ in true } + [before[1]]) == ["P.e exchanged"])
    }

    @Test(arguments: [true, false]) func `are no copies beside a link to another object`(isInOwner: Bool) throws {
        let before = Self.before(.topLevel)
        func told(_ other: (Int) -> Int) throws -> Set<String> {
            let rows = 0..<Self.count
            let copies = before[1].rows
            let names = ["a", "b", "c"]
            let owner = ClassRows(
                "P", [Self.part("w", "W")] + (isInOwner ? Self.texts(names) : []),
                rows.map { [Self.link($0)] + (isInOwner ? copies[$0] : []) })
            let wrap = ClassRows(
                "W", [Self.part("e", "E")] + (isInOwner ? [] : Self.texts(names)),
                rows.map { [Self.link(other($0))] + (isInOwner ? [] : copies[$0]) })
            return try Self.told(before, [owner, wrap, before[1]])
        }
        #expect(try told { $0 } == [])
        #expect(try told { ($0 + 1) % Self.count } == ["P.e dropped"])
    }

    // MARK: Pairs

    /// Where keys and their values are: in embedded or linked pairs, a dictionary, or properties.
    enum Holder: CaseIterable {
        case embeddedPairs, linkedPairs, dictionary, properties
    }

    private static let keys = ["k1", "k2", "k3"]

    private static func pairs(_ holder: Holder, _ areExchanged: (Int) -> Bool = { _ in false }) -> [ClassRows] {
        let values = (0..<count).map { row in
            (areExchanged(row) ? [1, 0, 2] : [0, 1, 2]).map { Value.string("v\($0) of \(row)") }
        }
        switch holder {
        case .properties: return [ClassRows("P", texts(keys), values)]
        case .dictionary:
            return [
                ClassRows(
                    "P", [Property("d", .string, collection: .dictionary)],
                    values.map { [.dictionary(zip(keys, $0).map { DictionaryEntry($0, $1) })] })
            ]
        case .embeddedPairs, .linkedPairs:
            let property = Property("pairs", .object, collection: .list, objectType: "KV")
            let pairs = values.flatMap { values in zip(keys, values).map { [Value.string($0), $1] } }
            return [
                ClassRows("P", [property], (0..<count).map { row in [.list((0..<3).map { link(3 * row + $0) })] }),
                ClassRows("KV", kind: holder == .linkedPairs ? .topLevel : .embedded, texts(["key", "value"]), pairs),
            ]
        }
    }

    @Test(arguments: Holder.allCases, Holder.allCases)
    func `of pairs stay with their keys`(old: Holder, new: Holder) throws {
        let isOfPairs = [Holder.embeddedPairs, .linkedPairs].contains(old)
        let staysPairs = isOfPairs && [Holder.embeddedPairs, .linkedPairs].contains(new)
        guard old != new, !staysPairs else { return }
        func told(_ areExchanged: (Int) -> Bool) throws -> (losses: Set<String>, replaced: Int) {
            let rehearsal = try Rehearsal(Self.pairs(old), Self.pairs(new, areExchanged))
            return (Set(rehearsal.losses.map { "\($0.kind)" }), rehearsal.untold.replaced)
        }
        let right = try told { _ in false }
        #expect(right.losses == [] && right.replaced == 0)
        for strays in [3, Self.count] {
            let found = try told { $0 < strays }.losses
            #expect(found == ["exchanged"] || found == ["dropped"] && new == .linkedPairs)
        }
    }

    /// Keys of their own in each object, which a dictionary has in another order than a list, while the class of the pairs stays.
    @Test func `of pairs have no order in a dictionary`() throws {
        let linked = Self.pairs(.linkedPairs)
        func key(_ row: Int, _ number: Int) -> String { "key\((row * 31 + number * 17) % 100) \(row)" }
        var pairs = linked[1]
        for row in 0..<Self.count {
            for number in 0..<3 { pairs.rows[3 * row + number][0] = .string(key(row, number)) }
        }
        func told(_ areExchanged: (Int) -> Bool) throws -> Rehearsal {
            let rows = (0..<Self.count).map { row -> [Value] in
                let values = areExchanged(row) ? [1, 0, 2] : [0, 1, 2]
                let entries = (0..<3).map { DictionaryEntry(key(row, $0), pairs.rows[3 * row + values[$0]][1]) }
                return [.dictionary(entries.sorted { $0.key < $1.key })]
            }
            let after = ClassRows("P", [Property("d", .string, collection: .dictionary)], rows)
            return try Rehearsal([linked[0], pairs], [after, pairs])
        }
        let right = try told { _ in false }
        #expect(right.losses == [] && right.untold.replaced == 0)
        #expect(try told { $0 < 3 }.losses.map(\.objects.count) == [3])
    }

    @Test func `of flags are told where other objects of their list get them`() throws {
        func replaced(_ shift: (Int) -> Int) throws -> Int {
            let objects: [[Value]] = (0..<2 * Self.count).map { [.bool($0 % 3 == 0), .string("s\($0)")] }
            let owners = (0..<Self.count).map { [Value.list([Self.link(2 * $0), Self.link(2 * $0 + 1)])] }
            let before = [
                ClassRows("P", [Property("e", .object, collection: .list, objectType: "E")], owners),
                ClassRows("E", kind: .embedded, [Property("a", .bool), Property("s", .string)], objects),
            ]
            let lists = (0..<Self.count).map { row -> [Value] in
                let numbers = [2 * row, 2 * row + 1]
                return [.list(numbers.map { objects[shift($0)][0] }), .list(numbers.map { objects[$0][1] })]
            }
            let properties = [
                Property("flags", .bool, collection: .list), Property("texts", .string, collection: .list),
            ]
            return try Rehearsal(before, [ClassRows("P", properties, lists)]).untold.replaced
        }
        let right = try replaced { $0 }
        #expect(try replaced { $0 ^ 1 } > right)
        #expect(try replaced { $0 < 2 ? $0 ^ 1 : $0 } > right)
    }
}
