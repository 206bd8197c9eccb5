import Problems

/// A thing that a path can name.
enum MissingThing: String, Hashable, Sendable {
    case app
    case schemaVersion = "schema version"
    case realm
    case snapshot
    case job
    case objectClass = "class"
    case object
    case apiKey = "API key"
    case token
    case session
    case upload
    case fleet
    case webhook
    case delivery

    /// The code of the problem where there is none.
    var problemCode: ProblemCode {
        switch self {
        case .app: .appNotFound
        case .schemaVersion: .schemaVersionNotFound
        case .realm: .realmNotFound
        case .snapshot: .snapshotNotFound
        case .job: .jobNotFound
        case .objectClass: .classNotFound
        case .object: .objectNotFound
        case .apiKey: .apiKeyNotFound
        case .token: .tokenNotFound
        case .session: .sessionNotFound
        case .upload: .uploadNotFound
        case .fleet: .fleetNotFound
        case .webhook: .webhookNotFound
        case .delivery: .deliveryNotFound
        }
    }
}
