import Columns
import Foundation
import RealmDecoding
import RealmModel
import Sandbox

/// A realm read from a file or from standard input.
enum RealmInput {
    /// Decodes a file in a child process.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input, which is spooled.
    ///   - key: of an encrypted file.
    ///   - rowGroups: the size of row groups.
    /// - Throws: `FileError`, and `ErrorInFile` with an `InputError` or a `HostFailure`.
    static func read(
        _ path: String, format: RealmFormat, key: [UInt8]?, into store: any SegmentStore,
        rowGroups: RowGroupLimits = .standard
    ) throws -> Snapshot {
        let file = try descriptor(path)
        defer { close(file) }
        return try ErrorInFile.naming(FileName.of(path, isInput: true)) {
            try checkSize(file)
            return try decodeAlone(file, format: format, key: key, into: store, rowGroups: rowGroups)
        }
    }

    /// Refuses a file without a byte, of which every format would say something else.
    ///
    /// - Throws: `InputError`.
    static func checkSize(_ file: Int32) throws(InputError) {
        var status = stat()
        guard fstat(file, &status) != 0 || status.st_size > 0 else {
            throw InputError(.truncated, "The file is empty.")
        }
    }

    /// Decodes a file in a child of its own, whose end says something about the file.
    private static func decodeAlone(
        _ file: Int32, format: RealmFormat, key: [UInt8]?, into store: any SegmentStore, rowGroups: RowGroupLimits
    ) throws -> Snapshot {
        let limits = HostLimits()
        do {
            return try decode(file, format: format, key: key, into: store, rowGroups: rowGroups, limits: limits)
        } catch HostFailure.memoryLimit {
            let limit = Quantity.grouped(limits.memoryBytes >> 20)
            throw InputError(
                .tooLarge, "Reading the file took more than \(limit) MiB of memory: a value or an object is too large.")
        } catch HostFailure.crash(let how) {
            throw InputError(.damaged, "The process that read the file ended unexpectedly: \(how).")
        }
    }

    /// Decodes the file of a descriptor in a child process, after decrypting it where a key is given.
    ///
    /// - Parameters:
    ///   - file: a regular file; stays the caller's.
    ///   - app: whose file it is, where children decode several.
    ///   - hosts: the children; a new one unless said otherwise.
    ///   - rowGroups: the size of row groups.
    ///   - limits: what the child may use.
    static func decode(
        _ file: Int32, format: RealmFormat, key: [UInt8]?, into store: any SegmentStore,
        of app: RealmModel.UUID? = nil, by hosts: HostPool = HostPool(), rowGroups: RowGroupLimits = .standard,
        limits: HostLimits = HostLimits()
    ) throws -> Snapshot {
        let plain = format == .realm ? try key.map { try DecryptedFile.make(of: file, key: $0) } : nil
        defer { if let plain { close(plain) } }
        return try SandboxedDecoder(hosts: hosts).decode(
            plain ?? file, format: format.rawValue, into: store, of: app, rowGroups: rowGroups, limits: limits)
    }

    /// A descriptor of a regular file with the bytes of a path; the caller closes it.
    static func descriptor(_ path: String) throws -> Int32 {
        if path == "-" { return try spooled(STDIN_FILENO, name: "standard input") }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError.last(path) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // A pipe or a device can be read once only; decoders go to and fro.
            defer { close(file) }
            return try spooled(file, name: path)
        }
        return file
    }

    private static func spooled(_ source: Int32, name: String) throws -> Int32 {
        let file = try TemporaryFile.open()
        do {
            try copy(source, name: name, to: file)
            return file
        } catch {
            close(file)
            throw error
        }
    }

    private static func copy(_ source: Int32, name: String, to file: Int32) throws(FileError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last(name) }
            guard count > 0 else { return }
            try FileWriting.write(Array(buffer.prefix(count)), to: file, named: "a temporary file")
        }
    }
}
