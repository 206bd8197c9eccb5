import Columns
import Foundation
import RealmFile
import RealmFormats
import RealmModel

/// Reads in this process; in the service a sandboxed child does that.
struct InProcessDecoder: RealmDecoder {
    func decode(
        _ file: Int32, as format: RealmFormat, rescuing: Bool, key: EncryptionKey?, into store: any SegmentStore,
        of app: RealmModel.UUID?, rowGroups: RowGroupLimits, limits: DecodingLimits
    ) throws -> DecodedRealm {
        var status = stat()
        guard fstat(file, &status) == 0, let read = rescuing ? format.rescue : format.read else {
            throw InputError(.unsupportedFormat, "There is nothing to read.")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard pread(file, &bytes, bytes.count, 0) == bytes.count else {
            throw InputError(.truncated, "The file is shorter than it was.")
        }
        return try bytes.withUnsafeBytes { try read($0, ReadingOptions(rowGroups: rowGroups, key: key), store) }
    }
}
