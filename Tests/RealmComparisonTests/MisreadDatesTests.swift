import RealmModel
import Testing

@testable import RealmComparison

/// Dates of which the numbers were in another unit of time.
struct MisreadDatesTests {
    private static func date(_ milliseconds: Int64) -> Value {
        .date(Timestamp(seconds: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000))
    }

    /// Seconds of some days of 2023 and 2024; one object has none.
    private static let numbers: [Value] = (0..<20).map { $0 == 4 ? .null : .int(1_690_000_000 + $0 * 1_234_567) }

    private static func kinds(_ from: [ClassRows], _ to: [ClassRows]) throws -> [Rehearsal.Loss.Kind] {
        try Rehearsal(from, to).losses.map(\.kind)
    }

    private static func things(_ property: Property, _ values: [Value]) -> [ClassRows] {
        [ClassRows("Thing", [property], values.map { [$0] })]
    }

    private static func dates(_ factor: Double) -> [Value] {
        numbers.map { value in
            guard case .int(let number) = value else { return .null }
            return date(Int64(Double(number) * factor))
        }
    }

    @Test(arguments: ["at", "on"])
    func `are told, whether their property was there or was added`(name: String) throws {
        let before = Self.things(Property("at", .int, isOptional: true), Self.numbers)
        let property = Property(name, .date, isOptional: true)
        #expect(try Self.kinds(before, Self.things(property, Self.dates(1_000))) == [])
        // Seconds taken for milliseconds.
        #expect(try Self.kinds(before, Self.things(property, Self.dates(1))) == [.wrongTimeUnit])
        // Milliseconds taken for seconds.
        let long = Self.things(
            Property("at", .int, isOptional: true),
            Self.numbers.map { value in
                guard case .int(let number) = value else { return .null }
                return .int(number * 1_000)
            })
        #expect(try Self.kinds(long, Self.things(property, Self.dates(1_000))) == [])
        #expect(try Self.kinds(long, Self.things(property, Self.dates(1_000_000))) == [.wrongTimeUnit])
    }

    @Test func `are told of a class that was added`() throws {
        let before = Self.things(Property("at", .int, isOptional: true), Self.numbers)
        let added = ClassRows("Visit", [Property("on", .date, isOptional: true)], Self.dates(1).map { [$0] })
        #expect(try Self.kinds(before, before + [added]) == [.wrongTimeUnit])
    }

    @Test func `are not told where one of them is an ordinary date, or where they were there before`() throws {
        let before = Self.things(Property("at", .int, isOptional: true), Self.numbers)
        let property = Property("on", .date, isOptional: true)
        let mixed = Self.dates(1).dropLast() + [Self.date(1_690_000_000_000)]
        #expect(try !Self.kinds(before, Self.things(property, Array(mixed))).contains(.wrongTimeUnit))
        let old = Self.things(Property("at", .date, isOptional: true), Self.dates(1))
        #expect(try Self.kinds(old, Self.things(property, Self.dates(1))) == [])
    }

    @Test(arguments: ["at", "on"])
    func `are told of some objects where those of others are ordinary by the same numbers`(name: String) throws {
        let before = Self.things(Property("at", .int, isOptional: true), Self.numbers)
        let dates = zip(Self.dates(1_000), Self.dates(1)).enumerated().map { $0 % 3 == 1 ? $1.1 : $1.0 }
        let found = try Rehearsal(before, Self.things(Property(name, .date, isOptional: true), dates))
        #expect(found.losses.map(\.kind) == [.wrongTimeUnit] && found.losses[0].objects.keys == [1, 7, 10, 13, 16, 19])
        // Some were born in those weeks.
        let births = Self.things(Property("at", .string), ["1970-01-20", "1981-05-06"].map { .string($0) })
        let days = [19, 4_143].map { Self.date($0 * 86_400_000) }
        #expect(try Self.kinds(births, Self.things(Property(name, .date), days)) == [])
    }

    @Test func `are not times of a day`() throws {
        let before = Self.things(Property("at", .int), (0..<20).map { .int($0 * 3_600) })
        let after = Self.things(Property("on", .date), (0..<20).map { Self.date($0 * 3_600_000) })
        #expect(try !Self.kinds(before, after).contains(.wrongTimeUnit))
    }

    @Test func `do not tell the dates that they were made of`() throws {
        let dates = (0..<20).map { Self.date(1_690_000_000_000 + $0 * 86_400_000 * 3) }
        let before = Self.things(Property("due", .date), dates)
        func told(_ date: (Int) -> Value) throws -> [Rehearsal.Loss.Kind] {
            try Self.kinds(before, Self.things(Property("deadline", .date), dates.indices.map(date)))
        }
        func inThousandths(_ place: Int) -> Value { Self.date(1_690_000_000 + Int64(place) * 86_400 * 3) }
        #expect(try told { dates[$0] } == [])
        #expect(try told { $0 < 10 ? dates[$0] : inThousandths($0) } == [.dropped])
    }
}
