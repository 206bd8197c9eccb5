import Columns
import RealmModel

@testable import RealmFile

/// A file, a change of its schema, and the file that is made of its leaves.
struct CopiedRealm {
    /// The changed realm by way of its values, and the file that was copied.
    let realm: WrittenRealm
    /// The changed realm by way of its values, and the file that was written of them.
    let decoded: WrittenRealm

    /// Copies a file.
    ///
    /// - Throws: `InputError` where the file can't be copied; `Unreadable` where it was, though it can't be read.
    init(_ file: [UInt8], changedBy change: (Snapshot) -> Snapshot) throws {
        let copied = try Self.copy(file, changedBy: change)
        let store = MemorySegmentStore()
        let source: Snapshot
        do {
            source = try file.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
        } catch {
            throw Unreadable(error: error)
        }
        decoded = try WrittenRealm(change(source), from: store)
        realm = try WrittenRealm(change(source), from: store, writtenAs: copied)
    }

    /// A file that can't be read was copied.
    struct Unreadable: Error {
        let error: any Error
    }

    /// The bytes of the copy.
    static func copy(
        _ file: [UInt8], endsPage: Bool = false, options: RealmFileWriter.Options = .init(),
        changedBy change: (Snapshot) -> Snapshot
    ) throws -> [UInt8] {
        try file.withUnsafeBytes {
            let copy = try RealmFileCopy(bytes: $0)
            var bytes: [UInt8] = []
            try copy.write(change(copy.outline), endsPage: endsPage, seed: 7, options: options) { bytes += $0 }
            return bytes
        }
    }
}
