import Columns
import JobStore
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// The migrations that a job runs one after the other: the target's alone, or those of all declared versions between.
struct MigrationSteps {
    /// One migration.
    struct Step {
        let version: UInt64
        let schema: Schema
        let migration: DeclaredMigration?
        /// Where the schema and the migration come from.
        let origin: MigrationOrder.Plan.Step

        /// A declared version, with its own migration unless the request has one for it.
        init(_ declared: DeclaredVersion, own: DeclaredMigration? = nil) {
            version = declared.version
            schema = declared.schema
            migration = own ?? declared.migration
            let isDeclared = own == nil && declared.migration != nil
            origin = MigrationOrder.Plan.Step(
                version: declared.version, schemaRevision: declared.revision,
                migrationRevision: isDeclared ? declared.revision : nil)
        }

        /// A version that the request brought along.
        init(_ version: UInt64, _ schema: Schema, _ migration: DeclaredMigration?) {
            self.version = version
            self.schema = schema
            self.migration = migration
            origin = MigrationOrder.Plan.Step(version: version, schemaRevision: nil, migrationRevision: nil)
        }

        /// The script; nil for "no script".
        var script: ScriptSource? { migration?.runnableScript }
    }

    let steps: [Step]
    /// The declared versions that a direct migration skips, ascending.
    private let skipped: [Step]
    private let request: MigrationOrder.Request
    private let mode: SchemaMode
    private let kind: RealmKind

    /// Reads what was declared.
    ///
    /// - Parameter kind: the realm's. A synced one grows by additions, whatever version is asked for and whatever it has.
    /// - Throws: `StoreError.notFound` (schemaVersion); `MigrationError` for a mode that Realm has not.
    init(
        _ request: MigrationOrder.Request, app: String, of kind: RealmKind, from source: UInt64?, store: SnapshotStore
    ) throws {
        guard let mode = SchemaMode(rawValue: request.mode) else {
            throw MigrationError(.invalidArgument, "There is no schema mode “\(request.mode)”.")
        }
        self.mode = kind == .synced && mode == .automatic ? .additiveDiscovered : mode
        self.kind = kind
        self.request = request
        var declared = try store.schemaVersions.way(from: source, to: request.targetVersion, of: app)
        let target = declared.last?.version == request.targetVersion ? declared.removeLast() : nil
        let between = declared.map { Step($0) }
        steps = (request.steps == .chain ? between : []) + [try Self.last(request, declared: target)]
        // A realm without a version is not migrated, but given its schema.
        skipped = request.steps == .chain || source == nil ? [] : between
    }

    /// The plan of the steps, by reference.
    ///
    /// - Parameter limits: the service's, where the request sets none.
    func plan(limits: ScriptLimits) -> MigrationOrder.Plan {
        MigrationOrder.Plan(
            steps: steps.map(\.origin), limits: MigrationOrder.Limits(limits.lowered(by: request.limits)))
    }

    /// Refuses what a realm does not take that its clients share: a script, and a change that breaks those that are there.
    ///
    /// An attempt asks as well, because a declaration can be mended while its job waits.
    ///
    /// - Throws: `SyncedRealmError`.
    func check(source: Snapshot) throws(SyncedRealmError) {
        guard kind == .synced else { return }
        guard steps.allSatisfy({ $0.script == nil }) else { throw .scriptNotAllowed }
        guard [.additiveDiscovered, .additiveExplicit].contains(mode) else { throw .modeNotAllowed(request.mode) }
        var existing = source
        for step in steps {
            do {
                try ServerSchema(existing).requireAdditions(
                    to: step.schema, renames: step.migration?.schemaRenames ?? [],
                    appliesDefaults: step.migration?.applyDefaults == .existing)
            } catch {
                throw .schema(error)
            }
            existing.declared = step.schema
        }
    }

    /// The properties whose values are carried over versions that are skipped.
    func carriedProperties(source: Snapshot) -> [CarriedProperty] {
        guard let last = steps.last, mode == .automatic, !skipped.isEmpty else { return [] }
        let filled = source.classes.filter { $0.objectCount > 0 }.map(\.schema)
        return CarriedProperties.find(
            source: Schema(filled), between: skipped.map { ($0.version, $0.schema) }, target: last.schema,
            nullability: last.migration?.nullability ?? .reset)
    }

    /// The versions between that a direct migration skips, and whose scripts it does not run.
    var skippedScripts: [UInt64] {
        mode == .automatic ? skipped.filter { $0.script != nil }.map(\.version) : []
    }

    /// The engine's request of a step.
    ///
    /// - Parameter origin: of a run that is to be repeatable.
    func migrationRequest(_ step: Step, source: Snapshot, origin: ScriptOrigin? = nil) -> MigrationRequest {
        MigrationRequest(
            source: source, target: step.schema, targetVersion: step.version, mode: mode,
            migration: step.migration ?? DeclaredMigration(),
            resolveEmbeddedConstraints: request.resolveEmbeddedConstraints,
            addedRequired: kind == .synced ? .absent : .zero, origin: origin)
    }

    /// The realm of a snapshot at the beginning of the steps.
    ///
    /// - Parameters:
    ///   - origin: of a run that is to be repeatable.
    ///   - retry: the objects for which the steps are done once more; nil for all.
    ///   - isSmall: whether it may share a call of a host with others.
    func realm(
        _ source: Snapshot, origin: ScriptOrigin? = nil, retry: MigrationRetry? = nil, isSmall: Bool = false
    ) -> MigrationMachine.Realm {
        let requests = steps.map { step in
            var migration = migrationRequest(step, source: source, origin: origin)
            migration.retry = retry
            if request.onError == .quarantine { migration.quarantineLimit = Quarantine.limit }
            return migration
        }
        return MigrationMachine.Realm(source, steps: requests, isSmall: isSmall)
    }

    private static func last(_ request: MigrationOrder.Request, declared: DeclaredVersion?) throws -> Step {
        if let schema = request.schema {
            return Step(request.targetVersion, schema, request.migration)
        }
        guard let declared else { throw StoreError.notFound(.schemaVersion, "\(request.targetVersion)") }
        return Step(declared, own: request.migration)
    }
}
