import RealmModel

extension JSONValue {
    /// The value of a property that the JSON stands for, in the forms of objects; a link is none.
    ///
    /// - Parameter pointer: where it stands in its document, for errors.
    /// - Throws: `schemaInvalid` where it is not of the property's type.
    public func value(of property: Property, at pointer: String) throws(InputError) -> RealmModel.Value {
        try DefaultJSON.decode(self, for: property, at: JSONPointer(pointer), as: "The value of \(property.publicName)")
    }

    /// A value in the form that objects have it; links are null.
    ///
    /// - Parameter isMixed: Whether the property takes any type: a float says there that it is no double.
    public init(_ value: RealmModel.Value, isMixed: Bool = false) { self = DefaultJSON.encode(value, isMixed: isMixed) }
}
