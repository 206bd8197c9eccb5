import Columns
import RealmExport
import RealmFile

/// How a realm is written.
public struct WritingOptions {
    /// Makes an empty store for what has to be sorted; it is let go with the output.
    public var scratch: () throws -> any SegmentStore
    /// How a file is encrypted, for a format that can be; nil for a plain one.
    public var encryption: PageEncryption?
    /// The version of the format of a `.realm` file.
    public var fileFormat: WrittenFormat
    /// The forms of values in formats of other databases.
    public var export: ExportOptions
    /// The class whose file is written alone, for a format that has a file per class; nil for all.
    public var className: String?
    /// Makes an empty file and names it, for a format that comes about in one.
    ///
    /// The writer removes it. Nil for memory.
    public var makeFile: (() throws -> String)?

    /// Options that every format has a use for, or takes no notice of.
    public init(
        scratch: @escaping () throws -> any SegmentStore = { MemorySegmentStore() }, encryption: PageEncryption? = nil,
        fileFormat: WrittenFormat = .current, export: ExportOptions = ExportOptions(),
        className: String? = nil, makeFile: (() throws -> String)? = nil
    ) {
        self.export = export
        self.className = className
        self.makeFile = makeFile
        self.scratch = scratch
        self.encryption = encryption
        self.fileFormat = fileFormat
    }
}
