/// Values that a class had in properties whose type changed, kept under names that no client sees.
///
/// The column of the earlier type goes on under the name `~~1`, `~~2` and so on, and says in its public name which property it
/// was of. An object that has such a value lacks one of the property's own type, until it is given one: then the kept value goes.
/// Where the property leaves the schema the name is `~.1`, and nobody lacks anything; columns named `~1` are of a time when kept
/// values stayed, and were awaited by required properties alone.
extension ObjectSchema {
    /// The stored properties with the kept values of a property, the latest first.
    public func keptProperties(of name: String) -> [Property] {
        properties.reversed().filter { $0.isKept(of: name) }
    }

    /// The first name that is free for kept values.
    package var freeKeptName: String {
        let taken = Set(properties.filter(\.isKept).map { $0.name.drop { !$0.isASCII || !$0.isNumber } })
        var number = 1
        while taken.contains("\(number)") { number += 1 }
        return "~~\(number)"
    }
}

extension Property {
    /// Whether the property holds kept values of another.
    public var isKept: Bool { name.utf8.first == UInt8(ascii: "~") && alias != nil }

    /// Whether the property holds kept values of the property with a name.
    public func isKept(of name: String) -> Bool { isKept && publicName.hasSameBytes(as: name) }

    /// Whether an object lacks a value of another property for as long as it has one of this.
    public var isAwaiting: Bool { isKept && name.utf8.dropFirst().first == UInt8(ascii: "~") }

    /// Lets kept values be awaited, or not any more; those of an earlier time stay what they are.
    package mutating func awaits(_ isAwaiting: Bool) {
        let marks = [UInt8(ascii: "~"), UInt8(ascii: ".")]
        guard isKept, let mark = name.utf8.dropFirst().first, marks.contains(mark) else { return }
        name = "~\(isAwaiting ? "~" : ".")\(name.dropFirst(2))"
    }

    /// Whether a value of the property is as good as none: null, or a collection without elements.
    public func isNothing(_ value: Value) -> Bool { value.isNull || isCollection && value == initialValue }
}
