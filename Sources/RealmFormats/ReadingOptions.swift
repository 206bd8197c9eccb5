import Columns
import RealmFile

/// How a file is read.
public struct ReadingOptions {
    /// The size of the row groups that are written.
    public var rowGroups: RowGroupLimits
    /// The key of a file that may be encrypted.
    public var key: EncryptionKey?
    /// Whether a description says where the bytes of the file are.
    public var measuresSpace: Bool
    /// Where the plain bytes of an encrypted file are while they are read.
    public var plainMemory: any BlockMemory
    /// Makes an empty store for what is read again before the reading ends.
    public var scratch: () throws -> any SegmentStore = { MemorySegmentStore() }

    /// Options that every format has a use for, or takes no notice of.
    public init(
        rowGroups: RowGroupLimits = .standard, key: EncryptionKey? = nil, plainMemory: any BlockMemory = WholeMemory(),
        measuresSpace: Bool = false
    ) {
        self.rowGroups = rowGroups
        self.key = key
        self.plainMemory = plainMemory
        self.measuresSpace = measuresSpace
    }
}
