import Columns
import RealmModel

/// Values that a class had in properties whose type changed, kept under names that no client sees.
///
/// The column of the earlier type goes on under the name `~1`, `~2` and so on, and says in its public name which property it
/// was of.
extension ObjectSchema {
    /// The stored property with the kept values of a property, the last where its type changed more than once.
    public func keptProperty(of name: String) -> Property? {
        properties.last { $0.isKept && $0.publicName.hasSameBytes(as: name) }
    }

    /// The first name that is free for kept values.
    package var freeKeptName: String {
        let taken = Set(properties.map { NameKey($0.name) })
        var number = 1
        while taken.contains(NameKey("~\(number)")) { number += 1 }
        return "~\(number)"
    }
}

extension Property {
    /// Whether the property holds kept values of another.
    package var isKept: Bool { name.utf8.first == UInt8(ascii: "~") && alias != nil }
}
