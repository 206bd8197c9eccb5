import Columns
import RealmJSON
import RealmModel
import Testing

struct ObjectComparisonTests {
    /// One object: its key, and what its property holds.
    private typealias Objects = [Int: Int]

    /// A realm of one class, in the order of the list, with a primary key or the keys as object keys.
    private static func realm(
        _ objects: [(key: Int, value: Int)], hasPrimaryKey: Bool, in store: MemorySegmentStore, rows: Int = 3
    ) throws -> Snapshot {
        let name = hasPrimaryKey ? "id" : "_key"
        let head = hasPrimaryKey ? #""primaryKey":"id","properties":{"id":"int","# : #""properties":{"#
        let lines = objects.map { #"{"\#(name)":\#($0.key),"n":\#($0.value)}"# }.joined(separator: ",")
        return try read(
            #"{"schemaVersion":1,"schema":[{"name":"A",\#(head)"n":"int"}}],"objects":{"A":[\#(lines)]}}"#, store, rows)
    }

    private static func read(_ text: String, _ store: MemorySegmentStore, _ rows: Int = 3) throws -> Snapshot {
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        return try RealmJSONReader(ByteArraySource(Array(text.utf8)), into: store, limits: limits).read()
    }

    private static func changes(
        _ from: Snapshot, _ to: Snapshot, _ store: MemorySegmentStore, indexedObjects: Int = 1 << 21
    ) throws -> [String] {
        let comparison = ObjectComparison(from, to, store: store, indexedObjects: indexedObjects)
        var lines: [String] = []
        for name in comparison.classNames {
            _ = try comparison.compare(name) { lines.append(line($0, of: name)) }
        }
        return lines
    }

    private static func line(_ change: ObjectChange, of name: String) -> String {
        let key = "\(name) \(String(decoding: change.key, as: UTF8.self)) "
        switch change.kind {
        case .removed: return key + "removed"
        case .added: return key + "added"
        case .changed(let properties):
            return key
                + properties.map {
                    "\($0.name): \(String(decoding: $0.from, as: UTF8.self)) → \(String(decoding: $0.to, as: UTF8.self))"
                }.joined(separator: ", ")
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>, [true, false])
    func `finds exactly what a comparison in memory does`(seed: UInt64, hasPrimaryKey: Bool) throws {
        var random = Seeded(seed)
        func objects() -> Objects {
            var objects: Objects = [:]
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                objects[Int.random(in: 0..<70, using: &random)] = Int.random(in: 0..<2, using: &random)
            }
            return objects
        }
        let (old, new) = (objects(), objects())
        let store = MemorySegmentStore()
        let realms = try [old, new].map {
            let list = $0.map { (key: $0.key, value: $0.value) }
            // Objects with a primary key come in any order, and their object keys with it.
            return try Self.realm(
                hasPrimaryKey ? list.shuffled(using: &random) : list.sorted { $0.key < $1.key },
                hasPrimaryKey: hasPrimaryKey, in: store)
        }
        var expected: Set<String> = []
        for key in Set(old.keys).union(new.keys) {
            switch (old[key], new[key]) {
            case (let before?, let after?): if before != after { expected.insert("A \(key) n: \(before) → \(after)") }
            case (.some, nil): expected.insert("A \(key) removed")
            default: expected.insert("A \(key) added")
            }
        }
        for indexedObjects in [1, 7, 1 << 21] {
            let found = try Self.changes(realms[0], realms[1], store, indexedObjects: indexedObjects)
            #expect(Set(found) == expected)
            #expect(found.count == expected.count)
            #expect(try Self.changes(realms[0], realms[0], store, indexedObjects: indexedObjects) == [])
        }
    }

    /// Realms have links in the order of object keys, which are others in each.
    @Test func `sets of links are the same in any order`() throws {
        let store = MemorySegmentStore()
        func realm(_ targets: [Int], _ linked: [Int] = [1, 2]) throws -> Snapshot {
            let mixed = linked.map { #"{"$ref":"B","$id":\#($0)}"# }.joined(separator: ",")
            return try Self.read(
                #"""
                {"schemaVersion":1,"schema":[
                {"name":"A","primaryKey":"id","properties":{"id":"int","s":"B<>","m":"mixed<>","part":"Part","l":"B[]"}},
                {"name":"Part","embedded":true,"properties":{"s":"B<>"}},{"name":"B","primaryKey":"id","properties":{"id":"int"}}],
                "objects":{"B":[\#(targets.map { #"{"id":\#($0)}"# }.joined(separator: ","))],
                "A":[{"id":1,"s":\#(linked),"m":[7,\#(mixed)],"part":{"s":\#(linked)},"l":[1,2]}]}}
                """#, store)
        }
        #expect(try Self.changes(realm([1, 2, 3]), realm([3, 2, 1]), store) == [])
        let changed = try Self.changes(realm([1, 2, 3]), realm([3, 2, 1], [1, 3]), store)
        #expect(changed.count == 1 && changed[0].contains("s: [1,2] → [3,1]"), "\(changed)")
    }

    private static let people = """
        "schema":[
        {"name":"Person","primaryKey":"id","properties":{"id":"string?","dogs":"Dog[]","home":"Address","any":"mixed",
        "score":"double","tags":"string{}","born":"date","photo":"data"}},
        {"name":"Dog","primaryKey":"name","properties":{"name":"string"}},
        {"name":"Address","embedded":true,"properties":{"city":"string?"}}]
        """

    private static func person(_ changed: String = "") -> String {
        var members = [
            "id": #""ada""#, "dogs": #"["Rex","Fido"]"#, "home": #"{"city":"Paris"}"#, "any": "1", "score": "0.5",
            "tags": #"{"a":"1"}"#, "born": #"{"$date":"2020-01-31T10:00:00Z"}"#,
            "photo": #"{"$binary":{"base64":"AAE=","subType":"00"}}"#,
        ]
        if let colon = changed.firstIndex(of: ":") {
            members[String(changed[..<colon])] = String(changed[changed.index(after: colon)...])
        }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func realm(of person: String, dogs: [String], in store: MemorySegmentStore) throws -> Snapshot {
        let list = dogs.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
        return try read(
            "{\"schemaVersion\":1,\(people),\"objects\":{\"Dog\":[\(list)],\"Person\":[\(person)]}}", store)
    }

    @Test(arguments: [
        #"dogs:["Fido","Rex"]"#, #"home:{"city":null}"#, "home:null", "any:1.0", #"any:[1]"#, #"any:"1""#, "score:-0.0",
        #"tags:{"a":"1","b":"2"}"#, #"born:{"$date":"2020-01-31T10:00:00.000000001Z"}"#,
        #"photo:{"$binary":{"base64":"AAI=","subType":"00"}}"#,
    ])
    func `tells which property differs`(changed: String) throws {
        let store = MemorySegmentStore()
        let old = try Self.realm(of: Self.person(), dogs: ["Rex", "Fido"], in: store)
        let new = try Self.realm(of: Self.person(changed), dogs: ["Rex", "Fido"], in: store)
        let lines = try Self.changes(old, new, store)
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("Person \"ada\" \(changed.prefix { $0 != ":" }): "))
        #expect(try Self.changes(new, old, store).count == 1)
    }

    @Test func `takes objects for the same whatever keys Realm gave them`() throws {
        let store = MemorySegmentStore()
        let old = try Self.realm(of: Self.person(), dogs: ["Rex", "Fido"], in: store)
        let new = try Self.realm(of: Self.person(), dogs: ["Fido", "Bello", "Rex"], in: store)
        #expect(try Self.changes(old, new, store) == ["Dog \"Bello\" added"])
    }

    @Test func `finds the object whose primary key is null`() throws {
        let store = MemorySegmentStore()
        let old = try Self.realm(of: Self.person("id:null"), dogs: ["Rex", "Fido"], in: store)
        let new = try Self.realm(
            of: Self.person("id:null").replacing("Paris", with: "Rome"), dogs: ["Rex", "Fido"], in: store)
        #expect(try Self.changes(old, old, store) == [])
        #expect(try Self.changes(old, new, store) == [#"Person {"$key":0} home: {"city":"Paris"} → {"city":"Rome"}"#])
    }

    @Test func `takes a link to the object whose primary key is null for the same, whatever key Realm gave it`() throws
    {
        let store = MemorySegmentStore()
        func realm(_ friend: String, isFirst: Bool) throws -> Snapshot {
            let null = #"{"id":null,"friend":null,"any":null,"all":[]}"#
            let ada =
                #"{"id":"ada","friend":\#(friend),"any":[{"$ref":"A","$id":{"$key":0}}],"all":[{"$key":0},"ada"]}"#
            let objects = isFirst ? "\(null),\(ada)" : "\(ada),\(null)"
            return try Self.read(
                #"{"schema":[{"name":"A","primaryKey":"id","properties":{"id":"string?","friend":"A","any":"mixed","#
                    + #""all":"A[]"}}],"objects":{"A":[\#(objects)]}}"#, store)
        }
        let old = try realm(#"{"$key":0}"#, isFirst: true)
        #expect(try Self.changes(old, try realm(#"{"$key":0}"#, isFirst: false), store) == [])
        let new = try realm(#""ada""#, isFirst: false)
        #expect(try Self.changes(old, new, store) == [#"A "ada" friend: {"$key":0} → "ada""#])
    }

    @Test func `leaves changes of properties to the schema`() throws {
        let store = MemorySegmentStore()
        let old = try Self.read(
            #"{"schema":[{"name":"A","properties":{"a":"int","b":"int"}},{"name":"B","properties":{"x":"int"}}],"#
                + #""objects":{"A":[{"_key":0,"a":1,"b":2}],"B":[{"_key":0,"x":1}]}}"#, store)
        let new = try Self.read(
            #"{"schema":[{"name":"A","properties":{"a":"int?","c":"int"}}],"objects":{"A":[{"_key":0,"a":1,"c":2}]}}"#,
            store)
        // A property of one side is no change of an object; an object of a class of one side is in that side alone.
        #expect(try Self.changes(old, new, store) == ["B 0 removed"])
        #expect(try Self.changes(new, old, store) == ["B 0 added"])
    }
}

/// Numbers that are the same in every run.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &+ 0x9e37_79b9_7f4a_7c15 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) ^ (state << 31)
    }
}
