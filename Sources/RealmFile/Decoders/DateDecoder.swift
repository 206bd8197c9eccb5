import Columns
import RealmModel

/// Decodes points in time: optional seconds, and nanoseconds of the same sign.
final class DateDecoder: ColumnDecoder {
    private let isRequired: Bool
    private let image: Image
    private let seconds = IntegerDecoder(isNullable: true)
    private let nanoseconds = NanosecondDecoder()

    init(isRequired: Bool, in image: Image) {
        self.isRequired = isRequired
        self.image = image
    }

    var count: Int { nanoseconds.count }
    var byteCount: Int { seconds.byteCount + nanoseconds.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let count = try seconds.open(try image.requiredChild(0, of: leaf, "the seconds of a leaf of dates"))
        let fractions = try nanoseconds.open(try image.requiredChild(1, of: leaf, "the nanoseconds of a leaf of dates"))
        guard fractions == count else { throw leaf.damaged("the parts of a leaf of dates do not agree") }
        return count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        try seconds.append(rows)
        try nanoseconds.append(rows)
    }

    func take() -> ColumnArray {
        .dates(seconds: seconds.take(), nanoseconds: nanoseconds.take(), isRequired: isRequired)
    }
}

extension ColumnArray {
    /// Points in time of their parts, both decoded from integers.
    static func dates(seconds: ColumnArray, nanoseconds: ColumnArray, isRequired: Bool) -> ColumnArray {
        guard case .int(let whole) = seconds.values, case .int(let fractions) = nanoseconds.values else {
            return seconds
        }
        var dates: (seconds: [Int64], nanoseconds: [Int32]) = (whole, [])
        dates.nanoseconds.reserveCapacity(whole.count)
        for (index, fraction) in fractions.enumerated() {
            let date = Timestamp(normalizing: whole[index], Int32(truncatingIfNeeded: fraction))
            dates.nanoseconds.append(date.nanoseconds)
            if date.seconds != whole[index] { dates.seconds[index] = date.seconds }
        }
        return ColumnArray(
            count: seconds.count, validity: isRequired ? nil : seconds.validity,
            values: .date(seconds: dates.seconds, nanoseconds: dates.nanoseconds))
    }
}
