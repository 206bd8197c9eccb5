import Columns
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmQuery

/// Laws of queries that need no Realm, on realms and queries made by chance.
@Suite struct QueryLawTests {
    private static let seeds = 0..<16 as Range<UInt64>

    @Test(arguments: seeds, [5, 16_384])
    func `finds by columns what a plain evaluation finds`(seed: UInt64, rows: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let realm = try MadeUpRealm(seed: seed, rows: rows)
        for _ in 0..<12 {
            let asked = Asked.make(depth: 2, &generator)
            let expected = realm.things.indices.filter { realm.plain(asked, $0) }
            #expect(try realm.found(asked.text) == expected, "\(asked.text)")
            #expect(try realm.foundOneByOne(asked.text) == expected, "\(asked.text)")
        }
    }

    @Test(arguments: seeds)
    func `a condition and its negation part the objects`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed, iteration: 1)
        let realm = try MadeUpRealm(seed: seed, rows: 16)
        for _ in 0..<12 {
            let text = Asked.make(depth: 2, &generator).text
            let (fitting, others) = (try realm.found(text), try realm.found("NOT (\(text))"))
            #expect(Set(fitting).isDisjoint(with: others))
            #expect((fitting + others).sorted() == Array(realm.things.indices), "\(text)")
        }
    }

    @Test(arguments: seeds)
    func `the order of AND and OR changes nothing, and both do as De Morgan says`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed, iteration: 2)
        let realm = try MadeUpRealm(seed: seed, rows: 16)
        for _ in 0..<8 {
            let (a, b) = (Asked.make(depth: 1, &generator).text, Asked.make(depth: 1, &generator).text)
            #expect(try realm.found("(\(a)) AND (\(b))") == realm.found("(\(b)) AND (\(a))"))
            #expect(try realm.found("(\(a)) OR (\(b))") == realm.found("(\(b)) OR (\(a))"))
            #expect(try realm.found("NOT ((\(a)) AND (\(b)))") == realm.found("NOT (\(a)) OR NOT (\(b))"))
        }
    }

    @Test(arguments: seeds)
    func `IN is one equality or the other`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed, iteration: 3)
        let realm = try MadeUpRealm(seed: seed, rows: 16)
        for name in Asked.own.map(\.name) + ["o.n", "o.name", "o.x"] {
            for _ in 0..<2 {
                let (a, b) = (Asked.constant(&generator), Asked.constant(&generator))
                let either = try? realm.found("\(name) == \(a.text) OR \(name) == \(b.text)")
                // A value that can't be compared is refused where it stands alone, and equal to nothing in a list.
                guard let either else { continue }
                #expect(try realm.found("\(name) IN {\(a.text), \(b.text)}") == either, "\(name) \(a.text) \(b.text)")
            }
        }
    }

    @Test(arguments: seeds)
    func `ANY, ALL and NONE do as De Morgan says`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed, iteration: 4)
        let realm = try MadeUpRealm(seed: seed, rows: 16)
        for collection in Asked.collections {
            for _ in 0..<2 {
                let value = Asked.constant(of: collection.type, &generator).text
                for comparator in ["==", "!=", "<", ">="] where collection.type != .bool {
                    let condition = "\(collection.name) \(comparator) \(value)"
                    #expect(try realm.found("NONE \(condition)") == realm.found("NOT (ANY \(condition))"))
                    #expect(try realm.found(condition) == realm.found("ANY \(condition)"))
                }
                let (equal, other) = ("\(collection.name) == \(value)", "\(collection.name) != \(value)")
                #expect(try realm.found("ALL \(equal)") == realm.found("NOT (ANY \(other))"))
                #expect(try realm.found("NOT (ALL \(other))") == realm.found("ANY \(equal)"))
            }
        }
    }

    @Test(arguments: seeds)
    func `counts, sums and subqueries say the same in other words`(seed: UInt64) throws {
        let realm = try MadeUpRealm(seed: seed, rows: 16)
        for limit in -1...3 {
            #expect(try realm.found("SUBQUERY(l, $x, $x.n > \(limit)).@count > 0") == realm.found("ANY l.n > \(limit)"))
            #expect(try realm.found("l.@max.n > \(limit)") == realm.found("ANY l.n > \(limit)"))
            #expect(try realm.found("li.@min < \(limit)") == realm.found("ANY li < \(limit)"))
            #expect(try realm.found("i + 1 > \(limit)") == realm.found("i > \(limit - 1)"))
            #expect(try realm.found("li.@count == \(limit)") == realm.found("li[SIZE] == \(limit)"))
            #expect(try realm.found("io BETWEEN {0, \(limit)}") == realm.found("io >= 0 AND io <= \(limit)"))
        }
        #expect(try realm.found("li.@avg > 1") == realm.found("li.@sum > li.@count"))
        #expect(
            try realm.found("li[LAST] == 1") == realm.things.indices.filter { realm.elements("li", $0).last == .int(1) }
        )
    }
}

/// A query that a plain evaluation understands.
private indirect enum Asked {
    enum Kind { case int, double, float, bool, string, date, mixed }

    case own(name: String, comparator: String, constant: Constant)
    case linked(name: String, comparator: String, constant: Constant)
    case collection(quantifier: String, name: String, comparator: String, constant: Constant)
    case count(name: String, comparator: String, number: Int64)
    case not(Asked)
    case and(Asked, Asked)
    case or(Asked, Asked)

    struct Constant {
        let value: Value
        let text: String
    }

    static let own: [(name: String, type: Kind)] = [
        ("i", .int), ("io", .int), ("d", .double), ("f", .float), ("bo", .bool), ("s", .string), ("so", .string),
        ("dt", .date), ("m", .mixed),
    ]
    static let linked: [(name: String, type: Kind)] = [("o.n", .int), ("o.name", .string), ("o.x", .double)]
    static let collections: [(name: String, type: Kind)] = [
        ("li", .int), ("ls", .string), ("st", .string), ("di", .int), ("l.n", .int), ("l.name", .string),
    ]

    static func constant(_ generator: inout SeededGenerator) -> Constant {
        constant(of: generator.pick([.int, .double, .bool, .string, .date]) ?? .int, &generator)
    }

    static func constant(of type: Kind, _ generator: inout SeededGenerator) -> Constant {
        if type != .bool, generator.below(6) == 0 { return Constant(value: .null, text: "nil") }
        switch type {
        case .int:
            let number = Int64(generator.below(5)) - 1
            return Constant(value: .int(number), text: "\(number)")
        case .double, .float:
            let number = Double(generator.below(9)) / 4 - 1
            return Constant(value: .double(number), text: "\(number)")
        case .bool:
            let flag = generator.below(2) == 0
            return Constant(value: .bool(flag), text: "\(flag)")
        case .string:
            let text = generator.pick(MadeUpRealm.words) ?? ""
            return Constant(value: .string(text), text: "'\(text)'")
        case .date:
            let seconds = Int64(generator.below(3))
            return Constant(value: .date(Timestamp(seconds: seconds, nanoseconds: 0)), text: "T\(seconds):0")
        case .mixed: return constant(of: generator.pick([.int, .double, .bool, .string, .date]) ?? .int, &generator)
        }
    }

    static func make(depth: Int, _ generator: inout SeededGenerator) -> Asked {
        switch depth == 0 ? 0 : generator.below(5) {
        case 1: return .not(make(depth: depth - 1, &generator))
        case 2: return .and(make(depth: depth - 1, &generator), make(depth: depth - 1, &generator))
        case 3: return .or(make(depth: depth - 1, &generator), make(depth: depth - 1, &generator))
        default: return leaf(&generator)
        }
    }

    private static func leaf(_ generator: inout SeededGenerator) -> Asked {
        func comparator(_ type: Kind) -> String {
            let common = ["==", "!=", "<", "<=", ">", ">="]
            let text = ["BEGINSWITH", "ENDSWITH", "CONTAINS"]
            return generator.pick(type == .bool ? Array(common.prefix(2)) : type == .string ? common + text : common)
                ?? ""
        }
        switch generator.below(4) {
        case 0:
            let (name, type) = generator.pick(collections) ?? ("li", .int)
            let quantifier = generator.pick(["ANY", "ALL", "NONE"]) ?? ""
            return .collection(
                quantifier: quantifier, name: name, comparator: comparator(type),
                constant: constant(of: type, &generator))
        case 1:
            let (name, type) = generator.pick(linked) ?? ("o.n", .int)
            return .linked(name: name, comparator: comparator(type), constant: constant(of: type, &generator))
        case 2:
            let name = generator.pick(["li", "ls", "st", "di", "l"]) ?? "li"
            return .count(name: name, comparator: comparator(.int), number: Int64(generator.below(4)))
        default:
            let (name, type) = generator.pick(own) ?? ("i", .int)
            return .own(name: name, comparator: comparator(type), constant: constant(of: type, &generator))
        }
    }

    var text: String {
        switch self {
        case .own(let name, let comparator, let constant), .linked(let name, let comparator, let constant):
            "\(name) \(comparator) \(constant.text)"
        case .collection(let quantifier, let name, let comparator, let constant):
            "\(quantifier) \(name) \(comparator) \(constant.text)"
        case .count(let name, let comparator, let number): "\(name).@count \(comparator) \(number)"
        case .not(let part): "NOT (\(part.text))"
        case .and(let left, let right): "(\(left.text) AND \(right.text))"
        case .or(let left, let right): "(\(left.text) OR \(right.text))"
        }
    }
}

/// Things and others with values of few kinds, so that every query finds some.
private struct MadeUpRealm {
    static let words = ["", "a", "ab", "b", "é"]
    private static let thingCount = 24
    private static let schema = """
        [{"name":"Thing","properties":{"id":"int","i":"int","io":"int?","d":"double?","f":"float",
        "bo":"bool?","s":"string","so":"string?","dt":"date?","m":"mixed","li":"int[]","ls":"string?[]","st":"string<>",
        "di":"int{}","o":"Other","l":{"type":"list","objectType":"Other"}}},
        {"name":"Other","properties":{"n":"int","name":"string?","x":"double?"}}]
        """

    let things: [[String: Value]]
    private let others: [[String: Value]]
    private let snapshot: Snapshot
    private let store: MemorySegmentStore

    init(seed: UInt64, rows: Int) throws {
        var generator = SeededGenerator(seed: seed, iteration: 77)
        others = (0..<5).map { _ in
            [
                "n": Self.value(.int, &generator), "name": Self.value(.string, isOptional: true, &generator),
                "x": Self.value(.double, isOptional: true, &generator),
            ]
        }
        things = (0..<Self.thingCount).map { Self.thing($0, &generator) }
        func lines(_ objects: [[String: Value]]) -> String {
            objects.enumerated().map { index, object in
                let members = object.map { "\"\($0.key)\":\(Self.json($0.value))" }
                return "{" + (["\"_key\":\(index)"] + members).joined(separator: ",") + "}"
            }.joined(separator: ",")
        }
        let document = """
            {"schemaVersion":0,"schema":\(Self.schema),"objects":{"Thing":[\(lines(things))],"Other":[\(lines(others))]}}
            """
        let memory = MemorySegmentStore()
        store = memory
        snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: memory, limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
                .read()
        }
    }

    private static func thing(_ id: Int, _ generator: inout SeededGenerator) -> [String: Value] {
        func list(_ type: Asked.Kind, isOptional: Bool = false) -> [Value] {
            (0..<generator.below(4)).map { _ in value(type, isOptional: isOptional, &generator) }
        }
        let words = Set((0..<generator.below(3)).map { _ in generator.pick(self.words) ?? "" })
        let entries = (0..<generator.below(3)).map { DictionaryEntry("k\($0)", value(.int, &generator)) }
        return [
            "id": .int(Int64(id)), "i": value(.int, &generator), "io": value(.int, isOptional: true, &generator),
            "d": value(.double, isOptional: true, &generator), "f": value(.float, &generator),
            "bo": value(.bool, isOptional: true, &generator), "s": value(.string, &generator),
            "so": value(.string, isOptional: true, &generator), "dt": value(.date, isOptional: true, &generator),
            "m": value(.mixed, isOptional: true, &generator), "li": .list(list(.int)),
            "ls": .list(list(.string, isOptional: true)),
            "st": .list(words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) }),
            "di": .dictionary(entries),
            "o": generator.below(3) == 0 ? .null : .link(ObjectKey(Int64(generator.below(5)))),
            "l": .list((0..<generator.below(4)).map { _ in .link(ObjectKey(Int64(generator.below(5)))) }),
        ]
    }

    private static func value(
        _ type: Asked.Kind, isOptional: Bool = false, _ generator: inout SeededGenerator
    ) -> Value {
        if isOptional, generator.below(4) == 0 { return .null }
        if type == .double, generator.below(6) == 0 { return .double(.nan) }
        var constant = Asked.constant(of: type, &generator)
        while constant.value.isNull { constant = Asked.constant(of: type, &generator) }
        if type == .float, case .double(let number) = constant.value { return .float(Float(number)) }
        return constant.value
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .int(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .float(let number): "\(number)"
        case .double(let number): number.isNaN ? #"{"$numberDouble":"NaN"}"# : "\(number)"
        case .string(let text): "\"\(text)\""
        case .date(let date): #"{"$date":"1970-01-01T00:00:0\#(date.seconds)Z"}"#
        case .link(let key): "\(key.value)"
        case .list(let elements): "[" + elements.map(json).joined(separator: ",") + "]"
        case .dictionary(let entries):
            "{" + entries.map { "\"\($0.key)\":\(json($0.value))" }.joined(separator: ",") + "}"
        default: "null"
        }
    }

    // MARK: Asking

    func found(_ query: String) throws -> [Int] {
        let search = try #require(try ObjectSearch(query, on: "Thing", in: snapshot, from: store))
        return try search.keys(limit: 1000).map { Int($0.value) }
    }

    func foundOneByOne(_ query: String) throws -> [Int] {
        let objects = SnapshotObjects(snapshot, from: store)
        let query = try Query(query, on: "Thing", in: snapshot.declared)
        return try things.indices.filter { index in
            try query.matches(SnapshotObjects.Object(classIndex: 0, key: ObjectKey(Int64(index))), in: objects)
        }
    }

    // MARK: The plain evaluation

    func elements(_ name: String, _ thing: Int) -> [Value] {
        switch things[thing][name] {
        case .list(let elements)?: elements
        case .dictionary(let entries)?: entries.map(\.value)
        default: []
        }
    }

    func plain(_ asked: Asked, _ thing: Int) -> Bool {
        switch asked {
        case .not(let part): return !plain(part, thing)
        case .and(let left, let right): return plain(left, thing) && plain(right, thing)
        case .or(let left, let right): return plain(left, thing) || plain(right, thing)
        case .count(let name, let comparator, let number):
            return fits(.int(Int64(elements(name, thing).count)), comparator, .int(number), isOwn: false)
        case .own(let name, let comparator, let constant):
            return fits(things[thing][name] ?? .null, comparator, constant.value, isOwn: name != "m")
        case .linked(let name, let comparator, let constant):
            var value = Value.null
            if case .link(let key)? = things[thing]["o"] {
                value = others[Int(key.value)][String(name.dropFirst(2))] ?? .null
            }
            return fits(value, comparator, constant.value, isOwn: false)
        case .collection(let quantifier, let name, let comparator, let constant):
            var values = elements(String(name.prefix { $0 != "." }), thing)
            if name.contains(".") {
                values = values.map { link in
                    guard case .link(let key) = link else { return .null }
                    return others[Int(key.value)][String(name.dropFirst(2))] ?? .null
                }
            }
            let count = values.count { fits($0, comparator, constant.value, isOwn: false) }
            switch quantifier {
            case "ALL": return count == values.count
            case "NONE": return count == 0
            default: return count > 0
            }
        }
    }

    /// How two values stand to one another: -1, 0, 1; nil where they have no order.
    private func order(_ left: Value, _ right: Value) -> Int? {
        func number(_ value: Value) -> Double? {
            switch value {
            case .int(let number): Double(number)
            case .float(let number): Double(number)
            case .double(let number): number
            default: nil
            }
        }
        switch (left, right) {
        case (.string(let left), .string(let right)):
            if Array(left.utf8) == Array(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case (.bool(let left), .bool(let right)): return left == right ? 0 : left ? 1 : -1
        case (.date(let left), .date(let right)): return left == right ? 0 : left < right ? -1 : 1
        default:
            guard let left = number(left), let right = number(right) else { return nil }
            if left.isNaN { return right.isNaN ? 0 : -1 }
            return left == right ? 0 : left < right ? -1 : 1
        }
    }

    private func fits(_ left: Value, _ comparator: String, _ right: Value, isOwn: Bool) -> Bool {
        var order: Int?
        var isText = false
        if case .string = right { isText = true }
        switch (left, right) {
        case (.null, .null): order = ["<", ">"].contains(comparator) ? nil : 0
        // An own string that is null comes before all others, and everything comes behind a null that is asked for.
        case (.null, _): order = isOwn && isText ? -1 : nil
        case (.string, .null): order = isOwn ? 1 : nil
        case (_, .null): order = nil
        case (.double(let number), .double) where number.isNaN && isOwn: order = nil
        default: order = self.order(left, right)
        }
        switch comparator {
        case "==": return order == 0
        case "!=": return order != 0
        case "<": return order == -1
        case "<=": return order == -1 || order == 0
        case ">": return order == 1
        case ">=": return order == 1 || order == 0
        default: return fitsText(left, comparator, right, isOwn: isOwn)
        }
    }

    private func fitsText(_ left: Value, _ comparator: String, _ right: Value, isOwn: Bool) -> Bool {
        if case .null = right { return isOwn || comparator == "CONTAINS" && left != .null }
        guard case .string(let text) = left, case .string(let part) = right else { return false }
        let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
        guard wanted.count <= bytes.count else { return false }
        let places = (0...(bytes.count - wanted.count)).filter { Array(bytes[$0..<$0 + wanted.count]) == wanted }
        switch comparator {
        case "BEGINSWITH": return places.contains(0)
        case "ENDSWITH": return places.contains(bytes.count - wanted.count)
        default: return !places.isEmpty
        }
    }
}
