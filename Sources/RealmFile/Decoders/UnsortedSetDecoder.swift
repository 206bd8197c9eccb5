import Columns
import RealmModel

/// Decodes sets of formats before 24, whose strings were in the order of a language, and sorts them.
final class UnsortedSetDecoder: ColumnDecoder {
    private let type: ColumnType
    private let stored: ListDecoder

    init(_ elements: any ColumnDecoder, of type: PropertyType, in image: Image) {
        self.type = ColumnType(type, .set)
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
        // The array that the decoder wrote itself can be read, and is no larger when it is sorted.
        return (try? sorted(array)) ?? array
    }

    private func sorted(_ array: ColumnArray) throws -> ColumnArray {
        let builder = ColumnBuilder(type)
        for row in 0..<array.count {
            guard case .list(let elements) = try array.value(at: row, as: type) else { return array }
            try builder.append(.list(ValueOrder.sortedUnique(elements)))
        }
        return builder.finish()
    }
}
