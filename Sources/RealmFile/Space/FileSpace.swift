/// Where the bytes of a `.realm` file are.
public struct FileSpace: Hashable, Sendable {
    /// Bytes of one property: its values, the collections among them, and its search index.
    public struct Property: Hashable, Sendable {
        /// The property's name.
        public var name: String
        /// Bytes of the values.
        public var valueBytes: Int
        /// Bytes of the search index; 0 where there is none.
        public var indexBytes: Int

        /// Describes a property.
        public init(name: String, valueBytes: Int = 0, indexBytes: Int = 0) {
            self.name = name
            self.valueBytes = valueBytes
            self.indexBytes = indexBytes
        }
    }

    /// Bytes of one class.
    public struct Class: Hashable, Sendable {
        /// The class's name.
        public var name: String
        /// The properties in the order of the file.
        public var properties: [Property]
        /// Bytes of what says which objects link to those of the class.
        public var backlinkBytes: Int
        /// Bytes of object keys, of deleted properties and of what holds the parts together.
        public var structureBytes: Int

        /// Describes a class.
        public init(name: String, properties: [Property], backlinkBytes: Int = 0, structureBytes: Int = 0) {
            self.name = name
            self.properties = properties
            self.backlinkBytes = backlinkBytes
            self.structureBytes = structureBytes
        }

        /// Bytes of the class in all.
        public var bytes: Int {
            properties.reduce(backlinkBytes + structureBytes) { $0 + $1.valueBytes + $1.indexBytes }
        }
    }

    /// Bytes of the (decrypted) file.
    public var fileBytes: Int
    /// The classes in the order of the file.
    public var classes: [Class]
    /// Bytes of the changes that the file remembers.
    public var historyBytes: Int
    /// Bytes of Realm's own tables, of the lists of free space, and of the file's header.
    public var ownBytes: Int

    /// Describes a file.
    public init(fileBytes: Int, classes: [Class] = [], historyBytes: Int = 0, ownBytes: Int = 0) {
        self.fileBytes = fileBytes
        self.classes = classes
        self.historyBytes = historyBytes
        self.ownBytes = ownBytes
    }

    /// Bytes of the classes.
    public var liveBytes: Int { classes.reduce(0) { $0 + $1.bytes } }
    /// Bytes that nothing of the current version takes: free, or held for readers of an earlier one.
    public var unusedBytes: Int { max(fileBytes - liveBytes - historyBytes - ownBytes, 0) }
    /// About the bytes that a rewritten file saves: all that is not of a class.
    public var savedByRewriting: Int { max(fileBytes - liveBytes, 0) }
}
