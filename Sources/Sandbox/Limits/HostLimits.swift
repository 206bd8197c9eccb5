/// The limits of a task, at which its host is stopped.
public struct HostLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int

    /// Parts of the task that have the time limit each.
    public var parts: Int

    /// Sets the limits, of a task of one part unless said otherwise.
    public init(timeoutSeconds: Double = 3600, memoryBytes: Int = 384 << 20, parts: Int = 1) {
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
        self.parts = max(parts, 1)
    }

    /// Processor time in seconds: that of several threads.
    var processorSeconds: Int { Int(min(max(timeoutSeconds, 1) * Double(parts), 1e8)) * 4 + 10 }
}
