import Columns
import RealmEditing
import RealmModel

/// The migration engine: takes a snapshot to a target schema in the phases and the order of Realm Core.
///
/// Validate, compare, ask the mode, prepare (columns come and change), run the script, finish (columns go, primary keys,
/// embedded classes). See REALM_SEMANTICS, section 1.2.
public struct Migration {
    /// The request.
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
    public func check() throws {
        switch try MigrationPlan(request) {
        case .view: break
        case .reset: try reset()
        case .apply(let changes, let extent, _): try prepare(emptied(), changes, extent)
        case .refuse(let changes, let error):
            try prepare(emptied(), changes, .sameVersion)
            throw error
        case .migrate(let changes):
            if request.mode != .manual { try prepare(emptied(request.renamedSource()), changes, .migration) }
        }
    }

    /// The source, or another snapshot, without its objects.
    private func emptied(_ source: Snapshot? = nil) -> WorkingRealm {
        let source = source ?? request.source
        return WorkingRealm(
            Snapshot(
                schemaVersion: source.schemaVersion, declared: source.declared,
                classes: source.classes.map { StoredClass(empty: $0.schema) }), context: context())
    }

    private func context() -> WorkingContext { WorkingContext(store: store, limits: limits, memory: memory) }

    private func prepare(
        _ realm: WorkingRealm, _ changes: [SchemaChange], _ extent: SchemaPreparation.Extent
    ) throws {
        try SchemaPreparation(realm: realm, request: request, extent: extent).apply(changes)
    }

    /// A realm of the target schema without objects.
    @discardableResult
    private func reset() throws -> WorkingRealm {
        let realm = WorkingRealm(
            Snapshot(schemaVersion: nil, declared: Schema(), classes: []), context: context())
        try prepare(realm, SchemaDifference.compare(existing: Schema(), target: request.target), .initial)
        return realm
    }

    /// Does the migration.
    ///
    /// - Parameters:
    ///   - script: the migration function; nil for "no script", which Realm treats otherwise than a script that does
    ///     nothing. Called once, and anew from the beginning for each class that it renames.
    ///   - progress: is told when a phase begins; a script tells more by itself.
    /// - Throws: `MigrationError`, `ColumnError`, what the store throws, and what the script throws. The source is
    ///   never changed.
    public func run(
        script: ((MigrationTransaction) throws -> Void)?, progress: @escaping (MigrationProgress) -> Void = { _ in }
    ) throws -> MigrationResult {
        if request.retry != nil { return try migrate(nil, script: script, progress: progress) }
        switch try MigrationPlan(request) {
        case .view(let version):
            return MigrationResult(
                snapshot: viewed(version: version), scriptRan: false,
                isUnchanged: version == request.source.schemaVersion)
        case .reset:
            return try result(of: reset(), version: request.targetVersion, scriptRan: false)
        case .apply(let changes, let extent, let version):
            let realm = WorkingRealm(request.source, context: context())
            try prepare(realm, changes, extent)
            var result = try result(of: realm, version: version, scriptRan: false)
            if script != nil, request.source.schemaVersion == nil, !request.source.classes.isEmpty {
                result.warnings.append(
                    "The script was not run: the realm has no schema version, and Realm takes such a realm for a new one."
                )
            }
            return result
        case .refuse(let changes, let error):
            try prepare(WorkingRealm(request.source, context: context()), changes, .sameVersion)
            throw error
        case .migrate(let changes):
            return try migrate(changes, script: script, progress: progress)
        }
    }

    private func result(of realm: WorkingRealm, version: UInt64?, scriptRan: Bool) throws -> MigrationResult {
        MigrationResult(
            snapshot: try realm.finish(schemaVersion: version, declared: request.target), scriptRan: scriptRan)
    }

    /// The source with the target's view of it: a class that is not stored shows as empty.
    private func viewed(version: UInt64?) -> Snapshot {
        var snapshot = request.source
        snapshot.schemaVersion = version
        snapshot.declared = request.target
        for added in request.target.classes where snapshot[added.name] == nil {
            snapshot.classes.append(StoredClass(empty: added.stored))
        }
        return snapshot
    }

    /// Changes the schema, runs the script and finishes; begins anew for each class that the script renames.
    ///
    /// - Parameter changes: of the schema; nil for a retry, whose source has the target schema already.
    private func migrate(
        _ changes: [SchemaChange]?, script: ((MigrationTransaction) throws -> Void)?,
        progress: @escaping (MigrationProgress) -> Void
    ) throws -> MigrationResult {
        var (request, changes) = (request, changes)
        while true {
            do {
                return try migrate(request, changes, script: script, progress: progress)
            } catch let renaming as ClassRenaming {
                request.migration.classRenames.append(renaming.rename)
                guard changes != nil else { continue }
                changes = SchemaDifference.compare(
                    existing: try request.renamedSource().storedSchema, target: request.target)
            }
        }
    }

    private func migrate(
        _ request: MigrationRequest, _ changes: [SchemaChange]?, script: ((MigrationTransaction) throws -> Void)?,
        progress: @escaping (MigrationProgress) -> Void
    ) throws -> MigrationResult {
        let context = context()
        let (old, new) = try realms(request, context)
        let before = new.schema
        if let changes {
            progress(MigrationProgress(phase: "prepare"))
            // In manual mode the schema is the script's to change.
            if request.mode != .manual { try prepare(new, changes, .migration) }
        }
        let transaction = transaction(request, old, new, context)
        if changes != nil {
            for rename in request.migration.renames {
                try transaction.renameProperty(of: rename.className, from: rename.from, to: rename.to)
            }
        }
        if script != nil || changes == nil { progress(MigrationProgress(phase: "script")) }
        if let script {
            if changes != nil, !request.migration.independent.isEmpty { transaction.hold(to: request.share ?? .whole) }
            try transaction.run(script)
            try transaction.requireIndependence()
        }
        if request.share != nil {
            var result = try result(of: new, version: request.targetVersion, scriptRan: true)
            result.quarantined = transaction.quarantined
            return result
        }
        progress(MigrationProgress(phase: "finish"))
        let isUntouched = script == nil && request.migration.renames.isEmpty
        let findings = try SchemaCompletion(realm: new, request: request, before: before)
            .run(isUntouched ? changes : nil)
        var result = try result(of: new, version: request.targetVersion, scriptRan: script != nil)
        result.findings = findings
        result.quarantined = transaction.quarantined
        result.renames =
            request.migration.classRenames.map { .objectType(from: $0.from, to: $0.to) } + transaction.renames
        return result
    }

    /// The realms that a script sees, with their classes renamed; a retry changes the result of the migration before it.
    private func realms(
        _ request: MigrationRequest, _ context: WorkingContext
    ) throws -> (old: WorkingRealm, new: WorkingRealm) {
        var before = request
        before.source = request.retry?.source ?? request.source
        let source = try before.renamedSource()
        let old = WorkingRealm(source, context: context)
        let new = WorkingRealm(request.retry == nil ? source : request.source, context: context)
        guard !request.migration.classRenames.isEmpty else { return (old, new) }
        try old.relink(request.migration.classRenames)
        if request.retry == nil { try new.relink(request.migration.classRenames) }
        return (old, new)
    }

    private func transaction(
        _ request: MigrationRequest, _ old: WorkingRealm, _ new: WorkingRealm, _ context: WorkingContext
    ) -> MigrationTransaction {
        let retry = request.retry
        let transaction = MigrationTransaction(
            old: old, new: new, target: request.target,
            oldSchemaVersion: (retry?.source ?? request.source).schemaVersion ?? .max,
            newSchemaVersion: request.targetVersion,
            losesDuplicatedPrimaryKeys: retry == nil && request.mode == .manual,
            classRenames: request.migration.classRenames)
        (transaction.quarantineLimit, transaction.migration) = (request.quarantineLimit, request.migration)
        transaction.visited = retry?.keys
        if retry != nil { transaction.beginning = WorkingRealm(request.source, context: context) }
        return transaction
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
