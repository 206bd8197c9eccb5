import Columns
import RealmModel

/// Takes out of sets and dictionaries what they have twice, as only damaged ones do.
enum CollectionRepair {
    /// The collections with each element, or each key, once, in the order that they had.
    ///
    /// - Parameter lose: hears of each row that had some twice, and of the number that were left out.
    static func repaired(
        _ array: ColumnArray, of property: Property, lose: (_ row: Int, _ count: Int) -> Void
    ) -> ColumnArray {
        guard property.collection == .set || property.collection == .dictionary else { return array }
        let type = ColumnType(property)
        var repaired: [(row: Int, value: Value)] = []
        for row in 0..<array.count {
            guard let value = try? array.value(at: row, as: type), let (once, lost) = once(value) else { continue }
            repaired.append((row, once))
            if lost > 0 { lose(row, lost) }
        }
        guard !repaired.isEmpty else { return array }
        let builder = ColumnBuilder(type)
        var next = 0
        for (row, value) in repaired {
            guard (try? builder.append(next..<row, of: array)) != nil, (try? builder.append(value)) != nil else {
                return array
            }
            next = row + 1
        }
        guard (try? builder.append(next..<array.count, of: array)) != nil else { return array }
        return builder.finish()
    }

    /// A collection without what it has twice, and how much that is; nil of one that is as it has to be.
    private static func once(_ value: Value) -> (Value, lost: Int)? {
        switch value {
        case .list(let elements):
            guard ValueOrder.sortedUnique(elements).count < elements.count else { return nil }
            let unique = firsts(of: elements)
            return (.list(unique), elements.count - unique.count)
        case .dictionary(let entries):
            var seen: Set<NameKey> = []
            let unique = entries.filter { seen.insert(name: $0.key) }
            return unique.count == entries.count ? nil : (.dictionary(unique), entries.count - unique.count)
        default: return nil
        }
    }

    /// The elements without those that another before them is.
    private static func firsts(of elements: [Value]) -> [Value] {
        let order = elements.indices.sorted { one, other in
            let order = ValueOrder.compare(elements[one], elements[other])
            return order == .same ? one < other : order == .ascending
        }
        let again = Set(
            zip(order, order.dropFirst()).filter { ValueOrder.isSame(elements[$0], elements[$1]) }.map(\.1))
        return elements.indices.filter { !again.contains($0) }.map { elements[$0] }
    }
}
