import Columns
import RealmModel

/// The migration engine: takes a snapshot to a target schema in the phases and the order of Realm Core.
///
/// Validate, compare, ask the mode, prepare (columns come and change), run the script, finish (columns go, primary keys,
/// embedded classes). See REALM_SEMANTICS, section 1.2.
public struct Migration {
    /// What to do.
    public let request: MigrationRequest
    private let store: any SegmentStore
    private let limits: RowGroupLimits
    /// How much is held in memory.
    var memory = MemoryLimits.standard

    /// Prepares a migration; nothing is read yet.
    ///
    /// - Parameters:
    ///   - request: what to do.
    ///   - store: holds the source's segments and takes the new ones.
    ///   - limits: the size of new row groups.
    public init(_ request: MigrationRequest, store: any SegmentStore, limits: RowGroupLimits = .standard) {
        self.request = request
        self.store = store
        self.limits = limits
    }

    /// Checks what can be known without the objects: the target schema, the version, and what the mode permits.
    ///
    /// - Throws: `MigrationError` with Realm's text.
    public func check() throws(MigrationError) {
        _ = try plan()
    }

    /// Does the migration.
    ///
    /// - Parameters:
    ///   - script: the migration function, called at most once; nil for "no script", which Realm treats otherwise
    ///     than a script that does nothing.
    ///   - progress: is told when a phase begins; a script tells more by itself.
    /// - Throws: `MigrationError`, `ColumnError`, what the store throws, and what the script throws. The source is
    ///   never changed.
    public func run(
        script: ((MigrationTransaction) throws -> Void)?, progress: @escaping (MigrationProgress) -> Void = { _ in }
    ) throws -> MigrationResult {
        let source = request.source
        switch try plan() {
        case .view:
            return MigrationResult(snapshot: viewed(), scriptRan: false, isUnchanged: true)
        case .reset:
            let empty = request.target.classes.map { StoredClass(empty: $0.stored) }
            return MigrationResult(
                snapshot: Snapshot(
                    schemaVersion: request.targetVersion, declared: request.target, classes: empty),
                scriptRan: false)
        case .apply(let changes, let version):
            let realm = WorkingRealm(source, context: WorkingContext(store: store, limits: limits, memory: memory))
            try SchemaPreparation(realm: realm, request: request).apply(changes, isFinal: true)
            return MigrationResult(
                snapshot: try realm.finish(schemaVersion: version, declared: request.target), scriptRan: false)
        case .migrate(let changes):
            return try migrate(changes, script: script, progress: progress)
        }
    }

    /// What the mode makes of the differences.
    private func plan() throws(MigrationError) -> MigrationPlan {
        try MigrationPlan(request)
    }

    /// The source with the target's view of it: a class that is not stored shows as empty.
    private func viewed() -> Snapshot {
        var snapshot = request.source
        snapshot.declared = request.target
        for added in request.target.classes where snapshot[added.name] == nil {
            snapshot.classes.append(StoredClass(empty: added.stored))
        }
        return snapshot
    }

    private func migrate(
        _ changes: [SchemaChange], script: ((MigrationTransaction) throws -> Void)?,
        progress: @escaping (MigrationProgress) -> Void
    ) throws -> MigrationResult {
        let context = WorkingContext(store: store, limits: limits, memory: memory)
        let (old, new) = (
            WorkingRealm(request.source, context: context), WorkingRealm(request.source, context: context)
        )
        let before = new.schema
        progress(MigrationProgress(phase: "prepare"))
        let preparation = SchemaPreparation(realm: new, request: request)
        // In manual mode the schema is the script's to change.
        if request.mode != .manual { try preparation.apply(changes, isFinal: false) }
        let transaction = MigrationTransaction(
            old: old, new: new, target: request.target,
            oldSchemaVersion: request.source.schemaVersion ?? .max, newSchemaVersion: request.targetVersion)
        for rename in request.renames {
            try transaction.renameProperty(of: rename.className, from: rename.from, to: rename.to)
        }
        if let script {
            progress(MigrationProgress(phase: "script"))
            try script(transaction)
        }
        progress(MigrationProgress(phase: "finish"))
        try SchemaCompletion(realm: new, request: request, before: before).run()
        return MigrationResult(
            snapshot: try new.finish(schemaVersion: request.targetVersion, declared: request.target),
            scriptRan: script != nil)
    }
}

extension ObjectSchema {
    /// The class as it is stored: without linking objects, defaults and the names that only programs use.
    var stored: ObjectSchema {
        var stored = self
        stored.properties = persistedProperties.map(\.stored)
        return stored
    }
}

extension Property {
    /// The property as it is stored: without its default and the name that only programs use.
    var stored: Property {
        var stored = self
        stored.defaultValue = nil
        stored.alias = nil
        return stored
    }
}
