/// The work that a host's machine is set up for: what its compilers do for many small realms costs a large one time, and the other way.
///
/// The engine has its thresholds for a process, once and for all; each pace is a role of hosts.
package enum ScriptPace: String, CaseIterable, Sendable {
    /// Worlds that follow one another and see some objects each.
    case brief = "scripts"
    /// One world that sees many objects.
    case long = "long scripts"

    /// From so many objects on a new host is made up for by its compilers.
    package static let longObjectCount = 30_000

    /// The pace for a realm of some objects.
    package init(objectCount: Int) {
        self = objectCount < Self.longObjectCount ? .brief : .long
    }

    /// The name of its role.
    package var roleName: String { rawValue }
}
