/// Why a query can't be asked.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in Realm's words where Realm has them; quotes the query, never an object's values.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
