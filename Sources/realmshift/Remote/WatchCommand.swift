import FoundationEssentials
import Glibc
import Problems
import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift watch`: a job or a fleet of a service, until it ends.
    static let watch: Command = Command(
        name: "watch", summary: "follow a job or a fleet of a service until it ends",
        discussion: """
            Follows a job (its id, or APP/REALM for the last one of a realm) or a fleet (APP/FLEET, its id) until it ends: as a
            page in a terminal, as lines elsewhere. A fleet that is paused and waits for a word ends the command, too.
            """,
        operands: ["WHAT"],
        options: [Option("--quiet", nil, "nothing but the end")] + Option.server,
        examples: ["watch notes/ada", "watch notes/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000 --json"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .watch)
            let what = arguments.operands[0]
            let view = WatchView(arguments)
            guard what.contains("/") else {
                guard UUID(uuidString: what) != nil else {
                    throw UsageError(
                        "\(what) names no job: give its id, of realmshift jobs list, or APP/REALM for a realm's last one.",
                        command: .watch)
                }
                return try JobWatch(service, what, view).run()
            }
            let name = try RealmName(what, of: .watch)
            guard UUID(uuidString: name.realm) == nil else {
                return try FleetWatch(service, app: name.app, fleet: name.realm, view).run()
            }
            return try JobWatch(service, name.lastJob(at: service), view).run()
        })
}

extension RealmName {
    /// The id of the realm's last job, which is about this realm alone.
    ///
    /// - Throws: `ErrorInFile` where it has none, or a fleet's, whose end is not how this realm fared.
    fileprivate func lastJob(at service: ServiceClient) throws -> String {
        guard let id = try found(at: service)["lastJob"]?["id"]?.string else {
            throw ErrorInFile(file: text, cause: CommandFailure("The realm has no job."))
        }
        guard let fleet = try service.call("GET", "/v1/jobs/\(ServiceClient.escaped(id))")["fleet"]?.string else {
            return id
        }
        let advice = "A fleet's job had the realm last. Follow the fleet: realmshift watch \(app)/\(fleet)"
        throw ErrorInFile(file: text, cause: CommandFailure(advice))
    }
}

/// How somebody follows what a service does.
struct WatchView {
    let asJSON: Bool
    let isQuiet: Bool
    let page: LivePage?

    init(_ arguments: Arguments) {
        (asJSON, isQuiet) = (arguments.has("--json"), arguments.has("--quiet"))
        page = !asJSON && !isQuiet && LivePage.isPossible ? LivePage() : nil
    }

    /// A line for a log, where that is what is wanted.
    func tell(_ line: @autoclosure () -> String) throws {
        guard page == nil, !asJSON, !isQuiet else { return }
        try Console.output(TerminalText.plain(line()) + "\n")
    }

    func tell(event: String, _ data: JSONValue) throws {
        if asJSON { try ServerOutput.json(["event": .string(event), "data": data]) }
    }
}

/// Follows a job.
final class JobWatch {
    private let service: ServiceClient
    private let id: String
    private let view: WatchView
    private var page = JobPage()
    private var toldAt = 0.0

    init(_ service: ServiceClient, _ id: String, _ view: WatchView) {
        (self.service, self.id, self.view) = (service, id, view)
    }

    func run() throws -> ExitStatus {
        let path = "/v1/jobs/\(ServiceClient.escaped(id))"
        page.job = try service.call("GET", path)
        try view.tell(page.title)
        var end: JSONValue?
        try service.follow(path + "/events") { name, data in
            try view.tell(event: name, data)
            switch name {
            case "log":
                page.log.append(data.text("text"))
                try view.tell(data.text("text"))
            case "progress":
                page.progress = data
                try tellProgress()
            case "done":
                (page.job, page.progress, end) = (data, nil, data)
                try view.tell(page.title)
            // The refusal says that there is no such job.
            case "gone": page.job = try service.call("GET", path)
            default: break
            }
            try view.page?.draw({ [page] in page.lines(columns: $0, rows: $1) }, isLast: end != nil)
            return end == nil
        }
        guard let end else { return .failed }
        return try Self.status(of: end, asJSON: view.asJSON)
    }

    private func tellProgress() throws {
        let now = Date().timeIntervalSinceReferenceDate
        guard now - toldAt >= 5, let line = page.progressText else { return }
        toldAt = now
        try view.tell(line)
    }

    /// The exit status of a command for a job's end; its problem goes to standard error.
    static func status(of job: JSONValue, asJSON: Bool) throws -> ExitStatus {
        if let problem = job["error"], !problem.isNull {
            let realm = "\(job.text("app"))/\(job.text("realm"))"
            Console.error(
                Failure(ErrorInFile(file: realm, cause: try ProblemDocument(json: problem))).text(asJSON: asJSON))
        }
        return job["state"]?.string == "succeeded" ? .done : .failed
    }
}

/// Follows a fleet.
final class FleetWatch {
    private let service: ServiceClient
    private let path: String
    private let view: WatchView
    private var page = FleetPage()
    private var told = ""
    private var toldAt = 0.0

    init(_ service: ServiceClient, app: String, fleet: String, _ view: WatchView) {
        (self.service, self.view) = (service, view)
        path = "/v1/apps/\(ServiceClient.escaped(app))/fleets/\(ServiceClient.escaped(fleet))"
    }

    func run() throws -> ExitStatus {
        page.fleet = try service.call("GET", path)
        var isOver = page.isOver
        if !isOver {
            try service.follow(path + "/events") { name, data in
                try view.tell(event: name, data)
                // Where the fleet is gone the refusal says so.
                try take(name == "gone" ? try service.call("GET", path) : data)
                isOver = name == "done" || page.isOver
                return !isOver
            }
        }
        page.fleet = try service.call("GET", path)
        try view.tell(event: "end", page.fleet)
        try view.page?.draw({ [page] in page.lines(columns: $0, rows: $1) }, isLast: true)
        if view.page == nil { for line in page.lines(columns: 200, rows: 100) { try view.tell(line) } }
        return page.status
    }

    private func take(_ data: JSONValue) throws {
        let failed = page.fleet["counts"]?.count("failed")
        // Why realms fail is in the fleet alone, and not in its events.
        let shows = view.page != nil && data["counts"]?.count("failed") != failed
        page.take(shows ? try service.call("GET", path) : data)
        try view.page?.draw { [page] in page.lines(columns: $0, rows: $1) }
        let now = Date().timeIntervalSinceReferenceDate
        guard page.fleet.text("state") != told || now - toldAt >= 5 else { return }
        (told, toldAt) = (page.fleet.text("state"), now)
        try view.tell(page.title)
    }
}
