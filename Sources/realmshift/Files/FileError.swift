import Foundation

/// A file that can't be opened, read or written.
struct FileError: Error, CustomStringConvertible {
    let path: String
    /// The system's own words.
    let reason: String

    var description: String { "\(path): \(reason)" }

    /// The error of the system call that failed last.
    static func last(_ path: String) -> FileError {
        FileError(path: path, reason: String(cString: strerror(errno)))
    }
}

/// What a path is called in messages.
enum FileName {
    /// The path itself, or the stream that `-` stands for.
    static func of(_ path: String, isInput: Bool) -> String {
        path == "-" ? "standard \(isInput ? "input" : "output")" : path
    }
}

/// Files without a name.
enum TemporaryFile {
    /// An open descriptor of a new empty file that no folder lists.
    static func open() throws(FileError) -> Int32 {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((folder + "/realmshift-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw .last(folder) }
        template.withUnsafeBufferPointer { _ = $0.baseAddress.map { unlink($0) } }
        return file
    }
}
