import Columns
import RealmModel

/// The objects of a snapshot, for queries: columns are decoded as they are asked for, and the last few are kept.
public final class SnapshotObjects: QuerySource {
    /// An object by its class's place in the declared schema, and its key.
    public struct Object: Hashable, Sendable {
        let classIndex: Int
        /// The object key.
        public let key: ObjectKey
    }

    private struct ColumnName: Hashable {
        let classIndex: Int
        /// The property's place in the declared schema; nil for the keys.
        let property: Int?
        let group: Int
        /// The class that links lead to, of links that are asked backwards.
        var target: Int?
    }

    private enum Kept {
        case column(ColumnArray)
        case keys([Int64])

        var byteCount: Int {
            switch self {
            case .column(let array): array.byteCount
            case .keys(let keys): keys.count * 8
            }
        }
    }

    /// The most links of a property that are held to be asked backwards: 256 MiB of them.
    static let linkLimit = 1 << 24
    /// Columns of row groups that are kept decoded, and their bytes; the last one that was asked for is kept, however large.
    private static let keptColumns = 32
    private static let keptBytes = 64 << 20

    /// The schema that queries are bound to.
    public let schema: Schema
    private let snapshot: Snapshot
    private let store: any SegmentStore
    private var readers: [Int: ClassReader] = [:]
    private var kept: [ColumnName: Kept] = [:]
    private var linkTables: [ColumnName: LinkTable] = [:]
    /// The columns that are kept, the longest unused first.
    private var uses: [ColumnName] = []
    private let budget = WorkBudget.current
    /// Bytes of the columns that are kept, and of values that nobody has let go of, as `releasingValues` says.
    private var columnBytes = 0
    private var valueBytes = 0
    private var peakBytes = 0

    /// Opens a snapshot; nothing is read yet.
    public init(_ snapshot: Snapshot, from store: any SegmentStore) {
        self.snapshot = snapshot
        self.store = store
        schema = snapshot.declared
    }

    /// An object's key.
    public func key(of object: Object) -> ObjectKey { object.key }

    /// A property's value, by its place in the declared schema.
    public func value(_ property: Int, of object: Object) throws -> Value {
        guard let (group, row) = try place(of: object) else { return .null }
        let declared = schema.classes[object.classIndex].properties[property]
        let array = try column(property, of: object.classIndex, inGroup: group)
        let type = ColumnType(declared)
        try budget?.spend(array.byteCount(at: row))
        try hold(array.valueByteCount(at: row, as: type))
        return try array.value(at: row, as: type)
    }

    /// The object that a link leads to; nil for null.
    public func target(of link: Value, objectType: String?) -> Object? {
        let target: (name: String?, key: ObjectKey)
        switch link {
        case .link(let key): target = (objectType, key)
        case .typedLink(let name, let key): target = (name, key)
        default: return nil
        }
        return target.name.flatMap(classIndex).map { Object(classIndex: $0, key: target.key) }
    }

    /// The objects of a class that link to an object by a property; all links of the property are held from then on.
    ///
    /// - Throws: `QueryError` where they are more than `linkLimit`.
    public func origins(of object: Object, from className: String, by property: String) throws -> [Object] {
        guard let origin = classIndex(of: className),
            let index = schema.classes[origin].index(ofProperty: property)
        else { return [] }
        let name = ColumnName(classIndex: origin, property: index, group: 0, target: object.classIndex)
        let table = try linkTables[name] ?? links(of: index, in: origin, to: schema.classes[object.classIndex].name)
        linkTables[name] = table
        let count = table.originCount(of: object.key.value)
        try budget?.spend(count * 16)
        try hold(count * Self.originBytes)
        return table.origins(of: object.key.value).map { Object(classIndex: origin, key: ObjectKey($0)) }
    }

    private func links(of property: Int, in origin: Int, to className: String) throws -> LinkTable {
        let declared = schema.classes[origin].properties[property]
        let type = ColumnType(declared)
        var links = LinkTable()
        for (number, group) in try reader(of: origin).rowGroups.enumerated() {
            let keys = try keys(of: origin, inGroup: number)
            let array = try column(property, of: origin, inGroup: number)
            for row in group.liveRows {
                try releasingValues {
                    if type.element == .mixed { try hold(array.valueByteCount(at: row, as: type)) }
                    try array.forEachLinkedKey(at: row, as: type, ofClass: className) { key in
                        if links.count.isMultiple(of: Self.linksAtOnce) {
                            try budget?.hold(Self.linksAtOnce * Self.linkBytes)
                        }
                        links.append(target: key, origin: keys[row])
                    }
                }
            }
            guard links.count <= Self.linkLimit else {
                throw QueryError(
                    "'\(schema.classes[origin].name).\(declared.name)' has more than \(Self.linkLimit) links")
            }
        }
        links.sort()
        return links
    }

    /// Counts work that a query does with values.
    public func spend(_ bytes: Int) throws { try budget?.spend(bytes) }

    /// Does something with values that are let go of behind it.
    public func releasingValues<Result>(_ body: () throws -> Result) throws -> Result {
        let bytes = valueBytes
        defer { valueBytes = bytes }
        return try body()
    }

    /// A key and an object, with the room that arrays grow by.
    private static let originBytes = 40
    private static let linkBytes = 16
    /// Links that are counted before the first of them is kept.
    private static let linksAtOnce = 1024

    /// Counts values, or objects that were found, as held until they are let go of.
    public func hold(_ bytes: Int) throws {
        valueBytes += bytes
        try budget?.hold(columnBytes + valueBytes, peak: &peakBytes)
    }

    func classIndex(of name: String) -> Int? { schema.index(of: name) }

    func reader(of classIndex: Int) throws -> ClassReader {
        if let reader = readers[classIndex] { return reader }
        let name = schema.classes[classIndex].name
        guard let stored = snapshot[name] else { throw ColumnError.damaged(what: "a class without columns", offset: 0) }
        let reader = try ClassReader(stored, store: store)
        readers[classIndex] = reader
        return reader
    }

    func keys(of classIndex: Int, inGroup group: Int) throws -> [Int64] {
        let name = ColumnName(classIndex: classIndex, property: nil, group: group)
        if case .keys(let keys)? = use(name) { return keys }
        let keys = try reader(of: classIndex).keys(inGroup: group)
        try keep(.keys(keys), as: name)
        return keys
    }

    /// One property of a row group, by its place in the declared schema.
    func column(_ property: Int, of classIndex: Int, inGroup group: Int) throws -> ColumnArray {
        let name = ColumnName(classIndex: classIndex, property: property, group: group)
        if case .column(let array)? = use(name) { return array }
        let reader = try reader(of: classIndex)
        let declared = schema.classes[classIndex].properties[property].name
        guard let column = reader.stored.schema.index(ofProperty: declared)
        else { throw ColumnError.damaged(what: "a property without a column", offset: 0) }
        let array = try reader.column(column, inGroup: group)
        try keep(.column(array), as: name)
        return array
    }

    /// Where an object is; nil where there is none of the key.
    private func place(of object: Object) throws -> (group: Int, row: Int)? {
        let groups = try reader(of: object.classIndex).rowGroups
        guard let group = groups[...].index(of: object.key.value) else { return nil }
        let keys = try keys(of: object.classIndex, inGroup: group)
        guard let row = keys.index(ofKey: object.key.value), groups[group].deleted?[row] != true else { return nil }
        return (group, row)
    }

    private func use(_ name: ColumnName) -> Kept? {
        guard let found = kept[name] else { return nil }
        if uses.last != name, let index = uses.firstIndex(of: name) {
            uses.remove(at: index)
            uses.append(name)
        }
        return found
    }

    private func keep(_ value: Kept, as name: ColumnName) throws {
        columnBytes += value.byteCount
        while uses.count == Self.keptColumns || columnBytes > Self.keptBytes, !uses.isEmpty {
            columnBytes -= kept.removeValue(forKey: uses.removeFirst())?.byteCount ?? 0
        }
        try budget?.hold(columnBytes + valueBytes, peak: &peakBytes)
        kept[name] = value
        uses.append(name)
    }
}

/// The objects of one row group.
struct RowGroupObjects: QueryColumns {
    let objects: SnapshotObjects
    let classIndex: Int
    let group: Int

    var schema: Schema { objects.schema }

    func spend(_ bytes: Int) throws { try objects.spend(bytes) }

    func hold(_ bytes: Int) throws { try objects.hold(bytes) }

    func releasingValues<Result>(_ body: () throws -> Result) throws -> Result {
        try objects.releasingValues(body)
    }

    func key(of object: SnapshotObjects.Object) -> ObjectKey { object.key }

    func value(_ property: Int, of object: SnapshotObjects.Object) throws -> Value {
        try objects.value(property, of: object)
    }

    func target(of link: Value, objectType: String?) -> SnapshotObjects.Object? {
        objects.target(of: link, objectType: objectType)
    }

    func origins(
        of object: SnapshotObjects.Object, from className: String, by property: String
    ) throws -> [SnapshotObjects.Object] {
        try objects.origins(of: object, from: className, by: property)
    }

    func column(_ property: Int) throws -> ColumnArray {
        try objects.column(property, of: classIndex, inGroup: group)
    }

    func object(atRow row: Int) throws -> SnapshotObjects.Object {
        let keys = try objects.keys(of: classIndex, inGroup: group)
        return SnapshotObjects.Object(classIndex: classIndex, key: ObjectKey(keys[row]))
    }
}
