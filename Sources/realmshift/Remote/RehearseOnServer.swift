import Problems
import RealmComparison
import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift rehearse --server`: what a migration would do to realms of a service.
    static let rehearseOnServer: Command = Command(
        name: "rehearse", summary: "say what a migration would do to the data of realms of a service",
        discussion: """
            Migrates realms of a service to a declared version of their app without changing them, and says what that would
            lose. A realm is APP/REALM, where REALM may have * and ?; with APP alone one realm of each version that the app has is
            tried.
            """,
        operands: ["APP[/REALM]…"],
        options: [
            Option("--to-version", "N", "the declared version to reach (required)", isRequired: true),
            FileMigration.mode, FileMigration.resolveEmbedded,
            Option(
                "--fail-on", "NAMES",
                "levels and rules of findings, with commas between, that end the command with 1 (default: error)"),
        ] + Option.server,
        examples: ["rehearse notes --to-version 3 --server https://realms.example.com --fail-on warning"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .rehearseOnServer)
            let levels = (arguments["--fail-on"] ?? "error").split(separator: ",").map { JSONValue.string(String($0)) }
            let order = try order(arguments, of: .rehearseOnServer).adding([JSONMember("failOn", .array(levels))])
            var status = ExitStatus.done
            InterruptNote.tell("the rehearsal goes on: realmshift jobs lists it")
            for text in arguments.operands {
                guard text.contains("/") else {
                    let path = "/v1/apps/\(ServiceClient.escaped(text))/rehearsals"
                    if try !rehearse(text, path, order, at: service, arguments) { status = .failed }
                    continue
                }
                for realm in try RealmName.all([text], at: service, of: .rehearseOnServer) {
                    let dry = order.adding([JSONMember("dryRun", true)])
                    if try !rehearse(realm.text, realm.path + "/migrations", dry, at: service, arguments) {
                        status = .failed
                    }
                }
            }
            return status
        })

    /// Runs a rehearsal and prints its report; says whether it has passed.
    private static func rehearse(
        _ name: String, _ path: String, _ order: JSONValue, at service: ServiceClient, _ arguments: Arguments
    ) throws -> Bool {
        var job = try ErrorInFile.naming(name) {
            try service.call("POST", path, order, fields: [("Prefer", "wait=30")])
        }
        let own = "/v1/jobs/" + ServiceClient.escaped(job.text("id"))
        while ["queued", "running"].contains(job.text("state")) {
            job = try service.call("GET", own, fields: [("Prefer", "wait=30")])
        }
        let report = try ErrorInFile.naming(name) { try service.call("GET", own + "/report") }
        let passed = job.text("state") == "succeeded"
        guard !arguments.has("--json") else {
            try ServerOutput.json([
                "realm": .string(name), "passed": .bool(passed), "job": job["id"] ?? .null, "report": report,
            ])
            return passed
        }
        try Console.output(TerminalText.plain("\(name): \(passed ? "passed" : "failed")") + "\n")
        let hops = RehearsalMatrix(json: report)?.hops
        let lines =
            hops?.flatMap { hop in
                let version = hop.report.fromVersion.map { "from version \($0)" } ?? "without a version"
                let words = [hop.outcome.rawValue, hop.report.wordsBesideFindings].compactMap(\.self).joined(
                    separator: "; ")
                let outcome = hop.report.isClean ? hop.report.cleanVerdict : words
                let tried = hop.report.sample.map { " (\($0))" } ?? ""
                return ["  \(version): \(outcome)\(tried)"] + findings(hop.report).map { "  " + $0 }
            } ?? summary(RehearsalReport(json: report))
        for line in lines { try Console.output(TerminalText.plain(line) + "\n") }
        if !passed, let problem = job["error"], !problem.isNull {
            let document = try ProblemDocument(json: problem)
            // A line is one of the script, and of no realm.
            let version = document.errors.first?.step.map { "\($0)" } ?? arguments["--to-version"] ?? ""
            let place = document.code.hasPrefix("script_") ? "script of version \(version)" : name
            Console.error(Failure(ErrorInFile(file: place, cause: document)).text(asJSON: false))
        }
        return passed
    }

    private static func findings(_ report: RehearsalReport) -> [String] {
        report.findings.map { "  \($0.level.rawValue): \($0.message)" }
    }

    private static func summary(_ report: RehearsalReport) -> [String] {
        let last = report.isClean ? report.cleanVerdict : report.wordsBesideFindings
        return findings(report) + (last.map { ["  \($0)"] } ?? [])
    }
}
