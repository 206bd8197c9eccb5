import RealmModel

/// In which order parts stand in wholes: of two the same one comes first in all objects, however many there are.
///
/// Values that become elements of one list have such an order, and so have the parts into which a text is split. Holds counters for
/// some pairs of places.
struct PartOrders {
    /// Pairs over all objects, and parts of one whole, at most.
    private static let limit = (pairs: 1_024, parts: 16)

    /// A part of a whole.
    struct Part {
        var place: UInt64
        /// The column before that its value comes from.
        var column: Int
        /// Where it stands in the whole.
        var position: Int
        /// The list whose element it is.
        var list: UInt64?
        /// Whether it may be in the whole by chance.
        var isNumber = false
    }

    /// Two places of parts in one whole.
    private struct Pair: Hashable {
        var first: UInt64
        var second: UInt64
        var whole: UInt64
    }

    private struct Order {
        var columns: Set<Int>
        let isNumber: Bool
        let whole: UInt64
        /// Objects in which the first one comes first.
        var forward = NamedObjects()
        var back = NamedObjects()

        var fewer: NamedObjects { forward.count < back.count ? forward : back }
    }

    /// Whether parts that are elements of one list have an order there, which is the whole then.
    private let areInLists: Bool
    private var orders: [Pair: Order] = [:]
    /// Objects by their wholes.
    private var counts: [UInt64: Int] = [:]

    init(areInLists: Bool) { self.areInLists = areInLists }

    mutating func add(_ others: PartOrders) {
        orders.merge(others.orders) { own, _ in own }
        counts.merge(others.counts) { own, _ in own }
    }

    /// Notes the parts of a whole in one object, but for those that stand in it more than once.
    mutating func note(_ parts: [Part], in whole: UInt64, of key: Int64) {
        if counts[whole] != nil || counts.count < Self.limit.pairs { counts[whole, default: 0] += 1 }
        guard parts.count > 1 else { return }
        let once = parts.filter { part in parts.count { $0.place == part.place } == 1 }.prefix(Self.limit.parts)
        for (index, one) in once.enumerated() {
            for other in once.dropFirst(index + 1) where one.position != other.position {
                let list = one.list == other.list ? one.list : nil
                if list != nil, !areInLists { continue }
                let pair = Pair(
                    first: min(one.place, other.place), second: max(one.place, other.place), whole: list ?? whole)
                if orders[pair] == nil, orders.count >= Self.limit.pairs { continue }
                var order =
                    orders[pair]
                    ?? Order(
                        columns: [one.column, other.column], isNumber: one.isNumber || other.isNumber, whole: whole)
                let isForward = (one.position < other.position) == (one.place < other.place)
                if isForward { order.forward.add(key) } else { order.back.add(key) }
                orders[pair] = order
            }
        }
    }

    /// The columns whose values stand in another order in some objects, with these.
    ///
    /// - Parameter isMeant: says of a place of a part and of its whole whether they are looked at.
    func strays(_ isMeant: (UInt64, UInt64) -> Bool) -> [(column: Int, objects: NamedObjects)] {
        orders.flatMap { pair, order -> [(column: Int, objects: NamedObjects)] in
            let fewer = order.fewer
            if order.isNumber, (order.forward.count + order.back.count) * 2 < counts[order.whole] ?? 0 { return [] }
            guard fewer.count > 0, isMeant(pair.first, pair.whole), isMeant(pair.second, pair.whole) else { return [] }
            return order.columns.map { ($0, fewer) }
        }
    }
}

/// Where values stand in lists, and parts of texts in these.
extension PartOrders {
    /// Notes in which order values of an object stand among the elements of its lists.
    mutating func note(_ gone: [PlacedValue], in elements: [PlacedValue], of key: Int64) {
        var (parts, known): ([UInt64: [Part]], Set<UInt64>) = ([:], [])
        for value in gone.flatMap({ $0.numberedElements }) where known.count < Self.limit.parts && !value.value.isHollow
        {
            guard known.insert(value.place).inserted else { continue }
            let sought = CarriedValue(value.value)
            for element in elements {
                guard let spot = element.spot, sought.isWhole(in: element.value) else { continue }
                parts[element.family, default: []].append(
                    Part(place: value.place, column: value.column, position: spot.number, list: value.spot?.collection))
            }
        }
        for (list, parts) in parts { note(parts, in: list, of: key) }
    }

    /// Notes in which order new values stand in a text that is gone, but for those whose names are in it, too.
    ///
    /// - Returns: their places, without the numbers of elements.
    mutating func note(_ fresh: [PlacedValue], ofText value: PlacedValue, of key: Int64) -> [UInt64] {
        guard case .string(let text) = value.value else { return [] }
        let bytes = Array(text.utf8)
        var (parts, families): ([Part], [UInt64]) = ([], [])
        for other in fresh.flatMap({ $0.numberedElements }) {
            let places = bytes.positions(of: other.value)
            guard !places.isEmpty else { continue }
            families.append(other.family)
            // The elements of a list have no names.
            if other.spot == nil || other.isPart, bytes.haveWord(other.name) { continue }
            for position in places {
                parts.append(
                    Part(
                        place: other.place, column: value.column, position: position, list: other.spot?.collection,
                        isNumber: other.value.number != nil))
            }
        }
        note(parts, in: value.family, of: key)
        return families
    }
}
