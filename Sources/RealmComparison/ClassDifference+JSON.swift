import RealmJSON
import RealmModel

extension ClassDifference {
    /// The difference as clients see it.
    ///
    /// - Parameter schema: has the names that the properties have for clients.
    public func json(in schema: Schema) -> JSONValue {
        let names = PublicNames(of: className, in: schema)
        let properties = properties.map { property -> JSONValue in
            [
                "property": .string(names[property.name]), "changed": .int(Int64(property.changed)),
                "toNull": .int(Int64(property.toNull)),
            ]
        }
        return [
            "class": .string(className), "added": .int(Int64(added)), "removed": .int(Int64(removed)),
            "changed": .int(Int64(changed)), "properties": .array(properties),
        ]
    }
}

/// The names that the properties of a class have for clients, by those that they have in the store.
struct PublicNames {
    private let names: [NameKey: String]

    init(of className: String, in schema: Schema) {
        names = Dictionary(
            (schema[className]?.properties ?? []).map { (NameKey($0.name), $0.publicName) }, uniquingKeysWith: { $1 })
    }

    subscript(_ name: String) -> String { names[NameKey(name)] ?? name }
}
