import Columns
import Foundation
import MigrationAPI
import RealmJSON
import RealmModel

/// Reads JSON in this process; in the service a sandboxed child does that.
struct InProcessDecoder: UploadDecoder {
    func decode(
        format: UploadFormat, of app: RealmModel.UUID, fileDescriptor: Int32, encryptionKey: [UInt8]?,
        into store: any SegmentStore, limits: UploadLimits
    ) throws -> Snapshot {
        let source = FileSource(fileDescriptor)
        switch format {
        case .json: return try RealmJSONReader(source, into: store).read()
        case .ndjson: return try RealmNDJSONReader(source, into: store).read()
        case .realm:
            // The two ways in which a real file fails before anything is read of it.
            guard source.count >= 24 else { throw InputError(.notARealm, "This is no Realm file.") }
            guard encryptionKey == nil else {
                throw InputError(.wrongEncryptionKey, "The key does not fit the file.")
            }
            throw InputError(.notARealm, "This is no Realm file.")
        }
    }
}

struct FileSource: ByteSource {
    private let descriptor: Int32
    let count: Int

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
    }
}
