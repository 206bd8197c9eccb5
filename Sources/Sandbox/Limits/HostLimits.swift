/// What a task may use before its host is stopped.
public struct HostLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int

    /// Sets both limits.
    public init(timeoutSeconds: Double = 3600, memoryBytes: Int = 384 << 20) {
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
    }

    /// Processor time in seconds: that of several threads.
    var processorSeconds: Int { Int(min(max(timeoutSeconds, 1), 1e8)) * 4 + 10 }
}
