import FileStore
import Glibc

/// Where a command writes to: a file, a device or a pipe, or standard output.
///
/// A file appears under its name when it is whole; what one of that name held stays until then.
struct OutputFile {
    private enum Destination {
        case stream
        /// A file, with the mode of the one that it replaces.
        case file(String, replacedMode: mode_t?)
    }

    /// The path as the command line has it.
    let path: String
    private let destination: Destination

    /// Its name in messages.
    var name: String { FileName.of(path, isInput: false) }

    /// Whether nothing is seen of what is written before it is whole.
    var isFile: Bool {
        if case .file = destination { true } else { false }
    }

    /// Looks at what is there, before any work is done for it.
    ///
    /// - Parameters:
    ///   - path: `-` is standard output.
    ///   - inputs: the paths of what the command reads; none of them is ever written to.
    ///   - replaces: whether a file that is there may be replaced.
    /// - Throws: `UsageError` where that would destroy a file; `FileError` where no file can be there.
    init(_ path: String, inputs: [String], replaces: Bool, of command: Command) throws {
        self.path = path
        if let identity = FileIdentity(path, isInput: false),
            let input = inputs.first(where: { FileIdentity($0, isInput: true) == identity })
        {
            let (output, input) = (FileName.of(path, isInput: false), FileName.of(input, isInput: true))
            throw UsageError(
                output == input
                    ? "\(output) is read: the output needs a name of its own."
                    : "\(output) is the same file as \(input), which is read: the output needs a name of its own.",
                command: command)
        }
        destination = try Self.destination(path)
        if case .file = destination, Self.isLink(path) {
            throw UsageError(
                "\(path) is a symbolic link, which is neither followed nor replaced: name the file that it leads to.",
                command: command)
        }
        if case .file(_, _?) = destination, !replaces {
            throw UsageError("\(path) exists already: --force replaces it.", command: command)
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func destination(_ path: String) throws(FileError) -> Destination {
        var status = stat()
        guard path != "-" else { return .stream }
        guard stat(path, &status) == 0 else {
            try checkFolder(of: path)
            return .file(path, replacedMode: nil)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(path, replacedMode: status.st_mode & 0o777)
        case S_IFDIR: throw FileError(path: path, reason: String(cString: strerror(EISDIR)))
        // A device or a pipe is written to; putting a file in its place would take it away from everybody.
        default: return .stream
        }
    }

    private static func checkFolder(of path: String) throws(FileError) {
        guard access(folder(of: path), W_OK | X_OK) == 0 else { throw .last(path) }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Writes what the body gives.
    ///
    /// - Parameter body: gets a function that takes the bytes, part by part.
    /// - Returns: the number of bytes.
    /// - Throws: what the body throws, and `FileError`; then a file that was there is there as it was.
    func write(_ body: (_ append: ([UInt8]) throws -> Void) throws -> Void) throws -> Int {
        switch destination {
        case .stream: try writeStream(body)
        case .file(let path, let mode): try writeFile(path, replacing: mode, body)
        }
    }

    private func writeStream(_ body: (([UInt8]) throws -> Void) throws -> Void) throws -> Int {
        let file = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError.last(path) }
        defer { if file != STDOUT_FILENO { close(file) } }
        return try write(to: file, body)
    }

    private func writeFile(
        _ path: String, replacing mode: mode_t?, _ body: (([UInt8]) throws -> Void) throws -> Void
    ) throws -> Int {
        let partial = try PartialFile(in: Self.folder(of: path), for: self.path)
        defer { partial.remove() }
        let count = try write(to: partial.descriptor, body)
        try partial.finish(as: path, mode: mode)
        return count
    }

    private func write(to file: Int32, _ body: (([UInt8]) throws -> Void) throws -> Void) throws -> Int {
        var count = 0
        try body { bytes in
            try FileWriting.write(bytes, to: file, named: name)
            count += bytes.count
        }
        return count
    }
}
