import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// What comes before a batch while objects still wait for their partners.
extension PartnerWriting {
    /// Makes ready for a batch that is not applied yet, while objects still wait for their partners.
    ///
    /// Where the batch names the partner of an object that has none yet, it gets that now: what the batch does not name is to be
    /// the object's own rather than nothing, which would come back. For the same reason links that partners still lack are none
    /// that the batch takes away.
    ///
    /// - Parameter waiting: tells which of some objects have not come to their turn, where partners are properties of theirs.
    package func prepare(
        for batch: ChangeBatch, readWith schema: Schema, waiting: (Set<Int64>) throws -> Set<Int64>
    ) throws {
        guard !plan.isWithinClass else {
            let named = try partners(namedBy: batch, readWith: schema)
            prepared = (
                try writeRight(of: try waiting(named).sorted(), policy: .stops), [], FunctionAnswers(columns: [])
            )
            return
        }
        let upserts = batch.upserts.filter {
            schema.classes[$0.classIndex].name.hasSameBytes(as: plan.right.name)
        }
        try derived.editor.view.willLookUp(upserts.map(\.primaryKey), in: rightClass)
        var (missing, known): ([ChangeBatch.Upsert], Set<Int64>) = ([], [])
        for upsert in upserts {
            if let partner = try derived.editor.object(in: rightClass, of: upsert.primaryKey) {
                known.insert(partner.key.value)
            } else {
                missing.append(upsert)
            }
        }
        let origins = try origins(of: missing, readWith: schema)
        try derived.editor.view.willLookUp(origins, in: leftClass)
        let waiting = Set(try origins.compactMap { try derived.editor.object(in: leftClass, of: $0)?.key.value })
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

    /// The objects of which a batch names properties of the partner.
    func partners(namedBy batch: ChangeBatch, readWith schema: Schema) throws -> Set<Int64> {
        let names = Set(plan.definition.partner.properties.map { NameKey($0.name) })
        var partners: Set<Int64> = []
        for upsert in batch.upserts where schema.classes[upsert.classIndex].name.hasSameBytes(as: plan.left.name) {
            let properties = schema.classes[upsert.classIndex].properties
            guard upsert.members.contains(where: { names.contains(NameKey(properties[$0.property].name)) }),
                let found = try derived.editor.object(in: leftClass, of: upsert.primaryKey)
            else { continue }
            partners.insert(found.key.value)
        }
        return partners
    }

    /// The primary keys of the objects whose partners a batch names before they are there.
    ///
    /// Where they have another type, `backward` tells them of what is given, and of nothing else; one that it does not tell of is
    /// left out.
    private func origins(of upserts: [ChangeBatch.Upsert], readWith schema: Schema) throws -> [Value] {
        guard !hasSameKeyType, !upserts.isEmpty else { return upserts.map(\.primaryKey) }
        let columns = try right.properties.enumerated().map { index, property in
            let initial = property.isCollection ? property.initialValue : initialPartnerValue(of: index)
            let values = upserts.map { upsert -> Value in
                guard index != right.primaryKeyIndex else { return upsert.primaryKey }
                let shown = schema.classes[upsert.classIndex].properties
                let given = upsert.members.last { shown[$0.property].name.hasSameBytes(as: property.name) }
                guard let given, shown[given.property].type == property.type, case .value(let value) = given.value
                else {
                    return initial
                }
                return value
            }
            return try ColumnArray(values, as: ColumnType(property))
        }
        let keys = upserts.indices.map { ObjectKey(Int64($0)) }
        let objects = FunctionObjects(keys: keys, columns: columns, primaryKey: right.primaryKeyIndex)
        let (answers, _) = try call(plan.backward, nil, objects, .collects)
        let property = primaryKeyProperty(plan.left)
        guard
            let place = plan.backward.outputs.properties.firstIndex(where: { $0.name.hasSameBytes(as: property.name) })
        else { return [] }
        let failed = Set(answers.failures.map(\.row))
        return try upserts.indices.filter { !failed.contains($0) && answers.columns[place].isGiven($0) }.map {
            try answers.columns[place].values.value(at: $0, as: ColumnType(property))
        }
    }

    /// What a partner has in a property where nothing is given, as functions see it.
    private func initialPartnerValue(of index: Int) -> Value {
        let property = right.properties[index]
        let stored = plan.right.property(named: property.name)
        return property.type == stored?.type ? stored?.defaultValue ?? property.initialValue : property.initialValue
    }

    /// Answers without the links that are what they were before the batch: the partner may lack some as yet.
    func withoutUnchangedLinks(_ answers: FunctionAnswers, of keys: [Int64]) throws -> FunctionAnswers {
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
}
