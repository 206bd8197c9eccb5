import Columns
import RealmModel

/// Single objects of a snapshot as Realm JSON, found by object key or primary key.
///
/// Belongs to one thread at a time, as its store does. The text counts as memory that is held (`WorkBudget`).
public final class ObjectJSON {
    private let writer: ObjectWriter
    private let leavesOutUnsynced: Bool
    private let includesEmbedded: Bool

    /// One object and its key.
    public struct Object: Hashable, Sendable {
        /// The object key; pages go on behind the last.
        public let key: ObjectKey
        /// The object's text.
        public let bytes: [UInt8]
    }

    /// Opens a snapshot.
    ///
    /// - Parameters:
    ///   - leavesOutUnsynced: whether objects that lack a required value count as not there, and links to what is not
    ///     there or not declared as links to nothing, as for clients of a synced realm.
    ///   - includesEmbedded: whether objects of embedded classes are found by their keys, too.
    public init(
        _ snapshot: Snapshot, from store: any SegmentStore, leavesOutUnsynced: Bool = false,
        includesEmbedded: Bool = false
    ) {
        self.leavesOutUnsynced = leavesOutUnsynced
        self.includesEmbedded = includesEmbedded
        writer = ObjectWriter(
            snapshot, store: store, hidesLinks: leavesOutUnsynced, cacheByteLimit: 16 << 20)
    }

    /// The object of a key; nil where the declared schema has no such class or the class no such object.
    public func object(_ key: ObjectKey, ofClass name: String) throws -> Object? {
        guard let view = try declaredView(of: name), let (group, row) = try writer.find(key.value, in: view),
            try unsyncedRows(of: group)?[row] != true
        else { return nil }
        return try object(row, of: group)
    }

    /// The text of the object of a primary key, as `keyedObject` finds it.
    public func object(primaryKey value: Value, ofClass name: String) throws -> [UInt8]? {
        try keyedObject(primaryKey: value, ofClass: name)?.bytes
    }

    /// The object that a text in a path names: by its primary key where the class has one, else by its object key.
    ///
    /// Only the text that Realm JSON writes for a key names its object, so that an object has one path.
    public func object(named text: String, ofClass name: String) throws -> Object? {
        guard let declared = writer.snapshot.declared[name] else { return nil }
        guard declared.primaryKey == nil else {
            return try primaryKey(text, ofClass: name).flatMap { try keyedObject(primaryKey: $0, ofClass: name) }
        }
        return try Self.canonical(text, Int64.init).flatMap { try object(ObjectKey($0), ofClass: name) }
    }

    /// The object of a primary key; nil where there is none, or the value is none that a primary key can have.
    ///
    /// Asks the store's index where it has one; else reads the primary key's column up to the object.
    public func keyedObject(primaryKey value: Value, ofClass name: String) throws -> Object? {
        guard let view = try declaredView(of: name), let property = view.primaryKey else { return nil }
        let rows = try property.column.flatMap {
            try view.reader.rows(withPrimaryKey: value, property: $0)
        }
        if let rows { return try object(among: rows, of: view, property, value) }
        for number in view.reader.rowGroups.indices {
            try view.reader.willRead(keys: false, [property].compactMap(\.column), inGroup: number)
            let group = RowGroupView(view, group: number)
            for row in try group.column(property).rows(holdingPrimaryKey: value)
            where group.rowGroup.deleted?[row] != true {
                return try unsyncedRows(of: group)?[row] == true ? nil : object(row, of: group)
            }
        }
        return nil
    }

    /// The object that has a primary key, of some that may have it.
    private func object(
        among rows: [Int], of view: ClassView, _ property: PropertyView, _ value: Value
    ) throws -> Object? {
        let others = view.properties.compactMap(\.column).filter { $0 != property.column }
        for number in rows {
            guard let (group, row) = view.place(of: number) else { continue }
            let rowGroup = RowGroupView(view, group: group)
            try view.reader.willRead(keys: false, [property].compactMap(\.column) + others, ofGroup: group)
            guard try rowGroup.column(property).value(at: row, as: property.type) == value,
                rowGroup.rowGroup.deleted?[row] != true
            else { continue }
            return try unsyncedRows(of: rowGroup)?[row] == true ? nil : object(row, of: rowGroup)
        }
        return nil
    }

    /// The value that a text in a path stands for as primary key of a class: `null` is a string, too.
    ///
    /// - Returns: nil where the class has no primary key or the text is not how Realm JSON writes a value of its type.
    public func primaryKey(_ text: String, ofClass name: String) throws -> Value? {
        switch try declaredView(of: name)?.primaryKey?.property.type {
        case .int: Self.canonical(text, Int64.init).map { .int($0) }
        case .string: .string(text)
        case .objectId: Self.canonical(text, ObjectId.init).map { .objectId($0) }
        case .uuid: Self.canonical(text, UUID.init).map { .uuid($0) }
        default: nil
        }
    }

    /// The value of a text; nil where the value is written in another way.
    private static func canonical<Key: CustomStringConvertible>(_ text: String, _ read: (String) -> Key?) -> Key? {
        read(text).flatMap { $0.description == text ? $0 : nil }
    }

    /// The objects of a class in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: only objects behind this; nil for the first.
    ///   - limit: the most objects.
    /// - Returns: nil where the declared schema has no such class that stands for itself.
    public func objects(ofClass name: String, after key: ObjectKey? = nil, limit: Int) throws -> [Object]? {
        guard let view = try declaredView(of: name) else { return nil }
        var objects: [Object] = []
        for number in view.reader.rowGroups.indices where objects.count < limit {
            if let key, view.reader.rowGroups[number].lastKey <= key { continue }
            let group = RowGroupView(view, group: number)
            let keys = try group.keys()
            let unsynced = try unsyncedRows(of: group)
            for row in group.rowGroup.liveRows
            where unsynced?[row] != true && objects.count < limit && keys[row] > key?.value ?? -1 {
                objects.append(try object(row, of: group))
            }
        }
        return objects
    }

    private func declaredView(of name: String) throws -> ClassView? {
        guard let declared = writer.snapshot.declared[name], includesEmbedded || !declared.isEmbedded else {
            return nil
        }
        return try writer.view(of: name)
    }

    /// The rows of objects that are left out; nil where there are none.
    private func unsyncedRows(of group: RowGroupView) throws -> Bitmap? {
        leavesOutUnsynced ? try group.unsyncedRows() : nil
    }

    private func object(_ row: Int, of group: RowGroupView) throws -> Object {
        Object(key: ObjectKey(try group.keys()[row]), bytes: try text(row, of: group))
    }

    private func text(_ row: Int, of group: RowGroupView) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try writer.append(row: row, of: group, to: &bytes)
        // Once more where the texts are joined.
        try WorkBudget.hold(2 * bytes.count)
        return bytes
    }
}
