import RealmModel
import Testing

// What names a case in the output of the tests: a class or a property in a few words, not with all of its members.

extension Schema: CustomTestStringConvertible {
    public var testDescription: String { classes.map(\.testDescription).joined(separator: ", ") }
}

extension ObjectSchema: CustomTestStringConvertible {
    public var testDescription: String { "\(name)(\(properties.map(\.name).joined(separator: " ")))" }
}

extension Property: CustomTestStringConvertible {
    public var testDescription: String { "\(name): \(typeName)" }
}
