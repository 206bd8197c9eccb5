import FileStore
import FoundationEssentials
import Glibc
import RealmModel

/// The program: finds the command that the first word names, runs it, and turns what goes wrong into an exit code.
@main
struct Program {
    static let version = "0.1.0"

    static let commands: [Command] = [
        .serve, .worker, .migrate, .rehearse, .ci, .convert, .rescue, .verify, .models, .inspect, .objects, .diff,
        .schema, .script,
    ]

    /// Those that ask a service; of a name that is in both lists, `--server` and `--profile` mean this one.
    static let serverCommands: [Command] = [
        .apps, .declare, .push, .rehearseOnServer, .migrateOnServer, .watch, .pull, .diffOnServer, .fleet, .jobs, .sync,
        .keys,
    ]

    static func main() {
        // A reader that went away is an error of one write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that would be larger than the system permits.
        signal(SIGXFSZ, SIG_IGN)
        Console.holdClosedStreams()
        // The process that started the program may have had signals blocked; SIGTERM has to arrive all the same.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == HostCommand.name { exit(HostCommand.run()) }
        exit(run(words).rawValue)
    }

    /// Runs the command that the words name, and says on standard error what went wrong.
    static func run(_ words: [String]) -> ExitStatus {
        do {
            guard let first = words.first else { throw UsageError("A command is missing.") }
            if ["--help", "-h", "help"].contains(first) { return try showHelp(for: words.dropFirst().first) }
            if ["--version", "version"].contains(first) { return try show("realmshift \(version)\n") }
            let command = try command(first, asksService: ServerConnection.isMeant(by: words))
            if words.contains("--help") || words.contains("-h") { return try show(command.help) }
            return try command.run(try Arguments(Array(words.dropFirst()), of: command))
        } catch let error as FileError where error.isOfBrokenPipe && error.path == Console.outputName {
            // Who read the output, such as head, has enough: the process ends as others do.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            return .failed
        } catch let error as UsageError {
            Console.error(error.text + serviceHint(for: words))
            return .wrongUsage
        } catch {
            let asJSON = words.contains("--json")
            Console.error(Failure(error).text(asJSON: asJSON) + (asJSON ? "" : serviceHint(for: words)))
            // A caller that asks the exit code whether realms differ has to know a failure from a difference.
            return words.contains("--exit-code") ? .trouble : Failure.status(error)
        }
    }

    /// A line for who has named a service by the environment alone, and means a realm of it; empty where files are meant.
    private static func serviceHint(for words: [String]) -> String {
        guard let name = words.first, let service = ProcessInfo.processInfo.environment["REALMSHIFT_SERVER"],
            [commands, serverCommands].allSatisfy({ $0.contains { $0.name == name } }),
            !service.isEmpty, !ServerConnection.isMeant(by: words),
            !words.dropFirst().contains(where: { FileManager.default.fileExists(atPath: $0) })
        else { return "" }
        return "Without --server, \(name) takes files; add --server \(service) for realms of that service.\n"
    }

    private static func command(_ name: String, asksService: Bool) throws(UsageError) -> Command {
        let all = asksService ? serverCommands + commands : commands + serverCommands
        guard let command = all.first(where: { $0.name == name }) else {
            let nearest = NearestName.question(name, among: all.map(\.name))
            throw UsageError(["There is no command \(name).", nearest].compactMap(\.self).joined(separator: " "))
        }
        return command
    }

    private static func showHelp(for name: String?) throws -> ExitStatus {
        if name == "--json" { return try show(CommandTable.text(version: version)) }
        return try show(try name.map { try command($0, asksService: false).help } ?? overview)
    }

    private static func show(_ text: String) throws -> ExitStatus {
        try Console.output(text)
        return .done
    }

    private static var overview: String {
        """
        realmshift migrates Realm databases: as a service, and from the command line.

        usage: realmshift COMMAND [options]

        commands:
        \(Command.table(commands.map { ($0.name, $0.summary) }).joined(separator: "\n"))

        commands for a service:
        \(Command.table(serverCommands.map { ($0.name, $0.summary) }).joined(separator: "\n"))

        realmshift COMMAND --help says what a command takes, with an example; COMMAND --server --help what it takes of a
        service, where it is for files, too.
        Exit codes: \(ExitStatus.meanings.map { "\($0.0.rawValue) \($0.1)" }.joined(separator: ", ")).

        """
    }
}
