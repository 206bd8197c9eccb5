/// What does the tasks of one kind in a locked host.
protocol TaskHost {
    /// Does a task.
    ///
    /// - Parameter input: the descriptor of the input, where the task came with one; stays the caller's.
    /// - Returns: the frame that ends the task: a result or a refusal.
    func perform(_ task: HostTask, input: Int32?) throws -> Frame

    /// Forgets the task: nothing of it is there for the next.
    func reset() throws
}
