import RealmModel

/// Where an element of a list stands.
struct ElementSpot: Hashable {
    /// Elements of one collection that have places of their own, at most.
    static let limit = 16

    /// The place of the list.
    let collection: UInt64
    let number: Int

    init(_ number: Int, in collection: UInt64) { (self.collection, self.number) = (collection, number) }
}

extension PlacedValue {
    /// Elements of one collection that are looked at.
    private static let elementLimit = 64

    /// The elements of a list with their spots, or the value itself where it is in one, and the entries of a dictionary with places of
    /// their own.
    var elementsApart: [PlacedValue] {
        switch value {
        case .list(let elements) where !isSet && elements.count <= Self.elementLimit:
            return elements.enumerated().map { number, element in
                var placed = self
                (placed.value, placed.spot) = (element, ElementSpot(number, in: family))
                return placed
            }
        case .dictionary(let entries) where entries.count <= Self.elementLimit: return entriesApart
        case .list, .dictionary: return []
        default: return spot == nil ? [] : [self]
        }
    }
}

extension PlacedValue {
    /// The first elements of a list at places by their numbers, and entries by their keys; any other value at that of its family, or of its
    /// element.
    var numberedElements: [PlacedValue] {
        switch value {
        case .list(let elements):
            guard !isSet else { return [] }
            return elements.prefix(ElementSpot.limit).enumerated().map { number, element in
                var placed = self
                (placed.value, placed.spot) = (element, ElementSpot(number, in: family))
                placed.place = placed.numberedPlace
                return placed
            }
        case .dictionary: return entriesApart.prefix(ElementSpot.limit).map(\.atNumberedPlace)
        default: return [atNumberedPlace]
        }
    }

    private var atNumberedPlace: PlacedValue {
        var placed = self
        placed.place = numberedPlace
        return placed
    }

    private var numberedPlace: UInt64 { spot.map { PlacedValues.below(family, UInt64($0.number)) } ?? family }
}

/// The elements of lists at one place, over all objects.
struct ElementRow {
    /// The place of the lists.
    let collection: UInt64
    /// By the values as they are, and by texts in small letters.
    private var orders = [ElementOrder(isFolded: false), ElementOrder(isFolded: true)]

    init(_ spot: ElementSpot) { collection = spot.collection }

    /// Notes those of one object.
    mutating func note(_ elements: [PlacedValue]) {
        for index in orders.indices { orders[index].note(elements) }
    }

    /// Whether a script sorted them: they are in the order of their values in each object, and differ.
    var isSorted: Bool { orders.contains(where: \.isSorted) }
}

/// Whether elements stand in the order of their values, in one direction.
private struct ElementOrder {
    let isFolded: Bool
    private var (isAscending, isDescending) = (true, true)

    init(isFolded: Bool) { self.isFolded = isFolded }

    var isSorted: Bool { isAscending != isDescending }

    mutating func note(_ elements: [PlacedValue]) {
        for (one, next) in zip(elements, elements.dropFirst()) where isAscending || isDescending {
            let isLess = isLess(one.value, next.value)
            let isMore = self.isLess(next.value, one.value)
            isAscending = isAscending && isMore == false
            isDescending = isDescending && isLess == false
        }
    }

    /// Whether a script that sorts puts a value before another one; nil where they are not of one kind.
    private func isLess(_ value: Value, _ other: Value) -> Bool? {
        switch (value, other) {
        case (.string(let one), .string(let next)):
            folded(one).lexicographicallyPrecedes(folded(next))
        case (.date(let one), .date(let next)):
            (one.seconds, one.nanoseconds) < (next.seconds, next.nanoseconds)
        default: value.number.flatMap { number in other.number.map { number < $0 } }
        }
    }

    private func folded(_ text: String) -> some Sequence<UInt8> {
        text.utf8.lazy.map { isFolded && $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    }
}
