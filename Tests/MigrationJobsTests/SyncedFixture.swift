import Columns
import JobStore
import MigrationJobs
import Problems
import RealmEditing
import RealmMigration
import RealmModel
import SnapshotStore
import SyncedRealms
import Testing

/// The app `shop` with the synced realm `shared`: three notes and two tags.
struct SyncedFixture {
    static let note = ObjectSchema(
        "Note", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("title", .string), Property("rating", .int, isOptional: true),
            Property("tag", .object, objectType: "Tag", isOptional: true),
        ])
    static let tag = ObjectSchema("Tag", primaryKey: "_id", properties: [Property("_id", .int)])
    static let schema = Schema([note, tag])

    let base: JobFixture
    let realm = "shared"

    var store: SnapshotStore { base.store }
    var jobs: JobStore { base.jobs }
    var queue: JobQueue { base.queue }

    init(schema: Schema = schema, notes: Int = 3) throws {
        base = try JobFixture()
        _ = try store.realms.put(realm, in: "shop", kind: .synced)
        let draft = try store.snapshots.beginDraft(of: realm, in: "shop")
        let classes = try schema.classes.map { declared in
            let count = declared.name.hasSameBytes(as: "Note") ? notes : declared.isEmbedded ? 0 : 2
            let writer = ClassWriter(schema: declared, store: draft.store)
            for number in 0..<count {
                for (property, builder) in zip(writer.schema.properties, writer.columns) {
                    try builder.append(Self.value(of: property, Int64(number)))
                }
                try writer.endRow(key: ObjectKey(Int64(number)))
            }
            return try writer.finish(nextSequence: Int64(count))
        }
        _ = try draft.commit(Snapshot(schemaVersion: 1, declared: schema, classes: classes))
    }

    private static func value(of property: Property, _ number: Int64) -> Value {
        switch property.type {
        case .int where !property.isOptional: .int(number)
        case .string where !property.isOptional: .string("note \(number)")
        default: property.initialValue
        }
    }

    /// The schema with its class Note changed.
    static func note(_ change: (inout ObjectSchema) -> Void) -> Schema {
        var changed = note
        change(&changed)
        return Schema([changed, tag])
    }

    func declare(_ version: UInt64, _ schema: Schema, _ migration: DeclaredMigration? = nil) throws {
        _ = try store.schemaVersions.put(version, of: "shop", schema: schema, migration: migration)
    }

    func enqueue(_ request: MigrationOrder.Request) throws -> Job {
        try queue.enqueue(request, realm: realm, app: "shop")
    }

    /// Migrates to a schema and answers the job when it has ended.
    func migrated(_ request: MigrationOrder.Request) throws -> Job {
        let job = try enqueue(request)
        return try base.withWorkers { _ in try base.end(of: job) }
    }

    func current() throws -> OpenSnapshot { try store.snapshots.openCurrent(of: realm, in: "shop") }

    /// The realm's state of sync.
    func sync() throws -> Realm.Sync { try #require(try store.realms.find(realm, in: "shop").sync) }

    /// Changes objects as a batch of a client's changes does.
    @discardableResult
    func change(_ batch: (RealmEditor) throws -> Void) throws -> SnapshotInfo {
        let draft = try store.snapshots.beginDraft(of: realm, in: "shop", createdBy: .changes)
        let opened = try current()
        let editor = RealmEditor(editing: opened.snapshot, in: draft.store)
        try batch(editor)
        let edited = try editor.view.realm.finish(
            schemaVersion: opened.snapshot.schemaVersion, declared: opened.snapshot.declared)
        return try draft.commit(edited, createdBy: .changes, onlyIfCurrent: true)
    }

    /// The values of a property of a class's objects, in the order of their keys.
    func values(_ className: String, _ property: String) throws -> [Value] {
        let opened = try current()
        let reader = try ClassReader(try #require(opened.snapshot[className]), store: opened.store)
        let index = try #require(
            reader.stored.schema.properties.firstIndex { $0.name.hasSameBytes(as: property) })
        let type = ColumnType(reader.stored.schema.properties[index])
        return try reader.rowGroups.indices.flatMap { group in
            let column = try reader.column(index, inGroup: group)
            return try reader.rowGroups[group].liveRows.map { try column.value(at: $0, as: type) }
        }
    }
}

/// The words of a refusal.
struct ProblemDocumentText {
    let code: String
    let messages: [String]

    init(_ error: SyncedRealmError) {
        let document = ProblemDocument(error)
        code = document.code
        messages = document.errors.map(\.message)
    }
}
