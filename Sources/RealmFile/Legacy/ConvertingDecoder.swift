import Columns
import RealmModel

/// Decodes integers that stand for something else, with Realm's mark for null.
final class ConvertingDecoder: ColumnDecoder {
    private let integers: IntegerDecoder
    private let convert: ([Int64]) -> ColumnArray.Values

    init(isNullable: Bool, _ convert: @escaping ([Int64]) -> ColumnArray.Values) {
        integers = IntegerDecoder(isNullable: isNullable)
        self.convert = convert
    }

    var count: Int { integers.count }
    var byteCount: Int { integers.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int { try integers.open(leaf) }

    func append(_ rows: Range<Int>) throws(InputError) { try integers.append(rows) }

    func take() -> ColumnArray {
        let array = integers.take()
        guard case .int(let cells) = array.values else { return array }
        return ColumnArray(count: array.count, validity: array.validity, values: convert(cells))
    }
}
