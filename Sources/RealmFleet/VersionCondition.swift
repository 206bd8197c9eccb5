/// Which schema versions are meant: `<3`, `<=3`, `>3`, `>=3`, `!=3`, `3` or `=3`.
///
/// A realm without a version is below all others.
public struct VersionCondition: Hashable, Sendable {
    /// How a version has to stand to the one that is named.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case notEqual = "!="
        case less = "<"
        case greater = ">"
        case equal = "="
    }

    /// How a version has to stand to it.
    public let relation: Relation
    /// The version that is named.
    public let version: UInt64

    /// Reads a condition; nil where it is none.
    public init?(_ text: String) {
        let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
        let digits = text.dropFirst(relation?.rawValue.count ?? 0)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let version = UInt64(digits),
            version < .max
        else { return nil }
        self.relation = relation ?? .equal
        self.version = version
    }

    /// Whether a version is meant.
    ///
    /// - Parameter version: nil for a realm that has none.
    public func matches(_ version: UInt64?) -> Bool {
        guard let version else { return [.less, .lessOrEqual, .notEqual].contains(relation) }
        return switch relation {
        case .less: version < self.version
        case .lessOrEqual: version <= self.version
        case .greater: version > self.version
        case .greaterOrEqual: version >= self.version
        case .equal: version == self.version
        case .notEqual: version != self.version
        }
    }
}

extension VersionCondition: CustomStringConvertible {
    /// The condition as it is written.
    public var description: String { relation.rawValue + "\(version)" }
}
