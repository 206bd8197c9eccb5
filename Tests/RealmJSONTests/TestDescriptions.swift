import RealmModel
import Testing

// Names of cases in the output of the tests: a class or a property in a few words, not with all of its members.

extension Schema: CustomTestStringConvertible {
    /// The classes.
    public var testDescription: String { classes.map(\.testDescription).joined(separator: ", ") }
}

extension ObjectSchema: CustomTestStringConvertible {
    /// The name, and those of the properties.
    public var testDescription: String { "\(name)(\(properties.map(\.name).joined(separator: " ")))" }
}

extension Property: CustomTestStringConvertible {
    /// The name and the type.
    public var testDescription: String { "\(name): \(typeName)" }
}
