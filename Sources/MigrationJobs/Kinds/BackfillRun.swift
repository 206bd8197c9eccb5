import Columns
import JobStore
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// One run of a backfill: batches of objects that lack the value, each committed as a batch of changes is.
///
/// It holds nothing between batches, so that clients go on writing. Where one was faster, others wait while what is known of
/// the batch by then is written: so each has its turn.
struct BackfillRun {
    private static let batchSizes = 16...16_384
    /// Objects that are written while clients wait.
    private static let largestHeldBatch = 8_192

    private let order: BackfillOrder
    private let tools: JobTools
    private let attempt: JobAttempt
    /// Writes the other sides of what is filled; nil in a worker that runs no scripts.
    private let partners: PartnerWriter?

    init(_ order: BackfillOrder, tools: JobTools, attempt: JobAttempt) {
        self.order = order
        self.tools = tools
        self.attempt = attempt
        partners = tools.functions.map { PartnerWriter(PartnerTools(tools.jobs, functions: $0)) }
    }

    func run() throws {
        var (size, done) = (1_024, 0)
        var last: ObjectKey?
        attempt.progressed(to: MigrationProgress(phase: "backfill", className: order.className))
        while true {
            if attempt.isCancelled { throw MigrationError(nil, "The backfill was stopped.", script: .cancelled) }
            do {
                let (keys, left) = try fillBatch(of: size, after: last)
                // Objects that clients made behind those that are done are looked for once more, from the first.
                guard !keys.isEmpty || last == nil else {
                    last = nil
                    continue
                }
                last = keys.last
                done += keys.count
                attempt.progressed(
                    to: MigrationProgress(
                        phase: "backfill", className: order.className, objectsDone: done, objectsTotal: done + left))
                guard !keys.isEmpty else { return }
                size = min(size * 2, Self.batchSizes.upperBound)
            } catch StoreError.realmChanged {
                size = max(size / 4, Self.batchSizes.lowerBound)
            }
        }
    }

    /// Objects of a snapshot that lack the value, and what they are to have.
    private struct Batch {
        var snapshot: RealmModel.UUID
        var objects: [UnsyncedObject]
        var values: [Value]

        var keys: [ObjectKey] { objects.map(\.key) }
    }

    /// Fills some objects.
    ///
    /// - Parameter last: the key behind which to look for them; nil for the first.
    /// - Returns: their keys, none where no object behind `last` lacks the value; and how many of the class are unsynced then.
    private func fillBatch(of size: Int, after last: ObjectKey?) throws -> (keys: [ObjectKey], left: Int) {
        let app = attempt.lease.job.app
        let draft = try tools.store.snapshots.beginChanges(of: order.realm, in: app)
        defer { draft.cancel() }
        guard let opened = draft.current else { throw StoreError.notFound(.snapshot, order.realm) }
        let objects = try lacking(in: opened, after: last, limit: size)
        guard !objects.isEmpty else { return ([], opened.snapshot[order.className]?.unsyncedCount ?? 0) }
        let application = ChangeApplication(to: opened.snapshot, in: draft.store)
        let values = try values(for: objects, in: application.editor)
        let batch = Batch(snapshot: opened.info.id, objects: objects, values: values)
        do {
            return (batch.keys, try write(batch, by: application, in: draft))
        } catch StoreError.realmChanged {
            return try tools.store.snapshots.holding(order.realm, in: app) { try fill(batch, holding: $0) }
        }
    }

    /// Fills those objects of a batch that nobody changed since it was made: what is known of them is true still.
    ///
    /// - Throws: `StoreError.realmChanged` where there is none.
    private func fill(_ batch: Batch, holding draft: ChangeDraft) throws -> (keys: [ObjectKey], left: Int) {
        let delta: SnapshotDelta
        do { delta = try draft.delta(since: batch.snapshot) } catch StoreError.notFound {
            // The current snapshot did not come of the one that the batch was made of.
            throw StoreError.realmChanged
        }
        guard let opened = draft.current, !delta.changesSchema, delta[order.className]?.isWhole != true
        else { throw StoreError.realmChanged }
        let changes = delta[order.className]
        let others = Set((changes?.upserted ?? []) + (changes?.deleted.map(\.key) ?? []))
        var unchanged = Batch(snapshot: opened.info.id, objects: [], values: [])
        for (object, value) in zip(batch.objects, batch.values).prefix(Self.largestHeldBatch)
        where !others.contains(object.key.value) {
            unchanged.objects.append(object)
            unchanged.values.append(value)
        }
        guard !unchanged.objects.isEmpty else { throw StoreError.realmChanged }
        let application = ChangeApplication(to: opened.snapshot, in: draft.store)
        return (unchanged.keys, try write(unchanged, by: application, in: draft))
    }

    /// Writes a batch, as one of a client who names the objects: with the other sides of partners.
    ///
    /// - Returns: how many objects of the class are unsynced then.
    private func write(_ batch: Batch, by application: ChangeApplication, in draft: ChangeDraft) throws -> Int {
        let schema = application.editor.view.schema
        guard let classIndex = application.editor.view.index(of: order.className) else {
            throw BackfillError.noSuchClass(order.className)
        }
        let place = schema.classes[classIndex].index(ofProperty: order.property)
        guard let place else { throw BackfillError.noSuchProperty(order.className, order.property) }
        var changes = ChangeBatch()
        changes.upserts = zip(batch.objects, batch.values).map { object, value in
            ChangeBatch.Upsert(
                classIndex: classIndex, primaryKey: object.primaryKey,
                members: [ChangeBatch.Member(property: place, value: .value(value))])
        }
        let found = batch.keys.map { ObjectReference(side: .new, classIndex: classIndex, key: $0) }
        var written = WrittenSides()
        if let partners {
            written = try partners.apply(
                changes, readWith: schema, knowing: found, to: application, in: draft, for: attempt.functionCaller()
            ).written
        } else {
            guard !draft.hasPartners else { throw Self.noHost() }
            _ = try application.apply(changes, knowing: found)
        }
        let filled = try written.commit(application, in: draft).snapshot
        return filled[order.className]?.unsyncedCount ?? 0
    }

    /// The first objects that lack the value.
    private func lacking(
        in opened: OpenSnapshot, after last: ObjectKey?, limit: Int
    ) throws -> [UnsyncedObject] {
        var lacking: [UnsyncedObject] = []
        var place = last.map { (className: order.className, key: $0) }
        while lacking.count < limit {
            let objects = try UnsyncedObject.list(
                in: opened.snapshot, from: opened.store, of: order.className, after: place, limit: limit)
            lacking += objects.filter { object in
                object.missing.contains { $0.property.hasSameBytes(as: order.property) }
            }
            guard objects.count == limit, let last = objects.last else { break }
            place = (last.className, last.key)
        }
        return Array(lacking.prefix(limit))
    }

    private func values(for objects: [UnsyncedObject], in editor: RealmEditor) throws -> [Value] {
        let property = try property(in: editor)
        switch order.fill {
        case .value(let json):
            let value = try BackfillError.value(json, of: property, in: order.className)
            return [Value](repeating: value, count: objects.count)
        case .script(let text):
            var values = [Value](repeating: .null, count: objects.count)
            for (kept, places) in Dictionary(grouping: objects.indices, by: { kept(objects[$0]) }) {
                let answers = try answers(
                    of: text, for: places.map { objects[$0].key }, to: property, seeing: kept, in: editor)
                for (place, answer) in zip(places, answers) { values[place] = answer }
            }
            return values
        }
    }

    /// The stored property with the value that an object kept where the type changed.
    private func kept(_ object: UnsyncedObject) -> Property? {
        object.missing.first { $0.property.hasSameBytes(as: order.property) }?.kept
    }

    /// The answers of a function for some objects, which it sees with the value that they kept where the type changed.
    private func answers(
        of text: String, for keys: [ObjectKey], to property: Property, seeing kept: Property?, in editor: RealmEditor
    ) throws -> [Value] {
        guard let host = tools.functions else { throw Self.noHost() }
        var schema = editor.view.schema
        guard let index = editor.view.index(of: order.className), let stored = editor.view.workingClass(index) else {
            throw BackfillError.noSuchClass(order.className)
        }
        schema.classes[index].properties.removeAll { $0.isComputed || $0.name.hasSameBytes(as: property.name) }
        // Functions see what the schema had once: a property's value under another name, or of another type.
        let declared = editor.view.schema.classes[index]
        schema.classes[index].properties += stored.schema.properties.filter {
            !$0.isKept && declared.property(named: $0.name) == nil
        }
        if let kept { schema.classes[index].properties.append(kept) }
        let shown = schema.classes[index]
        let rows = try FunctionRows(of: shown, in: RealmView(editor.view.realm, as: schema, side: .new))
        let function = ObjectFunction(
            ScriptSource(.javaScript, text), of: order.className,
            inputs: FunctionShape(shown, in: schema).properties, answer: .value(of: order.className, property))
        let answers = try host.call(
            function, on: try rows.objects(keys.map(\.value)), policy: .stops, for: attempt.functionCaller())
        guard let column = answers.columns.first else {
            throw ColumnError.damaged(what: "the answers of a function", offset: 0)
        }
        return try keys.indices.map { row in
            guard column.isGiven(row), !property.requiresValue || !column.values.isNull(row) else {
                throw Self.noAnswer(keys[row], order.className, property)
            }
            return try column.values.value(at: row, as: ColumnType(property))
        }
    }

    private static func noHost() -> MigrationError {
        MigrationError(nil, "The worker that took the job has no script host.", script: .crash)
    }

    private static func noAnswer(_ key: ObjectKey, _ className: String, _ property: Property) -> MigrationError {
        let message = "The function answers no value for the property '\(className).\(property.publicName)'."
        return MigrationError(
            .missingPropertyValue, message,
            details: [ProblemItem(message, className: className, property: property.publicName, key: key)])
    }

    /// The property as it is declared now, which may have changed since the job was made.
    private func property(in editor: RealmEditor) throws -> Property {
        guard let index = editor.view.index(of: order.className), let stored = editor.view.workingClass(index) else {
            throw BackfillError.noSuchClass(order.className)
        }
        guard let property = editor.view.schema.classes[index].property(named: order.property) else {
            throw BackfillError.noSuchProperty(order.className, order.property)
        }
        try BackfillError.requireLackable(property, of: stored.schema)
        return property
    }
}
