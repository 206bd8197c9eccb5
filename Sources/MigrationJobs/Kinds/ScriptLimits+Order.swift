import JobStore
import RealmMigration

extension ScriptLimits {
    /// The limits that an order asks for, as far as they are not above these.
    func lowered(by asked: MigrationOrder.Limits) -> ScriptLimits {
        ScriptLimits(
            timeoutSeconds: min(asked.timeoutSeconds ?? .infinity, timeoutSeconds),
            memoryBytes: min(asked.memoryBytes ?? .max, memoryBytes),
            output: OutputLimits(
                createdCount: min(asked.createdCount ?? .max, output.createdCount),
                writtenBytes: min(asked.writtenBytes ?? .max, output.writtenBytes),
                logBytes: min(asked.logBytes ?? .max, output.logBytes)))
    }
}

extension MigrationOrder.Limits {
    /// The limits as an order writes them down.
    init(_ limits: ScriptLimits) {
        self.init(
            timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes,
            createdCount: limits.output.createdCount, writtenBytes: limits.output.writtenBytes,
            logBytes: limits.output.logBytes)
    }
}
