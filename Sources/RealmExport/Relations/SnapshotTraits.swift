import Columns
import RealmModel

/// Traits of a snapshot, beside its schema, on which its tables depend; few columns are read for them, and most often none.
struct SnapshotTraits {
    private var withNullKey: Set<NameKey> = []
    private var withLosses: Set<[NameKey]> = []

    /// Looks at the primary keys that may be null, and at the required properties whose values a database may not have.
    ///
    /// - Parameter losesValues: whether values of a required property are null in the database.
    init(
        _ snapshot: Snapshot, store: any SegmentStore, mayLoseValues: (Property) -> Bool,
        losesValues: (ColumnArray) -> Bool
    ) throws {
        for schema in snapshot.declared.classes {
            let isOfInterest: (Property) -> Bool = { property in
                property.isOptional ? schema.isPrimaryKey(property) : mayLoseValues(property)
            }
            let properties = schema.persistedProperties.filter(isOfInterest)
            guard !properties.isEmpty else { continue }
            let source = try ClassSource(schema.name, of: snapshot, store: store)
            for property in properties {
                if property.isOptional {
                    if try source.holdsNull(property) { withNullKey.insert(NameKey(schema.name)) }
                } else if try source.contains(property, losesValues) {
                    withLosses.insert([NameKey(schema.name), NameKey(property.name)])
                }
            }
        }
    }

    /// Whether the primary key of an object is null.
    func hasNullKey(_ schema: ObjectSchema) -> Bool { withNullKey.contains(name: schema.name) }

    /// Whether values of a required property are null in the database.
    func losesValues(_ property: Property, of className: String) -> Bool {
        withLosses.contains([NameKey(className), NameKey(property.name)])
    }
}

extension ClassSource {
    fileprivate func contains(_ property: Property, _ test: (ColumnArray) -> Bool) throws -> Bool {
        for group in 0..<groupCount where test(try column(property, inGroup: group)) { return true }
        return false
    }

    fileprivate func holdsNull(_ property: Property) throws -> Bool {
        for group in 0..<groupCount {
            let array = try column(property, inGroup: group)
            if array.validity != nil, liveRows(inGroup: group).contains(where: { array.isNull($0) }) { return true }
        }
        return false
    }
}
