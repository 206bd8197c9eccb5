import RealmModel
import ServiceClient

/// An app of a service, as a person names it.
enum AppName {
    /// Whether there is an app.
    static func isThere(_ app: String, at service: ServiceClient) throws -> Bool {
        do {
            _ = try service.call("GET", "/v1/apps/\(ServiceClient.escaped(app))")
            return true
        } catch let refusal as ServiceRefusal where refusal.problem.code == "app_not_found" {
            return false
        }
    }

    /// - Throws: `CommandFailure` with the nearest name, where there is no such app.
    static func require(_ app: String, at service: ServiceClient, else hint: String = "") throws {
        guard try !isThere(app, at: service) else { return }
        throw CommandFailure(try missing(app, at: service) + hint)
    }

    /// That there is no such app, and the nearest name.
    static func missing(_ app: String, at service: ServiceClient) throws -> String {
        let names = try service.list("/v1/apps?limit=1000").compactMap { $0["name"]?.string }
        let nearest = NearestName.question(app, among: names).map { " " + $0 } ?? ""
        return "There is no app “\(app)”.\(nearest)"
    }
}
