import RealmModel

/// Where an element of a list stands, or an entry of a dictionary.
struct ElementSpot: Hashable {
    /// The place of the list or dictionary.
    let collection: UInt64
    /// The place of the element in it.
    let place: UInt64
    /// A hash of the number of elements, or of all keys: those of lists with as many are the same ones.
    let shape: UInt64
    /// Whether it is an element of a list, which a script may sort.
    let isNumbered: Bool

    init(_ number: Int, of count: Int, in collection: UInt64) {
        self.collection = collection
        place = PlacedValues.below(collection, UInt64(number))
        shape = UInt64(count)
        isNumbered = true
    }

    init(key: String, of shape: UInt64, in collection: UInt64) {
        self.collection = collection
        self.shape = shape
        isNumbered = false
        place = PlacedValues.below(collection, Self.hash(key))
    }

    /// The same for all dictionaries with the same keys.
    static func shape(_ entries: [DictionaryEntry]) -> UInt64 {
        entries.reduce(0) { $0 &+ PlacedValues.below(1, hash($1.key)) }
    }

    private static func hash(_ key: String) -> UInt64 {
        var hash = ByteHash()
        for byte in key.utf8 { hash.add(byte) }
        return hash.value
    }
}

extension PlacedValue {
    /// Elements of one collection that are looked at.
    private static let elementLimit = 64

    /// The elements of a list and the entries of a dictionary with their spots, or the value itself where it is in one.
    var elementsApart: [PlacedValue] {
        func placed(_ value: Value, _ spot: ElementSpot) -> PlacedValue {
            var placed = self
            (placed.value, placed.spot) = (value, spot)
            return placed
        }
        switch value {
        case .list(let elements) where !isSet && elements.count <= Self.elementLimit:
            return elements.enumerated().map { placed($1, ElementSpot($0, of: elements.count, in: family)) }
        case .dictionary(let entries) where entries.count <= Self.elementLimit:
            let shape = ElementSpot.shape(entries)
            return entries.map { placed($0.value, ElementSpot(key: $0.key, of: shape, in: family)) }
        case .list, .dictionary: return []
        default: return spot == nil ? [] : [self]
        }
    }
}

/// The elements of lists or entries of dictionaries at one place, over all objects.
struct ElementRow {
    private let spot: ElementSpot
    private var hasOneShape = true
    /// By the values as they are, and by texts in small letters.
    private var orders = [ElementOrder(isFolded: false), ElementOrder(isFolded: true)]

    init(_ spot: ElementSpot) { self.spot = spot }

    var collection: UInt64 { spot.collection }

    /// Notes those of one object.
    mutating func note(_ elements: [PlacedValue]) {
        hasOneShape = hasOneShape && elements.allSatisfy { $0.spot?.shape == spot.shape }
        for index in orders.indices { orders[index].note(elements) }
    }

    /// Whether a spot means the same in each object: not where a script left some out.
    var hasSpots: Bool { hasOneShape }

    /// Whether a script sorted them: they are in the order of their values in each object, and differ.
    var isSorted: Bool { spot.isNumbered && orders.contains(where: \.isSorted) }
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
