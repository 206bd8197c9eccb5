import RealmModel

/// The objects that a query is asked of.
public protocol QuerySource {
    /// The source's handle of an object.
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

    /// Hears that values of so many bytes are going to be looked at, and may have the query end.
    ///
    /// The functions above count what they give; this is for values that are looked at again and again.
    func spend(_ bytes: Int) throws

    /// Hears that values take so many bytes of memory, and may have the query end.
    func hold(_ bytes: Int) throws

    /// Does something with values that are let go of behind it: they don't count as held with those that come later.
    func releasingValues<Result>(_ body: () throws -> Result) throws -> Result
}

extension QuerySource {
    /// Does nothing: the work is not bounded.
    public func spend(_ bytes: Int) throws {}

    /// Does nothing: the memory is not bounded.
    public func hold(_ bytes: Int) throws {}

    /// Does it: what is held is not counted.
    public func releasingValues<Result>(_ body: () throws -> Result) throws -> Result { try body() }

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
        let index = index(ofPublicName: name) ?? index(ofProperty: name)
        return index.map { Column(index: $0, property: properties[$0]) }
    }
}
