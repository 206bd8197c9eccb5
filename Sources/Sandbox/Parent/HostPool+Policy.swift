extension HostPool {
    /// How many hosts wait, and for how long.
    public struct Policy: Hashable, Sendable {
        /// Hosts that have done a task and wait for the next of their app, at most.
        public var kept: Int
        /// How long they wait.
        public var idleSeconds: Double
        /// Hosts that have done nothing yet: how many wait of each sort.
        ///
        /// A task that may take another amount of memory gets a host of its own.
        public var spares: [HostProfile: Int]

        /// Keeps no host and has no spares: each task has its own.
        public static let none = Policy(kept: 0)

        /// Keeps so many hosts.
        public init(kept: Int, idleSeconds: Double = 60, spares: [HostProfile: Int] = [:]) {
            self.kept = max(kept, 0)
            self.idleSeconds = idleSeconds
            self.spares = spares
        }
    }
}
