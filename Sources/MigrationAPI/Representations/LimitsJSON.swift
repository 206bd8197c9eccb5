import JobStore
import RealmJSON

/// Reads the limits of scripts as clients ask for them.
enum LimitsJSON {
    /// Reads a member of a document; none where it is left out or null.
    static func decode(_ body: JSONBody, _ name: String) throws -> MigrationOrder.Limits {
        let limits = try JSONBody(
            body.member(name) ?? .object([]), name, at: body.pointer(to: name),
            members: ["timeoutSeconds", "memoryBytes", "createdCount", "writtenBytes", "logBytes"])
        return MigrationOrder.Limits(
            timeoutSeconds: try limits.positiveNumber("timeoutSeconds"),
            memoryBytes: try limits.integer("memoryBytes", from: 1).map { Int($0) },
            createdCount: try limits.integer("createdCount", from: 0).map { Int($0) },
            writtenBytes: try limits.integer("writtenBytes", from: 0).map { Int($0) },
            logBytes: try limits.integer("logBytes", from: 0).map { Int($0) })
    }
}
