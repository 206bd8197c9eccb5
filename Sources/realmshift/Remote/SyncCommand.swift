import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift sync`: synced realms of a service.
    static let sync: Command = Command(
        name: "sync", summary: "make, terminate and enable synced realms of a service",
        discussion: """
            sync show, create, terminate and enable APP/REALM. create makes a synced realm, which has no snapshot yet; enable
            takes the schema that the realm has from then on.
            """,
        operands: ["VERB", "APP/REALM"],
        options: [
            Option("--schema", "TARGET", "enable: the schema, JSON or a Swift file or folder (required by enable)"),
            Option("--development", nil, "create: let clients add classes and properties"),
        ] + Option.server,
        examples: ["sync terminate notes/team", "sync enable notes/team --schema notes-v4.json"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .sync)
            let realm = try RealmName(arguments.operands[1], of: .sync)
            let answer: JSONValue
            switch arguments.operands[0] {
            case "show": answer = try service.call("GET", realm.path)
            case "create":
                _ = try service.call("PUT", "/v1/apps/\(ServiceClient.escaped(realm.app))")
                let mode = arguments.has("--development") ? [JSONMember("developmentMode", true)] : []
                answer = try service.call("PUT", realm.path, .object([JSONMember("kind", "synced")] + mode))
            case "terminate": answer = try service.call("POST", realm.path + "/sync/terminate", .object([]))
            case "enable":
                guard let path = arguments["--schema"] else {
                    throw UsageError("--schema TARGET is missing.", command: .sync)
                }
                let schema = try SchemaFile.target(path, of: .sync).json["schema"] ?? .null
                answer = try service.call("POST", realm.path + "/sync/enable", ["schema": schema])
            default: throw UsageError("sync takes one of: show, create, terminate, enable.", command: .sync)
            }
            try ServerOutput.table([answer], asJSON: arguments.has("--json")) { answer in
                let sync = answer["sync"] ?? .null
                return [
                    realm.text, sync.text("state"),
                    Quantity.count(sync.count("unsyncedCount"), "object", "objects") + " unsynced",
                ]
            }
            return .done
        })
}
