import Threads

/// Where bodies are spooled, in files without a name, with a bound on all of them together.
public final class SpoolDirectory: Sendable {
    /// The directory's path.
    public let path: String
    private let limit: Int
    private let used = Mutex(0)

    /// Names a directory.
    ///
    /// - Parameter limit: bytes that all bodies there have together, at most.
    public init(_ path: String, limit: Int = .max) {
        self.path = path
        self.limit = limit
    }

    fileprivate func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    fileprivate func give(_ count: Int) { used.withLock { $0 -= count } }

    /// Bytes that bodies have, or have room for.
    public var usedBytes: Int { used.withLock { $0 } }
}

/// Room in a directory that is one body's, until it is let go of.
final class SpoolRoom: @unchecked Sendable {
    // Used only by the thread that receives the body.
    let directory: SpoolDirectory
    private var count = 0

    /// Takes room for bytes that are to come.
    ///
    /// - Throws: `HTTPError.spoolFull`.
    init(in directory: SpoolDirectory, for announced: Int) throws(HTTPError) {
        self.directory = directory
        try grow(to: announced)
    }

    deinit { directory.give(count) }

    /// Sees to it that there is room for so many bytes.
    ///
    /// - Throws: `HTTPError.spoolFull`.
    func grow(to wanted: Int) throws(HTTPError) {
        guard wanted > count else { return }
        guard directory.take(wanted - count) else { throw .spoolFull }
        count = wanted
    }
}
