import RealmModel

/// What a script may make before it is stopped.
public struct OutputLimits: Hashable, Sendable {
    /// Objects that it may create, embedded ones and those that it deletes again included.
    public var createdCount: Int
    /// Bytes of columns that it may write, as they are stored, those that it replaces again included.
    public var writtenBytes: Int
    /// Bytes of lines that it may log, each with its end; kept are the first and the last of them.
    public var logBytes: Int

    /// Sets all limits; a hundred million objects, 64 GiB and 64 MiB unless said otherwise.
    public init(createdCount: Int = 100_000_000, writtenBytes: Int = 64 << 30, logBytes: Int = 64 << 20) {
        self.createdCount = createdCount
        self.writtenBytes = writtenBytes
        self.logBytes = logBytes
    }

    /// As much as there is room for.
    public static let none = OutputLimits(createdCount: .max, writtenBytes: .max, logBytes: .max)
}

extension MigrationError {
    /// What a script made too much of.
    public enum Budget: Hashable, Sendable {
        /// Objects.
        case createdCount
        /// Bytes of columns.
        case writtenBytes
        /// Bytes of lines in the log.
        case logBytes
    }

    /// A script made more than it may.
    public init(exceeding budget: Budget, of limits: OutputLimits) {
        let what =
            switch budget {
            case .createdCount: "created more than \(limits.createdCount) objects (limits.createdCount)"
            case .writtenBytes: "wrote more than \(limits.writtenBytes) bytes of columns (limits.writtenBytes)"
            case .logBytes: "logged more than \(limits.logBytes) bytes of lines (limits.logBytes)"
            }
        self.init(nil, "The script \(what).", script: .outputLimit)
    }
}
