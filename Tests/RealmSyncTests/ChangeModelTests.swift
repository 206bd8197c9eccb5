import Columns
import RealmJSON
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// A synced realm against a dictionary: random batches, folding, additions to the schema, and reads of every kind.
@Suite struct ChangeModelTests {
    @Test(arguments: [1, 2, 3, 16_384])
    func `holds what a dictionary holds`(rows: Int) throws {
        for iteration in 0..<6 {
            var random = SeededGenerator(seed: 11, iteration: UInt64(rows * 100 + iteration))
            let realm = try ModelRealm(RowGroupLimits(rows: rows, bytes: 1 << 20), &random)
            for step in 0..<25 {
                switch random.below(10) {
                case 0: try realm.fold()
                case 1: try realm.addProperty()
                default: try realm.change(&random)
                }
                if step.isMultiple(of: 4) { try realm.check("rows \(rows), iteration \(iteration), step \(step)") }
            }
            try realm.check("rows \(rows), iteration \(iteration), end")
            let before = realm.snapshot
            try realm.fold()
            #expect(realm.snapshot.classes.allSatisfy { $0.patches.isEmpty })
            try realm.check("rows \(rows), iteration \(iteration), folded")
            // Readers of the snapshot as it was kept go on.
            try realm.check("rows \(rows), iteration \(iteration), before", before)
        }
    }
}

/// The realm, and what it should hold.
private final class ModelRealm {
    private(set) var snapshot: Snapshot
    private let store = MemorySegmentStore()
    private let limits: RowGroupLimits
    /// The persons by primary key: each property as Realm JSON writes it.
    private var model: [Int64: [String: JSONValue]] = [:]
    private var added: [String] = []

    private static let person = ObjectSchema(
        "Person", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("name", .string, isOptional: true), Property("age", .int),
            Property("friend", .object, objectType: "Person", isOptional: true),
            Property("friends", .object, collection: .list, objectType: "Person"),
            Property("home", .object, objectType: "Home", isOptional: true),
            Property("scores", .double, collection: .dictionary), Property("extra", .mixed, isOptional: true),
        ])
    private static let home = ObjectSchema("Home", kind: .embedded, properties: [Property("city", .string)])

    init(_ limits: RowGroupLimits, _ random: inout SeededGenerator) throws {
        self.limits = limits
        let writer = ClassWriter(schema: Self.person, store: store, limits: limits)
        for number in 0..<Int64(random.below(12)) {
            for (column, value) in zip(
                writer.columns,
                [.int(number), .string("p\(number)"), .int(0), .null, .list([]), .null, .dictionary([]), .null]
                    as [Value])
            {
                try column.append(value)
            }
            try writer.endRow(key: ObjectKey(number))
            model[number] = Self.empty(number)
            model[number]?["name"] = .string("p\(number)")
        }
        snapshot = Snapshot(
            schemaVersion: 1, declared: Schema([Self.person, Self.home]),
            classes: [try writer.finish(nextSequence: Int64(model.count)), StoredClass(empty: Self.home)])
    }

    private static func empty(_ id: Int64) -> [String: JSONValue] {
        [
            "_id": .int(id), "name": .null, "age": 0, "friend": .null, "friends": [], "home": .null, "scores": [:],
            "extra": .null,
        ]
    }

    // MARK: Steps

    func change(_ random: inout SeededGenerator) throws {
        var after = model
        var upserts: [JSONValue] = []
        let ids = (0..<random.below(6)).map { _ in Int64(random.below(20)) }
        for id in ids where after[id] == nil {
            after[id] = Self.empty(id)
            for name in added { after[id]?[name] = .null }
        }
        for id in ids {
            var object: [JSONMember] = [JSONMember("_id", .int(id))]
            for property in snapshot.declared.classes[0].properties.map(\.name)
            where property != "_id" && random.below(3) == 0 {
                let value = Self.value(property, among: after.keys.sorted(), &random)
                object.append(JSONMember(property, value))
                after[id]?[property] = value
            }
            upserts.append(["class": "Person", "object": .object(object)])
        }
        let gone = (0..<random.below(3)).map { _ in Int64(random.below(20)) }
        for id in gone where after[id] != nil {
            after[id] = nil
            for other in Array(after.keys) { after[other] = Self.without(id, after[other] ?? [:]) }
        }
        let deletes = gone.map { id -> JSONValue in ["class": "Person", "key": .int(id)] }
        let body: JSONValue = ["upserts": .array(upserts), "deletes": .array(deletes)]
        let application = ChangeApplication(to: snapshot, in: store, limits: limits)
        _ = try application.apply(
            try ChangeBatchReader(snapshot.declared, limit: 100).read(body.encoded()))
        let before = snapshot
        snapshot = try application.finish().snapshot
        // Maintenance may have folded what there was meanwhile: the changes are the same on that.
        if random.below(3) == 0 {
            snapshot = try #require(try application.finished(on: try kept(before, sealed: random.below(2) == 0)))
        }
        model = after
    }

    private static func value(
        _ property: String, among ids: [Int64], _ random: inout SeededGenerator
    ) -> JSONValue {
        func link() -> JSONValue { .int(ids[random.below(ids.count)]) }
        switch property {
        case "name": return random.below(4) == 0 ? .null : .string("n\(random.below(1000))")
        case "age": return .int(Int64(random.below(90)))
        case "friend": return random.below(4) == 0 ? .null : link()
        case "friends": return .array((0..<random.below(3)).map { _ in link() })
        case "home": return random.below(3) == 0 ? .null : ["city": .string("c\(random.below(9))")]
        case "scores":
            return .object((0..<random.below(3)).map { JSONMember("k\($0)", .double(Double(random.below(9)) + 0.5)) })
        case "extra":
            switch random.below(4) {
            case 0: return .null
            case 1: return .int(Int64(random.below(9)))
            case 2: return ["$ref": "Person", "$id": link()]
            default: return ["list": [.string("x"), ["$ref": "Person", "$id": link()]]]
            }
        default: return random.below(2) == 0 ? .null : .int(Int64(random.below(9)))
        }
    }

    /// An object whose links to another are gone.
    private static func without(_ id: Int64, _ object: [String: JSONValue]) -> [String: JSONValue] {
        var object = object
        if object["friend"] == .int(id) { object["friend"] = .null }
        object["friends"] = .array((object["friends"]?.elements ?? []).filter { $0 != .int(id) })
        if object["extra"]?["$id"] == .int(id) { object["extra"] = .null }
        if let list = object["extra"]?["list"]?.elements {
            object["extra"] = ["list": .array(list.filter { $0["$id"] != .int(id) })]
        }
        return object
    }

    func fold() throws { snapshot = try kept(snapshot, sealed: false) }

    /// A snapshot as maintenance leaves it when it begins to fold, or has folded.
    private func kept(_ snapshot: Snapshot, sealed: Bool) throws -> Snapshot {
        var snapshot = snapshot
        for index in snapshot.classes.indices {
            if sealed {
                for patch in snapshot.classes[index].patches.indices {
                    snapshot.classes[index].patches[patch].isSealed = true
                }
            } else {
                snapshot.classes[index] = try snapshot.classes[index].folded(in: store, limits: limits)
            }
        }
        return snapshot
    }

    /// Does the same as a migration of a synced realm: a column of one value, and the patches stay.
    func addProperty() throws {
        let name = "more\(added.count)"
        let property = Property(name, .int, isOptional: true)
        snapshot.declared.classes[0].properties.append(property)
        snapshot.classes[0].schema.properties.append(property)
        snapshot.classes[0].columns.append(.constant(.null))
        added.append(name)
        for id in Array(model.keys) { model[id]?[name] = .null }
    }

    // MARK: Reads

    /// Compares all objects, single ones, counts and what is owned with the dictionary.
    func check(_ place: String, _ snapshot: Snapshot? = nil) throws {
        let snapshot = try SnapshotCoding.decodeSnapshot(SnapshotCoding.encode(snapshot ?? self.snapshot))
        let objects = ObjectJSON(snapshot, from: store)
        let all = try #require(try objects.objects(ofClass: "Person", limit: 1000))
        var found: [Int64: JSONValue] = [:]
        for object in all {
            let json = try JSONValue.parse(object.bytes)
            found[try #require(json["_id"]?.int)] = json
        }
        #expect(all.count == model.count, "\(place)")
        #expect(snapshot["Person"]?.objectCount == model.count, "\(place)")
        let homes = model.values.count { $0["home"] != .null }
        #expect(snapshot["Home"]?.objectCount == homes, "\(place)")
        for (id, object) in model {
            for (property, value) in object { #expect(found[id]?[property] == value, "\(place): \(id).\(property)") }
            let single = try #require(try objects.object(primaryKey: .int(id), ofClass: "Person"), "\(place): \(id)")
            let json = try JSONValue.parse(single)
            #expect(json == found[id], "\(place)")
        }
        let none = try objects.object(primaryKey: .int(77), ofClass: "Person")
        #expect(none == nil, "\(place)")
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.key < $1.key }, "\(place)")
    }
}
