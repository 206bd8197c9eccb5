import Postgres

/// Names of realms of an app: some as they are, as `ada`, and all that begin with a prefix, as `team-7:`.
///
/// A prefix ends in a mark that names of realms may have between letters and digits, so that `team-7:` has no realm of `team-70`.
public struct RealmNames: Hashable, Sendable {
    /// The elements that there are at most.
    public static let limit = 100

    /// The elements in order, without those that others include; at least one.
    public let elements: [String]

    /// Takes names and prefixes; nil where there is none, or one that is neither, or too many.
    public init?(_ elements: [String]) {
        guard (1...Self.limit).contains(elements.count), elements.allSatisfy(Self.isElement) else { return nil }
        let distinct = Set(elements)
        let prefixes = distinct.filter(Self.isPrefix)
        self.elements =
            distinct
            .filter { one in !prefixes.contains { $0 != one && Self.includes($0, one) } }
            .sorted()
    }

    /// Whether a text is a name of a realm, or a prefix.
    public static func isElement(_ text: String) -> Bool { ResourceName.isValid(text, of: .realm) }

    /// The rule in words, for the end of a sentence.
    public static let rule =
        "1 to \(limit) names of realms, or prefixes of such, which end in one of \(ResourceName.realmPunctuation)"

    /// Whether a realm of a name, there or not, is among them.
    public func contains(_ name: String) -> Bool {
        // Names are ASCII, in which equal strings have equal bytes; what is none is in no realm's name.
        ResourceName.isValid(name, of: .realm) && elements.contains { Self.includes($0, name) }
    }

    private static func isPrefix(_ element: String) -> Bool {
        element.utf8.last.map { ResourceName.realmPunctuation.utf8.contains($0) } ?? false
    }

    private static func includes(_ element: String, _ name: String) -> Bool {
        isPrefix(element) ? name.utf8.starts(with: element.utf8) : element == name
    }

    /// The elements as ranges of names in the order of their bytes, of which no two share a name: from the first up to the second,
    /// without it.
    var ranges: [(from: String, to: String)] {
        elements.map { element in
            // No name has a space, which is before everything that one may have.
            guard Self.isPrefix(element), let last = element.utf8.last else { return (element, element + " ") }
            return (element, element.dropLast() + String(UnicodeScalar(last + 1)))
        }
    }
}

/// Some realms of an app, as those of a token.
public struct VisibleRealms: Hashable, Sendable {
    /// The app.
    public var app: String
    /// Its realms.
    public var names: RealmNames

    /// Says which.
    public init(app: String, names: RealmNames) {
        self.app = app
        self.names = names
    }
}

/// A statement for some realms reads their rows alone, however many there are of others: each range is looked up by an index, and
/// the statement permits no plan that goes through all rows in the order of the list.
extension PostgresStatement.Interpolation {
    /// Appends the beginning of a query for each range of names, which `and: isInRangeOf:` and `endOf:` belong to; nothing where
    /// there is no list of names.
    package mutating func appendInterpolation(eachRangeOf names: RealmNames?) {
        guard let names else { return }
        appendLiteral("SELECT found.* FROM ")
        append(names.ranges)
        appendLiteral(" CROSS JOIN LATERAL (")
    }

    /// Appends `AND`, and that a name is in the range whose turn it is.
    package mutating func appendInterpolation(and column: StaticString, isInRangeOf names: RealmNames?) {
        guard names != nil else { return }
        appendLiteral(" AND ")
        appendInterpolation(unsafeSQL: column)
        appendLiteral(" >= named.first_name AND ")
        appendInterpolation(unsafeSQL: column)
        appendLiteral(" < named.end_name ")
    }

    /// Appends the end of a query for each range of names, and the order and the number of what all of them have found.
    package mutating func appendInterpolation(endOf names: RealmNames?, orderedBy column: StaticString, limit: Int) {
        guard names != nil else { return }
        appendLiteral(") AS found ORDER BY found.")
        appendInterpolation(unsafeSQL: column)
        appendLiteral(" LIMIT ")
        appendInterpolation(limit)
    }

    private mutating func append(_ ranges: [(from: String, to: String)]) {
        appendLiteral("unnest(")
        appendInterpolation(PostgresArray(ranges.map(\.from)))
        appendLiteral(", ")
        appendInterpolation(PostgresArray(ranges.map(\.to)))
        appendLiteral(") AS named (first_name, end_name)")
    }
}
