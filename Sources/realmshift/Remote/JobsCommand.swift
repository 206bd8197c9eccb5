import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift jobs`: the jobs of a service.
    static let jobs: Command = Command(
        name: "jobs", summary: "list, show, cancel and retry the jobs of a service",
        discussion: """
            jobs list; jobs show, log, report, cancel, retry and delete JOB. report prints a rehearsal's report.
            """,
        operands: ["VERB", "[JOB]"],
        options: [
            Option("--app", "APP", "list: the jobs of this app alone (default: of all)"),
            Option("--realm", "NAME", "list: the jobs of this realm of the app alone (default: of all)"),
            Option(
                "--state", "STATE", "list: queued, running, succeeded, failed or cancelled ones alone (default: all)",
                choices: ["queued", "running", "succeeded", "failed", "cancelled"]),
            Option("--limit", "N", "list: so many at most, the last ones (default: 100)"),
        ] + Option.server,
        examples: ["jobs list --app notes --state failed", "jobs retry 0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .jobs)
            let asJSON = arguments.has("--json")
            if arguments.operands[0] == "list" {
                let limit = try arguments.integer("--limit", in: 1...1000, of: .jobs) ?? 100
                let filters = ["app", "realm", "state"].compactMap { name in
                    arguments["--\(name)"].map { "&\(name)=\(ServiceClient.escaped($0))" }
                }
                // Jobs of an app that is not there are none, which would be no answer to a typing error.
                if let app = arguments["--app"] { try AppName.require(app, at: service) }
                let jobs = try service.page("/v1/jobs?limit=\(limit)" + filters.joined())
                try ServerOutput.table(jobs, asJSON: asJSON) {
                    [$0.text("id"), JobPage.kind(of: $0), "\($0.text("app"))/\($0.text("realm"))", $0.text("state")]
                }
                return .done
            }
            guard arguments.operands.count == 2 else { throw UsageError("JOB is missing.", command: .jobs) }
            let path = "/v1/jobs/" + ServiceClient.escaped(arguments.operands[1])
            switch arguments.operands[0] {
            case "show": try ServerOutput.json(try service.call("GET", path))
            case "report": try ServerOutput.json(try service.call("GET", path + "/report"))
            case "log":
                for line in try service.list(path + "/log?limit=1000") {
                    if asJSON {
                        try ServerOutput.json(line)
                    } else {
                        try Console.output(TerminalText.plain(line.text("text")) + "\n")
                    }
                }
            case "cancel", "retry":
                let job = try service.call("POST", "\(path)/\(arguments.operands[0])", .object([]))
                try ServerOutput.table([job], asJSON: asJSON) { [$0.text("id"), $0.text("state")] }
            case "delete": _ = try service.call("DELETE", path)
            default:
                throw UsageError("jobs takes one of: list, show, log, report, cancel, retry, delete.", command: .jobs)
            }
            return .done
        })
}
