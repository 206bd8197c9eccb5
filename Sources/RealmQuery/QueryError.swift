/// Why a query can't be asked.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, in Realm's words where Realm has them; quotes the query, never an object's values.
    public let description: String
    /// Where in the query: the number of characters (Unicode scalars) before the place; nil where it is no one place.
    public let offset: Int?

    package init(_ description: String, at offset: Int? = nil) {
        self.description = description
        self.offset = offset
    }

    /// The description with the place behind it, counted from 1.
    public var located: String {
        offset.map { "\(description) (at character \($0 + 1))" } ?? description
    }
}
