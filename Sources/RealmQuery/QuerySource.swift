import RealmModel

/// The objects that a query is asked of.
public protocol QuerySource {
    /// What stands for an object.
    associatedtype Object

    /// A property's value, by its place in the schema that the query was bound to.
    func value(_ property: Int, of object: Object) throws -> Value

    /// The object that a link leads to; nil for null.
    func target(of link: Value, objectType: String?) -> Object?

    /// The objects of a class that link to an object by a property, each as often as it does.
    func origins(of object: Object, from className: String, by property: String) throws -> [Object]
}
