import Columns
import RealmModel

/// An object that clients of a synced realm don't get, because it lacks a value that its class requires.
public struct UnsyncedObject: Hashable, Sendable {
    /// The class.
    public let className: String
    /// The object key.
    public let key: ObjectKey
    /// The primary key.
    public let primaryKey: Value
    /// The properties without a value, by stored name; at least one.
    public let missing: [Missing]

    /// A property of which the object has no value.
    public struct Missing: Hashable, Sendable {
        /// The stored name.
        public let property: String
        /// The stored property with the value that the object kept when the property got another type; nil where there is none.
        public let kept: Property?
    }

    /// Why clients don't get the object.
    public var reason: String {
        missing.map { missing in
            let name = "\(className).\(missing.property)"
            guard let type = missing.kept?.typeName else { return "The required property '\(name)' is missing." }
            return "The property '\(name)' has no value; an old one of type '\(type)' is kept."
        }.joined(separator: " ")
    }
}

extension UnsyncedObject {
    /// The unsynced objects of a snapshot: class by class in the stored order, in the order of their keys.
    ///
    /// - Parameters:
    ///   - only: the class whose objects are looked for; nil for all.
    ///   - place: the class and key behind which to begin; nil for the first.
    ///   - limit: the most objects.
    public static func list(
        in snapshot: Snapshot, from store: any SegmentStore, of only: String? = nil,
        after place: (className: String, key: ObjectKey)? = nil, limit: Int
    ) throws -> [UnsyncedObject] {
        var found: [UnsyncedObject] = []
        var isBehind = place == nil
        for stored in snapshot.classes where found.count < limit {
            let isPlace = place?.className.hasSameBytes(as: stored.schema.name) ?? false
            guard isBehind || isPlace else { continue }
            isBehind = true
            guard stored.unsyncedCount > 0, only?.hasSameBytes(as: stored.schema.name) ?? true else { continue }
            found += try list(of: stored, from: store, after: isPlace ? place?.key : nil, limit: limit - found.count)
        }
        return found
    }

    private static func list(
        of stored: StoredClass, from store: any SegmentStore, after key: ObjectKey?, limit: Int
    ) throws -> [UnsyncedObject] {
        let reader = try ClassReader(stored, store: store)
        let schema = stored.schema
        let lackable = LackableProperty.all(of: schema)
        let primaryKey = schema.properties.firstIndex { schema.isPrimaryKey($0) }
        var found: [UnsyncedObject] = []
        for group in reader.rowGroups.indices where found.count < limit {
            if let key, reader.rowGroups[group].lastKey <= key { continue }
            guard let unsynced = try reader.unsyncedRows(inGroup: group) else { continue }
            let keys = try reader.keys(inGroup: group)
            let columns = try lackable.map { property in
                try property.places.map { try reader.column($0, inGroup: group) }
            }
            let primaryKeys = try primaryKey.map { try reader.column($0, inGroup: group) }
            for row in reader.rowGroups[group].liveRows
            where unsynced[row] && keys[row] > key?.value ?? .min && found.count < limit {
                let missing = try zip(lackable, columns).compactMap { property, columns in
                    try property.missing(in: schema) { place in
                        try columns[place].value(at: row, as: ColumnType(schema.properties[property.places[place]]))
                    }
                }
                let value = try primaryKey.flatMap { index in
                    try primaryKeys?.value(at: row, as: ColumnType(schema.properties[index]))
                }
                found.append(
                    UnsyncedObject(
                        className: schema.name, key: ObjectKey(keys[row]), primaryKey: value ?? .null,
                        missing: missing))
            }
        }
        return found
    }
}

/// A property of a stored class that objects may lack a value of, and those with what was kept of it.
struct LackableProperty {
    /// The places of the property, and of its kept values, the latest first.
    let places: [Int]

    /// Those of a class.
    static func all(of schema: ObjectSchema) -> [LackableProperty] {
        let kept = Dictionary(grouping: schema.properties.indices.reversed().filter { schema.properties[$0].isKept }) {
            NameKey(schema.properties[$0].publicName)
        }
        return schema.properties.indices.compactMap { index in
            let property = schema.properties[index]
            guard !property.isKept else { return nil }
            let kept = kept[NameKey(property.name)] ?? []
            let isLackable = property.requiresValue || kept.contains { schema.properties[$0].isAwaiting }
            return isLackable ? LackableProperty(places: [index] + kept) : nil
        }
    }

    /// Says that an object lacks a value of the property; nil where it does not.
    ///
    /// - Parameter value: the object's value in one of the places.
    func missing(
        in schema: ObjectSchema, value: (Int) throws -> Value
    ) throws -> UnsyncedObject.Missing? {
        let property = schema.properties[places[0]]
        let kept = try places.indices.dropFirst().first { try !schema.properties[places[$0]].isNothing(value($0)) }
            .map { schema.properties[places[$0]] }
        guard try kept?.isAwaiting == true || property.requiresValue && value(0).isNull else { return nil }
        return UnsyncedObject.Missing(property: property.name, kept: kept)
    }
}
