import Columns
import RealmJSON
import RealmModel

/// Turns columns of a realm into cells, and counts what is lost by that.
///
/// Numbers stay numbers; identifiers, decimals and, where the options say so, dates become text; a mixed value becomes
/// its Realm JSON; a link becomes the key of its target.
final class CellMaker {
    private let options: ExportOptions
    private let objects: SnapshotText
    private let keys: LinkKeys

    init(_ snapshot: Snapshot, store: any SegmentStore, options: ExportOptions) {
        self.options = options
        objects = SnapshotText(snapshot, from: store)
        keys = LinkKeys(snapshot, store: store, options: options)
    }

    /// The cells of a column.
    ///
    /// - Parameters:
    ///   - array: single values, or the elements of collections.
    ///   - property: whose values they are.
    ///   - reference: where they are links.
    ///   - rows: the rows that count for losses.
    func cells(
        of array: ColumnArray, _ property: Property, _ reference: Reference?, rows: [Int], losses: inout Losses
    ) throws -> CellColumn {
        let loss = LossPlace(array, rows)
        if property.type == .object {
            guard let reference else { return CellColumn(nulls: array.count) }
            return try keys.cells(of: array, reference: reference)
        }
        if property.type == .mixed { return try mixed(array) }
        return try Self.cells(of: array, property.type, options, loss, &losses)
    }

    private func mixed(_ array: ColumnArray) throws -> CellColumn {
        var text = TextCells(capacity: array.count, bytesEach: 16)
        var validity: Bitmap?
        for row in 0..<array.count {
            let value = try array.value(at: row, as: ColumnType(.mixed))
            if value.isNull {
                if validity == nil { validity = Bitmap(repeating: true, count: array.count) }
                validity?[row] = false
            }
            try text.append { bytes in
                if !value.isNull { try objects.append(mixed: value, to: &bytes) }
            }
        }
        return CellColumn(count: array.count, validity: validity, cells: text.text)
    }

    /// The cells of values that are neither links nor mixed.
    static func cells(
        of array: ColumnArray, _ type: PropertyType, _ options: ExportOptions, _ loss: LossPlace, _ losses: inout Losses
    ) throws -> CellColumn {
        var column = CellColumn(count: array.count, validity: array.validity, cells: .integer([]))
        switch array.values {
        case .int(let cells): column.cells = .integer(cells)
        case .bool(let bits): column.cells = .integer((0..<array.count).map { bits[$0] ? 1 : 0 })
        case .float(let cells): column.takeReals(cells.map { Double($0) }, loss, &losses)
        case .double(let cells): column.takeReals(cells, loss, &losses)
        case .date(let seconds, let nanoseconds):
            try column.takeDates(seconds, nanoseconds, options.dates, loss, &losses)
        case .fixed: column.cells = try identifiers(array, type)
        case .variable(let offsets, let bytes):
            column.cells = type == .data ? .blob(offsets: offsets, bytes: bytes) : .text(offsets: offsets, bytes: bytes)
        case .list, .dictionary:
            throw ColumnError.damaged(what: "a collection where a value is to be", offset: 0)
        }
        return column
    }

    private static func identifiers(_ array: ColumnArray, _ type: PropertyType) throws -> CellColumn.Cells {
        var text = TextCells(capacity: array.count, bytesEach: 36)
        for row in 0..<array.count {
            let value = try array.value(at: row, as: ColumnType(type))
            try text.append { bytes in
                switch value {
                case .objectId(let id): bytes += id.description.utf8
                case .uuid(let id): id.appendText(to: &bytes)
                case .decimal128(let number): bytes += number.description.utf8
                default: break
                }
            }
        }
        return text.text
    }
}

extension CellColumn {
    /// Nulls throughout.
    init(nulls count: Int) {
        self.init(
            count: count, validity: Bitmap(repeating: false, count: count),
            cells: .integer([Int64](repeating: 0, count: count)))
    }

    /// Takes numbers, but those that SQLite has not: NaN, which it takes for null, and the sign of zero.
    fileprivate mutating func takeReals(_ numbers: [Double], _ loss: LossPlace, _ losses: inout Losses) {
        cells = .real(numbers)
        for (row, number) in numbers.enumerated() where number.isNaN || number == 0 && number.sign == .minus {
            guard loss.counts(row) else { continue }
            losses.count(number.isNaN ? .notANumber : .signOfZero)
            guard number.isNaN else { continue }
            if validity == nil { validity = Bitmap(repeating: true, count: count) }
            validity?[row] = false
        }
    }

    fileprivate mutating func takeDates(
        _ seconds: [Int64], _ nanoseconds: [Int32], _ form: ExportOptions.Dates, _ loss: LossPlace,
        _ losses: inout Losses
    ) throws {
        guard form != .iso else {
            var text = TextCells(capacity: count, bytesEach: 24)
            for row in 0..<count {
                try text.append {
                    Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]).appendText(to: &$0)
                }
            }
            cells = text.text
            return
        }
        let perSecond: Int64 = form == .unix ? 1 : 1000
        var numbers = [Int64](repeating: 0, count: count)
        for row in 0..<count {
            let date = Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row])
            let (number, isExact) = date.floored(unitsPerSecond: perSecond)
            if !isExact, loss.counts(row) { losses.count(number == nil ? .dateRange : .dateFraction) }
            numbers[row] = number ?? 0
            guard number == nil, !isNull(row) else { continue }
            if validity == nil { validity = Bitmap(repeating: true, count: count) }
            validity?[row] = false
        }
        cells = .integer(numbers)
    }
}

extension Timestamp {
    /// Whole units since the epoch, rounded towards the past; nil where 64 bits do not hold them.
    ///
    /// - Parameter unitsPerSecond: a power of ten up to 1,000,000,000.
    func floored(unitsPerSecond units: Int64) -> (number: Int64?, isExact: Bool) {
        let nanosecondsPerUnit = 1_000_000_000 / units
        let (fraction, remainder) = Int64(nanoseconds).quotientAndRemainder(dividingBy: nanosecondsPerUnit)
        let whole = Int128(seconds) * Int128(units) + Int128(remainder < 0 ? fraction - 1 : fraction)
        guard let number = Int64(exactly: whole) else { return (nil, false) }
        return (number, remainder == 0)
    }
}
