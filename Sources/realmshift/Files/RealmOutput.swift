import Columns
import Foundation
import RealmJSON
import RealmModel

/// A realm written to a file or to standard output.
enum RealmOutput {
    /// Refuses a format that is read only, before any work is done.
    ///
    /// - Throws: `InputError` of `unsupportedFormat`.
    static func checkWritable(_ format: RealmFormat) throws(InputError) {
        guard format == .realm else { return }
        throw InputError(.unsupportedFormat, "Realm files are read but not written yet: write .json or .ndjson.")
    }

    /// Writes a snapshot; a file appears under its name only when it is whole.
    static func write(_ snapshot: Snapshot, from store: any SegmentStore, to path: String, format: RealmFormat) throws {
        var writer = RealmJSONWriter(snapshot, from: store, format: format == .ndjson ? .ndjson : .json)
        try replace(path) { file in
            while let chunk = try writer.next() { try append(chunk, to: file, path: path) }
        }
    }

    private static func replace(_ path: String, _ body: (Int32) throws -> Void) throws {
        if path == "-" { return try body(STDOUT_FILENO) }
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

    private static func append(_ bytes: [UInt8], to file: Int32, path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FileError.last(path) }
            rest = rest.dropFirst(count)
        }
    }
}
