/// Does the tasks of a role in a locked host.
public protocol HostWork {
    /// Does a task.
    ///
    /// - Parameters:
    ///   - task: its bytes, in the role's own form.
    ///   - input: the descriptor of the input, where the task came with one; stays the caller's.
    /// - Throws: `HostChannel.Closed` to end the host; any other error is told to the parent.
    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer

    /// Forgets the task: nothing of it is there for the next.
    func reset() throws
}

/// The answer to a task, whose host has done its duty; the bytes are in the role's own form.
public enum HostAnswer: Hashable, Sendable {
    /// The result of the task.
    case done([UInt8])
    /// Why it can't be had, through a fault of what the task brought.
    case refused([UInt8])
}
