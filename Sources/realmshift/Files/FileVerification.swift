import Columns
import FileStore
import Glibc
import RealmExport
import RealmFile
import RealmFormats

/// Compares a file with the realm that it is said to be an export of: by its bytes, which follow from the realm alone.
///
/// Nothing that is not in the realm passes. A file that another version of this program wrote, or one that was packed anew, may
/// differ though it has the same values.
struct FileVerification {
    private let path: String
    private let format: RealmFormat

    init(_ path: String, as format: RealmFormat) {
        self.path = path
        self.format = format
    }

    /// The first difference; nil where there is none.
    ///
    /// - Throws: `FileError`; what the writer and the store throw.
    func difference(from snapshot: Snapshot, _ store: any SegmentStore) throws -> ExportDifference? {
        guard let write = format.write else { preconditionFailure("\(format.name) can't be written.") }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError.last(path) }
        defer { close(file) }
        let options = WritingOptions(
            scratch: { try FileSegmentStore() }, encryption: nil, fileFormat: .current, export: ExportOptions(),
            makeFile: { try TemporaryFile.named() })
        let next = write(snapshot, store, options)
        // Of an archive, the file in it that the bytes belong to.
        var part = path
        while let chunk = try next() {
            part = Self.name(ofEntryAt: chunk) ?? part
            guard try read(chunk.count, from: file) == chunk else { return Self.difference(in: part) }
        }
        return try read(1, from: file).isEmpty ? nil : Self.difference(in: path)
    }

    private static func difference(in part: String) -> ExportDifference {
        ExportDifference(kind: .bytes, table: part, column: nil, count: nil)
    }

    /// The next bytes of the file: as many, or fewer at its end.
    private func read(_ count: Int, from file: Int32) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let taken = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress.map { $0 + done }, count - done)
            }
            if taken < 0 && errno == EINTR { continue }
            guard taken >= 0 else { throw .last(path) }
            guard taken > 0 else { break }
            done += taken
        }
        return Array(bytes.prefix(done))
    }

    /// The name in a local file header (PKWARE's APPNOTE 6.3, section 4.3.7), with which each file of an archive begins.
    private static func name(ofEntryAt chunk: [UInt8]) -> String? {
        guard chunk.count > 30, chunk.starts(with: [0x50, 0x4b, 0x03, 0x04]) else { return nil }
        let length = Int(chunk[26]) | Int(chunk[27]) << 8
        guard chunk.count >= 30 + length else { return nil }
        return String(decoding: chunk[30..<(30 + length)], as: UTF8.self)
    }
}
