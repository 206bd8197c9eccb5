import JobStore
import RealmJSON

extension Webhook {
    /// The webhook as clients see it, without its secret.
    var json: JSONValue {
        [
            "id": id.json, "app": .string(app), "url": .string(declaration.url),
            "events": declaration.events.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "description": declaration.description.map { .string($0) } ?? .null,
            "enabled": .bool(declaration.isEnabled),
            "disabledReason": disabledReason.map { .string($0.rawValue) } ?? .null,
            "previousSecretUntil": previousSecretUntil?.json ?? .null, "createdAt": createdAt.json,
        ]
    }
}

extension WebhookDelivery {
    /// The delivery as clients see it.
    var json: JSONValue {
        [
            "id": id.json, "type": .string(type), "sequence": .int(Int64(sequence)), "state": .string(state.rawValue),
            "attempts": .int(Int64(attempts)), "lastStatus": lastStatus.map { .int(Int64($0)) } ?? .null,
            "lastError": lastError.map { .string($0) } ?? .null, "lastAttemptAt": lastAttemptAt?.json ?? .null,
            "nextAttemptAt": nextAttemptAt?.json ?? .null, "queuedAt": queuedAt.json,
        ]
    }
}
