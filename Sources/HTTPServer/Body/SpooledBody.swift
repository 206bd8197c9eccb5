import Glibc

/// A body in a file without a name, which is gone when the last reference to it is.
public final class SpooledBody: @unchecked Sendable {
    // Written by the thread that receives the body, and by none after it was handed to the handler.

    /// Open for reading and writing; belongs to this object, and stands at the start when a handler gets it.
    public let fileDescriptor: Int32
    /// Bytes in the file.
    public private(set) var byteCount = 0
    private let room: SpoolRoom

    /// Creates the file in a directory.
    ///
    /// - Throws: `HTTPError.spoolFailed`.
    public convenience init(in directory: SpoolDirectory) throws(HTTPError) {
        try self.init(in: try SpoolRoom(in: directory, for: 0))
    }

    /// Creates the file where there is room for it.
    ///
    /// - Throws: `HTTPError.spoolFailed`.
    init(in room: SpoolRoom) throws(HTTPError) {
        self.room = room
        var descriptor = open(room.directory.path, Self.unnamed | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor < 0 { descriptor = Self.openUnlinked(in: room.directory.path) }
        fileDescriptor = descriptor
        guard descriptor >= 0 else { throw Self.failure() }
    }

    deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

    /// Appends bytes, before anybody else has the body.
    ///
    /// - Throws: `HTTPError.spoolFailed`, `spoolFull`.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        try room.grow(to: byteCount + bytes.count)
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(fileDescriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw Self.failure()
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        byteCount += bytes.count
    }

    /// Puts the file's position back to its start.
    ///
    /// - Throws: `HTTPError.spoolFailed`.
    public func rewind() throws(HTTPError) {
        guard lseek(fileDescriptor, 0, SEEK_SET) == 0 else { throw Self.failure() }
    }

    /// O_TMPFILE, which the headers show only to GNU sources.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// For file systems that have no O_TMPFILE: a name that lives for a moment.
    private static func openUnlinked(in directory: String) -> Int32 {
        let path = "\(directory)/.upload-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { unlink(path) }
        return descriptor
    }

    private static func failure() -> HTTPError {
        .spoolFailed(reason: String(cString: strerror(errno)))
    }
}
