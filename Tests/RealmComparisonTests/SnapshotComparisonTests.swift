import Columns
import RealmComparison
import RealmJSON
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// Differences of snapshots against what a look at every cell of both finds.
@Suite struct SnapshotComparisonTests {
    @Test(arguments: [1, 2, 3, 16_384])
    func `finds what a look at every cell finds`(rows: Int) throws {
        for iteration in 0..<8 {
            var random = SeededGenerator(seed: 29, iteration: UInt64(rows * 100 + iteration))
            let realm = try ChangingRealm(RowGroupLimits(rows: rows, bytes: 1 << 20), &random)
            for _ in 0..<12 { try realm.change(&random) }
            for _ in 0..<20 {
                let (from, to) = (random.below(realm.states.count), random.below(realm.states.count))
                let place = "rows \(rows), iteration \(iteration), \(from) to \(to)"
                try realm.check(from, to, place)
                if from <= to { try realm.check(from, to, delta: realm.delta(from, to), place + " by deltas") }
            }
        }
    }

    /// The realm of a script that gives a class a new property, drops one, changes a type, and loses values.
    @Test func `compares the properties that both declare, also of another type`() throws {
        let store = MemorySegmentStore()
        let old = try Self.snapshot(
            [Property("age", .int), Property("gone", .int), Property("nick", .string, isOptional: true)],
            [[.int(1), .int(5), .string("a")], [.int(2), .int(5), .string("b")]], in: store)
        let new = try Self.snapshot(
            [Property("nick", .string, isOptional: true), Property("age", .string), Property("new", .int)],
            [[.string("a"), .string("1"), .int(0)], [.null, .string("2"), .int(0)]], in: store)
        var found: [ObjectDifference] = []
        let difference = try SnapshotComparison(old, new, store: store).compare("Person") {
            found.append($0)
            return true
        }
        #expect(difference.changed == 2)
        #expect(
            difference.properties == [
                PropertyDifference("nick", changed: 1, toNull: 1),
                PropertyDifference("age", changed: 2),
            ])
        #expect(found == [ObjectDifference(key: 0, .changed), ObjectDifference(key: 1, .changed)])
    }

    @Test func `gives each object of a class that one snapshot alone declares`() throws {
        let store = MemorySegmentStore()
        let some = try Self.snapshot([Property("age", .int)], [[.int(1)], [.int(2)]], in: store)
        let none = Snapshot(schemaVersion: 1, declared: Schema([]), classes: [])
        #expect(try SnapshotComparison(some, none, store: store).compare("Person").removed == 2)
        #expect(try SnapshotComparison(none, some, store: store).compare("Person").added == 2)
        // A class that is stored but not declared is not seen.
        let hidden = Snapshot(schemaVersion: 1, declared: Schema([]), classes: some.classes)
        #expect(try SnapshotComparison(some, hidden, store: store).compare("Person").removed == 2)
        #expect(SnapshotComparison(some, hidden, store: store).classNames == ["Person"])
    }

    @Test func `ends where nobody wants more`() throws {
        let store = MemorySegmentStore()
        let some = try Self.snapshot([Property("age", .int)], [[.int(1)], [.int(2)], [.int(3)]], in: store)
        let none = Snapshot(schemaVersion: 1, declared: Schema([]), classes: [])
        var found: [Int64] = []
        _ = try SnapshotComparison(none, some, store: store).compare("Person") {
            found.append($0.key)
            return found.count < 2
        }
        #expect(found == [0, 1])
    }

    /// Before each row group it is asked whether anybody still waits; if not, the rest is not read.
    @Test(arguments: [0, 1, 3]) func `reads no more row groups when nobody waits`(groups: Int) throws {
        let store = MemorySegmentStore()
        let snapshots = try [1, 2].map { number in
            try Self.snapshot([Property("age", .int)], (0..<6).map { _ in [.int(number)] }, rowsInGroup: 1, in: store)
        }
        var (questions, found) = (0, 0)
        #expect(throws: Rehearsal.Cancelled.self) {
            _ = try SnapshotComparison(snapshots[0], snapshots[1], store: store).compare("Person") { _ in
                found += 1
                return true
            } isCancelled: {
                questions += 1
                return questions > groups
            }
        }
        #expect(found == groups)
    }

    @Test func `reads nothing of what both have in the same segments`() throws {
        let kept = MemorySegmentStore()
        let some = try Self.snapshot([Property("age", .int)], (0..<50).map { [.int(Int64($0))] }, in: kept)
        // A store without a single segment.
        let comparison = SnapshotComparison(some, some, store: MemorySegmentStore())
        #expect(throws: (any Error).self) { try ClassReader(some.classes[0], store: MemorySegmentStore()) }
        #expect(try comparison.compare("Person").isEmpty)
    }

    private static func snapshot(
        _ properties: [Property], _ rows: [[Value]], rowsInGroup: Int = 10, in store: any SegmentStore
    ) throws -> Snapshot {
        let schema = ObjectSchema("Person", properties: properties)
        let writer = ClassWriter(
            schema: schema, store: store, limits: RowGroupLimits(rows: rowsInGroup, bytes: 1 << 20))
        for (number, row) in rows.enumerated() {
            for (column, value) in zip(writer.columns, row) { try column.append(value) }
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        return Snapshot(
            schemaVersion: 1, declared: Schema([schema]), classes: [try writer.finish(nextSequence: Int64(rows.count))])
    }
}

/// A synced realm, each of its snapshots, and what each batch of changes said that it did.
private final class ChangingRealm {
    private(set) var states: [Snapshot] = []
    private var deltas: [SnapshotDelta] = []
    private let store = MemorySegmentStore()
    private let limits: RowGroupLimits

    private static let person = ObjectSchema(
        "Person", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("name", .string, isOptional: true), Property("age", .int),
            Property("height", .double), Property("seen", .date, isOptional: true), Property("isNew", .bool),
            Property("weight", .float, isOptional: true), Property("token", .uuid, isOptional: true),
            Property("friend", .object, objectType: "Person", isOptional: true),
            Property("friends", .object, collection: .list, objectType: "Person"),
            Property("home", .object, objectType: "Home", isOptional: true),
            Property("scores", .double, collection: .dictionary), Property("extra", .mixed, isOptional: true),
        ])
    private static let home = ObjectSchema(
        "Home", kind: .embedded,
        properties: [
            Property("city", .string), Property("guest", .object, objectType: "Person", isOptional: true),
            Property("room", .object, objectType: "Home", isOptional: true),
        ])

    init(_ limits: RowGroupLimits, _ random: inout SeededGenerator) throws {
        self.limits = limits
        states = [
            Snapshot(
                schemaVersion: 1, declared: Schema([Self.person, Self.home]),
                classes: [StoredClass(empty: Self.person), StoredClass(empty: Self.home)])
        ]
        try change(&random)
    }

    /// A batch of changes, and now and then what maintenance does.
    func change(_ random: inout SeededGenerator) throws {
        guard var snapshot = states.last else { return }
        let ids = (0..<random.below(8)).map { _ in Int64(random.below(24)) }
        let upserts = ids.map { id -> JSONValue in
            var object: [JSONMember] = [JSONMember("_id", .int(id))]
            for property in Self.person.properties.dropFirst() where random.below(4) == 0 {
                object.append(JSONMember(property.name, Self.value(property.name, id, &random)))
            }
            return ["class": "Person", "object": .object(object)]
        }
        let deletes = (0..<random.below(3)).map { _ -> JSONValue in
            ["class": "Person", "key": .int(Int64(random.below(24)))]
        }
        let application = ChangeApplication(to: snapshot, in: store, limits: limits)
        let body: JSONValue = ["upserts": .array(upserts), "deletes": .array(deletes)]
        _ = try application.apply(try ChangeBatchReader(snapshot.declared, limit: 100).read(body.encoded()))
        let finished = try application.finish()
        snapshot = finished.snapshot
        if random.below(3) == 0 {
            for index in snapshot.classes.indices {
                snapshot.classes[index] = try snapshot.classes[index].folded(in: store, limits: limits)
            }
        }
        if !states.isEmpty { deltas.append(finished.delta) }
        states.append(snapshot)
    }

    private static func value(_ property: String, _ id: Int64, _ random: inout SeededGenerator) -> JSONValue {
        let isNull = random.below(4) == 0
        switch property {
        case "name": return isNull ? .null : .string("n\(random.below(5))")
        case "age": return .int(Int64(random.below(4)))
        case "height": return .double(Double(random.below(3)) - 0.5)
        case "seen": return isNull ? .null : ["$date": .string("2026-01-0\(1 + random.below(3))T00:00:00Z")]
        case "isNew": return .bool(random.below(2) == 0)
        case "weight": return isNull ? .null : .double(Double(random.below(3)))
        case "token":
            return isNull ? .null : ["$uuid": .string("00000000-0000-4000-8000-00000000000\(random.below(4))")]
        case "friend": return isNull ? .null : .int(id)
        case "friends": return .array((0..<random.below(3)).map { _ in .int(id) })
        case "home":
            // A guest that is deleted changes the home, and with it the person whose home it is, not the column that owns it.
            let room: JSONValue = ["city": "room", "guest": random.below(2) == 0 ? .null : .int(id)]
            return isNull
                ? .null
                : [
                    "city": .string("c\(random.below(9))"), "guest": random.below(2) == 0 ? .null : .int(id),
                    "room": random.below(2) == 0 ? .null : room,
                ]
        case "scores":
            return .object((0..<random.below(3)).map { JSONMember("k\($0)", .double(Double(random.below(3)) + 0.5)) })
        default: return isNull ? .null : .int(Int64(random.below(3)))
        }
    }

    /// The delta of the batches between two states.
    func delta(_ from: Int, _ to: Int) -> SnapshotDelta {
        deltas[from..<to].reduce(into: SnapshotDelta()) { $0.merge($1) }
    }

    /// Compares what the comparison finds with what a look at every cell finds.
    func check(_ from: Int, _ to: Int, delta: SnapshotDelta? = nil, _ place: String) throws {
        let comparison = SnapshotComparison(states[from], states[to], delta: delta, store: store)
        for name in ["Person", "Home"] {
            var found: [ObjectDifference] = []
            let difference = try comparison.compare(name) {
                found.append($0)
                return true
            }
            let expected = try Self.expected(
                cells(of: name, in: states[from]), cells(of: name, in: states[to]),
                (name == "Person" ? Self.person : Self.home))
            #expect(found == expected.objects, "\(place), \(name)")
            #expect(difference == expected.difference, "\(place), \(name)")
        }
    }

    private static func expected(
        _ old: [Int64: [Value]], _ new: [Int64: [Value]], _ schema: ObjectSchema
    ) throws -> (objects: [ObjectDifference], difference: ClassDifference) {
        var objects: [ObjectDifference] = []
        var difference = ClassDifference(schema.name)
        var counts = schema.properties.map { PropertyDifference($0.name) }
        for key in Set(old.keys).union(new.keys).sorted() {
            switch (old[key], new[key]) {
            case (let before?, let after?):
                let changed = before.indices.filter { before[$0] != after[$0] }
                for property in changed {
                    counts[property].changed += 1
                    guard after[property].isNull else { continue }
                    counts[property].toNull += 1
                }
                guard !changed.isEmpty else { continue }
                difference.changed += 1
                objects.append(ObjectDifference(key: key, .changed))
            case (nil, _?):
                difference.added += 1
                objects.append(ObjectDifference(key: key, .added))
            default:
                difference.removed += 1
                objects.append(ObjectDifference(key: key, .removed))
            }
        }
        difference.properties = counts.filter { $0.changed > 0 }
        return (objects, difference)
    }

    /// The cells of all objects of a class by object key, in the order of the stored properties; a home beside its key.
    private func cells(of name: String, in snapshot: Snapshot) throws -> [Int64: [Value]] {
        let homes = try ownCells(of: "Home", in: snapshot)
        func whole(_ key: ObjectKey) -> Value {
            .list(
                [.int(key.value)]
                    + (homes[key.value] ?? []).enumerated().map { place, cell in
                        if place == 2, case .link(let room) = cell { whole(room) } else { cell }
                    })
        }
        let place = snapshot[name]?.schema.properties.firstIndex { $0.objectType == "Home" }
        return try ownCells(of: name, in: snapshot).mapValues { row in
            var row = row
            if let place, case .link(let home) = row[place] { row[place] = whole(home) }
            return row
        }
    }

    private func ownCells(of name: String, in snapshot: Snapshot) throws -> [Int64: [Value]] {
        let reader = try ClassReader(try #require(snapshot[name]), store: store)
        var cells: [Int64: [Value]] = [:]
        for (number, group) in reader.rowGroups.enumerated() {
            let properties = reader.stored.schema.properties
            let columns = try properties.indices.map { try reader.column($0, inGroup: number) }
            let keys = try reader.keys(inGroup: number)
            for row in group.liveRows {
                cells[keys[row]] = try zip(columns, properties).map { try $0.value(at: row, as: ColumnType($1)) }
            }
        }
        return cells
    }
}
