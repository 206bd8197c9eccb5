import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift apps`: the apps of a service.
    static let apps: Command = Command(
        name: "apps", summary: "list the apps of a service, or make one",
        discussion: """
            Lists the apps that the key may see, with how many realms there are at each schema version.
            """,
        operands: [],
        options: [Option("--create", "APP", "make this app first, where it is not there (default: make none)")]
            + Option.server,
        examples: ["apps --server https://realms.example.com", "apps --create notes --json"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .apps)
            if let app = arguments["--create"] {
                _ = try service.call("PUT", "/v1/apps/\(ServiceClient.escaped(app))")
            }
            let apps = try service.list("/v1/apps?limit=1000").map { app in
                let path = "/v1/apps/\(ServiceClient.escaped(app["name"]?.string ?? ""))/versions"
                return app.adding([JSONMember("versions", .array(try service.page(path)))])
            }
            try ServerOutput.table(apps, asJSON: arguments.has("--json")) { app in
                let versions = app["versions"]?.elements ?? []
                let realms = Quantity.count(versions.reduce(0) { $0 + $1.count("count") }, "realm", "realms")
                let each = versions.map { "\($0.count("count")) at \($0.text("version"))" }
                return [app.text("name"), realms, each.joined(separator: ", ")]
            }
            return .done
        })
}
