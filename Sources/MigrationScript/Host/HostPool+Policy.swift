import RealmMigration

extension HostPool {
    /// How many hosts wait, and for how long.
    public struct Policy: Hashable, Sendable {
        /// Hosts that have done a task and wait for the next of their app, at most.
        public var kept: Int
        /// How long they wait.
        public var idleSeconds: Double
        /// Spares for migrations by script, and the memory that they are prepared for.
        public var scripts: Spares
        /// Spares for decoding, and the memory that they are prepared for.
        public var decoders: Spares

        /// Hosts that have done nothing yet.
        public struct Spares: Hashable, Sendable {
            /// How many wait.
            public var count: Int
            /// What each may take; a task that may take another amount gets a host of its own.
            public var memoryBytes: Int

            /// So many, with so much memory each.
            public init(count: Int, memoryBytes: Int) {
                self.count = count
                self.memoryBytes = memoryBytes
            }
        }

        /// Keeps no host and has no spares: each task has its own.
        public static let none = Policy(
            kept: 0, scripts: Spares(count: 0, memoryBytes: 0), decoders: Spares(count: 0, memoryBytes: 0))

        /// Keeps so many hosts.
        public init(kept: Int, idleSeconds: Double = 60, scripts: Spares, decoders: Spares) {
            self.kept = max(kept, 0)
            self.idleSeconds = idleSeconds
            self.scripts = scripts
            self.decoders = decoders
        }

        /// The spares by what they are made for.
        var spares: [HostProfile: Int] {
            [
                HostProfile(.migrations, memoryBytes: scripts.memoryBytes): scripts.count,
                HostProfile(.decoding, memoryBytes: decoders.memoryBytes): decoders.count,
            ]
        }
    }
}
