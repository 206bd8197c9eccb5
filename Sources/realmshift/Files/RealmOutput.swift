import Columns
import FileStore
import RealmExport
import RealmFile
import RealmFormats

/// A realm written to a file or to standard output.
enum RealmOutput {
    /// Writes a snapshot.
    ///
    /// - Parameters:
    ///   - format: one that can be written.
    ///   - fileFormat: the version of a `.realm` file.
    ///   - key: encrypts a format that can be; others take no notice of it.
    ///   - export: what values become in formats of other databases.
    /// - Returns: the number of bytes.
    static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, to output: OutputFile, format: RealmFormat,
        key: EncryptionKey?, fileFormat: WrittenFormat = .current, export: ExportOptions = ExportOptions()
    ) throws -> Int {
        guard let write = format.write else { preconditionFailure("\(format.name) can't be written.") }
        let options = WritingOptions(
            scratch: { try FileSegmentStore() },
            encryption: encryption(by: key),
            fileFormat: fileFormat, export: export, makeFile: { try TemporaryFile.named() })
        return try output.write { append in
            let next = write(snapshot, store, options)
            while let chunk = try next() { try append(chunk) }
        }
    }

    /// How a file is encrypted with a key; nil without one.
    static func encryption(by key: EncryptionKey?) -> PageEncryption? {
        key.map { PageEncryption(key: $0, counter: .random(in: PageEncryption.counters)) }
    }
}
