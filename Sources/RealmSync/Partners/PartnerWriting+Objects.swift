import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// The objects of the other side: made, written and deleted by what functions answered.
extension PartnerWriting {
    /// Objects and their partners, by keys, and the objects that have none because a function failed.
    struct Written {
        var pairs: [PartnerEffects.Pair]
        var failures: [PartnerFinding]
        /// The properties of partners with links that lead nowhere, and the classes of what is not there, by the keys of the objects.
        var broken: [Int64: [NameKey: String]] = [:]

        func effects(
            of keys: [Int64], findings: ([PartnerEffects.Pair]) throws -> [PartnerFinding]
        ) throws -> PartnerEffects {
            var effects = PartnerEffects()
            effects.examined = Set(keys)
            effects.pairs = pairs
            effects.findings = failures + (pairs.isEmpty ? [] : try findings(pairs))
            return effects
        }
    }

    /// The properties of an object's other side with links that lead nowhere, and the classes of what is not there.
    struct BrokenLinks {
        /// The object's class.
        let className: String
        let key: Int64
        let targets: [NameKey: String]
    }

    /// Writes what a function answered for some objects to the other side.
    ///
    /// - Parameter linksOwn: whether a link to another one of the objects finds it there; then all of them are written, or none.
    func write(
        _ answers: FunctionAnswers, of objects: FunctionObjects, by function: ObjectFunction, to classIndex: Int,
        policy: FunctionFailurePolicy, linksOwn: Bool? = nil, areNew: Bool = false
    ) throws -> Written {
        let linksOwn = linksOwn ?? (policy == .stops)
        let target = derived.editor.view.schema.classes[classIndex].name
        let (side, other) = classIndex == rightClass && function == plan.forward ? (left, right) : (right, left)
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
        let primaryKeys = try objects.keys.indices.map { try primaryKey(of: objects, $0, seenAs: side) }
        let others = try keys.others(of: primaryKeys, by: function)
        var derivedKeys: [(row: Int, key: Value)] = []
        for (row, primaryKey) in primaryKeys.enumerated() {
            if let error = failed[row] {
                written.failures.append(failure(error.message, objects.keys[row], primaryKey))
                continue
            }
            _ = try holds(row) { derivedKeys.append((row, try keys.checked(others[row], answers, row, function))) }
        }
        guard !linksOwn || written.failures.isEmpty else { return written }
        let builder = try DerivedBatch(
            derived, className: target, properties: function.outputs.properties,
            own: linksOwn ? Set(derivedKeys.map(\.key)) : [])
        let known = areNew ? nil : takeLookedUp(of: objects, in: classIndex)
        do {
            if let known, let held = known.held,
                let columns = builder.columns(of: answers, beside: held, seenAs: other)
            {
                let there = derivedKeys.compactMap { entry in
                    known.objects[entry.row].map { (object: $0, row: entry.row) }
                }
                try derived.change(there, to: columns)
                written.pairs = there.map { .init(object: objects.keys[$0.row].value, partner: $0.object.key.value) }
                return written
            }
            let rows = try derivedKeys.filter { entry in
                try holds(entry.row) { try builder.add(answers, row: entry.row, primaryKey: entry.key) }
            }.map(\.row)
            guard !linksOwn || written.failures.isEmpty else { return written }
            let found = try derived.upsert(
                builder.finish(), areNew: areNew, knowing: known.map { known in rows.map { known.objects[$0] } })
            written.pairs = zip(rows, found).map { .init(object: objects.keys[$0].value, partner: $1) }
            written.broken = noted(builder.broken, of: rows.map { objects.keys[$0].value }, by: function)
        } catch ChangeError.refused(let error, _) {
            // The place in the batch is none of the client's.
            throw MigrationError(error.code, error.message, script: .exception, details: error.details)
        }
        return written
    }

    /// Links to what is not there, by the keys of their objects; notes them where the changes alone are written.
    private func noted(
        _ links: [Int: [NameKey: String]], of keys: [Int64], by function: ObjectFunction
    ) -> [Int64: [NameKey: String]] {
        let broken = Dictionary(uniqueKeysWithValues: links.map { (keys[$0.key], $0.value) })
        guard writesChangesAlone else { return broken }
        let origin = function == plan.forward ? plan.left.name : plan.right.name
        for (key, targets) in broken {
            // A partner that is not made yet gets its links later.
            let targets = targets.filter { !unmade.contains(NameKey($0.value)) }
            if !targets.isEmpty { brokenLinks.append(BrokenLinks(className: origin, key: key, targets: targets)) }
        }
        return broken
    }

    func refusal(_ error: EditingError, _ key: ObjectKey, _ primaryKey: Value) -> MigrationError {
        MigrationError(
            error.code, error.message, script: .exception,
            details: error.details.map {
                var item = $0
                (item.key, item.primaryKey) = (key, primaryKey)
                return item
            })
    }

    func failure(_ reason: String, _ key: ObjectKey, _ primaryKey: Value) -> PartnerFinding {
        PartnerFinding(kind: .violation, key: key.value, primaryKey: primaryKey, reason: reason)
    }

    // MARK: Making

    /// Makes partners by columns; nil where they have links, or embedded objects.
    func insert(_ partners: FunctionObjects, for objects: FunctionObjects) throws -> Written? {
        let shown = derived.editor.view.schema.classes[rightClass].properties
        var columns: [(property: Int, values: ColumnArray)] = []
        for (property, values) in zip(right.properties, partners.columns) {
            guard let index = shown.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }),
                shown[index].type == property.type, shown[index].collection == property.collection
            else { return nil }
            columns.append((index, values))
        }
        let keys = try derived.insert(columns, count: objects.keys.count, into: rightClass)
        return Written(pairs: zip(objects.keys, keys).map { .init(object: $0.value, partner: $1) }, failures: [])
    }

    /// Partners that were made of answers just now, without reading them again; nil where some have what others have not.
    func made(of answers: FunctionAnswers, for objects: FunctionObjects) throws -> FunctionObjects? {
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
            // A link is seen as a primary key: where it has none it is null.
            let isLink = property.type != stored?.type && !property.isCollection
            let initial = isLink ? .null : stored?.defaultValue ?? property.initialValue
            columns.append(try ColumnArray(repeating: initial, count: count, as: ColumnType(property)))
        }
        return FunctionObjects(keys: objects.keys, columns: columns, primaryKey: primaryKey)
    }

    // MARK: Primary keys

    var hasSameKeyType: Bool { keys.areSame }

    func primaryKey(of objects: FunctionObjects, _ row: Int, seenAs side: FunctionRows) throws -> Value {
        guard let column = objects.primaryKey else { return .null }
        return try objects.columns[column].value(at: row, as: ColumnType(side.properties[column]))
    }
}
