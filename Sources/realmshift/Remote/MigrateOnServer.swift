import RealmJSON
import RealmMigration
import ServiceClient

extension Command {
    /// `realmshift migrate --server`: realms of a service to a declared version.
    static let migrateOnServer: Command = Command(
        name: "migrate", summary: "migrate realms of a service to a declared version",
        discussion: """
            Migrates realms of a service to a schema version of their app that is declared, each by a job of its own, and follows
            them to their ends. A realm is APP/REALM, where REALM may have * and ?. A fleet is for many: realmshift fleet.
            """,
        operands: ["APP/REALM…"],
        options: [
            Option("--to-version", "N", "the declared version to reach (required)", isRequired: true),
            FileMigration.mode, FileMigration.resolveEmbedded,
            Option(
                "--on-error", "WHAT", "what an object that fails does: abort (default) or quarantine",
                choices: ["abort", "quarantine"]),
            Option("--no-wait", nil, "print the jobs, and let them run (default: follow them to their ends)"),
            Option("--quiet", nil, "no progress"),
        ] + Option.server,
        examples: ["migrate notes/ada --to-version 3 --server https://realms.example.com"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .migrateOnServer)
            let order = try order(arguments, of: .migrateOnServer)
            let realms = try RealmName.all(arguments.operands, at: service, of: .migrateOnServer)
            var (jobs, status): ([JSONValue], ExitStatus) = ([], .done)
            for realm in realms {
                do {
                    jobs.append(try service.call("POST", realm.path + "/migrations", order))
                } catch let refusal as ServiceRefusal
                    where realms.count > 1 && !refusal.isDenial && !refusal.isTemporary
                {
                    // A fault of one realm says nothing about the others.
                    Console.error(
                        Failure(ErrorInFile(file: realm.text, cause: refusal)).text(asJSON: arguments.has("--json")))
                    status = .failed
                } catch {
                    throw ErrorInFile(file: realm.text, cause: error)
                }
            }
            if arguments.has("--no-wait") {
                try ServerOutput.table(jobs, asJSON: arguments.has("--json")) { [$0.text("id"), $0.text("realm")] }
                return status
            }
            // Jobs are the service's, and go on when nobody follows them any more.
            InterruptNote.tell("the jobs go on: realmshift watch follows one, realmshift jobs cancel ends it")
            return try jobs.reduce(status) { status, job in
                let ended = try JobWatch(service, job.text("id"), WatchView(arguments)).run()
                return ended == .done ? status : ended
            }
        })

    /// The request for a migration by a service.
    static func order(_ arguments: Arguments, of command: Command) throws(UsageError) -> JSONValue {
        guard let version = arguments["--to-version"].flatMap({ UInt64($0) }) else {
            throw UsageError(
                arguments["--to-version"] == nil
                    ? "--to-version N is missing." : "--to-version takes a whole number, 0 or more.", command: command)
        }
        var members = [JSONMember("targetVersion", JSONValue(version))]
        if let mode = try arguments.choice("--mode", of: SchemaMode.allCases, command) {
            members.append(JSONMember("mode", .string(mode.rawValue)))
        }
        if arguments.has("--resolve-embedded") { members.append(JSONMember("resolveEmbeddedConstraints", true)) }
        if let word = try arguments.choice("--on-error", of: ["abort", "quarantine"], command) {
            members.append(JSONMember("onError", .string(word)))
        }
        return .object(members)
    }
}
