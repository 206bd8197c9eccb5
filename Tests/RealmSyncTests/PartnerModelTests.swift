import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// A synced realm and a partner class against two dictionaries: random batches of several versions of an app, additions by
/// migrations, the partner being made, filled, cut over to or taken back, folding, and reads by every version.
@Suite struct PartnerModelTests {
    @Test(arguments: [1, 2, 3, 16_384])
    func `holds on both sides what two dictionaries hold, as each version sees it`(rows: Int) throws {
        var cutOvers = 0
        for iteration in 0..<12 {
            var random = SeededGenerator(seed: 12, iteration: UInt64(rows * 100 + iteration))
            let realm = try PartnerModel(RowGroupLimits(rows: rows, bytes: 1 << 20), &random)
            for step in 0..<50 {
                try realm.step(&random)
                if step.isMultiple(of: 3) { try realm.check("rows \(rows), iteration \(iteration), step \(step)") }
            }
            try realm.fold()
            try realm.check("rows \(rows), iteration \(iteration), end")
            if realm.stage == .done { cutOvers += 1 }
        }
        #expect(cutOvers > 0, "no run came to a cut-over")
    }
}

/// The realm, and what it should hold.
private final class PartnerModel {
    enum Stage { case none, preparing, dual, done, aborted }

    private typealias Objects = [Int64: [String: JSONValue]]

    private(set) var stage = Stage.none
    private var snapshot: Snapshot
    private let store = MemorySegmentStore()
    private let limits: RowGroupLimits
    /// The models of the app, oldest first.
    private var versions: [Schema]
    /// Persons and their partners by primary key, each property as Realm JSON writes it.
    private var persons: Objects = [:]
    private var partners: Objects = [:]
    /// How far the backfill is, as the service's books have it.
    private var fill = (links: false, key: Int64(-1), end: Int64(-1))
    private var early: Set<Int64> = []
    /// The properties that clients gave partners themselves meanwhile, by the keys of the persons.
    private var given: [Int64: Set<NameKey>] = [:]

    private static let person = ObjectSchema(
        "Person", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("name", .string), Property("age", .int),
            Property("friend", .object, objectType: "Person", isOptional: true),
        ])
    /// Another name, another type, a link to partners, and what only the new side has.
    private static let definition = PartnerDefinition(
        className: "Person",
        partner: ObjectSchema(
            "Member", primaryKey: "_id",
            properties: [
                Property("_id", .int), Property("label", .string), Property("years", .string),
                Property("friend", .object, objectType: "Member", isOptional: true),
                Property("email", .string, isOptional: true),
            ]), forward: "forward", backward: "backward")

    init(_ limits: RowGroupLimits, _ random: inout SeededGenerator) throws {
        self.limits = limits
        let writer = ClassWriter(schema: Self.person, store: store, limits: limits)
        let count = Int64(random.below(9))
        for number in 0..<count {
            let friend: Value = number > 0 ? .link(ObjectKey(number - 1)) : .null
            for (column, value) in zip(
                writer.columns, [.int(number), .string("p\(number)"), .int(number), friend] as [Value])
            {
                try column.append(value)
            }
            try writer.endRow(key: ObjectKey(number))
            persons[number] = [
                "_id": .int(number), "name": .string("p\(number)"), "age": .int(number),
                "friend": number > 0 ? .int(number - 1) : .null,
            ]
        }
        versions = [Schema([Self.person])]
        snapshot = Snapshot(
            schemaVersion: 1, declared: versions[0], classes: [try writer.finish(nextSequence: count)])
    }

    // MARK: Steps

    func step(_ random: inout SeededGenerator) throws {
        switch (random.below(12), stage) {
        case (0, _): try fold()
        case (1, _): try add(&random)
        case (2, .none): try makePartner()
        case (2...4, .preparing): try fillSome(&random)
        case (2, .dual) where random.below(3) == 0: try end(.done)
        case (2, .dual) where random.below(6) == 0, (5, .preparing) where random.below(12) == 0: try end(.aborted)
        default: try change(&random)
        }
    }

    func fold() throws {
        for index in snapshot.classes.indices {
            snapshot.classes[index] = try snapshot.classes[index].folded(in: store, limits: limits)
        }
    }

    /// The realm with a schema that has more, by a migration.
    private func migrate(to schema: Schema) throws {
        let request = MigrationRequest(
            source: snapshot, target: schema, targetVersion: snapshot.schemaVersion ?? 0, mode: .additiveDiscovered)
        snapshot = try Migration(request, store: store, limits: limits).run(script: nil).snapshot
        snapshot.declared = schema
    }

    /// A property of a class that is there, which the next version of the app has.
    private func add(_ random: inout SeededGenerator) throws {
        var schema = snapshot.declared
        let index = random.below(schema.classes.count)
        let name = "more\(versions.count)"
        schema.classes[index].properties.append(Property(name, .int, isOptional: true))
        try migrate(to: schema)
        versions.append(Schema([schema.classes[index]]))
        if schema.classes[index].name == "Person" {  // no name
            for id in Array(persons.keys) { persons[id]?[name] = .null }
        } else {
            for id in Array(partners.keys) { partners[id]?[name] = .null }
        }
    }

    private func makePartner() throws {
        let plan = try PartnerPlan(Self.definition, to: snapshot.declared)
        try migrate(to: plan.expanded)
        versions += [Schema([Self.definition.partner]), plan.expanded]
        fill = (false, -1, (snapshot["Person"]?.nextSequence ?? 0) - 1)
        stage = .preparing
    }

    private func plan() throws -> PartnerPlan { try PartnerPlan(Self.definition, in: snapshot.declared) }

    /// A part of the backfill, as the job does it.
    private func fillSome(_ random: inout SeededGenerator) throws {
        let (stored, limit) = (try #require(snapshot["Person"]), 1 + random.below(6))
        let reader = try ClassReader(stored, store: store)
        var keys: [Int64] = []
        for (number, group) in reader.rowGroups.enumerated() {
            for (row, key) in try reader.keys(inGroup: number).enumerated()
            where key > fill.key && key <= fill.end && group.deleted?[row] != true && keys.count < limit {
                keys.append(key)
            }
        }
        let application = ChangeApplication(to: snapshot, in: store, limits: limits)
        let writing = try PartnerWriting(try plan(), beside: application, in: store, call: FunctionDouble.call)
        let missing = keys.filter { fill.links || !early.contains($0) }
        let effects =
            fill.links
            ? try writing.writeLinks(try writing.ask(for: missing, policy: .collects), except: given)
            : try writing.writeRight(of: missing, policy: .collects, areNew: true)
        snapshot = try application.finish(with: [writing.derived]).snapshot
        if fill.links {
            #expect(effects.findings.isEmpty)
            for key in effects.written where given[key]?.contains(NameKey("friend")) != true {
                let id = try id(ofPerson: key)
                partners[id]?["friend"] = persons[id]?["friend"]
            }
        } else {
            deriveRight(Set(try effects.written.map { try id(ofPerson: $0) }), knowing: nil)
        }
        fill.key = keys.count < limit ? fill.end : keys.last ?? fill.end
        guard fill.key == fill.end else { return }
        if fill.links {
            stage = .dual
        } else {
            fill = (true, -1, (snapshot["Person"]?.nextSequence ?? 0) - 1)
        }
    }

    private func id(ofPerson key: Int64) throws -> Int64 {
        let view = RealmEditor(editing: snapshot, in: store).view
        let object = ObjectReference(
            side: .new, classIndex: try #require(view.index(of: "Person")), key: ObjectKey(key))
        guard case .int(let id) = try view.value(0, of: object) else { throw Unexpected() }
        return id
    }

    private struct Unexpected: Error {}

    private func end(_ stage: Stage) throws {
        snapshot.declared = try stage == .done ? plan().contracted() : plan().withdrawn()
        self.stage = stage
        if stage == .aborted { partners = [:] }
    }

    // MARK: Batches

    /// The view of a version; nil where its clients have to start over.
    private func view(_ number: Int) throws -> SchemaView? {
        let retired = stage == .done ? Schema([ObjectSchema("Person")]) : Schema()
        do throws(SchemaViewError) {
            return try SchemaView(
                server: snapshot.declared, retired: retired, version: UInt64(number + 1), declared: versions[number])
        } catch {
            let isOld = versions[number]["Person"] != nil
            #expect(stage == .done && isOld || stage == .aborted && !isOld, "version \(number + 1) has to start over")
            return nil
        }
    }

    private func change(_ random: inout SeededGenerator) throws {
        guard let view = try view(random.below(versions.count)) else { return }
        // Properties that the realm does not store can't be written.
        let classes = view.shown.classes.filter { snapshot.declared[$0.name] != nil }
        guard !classes.isEmpty else { return }
        let before = (persons, partners)
        var upserts: [JSONValue] = []
        var (changed, deletes): ([String: Set<Int64>], [(name: String, id: Int64)]) = ([:], [])
        let ids = Set((0..<random.below(5)).map { _ in Int64(random.below(14)) })
        for id in ids.sorted() { changed[classes[random.below(classes.count)].name, default: []].insert(id) }
        if stage == .preparing {
            // Who is waiting for a partner has it before that is changed.
            let waiting = (changed["Member"] ?? []).filter { partners[$0] == nil && persons[$0] != nil }
            deriveRight(waiting, knowing: waiting)
        }
        let friends = partners.compactMapValues { $0["friend"] }
        for (name, ids) in changed {
            for id in ids where objects(name)[id] == nil { set(empty(name, id), name, id) }
        }
        for (name, ids) in changed.sorted(by: { $0.key < $1.key }) {
            for id in ids.sorted() { upserts.append(try upsert(name, id, view.shown, &random)) }
        }
        for _ in 0..<random.below(3) {
            // Its partner may be one that the batch changes.
            let (name, id) = (classes[random.below(classes.count)].name, Int64(random.below(14)))
            guard changed[name]?.contains(id) != true, !deletes.contains(where: { $0 == (name, id) }) else { continue }
            deletes.append((name, id))
        }
        let body: JSONValue = [
            "upserts": .array(upserts),
            "deletes": .array(deletes.map { ["class": .string($0.name), "key": .int($0.id)] }),
        ]
        do {
            try apply(body, view)
        } catch ChangeError.linkWaits where stage == .preparing {
            (persons, partners) = before
            return
        } catch {
            (persons, partners) = before
            throw error
        }
        // Objects that are not there are gone from the other side as well.
        for delete in deletes { remove(delete.id, of: delete.name) }
        guard stage == .preparing || stage == .dual else { return }
        for delete in deletes { remove(delete.id, of: delete.name == "Person" ? "Member" : "Person") }  // no name
        // The partner counts, and is written first.
        let (people, members) = (changed["Person"] ?? [], changed["Member"] ?? [])
        deriveLeft(members, keeping: stage == .preparing ? friends : [:])
        deriveRight(people, knowing: people)
    }

    private func apply(_ body: JSONValue, _ view: SchemaView) throws {
        let batch = try ChangeBatchReader(view.shown, limit: 100).read(body.encoded())
        let application = ChangeApplication(to: snapshot, as: view, in: store, limits: limits)
        let isWritingBoth = stage == .preparing || stage == .dual
        let (part, known) = (fill, early)
        let waiting: PartnerWriting.Waiting = { keys in
            keys.filter { !part.links && $0 > part.key && $0 <= part.end && !known.contains($0) }
        }
        let writings =
            isWritingBoth
            ? [
                try PartnerWriting(
                    try plan(), beside: application, in: store, waiting: stage == .preparing ? waiting : nil,
                    call: FunctionDouble.call)
            ] : []
        let (_, all) = try application.apply(batch, readWith: view.shown, writing: writings)
        if let effects = all.compactMap(\.self).first {
            if stage == .dual { #expect(effects.findings.isEmpty) }
            if stage == .preparing, !fill.links {
                early.formUnion(effects.written.filter { $0 > fill.key && $0 <= fill.end })
            }
            for key in effects.forwarded { given[key] = nil }
            given.merge(effects.givenProperties) { $0.union($1) }
        }
        snapshot = try application.finish(with: writings.map(\.derived)).snapshot
    }

    /// An upsert, which the dictionary has by then.
    private func upsert(
        _ name: String, _ id: Int64, _ shown: Schema, _ random: inout SeededGenerator
    ) throws -> JSONValue {
        var members: [JSONMember] = [JSONMember("_id", .int(id))]
        let declared = try #require(snapshot.declared[name])
        for property in try #require(shown[name]).properties where !declared.isPrimaryKey(property) {
            // The empty text is no age.
            guard declared.property(named: property.name) != nil,
                random.below(2) == 0 || property.name == "years"  // no name
            else { continue }
            let value: JSONValue
            switch property.type {
            case .string where property.isOptional:
                value = random.below(3) == 0 ? .null : .string("e\(random.below(99))")
            case .string where property.name == "years": value = .string("\(random.below(99))")  // no name
            case .string: value = .string("n\(random.below(99))")
            case .object:
                let other = random.pick(objects(name).keys.sorted())
                value = random.below(3) == 0 ? .null : other.map { .int($0) } ?? .null
            default: value = .int(Int64(random.below(99)))
            }
            members.append(JSONMember(property.name, value))
            var object = objects(name)[id] ?? [:]
            object[property.name] = value
            set(object, name, id)
        }
        return ["class": .string(name), "object": .object(members)]
    }

    // MARK: Dictionaries

    private func objects(_ name: String) -> Objects { name == "Person" ? persons : partners }  // no name

    private func set(_ object: [String: JSONValue], _ name: String, _ id: Int64) {
        if name == "Person" { persons[id] = object } else { partners[id] = object }  // no name
    }

    private func empty(_ name: String, _ id: Int64) -> [String: JSONValue] {
        var object: [String: JSONValue] = ["_id": .int(id)]
        for property in snapshot.declared[name]?.properties ?? [] where property.name != "_id" {  // no name
            object[property.name] = property.isOptional ? .null : property.type == .string ? "" : 0
        }
        return object
    }

    private func remove(_ id: Int64, of name: String) {
        if name == "Person" { persons[id] = nil } else { partners[id] = nil }  // no name
        for (other, object) in objects(name) where object["friend"] == .int(id) {
            var object = object
            object["friend"] = .null
            set(object, name, other)
        }
    }

    /// Partners hold what `forward` gives; a link to what has no partner is null.
    ///
    /// - Parameter own: those that get their partners together; nil for none, and links among them wait.
    private func deriveRight(_ ids: Set<Int64>, knowing own: Set<Int64>?) {
        let known = Set(partners.keys).union(own ?? [])
        for id in ids {
            guard let person = persons[id] else { continue }
            var partner = partners[id] ?? empty("Member", id)
            partner["label"] = person["name"]
            partner["years"] = .string("\(person["age"]?.int ?? -1)")
            partner["friend"] = (person["friend"]?.int).flatMap { known.contains($0) ? .int($0) : nil } ?? .null
            partners[id] = partner
        }
    }

    /// - Parameter friends: what partners had before; one that has the same takes nothing from the person.
    private func deriveLeft(_ ids: Set<Int64>, keeping friends: [Int64: JSONValue]) {
        for id in ids {
            guard let partner = partners[id] else { continue }
            var person = persons[id] ?? empty("Person", id)
            person["name"] = partner["label"]
            person["age"] = .int(Int64(partner["years"]?.string ?? "") ?? -1)
            if partner["friend"] != friends[id] { person["friend"] = partner["friend"] }
            persons[id] = person
        }
    }

    // MARK: Reads

    /// Compares what every version sees with the dictionaries.
    func check(_ place: String) throws {
        let stored = try SnapshotCoding.decodeSnapshot(SnapshotCoding.encode(snapshot))
        for number in versions.indices {
            guard let view = try view(number) else { continue }
            let shown = ObjectJSON(view(stored), from: store, leavesOutUnsynced: true)
            for declared in view.shown.classes where snapshot.declared[declared.name] != nil {
                let expected = objects(declared.name)
                let found = try shown.objects(ofClass: declared.name, limit: 1000) ?? []
                #expect(found.count == expected.count, "\(place): \(declared.name)")
                for object in found {
                    let json = try JSONValue.parse(object.bytes)
                    let id = try #require(json["_id"]?.int)
                    let names = declared.properties.map(\.name)
                    #expect((json.members ?? []).map(\.name) == names, "\(place)")
                    for name in names {
                        let value = expected[id].map { $0[name] ?? .null }
                        #expect(json[name] == value, "\(place), version \(number + 1): \(declared.name) \(id).\(name)")
                    }
                }
            }
        }
        guard stage == .dual else { return }
        #expect(Set(persons.keys) == Set(partners.keys), "\(place)")
        for (id, person) in persons {
            #expect(partners[id]?["friend"] == person["friend"], "\(place): \(id)")
            #expect(partners[id]?["label"] == person["name"], "\(place): \(id)")
        }
    }
}

/// A host's work, done by Swift: forward the name, the age as a text, and the friend; backward the same.
private enum FunctionDouble {
    static func call(
        _ function: ObjectFunction, _ back: ReturnFunction?, _ objects: FunctionObjects,
        _ policy: FunctionFailurePolicy, _ meanwhile: () throws -> Void
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?) {
        try meanwhile()
        let names = ["label": "name", "years": "age", "name": "label", "age": "years", "friend": "friend"]
        let columns = try function.outputs.properties.map { property -> FunctionAnswers.Column in
            let type = ColumnType(property)
            let origin = names[property.name].flatMap { name in
                function.inputs.firstIndex { $0.name.hasSameBytes(as: name) }
            }
            guard let origin else {
                let none = [Value](repeating: .null, count: objects.keys.count)
                return .init(given: Bitmap(count: none.count), values: try ColumnArray(none, as: type))
            }
            let values = try objects.keys.indices.map { row -> Value in
                let value = try objects.columns[origin].value(at: row, as: ColumnType(function.inputs[origin]))
                switch (value, property.type) {
                case (.int(let age), .string): return .string("\(age)")
                case (.string(let text), .int): return .int(Int64(text) ?? -1)
                default: return value
                }
            }
            return .init(given: nil, values: try ColumnArray(values, as: type))
        }
        return (FunctionAnswers(columns: columns), nil)
    }
}
