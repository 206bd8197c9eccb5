import Columns
import RealmModel

/// The formats that a realm is uploaded in.
public enum UploadFormat: String, Hashable, Sendable, CaseIterable {
    /// A Realm file, `application/x-realm`.
    case realm
    /// Realm JSON, `application/json`.
    case json
    /// A line an object, `application/x-ndjson`.
    case ndjson

    /// The media type that names the format.
    public var mediaType: String {
        switch self {
        case .realm: MediaType.realm
        case .json: MediaType.json
        case .ndjson: MediaType.ndjson
        }
    }
}

/// What decoding an upload may take.
public struct UploadLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle decoder takes.
    public var memoryBytes: Int

    /// Sets both limits.
    public init(timeoutSeconds: Double = 3600, memoryBytes: Int = 1 << 30) {
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
    }
}

/// Decodes untrusted bytes into columns, apart from this process where a fault in a decoder must not cost the service.
public protocol UploadDecoder: Sendable {
    /// Decodes an upload and waits for the end.
    ///
    /// - Parameters:
    ///   - format: what the bytes are said to be.
    ///   - app: whose upload it is: nothing that one app's upload could leave behind meets another's.
    ///   - fileDescriptor: a regular file of the bytes, at its start; stays open and the caller's.
    ///   - encryptionKey: 64 bytes, for an encrypted Realm file.
    ///   - store: takes the segments; used by the calling thread alone.
    ///   - limits: what the decoding may take.
    /// - Throws: `InputError` where the bytes are at fault, what the store throws, and anything else where the decoder
    ///   failed by itself.
    func decode(
        format: UploadFormat, of app: RealmModel.UUID, fileDescriptor: Int32, encryptionKey: [UInt8]?,
        into store: any SegmentStore, limits: UploadLimits
    ) throws -> Snapshot
}
