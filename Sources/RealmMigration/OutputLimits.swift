import RealmModel

/// The limits of a script's output, at which it is stopped.
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

/// The output of scripts so far, in the terms of `OutputLimits`.
public struct ScriptOutput: Hashable, Sendable {
    /// Objects that they created.
    public var createdCount: Int
    /// Bytes of columns that they wrote.
    public var writtenBytes: Int
    /// Bytes of lines that they logged.
    public var logBytes: Int

    /// Nothing unless said otherwise.
    public init(createdCount: Int = 0, writtenBytes: Int = 0, logBytes: Int = 0) {
        self.createdCount = createdCount
        self.writtenBytes = writtenBytes
        self.logBytes = logBytes
    }

    /// Adds what another script made.
    public static func += (output: inout ScriptOutput, other: ScriptOutput) {
        output.createdCount += other.createdCount
        output.writtenBytes += other.writtenBytes
        output.logBytes += other.logBytes
    }
}

extension ScriptLimits {
    /// The rest of the output that all scripts of a job may make together.
    public var outputLeft: OutputLimits {
        OutputLimits(
            createdCount: max(output.createdCount - made.createdCount, 0),
            writtenBytes: max(output.writtenBytes - made.writtenBytes, 0),
            logBytes: max(output.logBytes - made.logBytes, 0))
    }
}

extension MigrationError {
    /// The output of which a script made too much.
    public enum Budget: Hashable, Sendable {
        /// Objects.
        case createdCount
        /// Bytes of columns.
        case writtenBytes
        /// Bytes of lines in the log.
        case logBytes
    }

    /// A script made more than it may, or than earlier ones of its job left to it.
    public init(exceeding budget: Budget, of limits: ScriptLimits) {
        self.init(exceeding: budget, of: limits.output, isAlone: limits.made == ScriptOutput())
    }

    /// A script made more than it may.
    public init(exceeding budget: Budget, of limits: OutputLimits) {
        self.init(exceeding: budget, of: limits, isAlone: true)
    }

    private init(exceeding budget: Budget, of limits: OutputLimits, isAlone: Bool) {
        let what =
            switch budget {
            case .createdCount: "created more than \(limits.createdCount) objects (limits.createdCount)"
            case .writtenBytes: "wrote more than \(limits.writtenBytes) bytes of columns (limits.writtenBytes)"
            case .logBytes: "logged more than \(limits.logBytes) bytes of lines (limits.logBytes)"
            }
        self.init(nil, "The script\(isAlone ? "" : ", with those before it,") \(what).", script: .outputLimit)
    }
}
