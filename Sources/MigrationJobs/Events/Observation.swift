/// Keeps an observation going until it is cancelled or let go of.
public final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Ends the observation; a call that is under way may still arrive.
    public func cancel() { end() }
}
