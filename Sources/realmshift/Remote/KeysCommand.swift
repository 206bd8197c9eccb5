import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift keys`: the API keys of a service.
    static let keys: Command = Command(
        name: "keys", summary: "list, make and remove the API keys of a service",
        discussion: """
            keys list; keys create NAME prints the secret, which nobody is told again; keys delete ID.
            """,
        operands: ["VERB", "[NAME]"],
        options: [
            Option(
                "--scopes", "WORDS", "create: read, write, migrate, admin, device, with commas between (default: read)"),
            Option("--apps", "NAMES", "create: these apps alone, with commas between (default: all)"),
            Option(
                "--expires-at", "TIME", "create: until then, as 2027-01-01T00:00:00Z (default: until it is removed)"),
        ] + Option.server,
        examples: ["keys create ci --scopes read,migrate --apps notes"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .keys)
            let (verb, asJSON) = (arguments.operands[0], arguments.has("--json"))
            if verb == "list" {
                try ServerOutput.table(try service.list("/v1/keys?limit=1000"), asJSON: asJSON) {
                    [
                        $0.text("id"), $0.text("name"), $0.text("scopes"),
                        $0["apps"]?.isNull == false ? $0.text("apps") : "all apps",
                    ]
                }
                return .done
            }
            guard arguments.operands.count == 2 else { throw UsageError("NAME is missing.", command: .keys) }
            switch verb {
            case "create":
                func words(_ text: String) -> JSONValue {
                    .array(text.split(separator: ",").map { .string(String($0)) })
                }
                var members = [
                    JSONMember("name", .string(arguments.operands[1])),
                    JSONMember("scopes", words(arguments["--scopes"] ?? "read")),
                ]
                if let apps = arguments["--apps"] { members.append(JSONMember("apps", words(apps))) }
                if let time = arguments["--expires-at"] { members.append(JSONMember("expiresAt", .string(time))) }
                let made = try service.call("POST", "/v1/keys", .object(members))
                // A key may name an app that is made later.
                for app in arguments["--apps"]?.split(separator: ",").map(String.init) ?? []
                where try !AppName.isThere(app, at: service) {
                    Console.error("realmshift: \(TerminalText.cell(try AppName.missing(app, at: service)))\n")
                }
                try ServerOutput.table([made], asJSON: asJSON) { [$0.text("key")] }
            case "delete": _ = try service.call("DELETE", "/v1/keys/" + ServiceClient.escaped(arguments.operands[1]))
            default: throw UsageError("keys takes one of: list, create, delete.", command: .keys)
            }
            return .done
        })
}
