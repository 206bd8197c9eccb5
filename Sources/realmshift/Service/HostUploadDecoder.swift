import Columns
import MigrationAPI
import RealmModel
import Sandbox

/// Decodes uploads in sandboxed children of this program.
struct HostUploadDecoder: UploadDecoder {
    let hosts: HostPool

    func decode(
        format: UploadFormat, of app: RealmModel.UUID, fileDescriptor: Int32, encryptionKey: [UInt8]?,
        into store: any SegmentStore, limits: UploadLimits
    ) throws -> Snapshot {
        do {
            guard let format = RealmFormat(rawValue: format.rawValue) else {
                throw InputError(.unsupportedFormat, "There is no decoder for \(format.mediaType).")
            }
            return try RealmInput.decode(
                fileDescriptor, format: format, key: encryptionKey, into: store, of: app, by: hosts,
                limits: HostLimits(timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes))
        } catch HostFailure.timeLimit {
            throw InputError(.tooLarge, "Decoding the upload took longer than \(limits.timeoutSeconds) seconds.")
        } catch HostFailure.memoryLimit {
            throw InputError(.tooLarge, "Decoding the upload took more than \(limits.memoryBytes) bytes of memory.")
        }
    }
}
