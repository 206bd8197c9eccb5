import Columns
import RealmModel

/// Decodes points in time: optional seconds, and nanoseconds of the same sign.
final class DateDecoder: ColumnDecoder {
    private static let nanosecondRange: ClosedRange<Int64> = -999_999_999...999_999_999

    private let isRequired: Bool
    private let image: Image
    private let seconds = IntegerDecoder(isNullable: true)
    private var fractions: Node?
    private var scratch = CellBuffer<Int64>()
    private var nanoseconds = CellBuffer<Int32>()

    init(isRequired: Bool, in image: Image) {
        self.isRequired = isRequired
        self.image = image
    }

    var count: Int { nanoseconds.count }
    var byteCount: Int { nanoseconds.count * 12 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let count = try seconds.open(try image.requiredChild(0, of: leaf, "the seconds of a leaf of dates"))
        let fractions = try image.integers(1, of: leaf, "the nanoseconds of a leaf of dates")
        guard fractions.count == count else { throw leaf.damaged("the parts of a leaf of dates do not agree") }
        self.fractions = fractions
        return count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let fractions else { return }
        try seconds.append(rows)
        scratch.clear()
        let stored = scratch.grow(by: rows.count)
        fractions.copyIntegers(rows, to: stored)
        let added = nanoseconds.grow(by: rows.count)
        for (index, value) in stored.enumerated() {
            guard Self.nanosecondRange.contains(value) else { throw fractions.damaged("the nanoseconds of a date") }
            added[index] = Int32(truncatingIfNeeded: value)
        }
    }

    func take() -> ColumnArray {
        let seconds = seconds.take()
        guard case .int(let cells) = seconds.values else { return seconds }
        return ColumnArray(
            count: seconds.count, validity: isRequired ? nil : seconds.validity,
            values: .date(seconds: cells, nanoseconds: nanoseconds.take()))
    }
}
