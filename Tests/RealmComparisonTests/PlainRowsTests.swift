import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmComparison

/// Rows of single values, which are judged without a ledger of their own where that would say the same.
struct PlainRowsTests {
    private static let types: [PropertyType] = [.string, .string, .int, .double, .bool, .date]

    @Test(arguments: 0..<16 as Range<UInt64>) func `say what the ledger of each object says`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let (before, after) = Self.realm(&generator)
            let plain = try Rehearsal(before, after)
            // Where a property has lists, each object is looked at by itself.
            let list = Property("list", .string, collection: .list)
            let each = try Rehearsal(before, (after.0 + [list], after.1.map { $0 + [.list([])] }))
            #expect(plain.losses == each.losses.filter { $0.property != "list" })
            #expect(plain.untold == each.untold, "\(before) \(after)")
        }
    }

    @Test(arguments: [(PropertyType.date, PropertyType.int), (.date, .double), (.int, .double), (.string, .string)])
    func `are not at peace where two properties change places, copied or not`(
        old: PropertyType, new: PropertyType
    ) throws {
        var generator = SeededGenerator(seed: 1)
        let rows = (0..<10).map { _ in
            [1...500, 600...1_100].map { range in Self.value(old == .string ? .int : old, in: range, &generator) }
        }.map { old == .string ? $0.map { .string("word \($0.number ?? 0)") } : $0 }
        for hasCopy in [false, true] {
            func properties(_ type: PropertyType) -> [Property] { ["a", "b"].map { Property($0, type) } }
            let moved = rows.map { row in
                let values = row.map { Self.converted($0, to: new, besides: .null) }
                return hasCopy ? [values[1], values[0], values[1]] : [values[1], values[0]]
            }
            let copy = hasCopy ? [Property("p", new)] : []
            let rehearsal = try Rehearsal((properties(old), rows), (properties(new) + copy, moved))
            #expect(!rehearsal.losses.isEmpty || rehearsal.untold.replaced > 0, "\(hasCopy)")
        }
    }

    // MARK: Realms

    /// Properties before and after, most of which take their values from one before.
    private static func realm(_ generator: inout SeededGenerator) -> (Rows, Rows) {
        func properties(_ names: [String]) -> [Property] {
            names.map { Property($0, types.randomElement(using: &generator) ?? .int) }
        }
        let old = properties(["a", "b", "c", "d"])
        var new = properties(["p", "q", "r"])
        for property in old where Bool.random(using: &generator) { new.append(property) }
        let sources = new.map { _ in Int.random(in: 0...5, using: &generator) }
        var (before, after): ([[Value]], [[Value]]) = ([], [])
        let range: ClosedRange<Int64> = Bool.random(using: &generator) ? 1...12 : 1...9_000
        for _ in 0..<Int.random(in: 4...24, using: &generator) {
            let values = old.map { value($0.type, in: range, &generator) }
            before.append(values)
            after.append(
                zip(new, sources).map { property, source in
                    let isOther = Int.random(in: 0...5, using: &generator) == 0
                    let place = isOther ? Int.random(in: 0...3, using: &generator) : source
                    guard place < old.count else { return value(property.type, in: range, &generator) }
                    return converted(values[place], to: property.type, besides: values[(place + 1) % 4])
                })
        }
        return ((old, before), (new, after))
    }

    private static func value(
        _ type: PropertyType, in range: ClosedRange<Int64>, _ generator: inout SeededGenerator
    ) -> Value {
        let number = Int64.random(in: range, using: &generator)
        return switch type {
        case .string:
            .string(["word \(number)", "w\(number) of x", "\(number)", ""].randomElement(using: &generator) ?? "")
        case .double: .double(Double(number) / 4)
        case .bool: .bool(number.isMultiple(of: 2))
        case .date: .date(Timestamp(seconds: 981_988_205 + number, nanoseconds: 0))
        default: .int(number)
        }
    }

    private static func converted(_ value: Value, to type: PropertyType, besides other: Value) -> Value {
        switch (value, type) {
        case (.string(let text), .string): .string(text.count % 3 == 0 ? "\(text) and more" : text)
        case (.int(let number), .string): .string(number % 2 == 0 ? "no. \(number)" : "\(number)")
        case (.double(let number), .string): .string("\(number) EUR")
        case (.int(let number), .int): .int(number)
        case (.int(let number), .double): .double(Double(number))
        case (.double(let number), .double): .double(number)
        case (.double(let number), .int): .int(Int64(number))
        case (.bool(let flag), .bool): .bool(flag)
        case (.date(let date), .date): .date(date)
        case (.date(let date), .string): .string(date.description)
        case (.date(let date), .int): .int(date.milliseconds)
        case (.date(let date), .double): .double(Double(date.milliseconds))
        case (_, .date): .date(Timestamp(seconds: 0, nanoseconds: 0))
        case (_, .string): .string("none")
        case (_, .double): .double(other.number ?? 0)
        case (_, .bool): .bool(other.number != nil)
        default: .int(0)
        }
    }
}
