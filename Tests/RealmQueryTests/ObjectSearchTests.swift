import Columns
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmQuery

/// A query finds the same by columns as object by object, whatever the size of row groups.
struct ObjectSearchTests {
    private static let tests = [
        "age > 3", "age >= 3 AND age < 7", "age == null", "age != null", "age != 5", "3 < age", "age IN {1, 2, 3}",
        "weight < 4.5", "weight == NaN", "weight != NaN", "weight >= 2", "height > 0.5", "height == 0.25",
        "born > T5:0", "born <= T3:0", "good == true", "good != false", "good == null", "name == 'Rex'",
        "name != 'Rex'", "name == null", "name BEGINSWITH 'R'", "name ENDSWITH 'a'", "name < 'Lassie'",
        "name >= 'Lassie'", "name CONTAINS 'ass'", "name LIKE 'R*'", "name ==[c] 'rex'", "name BEGINSWITH[c] 'r'",
        "name BEGINSWITH ''", "mix == 1", "mix > 1", "mix == 'Rex'", "mix == null", "owner.name == 'Ada'",
        "owner == null", "ANY tags == 'a'", "ALL tags == 'a'", "NONE tags == 'a'", "tags.@count > 1",
        "name IN {'Rex', 'Lassie', null}", "name IN {'Rex', 1}",
        "name IN[c] {'rex', 'LASSIE'}", "NOT name IN {'Rex', 'Lassie'}", "name == ANY {'Rex', 'Laika'}",
        "age IN {1, 2.0, 3.5}",
        "age IN {1, 2, null}", "age IN {1, 'x'}", "NOT age IN {1, 2}", "mix IN {1, 'Rex'}", "weight IN {1, 2.5}",
        "owner.dogs.@count >= 2", "@links.Person.dogs.@count > 1", "@links.@count == 0", "TRUEPREDICATE",
    ]

    @Test(arguments: 0..<60 as Range<UInt64>, [1, 3, 16_384])
    func `finds by columns what fits object by object`(seed: UInt64, rows: Int) throws {
        var generator = SeededGenerator(seed: seed)
        let (snapshot, store) = try Kennel.make(seed: seed, rows: rows)
        let query = Self.predicate(depth: 3, &generator)
        let expected = try Self.fitting(query, snapshot, store)
        let search = try #require(try ObjectSearch(query, on: "Dog", in: snapshot, from: store))
        #expect(try search.keys(limit: 1000) == expected, "\(query)")
        #expect(try search.count() == expected.count)
        var pages: [ObjectKey] = []
        while true {
            let page = try search.keys(after: pages.last, limit: 7)
            guard !page.isEmpty else { break }
            pages += page
        }
        #expect(pages == expected)
    }

    @Test(arguments: tests)
    func `each test finds by columns what fits object by object`(query: String) throws {
        let (snapshot, store) = try Kennel.make(seed: 5, rows: 16)
        let search = try #require(try ObjectSearch(query, on: "Dog", in: snapshot, from: store))
        #expect(try search.keys(limit: 1000) == Self.fitting(query, snapshot, store))
    }

    @Test(arguments: [1, 10, 1000], [1, 50])
    func `sorts as a whole what it finds, whatever the limit`(limit: Int, rows: Int) throws {
        let (snapshot, store) = try Kennel.make(seed: 9, rows: rows)
        let search = try #require(try ObjectSearch("age != null", on: "Dog", in: snapshot, from: store))
        let order = [(path: "age", isReversed: true), (path: "owner.name", isReversed: false)]
        let sorted = try search.keys(sorted: order, limit: limit)
        let objects = SnapshotObjects(snapshot, from: store)
        let all = try search.keys(limit: 1000).map { SnapshotObjects.Object(classIndex: 0, key: $0) }
        let expected = try SortOrder(order, on: "Dog", in: snapshot.declared).sorted(all, in: objects)
        #expect(sorted == Array(expected.map(\.key).prefix(limit)))
    }

    @Test func `finds who links to an object, through lists and mixed values too`() throws {
        let (snapshot, store) = try Kennel.make(seed: 3, rows: 3)
        let objects = SnapshotObjects(snapshot, from: store)
        let dogs = try Self.fitting("TRUEPREDICATE", snapshot, store)
        var found: Set<String> = []
        for key in (0..<4).map({ ObjectKey($0) }) {
            func linking(_ property: String, _ link: Value) throws -> [ObjectKey] {
                let index = try #require(snapshot.declared["Dog"]?.properties.firstIndex { $0.name == property })
                return try dogs.filter {
                    try objects.value(index, of: SnapshotObjects.Object(classIndex: 0, key: $0)) == link
                }
            }
            let expected = try [
                ("owner", linking("owner", .link(key))),
                ("mix", linking("mix", .typedLink(className: "Person", key))),
            ].filter { !$0.1.isEmpty }
            let origins = try LinkSearch(snapshot, from: store).origins(of: key, ofClass: "Person")
            #expect(origins.map(\.property) == expected.map(\.0))
            #expect(origins.map(\.keys) == expected.map(\.1))
            #expect(origins.map(\.count) == expected.map(\.1.count))
            found.formUnion(origins.map(\.property))
        }
        #expect(found == ["owner", "mix"])
        let listed = try LinkSearch(snapshot, from: store, keyLimit: 1).origins(of: dogs[0], ofClass: "Dog")
        #expect(listed.map(\.className) == ["Person"])
        #expect(listed[0].keys.count == 1 && listed[0].count > 1)
    }

    @Test func `says what is wrong with a query, and that a class is not there`() throws {
        let (snapshot, store) = try Kennel.make(seed: 1, rows: 3)
        #expect(throws: QueryError.self) { try ObjectSearch("agee > 3", on: "Dog", in: snapshot, from: store) }
        #expect(try ObjectSearch(nil, on: "Cat", in: snapshot, from: store) == nil)
    }

    /// The dogs that fit, each asked by itself.
    private static func fitting(
        _ query: String, _ snapshot: Snapshot, _ store: any SegmentStore
    ) throws -> [ObjectKey] {
        let objects = SnapshotObjects(snapshot, from: store)
        let bound = try Query(query, on: "Dog", in: snapshot.declared)
        let all = try #require(try ObjectSearch(nil, on: "Dog", in: snapshot, from: store)).keys(limit: 1000)
        #expect(all.count == Kennel.dogCount)
        return try all.filter { try bound.matches(SnapshotObjects.Object(classIndex: 0, key: $0), in: objects) }
    }

    private static func predicate(depth: Int, _ generator: inout SeededGenerator) -> String {
        let kind = depth == 0 ? 0 : generator.below(5)
        switch kind {
        case 1: return "(\(predicate(depth: depth - 1, &generator)) AND \(predicate(depth: depth - 1, &generator)))"
        case 2: return "(\(predicate(depth: depth - 1, &generator)) OR \(predicate(depth: depth - 1, &generator)))"
        case 3: return "NOT (\(predicate(depth: depth - 1, &generator)))"
        default: return generator.pick(tests) ?? ""
        }
    }
}

/// Sixty dogs with values of few kinds, so that every test finds some, and eight people.
private enum Kennel {
    static let dogCount = 60

    private static let schema = """
        [{"name":"Dog","primaryKey":"id","properties":{"id":"int","name":"string?","age":"int?","weight":"double?",
        "height":"float","born":"date?","good":"bool?","owner":"Person","mix":"mixed","tags":"string[]"}},
        {"name":"Person","properties":{"name":"string","dogs":{"type":"list","objectType":"Dog"}}}]
        """

    static func make(seed: UInt64, rows: Int) throws -> (Snapshot, MemorySegmentStore) {
        var generator = SeededGenerator(seed: seed, iteration: 77)
        let dogs = (0..<dogCount).map { dog($0, &generator) }
        let names = ["Ada", "Bo", "Cy", "Di"]
        let people = (0..<8).map { id in
            let dogs = (0..<generator.below(4)).map { _ in "\(generator.below(2))" }.joined(separator: ",")
            return "{\"_key\":\(id),\"name\":\"\(names[id % 4])\",\"dogs\":[\(dogs)]}"
        }
        let document = """
            {"schemaVersion":0,"schema":\(schema),"objects":{"Dog":[\(dogs.joined(separator: ","))],
            "Person":[\(people.joined(separator: ","))]}}
            """
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: limits).read()
        }
        return (snapshot, store)
    }

    private static func dog(_ id: Int, _ generator: inout SeededGenerator) -> String {
        func pick(_ texts: [String]) -> String { generator.pick(texts) ?? "null" }
        let values = [
            ("name", pick(["null", #""Rex""#, #""rex""#, #""Lassie""#, #""Laika""#, #""""#])),
            ("age", pick(["null", "0", "1", "3", "5", "7", "12"])),
            ("weight", pick(["null", "1.5", "2.0", "4.5", "7.25", #"{"$numberDouble":"NaN"}"#])),
            ("height", pick(["0.25", "0.5", "0.75"])),
            ("born", pick(["null", #"{"$date":"1970-01-01T00:00:03Z"}"#, #"{"$date":"1970-01-01T00:00:09Z"}"#])),
            ("good", pick(["null", "true", "false"])), ("owner", pick(["null", "0", "1", "2", "3"])),
            ("mix", pick(["null", "1", "2.5", #""Rex""#, #"{"$ref":"Person","$id":1}"#])),
            ("tags", pick(["[]", #"["a"]"#, #"["a","b"]"#, #"["b","b"]"#])),
        ]
        return "{\"id\":\(id)," + values.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
