import RealmJSON
import RealmModel
import ServiceClient
import StoreCore

/// A realm of a service, as commands name it: `notes/ada`.
struct RealmName: Hashable {
    let app: String
    let realm: String

    var text: String { "\(app)/\(realm)" }

    /// Its path in the API.
    var path: String {
        "/v1/apps/\(ServiceClient.escaped(app))/realms/\(ServiceClient.escaped(realm))"
    }

    init(app: String, realm: String) { (self.app, self.realm) = (app, realm) }

    /// - Throws: `UsageError` where it is not an app's and a realm's name.
    init(_ text: String, of command: Command) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else {
            throw UsageError("\(text) names no realm: give APP/REALM, as notes/ada.", command: command)
        }
        self.init(app: parts[0], realm: parts[1])
    }

    /// The realms that names stand for, those with `*` and `?` in their order.
    ///
    /// - Throws: `UsageError` where a pattern fits no realm.
    static func all(_ texts: [String], at service: ServiceClient, of command: Command) throws -> [RealmName] {
        var found: [RealmName] = []
        for text in texts {
            let name = try RealmName(text, of: command)
            let pattern = NamePattern(name.realm)
            guard pattern.isOpen else {
                found.append(name)
                continue
            }
            let fitting = try names(of: name.app, at: service).filter(pattern.fits)
            // Files get these names.
            guard fitting.allSatisfy({ ResourceName.isValid($0, of: .realm) }) else {
                throw CommandFailure("The service lists a realm by a name that no realm can have.")
            }
            guard !fitting.isEmpty else { throw UsageError("No realm is named \(text).", command: command) }
            found += fitting.map { RealmName(app: name.app, realm: $0) }
        }
        var known: Set<RealmName> = []
        return found.filter { known.insert($0).inserted }
    }

    /// The id of its current snapshot.
    ///
    /// - Throws: `ErrorInFile` where it has none.
    func currentSnapshot(at service: ServiceClient) throws -> String {
        guard let id = try found(at: service)["currentSnapshot"]?.string else {
            throw ErrorInFile(file: text, cause: CommandFailure("The realm has no snapshot yet."))
        }
        return id
    }

    /// The realm, as the service tells of it.
    ///
    /// - Throws: `ErrorInFile` with the nearest name where there is none of this.
    func found(at service: ServiceClient) throws -> JSONValue {
        do {
            return try service.call("GET", path)
        } catch let refusal as ServiceRefusal where refusal.problem.code == "realm_not_found" {
            let nearest = NearestName.question(realm, among: try Self.names(of: app, at: service))
            let hint = nearest ?? "realmshift push \(app) makes realms of files, each of the file's name."
            throw ErrorInFile(file: text, cause: refusal, hint: hint)
        }
    }

    private static func names(of app: String, at service: ServiceClient) throws -> [String] {
        try service.list("/v1/apps/\(ServiceClient.escaped(app))/realms?limit=1000").compactMap { $0["name"]?.string }
    }
}

/// Why a command can't do what it is asked for, in a sentence.
struct CommandFailure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
