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

    fileprivate func hasRoom(for count: Int) -> Bool { used.withLock { count <= limit - $0 } }

    fileprivate func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    fileprivate func give(_ count: Int) { used.withLock { $0 -= count } }

    /// Bytes that bodies have.
    public var usedBytes: Int { used.withLock { $0 } }
}

/// Room in a directory that is one body's, until it is let go of: as much as has come of it.
final class SpoolRoom: @unchecked Sendable {
    // Used only by the thread that receives the body.
    let directory: SpoolDirectory
    private var count = 0

    /// Looks whether there is room for bytes that are to come, and takes none: who announces much and sends little keeps nobody out.
    ///
    /// - Throws: `HTTPError.spoolFull`.
    init(in directory: SpoolDirectory, for announced: Int) throws(HTTPError) {
        self.directory = directory
        guard directory.hasRoom(for: announced) else { throw .spoolFull }
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
