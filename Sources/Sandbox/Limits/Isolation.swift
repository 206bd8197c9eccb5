import CSeccomp
import Glibc

/// Protections that keep a host apart from the rest of the machine, beside the system calls that it may not make.
///
/// A protection that the kernel does not give is left out and can be told to the operator: the filter of system calls alone
/// keeps a host from everything. Processes get no namespace of their own: it would hold a host's children, and it can have
/// none; other processes a host can neither signal nor see.
public struct Isolation: OptionSet, Sendable {
    /// A bit for each; what hosts send.
    public let rawValue: UInt8

    /// Takes what a host sent.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is not root, and has no capabilities.
    public static let unprivileged = Isolation(rawValue: 1)
    /// It has namespaces without a network.
    public static let namespaces = Isolation(rawValue: 2)
    /// It is the first to go where the machine runs out of memory.
    public static let expendable = Isolation(rawValue: 4)
    /// All of it.
    public static let whole: Isolation = [.unprivileged, .namespaces, .expendable]

    /// The missing protections, in words; empty where none is missing.
    public var missing: [String] {
        let names: [(Isolation, String)] = [
            (.unprivileged, "a user without privileges"), (.namespaces, "namespaces without a network"),
            (.expendable, "the place of the first to go where memory runs out"),
        ]
        return names.filter { !contains($0.0) }.map(\.1)
    }

    /// A host that began as root could not become somebody else, and must not go on.
    struct StillRoot: Error {}

    /// The user and the group `nobody` of Debian, who own nothing.
    private static let nobody: UInt32 = 65_534

    /// Gives up what this process has and no host needs; to be called before it starts threads.
    static func enter() throws(StillRoot) -> Isolation {
        var isolation: Isolation = []
        // Before it is somebody else, who may not write there.
        if beExpendable() { isolation.insert(.expendable) }
        _ = chdir("/")
        var hasNamespaces = false
        if geteuid() == 0 {
            hasNamespaces = leave_namespaces(0) == 0
            guard setgroups(0, nil) == 0, setresgid(nobody, nobody, nobody) == 0,
                setresuid(nobody, nobody, nobody) == 0
            else { throw StillRoot() }
        }
        if !hasNamespaces { hasNamespaces = leave_namespaces(1) == 0 }
        if hasNamespaces { isolation.insert(.namespaces) }
        // A new user namespace gives capabilities in itself.
        if give_up_capabilities() == 0 { isolation.insert(.unprivileged) }
        return isolation
    }

    private static func beExpendable() -> Bool {
        let descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, "1000", 4) == 4
    }
}
