import FileStore
import Glibc

/// Small files that are read whole: schemas, scripts, keys.
enum TextFile {
    /// The most that a schema or a script may have.
    static let byteLimit = 64 << 20

    /// The bytes of a file.
    ///
    /// - Throws: `FileError`, also for more than `byteLimit` bytes.
    static func bytes(_ path: String) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .last(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else { throw .last(path) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= byteLimit else { throw FileError(path: path, reason: "larger than 64 MiB") }
        }
    }
}
