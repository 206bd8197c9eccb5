import Columns
import RealmFile
import RealmModel

/// Decodes files of strangers, apart from this process where a fault in a decoder must not cost it.
public protocol RealmDecoder: Sendable {
    /// Decodes a file and waits for the end.
    ///
    /// - Parameters:
    ///   - file: a descriptor of a regular file, from its start; stays open and the caller's.
    ///   - format: what the bytes are said to be; one that can be read.
    ///   - rescuing: whether a damaged file is read past the damage, of a format that can be; the report says what was lost.
    ///   - key: of a file that may be encrypted.
    ///   - store: takes the segments; used by the calling thread alone.
    ///   - app: whose file it is: nothing that one app's file could leave behind meets another's. Nil for a file that is
    ///     to meet nothing at all.
    ///   - rowGroups: the size of row groups.
    ///   - limits: what the decoding may take.
    /// - Throws: `InputError` where the bytes are at fault or take more than the limits, what the store throws, and
    ///   anything else where the decoder failed by itself.
    func decode(
        _ file: Int32, as format: RealmFormat, rescuing: Bool, key: EncryptionKey?, into store: any SegmentStore,
        of app: UUID?,
        rowGroups: RowGroupLimits, limits: DecodingLimits
    ) throws -> DecodedRealm
}

/// The limits of decoding a file.
public struct DecodingLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle decoder takes.
    public var memoryBytes: Int

    /// Sets both limits.
    public init(timeoutSeconds: Double = 3600, memoryBytes: Int = 384 << 20) {
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
    }
}
