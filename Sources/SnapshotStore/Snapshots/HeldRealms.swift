import Threads

/// Counts the realms that the process holds at once.
///
/// Who holds one has a connection, and needs others to read and to write by: all connections in the hands of such would wait for
/// one another.
final class HeldRealms: Sendable {
    private let limit: Int
    private let count = Monitor(0)

    init(atMost limit: Int) { self.limit = max(limit, 1) }

    /// Runs a body when few enough others run.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        count.wait { [limit] count -> Void? in
            guard count < limit else { return nil }
            count += 1
            return ()
        }
        defer { count.change { $0 -= 1 } }
        return try body()
    }
}
