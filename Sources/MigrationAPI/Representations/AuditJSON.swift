import AccessStore
import RealmJSON

extension AuditEntry {
    /// The entry as clients see it.
    var json: JSONValue {
        [
            "id": id.json, "at": at.json, "key": ["id": key.json, "name": .string(keyName)],
            "token": token?.json ?? .null, "app": app.map { .string($0) } ?? .null, "operation": .string(operation),
            "path": .string(path),
            "requestId": .string(requestID), "status": status.map { .int(Int64($0)) } ?? .null,
        ]
    }
}
