import Columns
import RealmModel

/// Decodes truth values: 0, 1, and 3 for null.
final class BoolDecoder: ColumnDecoder {
    private static let null: Int64 = 3

    private let isRequired: Bool
    private var leaf: Node?
    private var scratch = CellBuffer<Int64>()
    private var bits = BitBuffer()
    private var validity = ValidityBuffer()

    init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    var count: Int { bits.count }
    var byteCount: Int { bits.count / 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asValues("a leaf of truth values")
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        scratch.clear()
        let stored = scratch.grow(by: rows.count)
        leaf.copyIntegers(rows, to: stored)
        bits.append(contentsOf: stored) { $0 != 0 && $0 != Self.null }
        if isRequired || !stored.contains(Self.null) {
            validity.appendValid(rows.count)
        } else {
            validity.append(contentsOf: stored) { $0 != Self.null }
        }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .bool(bits.take()))
    }
}
