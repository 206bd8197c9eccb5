import Columns
import RealmFile

/// A form in which a realm comes and goes: what it is called, and how it is read and written.
public struct RealmFormat: Sendable {
    /// Reads a realm from the whole bytes of a file, and its objects into a store.
    ///
    /// Throws `InputError` where the bytes are at fault, and what the store throws. Memory is bounded, whatever the
    /// size of the file.
    public typealias Reader =
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ options: ReadingOptions, _ store: any SegmentStore) throws ->
        DecodedRealm
    /// Prepares to write a snapshot whose segments are in a store.
    public typealias Writer =
        @Sendable (_ snapshot: Snapshot, _ store: any SegmentStore, _ options: WritingOptions) -> Chunks
    /// The next bytes of what is written; nil after the last.
    ///
    /// Throws what the store throws.
    public typealias Chunks = () throws -> [UInt8]?
    /// Describes a file without reading its objects.
    public typealias Summarizer =
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ options: ReadingOptions) throws -> RealmFileSummary

    /// Writes a file of the format out of the parts of another one, for a migration that changes no value.
    ///
    /// - Parameters:
    ///   - change: makes the result of the file's description, a snapshot whose segments nobody has; nil where values are needed.
    ///   - endsPage: whether what is written will be encrypted.
    ///   - seed: a number that nobody can know.
    ///   - send: takes the bytes, in order.
    /// - Throws: `InputError` where the file has to be read, whatever was sent; what the functions throw.
    public typealias Copier =
        @Sendable (
            _ bytes: UnsafeRawBufferPointer, _ options: ReadingOptions, _ endsPage: Bool, _ seed: UInt64,
            _ change: (Snapshot) throws -> Snapshot?, _ send: @escaping ([UInt8]) throws -> Void
        ) throws -> Void

    /// Its name in options and file names, in lower case.
    public let name: String
    /// The media type, in lower case and without parameters.
    public let mediaType: String
    /// The ending of its files' names, behind the dot.
    public let fileEnding: String
    /// Whether its files can be encrypted with a key of Realm's; any other format takes no notice of one.
    public let isEncryptable: Bool
    /// Whether it can say of an object that it lacks a required value, as some of a synced realm may.
    public let holdsUnsynced: Bool
    /// The file of a class by itself, for an archive of a file per class; nil for any other format.
    public let classFile: ClassFileType?
    /// Reads; nil for a format that is written alone.
    public let read: Reader?
    /// Reads of a damaged file what can be read; nil for a format of which nothing is read behind the first mistake.
    public let rescue: Reader?
    /// Describes; nil where nothing is known of a file before it is read.
    public let summarize: Summarizer?
    /// Writes; nil for a format that is read alone.
    public let write: Writer?
    /// Writes out of parts of another file; nil where all values are read.
    public let copy: Copier?

    /// Describes a format.
    public init(
        _ name: String, mediaType: String, fileEnding: String? = nil, isEncryptable: Bool = false,
        holdsUnsynced: Bool = false, classFile: ClassFileType? = nil, read: Reader? = nil, rescue: Reader? = nil,
        summarize: Summarizer? = nil,
        write: Writer? = nil, copy: Copier? = nil
    ) {
        self.name = name
        self.mediaType = mediaType
        self.fileEnding = fileEnding ?? name
        self.isEncryptable = isEncryptable
        self.holdsUnsynced = holdsUnsynced
        self.classFile = classFile
        self.read = read
        self.rescue = rescue
        self.summarize = summarize
        self.write = write
        self.copy = copy
    }
}

extension RealmFormat: Hashable {
    /// Whether two bear the same name.
    public static func == (one: RealmFormat, other: RealmFormat) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The file of one class, where a format has a file per class.
public struct ClassFileType: Hashable, Sendable {
    /// The media type, in lower case and without parameters.
    public let mediaType: String
    /// The ending of such files' names, behind the dot.
    public let fileEnding: String

    /// Describes the file of one class.
    public init(mediaType: String, fileEnding: String) {
        self.mediaType = mediaType
        self.fileEnding = fileEnding
    }
}
