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

    /// The answers of the function for objects as they were brought up to date, by their keys.
    private var earlier = (rows: [Int64: Int](), answers: FunctionAnswers(columns: []))

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

    private var retired: (rows: FunctionRows, classIndex: Int) {
        step.isCutOver ? (partner.left, partner.leftClass) : (partner.right, partner.rightClass)
    }

    private var standing: (rows: FunctionRows, classIndex: Int) {
        step.isCutOver ? (partner.right, partner.rightClass) : (partner.left, partner.leftClass)
    }

    // MARK: Bringing up to date

    /// The primary keys of the side that stayed; nil where the functions lead to none.
    func standingKeys(of primaryKeys: [Value]) throws -> [Value?] {
        guard !step.plan.isWithinClass else { return primaryKeys }
        return try partner.keys.others(of: primaryKeys, by: step.lead).map { try? $0.get() }
    }

    /// The primary keys of the side that left; those of whom there is none are left out.
    func retiredKeys(of primaryKeys: [Value]) throws -> [Value] {
        guard !step.plan.isWithinClass else { return primaryKeys }
        return try partner.keys.others(of: primaryKeys, by: step.back).compactMap { try? $0.get() }
    }

    /// Brings objects of the side that left up to date; those whose other side is gone are gone, too.
    ///
    /// - Returns: those for which that can't be.
    func refresh(_ primaryKeys: [Value]) throws -> [Failure] {
        var failures: [Failure] = []
        var origins: [Int64: Value] = [:]
        var gone = ChangeBatch()
        let others =
            step.plan.isWithinClass
            ? primaryKeys.map { .success($0) } : try partner.keys.others(of: primaryKeys, by: step.lead)
        for (primaryKey, other) in zip(primaryKeys, others) {
            do {
                if let object = try partner.derived.editor.object(in: standing.classIndex, of: try other.get()) {
                    origins[object.key.value] = primaryKey
                } else {
                    gone.deletes.append(ChangeBatch.Delete(classIndex: retired.classIndex, primaryKey: primaryKey))
                }
            } catch let error as EditingError {
                failures.append(Failure(primaryKey: primaryKey, reason: error.message))
            }
        }
        if !step.plan.isWithinClass { _ = try partner.derived.apply(gone) }
        let objects = try standing.rows.objects(origins.keys.sorted())
        guard !objects.keys.isEmpty else { return failures }
        let (answers, _) = try partner.call(step.back, nil, objects, .collects)
        let written = try partner.write(
            answers, of: objects, by: step.back, to: retired.classIndex, policy: .collects, linksOwn: false)
        failures += written.failures.compactMap { failure in
            origins[failure.key].map { Failure(primaryKey: $0, reason: failure.reason ?? "") }
        }
        return failures
    }

    /// Remembers what the function gives for objects of the side that left, before they are changed.
    func remember(_ primaryKeys: [Value]) throws {
        let keys = try primaryKeys.compactMap {
            try partner.derived.editor.object(in: retired.classIndex, of: $0)?.key.value
        }.sorted()
        guard !keys.isEmpty else { return }
        let (answers, _) = try partner.call(step.lead, nil, try retired.rows.objects(keys), .collects)
        earlier = (Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($0.element, $0.offset) }), answers)
    }

    // MARK: Writing

    /// Deletes on the side that stayed what is deleted on the one that left.
    ///
    /// - Returns: the primary keys of that.
    func deleteStanding(_ primaryKeys: [Value]) throws -> [Value] {
        try delete(
            step.plan.isWithinClass ? [] : try standingKeys(of: primaryKeys).compactMap { $0 }, standing.classIndex)
    }

    /// Deletes on the side that left what is deleted on the one that stayed.
    func deleteRetired(_ primaryKeys: [Value]) throws {
        _ = try delete(step.plan.isWithinClass ? [] : try retiredKeys(of: primaryKeys), retired.classIndex)
    }

    private func delete(_ primaryKeys: [Value], _ classIndex: Int) throws -> [Value] {
        var batch = ChangeBatch()
        batch.deletes = primaryKeys.map { ChangeBatch.Delete(classIndex: classIndex, primaryKey: $0) }
        _ = try partner.derived.apply(batch)
        return primaryKeys
    }

    /// The outcome of writing.
    struct Written {
        /// An object of the side that left, its other side, and the properties that were given to that.
        struct Object {
            let retired: Int64
            let standing: Int64
            let properties: Set<NameKey>
        }

        var objects: [Object] = []
        /// Objects of the side that left for which the function fails, and why; where there are any, nothing was written.
        var failures: [(key: Int64, reason: String)] = []
    }

    /// Writes what the function gives for changed objects of the side that left.
    func write(_ keys: [Int64]) throws -> Written {
        guard !keys.isEmpty else { return Written() }
        let objects = try retired.rows.objects(keys)
        let outputs = step.lead.outputs.properties
        var (answers, _) = try partner.call(step.lead, nil, objects, .collects)
        answers = try answers.without(earlier.answers, rows: earlier.rows, of: keys, by: step.lead) { property in
            // A primary key is written by nobody, and says which object is meant.
            !(self.step.standing.property(named: property.name).map { self.step.standing.isPrimaryKey($0) } ?? false)
        }
        let written = try partner.write(
            answers, of: objects, by: step.lead, to: standing.classIndex, policy: .collects, linksOwn: true)
        let rows = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($0.element, $0.offset) })
        return Written(
            objects: written.pairs.map { pair in
                let given = outputs.indices.filter { place in
                    rows[pair.object].map { answers.columns[place].isGiven($0) } ?? false
                }
                return .init(
                    retired: pair.object, standing: pair.partner,
                    properties: Set(given.map { NameKey(outputs[$0].name) }))
            },
            failures: written.failures.map { ($0.key, $0.reason ?? "") })
    }

    /// The key of an object of the side that left; nil where it is not there.
    func retiredObject(_ primaryKey: Value) throws -> Int64? {
        try partner.derived.editor.object(in: retired.classIndex, of: primaryKey)?.key.value
    }

    /// Whether an object of the side that left is there.
    func isThere(_ key: Int64) throws -> Bool { try partner.isThere(key, retired.classIndex) }
}
