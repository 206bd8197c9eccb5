import Columns
import RealmFile

/// How a realm is written.
public struct WritingOptions {
    /// Makes an empty store for what has to be sorted; it is let go with the output.
    public var scratch: () throws -> any SegmentStore
    /// How a file is encrypted, for a format that can be; nil for a plain one.
    public var encryption: PageEncryption?
    /// The version of the format of a `.realm` file.
    public var fileFormat: WrittenFormat

    /// Options that every format has a use for, or takes no notice of.
    public init(
        scratch: @escaping () throws -> any SegmentStore = { MemorySegmentStore() }, encryption: PageEncryption? = nil,
        fileFormat: WrittenFormat = .current
    ) {
        self.scratch = scratch
        self.encryption = encryption
        self.fileFormat = fileFormat
    }
}
