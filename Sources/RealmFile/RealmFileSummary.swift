import RealmModel

/// A `.realm` file in short, without its objects.
public struct RealmFileSummary: Hashable, Sendable {
    /// The kind of history that the file keeps.
    public enum History: String, Hashable, Sendable {
        case none
        /// Kept in a file beside it, as long ago.
        case outOfRealm
        /// The changesets of a local realm.
        case inRealm
        case syncClient
        case syncServer
        /// A kind that no released Realm writes.
        case unknown

        init(stored: Int64) {
            let kinds: [History] = [.none, .outOfRealm, .inRealm, .syncClient, .syncServer]
            self = Int(exactly: stored).flatMap { kinds.indices.contains($0) ? kinds[$0] : nil } ?? .unknown
        }
    }

    /// A class and its size.
    public struct Class: Hashable, Sendable {
        /// The stored schema.
        public var schema: ObjectSchema
        /// The number of objects that the file says it has.
        public var objectCount: Int

        /// Describes a class.
        public init(schema: ObjectSchema, objectCount: Int) {
            self.schema = schema
            self.objectCount = objectCount
        }
    }

    /// The version of the file format; 0 in a file that no program has written to yet.
    public var formatVersion: Int
    /// Bytes of the file.
    public var fileBytes: Int
    /// Whether the file is in the compact form that is written in one go.
    public var isStreaming: Bool
    /// Whether the file is encrypted.
    public var isEncrypted: Bool
    /// The schema version; nil where the file was never given one.
    public var schemaVersion: UInt64?
    /// The number of the transaction that wrote the file last; 0 in a file without tables.
    public var snapshotVersion: Int64
    /// The kind of history that the file keeps.
    public var history: History
    /// As in `ReadingReport`.
    public var unsentChangesets: Int?
    /// Bytes that the file keeps free for later.
    public var freeBytes: Int
    /// Where the bytes are; nil where that was not asked for.
    public var space: FileSpace?
    /// The classes in the order of the file; Realm's own tables are not among them.
    public var classes: [Class]

    /// Describes a file.
    public init(
        formatVersion: Int, fileBytes: Int, isStreaming: Bool = false, isEncrypted: Bool = false,
        schemaVersion: UInt64? = nil, snapshotVersion: Int64 = 0, history: History = .none,
        unsentChangesets: Int? = nil,
        freeBytes: Int = 0,
        classes: [Class] = []
    ) {
        self.formatVersion = formatVersion
        self.fileBytes = fileBytes
        self.isStreaming = isStreaming
        self.isEncrypted = isEncrypted
        self.schemaVersion = schemaVersion
        self.snapshotVersion = snapshotVersion
        self.history = history
        self.unsentChangesets = unsentChangesets
        self.freeBytes = freeBytes
        self.classes = classes
    }
}
