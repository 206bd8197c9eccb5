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

    @Test(arguments: [ClassKind.embedded, .topLevel], [["x", "y"], ["a", "b"]])
    func `stay together where two objects become two others`(kind: ClassKind, names: [String]) throws {
        let rows = 0..<Self.count
        func objects(_ name: String, _ kind: ClassKind, _ others: (Int, Int) -> Int) -> ClassRows {
            // Those of either property, one by one.
            ClassRows(
                name, kind: kind, Self.texts(["s", "t"]),
                (0..<(2 * Self.count)).map { [Self.text("s", $0), Self.text("t", others($0 / 2, $0 % 2))] })
        }
        func owner(_ names: [String], _ target: String) -> ClassRows {
            ClassRows(
                "P", names.map { Self.part($0, target) },
                rows.map { row in [Self.link(2 * row), Self.link(2 * row + 1)] })
        }
        func told(_ areTorn: (Int) -> Bool) throws -> Set<String> {
            let after = objects("F", kind) { 2 * $0 + (areTorn($0) ? 1 - $1 : $1) }
            return try Self.told(
                [owner(["x", "y"], "E"), objects("E", .embedded) { 2 * $0 + $1 }], [owner(names, "F"), after])
        }
        #expect(try told { _ in false } == [])
        guard names == ["a", "b"] else { return }
        #expect(try told { _ in true } == ["P.x exchanged", "P.y exchanged"])
        #expect(try told { $0 < 3 } == ["P.x exchanged", "P.y exchanged"])
    }

    @Test(arguments: ["g", "e"]) func `of flags keep their names`(name: String) throws {
        let rows = 0..<Self.count
        let flags = rows.map { [Value.bool($0 % 2 == 0), .bool($0 % 3 == 0)] }
        func told(_ areExchanged: Bool) throws -> Bool {
            let properties = [Property("hot", .bool), Property("on", .bool), Property("t", .string)]
            let owner = { ClassRows("P", [Self.part($0, $1)], rows.map { [Self.link($0)] }) }
            func parts(_ name: String, _ flags: [[Value]]) -> ClassRows {
                ClassRows(name, kind: .embedded, properties, flags.enumerated().map { $1 + [Self.text("t", $0)] })
            }
            let before = [owner("e", "E"), parts("E", flags)]
            let after = [owner(name, "G"), parts("G", flags.map { areExchanged ? $0.reversed() : $0 })]
            let rehearsal = try Rehearsal(before, after)
            return !rehearsal.losses.isEmpty || rehearsal.untold.replaced > 0
        }
        #expect(try !told(false))
        #expect(try told(true))
    }

    // MARK: Elements

    @Test(arguments: [true, false])
    func `of dictionaries stand beside their keys in a list of pairs or in two lists`(arePairs: Bool) throws {
        let rows = 0..<Self.count
        let entries = rows.map { row in
            (0...(row % 3 + 1)).map { (key: "k\($0)", value: Self.text("v", 10 * row + $0)) }
        }
        let before = ClassRows(
            "P", [Property("d", .string, collection: .dictionary)],
            entries.map { [.dictionary($0.map { DictionaryEntry($0.key, $0.value) })] })
        func rehearsal(_ areTorn: (Int) -> Bool) throws -> Rehearsal {
            var pairs: [[Value]] = []
            let links = entries.enumerated().map { row, entries -> [Value] in
                let first = pairs.count
                for (number, entry) in entries.enumerated() {
                    let other = areTorn(row) ? (number + 1) % entries.count : number
                    pairs.append([.string(entry.key), entries[other].value])
                }
                return [.list((first..<pairs.count).map { Self.link($0) })]
            }
            guard arePairs else {
                let lists = ["k", "v"].map { Property($0, .string, collection: .list) }
                let rows = links.map { row in
                    [0, 1].map { member in Value.list(row[0].linkedKeys.map { pairs[Int($0)][member] }) }
                }
                return try Rehearsal([before], [ClassRows("P", lists, rows)])
            }
            return try Rehearsal(
                [before],
                [
                    ClassRows("P", [Self.part("p", "E", .list)], links),
                    ClassRows("E", kind: .embedded, Self.texts(["k", "v"]), pairs),
                ])
        }
        let right = try rehearsal { _ in false }
        #expect(right.losses.isEmpty && right.untold.replaced == 0)
        for strays in [3, Self.count] {
            #expect(try rehearsal { $0 < strays }.losses.map(\.kind) == [.exchanged])
        }
    }

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

    private static let splits: [(shape: CollectionKind, isNumber: Bool)] = [
        (.none, true), (.list, false), (.list, true), (.dictionary, false), (.dictionary, true),
    ]

    @Test(arguments: splits) func `of a split text have one order in all objects`(
        split: (shape: CollectionKind, isNumber: Bool)
    ) throws {
        let names = ["x", "y"]
        let parts = (0..<Self.count).map { row in
            names.map {
                split.isNumber ? "\($0 == "x" ? 900 - 37 * row : 1_000 + 17 * row)" : "\($0)\(97 * row % 100)\($0)"
            }
        }
        let type: PropertyType = split.isNumber ? .int : .string
        func told(_ text: ([String]) -> String, _ order: (Int, [Value]) -> [Value]) throws -> Set<String> {
            let after = parts.enumerated().map { row, parts in
                let values = order(row, parts.map { split.isNumber ? .int(Int64($0) ?? 0) : .string($0) })
                return switch split.shape {
                case .none: values
                case .dictionary: [Value.dictionary(zip(names, values).map { DictionaryEntry($0, $1) })]
                default: [Value.list(values)]
                }
            }
            let new = (split.shape == .none ? names : ["l"]).map { Property($0, type, collection: split.shape) }
            let before = ClassRows("P", Self.texts(["t"]), parts.map { [.string(text($0))] })
            return try Self.told([before], [ClassRows("P", new, after)])
        }
        let joined: ([String]) -> String = { $0.joined(separator: " ") }
        #expect(try told(joined) { $1 } == [])
        #expect(try told(joined) { $1.reversed() } == [])
        #expect(try told(joined) { $0 < 3 ? $1.reversed() : $1 } == ["P.t exchanged"])
        // A script may sort a list, and a text may say which part is which.
        guard split.shape != .none else { return }
        let isSorted = split.shape == .list
        let isOdd: ([String]) -> Bool = { $0[0].utf8.reduce(0) { $0 + Int($1) } % 2 == 0 }
        #expect(
            try told({ parts in
                let named = isSorted ? parts : zip(names, parts).map { "\($0)=\($1)" }
                return (isOdd(parts) ? named.reversed() : named).joined(separator: " ")
            }) { $1 } == [])
    }
}
