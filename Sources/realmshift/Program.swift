import Foundation

/// The program: finds the command that the first word names, runs it, and turns what goes wrong into an exit code.
@main
struct Program {
    static let version = "0.1.0"

    static let commands: [Command] = [
        .serve, .worker, .migrate, .convert, .inspect, .diff,
    ]

    static func main() {
        // A reader that went away is an error of one write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // Whoever started the program may have had signals blocked; SIGTERM has to arrive all the same.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == HostCommand.name { exit(HostCommand.run()) }
        exit(run(words))
    }

    /// - Returns: 0 done, 1 failed, 2 wrong usage.
    static func run(_ words: [String]) -> Int32 {
        do {
            guard let first = words.first else { throw UsageError("A command is missing.") }
            if ["--help", "-h", "help"].contains(first) { return showHelp(for: words.dropFirst().first) }
            if ["--version", "version"].contains(first) { return show("realmshift \(version)\n") }
            guard let command = commands.first(where: { $0.name == first }) else {
                throw UsageError("There is no command \(first).")
            }
            if words.contains("--help") || words.contains("-h") { return showHelp(for: command.name) }
            try command.run(try Arguments(Array(words.dropFirst()), of: command))
            return 0
        } catch let error as UsageError {
            Console.error("realmshift: \(error.message)\n")
            Console.error(error.command.map { "\n" + $0.help } ?? "Try: realmshift --help\n")
            return 2
        } catch {
            Console.error(Failure(error).text(asJSON: words.contains("--json")))
            return 1
        }
    }

    private static func showHelp(for name: String?) -> Int32 {
        show(commands.first { $0.name == name }?.help ?? overview)
    }

    private static func show(_ text: String) -> Int32 {
        Console.output(text)
        return 0
    }

    private static var overview: String {
        """
        realmshift migrates Realm databases: as a service, and from the command line.

        usage: realmshift COMMAND [options]

        commands:
        \(Command.table(commands.map { ($0.name, $0.summary) }).joined(separator: "\n"))

        realmshift COMMAND --help tells more. Exit codes: 0 done, 1 failed, 2 wrong usage.

        """
    }
}
