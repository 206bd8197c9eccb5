import Columns
import RealmModel

/// Why a format can't hold a value as it is; the raw value is what manifests say.
enum Loss: String, Hashable, CaseIterable, Sendable {
    /// NaN; null stands in its place.
    case notANumber = "not_a_number"
    /// The minus of a zero.
    case signOfZero = "sign_of_zero"
    /// U+0000 in a text; U+FFFD stands in its place.
    case nulInText = "nul_in_text"
    /// A key of a dictionary that begins with `$`; U+FF04, the wide `$`, stands in its place.
    case dollarInKey = "dollar_in_key"
    /// The part of a date that is smaller than the unit; rounded towards the past.
    case dateFraction = "date_fraction"
    /// A date that the type does not reach; null stands in its place.
    case dateRange = "date_range"
    /// A link to an object whose primary key is null; null stands in its place.
    case linkToNullKey = "link_to_null_key"
}

/// How many values of a property could not be held, by reason.
struct Losses: Hashable {
    private(set) var counts: [Loss: Int] = [:]

    /// Counts one value.
    mutating func count(_ loss: Loss) { counts[loss, default: 0] += 1 }

    /// Counts what others counted.
    mutating func add(_ other: Losses) { counts.merge(other.counts, uniquingKeysWith: +) }
}

/// Which rows of an array are values of live objects.
struct LossPlace {
    private let array: ColumnArray
    private let live: Bitmap?

    /// - Parameter rows: of live objects, ascending.
    init(_ array: ColumnArray, _ rows: [Int]) {
        self.array = array
        guard rows.count < array.count else {
            live = nil
            return
        }
        var bits = Bitmap(count: array.count)
        for row in rows { bits[row] = true }
        live = bits
    }

    /// Whether a value of the row is one to be counted.
    func counts(_ row: Int) -> Bool { !array.isNull(row) && live?[row] ?? true }
}
