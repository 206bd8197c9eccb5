import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Preparations for a batch while objects have no partners.
extension PartnerWriting {
    /// Makes ready for a batch that is not applied yet, where objects have no partners: these wait for them, or a function failed.
    ///
    /// Where the batch names the partner of an object that has none, or links to it, it gets that now: what the batch does not name is
    /// to be the object's own rather than nothing, which would come back. For the same reason links that partners still lack are none
    /// that the batch takes away.
    ///
    /// - Returns: the upserts that can't be made, since the object's partner can't; none but where the changes alone are written.
    /// - Throws: `MigrationError` of a function that fails, with the object's key, where all is written.
    @discardableResult
    func prepare(for batch: ChangeBatch, readWith schema: Schema) throws -> [(upsert: Int, reason: String)] {
        try plan.isWithinClass ? prepareProperties(batch, schema) : prepareObjects(batch, schema)
    }

    private func prepareProperties(
        _ batch: ChangeBatch, _ schema: Schema
    ) throws -> [(upsert: Int, reason: String)] {
        let named = try partners(namedBy: batch, readWith: schema)
        guard !named.isEmpty else { return [] }
        let partly = try failed.map { try $0(try partners(namedBy: batch, readWith: schema, inPart: true)) } ?? []
        var keys = try (waiting?(named) ?? []).union(partly)
        guard !keys.isEmpty else { return [] }
        let reasons = try failures(of: keys)
        keys.subtract(reasons.keys)
        prepared = Prepared(effects: try writeRight(of: keys.sorted(), policy: .stops))
        if writesChangesAlone, !keys.isEmpty {
            prepared?.keys = keys.sorted()
            prepared?.answers = try call(plan.backward, nil, right.objects(keys.sorted()), .collects).answers
        }
        guard !reasons.isEmpty else { return [] }
        return try batch.upserts.enumerated().compactMap { place, upsert in
            guard schema.classes[upsert.classIndex].name.hasSameBytes(as: plan.left.name),
                let object = try derived.editor.object(in: leftClass, of: upsert.primaryKey)
            else { return nil }
            return reasons[object.key.value].map { (place, $0) }
        }
    }

    private func prepareObjects(_ batch: ChangeBatch, _ schema: Schema) throws -> [(upsert: Int, reason: String)] {
        func isOfPartner(_ classIndex: Int) -> Bool {
            schema.classes[classIndex].name.hasSameBytes(as: plan.right.name)
        }
        let upserts = batch.upserts.filter {
            isOfPartner($0.classIndex) && (waiting != nil || !namesAll($0, of: schema.classes[$0.classIndex]))
        }
        let linked = batch.references.compactMap { reference -> Value? in
            guard waiting != nil, case .primaryKey(let key) = reference.target, isOfPartner(reference.classIndex)
            else { return nil }
            return key
        }
        guard !upserts.isEmpty || !linked.isEmpty else { return [] }
        try derived.editor.view.willLookUp(upserts.map(\.primaryKey) + linked, in: rightClass)
        var (missing, known): (Set<Value>, Set<Int64>) = ([], [])
        for primaryKey in upserts.map(\.primaryKey) {
            if let partner = try derived.editor.object(in: rightClass, of: primaryKey) {
                known.insert(partner.key.value)
            } else {
                missing.insert(primaryKey)
            }
        }
        missing.formUnion(try linked.filter { try derived.editor.object(in: rightClass, of: $0) == nil })
        guard waiting != nil || !missing.isEmpty else { return [] }
        let (origins, reasons) = try origins(of: Array(missing))
        let effects = try writeRight(of: origins, policy: .stops)
        let made = Set(derived.delta[plan.right.name]?.upserted ?? [])
        let partners = waiting != nil && plan.hasLinks ? known.union(made) : writesChangesAlone ? made : []
        prepared = Prepared(effects: effects)
        if !partners.isEmpty {
            let objects = try right.objects(partners.sorted())
            prepared?.keys = partners.sorted()
            prepared?.answers = try call(plan.backward, nil, objects, .collects).answers
            prepared?.objects = objects
        }
        guard !reasons.isEmpty else { return [] }
        let named = batch.upserts.enumerated().filter { isOfPartner($1.classIndex) }.map { ($0, $1.primaryKey) }
        let links = batch.references.compactMap { reference -> (Int, Value)? in
            guard isOfPartner(reference.classIndex), case .primaryKey(let key) = reference.target else { return nil }
            return (reference.upsert, key)
        }
        return (named + links).compactMap { place, key in reasons[key].map { (place, $0) } }
    }

    /// The objects whose partners have some primary keys, and why a function fails for others.
    ///
    /// - Parameter missing: the primary keys of partners that are not there.
    private func origins(of missing: [Value]) throws -> (keys: [Int64], reasons: [Value: String]) {
        // A key that leads nowhere is told of when the batch's object is written.
        let pairs = zip(missing, try keys.others(of: missing, by: plan.backward)).compactMap { key, other in
            (try? other.get()).map { (key, $0) }
        }
        try derived.editor.view.willLookUp(pairs.map(\.1), in: leftClass)
        var partners: [Int64: Value] = [:]
        for (key, other) in pairs {
            if let object = try derived.editor.object(in: leftClass, of: other) { partners[object.key.value] = key }
        }
        let failed = try failures(of: Set(partners.keys))
        let reasons = failed.compactMap { object, reason in partners[object].map { ($0, reason) } }
        return (
            Set(partners.keys).subtracting(failed.keys).sorted(),
            Dictionary(reasons) { first, _ in first }
        )
    }

    /// The objects for which `forward` fails, and why; none where it is to stop all.
    private func failures(of keys: Set<Int64>) throws -> [Int64: String] {
        guard writesChangesAlone, !keys.isEmpty else { return [:] }
        let keys = keys.sorted()
        let failures = try call(plan.forward, nil, left.objects(keys), .collects).answers.failures
        return Dictionary(failures.map { (keys[$0.row], $0.error.message) }) { first, _ in first }
    }

    /// Whether an upsert gives all that a partner has.
    private func namesAll(_ upsert: ChangeBatch.Upsert, of read: ObjectSchema) -> Bool {
        let given = Set(upsert.members.map { NameKey(read.properties[$0.property].name) })
        return right.properties.allSatisfy { plan.right.isPrimaryKey($0) || given.contains(NameKey($0.name)) }
    }

    /// Partners before a batch.
    struct Prepared {
        /// The effects of giving partners to those objects that the batch names and that waited.
        var effects: PartnerEffects
        /// The partners that the batch changes, where partners have links; of a partner within the class, those that waited.
        var keys: [Int64] = []
        /// The answers of `backward` for them.
        var answers = FunctionAnswers(columns: [])
        /// Their values before the batch.
        var objects: FunctionObjects?
    }

    /// The properties with links of which some partners do not hold what they held before the batch.
    func changedLinks(of partners: [Int64]) throws -> [Int64: Set<NameKey>] {
        let links = right.properties.indices.filter { index in
            plan.right.property(named: right.properties[index].name).map { plan.holdsLinks($0) } ?? false
        }
        let rows = Dictionary(
            uniqueKeysWithValues: (prepared?.keys ?? []).enumerated().map { ($0.element, $0.offset) })
        let now = try right.objects(partners)
        var changed: [Int64: Set<NameKey>] = [:]
        for (row, partner) in partners.enumerated() {
            for index in links {
                let type = ColumnType(right.properties[index])
                let was = try rows[partner].flatMap { try prepared?.objects?.columns[index].value(at: $0, as: type) }
                guard try was != now.columns[index].value(at: row, as: type) else { continue }
                changed[partner, default: []].insert(NameKey(right.properties[index].name))
            }
        }
        return changed
    }

    /// Refuses a batch that gives links of partners as these are shown, where the objects' own links lead elsewhere: to objects that
    /// have no partner yet.
    ///
    /// - Throws: `ChangeError.linkWaits`.
    func requireNoDoubt(of batch: ChangeBatch, readWith schema: Schema) throws {
        guard mayLackLinks else { return }
        let named = try namedLinks(by: batch, readWith: schema)
        let changed = try changedLinks(of: Set(named.map(\.partner)).sorted())
        let repeated = named.filter { !(changed[$0.partner]?.contains(NameKey($0.property)) ?? false) }
        guard !repeated.isEmpty else { return }
        let origins = try keys.others(of: repeated.map(\.primaryKey), by: plan.backward).map { try? $0.get() }
        let objects = try origins.map { key in
            try key.flatMap { try derived.editor.object(in: leftClass, of: $0)?.key.value }
        }
        let own = Set(objects.compactMap(\.self)).sorted()
        let rows = Dictionary(uniqueKeysWithValues: own.enumerated().map { ($0.element, $0.offset) })
        let answers = try call(plan.forward, nil, left.objects(own), .collects).answers
        let failed = Set(answers.failures.map(\.row))
        let held = try right.objects(repeated.map(\.partner))
        for (place, link) in repeated.enumerated() {
            guard let row = objects[place].flatMap({ rows[$0] }), !failed.contains(row),
                let column = plan.forward.outputs.properties.firstIndex(where: {
                    $0.name.hasSameBytes(as: link.property)
                }), answers.columns[column].isGiven(row),
                let index = right.properties.firstIndex(where: { $0.name.hasSameBytes(as: link.property) })
            else { continue }
            let type = ColumnType(right.properties[index])
            let wanted = try answers.columns[column].values.value(at: row, as: type)
            guard try wanted != held.columns[index].value(at: place, as: type) else { continue }
            throw ChangeError.linkWaits(
                className: plan.right.name, property: right.properties[index].publicName,
                primaryKey: link.primaryKey, pointer: link.pointer)
        }
    }

    /// A link of a partner that a batch gives.
    private struct NamedLink {
        var partner: Int64
        var primaryKey: Value
        /// Its stored name.
        var property: String
        /// Where in the batch.
        var pointer: String
    }

    private func namedLinks(by batch: ChangeBatch, readWith schema: Schema) throws -> [NamedLink] {
        var named: [NamedLink] = []
        for (place, upsert) in batch.upserts.enumerated() {
            let read = schema.classes[upsert.classIndex]
            guard read.name.hasSameBytes(as: plan.right.name) else { continue }
            let links = upsert.members.map { read.properties[$0.property] }.filter { property in
                plan.right.property(named: property.name).map { plan.holdsLinks($0) } ?? false
            }
            guard !links.isEmpty,
                let partner = try derived.editor.object(in: rightClass, of: upsert.primaryKey)?.key.value
            else { continue }
            named += links.map { property in
                NamedLink(
                    partner: partner, primaryKey: upsert.primaryKey, property: property.name,
                    pointer: "/upserts/\(place)/object")
            }
        }
        return named
    }

    /// The objects of which a batch names properties of the partner.
    ///
    /// - Parameter isPart: whether those alone are meant of which an upsert does not name all of them.
    func partners(
        namedBy batch: ChangeBatch, readWith schema: Schema, inPart isPart: Bool = false
    ) throws -> Set<Int64> {
        let names = Set(plan.definition.partner.properties.map { NameKey($0.name) })
        var partners: Set<Int64> = []
        for upsert in batch.upserts where schema.classes[upsert.classIndex].name.hasSameBytes(as: plan.left.name) {
            let properties = schema.classes[upsert.classIndex].properties
            let given = names.intersection(upsert.members.map { NameKey(properties[$0.property].name) })
            guard !given.isEmpty, !isPart || given != names,
                let found = try derived.editor.object(in: leftClass, of: upsert.primaryKey)
            else { continue }
            partners.insert(found.key.value)
        }
        return partners
    }

    /// How the answers for partners are narrowed while these may lack links.
    func linkNarrowing(_ keys: [Int64]) -> ((FunctionAnswers) throws -> FunctionAnswers)? {
        mayLackLinks ? { try self.withoutUnchangedLinks($0, of: keys) } : nil
    }

    /// Answers without the links that are what they were before the batch: a partner may lack some as yet.
    private func withoutUnchangedLinks(_ answers: FunctionAnswers, of keys: [Int64]) throws -> FunctionAnswers {
        guard let prepared, !keys.isEmpty else { return answers }
        let rows = Dictionary(uniqueKeysWithValues: prepared.keys.enumerated().map { ($0.element, $0.offset) })
        return try answers.without(prepared.answers, rows: rows, of: keys, by: plan.backward) { property in
            self.plan.left.property(named: property.name)?.type == .object
        }
    }

    /// Whether the partners of some objects of the class are there.
    func havePartners(_ objects: [Int64]) throws -> [Bool] {
        guard !plan.isWithinClass else { return objects.map { _ in true } }
        guard let index = left.primaryKeyIndex.map({ left.indices[$0] }) else { return objects.map { _ in false } }
        let primaryKeys = try objects.map { key in
            try derived.editor.view.value(
                index, of: ObjectReference(side: .new, classIndex: leftClass, key: ObjectKey(key)))
        }
        return try keys.others(of: primaryKeys, by: plan.forward).map { other in
            guard let key = try? other.get() else { return false }
            return try derived.editor.object(in: rightClass, of: key) != nil
        }
    }
}

extension FunctionAnswers {
    /// The answers without those values that earlier ones have, too.
    ///
    /// - Parameters:
    ///   - rows: of the earlier answers, by object.
    ///   - keys: the objects of these.
    ///   - isMeant: which of the function's properties may be left out.
    func without(
        _ earlier: FunctionAnswers, rows: [Int64: Int], of keys: [Int64], by function: ObjectFunction,
        _ isMeant: (Property) -> Bool
    ) throws -> FunctionAnswers {
        let failed = Set(earlier.failures.map(\.row))
        var answers = self
        for (place, property) in function.outputs.properties.enumerated() where isMeant(property) {
            let type = ColumnType(property)
            var given = Bitmap(repeating: true, count: keys.count)
            for (row, key) in keys.enumerated() {
                guard columns[place].isGiven(row) else {
                    given[row] = false
                    continue
                }
                guard let before = rows[key], !failed.contains(before), earlier.columns[place].isGiven(before)
                else { continue }
                let was = try earlier.columns[place].values.value(at: before, as: type)
                given[row] = try columns[place].values.value(at: row, as: type) != was
            }
            answers.columns[place].given = given
        }
        return answers
    }
}
