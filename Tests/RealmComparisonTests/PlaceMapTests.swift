import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmComparison

/// Where values went, over all objects of a class.
struct PlaceMapTests {
    private typealias Places = [(place: UInt64, value: Value)]

    private static func placed(_ values: Places) -> [PlacedValue] {
        values.map { place, value in
            PlacedValue(place: place, family: place, name: "p\(place)", value: value, column: Int(place))
        }
    }

    @Test func `have a value at either of two places that no other value has`() {
        var map = PlaceMap()
        for key in 0..<10 as Range<Int64> {
            map.note(key < 4 ? [11] : [12], from: 1, column: 1, of: key)
            map.note([13], from: 2, column: 2, of: key)
        }
        #expect(map.mixed.isEmpty)
        map.note([12], from: 2, column: 2, of: 10)
        #expect(map.mixed == [1: NamedObjects(4, first: [0, 1, 2, 3]), 2: NamedObjects(1, first: [10])])
        // A copy for some objects, and words that others have by chance, say nothing.
        for key in 0..<10 as Range<Int64> { map.note(key < 4 ? [21, 22] : [21], from: 3, column: 3, of: key) }
        map.note([12], from: 4, column: 4, of: 0)
        #expect(map.mixed.keys.sorted() == [1, 2])
    }

    @Test(arguments: ["ISO", "UTC", "milliseconds", "seconds"])
    func `have one map for dates in whatever form they are`(form: String) {
        var map = PlaceMap()
        for key in 0..<10 as Range<Int64> {
            let dates = [981_988_205 + 86_461 * key, 1_181_988_205 + 86_461 * key]
            let before = dates.map { Value.date(Timestamp(seconds: $0, nanoseconds: 0)) }
            let after = (key < 3 ? dates.reversed() : dates).map { Self.written($0, form) }
            map.note(Self.placed(Array(zip([1, 2], before))), in: Self.placed(Array(zip([11, 12], after))), of: key)
        }
        let strays = NamedObjects(3, first: [0, 1, 2])
        #expect(map.mixed == [1: strays, 2: strays])
    }

    private static func written(_ seconds: Int64, _ form: String) -> Value {
        let text = Timestamp(seconds: seconds, nanoseconds: 0).description
        switch form {
        case "ISO": return .string(text.replacing("Z", with: ".000Z"))
        case "UTC":
            let parts = text.dropLast().split { $0 == "-" || $0 == "T" }
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            return .string("Mon, \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]) GMT")
        case "milliseconds": return .double(Double(seconds * 1_000))
        default: return .double(Double(seconds))
        }
    }

    @Test(arguments: [false, true]) func `have one order in a list, and one key each in a dictionary`(isList: Bool) {
        func mixed(_ rows: [[Value]], _ order: (Int, [Value]) -> [Value]) -> [Int: NamedObjects] {
            var map = PlaceMap()
            for (key, row) in rows.enumerated() {
                let moved = order(key, row)
                let entries = zip(["a", "b"], moved).map { DictionaryEntry($0, $1) }
                let after = isList ? Value.list(moved) : .dictionary(entries)
                map.note(Self.placed(Array(zip([1, 2], row))), in: Self.placed([(11, after)]), of: Int64(key))
            }
            return map.mixed
        }
        let rows = (0..<10).map { number in [number * 37 % 11, number * 53 % 13].map { Value.int(Int64($0 + 100)) } }
            .filter { $0[0] != $0[1] }
        let strays = NamedObjects(3, first: [0, 1, 2])
        #expect(mixed(rows) { $0 < 3 ? $1.reversed() : $1 } == [1: strays, 2: strays])
        #expect(mixed(rows) { $1 }.isEmpty)
        // Others before, between or behind them say nothing, be they in some objects alone.
        func more(_ row: [Value], at number: Int) -> [Value] {
            var row = row
            row.insert(.int(9_000), at: number)
            return row
        }
        if isList {
            #expect(mixed(rows) { more($1, at: $0 % 3) }.isEmpty)
            #expect(mixed(rows) { more($0 < 3 ? [$1[1], $1[0]] : $1, at: $0 % 3) } == [1: strays, 2: strays])
        }
        // A script that sorts a list gives no place to a property, nor does one that leaves some out.
        #expect(mixed(rows) { $1.sorted { $0.number ?? 0 < $1.number ?? 0 } }.isEmpty == isList)
        #expect(mixed(rows) { $1.sorted { $0.number ?? 0 > $1.number ?? 0 } }.isEmpty == isList)
        #expect(mixed(rows) { $0 < 3 ? Array($1.dropFirst()) : $1 }.isEmpty == isList)
    }

    @Test func `have one order also where each has a map of its own`() {
        var maps = [PlaceMap(), PlaceMap()]
        for key in 0..<10 as Range<Int64> {
            let before = [1, 2].map { (place: UInt64($0), value: Value.string("word \($0) of \(key)")) }
            let moved = (key < 3 ? before.reversed() : before).map(\.value)
            let after = Self.placed([(11, .list(moved))])
            for index in maps.indices {
                let others = Self.placed([before[1 - index]])
                maps[index].note(Self.placed([before[index]]), besides: others, in: after, of: key)
            }
        }
        var map = PlaceMap()
        for other in maps { map.add(other) }
        let strays = NamedObjects(3, first: [0, 1, 2])
        #expect(map.mixed == [1: strays, 2: strays])
    }

    // MARK: Parts

    /// Two lists, or a list and a property, of which one at least has a new place.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `tell an element of a list that changed places with another list's, or with a property`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 4...20, using: &generator)
        let strays = Set((0..<count).shuffled(using: &generator).prefix(count / 3 + 1))
        let isProperty = Bool.random(using: &generator)
        // The first stays or moves, the second moves.
        let places: (UInt64, UInt64) = (Bool.random(using: &generator) ? 1 : 11, 12)
        for areExchanged in [false, true] {
            var map = PlaceMap()
            for key in 0..<count {
                let sizes = (Int.random(in: 1...4, using: &generator), Int.random(in: 1...4, using: &generator))
                let lists = (
                    (0..<sizes.0).map { "a\(key) \($0)" }, (0..<(isProperty ? 1 : sizes.1)).map { "b\(key) \($0)" }
                )
                var moved = lists
                if areExchanged, strays.contains(key) { (moved.0[0], moved.1[0]) = (moved.1[0], moved.0[0]) }
                func value(_ texts: [String], isSingle: Bool) -> Value {
                    isSingle ? .string(texts[0]) : .list(texts.map { .string($0) })
                }
                let before: Places = [(1, value(lists.0, isSingle: false)), (2, value(lists.1, isSingle: isProperty))]
                let after: Places = [
                    (places.0, value(moved.0, isSingle: false)), (places.1, value(moved.1, isSingle: isProperty)),
                ]
                let gone = before.filter { old in !after.contains { $0.place == old.place && $0.value == old.value } }
                let fresh = after.filter { new in !before.contains { $0.place == new.place && $0.value == new.value } }
                map.note(Self.placed(gone), in: Self.placed(fresh), of: Int64(key))
            }
            for place in [1, 2] as [UInt64] where map.contested.contains(place) {
                map.noteStays(at: place, column: Int(place), filled: count)
            }
            #expect(map.mixed.isEmpty == !areExchanged, "\(places) \(isProperty) \(map.mixed)")
        }
    }

    @Test func `let a list be parted among others`() {
        var map = PlaceMap()
        for key in 0..<20 as Range<Int64> {
            let numbers = (1...4).map { Value.int(key * 37 % 11 + 10 * $0) }
            let parts = [numbers.filter { $0.number ?? 0 < 25 }, numbers.filter { $0.number ?? 0 >= 25 }]
            let before: Places = [(1, .list(numbers)), (2, .string("other \(key)"))]
            let after: Places = [(11, .list(parts[0])), (12, .list(parts[1])), (13, before[1].value)]
            map.note(Self.placed(before), in: Self.placed(after), of: key)
        }
        #expect(map.mixed.isEmpty)
    }

    @Test func `tell the keys of a dictionary that changed places on their way, be others there or not`() {
        for areExchanged in [false, true] {
            var map = PlaceMap()
            for key in 0..<12 as Range<Int64> {
                var entries = ["x", "y"].map { DictionaryEntry($0, .string("\($0) of \(key)")) }
                if key % 3 == 0 { entries.append(DictionaryEntry("z", .string("z"))) }
                let moved = areExchanged && key < 3 ? [entries[1], entries[0]] : Array(entries.prefix(2))
                var after: Places = zip([11, 12], moved).map { ($0, $1.value) }
                after.append((13, .string("other \(key)")))
                let before: Places = [(1, .dictionary(entries)), (2, .string("other \(key)"))]
                map.note(Self.placed(before), in: Self.placed(after), of: key)
            }
            #expect(map.mixed == (areExchanged ? [1: NamedObjects(3, first: [0, 1, 2])] : [:]))
        }
    }

    @Test func `tell texts that are split in another order in some objects`() {
        func mixed(_ split: (Int64, [String]) -> [String]) -> [Int: NamedObjects] {
            var map = PlaceMap()
            for key in 0..<10 as Range<Int64> {
                let words = ["first\(key)"] + (key % 2 == 0 ? ["middle\(key)"] : []) + ["last\(key)"]
                let after: Places = zip([11, 12], split(key, words)).map { ($0, .string($1)) }
                let before = Self.placed([(1, .string(words.joined(separator: " ")))])
                map.note(before, in: Self.placed(after), of: key)
            }
            return map.mixed
        }
        #expect(mixed { [$1[0], $1.dropFirst().joined(separator: " ")] }.isEmpty)
        #expect(mixed { [$1.dropLast().joined(separator: " "), $1.last ?? ""] }.isEmpty)
        #expect(
            mixed { $0 < 2 ? [$1.last ?? "", $1[0]] : [$1[0], $1.last ?? ""] } == [1: NamedObjects(2, first: [0, 1])])
    }

    // MARK: Names

    @Test(arguments: [["x", "y"], ["y", "x"], ["y", "z"], ["z", "x"]])
    func `tell members that have each other's names in what took them over`(names: [String]) {
        var map = PlaceMap()
        for key in 0..<6 as Range<Int64> {
            func members(_ parent: UInt64, _ names: [String]) -> [PlacedValue] {
                names.enumerated().map { number, name in
                    let place = parent + UInt64(name.utf8.first ?? 0)
                    let value = Value.string("word \(number) of \(key)")
                    var member = PlacedValue(place: place, family: place, name: name, value: value, column: 1)
                    member.parent = parent
                    return member
                }
            }
            map.note(members(1_000, ["x", "y"]), in: members(2_000, names), of: key)
        }
        #expect(map.mixed.keys.contains(1) == (names == ["y", "x"]))
    }

    // MARK: Values that stay

    /// Single values, of which some are zero, null or empty and change places with others in some objects.
    @Test(arguments: [PropertyType.string, .int, .date], [false, true])
    func `tell values that changed places with empty ones where a name stays`(type: PropertyType, isInPlace: Bool)
        throws
    {
        func value(_ number: Int64) -> Value {
            switch type {
            case .string: .string(number == 0 ? "" : "word \(number)")
            case .date: .date(Timestamp(seconds: number * 86_400, nanoseconds: 0))
            default: .int(number)
            }
        }
        let rows = (0..<12 as Range<Int64>).map { [value($0 < 5 ? 0 : 100 + 7 * $0), value(501 + 11 * $0)] }
        for areExchanged in [false, true] {
            let moved = rows.enumerated().map { $0 < 5 && areExchanged ? $1.reversed() : $1 }
            let names = isInPlace ? ["a", "b"] : ["c", "b"]
            let sides = [["a", "b"], names].map { $0.map { Property($0, type) } }
            let rehearsal = try Rehearsal((sides[0], rows), (sides[1], moved))
            #expect(rehearsal.losses.isEmpty == !areExchanged)
            #expect(rehearsal.losses.contains { $0.property == "b" && $0.objects.count == 5 } == areExchanged)
        }
    }

    @Test func `let one property have what two others had, each in other objects`() throws {
        let rows = (0..<12).map { $0 % 3 == 0 ? [Value.null, .int(100 + $0)] : [.int(500 + $0), .null] }
        let moved = rows.map { [$0[0] == .null ? $0[1] : $0[0], .null] }
        let properties = ["a", "b"].map { Property($0, .int, isOptional: true) }
        #expect(try Rehearsal((properties, rows), (properties, moved)).losses.isEmpty)
    }

    // MARK: Words

    @Test func `tell of an empty property nothing where another one's values moved there`() throws {
        let rows = (0..<12 as Range<Int64>).map { [Value.int(0), .int(501 + 11 * $0)] }
        let properties = ["a", "b"].map { Property($0, .int) }
        let losses = try Rehearsal((properties, rows), (properties, rows.map { $0.reversed() })).losses
        #expect(losses.map(\.property) == ["b"] && losses.allSatisfy { $0.objects.count == 12 })
    }

    @Test func `tell a number that is another property's text as exchanged`() throws {
        let rows = (0..<12 as Range<Int64>).map { [Value.int(101 + 7 * $0), .int(5_001 + 11 * $0)] }
        let moved = rows.enumerated().map { number, row in
            (number < 5 ? row.reversed() : row).map { Value.string($0.numberText ?? "") }
        }
        func properties(_ type: PropertyType) -> [Property] { ["a", "b"].map { Property($0, type) } }
        let losses = try Rehearsal((properties(.int), rows), (properties(.string), moved)).losses
        #expect(losses.map(\.kind) == [.exchanged, .exchanged] && losses.allSatisfy { $0.objects.count == 5 })
    }

    @Test(arguments: [100, 60, -1] as [Int64])
    func `count no number as replaced where all are as many times as much`(factor: Int64) throws {
        for isSteady in [true, false] {
            let rows = (0..<12 as Range<Int64>).map { [Value.int($0 * $0 + 1)] }
            let scaled = (0..<12 as Range<Int64>).map { number in
                [Value.int((number * number + 1) * (number == 7 && !isSteady ? factor + 3 : factor))]
            }
            let rehearsal = try Rehearsal(([Property("a", .int)], rows), ([Property("a", .int)], scaled))
            #expect((rehearsal.untold.replaced == 0 && rehearsal.losses.isEmpty) == isSteady)
        }
    }

    @Test func `count no entry as replaced that has a property of its own, and of its name`() throws {
        for exchangedCount in [0, 3, 12] {
            let rows = (0..<12 as Range<Int64>).map { number in
                let entries = ["x", "y"].map { DictionaryEntry($0, .string("\($0) of \(number)")) }
                return [Value.dictionary(number % 2 == 0 ? entries : entries + [DictionaryEntry("z", .string("z"))])]
            }
            let moved = rows.enumerated().map { number, row in
                let entries = row[0].entries?.map(\.value) ?? []
                let first = number < exchangedCount ? [entries[1], entries[0]] : Array(entries.prefix(2))
                return first + [entries.count > 2 ? entries[2] : .null]
            }
            let old = [Property("d", .string, collection: .dictionary)]
            let new = [Property("x", .string), Property("y", .string), Property("rest", .string, isOptional: true)]
            let rehearsal = try Rehearsal((old, rows), (new, moved))
            #expect((rehearsal.untold.replaced == 0 && rehearsal.losses.isEmpty) == (exchangedCount == 0))
        }
    }
}
