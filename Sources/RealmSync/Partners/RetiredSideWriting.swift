import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Writes to the side of a partner that stayed what is still said of the side that has left the schema.
///
/// The side that left is brought up to date first, from the one that stayed; then it is changed; and of what the function gives
/// for it, that alone is written which it did not give before. So nothing is written over that was changed meanwhile and that the
/// change does not mean. Belongs to one thread.
final class RetiredSideWriting {
    let step: RetiredSides.Step
    /// Reads and writes both sides.
    let partner: PartnerWriting

    /// Objects as they were brought up to date.
    private(set) var earlier = Other()

    /// Why an object of the side that left can't be brought up to date.
    struct Failure {
        let primaryKey: Value
        let reason: String
    }

    init(
        _ step: RetiredSides.Step, beside application: ChangeApplication, in store: any SegmentStore,
        call: @escaping PartnerWriting.Call
    ) throws {
        self.step = step
        partner = try PartnerWriting(step.plan, beside: application, in: store, call: call)
    }

    var retired: (rows: FunctionRows, classIndex: Int) {
        step.isCutOver ? (partner.left, partner.leftClass) : (partner.right, partner.rightClass)
    }

    var standing: (rows: FunctionRows, classIndex: Int) {
        step.isCutOver ? (partner.right, partner.rightClass) : (partner.left, partner.leftClass)
    }

    // MARK: Bringing up to date

    /// The primary keys of the side that stayed; nil where the functions lead to none.
    func standingKeys(of primaryKeys: [Value]) throws -> [Value?] {
        try others(of: primaryKeys).map { try? $0.get() }
    }

    private func others(of primaryKeys: [Value]) throws -> [Result<Value, EditingError>] {
        guard !step.plan.isWithinClass else { return primaryKeys.map { .success($0) } }
        return try partner.keys.others(of: primaryKeys, by: step.lead)
    }

    /// Brings objects of the side that left up to date; those whose other side is gone are gone, too.
    ///
    /// - Parameter ensure: sees to it that objects of a class are there which others are to link to.
    /// - Returns: those for which that can't be.
    func refresh(
        _ primaryKeys: [Value], ensuring ensure: (String, Set<Value>) throws -> Void
    ) throws -> [Failure] {
        var (failures, origins) = try presence(of: primaryKeys)
        let (objects, unseen) = try standing.rows.seen(origins.keys.sorted())
        failures += unseen.compactMap { key, error in
            origins[key].map { Failure(primaryKey: $0, reason: error.message) }
        }
        guard !objects.keys.isEmpty else { return failures }
        let (answers, _) = try partner.call(step.back, nil, objects, .collects)
        let count = objects.keys.count
        for (className, targets) in try links(in: answers, of: step.back, to: step.retired, count: count) {
            try ensure(className.name, targets)
        }
        let written = try partner.write(
            answers, of: objects, by: step.back, to: retired.classIndex, policy: .collects, linksOwn: false)
        failures += written.failures.compactMap { failure in
            origins[failure.key].map { Failure(primaryKey: $0, reason: failure.reason ?? "") }
        }
        return failures
    }

    /// Sees to it that objects of the side that left are there where their other side is, and only there.
    ///
    /// One that is made so has its primary key alone, which is all that links and deletions ask for.
    ///
    /// - Returns: those of which that can't be said.
    func ensure(_ primaryKeys: [Value]) throws -> [Failure] {
        guard !step.plan.isWithinClass else { return [] }
        let (failures, origins) = try presence(of: primaryKeys)
        var batch = ChangeBatch()
        for primaryKey in Set(origins.values) where try retiredObject(primaryKey) == nil {
            batch.upserts.append(
                ChangeBatch.Upsert(classIndex: retired.classIndex, primaryKey: primaryKey, members: []))
        }
        _ = try partner.derived.upsert(batch)
        return failures
    }

    /// Deletes objects of the side that left whose other side is gone.
    ///
    /// - Returns: those of which the functions lead to no primary key; and of the others those that are there, by the keys of their
    ///   other side.
    private func presence(of primaryKeys: [Value]) throws -> (failures: [Failure], origins: [Int64: Value]) {
        var (failures, origins, gone) = ([Failure](), [Int64: Value](), [Value]())
        for (primaryKey, other) in zip(primaryKeys, try others(of: primaryKeys)) {
            do {
                if let object = try partner.derived.editor.object(in: standing.classIndex, of: try other.get()) {
                    origins[object.key.value] = primaryKey
                } else {
                    gone.append(primaryKey)
                }
            } catch let error as EditingError {
                failures.append(Failure(primaryKey: primaryKey, reason: error.message))
            }
        }
        if !step.plan.isWithinClass {
            _ = try partner.derived.apply(ChangeBatch(deleting: gone, of: retired.classIndex))
        }
        return (failures, origins)
    }

    /// The objects that answers link to, by class and primary key.
    private func links(
        in answers: FunctionAnswers, of function: ObjectFunction, to side: ObjectSchema, count: Int
    ) throws -> [NameKey: Set<Value>] {
        var found: [NameKey: Set<Value>] = [:]
        func note(_ value: Value, of property: Property) {
            switch value {
            case .null: break
            case .list(let elements): for element in elements { note(element, of: property) }
            case .dictionary(let entries) where property.collection == .dictionary:
                for entry in entries {
                    var element = property
                    element.collection = .none
                    note(entry.value, of: element)
                }
            default:
                guard let name = property.objectType, let target = step.plan.expanded[name] else { return }
                guard target.isEmbedded else {
                    found[NameKey(name), default: []].insert(value)
                    return
                }
                guard case .dictionary(let members) = value else { return }
                for member in members {
                    let inner = target.properties.first { $0.publicName.hasSameBytes(as: member.key) }
                    if let inner, inner.type == .object { note(member.value, of: inner) }
                }
            }
        }
        for (place, property) in function.outputs.properties.enumerated() {
            guard let stored = side.property(named: property.name), stored.type == .object else { continue }
            for row in 0..<count where answers.columns[place].isGiven(row) {
                note(try answers.columns[place].values.value(at: row, as: ColumnType(property)), of: stored)
            }
        }
        return found
    }

    /// Remembers what the function gives for objects of the side that left, before they are changed.
    ///
    /// - Returns: those that it can't be given.
    func remember(_ primaryKeys: [Value]) throws -> [Failure] {
        var names: [Int64: Value] = [:]
        for primaryKey in primaryKeys {
            guard let key = try retiredObject(primaryKey) else { continue }
            names[key] = primaryKey
        }
        let (objects, unseen) = try retired.rows.seen(names.keys.sorted())
        let failures = unseen.compactMap { key, error in
            names[key].map { Failure(primaryKey: $0, reason: error.message) }
        }
        let keys = objects.keys.map(\.value)
        guard !keys.isEmpty else { return failures }
        let (answers, _) = try partner.call(step.lead, nil, objects, .collects)
        earlier = Other(
            rows: Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($0.element, $0.offset) }),
            objects: objects, answers: answers)
        return failures
    }

    // MARK: Writing

    /// The outcome of writing.
    struct Written {
        /// An object of the side that left, its other side, and the properties that follow for that.
        struct Object {
            let retired: Int64
            let standing: Int64
            let properties: Set<NameKey>
            /// Those that were given another value than follows.
            let contradicted: Set<NameKey>
            /// Those with links that lead nowhere, and the classes of what is not there.
            let broken: [NameKey: String]
        }

        var objects: [Object] = []
        /// The consequences of the changed properties of objects of the side that left, by their keys.
        var consequences: [Int64: Consequences] = [:]
        /// What the other function makes of the other sides of those whose values are contradicted.
        var returned = Returned()
        /// The consequences of the properties that it makes others of, by the keys of the objects.
        var reversed: [Int64: Consequences] = [:]
        /// Objects of the side that left for which the function fails, and why; where there are any, nothing was written.
        var failures: [(key: Int64, reason: String)] = []
    }

    /// Writes what the function gives for changed objects of the side that left.
    ///
    /// - Parameters:
    ///   - named: the properties whose consequences are looked for, by the keys of the objects.
    ///   - given: the properties that their other sides were given, which stay; by the keys of these.
    ///   - ensure: sees to it that objects of a class are there which others are to link to.
    func write(
        _ keys: [Int64], naming named: [Int64: Set<NameKey>], sparing given: [Int64: Set<NameKey>],
        ensuring ensure: (String, Set<Value>) throws -> Void
    ) throws -> Written {
        guard !keys.isEmpty else { return Written() }
        let (objects, unseen) = try retired.rows.seen(keys)
        guard unseen.isEmpty else { return Written(failures: unseen.map { ($0.key, $0.error.message) }) }
        let outputs = step.lead.outputs.properties
        let (whole, _) = try partner.call(step.lead, nil, objects, .collects)
        let answers = try whole.without(earlier.answers, rows: earlier.rows, of: keys, by: step.lead) {
            !self.isKey($0)
        }
        for (className, targets) in try links(in: answers, of: step.lead, to: step.standing, count: keys.count) {
            try ensure(className.name, targets)
        }
        let (spared, contradicted) = try sparing(given, in: answers, of: objects, meaning: whole)
        let written = try partner.write(
            spared, of: objects, by: step.lead, to: standing.classIndex, policy: .collects, linksOwn: true)
        let rows = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($0.element, $0.offset) })
        let pairs = written.pairs.map { pair in
            let follow = outputs.indices.filter { place in
                !isKey(outputs[place]) && rows[pair.object].map { answers.columns[place].isGiven($0) } ?? false
            }
            return Written.Object(
                retired: pair.object, standing: pair.partner,
                properties: Set(follow.map { NameKey(outputs[$0].name) }),
                contradicted: contradicted[pair.object] ?? [], broken: written.broken[pair.object] ?? [:])
        }
        guard written.failures.isEmpty else {
            return Written(failures: written.failures.map { ($0.key, $0.reason ?? "") })
        }
        let disputed = pairs.filter { !$0.contradicted.isEmpty }
        let returned = try returned(for: disputed)
        return Written(
            objects: pairs,
            consequences: try consequences(
                in: objects, beside: earlier, of: whole, written: answers, naming: named),
            returned: returned,
            reversed: try consequences(
                beside: disputed, in: objects, of: whole, returned: returned, naming: named))
    }

    /// Answers without what the other sides of objects were given, and what of that contradicts all that the function gives.
    private func sparing(
        _ given: [Int64: Set<NameKey>], in answers: FunctionAnswers, of objects: FunctionObjects,
        meaning whole: FunctionAnswers
    ) throws -> (answers: FunctionAnswers, contradicted: [Int64: Set<NameKey>]) {
        var (answers, contradicted) = (answers, [Int64: Set<NameKey>]())
        guard !given.isEmpty else { return (answers, [:]) }
        let primaryKeys = try objects.keys.indices.map { try partner.primaryKey(of: objects, $0, seenAs: retired.rows) }
        for (row, other) in try standingKeys(of: primaryKeys).enumerated() {
            guard let other,
                let key = try partner.derived.editor.object(in: standing.classIndex, of: other)?.key.value,
                let own = given[key]
            else { continue }
            let held = try standing.rows.objects([key])
            for (place, output) in step.lead.outputs.properties.enumerated() {
                let name = NameKey(output.name)
                guard own.contains(name), !isKey(output), whole.columns[place].isGiven(row),
                    let column = standing.rows.properties.firstIndex(where: { $0.name.hasSameBytes(as: output.name) })
                else { continue }
                let type = ColumnType(output)
                if try whole.columns[place].values.value(at: row, as: type)
                    != held.columns[column].value(at: 0, as: type)
                {
                    contradicted[objects.keys[row].value, default: []].insert(name)
                }
                answers.columns[place].leaveOut(row, of: objects.keys.count)
            }
        }
        return (answers, contradicted)
    }

    /// What the other function gives for the other sides of objects.
    struct Returned {
        /// By the keys of the other sides.
        fileprivate var rows: [Int64: Int] = [:]
        fileprivate var answers = FunctionAnswers(columns: [])
    }

    /// Asks the other function about the other sides of some objects.
    func returned(for objects: [Written.Object]) throws -> Returned {
        let keys = Set(objects.map(\.standing)).sorted()
        guard !keys.isEmpty else { return Returned() }
        let (answers, _) = try partner.call(step.back, nil, try standing.rows.objects(keys), .collects)
        let failed = Set(answers.failures.map(\.row))
        let rows = keys.enumerated().filter { !failed.contains($0.offset) }.map { ($0.element, $0.offset) }
        return Returned(rows: Dictionary(uniqueKeysWithValues: rows), answers: answers)
    }

    /// Some objects of the side that left as their other sides lead back to them.
    func objects(
        _ pairs: [Written.Object], in objects: FunctionObjects, as returned: Returned
    ) throws -> FunctionObjects {
        let others = Dictionary(pairs.map { ($0.retired, $0.standing) }) { first, _ in first }
        let rows = objects.keys.indices.filter { others[objects.keys[$0].value] != nil }
        let outputs = step.back.outputs.properties
        let columns = try retired.rows.properties.enumerated().map { place, property in
            let type = ColumnType(property)
            let output =
                place == retired.rows.primaryKeyIndex
                ? nil
                : outputs.firstIndex { $0.name.hasSameBytes(as: property.name) }.map { returned.answers.columns[$0] }
            let builder = ColumnBuilder(type)
            for row in rows {
                let led = others[objects.keys[row].value].flatMap { returned.rows[$0] }
                if let output, let led, output.isGiven(led) {
                    try builder.append(output.values.value(at: led, as: type))
                } else {
                    try builder.append(objects.columns[place].value(at: row, as: type))
                }
            }
            return builder.finish()
        }
        return FunctionObjects(keys: rows.map { objects.keys[$0] }, columns: columns, primaryKey: objects.primaryKey)
    }

    /// Those of some properties of an object of the side that left of which its other side gives other values.
    ///
    /// - Parameter needsAll: whether one counts, too, of which that gives no value.
    func differing(
        _ names: Set<NameKey>, of object: Written.Object, from returned: Returned, needsAll: Bool = false
    ) throws -> Set<NameKey> {
        guard !names.isEmpty else { return [] }
        guard let row = returned.rows[object.standing] else { return names }
        let held = try retired.rows.objects([object.retired])
        var (given, differing): (Set<NameKey>, Set<NameKey>) = ([], [])
        for (place, output) in step.back.outputs.properties.enumerated()
        where returned.answers.columns[place].isGiven(row) {
            let (name, type) = (NameKey(output.name), ColumnType(output))
            guard names.contains(name), let own = retired.rows.place(of: output) else { continue }
            given.insert(name)
            let value = try returned.answers.columns[place].values.value(at: row, as: type)
            if try value != held.columns[own].value(at: 0, as: type) { differing.insert(name) }
        }
        return needsAll ? differing.union(names.subtracting(given)) : differing
    }

    /// Some objects of the side that left, as far as they are there.
    func objects(_ keys: Set<Int64>) throws -> FunctionObjects {
        try retired.rows.objects(keys.filter { try isThere($0) }.sorted())
    }

    /// The value of an object's property; nil where the object is not among some.
    func value(_ name: NameKey, of key: Int64, in objects: FunctionObjects) throws -> Value? {
        let properties = retired.rows.properties
        guard let row = objects.keys.firstIndex(of: ObjectKey(key)),
            let place = properties.firstIndex(where: { $0.name.hasSameBytes(as: name.name) })
        else { return nil }
        return try objects.columns[place].value(at: row, as: ColumnType(properties[place]))
    }

    /// The keys of those of some objects of the side that left whose other sides have all that the function gives for them.
    func held(_ objects: FunctionObjects) throws -> Set<Int64> {
        guard !objects.keys.isEmpty else { return [] }
        let (answers, _) = try partner.call(step.lead, nil, objects, .collects)
        let failed = Set(answers.failures.map(\.row))
        let primaryKeys = try objects.keys.indices.map { try partner.primaryKey(of: objects, $0, seenAs: retired.rows) }
        var held: Set<Int64> = []
        for (row, other) in try standingKeys(of: primaryKeys).enumerated() where !failed.contains(row) {
            guard let other,
                let key = try partner.derived.editor.object(in: standing.classIndex, of: other)?.key.value
            else { continue }
            let object = try standing.rows.objects([key])
            let isHeld = try step.lead.outputs.properties.enumerated().allSatisfy { place, output in
                guard !isKey(output), answers.columns[place].isGiven(row), let own = standing.rows.place(of: output)
                else {
                    return true
                }
                let type = ColumnType(output)
                return try answers.columns[place].values.value(at: row, as: type)
                    == object.columns[own].value(at: 0, as: type)
            }
            if isHeld { held.insert(objects.keys[row].value) }
        }
        return held
    }

    /// Whether a property of the function is the primary key, which nobody writes, and which says which object is meant.
    func isKey(_ property: Property) -> Bool { step.standing.primaryKey.hasSameBytes(as: property.name) }

    /// The key of an object of the side that left; nil where it is not there.
    func retiredObject(_ primaryKey: Value) throws -> Int64? {
        try partner.derived.editor.object(in: retired.classIndex, of: primaryKey)?.key.value
    }

    /// Whether an object of the side that left is there.
    func isThere(_ key: Int64) throws -> Bool { try partner.isThere(key, retired.classIndex) }
}

extension FunctionRows {
    /// The place of the property that a function gives.
    fileprivate func place(of output: Property) -> Int? {
        properties.firstIndex { $0.name.hasSameBytes(as: output.name) }
    }
}
