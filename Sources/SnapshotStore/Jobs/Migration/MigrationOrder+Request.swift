import RealmModel

extension MigrationOrder {
    /// What a migration job was asked to do; kept with the job, and all that a worker needs.
    public struct Request: Hashable, Sendable {
        /// Which migrations lead from the source to the target.
        public enum Steps: String, Hashable, Sendable, Codable, CaseIterable {
            /// The target's migration, once, as the SDKs do.
            case direct
            /// The migration of each declared version between in turn, at that version's schema.
            case chain
        }

        /// The schema version to reach.
        public var targetVersion: UInt64
        /// A schema for this job alone; nil for the one declared for `targetVersion`.
        public var schema: Schema?
        /// A migration for this job alone; nil for the one declared for `targetVersion`, where `schema` is nil too.
        public var migration: DeclaredMigration?
        /// Which migrations are run.
        public var steps: Steps
        /// Realm's schema mode in the API's words, such as `automatic` or `readOnly`.
        public var mode: String
        /// Whether a class that becomes embedded loses orphans and has objects with several links copied.
        public var resolveEmbeddedConstraints: Bool
        /// Whether everything is done but the commit.
        public var dryRun: Bool
        /// Programs of assertions about the realm before and after a rehearsal.
        public var checks: [String]
        /// What of the service's limits is asked for.
        public var limits: Limits

        /// Describes a migration.
        public init(
            targetVersion: UInt64, schema: Schema? = nil, migration: DeclaredMigration? = nil, steps: Steps = .direct,
            mode: String = "automatic", resolveEmbeddedConstraints: Bool = false, dryRun: Bool = false,
            checks: [String] = [], limits: Limits = Limits()
        ) {
            self.targetVersion = targetVersion
            self.schema = schema
            self.migration = migration
            self.steps = steps
            self.mode = mode
            self.resolveEmbeddedConstraints = resolveEmbeddedConstraints
            self.dryRun = dryRun
            self.checks = checks
            self.limits = limits
        }
    }
}
