import Columns
import RealmModel
import Testing

@testable import RealmComparison

/// Objects of a class that is gone, whose values others have.
struct GoneValuesTests {
    private static let names = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven"]

    private static func rows(
        _ name: String, key: Property = Property("id", .int), _ others: [Property] = [],
        _ range: [Int] = Array(0..<8), _ row: (Int) -> [Value]
    ) -> ClassRows {
        var table = ClassRows(name, [key, Property("name", .string)] + others, range.map(row))
        table.schema.primaryKey = key.name
        return table
    }

    private static let items = rows("I", [Property("qty", .int)]) {
        [.int(Int64($0) + 1), .string(names[$0]), .int(100 + Int64($0))]
    }

    private static func told(_ before: ClassRows, _ after: ClassRows...) throws -> [String] {
        try Rehearsal([before], after).losses.filter { $0.kind != .unfilled }.map {
            "\($0.className).\($0.property ?? "") \($0.kind) \($0.objects.count)/\($0.total ?? 0)"
        }
    }

    @Test(arguments: ["P-", "p"]) func `are known by a new key that is made of the old one`(mark: String) throws {
        func moved(_ number: (Int) -> Int) -> ClassRows {
            Self.rows("P", key: Property("code", .string), [Property("qty", .int)]) {
                [.string("\(mark)\(number($0) + 1)"), .string(Self.names[$0]), .int(100 + Int64($0))]
            }
        }
        #expect(try Self.told(Self.items, moved { $0 }) == [])
        #expect(try Self.told(Self.items, moved { ($0 * 5 + 3) % 8 }) == ["I.id dropped 8/8"])
    }

    @Test func `are not there by the number of another class's object`() throws {
        let cats = Self.rows("C") { [.int(Int64($0) + 1), .string(Self.names[$0])] }
        var dogs = cats
        dogs.schema.name = "D"
        func pets(_ dogs: Range<Int>) -> ClassRows {
            let keys = dogs.map { ("d", $0) } + (0..<8).map { ("c", $0) }
            return Self.rows("P", key: Property("code", .string), [], Array(keys.indices)) {
                [.string("\(keys[$0].0)\(keys[$0].1 + 1)"), .string(Self.names[keys[$0].1])]
            }
        }
        let losses = try Rehearsal([cats, dogs], [pets(4..<8)]).losses
        #expect(losses.contains { $0.className == "D" && $0.kind == .dropped })
    }

    @Test func `name the property that is lost on the way`() throws {
        let after = Self.rows("P", [Property("qty", .int)]) { [.int(Int64($0) + 1), .string(Self.names[$0]), .int(0)] }
        #expect(try Self.told(Self.items, after) == ["I.qty emptied 8/8"])
        let fewer = Self.rows("P", [Property("qty", .int)], [0, 1, 2, 3, 4, 5]) { Self.items.rows[$0] }
        #expect(try Self.told(Self.items, fewer) == ["I. dropped 2/8"])
    }

    @Test func `are parted among classes by a value`() throws {
        let before = Self.rows("P", [Property("kind", .string)]) {
            [.int(Int64($0) + 1), .string(Self.names[$0]), .string(["canine", "feline"][$0 % 2])]
        }
        func told(_ areDogs: (Int) -> Bool, _ name: (Int) -> String = { Self.names[$0] }) throws -> [String] {
            func rows(_ className: String, _ isOf: (Int) -> Bool) -> ClassRows {
                Self.rows(className, [], (0..<8).filter(isOf)) { [.int(Int64($0) + 1), .string(name($0))] }
            }
            return try Self.told(before, rows("Dog", areDogs), rows("Cat") { !areDogs($0) })
        }
        #expect(try told { $0 % 2 == 0 } == [])
        #expect(try told { _ in true } == ["P.kind dropped 8/8"])
        #expect(try told { $0 == 3 || $0 % 2 == 0 } == ["P.kind dropped 8/8"])
        #expect(try told({ $0 % 2 == 0 }, { $0 == 3 ? "nobody" : Self.names[$0] }) == ["P.name dropped 1/8"])
    }
}
