import Columns
import RealmJSON
import RealmModel

/// Turns columns of a realm into cells, and counts what is lost by that.
///
/// Numbers stay numbers; identifiers, decimals and, where the rules say so, dates become text; a mixed value becomes its Realm
/// JSON; a link becomes the key of its target.
final class CellMaker {
    let rules: CellRules
    private let objects: SnapshotText
    private let keys: LinkKeys

    init(_ snapshot: Snapshot, store: any SegmentStore, rules: CellRules) {
        self.rules = rules
        objects = SnapshotText(snapshot, from: store)
        keys = LinkKeys(snapshot, store: store, rules: rules)
    }

    /// The cells of a column.
    ///
    /// - Parameters:
    ///   - array: single values, or the elements of collections.
    ///   - property: whose values they are.
    ///   - reference: where they are links.
    ///   - rows: the rows that count for losses.
    /// - Throws: `EqualKeys` where two keys of a mixed value would be one; what the store throws; `ColumnError`.
    func cells(
        of array: ColumnArray, _ property: Property, _ reference: Reference?, rows: [Int], losses: inout Losses
    ) throws -> CellColumn {
        let loss = LossPlace(array, rows)
        if property.type == .object {
            guard let reference else { return CellColumn(nulls: array.count) }
            return try keys.cells(of: array, reference: reference)
        }
        if property.type == .mixed { return try mixed(array, loss, &losses) }
        return try Self.cells(of: array, property.type, rules, loss, &losses)
    }

    /// Texts that a body appends row by row; what it appends of a null is `null`.
    func texts(
        count: Int, rows: [Int], _ append: (_ row: Int, _ bytes: inout [UInt8]) throws -> Void
    ) throws -> CellColumn {
        var text = TextCells(capacity: count, bytesEach: 16)
        var validity = Bitmap(repeating: false, count: count)
        var next = 0
        for row in 0..<count {
            guard next < rows.count, rows[next] == row else {
                try text.append { _ in }
                continue
            }
            next += 1
            try text.append { try append(row, &$0) }
            if text.last.elementsEqual("null".utf8) { text.emptyLast() } else { validity[row] = true }
        }
        return CellColumn(count: count, validity: validity, cells: text.text)
    }

    private func mixed(_ array: ColumnArray, _ loss: LossPlace, _ losses: inout Losses) throws -> CellColumn {
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
            guard rules == .postgres else { continue }
            let hadNUL = text.replaceEscapedNUL()
            guard loss.counts(row) else { continue }
            if hadNUL {
                losses.count(.nulInText)
                guard !value.holdsEqualKeysWithoutNUL else { throw EqualKeys(row: row) }
            }
            // The numbers of jsonb are numeric, too; a decimal is text there.
            if value.holdsMinusZero { losses.count(.signOfZero) }
        }
        return CellColumn(count: array.count, validity: validity, cells: text.text)
    }

    /// The cells of values that are neither links nor mixed.
    static func cells(
        of array: ColumnArray, _ type: PropertyType, _ rules: CellRules, _ loss: LossPlace, _ losses: inout Losses
    ) throws -> CellColumn {
        var column = CellColumn(count: array.count, validity: array.validity, cells: .integer([]))
        switch array.values {
        case .int(let cells): column.cells = .integer(cells)
        case .bool(let bits): column.cells = .integer((0..<array.count).map { bits[$0] ? 1 : 0 })
        case .float(let cells): column.takeReals(cells.map { Double($0) }, rules, loss, &losses)
        case .double(let cells): column.takeReals(cells, rules, loss, &losses)
        case .date(let seconds, let nanoseconds):
            try column.takeDates(seconds, nanoseconds, rules.dates, loss, &losses)
        case .fixed: column.cells = try identifiers(array, type, rules, loss, &losses)
        case .variable(let offsets, let bytes):
            guard type == .string else {
                column.cells = .blob(offsets: offsets, bytes: bytes)
                break
            }
            column.cells = .text(offsets: offsets, bytes: bytes)
            if rules.losesNUL { column.replaceNUL(loss, &losses) }
        case .list, .dictionary:
            throw ColumnError.damaged(what: "a collection where a value is to be", offset: 0)
        }
        return column
    }

    private static func identifiers(
        _ array: ColumnArray, _ type: PropertyType, _ rules: CellRules, _ loss: LossPlace, _ losses: inout Losses
    ) throws -> CellColumn.Cells {
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
            // PostgreSQL's numeric has no minus before a zero.
            if rules == .postgres, case .decimal128(let number) = value, number.isFinite, number.isNegative,
                number.coefficient == 0, loss.counts(row)
            {
                losses.count(.signOfZero)
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

    private mutating func setNull(_ row: Int) {
        if validity == nil { validity = Bitmap(repeating: true, count: count) }
        validity?[row] = false
    }

    fileprivate mutating func takeReals(
        _ numbers: [Double], _ rules: CellRules, _ loss: LossPlace, _ losses: inout Losses
    ) {
        cells = .real(numbers)
        guard rules.losesNaN || rules.losesSignOfZero else { return }
        for (row, number) in numbers.enumerated() where number.isNaN || number == 0 && number.sign == .minus {
            guard number.isNaN ? rules.losesNaN : rules.losesSignOfZero, loss.counts(row) else { continue }
            losses.count(number.isNaN ? .notANumber : .signOfZero)
            if number.isNaN { setNull(row) }
        }
    }

    fileprivate mutating func takeDates(
        _ seconds: [Int64], _ nanoseconds: [Int32], _ form: CellRules.Dates, _ loss: LossPlace,
        _ losses: inout Losses
    ) throws {
        if case .number(let units) = form {
            return takeDates(seconds, nanoseconds, unitsPerSecond: units, loss, &losses)
        }
        var text = TextCells(capacity: count, bytesEach: 24)
        for row in 0..<count {
            let date = Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row])
            guard form == .postgres else {
                try text.append { date.appendText(to: &$0) }
                continue
            }
            let isHeld = PostgresTimestamp.holds(date)
            if !isHeld || !PostgresTimestamp.isExact(date), loss.counts(row) {
                losses.count(isHeld ? .dateFraction : .dateRange)
            }
            if !isHeld { setNull(row) }
            try text.append { if isHeld { PostgresTimestamp.append(date, to: &$0) } }
        }
        cells = text.text
    }

    private mutating func takeDates(
        _ seconds: [Int64], _ nanoseconds: [Int32], unitsPerSecond units: Int64, _ loss: LossPlace,
        _ losses: inout Losses
    ) {
        var numbers = [Int64](repeating: 0, count: count)
        for row in 0..<count {
            let date = Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row])
            let (number, isExact) = date.floored(unitsPerSecond: units)
            if !isExact, loss.counts(row) { losses.count(number == nil ? .dateRange : .dateFraction) }
            numbers[row] = number ?? 0
            if number == nil { setNull(row) }
        }
        cells = .integer(numbers)
    }

    /// Puts U+FFFD in the place of U+0000.
    fileprivate mutating func replaceNUL(_ loss: LossPlace, _ losses: inout Losses) {
        guard case .text(let offsets, let bytes) = cells, bytes.contains(0) else { return }
        var (ends, text): ([Int32], [UInt8]) = ([0], [])
        text.reserveCapacity(bytes.count + 64)
        for row in 0..<count {
            let cell = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            if cell.contains(0) {
                for byte in cell { if byte == 0 { text += Self.replacement } else { text.append(byte) } }
                if loss.counts(row) { losses.count(.nulInText) }
            } else {
                text += cell
            }
            ends.append(Int32(clamping: text.count))
        }
        cells = .text(offsets: ends, bytes: text)
    }

    fileprivate static let replacement = Array("\u{fffd}".utf8)
}

extension TextCells {
    /// Puts U+FFFD in the place of U+0000, which JSON escapes; false where the last row has none.
    fileprivate mutating func replaceEscapedNUL() -> Bool {
        guard let replaced = last.replacingEscapedNUL() else { return false }
        replaceLast(by: replaced)
        return true
    }
}

extension Value {
    /// Whether a number of the mixed value is −0 in its JSON.
    fileprivate var holdsMinusZero: Bool {
        switch self {
        case .float(let number): number == 0 && number.sign == .minus
        case .double(let number): number == 0 && number.sign == .minus
        case .list(let elements): elements.contains(where: \.holdsMinusZero)
        case .dictionary(let entries): entries.contains(where: \.value.holdsMinusZero)
        default: false
        }
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
