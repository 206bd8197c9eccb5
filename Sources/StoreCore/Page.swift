/// Which part of a list is asked for.
public struct PageRequest: Hashable, Sendable {
    /// The most items that a page may have.
    public static let largestLimit = 1000
    /// The most items that are wanted, 1 to `largestLimit`.
    public let limit: Int
    /// Where the page before ended, as its `next` said; nil for the first page.
    public let cursor: String?

    /// Asks for a page; a limit out of range is brought into it.
    public init(limit: Int = 100, cursor: String? = nil) {
        self.limit = min(max(limit, 1), Self.largestLimit)
        self.cursor = cursor
    }
}

/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The items in the list's order.
    public var items: [Item]
    /// The cursor of the page that follows; nil where the list ends here.
    public var next: String?

    /// Puts a page together.
    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// The page with each item made into another.
    public func map<Other: Sendable>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next)
    }
}
