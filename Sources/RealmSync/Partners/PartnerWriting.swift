import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Writes to the other side of a partner what was changed on one, in the same snapshot.
///
/// What it writes is derived and goes no further: only what clients changed is ever the origin. Where a batch changes both an
/// object and its partner, the partner counts; what it deletes on one side is deleted on both. Belongs to one thread.
package final class PartnerWriting {
    /// Calls a function of one object in a host, and the one that is to lead back.
    package typealias Call = (
        ObjectFunction, ReturnFunction?, FunctionObjects, FunctionFailurePolicy
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?)

    /// The partner.
    package let plan: PartnerPlan
    /// Makes the derived changes.
    package let derived: ChangeApplication

    private let before: Snapshot
    private let store: any SegmentStore
    private let call: Call
    private let left: FunctionRows
    private let right: FunctionRows
    private let leftClass: Int
    private let rightClass: Int
    /// What the functions gave for the partners that a batch changes as these were before it.
    private var prepared: (effects: PartnerEffects, keys: [Int64], answers: FunctionAnswers)?

    /// Begins to write beside the changes of clients.
    ///
    /// - Parameter store: has the segments of the snapshot as it was.
    package init(
        _ plan: PartnerPlan, beside application: ChangeApplication, in store: any SegmentStore, call: @escaping Call
    ) throws {
        self.plan = plan
        self.store = store
        self.call = call
        before = application.before
        derived = ChangeApplication(beside: application, as: plan.expanded)
        let view = derived.editor.view
        left = try FunctionRows(of: plan.left, in: view)
        right = try FunctionRows(of: plan.right, in: view)
        guard let leftClass = view.index(of: plan.left.name), let rightClass = view.index(of: plan.right.name) else {
            throw PartnerError.unfit("A side is missing.", pointer: "/class", className: plan.left.name)
        }
        (self.leftClass, self.rightClass) = (leftClass, rightClass)
    }

    /// Makes ready for a batch that is not applied yet, while objects still wait for their partners.
    ///
    /// Where the batch names the partner of an object that has none yet, it gets that now: what the batch does not name is to be
    /// the object's own rather than nothing, which would come back. For the same reason links that partners still lack are none
    /// that the batch takes away.
    package func prepare(for batch: ChangeBatch, readWith schema: Schema) throws {
        guard !plan.isWithinClass, hasSameKeyType else { return }
        var (waiting, known): (Set<Int64>, Set<Int64>) = ([], [])
        let upserts = batch.upserts.filter {
            schema.classes[$0.classIndex].name.hasSameBytes(as: plan.right.name)
        }
        for side in [rightClass, leftClass] {
            try derived.editor.view.willLookUp(upserts.map(\.primaryKey), in: side)
        }
        for upsert in upserts {
            if let partner = try derived.editor.object(in: rightClass, of: upsert.primaryKey) {
                known.insert(partner.key.value)
            } else if let object = try derived.editor.object(in: leftClass, of: upsert.primaryKey) {
                waiting.insert(object.key.value)
            }
        }
        let effects = try writeRight(of: waiting.sorted(), policy: .stops)
        let made = Set(derived.delta[plan.right.name]?.upserted ?? [])
        let keys = plan.hasLinks ? known.union(made).sorted() : []
        guard !keys.isEmpty else {
            prepared = (effects, [], FunctionAnswers(columns: []))
            return
        }
        let (answers, _) = try call(plan.backward, nil, try right.objects(keys), .collects)
        prepared = (effects, keys, answers)
    }

    /// Answers without the links that are what they were before the batch: the partner may lack some as yet.
    private func withoutUnchangedLinks(_ answers: FunctionAnswers, of keys: [Int64]) throws -> FunctionAnswers {
        guard let prepared, !prepared.keys.isEmpty else { return answers }
        let failed = Set(prepared.answers.failures.map(\.row))
        let rows = Dictionary(uniqueKeysWithValues: prepared.keys.enumerated().map { ($0.element, $0.offset) })
        var answers = answers
        for (place, property) in plan.backward.outputs.properties.enumerated() {
            guard let stored = plan.left.property(named: property.name), stored.type == .object else { continue }
            let type = ColumnType(property)
            var given = Bitmap(repeating: true, count: keys.count)
            for (row, key) in keys.enumerated() {
                guard answers.columns[place].isGiven(row) else {
                    given[row] = false
                    continue
                }
                guard let before = rows[key], !failed.contains(before), prepared.answers.columns[place].isGiven(before)
                else { continue }
                let was = try prepared.answers.columns[place].values.value(at: before, as: type)
                given[row] = try answers.columns[place].values.value(at: row, as: type) != was
            }
            answers.columns[place].given = given
        }
        return answers
    }

    /// Writes the other side of what clients changed.
    ///
    /// - Parameters:
    ///   - changes: the clients' own.
    ///   - batch: what they come of.
    ///   - schema: what the batch was read with.
    /// - Throws: `MigrationError` of a function that fails or takes too long, with the object's key; `ChangeError`.
    package func write(
        _ changes: SnapshotDelta, of batch: ChangeBatch, readWith schema: Schema
    ) throws -> PartnerEffects {
        guard !plan.isWithinClass else { return try writeWithinClass(changes, batch, schema) }
        let (ownLeft, ownRight) = (changes[plan.left.name], changes[plan.right.name])
        // As within a batch deleting is the last word: what is gone on one side is gone on both before a function sees a link to it.
        try delete(ownRight?.deleted ?? [], of: plan.right, by: plan.backward, from: leftClass)
        try delete(ownLeft?.deleted ?? [], of: plan.left, by: plan.forward, from: rightClass)
        let members = try (ownRight?.upserted ?? []).filter { try isThere($0, rightClass) }
        var effects = prepared?.effects ?? PartnerEffects()
        effects.merge(try writeLeft(of: members))
        let covered = effects.written
        let rest = try (ownLeft?.upserted ?? []).filter { try !covered.contains($0) && isThere($0, leftClass) }
        effects.merge(try writeRight(of: rest, policy: .stops))
        for object in ownLeft?.deleted ?? [] { effects.examined.insert(object.key) }
        for object in derived.delta[plan.left.name]?.deleted ?? [] { effects.examined.insert(object.key) }
        return effects
    }

    /// Gives objects of the class their partners, or writes what their partners hold anew.
    ///
    /// - Parameters:
    ///   - policy: collects where an object for which a function fails is to have no partner, and be found.
    ///   - areNew: whether none of the objects has a partner, so that there is nothing to look up.
    package func writeRight(
        of keys: [Int64], policy: FunctionFailurePolicy, areNew: Bool = false
    ) throws -> PartnerEffects {
        guard !keys.isEmpty else { return PartnerEffects() }
        return try writeRight(try ask(for: keys, policy: policy, areNew: areNew), policy: policy)
    }

    /// What the functions answered for objects of the class: what partners are to hold, and what comes back of that.
    package struct Answered: Sendable {
        fileprivate var objects: FunctionObjects
        fileprivate var answers: FunctionAnswers
        fileprivate var returned: FunctionAnswers?
        fileprivate var areNew: Bool
    }

    /// The answers for some of the objects that the functions were asked about; nil where they were not asked about all of them.
    ///
    /// - Parameter keys: ascending, as those were.
    package func answers(_ answered: Answered, for keys: [Int64]) throws -> Answered? {
        let asked = answered.objects.keys
        guard keys.count != asked.count else { return zip(keys, asked).allSatisfy { $0 == $1.value } ? answered : nil }
        var rows: [Int] = []
        for (row, key) in asked.enumerated() where rows.count < keys.count && keys[rows.count] == key.value {
            rows.append(row)
        }
        guard rows.count == keys.count else { return nil }
        var part = answered
        part.objects.keys = keys.map { ObjectKey($0) }
        part.objects.columns = try zip(answered.objects.columns, left.properties).map { try $0.rows(rows, of: $1) }
        part.answers = try answered.answers.rows(rows, of: plan.forward)
        part.returned = try answered.returned?.rows(rows, of: plan.backward)
        return part
    }

    /// Asks the functions about objects of the class, and changes nothing.
    ///
    /// The answers are good for as long as neither the objects nor the schema change.
    package func ask(for keys: [Int64], policy: FunctionFailurePolicy, areNew: Bool = false) throws -> Answered {
        let objects = try left.objects(keys)
        let areNew = areNew && !plan.isWithinClass && hasSameKeyType
        let back = try wayBack(plan.backward, of: right, in: rightClass, after: plan.forward, of: left, areNew: areNew)
        let (answers, returned) = try call(plan.forward, back, objects, policy)
        return Answered(objects: objects, answers: answers, returned: returned, areNew: areNew)
    }

    /// Gives the objects that functions were asked about their partners, as `writeRight(of:policy:areNew:)` does.
    package func writeRight(_ answered: Answered, policy: FunctionFailurePolicy) throws -> PartnerEffects {
        let (objects, answers, areNew) = (answered.objects, answered.answers, answered.areNew)
        let keys = objects.keys.map(\.value)
        let made = areNew ? try made(of: answers, for: objects) : nil
        let written =
            try made.flatMap { try insert($0, for: objects) }
            ?? write(answers, of: objects, by: plan.forward, to: rightClass, policy: policy, areNew: areNew)
        return try written.effects(of: keys) { pairs in
            // The law: what comes back is what was there.
            if let returned = answered.returned, pairs.count == keys.count {
                return try findings(.violation, objects, returned, plan.backward, seenAs: left, of: objects, left)
            }
            let partners = try right.objects(pairs.map(\.partner))
            let (back, _) = try call(plan.backward, nil, partners, .collects)
            let held = try left.objects(pairs.map(\.object))
            return try findings(.violation, held, back, plan.backward, seenAs: left, of: held, left)
        }
    }

    /// Writes the objects of the class that partners stand in for.
    private func writeLeft(of keys: [Int64]) throws -> PartnerEffects {
        guard !keys.isEmpty else { return PartnerEffects() }
        let objects = try right.objects(keys)
        let back = try wayBack(plan.forward, of: left, in: leftClass, after: plan.backward, of: right)
        let (answers, returned) = try call(plan.backward, back, objects, .stops)
        let written = try write(
            try withoutUnchangedLinks(answers, of: keys), of: objects, by: plan.backward, to: leftClass, policy: .stops)
        let origins = written.pairs.map { (object: $0.partner, partner: $0.object) }
        return try Written(pairs: origins, failures: []).effects(of: origins.map(\.object)) { pairs in
            if let returned, pairs.count == keys.count, let key = objects.primaryKey {
                let keys = pairs.map { ObjectKey($0.object) }
                let own = FunctionObjects(keys: keys, columns: objects.columns, primaryKey: key)
                return try findings(.divergence, objects, returned, plan.forward, seenAs: right, of: own, right)
            }
            let own = try left.objects(pairs.map(\.object))
            let (forth, _) = try call(plan.forward, nil, own, .collects)
            return try findings(
                .divergence, try right.objects(pairs.map(\.partner)), forth, plan.forward, seenAs: right, of: own,
                left)
        }
    }

    /// The function that leads back, called with what is held where the other one's answers are written.
    ///
    /// - Parameters:
    ///   - side: where they are written.
    ///   - function: gives the answers.
    ///   - origin: what that is called with.
    ///   - areNew: whether none of the objects that are written is there.
    /// - Returns: nil where what is held may be something else than what was given: links to objects that have no partner yet,
    ///   embedded objects, and objects that share a partner.
    private func wayBack(
        _ back: ObjectFunction, of side: FunctionRows, in classIndex: Int, after function: ObjectFunction,
        of origin: FunctionRows, areNew: Bool = false
    ) throws -> ReturnFunction? {
        guard hasSameKeyType, side.isStoredAsShown else { return nil }
        let outputs = function.outputs.properties
        return ReturnFunction(
            back,
            inputs: try side.properties.enumerated().map { index, property in
                let own = origin.properties.firstIndex { $0.name.hasSameBytes(as: property.name) }
                if let own, plan.isWithinClass { return .init(answer: nil, otherwise: .input(own)) }
                if index == side.primaryKeyIndex {
                    return .init(answer: nil, otherwise: origin.primaryKeyIndex.map { .input($0) } ?? .unknown)
                }
                let answer = outputs.firstIndex { $0.name.hasSameBytes(as: property.name) }
                let place = side.indices[index]
                guard let initial = derived.initialValue(of: place, in: classIndex) else {
                    return .init(answer: answer, otherwise: .unknown)
                }
                // Objects that are there hold what they held, which mostly takes reading.
                let isKnown = try areNew || derived.editor.view.holds(initial, in: place, of: classIndex)
                return .init(answer: answer, otherwise: isKnown ? .value(initial) : .unknown)
            })
    }

    /// An upsert that names a property of the partner is one of the partner.
    private func writeWithinClass(
        _ changes: SnapshotDelta, _ batch: ChangeBatch, _ schema: Schema
    ) throws -> PartnerEffects {
        var partners: Set<Int64> = []
        let names = Set(plan.definition.partner.properties.map { NameKey($0.name) })
        for upsert in batch.upserts where schema.classes[upsert.classIndex].name.hasSameBytes(as: plan.left.name) {
            let properties = schema.classes[upsert.classIndex].properties
            guard upsert.members.contains(where: { names.contains(NameKey(properties[$0.property].name)) }),
                let found = try derived.editor.object(in: leftClass, of: upsert.primaryKey)
            else { continue }
            partners.insert(found.key.value)
        }
        let keys = changes[plan.left.name]?.upserted ?? []
        var effects = try writeLeft(of: keys.filter { partners.contains($0) })
        effects.merge(try writeRight(of: keys.filter { !partners.contains($0) }, policy: .stops))
        for object in changes[plan.left.name]?.deleted ?? [] { effects.examined.insert(object.key) }
        return effects
    }

    private func isThere(_ key: Int64, _ classIndex: Int) throws -> Bool {
        try derived.editor.view.isValid(
            ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(key)))
    }

    private var hasSameKeyType: Bool {
        primaryKeyProperty(plan.left).type == primaryKeyProperty(plan.right).type
    }

    /// Makes partners by columns; nil where they have links, or embedded objects.
    private func insert(_ partners: FunctionObjects, for objects: FunctionObjects) throws -> Written? {
        let shown = derived.editor.view.schema.classes[rightClass].properties
        var columns: [(property: Int, values: ColumnArray)] = []
        for (property, values) in zip(right.properties, partners.columns) {
            guard let index = shown.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }),
                shown[index].type == property.type, shown[index].collection == property.collection
            else { return nil }
            columns.append((index, values))
        }
        let keys = try derived.insert(columns, count: objects.keys.count, into: rightClass)
        return Written(pairs: zip(objects.keys, keys).map { ($0.value, $1) }, failures: [])
    }

    /// Partners that were made of answers just now, without reading them again; nil where some have what others have not.
    private func made(of answers: FunctionAnswers, for objects: FunctionObjects) throws -> FunctionObjects? {
        let outputs = plan.forward.outputs.properties
        let count = objects.keys.count
        guard answers.failures.isEmpty else { return nil }
        var (columns, primaryKey): ([ColumnArray], Int?) = ([], nil)
        for property in right.properties {
            if plan.right.primaryKey.hasSameBytes(as: property.name), let own = objects.primaryKey {
                let given = outputs.firstIndex { $0.name.hasSameBytes(as: property.name) }.map { answers.columns[$0] }
                // Another primary key than its own is refused object by object.
                guard given.map({ $0.given?.setCount == 0 || $0.values == objects.columns[own] }) ?? true else {
                    return nil
                }
                primaryKey = columns.count
                columns.append(objects.columns[own])
                continue
            }
            guard let place = outputs.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else { return nil }
            guard let given = answers.columns[place].given else {
                columns.append(answers.columns[place].values)
                continue
            }
            guard given.setCount == 0 else { return nil }
            let stored = plan.right.property(named: property.name)
            let initial = property.type == stored?.type ? stored?.defaultValue ?? property.initialValue : .null
            columns.append(try ColumnArray(repeating: initial, count: count, as: ColumnType(property)))
        }
        return FunctionObjects(keys: objects.keys, columns: columns, primaryKey: primaryKey)
    }

    // MARK: Writing

    /// Objects and their partners, by keys, and the objects that have none because a function failed.
    private struct Written {
        var pairs: [(object: Int64, partner: Int64)]
        var failures: [PartnerFinding]

        func effects(
            of keys: [Int64], findings: ([(object: Int64, partner: Int64)]) throws -> [PartnerFinding]
        ) throws -> PartnerEffects {
            var effects = PartnerEffects()
            effects.examined = Set(keys)
            effects.written = Set(pairs.map(\.object))
            effects.findings = failures + (pairs.isEmpty ? [] : try findings(pairs))
            return effects
        }
    }

    private func write(
        _ answers: FunctionAnswers, of objects: FunctionObjects, by function: ObjectFunction, to classIndex: Int,
        policy: FunctionFailurePolicy, areNew: Bool = false
    ) throws -> Written {
        let target = derived.editor.view.schema.classes[classIndex]
        let side = classIndex == rightClass && function == plan.forward ? left : right
        let failed = Dictionary(uniqueKeysWithValues: answers.failures.map { ($0.row, $0.error) })
        var written = Written(pairs: [], failures: [])
        func holds(_ row: Int, _ body: () throws -> Void) throws -> Bool {
            do {
                try body()
                return true
            } catch let error as EditingError {
                let primaryKey = try primaryKey(of: objects, row, seenAs: side)
                guard policy == .collects else { throw refusal(error, objects.keys[row], primaryKey) }
                written.failures.append(failure(error.message, objects.keys[row], primaryKey))
                return false
            }
        }
        var derivedKeys: [(row: Int, key: Value)] = []
        for row in objects.keys.indices {
            let primaryKey = try self.primaryKey(of: objects, row, seenAs: side)
            if let error = failed[row] {
                written.failures.append(failure(error.message, objects.keys[row], primaryKey))
                continue
            }
            _ = try holds(row) {
                derivedKeys.append((row, try self.primaryKey(for: primaryKey, answers, row, function, target)))
            }
        }
        // Where no object may fail, a link to another one of the batch finds it there.
        let own = policy == .stops ? Set(derivedKeys.map(\.key)) : []
        let builder = try DerivedBatch(
            derived, className: target.name, properties: function.outputs.properties, own: own)
        let rows = try derivedKeys.filter { entry in
            try holds(entry.row) { try builder.add(answers, row: entry.row, primaryKey: entry.key) }
        }.map(\.row)
        do {
            let keys = try derived.upsert(builder.finish(), areNew: areNew)
            written.pairs = zip(rows, keys).map { (objects.keys[$0].value, $1) }
        } catch ChangeError.refused(let error, _) {
            // The place in the batch is none of the client's.
            throw MigrationError(error.code, error.message, script: .exception, details: error.details)
        }
        return written
    }

    private func refusal(_ error: EditingError, _ key: ObjectKey, _ primaryKey: Value) -> MigrationError {
        MigrationError(
            error.code, error.message, script: .exception,
            details: error.details.map {
                var item = $0
                (item.key, item.primaryKey) = (key, primaryKey)
                return item
            })
    }

    private func failure(_ reason: String, _ key: ObjectKey, _ primaryKey: Value) -> PartnerFinding {
        PartnerFinding(kind: .violation, key: key.value, primaryKey: primaryKey, reason: reason)
    }

    private func primaryKey(of objects: FunctionObjects, _ row: Int, seenAs side: FunctionRows) throws -> Value {
        guard let column = objects.primaryKey else { return .null }
        return try objects.columns[column].value(at: row, as: ColumnType(side.properties[column]))
    }

    private func primaryKeyProperty(_ side: ObjectSchema) -> Property {
        side.primaryKeyProperty ?? Property("_id", .objectId)
    }

    /// The primary key on the other side: the object's own, unless the types differ and the function gives another.
    private func primaryKey(
        for own: Value, _ answers: FunctionAnswers, _ row: Int, _ function: ObjectFunction, _ target: ObjectSchema
    ) throws -> Value {
        let property = primaryKeyProperty(target)
        let place = function.outputs.properties.firstIndex { $0.name.hasSameBytes(as: property.name) }
        let hasSameType = hasSameKeyType
        if let place, answers.columns[place].isGiven(row) {
            let given = try answers.columns[place].values.value(at: row, as: ColumnType(property))
            guard !hasSameType || given == own else {
                throw Self.refusal(
                    "The function changes the primary key, whose type is the same on both sides.", target, property)
            }
            return given
        }
        guard hasSameType else {
            throw Self.refusal("The function gives no primary key of the other type.", target, property)
        }
        return own
    }

    private static func refusal(_ message: String, _ target: ObjectSchema, _ property: Property) -> EditingError {
        EditingError(
            .modifyPrimaryKey, message,
            details: [ProblemItem(message, className: target.name, property: property.name)])
    }

    // MARK: Deleting

    /// Deletes the partners of objects that are gone, as the objects were.
    private func delete(
        _ gone: [SnapshotDelta.DeletedObject], of side: ObjectSchema, by function: ObjectFunction, from classIndex: Int
    ) throws {
        guard !gone.isEmpty else { return }
        var batch = ChangeBatch()
        if hasSameKeyType {
            batch.deletes = gone.map { ChangeBatch.Delete(classIndex: classIndex, primaryKey: $0.primaryKey) }
        } else {
            let was = RealmEditor(editing: before, as: plan.expanded, in: store)
            let objects = try FunctionRows(of: side, in: was.view).objects(gone.map(\.key))
            // One for which the function fails never had a partner.
            let (answers, _) = try call(function, nil, objects, .collects)
            let property = primaryKeyProperty(derived.editor.view.schema.classes[classIndex])
            let place = function.outputs.properties.firstIndex { $0.name.hasSameBytes(as: property.name) }
            for row in objects.keys.indices {
                guard let place, answers.columns[place].isGiven(row) else { continue }
                let key = try answers.columns[place].values.value(at: row, as: ColumnType(property))
                batch.deletes.append(ChangeBatch.Delete(classIndex: classIndex, primaryKey: key))
            }
        }
        _ = try derived.apply(batch)
    }

    // MARK: Laws

    /// The objects that do not hold what a function gave for them.
    ///
    /// - Parameters:
    ///   - objects: what is held.
    ///   - side: as what.
    ///   - own: the objects of the class, which findings are of, or of the partner with the keys of these.
    ///   - ownSide: which of both.
    private func findings(
        _ kind: PartnerFinding.Kind, _ objects: FunctionObjects, _ given: FunctionAnswers, _ function: ObjectFunction,
        seenAs side: FunctionRows, of own: FunctionObjects, _ ownSide: FunctionRows
    ) throws -> [PartnerFinding] {
        let properties = function.outputs.properties
        let places = properties.indices.map { index in
            let place = side.properties.firstIndex { $0.name.hasSameBytes(as: properties[index].name) }
            // Mostly all is as it was, and that is seen at once.
            return place.flatMap { objects.columns[$0] == given.columns[index].values ? nil : $0 }
        }
        guard !given.failures.isEmpty || places.contains(where: { $0 != nil }) else { return [] }
        let failed = Dictionary(uniqueKeysWithValues: given.failures.map { ($0.row, $0.error) })
        var findings: [PartnerFinding] = []
        for row in own.keys.indices {
            let primaryKey = try self.primaryKey(of: own, row, seenAs: ownSide)
            if let error = failed[row] {
                findings.append(
                    PartnerFinding(
                        kind: kind, key: own.keys[row].value, primaryKey: primaryKey, reason: error.message))
                continue
            }
            var (before, after): ([DictionaryEntry], [DictionaryEntry]) = ([], [])
            for (property, place) in zip(properties.indices, places) where given.columns[property].isGiven(row) {
                guard let place else { continue }
                let type = ColumnType(properties[property])
                let (was, became) = (
                    try objects.columns[place].value(at: row, as: type),
                    try given.columns[property].values.value(at: row, as: type)
                )
                guard was != became else { continue }
                before.append(DictionaryEntry(properties[property].publicName, was))
                after.append(DictionaryEntry(properties[property].publicName, became))
            }
            guard !before.isEmpty else { continue }
            findings.append(
                PartnerFinding(
                    kind: kind, key: own.keys[row].value, primaryKey: primaryKey, before: .dictionary(before),
                    after: .dictionary(after)))
        }
        return findings
    }
}

extension FunctionAnswers {
    /// The answers for some of the objects.
    fileprivate func rows(_ rows: [Int], of function: ObjectFunction) throws -> FunctionAnswers {
        let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0.element, $0.offset) })
        let columns = try zip(columns, function.outputs.properties).map { column, property in
            var given = column.given.map { _ in Bitmap(count: rows.count) }
            for (place, row) in rows.enumerated() where given != nil { given?[place] = column.isGiven(row) }
            return Column(given: given, values: try column.values.rows(rows, of: property))
        }
        return FunctionAnswers(
            columns: columns,
            failures: failures.compactMap { failure in
                places[failure.row].map { Failure(row: $0, error: failure.error) }
            })
    }
}

extension ColumnArray {
    fileprivate func rows(_ rows: [Int], of property: Property) throws -> ColumnArray {
        let builder = ColumnBuilder(ColumnType(property))
        var run = 0..<0
        for row in rows {
            if row == run.upperBound, !run.isEmpty {
                run = run.lowerBound..<row + 1
            } else {
                try builder.append(run, of: self)
                run = row..<row + 1
            }
        }
        try builder.append(run, of: self)
        return builder.finish()
    }
}
