import Columns
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// The laws of a partner, on random changes of both sides against plain dictionaries.
///
/// The functions are Swift's here: what a host does with a function is tested with hosts.
struct PartnerWritingTests {
    /// Forward go the name, and the age as a text; backward the age alone.
    private static let definition = PartnerDefinition(
        className: "Person",
        partner: ObjectSchema(
            "PersonV2", primaryKey: "_id",
            properties: [
                Property("_id", .int), Property("name", .string), Property("age", .string),
                Property("email", .string, isOptional: true),
            ]), forward: "forward", backward: "backward")
    private static let server = Schema([
        ObjectSchema(
            "Person", primaryKey: "_id",
            properties: [Property("_id", .int), Property("name", .string), Property("age", .int)])
    ])

    /// Calls functions as a host does; one that leads back, and what is done meanwhile, only where the test has it so.
    private static func call(andBack: Bool = true) -> PartnerWriting.Call {
        { function, back, objects, _, meanwhile in
            if andBack { try meanwhile() }
            let answers = try call(function, objects)
            guard andBack, let back else { return (answers, nil) }
            let columns = try zip(back.inputs, back.function.inputs).map { input, property -> ColumnArray? in
                let type = ColumnType(property)
                let values = try objects.keys.indices.map { row -> Value? in
                    if let answer = input.answer, answers.columns[answer].isGiven(row) {
                        return try answers.columns[answer].values.value(at: row, as: type)
                    }
                    switch input.otherwise {
                    case .unknown: return nil
                    case .input(let index): return try objects.columns[index].value(at: row, as: type)
                    case .value(let value): return value
                    }
                }
                return values.contains(nil) ? nil : try ColumnArray(values.map { $0 ?? .null }, as: type)
            }
            guard !columns.contains(nil) else { return (answers, nil) }
            let held = FunctionObjects(keys: objects.keys, columns: columns.compactMap { $0 })
            return (answers, try call(back.function, held))
        }
    }

    private static func call(_ function: ObjectFunction, _ objects: FunctionObjects) throws -> FunctionAnswers {
        let count = objects.keys.count
        func values(_ name: String) throws -> [Value] {
            let index = try #require(function.inputs.firstIndex { $0.name.hasSameBytes(as: name) })
            return try (0..<count).map {
                try objects.columns[index].value(at: $0, as: ColumnType(function.inputs[index]))
            }
        }
        let columns = try function.outputs.properties.map { property -> FunctionAnswers.Column in
            var given: [Value]?
            switch (function.script.source, property.name) {  // no name
            case ("forward", "name"), (_, "friend"): given = try values(property.name)
            case ("forward", "age"):
                given = try values("age").map { if case .int(let age) = $0 { .string("\(age)") } else { .null } }
            case ("backward", "age"):
                given = try values("age").map { age in
                    guard case .string(let text) = age, let number = Int64(text) else {
                        throw MigrationError(nil, "no number", script: .exception)
                    }
                    return .int(number)
                }
            default: break
            }
            let type = ColumnType(property)
            guard let given else {
                return .init(
                    given: Bitmap(count: count),
                    values: try ColumnArray([Value](repeating: .null, count: count), as: type))
            }
            return .init(given: nil, values: try ColumnArray(given, as: type))
        }
        return FunctionAnswers(columns: columns)
    }

    private struct Person: Equatable {
        var name = ""
        var age = ""
        var email: String?
    }

    /// The objects that the two sides are to hold: a name that a new app gives stays there, since `backward` leaves it out.
    private struct Model {
        var left: [Int64: Person] = [:]
        var right: [Int64: Person] = [:]
    }

    private let store = MemorySegmentStore()

    /// Applies a batch as clients send it, with the other side.
    private func apply(
        _ batch: JSONValue, to snapshot: Snapshot, _ plan: PartnerPlan, andBack: Bool = true
    ) throws -> (snapshot: Snapshot, effects: PartnerEffects) {
        let application = ChangeApplication(
            to: snapshot, in: store, limits: RowGroupLimits(rows: 3, bytes: 1 << 20))
        let read = try ChangeBatchReader(plan.expanded, limit: 1_000).read(batch.encoded())
        let writing = try PartnerWriting(
            plan, beside: application, in: store, call: Self.call(andBack: andBack))
        let effects = try application.apply(read, readWith: plan.expanded, writing: [writing]).effects[0]
        return (try application.finish(with: [writing.derived]).snapshot, effects ?? PartnerEffects())
    }

    private func objects(_ name: String, of snapshot: Snapshot) throws -> [Int64: Person] {
        let found = try ObjectJSON(snapshot, from: store).objects(ofClass: name, limit: 10_000) ?? []
        return try Dictionary(
            uniqueKeysWithValues: found.map { object in
                let json = try JSONValue.parse(object.bytes)
                let age = json["age"]?.string ?? json["age"]?.int.map { "\($0)" } ?? ""
                let person = Person(name: json["name"]?.string ?? "", age: age, email: json["email"]?.string)
                return (try #require(json["_id"]?.int), person)
            })
    }

    @Test(arguments: 0..<12 as Range<UInt64>, [false, true])
    func `both sides hold the same by forward, what comes back is what was there, and what is left out stays`(
        seed: UInt64, andBack: Bool
    ) throws {
        var random = SeededGenerator(seed: seed)
        let plan = try PartnerPlan(Self.definition, to: Self.server)
        var snapshot = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        var model = Model()
        for step in 0..<40 {
            var (upserts, deletes): ([JSONValue], [JSONValue]) = ([], [])
            var ids = Set<Int64>()
            for _ in 0...random.below(5) {
                let id = Int64(random.below(15))
                guard ids.insert(id).inserted else { continue }
                change(id, step, &random, &model, &upserts, &deletes)
            }
            let result = try apply(
                ["upserts": .array(upserts), "deletes": .array(deletes)], to: snapshot, plan, andBack: andBack)
            snapshot = result.snapshot
            // A name that the new side gave and the old one has not is a divergence, and there is no other.
            let named = upserts.filter { $0["class"] == "PersonV2" }.compactMap { $0["object"]?["_id"]?.int }
            let divergent = named.filter { model.left[$0]?.name != model.right[$0]?.name }  // no name
            #expect(result.effects.findings.allSatisfy { $0.kind == .divergence })
            #expect(Set(result.effects.findings.map(\.primaryKey)) == Set(divergent.map { .int($0) }))
            #expect(try objects("Person", of: snapshot) == model.left, "step \(step)")
            #expect(try objects("PersonV2", of: snapshot) == model.right, "step \(step)")
        }
    }

    private func change(
        _ id: Int64, _ step: Int, _ random: inout SeededGenerator, _ model: inout Model, _ upserts: inout [JSONValue],
        _ deletes: inout [JSONValue]
    ) {
        let isLeft = random.below(2) == 0
        let name = isLeft ? "Person" : "PersonV2"
        if random.below(4) == 0 {
            deletes.append(["class": .string(name), "key": .int(id)])
            (model.left[id], model.right[id]) = (nil, nil)
            return
        }
        let age = random.below(100)
        var object: [JSONMember] = [JSONMember("_id", .int(id))]
        object.append(JSONMember("age", isLeft ? .int(Int64(age)) : .string("\(age)")))
        var (old, new) = (model.left[id] ?? Person(), model.right[id] ?? Person())
        (old.age, new.age) = ("\(age)", "\(age)")
        if random.below(2) == 0 {
            object.append(JSONMember("name", .string("n\(step)")))
            if isLeft { old.name = "n\(step)" } else { new.name = "n\(step)" }
        }
        if isLeft { new.name = old.name }
        if !isLeft, random.below(2) == 0 {
            object.append(JSONMember("email", .string("e\(step)")))
            new.email = "e\(step)"
        }
        (model.left[id], model.right[id]) = (old, new)
        upserts.append(["class": .string(name), "object": .object(object)])
    }

    /// A partner whose objects link to one another as those that they stand in for.
    private static func linked() throws -> PartnerPlan {
        func friend(_ name: String) -> Property { Property("friend", .object, objectType: name, isOptional: true) }
        var (server, definition) = (Self.server, Self.definition)
        server.classes[0].properties.append(friend("Person"))
        definition.partner.properties.append(friend("PersonV2"))
        return try PartnerPlan(definition, to: server)
    }

    @Test(arguments: ["Person", "PersonV2"], ["Person", "PersonV2"])
    func `what a batch deletes on one side is gone on both, with the links to it, and is no divergence`(
        upserted: String, deleted: String
    ) throws {
        let plan = try Self.linked()
        let empty = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        let three = (1...3).map { id -> JSONValue in
            ["class": "PersonV2", "object": ["_id": .int(id), "age": "7"]]
        }
        let before = try apply(["upserts": .array(three)], to: empty, plan).snapshot
        func upsert(_ id: Int64) -> JSONValue {
            ["class": .string(upserted), "object": ["_id": .int(id), "friend": .int(2)]]
        }
        var upserts = [upsert(1)]
        // Deleting is the last word of a batch.
        if upserted != deleted { upserts.append(upsert(2)) }
        let after = try apply(
            ["upserts": .array(upserts), "deletes": [["class": .string(deleted), "key": 2]]], to: before, plan)
        #expect(after.effects.findings.isEmpty)
        for name in ["Person", "PersonV2"] {
            let found = try ObjectJSON(after.snapshot, from: store).objects(ofClass: name, limit: 10) ?? []
            let objects = try found.map { try JSONValue.parse($0.bytes) }
            #expect(objects.map { $0["_id"]?.int } == [1, 3], "\(name)")
            #expect(objects.map { $0["friend"] } == [.null, .null], "\(name)")
        }
    }

    @Test func `a partner that is changed before the job comes by has what the object has, and takes nothing from it`()
        throws
    {
        let plan = try Self.linked()
        let empty = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        // The friend of a friend has no partner, and so none to link to.
        let persons = (1...3 as ClosedRange<Int64>).map { id -> JSONValue in
            let object: JSONValue = [
                "_id": .int(id), "name": "n", "age": .int(20 + id), "friend": id < 3 ? .int(id + 1) : .null,
            ]
            return ["class": "Person", "object": object]
        }
        let made = ChangeApplication(to: empty, in: store)
        let all: JSONValue = ["upserts": .array(persons)]
        _ = try made.apply(try ChangeBatchReader(plan.expanded, limit: 10).read(all.encoded()))
        var snapshot = try made.finish().snapshot
        for (step, object) in ([["_id": 1, "email": "e"], ["_id": 1, "age": "30"]] as [JSONValue]).enumerated() {
            let application = ChangeApplication(to: snapshot, in: store)
            let batch: JSONValue = ["upserts": [["class": "PersonV2", "object": object]]]
            let read = try ChangeBatchReader(plan.expanded, limit: 10).read(batch.encoded())
            let writing = try PartnerWriting(
                plan, beside: application, in: store, waiting: { _ in [] }, call: Self.call())
            let effects = try application.apply(read, readWith: plan.expanded, writing: [writing]).effects[0]
            #expect(effects?.written == [0])
            snapshot = try application.finish(with: [writing.derived]).snapshot
            let age = ["21", "30"][step]
            #expect(
                try objects("PersonV2", of: snapshot) == [1: Person(name: "n", age: age, email: "e")])
            #expect(try objects("Person", of: snapshot)[1] == Person(name: "n", age: age))
            let person = try #require(
                try ObjectJSON(snapshot, from: store).object(primaryKey: .int(1), ofClass: "Person"))
            #expect(try JSONValue.parse(person)["friend"] == 2)
        }
    }

    @Test func `what the other side has already is not written again`() throws {
        let plan = try PartnerPlan(Self.definition, to: Self.server)
        let empty = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        func upsert(_ name: String, _ age: Int64) -> JSONValue {
            ["upserts": [["class": "Person", "object": ["_id": 1, "name": .string(name), "age": .int(age)]]]]
        }
        var snapshot = try apply(upsert("Ada", 36), to: empty, plan).snapshot
        // Texts that look alike are not the same.
        for (step, (name, age)) in ([("Ada", 36), ("é", 36), ("e\u{301}", 36), ("e\u{301}", 37)] as [(String, Int64)])
            .enumerated()
        {
            for index in snapshot.classes.indices {
                snapshot.classes[index] = try snapshot.classes[index].folded(in: store)
            }
            snapshot = try apply(upsert(name, age), to: snapshot, plan).snapshot
            #expect(try #require(snapshot["PersonV2"]).patches.isEmpty == (step == 0))
            let held = try #require(try objects("PersonV2", of: snapshot)[1])
            #expect(held.name.utf8.elementsEqual(name.utf8) && held.age == "\(age)")
        }
    }

    @Test func `names what does not come back, and what the partner holds otherwise`() throws {
        let plan = try PartnerPlan(Self.definition, to: Self.server)
        let empty = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        let divergent = try apply(
            ["upserts": [["class": "PersonV2", "object": ["_id": 1, "age": "007"]]]], to: empty, plan)
        #expect(divergent.effects.findings.map(\.kind) == [.divergence])
        #expect(divergent.effects.findings.first?.primaryKey == .int(1))
        #expect(throws: MigrationError.self) {
            try apply(["upserts": [["class": "PersonV2", "object": ["_id": 2, "age": "x"]]]], to: empty, plan)
        }
    }

    @Test(arguments: [1, 3, 7], [(false, false), (false, true), (true, false), (true, true)])
    func `objects that are there get the same partners by columns as one by one`(
        count: Int, by way: (areNew: Bool, andBack: Bool)
    ) throws {
        let (areNew, andBack) = way
        let plan = try PartnerPlan(Self.definition, to: Self.server)
        let before = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        let persons = (0..<count).map { number -> JSONValue in
            let object: JSONValue = [
                "_id": .int(Int64(number)), "name": .string("n\(number)"), "age": .int(Int64(number)),
            ]
            return ["class": "Person", "object": object]
        }
        let limits = RowGroupLimits(rows: 3, bytes: 1 << 20)
        let made = ChangeApplication(to: before, in: store, limits: limits)
        let batch: JSONValue = ["upserts": .array(persons)]
        _ = try made.apply(try ChangeBatchReader(plan.expanded, limit: 100).read(batch.encoded()))
        let unfilled = try made.finish().snapshot

        let application = ChangeApplication(to: unfilled, in: store, limits: limits)
        let writing = try PartnerWriting(
            plan, beside: application, in: store, call: Self.call(andBack: andBack))
        let keys = (0..<count).map { Int64($0) }
        let effects = try writing.writeRight(of: keys, policy: .collects, areNew: areNew)
        let (filled, delta) = try application.finish(with: [writing.derived])
        #expect(effects.written == Set(keys) && effects.findings.isEmpty)
        #expect(delta["PersonV2"]?.upserted == keys)
        #expect(try objects("PersonV2", of: filled) == objects("Person", of: unfilled))

        // Objects behind the row group that was made by columns have one of their own.
        let more = try apply(
            ["upserts": [["class": "PersonV2", "object": ["_id": 99, "age": "9"]]]], to: filled, plan)
        #expect(try objects("PersonV2", of: more.snapshot).count == count + 1)
        #expect(try objects("Person", of: more.snapshot)[99]?.age == "9")
    }

    @Test(arguments: [[], [0], [1, 2, 5], [6], [0, 1, 2, 3, 4, 5, 6]] as [[Int64]], [false, true])
    func `answers are good for some of the objects that functions were asked about`(keys: [Int64], areNew: Bool) throws
    {
        let plan = try PartnerPlan(Self.definition, to: Self.server)
        let before = Snapshot(
            schemaVersion: 1, declared: plan.expanded, classes: plan.expanded.classes.map { StoredClass(empty: $0) })
        let persons = (0..<7).map { number -> JSONValue in
            let object: JSONValue = [
                "_id": .int(Int64(number)), "name": .string("n\(number)"), "age": .int(Int64(number)),
            ]
            return ["class": "Person", "object": object]
        }
        let made = ChangeApplication(to: before, in: store)
        let batch: JSONValue = ["upserts": .array(persons)]
        _ = try made.apply(try ChangeBatchReader(plan.expanded, limit: 100).read(batch.encoded()))
        let unfilled = try made.finish().snapshot

        var filled: [Snapshot] = []
        for isAskedAnew in [true, false] {
            let application = ChangeApplication(to: unfilled, in: store)
            let writing = try PartnerWriting(plan, beside: application, in: store, call: Self.call())
            let all = try writing.ask(for: Array(0..<7), policy: .collects, areNew: areNew)
            let answered =
                try isAskedAnew
                ? writing.ask(for: keys, policy: .collects, areNew: areNew)
                : #require(try writing.answers(all, for: keys))
            #expect(try writing.answers(all, for: [3, 9]) == nil)
            let effects = try writing.writeRight(answered, policy: .collects)
            #expect(effects.written == Set(keys) && effects.findings.isEmpty)
            filled.append(try application.finish(with: [writing.derived]).snapshot)
        }
        #expect(try objects("PersonV2", of: filled[0]) == objects("PersonV2", of: filled[1]))
        #expect(try Set(objects("PersonV2", of: filled[1]).keys) == Set(keys))
    }
}
