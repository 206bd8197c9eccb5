import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel

/// A realm written to a file or to standard output.
enum RealmOutput {
    /// Writes a snapshot; a file appears under its name only when it is whole.
    ///
    /// - Parameter key: encrypts a `.realm` file; other formats have no encryption.
    static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, to path: String, format: RealmFormat, key: EncryptionKey?
    ) throws {
        try replace(path) { file in
            let next = chunks(of: snapshot, from: store, format: format, key: key)
            while let chunk = try next() { try append(chunk, to: file, path: path) }
        }
    }

    /// The bytes of a snapshot in a format, chunk by chunk.
    private static func chunks(
        of snapshot: Snapshot, from store: any SegmentStore, format: RealmFormat, key: EncryptionKey?
    ) -> () throws -> [UInt8]? {
        switch format {
        case .realm:
            let encryption = key.map { PageEncryption(key: $0, counter: .random(in: PageEncryption.counters)) }
            var writer = RealmFileWriter(
                snapshot, from: store, scratch: { try FileSegmentStore() }, options: .init(encryption: encryption))
            return { try writer.next() }
        case .json, .ndjson:
            var writer = RealmJSONWriter(snapshot, from: store, format: format == .ndjson ? .ndjson : .json)
            return { try writer.next() }
        }
    }

    private static func replace(_ path: String, _ body: (Int32) throws -> Void) throws {
        if path == "-" { return try body(STDOUT_FILENO) }
        var status = stat()
        // A device or a pipe is written to; putting a file in its place would take it away from everybody.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return try write(to: path, body) }
        let partial = path + ".partial"
        let file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw FileError.last(partial) }
        do {
            defer { close(file) }
            try body(file)
        } catch {
            unlink(partial)
            throw error
        }
        guard rename(partial, path) == 0 else { throw FileError.last(path) }
    }

    private static func write(to path: String, _ body: (Int32) throws -> Void) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError.last(path) }
        defer { close(file) }
        try body(file)
    }

    private static func append(_ bytes: [UInt8], to file: Int32, path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FileError.last(path) }
            rest = rest.dropFirst(count)
        }
    }
}
