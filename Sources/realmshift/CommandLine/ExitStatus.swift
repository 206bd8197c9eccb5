/// How a run of the program ends, as its caller sees it.
struct ExitStatus: Hashable, Sendable {
    /// The exit code of the process.
    let rawValue: Int32

    /// It did what it was asked for.
    static let done = ExitStatus(rawValue: 0)
    /// It could not.
    static let failed = ExitStatus(rawValue: 1)
    /// The command line can't be understood, or asks for what would destroy a file.
    static let wrongUsage = ExitStatus(rawValue: 2)

    /// The service can't be reached, or not now: the same command may succeed later.
    static let unavailable = ExitStatus(rawValue: 3)
    /// The service does not know the key, or the key does not permit it.
    static let denied = ExitStatus(rawValue: 4)
    /// A fleet is paused, and waits for somebody's word.
    static let waiting = ExitStatus(rawValue: 5)

    /// The realms that `diff --exit-code` compared differ.
    static let different = ExitStatus(rawValue: 1)
    /// `diff --exit-code` could not compare.
    static let trouble = ExitStatus(rawValue: 2)

    /// The exit codes of all commands with what they mean; `diff` says its own beside `--exit-code`.
    static let meanings: [(ExitStatus, String)] = [
        (.done, "done"), (.failed, "failed"), (.wrongUsage, "wrong usage"),
        (.unavailable, "the service can't be reached, or not now"),
        (.denied, "the service does not take the key, or the key does not permit it"),
        (.waiting, "a fleet is paused and waits for a word"),
    ]
}
