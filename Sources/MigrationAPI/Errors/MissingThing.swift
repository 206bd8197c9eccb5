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

    /// The code of the problem where there is none.
    var problemCode: String {
        switch self {
        case .app: "app_not_found"
        case .schemaVersion: "schema_version_not_found"
        case .realm: "realm_not_found"
        case .snapshot: "snapshot_not_found"
        case .job: "job_not_found"
        case .objectClass: "class_not_found"
        case .object: "object_not_found"
        case .apiKey: "api_key_not_found"
        case .token: "token_not_found"
        case .session: "session_not_found"
        case .upload: "upload_not_found"
        case .fleet: "fleet_not_found"
        }
    }
}
