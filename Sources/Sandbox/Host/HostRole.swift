/// A role of hosts: a host prepares itself for the tasks of one role before there is one, and does no other.
public struct HostRole: Sendable {
    /// The role's name.
    public let name: String
    let prepare: @Sendable (_ memoryBytes: Int, HostChannel) throws -> any HostWork

    /// Describes a role.
    ///
    /// - Parameters:
    ///   - name: no other role of the program bears it.
    ///   - prepare: called in the host before it is locked, with the memory that it may take and the channel to its parent.
    public init(
        _ name: String, prepare: @escaping @Sendable (_ memoryBytes: Int, HostChannel) throws -> any HostWork
    ) {
        self.name = name
        self.prepare = prepare
    }
}
