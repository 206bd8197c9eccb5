/// The finds and losses of a rescue: classes, properties and object keys, never a value of an object.
public struct RescueReport: Hashable, Sendable {
    /// How the top array was found that the realm was read from.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// The header names it as the current one.
        case current
        /// The header has it in its other place: the commit before, or a newer one that the header does not call current.
        case other
        /// The end of the file names it, and the header does not.
        case footer
        /// It was found among the nodes of the file: an earlier commit, or one that nothing refers to any more.
        case scan
        /// There is none any more: tables were found one by one among the nodes of the file.
        case tables
        /// There is none: the file says that it is empty.
        case none
    }

    /// Why objects did not come back.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The node that holds them, or one that leads to it, can't be read.
        case unreadable
        /// Their keys are not in the order that the tree of objects has.
        case keyOutOfOrder
        /// A value that they are required to have can't be read.
        case requiredValue
        /// Their primary key can't be read.
        case primaryKey
        /// Another object has their primary key, and comes first.
        case duplicatePrimaryKey
        /// They are embedded, and not in exactly one object.
        case owner
    }

    /// Objects of a class that did not come back for one reason.
    public struct LostObjects: Hashable, Sendable {
        /// Why.
        public var reason: Reason
        /// The property whose value can't be read, where that is the reason.
        public var property: String?
        /// How many.
        ///
        /// For objects in nodes that can't be read this is the number that the file gives less those that were found.
        public var count: Int
        /// Their keys; keys that objects may have had, where the objects are not known themselves.
        public var keys: KeyRanges

        /// Objects of one reason; none yet, by default.
        public init(reason: Reason, property: String? = nil, count: Int = 0, keys: KeyRanges = KeyRanges()) {
            self.reason = reason
            self.property = property
            self.count = count
            self.keys = keys
        }
    }

    /// The losses of a property, in objects that came back.
    public struct Property: Hashable, Sendable {
        /// The stored name.
        public var name: String
        /// Values that can't be read and are null, and collections of which nothing can be read and that are empty.
        public var lostValues: Int
        /// Elements that can't be read, or that a set has twice, of collections that came back without them.
        public var lostElements: Int
        /// Links to objects that are not there: null, or left out of their collection.
        public var brokenLinks: Int
        /// The keys of the objects.
        public var keys: KeyRanges
        /// Values that came back and may not be what was there: their bytes stand in a long run of zeros, or in a page
        /// that is not the one that belongs there, or a text of them was no valid UTF-8.
        public var suspectValues = 0
        /// The keys of their objects.
        public var suspectKeys = KeyRanges()

        /// The losses of a property; none yet, by default.
        public init(
            name: String, lostValues: Int = 0, lostElements: Int = 0, brokenLinks: Int = 0,
            keys: KeyRanges = KeyRanges()
        ) {
            self.name = name
            self.lostValues = lostValues
            self.lostElements = lostElements
            self.brokenLinks = brokenLinks
            self.keys = keys
        }

        /// Whether all was read.
        public var isWhole: Bool { lostValues == 0 && lostElements == 0 && brokenLinks == 0 }
    }

    /// One class.
    public struct Class: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The objects that the file says it has; nil where that can't be read.
        public var expected: Int?
        /// The objects that came back.
        public var read = 0
        /// The objects that did not, a reason each.
        public var lost: [LostObjects] = []
        /// The properties of which something was lost.
        public var properties: [Property] = []
        /// Properties whose description can't be used: none of the objects has them.
        public var lostProperties: [String] = []
        /// Objects that came back, and of which the bytes that say which they are may not be what was there.
        public var suspectObjects = 0
        /// Their keys.
        public var suspectKeys = KeyRanges()
        /// Whether bytes that describe the class may not be what was there: all of it is suspect.
        public var isDescriptionSuspect = false

        /// A class of which nothing was read yet.
        public init(name: String, expected: Int? = nil) {
            self.name = name
            self.expected = expected
        }

        /// How many objects did not come back.
        public var lostCount: Int { lost.reduce(0) { $0 + $1.count } }
        /// Whether nothing was lost.
        public var isWhole: Bool {
            lost.isEmpty && properties.allSatisfy(\.isWhole) && lostProperties.isEmpty && expected != nil
        }
        /// Whether anything that came back may not be what was there.
        public var hasSuspects: Bool {
            isDescriptionSuspect || suspectObjects > 0 || properties.contains { $0.suspectValues > 0 }
        }
    }

    /// A commit that was left for an older one, because too little of it can be read.
    public struct NewerCommit: Hashable, Sendable {
        /// Bytes from the start of the (decrypted) file to its top array.
        public var topRef: Int64
        /// The number of the transaction that wrote it; nil where its top array can't be read.
        public var snapshotVersion: Int64?
        /// The objects that it says it has; nil where that can't be read.
        public var expected: Int?
        /// About how many of them can be read; one of which half of the properties can is half an object.
        public var readable: Int

        /// A commit of which nothing can be read, by default.
        public init(topRef: Int64, snapshotVersion: Int64? = nil, expected: Int? = nil, readable: Int = 0) {
            self.topRef = topRef
            self.snapshotVersion = snapshotVersion
            self.expected = expected
            self.readable = readable
        }
    }

    /// Where the realm was read from.
    public var source: Source
    /// Bytes from the start of the (decrypted) file to the top array; 0 where there is none.
    public var topRef: Int64
    /// The number of the transaction that wrote it; 0 where that can't be read.
    public var snapshotVersion: Int64
    /// The version of the file format, as the header says or, where it says nothing of use, the newest.
    public var formatVersion: Int
    /// The newest commit that the file tells of, where an older one was read; nil where none is known.
    public var newerCommit: NewerCommit?
    /// Pages of an encrypted file that are not the ones that were written.
    public var damagedPages = 0
    /// Nodes that something refers to and that can't be read or believed, those that hold no objects included.
    public var damagedNodes = 0
    /// Whether the file's own state can't be read whole: its transaction, its history, and what never reached a server.
    public var isOwnStateLost = false
    /// Whether the schema version can't be read.
    public var isSchemaVersionLost = false
    /// Whether the schema version may not be what was there.
    public var isSchemaVersionSuspect = false
    /// Classes of which nothing can be read, by name; those whose names are lost, too, are not among them.
    public var lostClasses: [String] = []
    /// Tables of which neither the name nor anything else can be read.
    public var lostTables = 0
    /// The classes that came back.
    public var classes: [Class] = []

    /// A report of a realm that was read from a place of the file.
    public init(source: Source, topRef: Int64 = 0, snapshotVersion: Int64 = 0, formatVersion: Int = 0) {
        self.source = source
        self.topRef = topRef
        self.snapshotVersion = snapshotVersion
        self.formatVersion = formatVersion
    }

    /// The objects that came back.
    public var readCount: Int { classes.reduce(0) { $0 + $1.read } }
    /// The objects that are known to be lost.
    public var lostCount: Int { classes.reduce(0) { $0 + $1.lostCount } }
    /// Whether anything that came back may not be what was there.
    public var hasSuspects: Bool { isSchemaVersionSuspect || classes.contains(where: \.hasSuspects) }
    /// Whether the header has a newer commit beside the one that it calls current, and that one was read.
    public var isNewerThanCurrent: Bool { source == .other && newerCommit == nil }
    /// Whether all that the file's newest commit leads to was read and is believed.
    ///
    /// Of a newer commit beside the current one that can't be said: a bit of its number may be damaged as well as that of the header.
    public var isWhole: Bool {
        (source == .current || source == .none) && damagedNodes == 0 && !isOwnStateLost
            && !isSchemaVersionLost && lostClasses.isEmpty && lostTables == 0 && classes.allSatisfy(\.isWhole)
            && !hasSuspects
    }
}

extension RescueReport.Class {
    /// Counts an object that does not come back.
    mutating func lose(_ key: Int64, _ reason: RescueReport.Reason, property: String? = nil) {
        let index = place(of: reason, property)
        lost[index].count += 1
        lost[index].keys.insert(key)
    }

    /// Counts objects whose keys are not known beyond where they are.
    mutating func lose(_ count: Int, within keys: KeyRanges.KeyRange, _ reason: RescueReport.Reason) {
        let index = place(of: reason, nil)
        lost[index].count += count
        lost[index].keys.insert(keys)
    }

    /// Takes down keys that objects may have had, in nodes that can't be read.
    mutating func loseKeys(_ range: KeyRanges.KeyRange) {
        lost[place(of: .unreadable, nil)].keys.insert(range)
    }

    /// Counts objects of which nothing but their number is known.
    mutating func loseUnread(_ count: Int) {
        lost[place(of: .unreadable, nil)].count += count
    }

    /// Counts an object that comes back and is suspect.
    mutating func suspect(_ key: Int64) {
        suspectObjects += 1
        suspectKeys.insert(key)
    }

    private mutating func place(of reason: RescueReport.Reason, _ property: String?) -> Int {
        if let index = lost.firstIndex(where: { $0.reason == reason && $0.property.hasSameBytes(as: property) }) {
            return index
        }
        lost.append(RescueReport.LostObjects(reason: reason, property: property))
        return lost.count - 1
    }
}

extension RescueReport.Property {
    /// Counts what was lost in an object.
    mutating func lose(_ key: Int64, values: Int = 0, elements: Int = 0, links: Int = 0) {
        lostValues += values
        lostElements += elements
        brokenLinks += links
        keys.insert(key)
    }
}
