import Columns
import RealmModel

/// Decodes sets that the file has in another order than `ValueOrder`, and brings them into that.
///
/// Formats before 24 have strings in the order of a language. Sets of mixed values have links in the order of the tables in
/// every format, which another file of the same realm need not share. Sets of decimals have null among NaNs, in the
/// order of their bits.
final class ReorderedSetDecoder: ColumnDecoder {
    private let type: ColumnType
    private let stored: ListDecoder
    private let isSorted: Bool

    /// - Parameter isSorted: whether links alone have another order.
    init(_ elements: any ColumnDecoder, of type: PropertyType, isSorted: Bool, in image: Image) {
        self.type = ColumnType(type, .set)
        self.isSorted = isSorted
        stored = ListDecoder(elements, in: image, isSet: true)
    }

    var count: Int { stored.count }
    var byteCount: Int { stored.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int { try stored.open(leaf) }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int {
        try stored.rowsFitting(in: bytes, from: row)
    }

    func append(_ rows: Range<Int>) throws(InputError) { try stored.append(rows) }

    func take() -> ColumnArray {
        let array = stored.take()
        // The array that the decoder wrote itself can be read, and is no larger in another order.
        return (try? reordered(array)) ?? array
    }

    private func reordered(_ array: ColumnArray) throws -> ColumnArray {
        let builder = ColumnBuilder(type)
        for row in 0..<array.count {
            guard case .list(var elements) = try array.value(at: row, as: type) else { return array }
            if type.element == .decimal128 {
                if let null = elements.firstIndex(of: .null) { elements.insert(elements.remove(at: null), at: 0) }
            } else if isSorted {
                elements.sortLinks { ValueOrder.compare($0, $1) == .ascending }
            } else {
                elements = ValueOrder.sortedUnique(elements)
            }
            try builder.append(.list(elements))
        }
        return builder.finish()
    }
}
