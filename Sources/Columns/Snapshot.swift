import RealmModel

/// A realm at one moment, immutable: what a Realm file holds, and the view that its declared schema gives.
public struct Snapshot: Hashable, Sendable {
    /// The schema version; nil where the realm was never given one.
    public var schemaVersion: UInt64?
    /// The classes and properties that the last declaration shows; each has a stored class and column.
    public var declared: Schema
    /// Everything stored, classes and properties that the declared schema leaves out included.
    public var classes: [StoredClass] {
        @inlinable _read { yield list }
        // In place: observers would copy the list with each class that changes.
        @inlinable _modify {
            defer { forgetPlaces() }
            yield &list
        }
    }
    @usableFromInline var list: [StoredClass]
    private var places: NamePlaces

    /// Puts a snapshot together.
    public init(schemaVersion: UInt64?, declared: Schema, classes: [StoredClass]) {
        self.schemaVersion = schemaVersion
        self.declared = declared
        list = classes
        places = NamePlaces(count: classes.count)
    }

    @usableFromInline mutating func forgetPlaces() { places.forget(count: list.count) }

    /// The stored schema: what Realm finds when it opens the file without a declaration.
    public var storedSchema: Schema { Schema(classes.map(\.schema)) }

    /// How many objects lack a value that their class requires.
    public var unsyncedCount: Int { classes.reduce(0) { $0 + $1.unsyncedCount } }

    /// The stored class of a name.
    public subscript(_ name: String) -> StoredClass? {
        places.place(of: name, in: classes, by: \.schema.name).map { classes[$0] }
    }

    /// Whether both say the same.
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.schemaVersion == rhs.schemaVersion && lhs.declared == rhs.declared && lhs.classes == rhs.classes
    }

    /// Hashes all that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(schemaVersion)
        hasher.combine(declared)
        hasher.combine(classes)
    }
}

/// One class of a snapshot: its stored schema, its row groups and a column for each of its properties.
public struct StoredClass: Hashable, Sendable {
    /// The stored properties in column order; linking objects have no column and are not among them.
    public var schema: ObjectSchema
    /// The number that the next object's key is made of; never goes back, so that no key is used twice.
    public var nextSequence: Int64
    /// The objects that are not deleted.
    public var objectCount: Int
    /// How many of them lack a value that the class requires: a synced realm leaves such objects out until they are filled.
    public var unsyncedCount: Int
    /// Where the list of row groups is kept; nil where the class has no rows.
    public var rowGroups: SegmentID?
    /// The object keys, one a row.
    public var keys: Column
    /// The columns, in the order of `schema.properties`.
    public var columns: [Column]
    /// The changes since the row groups were written, in order; the row groups and columns are without them, the counts are
    /// with them.
    public var patches: [Patch]

    /// Puts a class together.
    public init(
        schema: ObjectSchema, nextSequence: Int64, objectCount: Int, unsyncedCount: Int = 0, rowGroups: SegmentID?,
        keys: Column, columns: [Column], patches: [Patch] = []
    ) {
        self.patches = patches
        self.schema = schema
        self.nextSequence = nextSequence
        self.objectCount = objectCount
        self.unsyncedCount = unsyncedCount
        self.rowGroups = rowGroups
        self.keys = keys
        self.columns = columns
    }

    /// A class without objects, each column the constant that Realm gives the property by itself.
    public init(empty schema: ObjectSchema) {
        var stored = schema
        stored.properties = schema.persistedProperties
        self.init(
            schema: stored, nextSequence: 0, objectCount: 0, rowGroups: nil, keys: .constant(.int(0)),
            columns: stored.properties.map { .constant($0.initialValue) })
    }
}
