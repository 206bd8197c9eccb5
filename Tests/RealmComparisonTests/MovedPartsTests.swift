import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Values that move to embedded and linked objects, lists and texts: each old place has one new place in all objects.
struct MovedPartsTests {
    private static let count = 10

    private static func text(_ name: String, _ row: Int) -> Value { .string("\(name)\(row)") }

    /// What is told of a migration of objects that own or link to others, each made of one.
    private static func told(_ before: [ClassRows], _ after: [ClassRows]) throws -> Set<String> {
        let losses = try Rehearsal(before, after).losses.filter { $0.property != nil }
        return Set(losses.map { "\($0.className).\($0.property ?? "") \($0.kind)" })
    }

    private static func link(_ row: Int) -> Value { .link(ObjectKey(Int64(row))) }

    private static func part(_ name: String, _ target: String, _ shape: CollectionKind = .none) -> Property {
        Property(name, .object, collection: shape, objectType: target, isOptional: shape == .none)
    }

    private static func texts(_ names: [String]) -> [Property] { names.map { Property($0, .string) } }

    // MARK: Names

    @Test(arguments: [ClassKind.embedded, .topLevel], [true, false])
    func `keep their names where two objects, or a property and an object, become one`(
        kind: ClassKind, isProperty: Bool
    ) throws {
        let rows = 0..<Self.count
        let work = ClassRows("F", kind: .embedded, Self.texts(["work"]), rows.map { [Self.text("w", $0)] })
        let home = ClassRows("E", kind: .embedded, Self.texts(["home"]), rows.map { [Self.text("h", $0)] })
        let owner = ClassRows(
            "P", [isProperty ? Property("home", .string) : Self.part("e", "E"), Self.part("f", "F")],
            rows.map { [isProperty ? Self.text("h", $0) : Self.link($0), Self.link($0)] })
        func told(_ areExchanged: (Int) -> Bool) throws -> Set<String> {
            let after = [
                ClassRows("P", [Self.part("g", "G")], rows.map { [Self.link($0)] }),
                ClassRows(
                    "G", kind: kind, Self.texts(["home", "work"]),
                    rows.map { row in ["h", "w"].map { Self.text(($0 == "h") == areExchanged(row) ? "w" : "h", row) } }),
            ]
            return try Self.told([owner, work] + (isProperty ? [] : [home]), after)
        }
        let all: Set = [isProperty ? "P.home exchanged" : "P.e exchanged", "P.f exchanged"]
        #expect(try told { _ in false } == [])
        #expect(try told { _ in true } == all)
        #expect(try told { $0 < 3 } == all)
    }

    // MARK: Elements

    @Test(arguments: [ClassKind.embedded, .topLevel])
    func `stay together where the elements of a list move`(kind: ClassKind) throws {
        let owner = { (name: String, target: String) in
            ClassRows(
                "P", [Self.part(name, target, .list)],
                (0..<Self.count).map { row in [.list((0..<3).map { Self.link(3 * row + $0) })] })
        }
        func elements(_ name: String, _ kind: ClassKind, _ other: (Int) -> Int) -> ClassRows {
            ClassRows(
                name, kind: kind, Self.texts(["s", "t"]),
                (0..<(3 * Self.count)).map { [Self.text("s", $0), Self.text("t", other($0))] })
        }
        func told(_ other: (Int) -> Int) throws -> Set<String> {
            try Self.told(
                [owner("e", "E"), elements("E", .embedded) { $0 }], [owner("f", "F"), elements("F", kind, other)])
        }
        #expect(try told { $0 } == [])
        #expect(try told { $0 / 3 * 3 + ($0 + 1) % 3 } == ["P.e exchanged"])
        #expect(try told { $0 < 6 ? $0 / 3 * 3 + ($0 + 1) % 3 : $0 } == ["P.e exchanged"])
    }

    @Test(arguments: [1, 3]) func `stand before or behind the elements of a list in all objects`(size: Int) throws {
        let lists = (0..<Self.count).map { row in (0..<size).map { Self.text("l", 10 * row + $0) } }
        let before = ClassRows(
            "P", Self.texts(["a"]) + [Property("l", .string, collection: .list)],
            lists.enumerated().map { [Self.text("a", $0), .list($1)] })
        for name in ["l", "k"] {
            func told(_ isBefore: (Int) -> Bool) throws -> Set<String> {
                let rows = lists.enumerated().map { row, list -> [Value] in
                    let value = Self.text("a", row)
                    return [.list(isBefore(row) ? [value] + list : list + [value])]
                }
                return try Self.told([before], [ClassRows("P", [Property(name, .string, collection: .list)], rows)])
            }
            #expect(try told { _ in true } == [])
            #expect(try told { _ in false } == [])
            #expect(try told { $0 < 3 } == ["P.a exchanged", "P.l exchanged"])
        }
    }

    @Test func `of lists of one element each are told apart in a property and a linked object`() throws {
        let rows = 0..<Self.count
        let lists = ["l", "k"].map { Property($0, .string, collection: .list) }
        let before = ClassRows("P", lists, rows.map { [.list([Self.text("x", $0)]), .list([Self.text("y", $0)])] })
        func told(_ areExchanged: (Int) -> Bool) throws -> Set<String> {
            let after = [
                ClassRows(
                    "P", [Property("b", .string), Self.part("r", "L")],
                    rows.map { [Self.text(areExchanged($0) ? "x" : "y", $0), Self.link($0)] }),
                ClassRows("L", Self.texts(["x"]), rows.map { [Self.text(areExchanged($0) ? "y" : "x", $0)] }),
            ]
            return try Self.told([before], after)
        }
        #expect(try told { _ in false } == [])
        #expect(try told { $0 < 3 } == ["P.k exchanged", "P.l exchanged"])
    }

    // MARK: Texts

    @Test(arguments: ["/", " ", ", "]) func `of split texts have one new place each`(separator: String) throws {
        let rows = 0..<Self.count
        let before = ClassRows(
            "P", Self.texts(["t", "q"]),
            rows.map { ["a1\($0)\(separator)b2\($0)", "c3\($0)\(separator)d4\($0)"].map { .string($0) } })
        func told(_ areExchanged: (Int) -> Bool) throws -> Set<String> {
            let after = rows.map { row in
                (areExchanged(row) ? ["a1", "d4", "c3", "b2"] : ["a1", "b2", "c3", "d4"]).map { Self.text($0, row) }
            }
            return try Self.told([before], [ClassRows("P", Self.texts(["a", "b", "c", "d"]), after)])
        }
        #expect(try told { _ in false } == [])
        #expect(try told { $0 < 3 } == ["P.q exchanged", "P.t exchanged"])
    }
}
