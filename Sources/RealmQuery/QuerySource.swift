import RealmModel

/// The objects that a query is asked of.
public protocol QuerySource {
    /// What stands for an object.
    associatedtype Object: Hashable

    /// The schema that the query was bound to.
    var schema: Schema { get }

    /// An object's key.
    func key(of object: Object) throws -> ObjectKey

    /// A property's value, by its place in the schema.
    func value(_ property: Int, of object: Object) throws -> Value

    /// The object that a link leads to; nil for null.
    func target(of link: Value, objectType: String?) -> Object?

    /// The objects of a class that link to an object by a property, each as often as it does.
    func origins(of object: Object, from className: String, by property: String) throws -> [Object]
}

extension QuerySource {
    /// A property of the object that a mixed value links to; nil where there is no such.
    func value(named name: String, ofLinked link: Value) throws -> Value? {
        guard case .typedLink(let className, _) = link, let object = target(of: link, objectType: nil),
            let column = schema[className]?.column(named: name)
        else { return nil }
        let value = try self.value(column.index, of: object)
        guard case .link(let key) = value, let target = column.property.objectType else { return value }
        return .typedLink(className: target, key)
    }
}

extension ObjectSchema {
    /// A stored property by its public name, or by its stored one where there is no such.
    func column(named name: String) -> Column? {
        let index =
            properties.firstIndex { $0.publicName.hasSameBytes(as: name) }
            ?? properties.firstIndex { $0.name.hasSameBytes(as: name) }
        return index.map { Column(index: $0, property: properties[$0]) }
    }
}
