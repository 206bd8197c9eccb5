import Foundation

/// A file mapped into memory, read only.
final class MappedFile {
    private let bytes: UnsafeRawBufferPointer

    /// Maps a file whole; `-` maps standard input, spooled.
    convenience init(_ path: String) throws {
        let file = try RealmInput.descriptor(path)
        defer { close(file) }
        try self.init(descriptor: file, path: path)
    }

    /// Maps the file of a descriptor, which stays the caller's.
    ///
    /// - Parameter path: names the file in errors.
    init(descriptor file: Int32, path: String) throws {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileError.last(path) }
        let count = Int(status.st_size)
        guard count > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
            throw FileError.last(path)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }

    /// Calls with the bytes, which are good until the file is let go.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(bytes)
    }
}
