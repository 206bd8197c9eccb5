/// Which part of a list is asked for.
public struct PageRequest: Hashable, Sendable {
    /// The most items that a page may have.
    public static let largestLimit = 1000
    /// The most items that are wanted, 1 to `largestLimit`.
    public let limit: Int
    /// Where the page before ended, as its `next` said; nil for the first page.
    public let cursor: String?
    /// Whether the items of the whole list are counted, too.
    public let wantsTotal: Bool

    /// Asks for a page; a limit out of range is brought into it.
    public init(limit: Int = 100, cursor: String? = nil, wantsTotal: Bool = false) {
        self.limit = min(max(limit, 1), Self.largestLimit)
        self.cursor = cursor
        self.wantsTotal = wantsTotal
    }
}

/// How many items a list has on all of its pages together.
public struct ListTotal: Hashable, Sendable {
    /// The most that are counted.
    package static let largest = 10_000

    /// Those that were counted.
    public var count: Int
    /// Whether that is all of them; else there may be more.
    public var isExact: Bool

    /// Says how many were found by whoever looked for one more than `largest`.
    ///
    /// - Parameter isComplete: whether all that there is was looked at.
    package init(found: Int, isComplete: Bool = true) {
        count = min(found, Self.largest)
        isExact = isComplete && found <= Self.largest
    }
}

/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The items in the list's order.
    public var items: [Item]
    /// The cursor of the page that follows; nil where the list ends here.
    public var next: String?
    /// The items of all pages; nil where nobody asked.
    public var total: ListTotal?

    /// Puts a page together.
    public init(items: [Item], next: String?, total: ListTotal? = nil) {
        self.items = items
        self.next = next
        self.total = total
    }

    /// The page with each item made into another.
    public func map<Other: Sendable>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next, total: total)
    }
}
