import Columns
import RealmMigration
import RealmModel
import SnapshotStore

/// The migrations that a job runs one after the other: the target's alone, or those of all declared versions between.
struct JobSteps {
    /// One migration.
    struct Step {
        let version: UInt64
        let schema: Schema
        let migration: DeclaredMigration?
        /// Where the schema and the migration come from.
        let origin: JobPlan.Step

        /// A declared version, with its own migration unless the request has one for it.
        init(_ declared: SchemaVersion, own: DeclaredMigration? = nil) {
            version = declared.version
            schema = declared.schema
            migration = own ?? declared.migration
            let isDeclared = own == nil && declared.migration != nil
            origin = JobPlan.Step(
                version: declared.version, schemaRevision: declared.revision,
                migrationRevision: isDeclared ? declared.revision : nil)
        }

        /// A version that the request brought along.
        init(_ version: UInt64, _ schema: Schema, _ migration: DeclaredMigration?) {
            self.version = version
            self.schema = schema
            self.migration = migration
            origin = JobPlan.Step(version: version, schemaRevision: nil, migrationRevision: nil)
        }

        /// The script; nil for "no script".
        var script: ScriptSource? {
            migration?.source.map { ScriptSource(language: migration?.language ?? "javascript", source: $0) }
        }
    }

    let steps: [Step]
    /// The declared versions that a direct migration skips, ascending.
    private let skipped: [Step]
    private let request: JobRequest
    private let mode: SchemaMode

    /// Reads what was declared.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion); `MigrationError` for a mode that Realm has not.
    init(_ request: JobRequest, app: String, from source: UInt64?, store: SnapshotStore) throws {
        guard let mode = SchemaMode(rawValue: request.mode) else {
            throw MigrationError(.invalidArgument, "There is no schema mode “\(request.mode)”.")
        }
        self.mode = mode
        self.request = request
        var steps = [try Self.last(request, app: app, store: store)]
        let between = try Self.between(source, request.targetVersion, app: app, store: store)
        if request.steps == .chain { steps = between + steps }
        self.steps = steps
        // A realm without a version is not migrated, but given its schema.
        skipped = request.steps == .chain || source == nil ? [] : between
    }

    /// What is run, by reference.
    ///
    /// - Parameter limits: the service's, where the request sets none; nil where they are not known yet.
    func plan(limits: ScriptLimits? = nil) -> JobPlan {
        JobPlan(
            steps: steps.map(\.origin), timeoutSeconds: request.timeoutSeconds ?? limits?.timeoutSeconds,
            memoryBytes: request.memoryBytes ?? limits?.memoryBytes)
    }

    /// What the job's log should point out about the versions that it skips, a sentence or two each.
    func warnings(source: Snapshot) -> [String] {
        guard let last = steps.last, mode == .automatic, !skipped.isEmpty else { return [] }
        let filled = source.classes.filter { $0.objectCount > 0 }.map(\.schema)
        return CarriedProperties.find(
            source: Schema(filled), between: skipped.map { ($0.version, $0.schema) }, target: last.schema,
            nullability: last.migration?.nullability == .keep ? .keep : .reset
        ).map(\.warning)
    }

    /// The engine's request of a step.
    func migrationRequest(_ step: Step, source: Snapshot) -> MigrationRequest {
        MigrationRequest(
            source: source, target: step.schema, targetVersion: step.version, mode: mode,
            options: MigrationOptions(
                nullability: step.migration?.nullability == .keep ? .keep : .reset,
                applyDefaults: step.migration?.applyDefaults == .existing ? .existing : .new,
                resolveEmbeddedConstraints: request.resolveEmbeddedConstraints),
            renames: (step.migration?.renames ?? []).map {
                PropertyRename(className: $0.className, from: $0.from, to: $0.to)
            })
    }

    private static func last(_ request: JobRequest, app: String, store: SnapshotStore) throws -> Step {
        if let schema = request.schema {
            return Step(request.targetVersion, schema, request.migration)
        }
        return Step(try store.schemaVersion(request.targetVersion, of: app), own: request.migration)
    }

    /// The declared versions above the source's and below the target, ascending.
    private static func between(
        _ source: UInt64?, _ target: UInt64, app: String, store: SnapshotStore
    ) throws -> [Step] {
        var steps: [Step] = []
        var next = try store.schemaVersion(before: target, of: app)
        while let declared = next, source.map({ declared.version > $0 }) ?? true {
            steps.append(Step(declared))
            next = try store.schemaVersion(before: declared.version, of: app)
        }
        return steps.reversed()
    }
}
