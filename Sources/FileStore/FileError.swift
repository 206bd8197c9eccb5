import Glibc

/// A file that can't be opened, read or written.
public struct FileError: Error, CustomStringConvertible {
    /// The file, as whoever opened it calls it.
    public let path: String
    /// The system's own words.
    public let reason: String
    /// Whether it is a pipe whose reader has gone away.
    public private(set) var isOfBrokenPipe = false
    /// Whether there is no room for more of it.
    public private(set) var isOfFullDisk = false

    /// Describes what is wrong with a file.
    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The file and what is wrong.
    public var description: String { "\(path): \(reason)" }

    /// The error of the system call that failed last.
    public static func last(_ path: String) -> FileError {
        let code = errno
        var error = FileError(path: path, reason: String(cString: strerror(code)))
        error.isOfBrokenPipe = code == EPIPE
        error.isOfFullDisk = [ENOSPC, EDQUOT, EFBIG].contains(code)
        return error
    }
}
