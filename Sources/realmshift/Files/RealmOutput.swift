import Columns
import RealmFile
import RealmJSON
import RealmModel

/// A realm written to a file or to standard output.
enum RealmOutput {
    /// Writes a snapshot.
    ///
    /// - Parameter key: encrypts a `.realm` file; other formats have no encryption.
    /// - Returns: the number of bytes.
    static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, to output: OutputFile, format: RealmFormat,
        key: EncryptionKey?
    ) throws -> Int {
        try output.write { append in
            let next = chunks(of: snapshot, from: store, format: format, key: key)
            while let chunk = try next() { try append(chunk) }
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
}
