import FoundationEssentials
import Problems
import RealmJSON
import RealmMigration
import ServiceClient

extension Command {
    /// `realmshift fleet`: the migration of many realms.
    static let fleet: Command = Command(
        name: "fleet", summary: "migrate many realms of a service: a canary first, then the others",
        discussion: """
            fleet start APP migrates the realms that are selected and follows them; list APP; show, realms, pause, resume, cancel,
            retry and undo APP/FLEET. retry tries realms that failed again, by a mended --script where one is given; undo puts
            realms back as they were, and ends with 1 where it could not put back all. start, resume, retry and undo follow
            the fleet until it ends or waits for a word.
            """,
        operands: ["VERB", "APP[/FLEET]"],
        options: [
            Option("--to-version", "N", "the declared version to reach (required by start)"),
            Option("--from-version", "V", "realms of these versions alone: '<3', '>=2', '!=4' or 1 (default: of all)"),
            Option(
                "--names", "NAMES", "realms of these names alone, with commas between and * for anything (default: all)"
            ),
            Option(
                "--label", "NAME=VALUE", "realms with this label alone; any number of times (default: all)",
                isRepeatable: true),
            Option("--canary", "N", "so many realms first, or so many in a hundred: 5% (default: none)"),
            Option("--canary-pause", "SECONDS", "go on by itself so long after the canary (default: wait for resume)"),
            Option(
                "--stop-after", "N",
                "failures that pause the fleet, or so many in a hundred: 0.5% (default: as many as there are)"),
            Option("--concurrency", "N", "realms at once at most (default: any number)"),
            FileMigration.mode,
            Option(
                "--on-error", "WHAT", "what an object that fails does: abort (default) or quarantine",
                choices: ["abort", "quarantine"]),
            Option("--fail-on", "NAMES", "findings that fail a realm, with commas between (default: none)"),
            Option("--dry-run", nil, "commit nothing"),
            Option("--script", "FILE", "retry: the mended migration, JavaScript (default: the declared one)"),
            Option("--state", "STATE", "realms: those in this state alone (default: all)"),
            Option("--no-wait", nil, "do not follow the fleet (default: until it ends, or waits for a word)"),
            Option("--quiet", nil, "no progress"),
        ] + Option.server,
        examples: [
            "fleet start notes --to-version 3 --canary 1% --stop-after 10",
            "fleet retry notes/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000 --script mended.js",
        ],
        run: { try FleetCommand($0).run() })
}

/// One run of `realmshift fleet`.
struct FleetCommand {
    private let arguments: Arguments
    private let service: ServiceClient

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        service = try ServerConnection.open(arguments, of: .fleet)
    }

    func run() throws -> ExitStatus {
        let (verb, what) = (arguments.operands[0], arguments.operands[1])
        switch verb {
        case "list":
            try ServerOutput.table(try service.list(Self.path(what)), asJSON: arguments.has("--json")) {
                [$0.text("id"), $0.text("state"), $0.text("targetVersion"), $0.text("createdAt")]
            }
            return .done
        case "start": return try follow(try service.call("POST", Self.path(what), try order()))
        case "show", "realms", "pause", "resume", "cancel", "retry", "undo":
            return try run(verb, on: try RealmName(what, of: .fleet))
        default:
            throw UsageError(
                "fleet takes one of: list, start, show, realms, pause, resume, cancel, retry, undo.", command: .fleet)
        }
    }

    private static func path(_ app: String) -> String { "/v1/apps/\(ServiceClient.escaped(app))/fleets" }

    /// - Parameter name: the app and the fleet's id.
    private func run(_ verb: String, on name: RealmName) throws -> ExitStatus {
        guard UUID(uuidString: name.realm) != nil else {
            throw UsageError(
                "\(name.text) names no fleet: give its id, of realmshift fleet list \(name.app).", command: .fleet)
        }
        let path = Self.path(name.app) + "/" + ServiceClient.escaped(name.realm)
        switch verb {
        case "show":
            try show(try service.call("GET", path))
        case "realms":
            let state = arguments["--state"].map { "&state=\(ServiceClient.escaped($0))" } ?? ""
            try ServerOutput.table(
                try service.list(path + "/realms?limit=1000" + state), asJSON: arguments.has("--json")
            ) {
                [$0.text("realm"), $0.text("state"), $0["reason"]?.string ?? ""]
            }
        case "pause", "cancel":
            try show(try service.call("POST", "\(path)/\(verb)", .object([])))
        default:
            var members: [JSONMember] = []
            if let script = arguments["--script"] {
                guard verb == "retry" else { throw UsageError("--script is for retry.", command: .fleet) }
                let migration = DeclaredMigration(script: try ScriptFile.source(script))
                members.append(JSONMember("migration", migration.json))
            }
            let name = verb == "retry" ? "retry-failed" : verb
            return try follow(try service.call("POST", "\(path)/\(name)", .object(members)))
        }
        return .done
    }

    private func show(_ fleet: JSONValue) throws {
        guard !arguments.has("--json") else { return try ServerOutput.json(fleet) }
        var page = FleetPage()
        page.take(fleet)
        try Console.output(page.lines(columns: 200, rows: 100).map { TerminalText.plain($0) + "\n" }.joined())
    }

    private func follow(_ fleet: JSONValue) throws -> ExitStatus {
        guard !arguments.has("--no-wait") else {
            try ServerOutput.table([fleet], asJSON: arguments.has("--json")) { ["\($0.text("app"))/\($0.text("id"))"] }
            return .done
        }
        let view = WatchView(arguments)
        try view.tell("fleet \(fleet.text("app"))/\(fleet.text("id"))")
        InterruptNote.tell("the fleet goes on: realmshift watch follows it, realmshift fleet pause stops it")
        return try FleetWatch(service, app: fleet.text("app"), fleet: fleet.text("id"), view).run()
    }

    /// The request for a fleet.
    private func order() throws(UsageError) -> JSONValue {
        var members = try Command.order(arguments, of: .fleet).members ?? []
        var select: [JSONMember] = []
        if let version = arguments["--from-version"] { select.append(JSONMember("version", .string(version))) }
        if let names = arguments["--names"] { select.append(JSONMember("names", Self.words(names))) }
        var labels: [JSONMember] = []
        for text in arguments.all("--label") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("--label takes NAME=VALUE.", command: .fleet) }
            labels.append(JSONMember(parts[0], .string(parts[1])))
        }
        if !labels.isEmpty { select.append(JSONMember("labels", .object(labels))) }
        if !select.isEmpty { members.append(JSONMember("select", .object(select))) }
        if let canary = try amount("--canary", "count") {
            let pause = try arguments.integer("--canary-pause", in: 0...31_536_000, of: .fleet)
            let held = pause.map { [JSONMember("pauseSeconds", .int(Int64($0)))] } ?? []
            members.append(JSONMember("canary", .object([canary] + held)))
        }
        if let stop = try amount("--stop-after", "failures") {
            members.append(JSONMember("stopAfter", .object([stop])))
        }
        if let count = try arguments.integer("--concurrency", in: 1...1_000_000, of: .fleet) {
            members.append(JSONMember("concurrency", .int(Int64(count))))
        }
        if let names = arguments["--fail-on"] { members.append(JSONMember("failOn", Self.words(names))) }
        if arguments.has("--dry-run") { members.append(JSONMember("dryRun", true)) }
        return .object(members)
    }

    private static func words(_ text: String) -> JSONValue {
        .array(text.split(separator: ",").map { .string(String($0)) })
    }

    /// A number of realms, or of realms in a hundred.
    private func amount(_ option: String, _ count: String) throws(UsageError) -> JSONMember? {
        guard let text = arguments[option] else { return nil }
        if text.hasSuffix("%"), let percent = Double(text.dropLast()), 0...100 ~= percent {
            return JSONMember("percent", .double(percent))
        }
        guard let number = Int64(text), number > 0 else {
            throw UsageError("\(option) takes a number, as 10, or a part, as 0.5%.", command: .fleet)
        }
        return JSONMember(count, .int(number))
    }
}
