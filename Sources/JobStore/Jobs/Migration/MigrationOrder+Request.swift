import RealmMigration
import RealmModel

extension MigrationOrder {
    /// The request for a migration job; kept with the job, and all that a worker needs.
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
        /// The levels and rules of findings that fail a rehearsal, where any do.
        public var failOn: [String]?
        /// How objects whose callback throws are treated.
        public var onError: ErrorPolicy
        /// The job whose objects in quarantine are migrated alone; nil for a migration of all.
        public var retry: Retry?
        /// The limits that are asked for.
        public var limits: Limits
        /// The key whose device asked for it, by a token or by the key itself; nil where it was no device.
        public var deviceKey: RealmModel.UUID?

        /// How objects whose callback throws are treated.
        public enum ErrorPolicy: String, Hashable, Sendable, CaseIterable {
            /// The first of them fails the migration.
            case abort
            /// They are set aside, up to a number of them.
            case quarantine
        }

        /// Objects in quarantine that are migrated alone.
        public struct Retry: Hashable, Sendable {
            /// The job that has set them aside.
            public var job: RealmModel.UUID
            /// The snapshot that was migrated: what the script sees as the old realm.
            public var source: RealmModel.UUID

            /// Describes a retry.
            public init(job: RealmModel.UUID, source: RealmModel.UUID) {
                self.job = job
                self.source = source
            }
        }

        /// Describes a migration.
        public init(
            targetVersion: UInt64, schema: Schema? = nil, migration: DeclaredMigration? = nil, steps: Steps = .direct,
            mode: String = "automatic", resolveEmbeddedConstraints: Bool = false, dryRun: Bool = false,
            checks: [String] = [], failOn: [String]? = nil, onError: ErrorPolicy = .abort, limits: Limits = Limits()
        ) {
            self.targetVersion = targetVersion
            self.schema = schema
            self.migration = migration
            self.steps = steps
            self.mode = mode
            self.resolveEmbeddedConstraints = resolveEmbeddedConstraints
            self.dryRun = dryRun
            self.checks = checks
            self.failOn = failOn
            self.onError = onError
            self.limits = limits
        }
    }
}
