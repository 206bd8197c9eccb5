import RealmJSON
import StoreCore

extension MigrationOrder {
    /// The migrations that a job runs, by reference: stored when it is enqueued, and again by an attempt that finds others.
    ///
    /// Revisions of declared versions are kept, so that what a job ran can be looked up after the version was mended.
    public struct Plan: Hashable, Sendable {
        /// One migration of the job.
        public struct Step: Hashable, Sendable {
            /// The schema version that it leads to.
            public var version: UInt64
            /// The revision of the version whose schema it is; nil where the request brought the schema along.
            public var schemaRevision: Int?
            /// The revision of the version whose migration it is; nil where the request brought it along, and where there
            /// is none.
            public var migrationRevision: Int?

            /// Describes a step.
            public init(version: UInt64, schemaRevision: Int?, migrationRevision: Int?) {
                self.version = version
                self.schemaRevision = schemaRevision
                self.migrationRevision = migrationRevision
            }
        }

        /// The migrations in their order, at least one.
        public var steps: [Step]
        /// The limits of the scripts; nil in jobs that older programs enqueued and nobody has begun.
        public var limits: Limits

        /// Describes what a job runs.
        public init(steps: [Step], limits: Limits = Limits()) {
            self.steps = steps
            self.limits = limits
        }
    }
}

extension MigrationOrder.Plan: StoredDocument {
    package init(json: JSONValue) throws(StoreError) {
        var steps: [Step] = []
        for step in try json.stored("steps", \.elements) { steps.append(try Step(json: step)) }
        self.init(steps: steps, limits: try MigrationOrder.Limits(in: json))
    }

    package var json: JSONValue {
        .object([JSONMember("steps", .array(steps.map(\.json)))] + limits.members)
    }
}

extension MigrationOrder.Plan.Step: StoredDocument {
    package init(json: JSONValue) throws(StoreError) {
        func revision(_ name: String) throws(StoreError) -> Int? {
            try json.storedIfAny(name) { $0.int.map { Int($0) } }
        }
        self.init(
            version: try json.stored("version", \.unsigned), schemaRevision: try revision("schemaRevision"),
            migrationRevision: try revision("migrationRevision"))
    }

    package var json: JSONValue {
        .object([
            JSONMember("version", JSONValue(version)),
            JSONMember("schemaRevision", schemaRevision.map { .int(Int64($0)) } ?? .null),
            JSONMember("migrationRevision", migrationRevision.map { .int(Int64($0)) } ?? .null),
        ])
    }
}
